"""What runs inside a template and its children: standard library only.

Nothing here imports envhub: these modules are loaded once into every template, and
what they weigh is paid again at each fork.
"""

from __future__ import annotations

__all__: list[str] = []

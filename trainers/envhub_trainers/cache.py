"""Where built models are kept, and how a folder gets there whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["cache_folder", "keep"]


def cache_folder() -> Path:
    """``$ENVHUB_CACHE``, else ``$XDG_CACHE_HOME/envhub``, else ``~/.cache/envhub``."""
    own = os.environ.get("ENVHUB_CACHE")
    if own:
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "envhub"


def keep(target: Path, build: Callable[[Path], None]) -> Path:
    """The folder `target`, built once.

    `build` writes into a temporary folder beside it, which then takes the name in one
    step: a build that is interrupted leaves nothing under the name, and of two that
    run at once the first to finish counts.
    """
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        build(draft)
        draft.chmod(0o755)
        try:
            draft.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target

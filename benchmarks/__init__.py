"""Measurements of envhub against a baseline taken in the same run; not tests."""

from __future__ import annotations

__all__: list[str] = []

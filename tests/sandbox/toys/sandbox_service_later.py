"""Imported by the service at its first use."""

from __future__ import annotations

ANSWER = 42

"""Unpacks a tree of files; hosted in the sandbox, and knowing no task and no answer.

Standard library only. The archive comes from the environment, before the agent's first
command, so its permissions and times are taken as they are.
"""

from __future__ import annotations

import io
import os
import tarfile

__all__ = ["Unpacker"]


class Unpacker:
    """Writes files for the agent to find."""

    def unpack(self, archive: bytes) -> None:
        """Unpack a tar archive in the home folder."""
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            trusted = getattr(tarfile, "fully_trusted_filter", None)  # since 3.11.4
            if trusted is not None:
                tar.extraction_filter = trusted
            tar.extractall(os.environ["HOME"])

"""Look after the files of a small company with a shell."""

from envhub.spec import EnvSpec

__all__ = ["spec"]

spec = EnvSpec(
    id="os",
    entry_point="envhub_os.env:OsEnv",
    version="1.0.0",
    summary="answer questions about files and tidy them up, in a shell",
    placement="in_process",
    levels=4,
)

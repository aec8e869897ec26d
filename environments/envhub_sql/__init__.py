"""The `sql` environment: questions to a database, and changes to make in one."""

from envhub.spec import EnvSpec

__all__ = ["spec"]

spec = EnvSpec(
    id="sql",
    entry_point="envhub_sql.env:SqlEnv",
    version="1.0.0",
    summary="Answer questions with SQL, or change a database, in six invented worlds.",
    placement="in_process",
    levels=5,
)

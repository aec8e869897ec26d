"""Training and evaluation of language models on envhub's environments.

    pool ──▶ Runner ◀── engine        rolls out many episodes at once
               │
               ├─▶ Transcript         exact tokens and masks, for the loss
               └─▶ Trajectory         the record, for people, files and replay

`train` is what ``envhub train`` runs; `TRLSpec` plugs the same rollouts into a trainer
of TRL's that you configure yourself. Heavy packages are imported where they are used.
"""

__all__: list[str] = []

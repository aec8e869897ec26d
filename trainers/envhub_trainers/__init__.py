"""Training and evaluation of language models on envhub's environments.

    pool ──▶ Runner ◀── engine        rolls out many episodes at once
               │
               ├─▶ Transcript         exact tokens and masks, for the loss
               └─▶ Trajectory         the record, for people, files and replay

`envhub_trainers.train` holds what ``envhub train`` runs; `TRLSpec` plugs the same
rollouts into a trainer of TRL's that you configure yourself. Heavy packages are
imported where they are used.
"""

from envhub_trainers.evaluation import evaluate
from envhub_trainers.live import Limits, Rollout
from envhub_trainers.models import load
from envhub_trainers.report import Report
from envhub_trainers.rollout import Runner
from envhub_trainers.settings import Settings
from envhub_trainers.tiny import TinyRecipe
from envhub_trainers.tokens import ChatFormat
from envhub_trainers.torch_engine import TorchEngine
from envhub_trainers.trl_adapter import TRLSpec

__all__ = [
    "ChatFormat",
    "Limits",
    "Report",
    "Rollout",
    "Runner",
    "Settings",
    "TRLSpec",
    "TinyRecipe",
    "TorchEngine",
    "evaluate",
    "load",
]

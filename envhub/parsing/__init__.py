"""Assistant turns, taken apart: thoughts, calls, and what remains.

`parse` is used by training and evaluation alike. It knows formats, not tools: whether
a tool exists and its arguments fit is `envhub.tools`' business, and what a turn without
a call is worth is the environment's. `docs/parsing.md` states every rule.
"""

from envhub.parsing.fenced import fenced_grammar
from envhub.parsing.grammars import bracket_grammar, command_grammar
from envhub.parsing.parser import FORMATS, MAX_PROBLEMS, parse
from envhub.parsing.plain import MAX_DEPTH
from envhub.parsing.values import NOTES, Grammar, Parsed, Problem

__all__ = [
    "FORMATS",
    "MAX_DEPTH",
    "MAX_PROBLEMS",
    "NOTES",
    "Grammar",
    "Parsed",
    "Problem",
    "bracket_grammar",
    "command_grammar",
    "fenced_grammar",
    "parse",
]

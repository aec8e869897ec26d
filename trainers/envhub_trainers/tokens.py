"""From text to token ids, without letting text pretend to be structure.

Two kinds of text become tokens. *Frames* come from the chat template and may hold
special tokens: they open and close turns. *Content* (a task, an observation) comes
from an environment and may not: if a web page spells ``<|im_end|>``, the model must
read these ten characters and never the token that ends a turn.

`PlainEncoder` encodes content. `ChatFormat` finds a template's frames once, by
rendering a conversation of sentinels and cutting it at them, and then builds prompts
and observation turns from frames and plainly encoded content.

    prompt            sampled   observation turn                       sampled
    <frame>content<frame>  ids <|im_end|>  <frame>content<frame>         ids ...
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Protocol, TypeAlias

from envhub.errors import UsageError

__all__ = ["ChatFormat", "Piece", "PlainEncoder", "Tokenizer", "UnsafeTemplate"]

Role: TypeAlias = Literal["user", "tool"]
PieceKind: TypeAlias = Literal["environment", "harness"]

_ASSISTANT = "zqENVHUBxASSISTANTxqz"
_PROBE_TOOL = {
    "type": "function",
    "function": {
        "name": "zqprobezq",
        "description": "Probe.",
        "parameters": {"type": "object", "properties": {}, "required": []},
    },
}
_VISIBLE_TAGS = re.compile(r"</?\w+>")


class UnsafeTemplate(UsageError):
    """The chat template cannot be used without re-encoding what was sampled."""


class Tokenizer(Protocol):
    """What is needed of a tokenizer of transformers."""

    chat_template: Any
    all_special_ids: list[int]
    eos_token_id: int | None

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Ids of a text in which special tokens are recognised."""
        ...

    def decode(self, token_ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        """Text of ids."""
        ...

    def get_added_vocab(self) -> dict[str, int]:
        """Every token that is matched in text before the tokenizer's own model."""
        ...

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        """The tokens of ids."""
        ...

    def apply_chat_template(self, conversation: Any, **options: Any) -> Any:
        """Render a conversation."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens that the policy reads and did not sample.

    Attributes:
        kind: ``environment`` for what the environment said, ``harness`` for the chat
            template's frame around it.
        ids: The tokens.
    """

    kind: PieceKind
    ids: tuple[int, ...]


class PlainEncoder:
    """Encodes text so that no special or added token can come out of it.

    Every occurrence of such a token's text is cut after its first character and the
    halves are encoded apart: the same characters, as ordinary tokens. Tokens of one
    character or of white space only forge nothing and are left alone.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        added = {
            text: id_
            for text, id_ in tokenizer.get_added_vocab().items()
            if len(text) > 1 and text.strip()
        }
        self.forbidden: frozenset[int] = frozenset(added.values()) | frozenset(
            tokenizer.all_special_ids
        )
        longest_first = sorted(added, key=len, reverse=True)
        pattern = "|".join(re.escape(text) for text in longest_first)
        self._marks = re.compile(f"(?=({pattern}))") if pattern else None

    def __call__(self, text: str) -> list[int]:
        """Ids of a text; none of them is in `forbidden`.

        Raises:
            UsageError: The tokenizer turns even single characters into special tokens.
        """
        text = text.encode("utf-8", "replace").decode()
        for pieces in (self._pieces(text), iter(text)):
            ids = self._encode(pieces)
            if self.forbidden.isdisjoint(ids):
                return ids
        message = (
            "This tokenizer makes special tokens out of ordinary characters of "
            f"{text[:40]!r}; text of an environment cannot be encoded safely with it."
        )
        raise UsageError(message)

    def holds_mark(self, text: str) -> bool:
        """Whether a text spells a special or added token."""
        return self._marks is not None and self._marks.search(text) is not None

    def _encode(self, pieces: Iterable[str]) -> list[int]:
        encode = self._tokenizer.encode
        return [
            id_ for piece in pieces for id_ in encode(piece, add_special_tokens=False)
        ]

    def _pieces(self, text: str) -> list[str]:
        if self._marks is None:
            return [text]
        cuts = [0, *(m.start() + 1 for m in self._marks.finditer(text)), len(text)]
        return [text[a:b] for a, b in pairwise(cuts) if a < b]


@dataclass(frozen=True, slots=True)
class _TurnFrame:
    """The frame of a turn with k observations: k + 1 pieces of template.

    `reopened` begins with what ends the assistant's turn; `closed` is the same without
    it, for a sampled turn that already ended itself.
    """

    closed: tuple[int, ...]
    reopened: tuple[int, ...]
    rest: tuple[tuple[int, ...], ...]


class ChatFormat:
    """Builds prompts and observation turns for one tokenizer, append-only.

    Args:
        tokenizer: A tokenizer with a chat template.
        eos_ids: Tokens that end a sampled turn; the tokenizer's own by default.
        template_options: Passed to the chat template at every rendering
            (``{"enable_thinking": False}``).

    Raises:
        UnsafeTemplate: There is no template, or it rewrites earlier turns when later
            ones are added.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        *,
        eos_ids: Iterable[int] = (),
        template_options: Mapping[str, Any] | None = None,
    ) -> None:
        if not tokenizer.chat_template:
            message = (
                "The tokenizer has no chat template. Use an instruction-tuned model, "
                "or set tokenizer.chat_template before training."
            )
            raise UnsafeTemplate(message)
        self._tokenizer = tokenizer
        self._options = dict(template_options or {})
        self.plain = PlainEncoder(tokenizer)
        own = [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
        self.eos_ids: frozenset[int] = frozenset(eos_ids) or frozenset(own)
        self._hidden = self._hidden_ids()
        self._frames: dict[tuple[Role, int], _TurnFrame] = {}
        self.takes_tools = self._template_takes_tools()
        self.role: Role = "tool" if self.takes_tools else "user"
        self._check_append_only()

    def prompt(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> list[int]:
        """Ids of a first prompt, up to where the assistant begins to speak.

        Contents are encoded plainly. Tool schemas are the template's to render and
        so may not spell special tokens.

        Raises:
            UsageError: A content is not text, or a tool schema spells a special token.
        """
        contents = [_text_of(message) for message in messages]
        self._refuse_marks(tools)
        marks = [f"zqENVHUBx{index}xqz" for index in range(len(contents))]
        shown = [
            {**message, "content": mark}
            for message, mark in zip(messages, marks, strict=True)
        ]
        text = self._render(shown, tools=tools, ask=True)
        frames = _cut(text, marks, "the first prompt")
        ids = self._framed(frames[0])
        for content, frame in zip(contents, frames[1:], strict=True):
            ids += self.plain(content)
            ids += self._framed(frame)
        return ids

    def turn(
        self, observations: Sequence[str], *, closed: bool, role: Role | None = None
    ) -> list[Piece]:
        """The tokens between two sampled turns.

        Args:
            observations: One text for a ``user`` turn, one for each result for a
                ``tool`` turn.
            closed: Whether the sampled turn before ended itself. If it was cut, the
                frame begins with the missing end of turn.
            role: Who speaks; ``tool`` where the template knows tools, else ``user``.
        """
        frame = self._frame(role or self.role, len(observations))
        pieces = [Piece("harness", frame.closed if closed else frame.reopened)]
        for text, rest in zip(observations, frame.rest, strict=True):
            pieces.append(Piece("environment", tuple(self.plain(text))))
            pieces.append(Piece("harness", rest))
        return [piece for piece in pieces if piece.ids]

    def text(self, ids: Sequence[int]) -> str:
        """The text of a sampled turn, without the tokens that structure a chat.

        Tags that an environment's parser reads (``<tool_call>``, ``<think>``) stay,
        even where a tokenizer calls them special.
        """
        shown = [id_ for id_ in ids if id_ not in self._hidden]
        return self._tokenizer.decode(shown, skip_special_tokens=False)

    def _hidden_ids(self) -> frozenset[int]:
        special = sorted(set(self._tokenizer.all_special_ids) | self.eos_ids)
        tokens = self._tokenizer.convert_ids_to_tokens(special)
        pairs = zip(special, tokens, strict=True)
        return frozenset(i for i, token in pairs if not _VISIBLE_TAGS.fullmatch(token))

    def _refuse_marks(self, tools: Sequence[Mapping[str, Any]]) -> None:
        for tool in tools:
            if self.plain.holds_mark(json.dumps(tool, ensure_ascii=False)):
                name = tool.get("function", tool).get("name")
                message = (
                    f"The schema of tool {name!r} spells a special token of this "
                    "tokenizer, so it could open or close a turn. Change its "
                    "description."
                )
                raise UsageError(message)

    def _framed(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False) if text else []

    def _render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        ask: bool,
    ) -> str:
        text = self._tokenizer.apply_chat_template(
            [dict(message) for message in messages],
            tools=[dict(tool) for tool in tools] or None,
            add_generation_prompt=ask,
            tokenize=False,
            **self._options,
        )
        return str(text)

    def _template_takes_tools(self) -> bool:
        user = [{"role": "user", "content": "x"}]
        return "zqprobezq" in self._render(user, tools=[_PROBE_TOOL], ask=True)

    def _frame(self, role: Role, count: int) -> _TurnFrame:
        key = (role, count)
        if key not in self._frames:
            self._frames[key] = self._find_frame(role, count)
        return self._frames[key]

    def _find_frame(self, role: Role, count: int) -> _TurnFrame:
        marks = [f"zqENVHUBx{index}xqz" for index in range(count)]
        turn = [{"role": role, "name": "tool", "content": mark} for mark in marks]
        text = self._render([*_opening(), *turn], ask=True)
        _, after = _cut(text, [_ASSISTANT], f"an assistant turn before a {role} turn")
        first, *rest = _cut(after, marks, f"a {role} turn")
        reopened = tuple(self._framed(first))
        ends = [n for n, id_ in enumerate(reopened) if id_ in self.eos_ids]
        closed = reopened[ends[0] + 1 :] if ends else reopened
        return _TurnFrame(closed, reopened, tuple(tuple(self._framed(t)) for t in rest))

    def _check_append_only(self) -> None:
        user = {"role": "user", "content": "zqMOREzq"}
        short = self._render([*_opening(), user], ask=True)
        again = {"role": "assistant", "content": "zqAGAINzq"}
        long = self._render([*_opening(), user, again, user], ask=True)
        asked = self._render(_opening()[:1], ask=True)
        kept, _, _ = short.partition(_ASSISTANT)
        later, found, _ = long.partition("zqAGAINzq")
        # A generation prompt may open a think block that the history leaves out.
        if not (found and asked.startswith(kept) and short.startswith(later)):
            message = (
                "The chat template changes earlier turns when later ones are added, so "
                "what the policy sampled could not be kept token by token. Use a "
                "template that only appends, or pass template_options that make it so."
            )
            raise UnsafeTemplate(message)


def _opening() -> list[dict[str, str]]:
    return [
        {"role": "user", "content": "zqFIRSTzq"},
        {"role": "assistant", "content": _ASSISTANT},
    ]


def _text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if not isinstance(content, str):
        found = type(content).__name__
        text = (
            f"A message's content must be text; one of {message['role']} has {found}."
        )
        raise UsageError(text)
    return content


def _cut(text: str, marks: Sequence[str], where: str) -> list[str]:
    parts: list[str] = []
    for mark in marks:
        before, found, text = text.partition(mark)
        if not found:
            message = (
                f"The chat template does not show the content of {where}, so its frame "
                "cannot be found. Use another template for this model."
            )
            raise UnsafeTemplate(message)
        parts.append(before)
    return [*parts, text]

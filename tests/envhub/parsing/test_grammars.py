"""The three text grammars."""

from __future__ import annotations

import pytest

from envhub.actions import ToolCall
from envhub.parsing import Problem, bracket_grammar, command_grammar, fenced_grammar

SHOP = bracket_grammar({"search": "keywords", "click": "value", "back": None})


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("search[red shoes]", ToolCall("search", {"keywords": "red shoes"})),
        ("Search [ red shoes ]", ToolCall("search", {"keywords": "red shoes"})),
        ("CLICK[Buy Now]", ToolCall("click", {"value": "Buy Now"})),
        ("click[size: 3 [wide]]", ToolCall("click", {"value": "size: 3 [wide]"})),
        ("click[size [wide]", ToolCall("click", {"value": "size [wide"})),
        ("click[a] and [b]", ToolCall("click", {"value": "a"})),
        ("click[a]\nclick[b]", ToolCall("click", {"value": "a"})),
        ("search[]", ToolCall("search", {"keywords": ""})),
        ("back[whatever]", ToolCall("back")),
        ("`search[a]`", ToolCall("search", {"keywords": "a"})),
        ("I look.\n> search[a]", ToolCall("search", {"keywords": "a"})),
        ("So I search[a] now", ToolCall("search", {"keywords": "a"})),
        ("Not click[b].\nAction: search[a]", ToolCall("search", {"keywords": "a"})),
        ("Action:\nsearch[a]", ToolCall("search", {"keywords": "a"})),
        ("**Action:** `search[a]`", ToolCall("search", {"keywords": "a"})),
        ("> action: search[a]\nclick[b]", ToolCall("search", {"keywords": "a"})),
        ("Action: click[a]\nAction: click[b]", ToolCall("click", {"value": "a"})),
    ],
)
def test_a_verb_and_its_bracket(text: str, call: ToolCall) -> None:
    assert SHOP(text) == call


@pytest.mark.parametrize(
    "text", ["", "I do not know", "research[a]", "search", "a[1] is search"]
)
def test_no_action_is_none_or_names_what_there_is(text: str) -> None:
    found = SHOP(text)
    assert found is None or isinstance(found, Problem)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("search[red", "not closed"),
        ("search[red\nshoes]", "not closed"),
        ("I search[a] or click[b]", "More than one"),
        ("Action: buy[a]", "use search[...], click[...], back[...]"),
        ("Action: look for shoes", "'look for shoes' is no action here"),
        ("Action:", "'' is no action here"),
        ("buy[a]", "'buy[a]' is no action here"),
    ],
)
def test_a_bad_action_is_a_problem(text: str, why: str) -> None:
    found = SHOP(text)
    assert isinstance(found, Problem)
    assert why in found.message


def test_the_longest_verb_wins() -> None:
    grammar = bracket_grammar({"look": "a", "look up": "b"})
    assert grammar("look up[x]") == ToolCall("look up", {"b": "x"})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("go to shelf 1", "go to shelf 1"),
        ("\n\n  go to shelf 1  \nThen on.", "go to shelf 1"),
        ("I think.\n> go to shelf 1", "go to shelf 1"),
        ("I think.\nAction: go to shelf 1\nObservation: x", "go to shelf 1"),
        ("Action:\n\ngo to shelf 1", "go to shelf 1"),
        ("> look\nACTION: `go to shelf 1`", "go to shelf 1"),
        ("`go to shelf 1`", "go to shelf 1"),
        ("ls > file", "ls > file"),
    ],
)
def test_a_command_is_one_line(text: str, line: str) -> None:
    assert command_grammar("do", "c")(text) == ToolCall("do", {"c": line})


@pytest.mark.parametrize("text", ["", " \n ", "Action:", ">", "text\n> "])
def test_an_empty_command_is_none(text: str) -> None:
    assert command_grammar("do", "c")(text) is None


CODE = fenced_grammar({"python": ("python", "code"), "sql": ("query", "sql")})


def python(code: str) -> ToolCall:
    """The call that a block of Python becomes."""
    return ToolCall("python", {"code": code})


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("```python\nx = 1\n```", python("x = 1")),
        ("So:\n```Python title=a\nx\n\ny\n```\nDone.", python("x\n\ny")),
        ("```python\r\nx\r\n```\r\n", python("x")),
        ("~~~python\nx\n~~~", python("x")),
        ("````python\na = '''\n```\n'''\n````", python("a = '''\n```\n'''")),
        ("```python\nx\n````", python("x")),
        ("```python\n```", python("")),
        ("```python\na\n```\n```python\nb\n```", python("b")),
        ("```python\na\n```\n```text\n5\n```", python("a")),
        ("```python\na\n```\n```output\n5", python("a")),
        ("  ```python\n  if a:\n    b\n  ```", python("if a:\n  b")),
        ("```sql\nselect 1\n```", ToolCall("query", {"sql": "select 1"})),
    ],
)
def test_the_last_whole_block_in_a_known_language_counts(
    text: str, call: ToolCall
) -> None:
    assert CODE(text) == call


@pytest.mark.parametrize(
    "text",
    [
        "",
        "print(1)",
        "```\nx\n```",
        "```text\nx\n```",
        "```python x```",
        "    ```python\n    x\n    ```",
        "```text\nx",
    ],
)
def test_no_block_in_a_known_language_is_none(text: str) -> None:
    assert CODE(text) is None


@pytest.mark.parametrize(
    "text", ["```python\nx", "```python\na\n```\n```python\nb\n``"]
)
def test_a_block_that_is_not_closed_is_a_problem(text: str) -> None:
    found = CODE(text)
    assert isinstance(found, Problem)
    assert found.name == "python"
    assert "three backticks" in found.message


def test_a_block_without_a_language_counts_where_asked_for() -> None:
    assert fenced_grammar({"": ("sh", "cmd")})("```\nls\n```") == ToolCall(
        "sh", {"cmd": "ls"}
    )

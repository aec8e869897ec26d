"""The JSON reader alone, against the standard library's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envhub.parsing.jsonread import JsonError, read_json
from envhub.parsing.plain import MAX_DEPTH, encodable, plain

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_what_the_standard_library_writes_is_read_back(
    value: Any, ascii_only: bool, indent: int | str | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    read = read_json(f"xy{text}\ntail", 2)
    assert read.value == value
    assert read.end == 2 + len(text)
    assert read.notes == ()


def strict(text: str) -> tuple[bool, Any]:
    """Whether the standard library takes a text, and as what."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    def never(_word: str) -> None:
        raise ValueError

    try:
        decoder = json.JSONDecoder(object_pairs_hook=once, parse_constant=never)
        return True, decoder.raw_decode(text.lstrip(" \t\r\n"))[0]
    except ValueError:
        return False, None


ODD = [*'{}[]",:\\ \n0-.eaN/', '"a":1', '"a":1,', "null", "NaN", "True", "\\ud83d"]


@settings(max_examples=500)
@given(VALUES, st.data())
def test_it_takes_what_the_standard_library_takes_and_no_more_without_a_note(
    value: Any, data: st.DataObject
) -> None:
    # Around a list, so that what follows the value is part of the comparison.
    text = json.dumps([value, {"a": value}])
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(1, len(text)))
        end = data.draw(st.integers(at, min(at + 2, len(text))))
        text = text[:at] + data.draw(st.sampled_from(ODD)) + text[end:]
    expected, value = strict(text)
    try:
        read = read_json(text)
    except JsonError:
        assert not expected
        return
    assert expected or read.notes
    if expected and not read.notes:
        assert read.value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a value (the text ends here) at line 1 column 1 (char 0)"),
        ('{"a": 1', "expected ',' or '}' (the text ends here) at line 1 column 8"),
        (
            '{"a": [1 2]}',
            "expected ',' or ']' at line 1 column 10 (char 9), near '2]}'",
        ),
        ('{\n "a" 1}', "expected ':' after a key at line 2 column 6 (char 7)"),
        ("{'a': 1}", "expected a key in double quotes (strings take double quotes)"),
        ("{\"a\": 'b'}", "expected a value (strings take double quotes)"),
        ('{"a": 1, // b', "expected a key in double quotes (comments are not JSON)"),
        ('{"a": 1 # b', "(comments are not JSON) at line 1 column 9"),
        ('{"a": NaN}', "NaN is not a JSON value at line 1 column 7 (char 6)"),
        ('{"a": -Infinity}', "-Infinity is not a JSON value"),
        ('{"a": 1e400}', "the number is too large at line 1 column 7"),
        ('{"a": 01}', "expected ',' or '}' at line 1 column 8"),
        ('{"a": +1}', "expected a value at line 1 column 7"),
        ('{"a": .5}', "expected a value at line 1 column 7"),
        ('{"a": TRUE}', "TRUE is not a JSON value"),
        ('{"a": "b\\q"}', "Invalid \\escape at line 1 column 9 (char 8)"),
        ('{"a": "\\u12"}', "Invalid \\uXXXX escape at line 1 column"),
        ('{"a": "b', "a string is not closed at line 1 column 7 (char 6)"),
        ('{"a": "b\\"', "a string is not closed at line 1 column 7 (char 6)"),
        ('{"a": "\x00"}', "a control character inside a string at line 1 column 8"),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice at line 1 column 10 (char 9)"),
        ('{"b": {"a": 1, "\\u0061": 2}}', "the key 'a' stands twice"),
        ("{,}", "expected a key in double quotes at line 1 column 2"),
        ("[,]", "expected a value at line 1 column 2"),
        ("[1,,]", "expected a value at line 1 column 4"),
    ],
)
def test_an_error_says_what_and_where(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(text)
    assert message in str(caught.value)


def test_places_count_from_the_beginning_of_the_value() -> None:
    with pytest.raises(JsonError, match=r"line 1 column 2 \(char 1\)"):
        read_json("one\ntwo {x", 8)


def test_an_error_knows_the_outermost_name() -> None:
    with pytest.raises(JsonError) as caught:
        read_json('{"id": 1, "name": "sh", "arguments": {"name": "no", x')
    assert caught.value.name == "sh"


@pytest.mark.parametrize("text", ['[{"name": "a"', '{"name": 7, x', "[", "x"])
def test_an_error_without_a_name_has_an_empty_one(text: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(text)
    assert caught.value.name == ""


@pytest.mark.parametrize("text", ['{"a": 1<', '{"a": {"b": 1} <'])
def test_the_last_brace_may_be_missing_before_the_end_mark(text: str) -> None:
    read = read_json(text, stop="<")
    assert read.notes == ("repaired:missing_brace",)
    assert text[read.end] == "<"


@pytest.mark.parametrize(
    "text", ['{"a": [1<', '{"a": {"b": 1<', '{"a": 1,<', "[1<", "{<"]
)
def test_more_than_the_last_brace_may_not_be_missing(text: str) -> None:
    with pytest.raises(JsonError):
        read_json(text, stop="<")


def test_without_an_end_mark_no_brace_may_be_missing() -> None:
    with pytest.raises(JsonError):
        read_json('{"a": 1')


def test_lone_halves_of_pairs_are_replaced_and_noted() -> None:
    read = read_json(r'{"\ud83d": "\ude42 \ud83d\ude42"}')
    assert read.value == {"�": "� 🙂"}
    assert read.notes == ("surrogate_replaced",)


def test_keys_that_become_equal_stand_twice() -> None:
    with pytest.raises(JsonError, match="twice"):
        read_json(r'{"\ud83d": 1, "\ud83e": 2}')


def test_nesting_is_taken_up_to_the_limit() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(read_json(text).value) == text
    with pytest.raises(JsonError, match="levels deep"):
        read_json(f"[{text}]")


def test_an_integer_is_exact_up_to_pythons_own_limit() -> None:
    assert read_json("9" * 4000).value == int("9" * 4000)
    with pytest.raises(JsonError, match="5000 digits"):
        read_json("9" * 5000)


def test_a_zero_keeps_its_sign_and_type() -> None:
    assert repr(read_json("-0.0").value) == "-0.0"
    assert repr(read_json("1E2").value) == "100.0"


@given(VALUES)
def test_plain_json_is_copied_as_it_is(value: Any) -> None:
    assert plain(value) == value


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), {1: 2}, object(), {"a": {1}}, b"x"]
)
def test_what_is_not_json_is_not_copied(value: Any) -> None:
    with pytest.raises(ValueError, match="is not a"):
        plain(value)


def test_a_value_that_contains_itself_is_not_copied() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="levels deep"):
        plain({"a": loop})


@given(st.text(alphabet=st.characters()))
def test_encodable_text_can_be_encoded(text: str) -> None:
    assert encodable(text).encode().decode() == encodable(text)


def test_split_pairs_are_joined() -> None:
    assert encodable("a\ud83d\ude42\ud83d") == "a🙂�"

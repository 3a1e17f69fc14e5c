"""Makes new inputs of old ones: slips of the pen, swaps of what is alike, and what attackers write.

A text is taken apart in the ways in which an author sees it: its characters, its words and signs,
its lines, its fields. What stands in one place is left out, written twice, nested, or replaced by
what stands in such a place elsewhere. JSON is changed as JSON, so that it stays JSON. All chance
comes from the random source given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONGEST = 40_000
WORD = re.compile(r"[A-Za-z_][\w-]*|\d+|\s+|[^\w\s]")
FIELD = re.compile(r"(?m)^([ \t]*(?:- )?[\w.-]+:)([^\n]*)$")
HOSTILE = (
    *(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\x1b[31m",
        "\x1b]52;c;eA==\x07",
        "\x9b",
        "\x00",
        "\x85",
    ),
    *(
        "\u2028",
        "\r",
        "\t",
        "\n",
        "\ud800",
        "\U0001f3b2",
        "e\u0301",
        "\u0300" * 40,
        "ﬁ",
        "İ",
        "ß",
        "０",
        "\xa0",
    ),
    *(
        "'",
        '"',
        "`",
        "|",
        ">",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "%TAG",
        "---",
        "...",
        "? ",
        "- ",
        ": ",
        " #",
        "{}",
        "[]",
    ),
    *(
        "0",
        "-1",
        "1",
        "2",
        "64",
        "1000",
        "10000",
        "2000000",
        "9007199254740991",
        "9007199254740992",
        "9" * 400,
    ),
    *(
        "1e999999",
        "1/0",
        "0x1F",
        "-0",
        "5/2",
        "1d6",
        "1000d1000000",
        "99999999999d6",
        "null",
        "true",
        "no",
        "~",
    ),
    *(
        "(" * 70,
        ")" * 70,
        "[" * 70,
        "{a: " * 70,
        "not " * 80,
        "x" * 250,
        "__class__",
        "::error::x",
        "%0A",
        "</script>",
    ),
)

JUNK: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        7,
        2**53,
        -(2**53),
        10**400,
        "",
        "x",
        "A",
        "\u202e",
        "\ud800",
        "__class__",
    ),
    *(
        [],
        {},
        [[]],
        [1],
        {"a": 1},
        ["value", 1],
        ["value", None],
        [["div"]],
        ["local", 99],
        "x" * 300,
    ),
)

Mutation = Callable[[str, Random, Sequence[str]], str]


def some_range(length: int, rng: Random, most: int) -> tuple[int, int]:
    """A stretch within a length, more often a short one."""
    start = rng.randrange(length + 1)
    return start, min(length, start + 1 + int(most * rng.random() ** 3))


def cut(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Leave a stretch out."""
    start, end = some_range(len(text), rng, 80)
    return text[:start] + text[end:]


def twice(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Write a stretch twice, or many times."""
    start, end = some_range(len(text), rng, 60)
    return text[:start] + text[start:end] * rng.choice((2, 2, 3, 10, 70)) + text[end:]


def moved(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Put a stretch elsewhere."""
    start, end = some_range(len(text), rng, 60)
    rest, at = text[:start] + text[end:], rng.randrange(len(text) - end + start + 1)
    return rest[:at] + text[start:end] + rest[at:]


def hostile(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Put in what attackers write, or write it over something."""
    start, end = some_range(len(text), rng, 12)
    return text[:start] + rng.choice(HOSTILE) + text[rng.choice((start, end)) :]


def spliced(text: str, rng: Random, others: Sequence[str]) -> str:
    """Take the beginning of this and the end of another."""
    other = rng.choice(others)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def brought(text: str, rng: Random, others: Sequence[str]) -> str:
    """Bring a stretch of another."""
    other = rng.choice(others)
    start, end = some_range(len(other), rng, 120)
    at = rng.randrange(len(text) + 1)
    return text[:at] + other[start:end] + text[at:]


def other_word(text: str, rng: Random, others: Sequence[str]) -> str:
    """Replace a word or sign by another one, of this text or of another."""
    words = WORD.findall(text)
    known = WORD.findall(rng.choice((text, rng.choice(others))))
    if not words or not known:
        return text
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(words))
        alike = [word for word in known if _sort(word) == _sort(words[at])]
        words[at] = rng.choice(alike if alike and rng.random() < 0.8 else known)
    return "".join(words)


def _sort(word: str) -> str:
    return (
        "a"
        if word[0].isalpha() or word[0] == "_"
        else "0"
        if word[0].isdigit()
        else " "
        if word.isspace()
        else "."
    )


def words_apart(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Leave out, swap or double words and signs."""
    words = WORD.findall(text)
    if len(words) < 2:
        return text
    at, to = rng.randrange(len(words)), rng.randrange(len(words))
    match rng.randrange(4):
        case 0:
            del words[at]
        case 1:
            words[at], words[to] = words[to], words[at]
        case 2:
            words.insert(at, words[at])
        case _:
            opening, closing = rng.choice(("()", "[]", "{}", "''", '""'))
            words[at] = f"{opening}{words[at]}{closing}"
    return "".join(words)


def other_number(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a number."""
    found = [*re.finditer(r"\d+", text)]
    if not found:
        return text
    one = rng.choice(found)
    number = rng.choice(
        (*(one for one in HOSTILE if one[-1].isdigit()), str(int(one[0][:9]) + 1), "-1", "1 .. 3")
    )
    return text[: one.start()] + number + text[one.end() :]


def lines_apart(text: str, rng: Random, others: Sequence[str]) -> str:
    """Leave out, swap, double, indent or bring lines."""
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines[at], lines[to] = lines[to], lines[at]
        case 2:
            lines.insert(to, lines[at])
        case 3:
            lines[at] = " " * rng.choice((1, 2, 4)) + lines[at]
        case 4:
            lines[at] = lines[at][rng.choice((1, 2, 4)) :]
        case _:
            lines.insert(at, rng.choice(rng.choice(others).split("\n")))
    return "\n".join(lines)


def block_apart(text: str, rng: Random, others: Sequence[str]) -> str:
    """Bring a line with all that is indented below it."""
    lines = rng.choice((text, rng.choice(others))).split("\n")
    at = rng.randrange(len(lines))
    margin = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > margin:
        end += 1
    into = text.split("\n")
    to = rng.randrange(len(into) + 1)
    wanted = len(into[to - 1]) - len(into[to - 1].lstrip()) + rng.choice((0, 0, 2, 4))
    return "\n".join(
        [*into[:to], *(" " * wanted + line[margin:] for line in lines[at:end]), *into[to:]]
    )


def other_field(text: str, rng: Random, others: Sequence[str]) -> str:
    """Give a field the value of another, or the name of another."""
    here = [*FIELD.finditer(text)]
    there = [*FIELD.finditer(rng.choice((text, rng.choice(others))))]
    if not here or not there:
        return text
    one, other = rng.choice(here), rng.choice(there)
    named = [each for each in there if each[1].strip() == one[1].strip()]
    if named and rng.random() < 0.5:
        other = rng.choice(named)
    new = one[1] + other[2] if rng.random() < 0.7 else other[1] + one[2]
    return text[: one.start()] + new + text[one.end() :]


TEXT: tuple[Mutation, ...] = (
    *(cut, twice, moved, hostile, spliced, brought, other_number, block_apart),
    *(
        other_word,
        other_word,
        words_apart,
        words_apart,
        lines_apart,
        lines_apart,
        other_field,
        other_field,
    ),
)
BYTES: tuple[Mutation, ...] = (cut, twice, moved, spliced, brought, hostile)


def flipped(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Change one byte, or some bytes that may be a number."""
    if not text:
        return text
    at = rng.randrange(len(text))
    new = rng.choice(
        (
            chr(ord(text[at]) & 255 ^ 1 << rng.randrange(8)),
            "\0",
            "\xff",
            "\xff\xff\xff\xff",
            "\x01\0",
        )
    )
    return text[:at] + new + text[at + len(new) :]


def as_json(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Change one place of JSON: something else in its stead, of this file or junk; left out; there
    twice."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    return json.dumps(
        json_changed(data, rng), separators=(",", ":"), sort_keys=True, ensure_ascii=False
    )


def json_changed(data: Any, rng: Random) -> Any:
    """JSON data with one place of it changed; the data itself is changed."""
    holders = [one for one in _inside(data) if one]
    if not holders:
        return rng.choice(JUNK)
    holder, donor = _deep(holders, rng), _deep(holders, rng)
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    given = json.loads(
        json.dumps(rng.choice(list(donor.values()) if isinstance(donor, dict) else donor))
    )
    match rng.randrange(5):
        case 0:
            holder[key] = rng.choice(JUNK)
        case 1:
            holder[key] = given
        case 2:
            del holder[key]
        case 3 if isinstance(holder, list):
            holder.insert(key, given)
        case _ if isinstance(holder[key], int) and not isinstance(holder[key], bool):
            holder[key] += rng.choice((1, -1, 100))
        case _ if isinstance(holder, dict):
            holder[rng.choice(("x", "", *list(holder)))] = given
        case _:
            holder[key] = [holder[key]]
    return data


def _deep(holders: Sequence[Any], rng: Random) -> Any:
    """One of them: a few large ones hold most of the rest, so chance alone would never touch
    these."""
    return holders[int(len(holders) * rng.random() ** 2)]


def _inside(data: Any) -> list[Any]:
    found, waiting = [], [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | dict):
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


def changed(text: str, others: Sequence[str], rng: Random, ways: Sequence[Mutation]) -> str:
    """A text with one to six changes."""
    for _ in range(1 + int(6 * rng.random() ** 3)):
        text = rng.choice(ways)(text, rng, others)
    return text[:LONGEST]

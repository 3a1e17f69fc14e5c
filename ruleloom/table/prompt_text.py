"""Typed lines as answers and commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from ruleloom.runtime.search.options import SEVERAL, Option, Prompt

SAY = "say"
FEW_NUMBERS, MOST_NUMBERS = 10, 40
COMMANDS = (
    *("?", "??", "undo", "why not", "why", "correct", "save", "log"),
    *("board", "look", "hand", "help", "quit"),
)
ALONE = frozenset({*COMMANDS, "go back", "exit"}) - {"?", "??", "correct"}
"""The words that are commands alone on a line, also where a text is asked for."""
HELP = (
    "Answer with the number of an option, or with its name; where several are asked for, with several "
    'numbers ("1 3 4", "all", "none"). Enter alone takes the usual answer.',
    'Several answers may stand on one line: "2 N 1" answers what you are asked now and next, with ";" '
    'between them where one has several parts ("1 3; none"). If one does not fit, none is taken. '
    "Where a question goes round the table, the others are kept for your next turns at it.",
    "Where a text is asked for, the line is the text, unless it is one of these words alone or begins "
    'with "?" or "/": "/save FILE", "/correct ..." are commands then, and "say quit" is the text '
    '"quit".',
    "Besides:",
)
HELP_ON = (
    ("?", "by which rule you are asked"),
    ("? NAME", "what a card says, or the card on a space (? 2/1), or an option (? 3)"),
    ("?? NAME", "the same in full, step by step"),
    ("undo", "take your last answer back"),
    ("go back", "ask everybody to go back past what has been seen"),
    ("why not", "what is not on offer, and why"),
    ("look", "the table (also `board`)"),
    ("hand", "what only you see"),
    ("log", "what has happened"),
    ("save FILE", "keep the game in a file of that name"),
    ("quit", "leave; the game is kept, and you are told how to go on"),
    ("why FIELD(NAME)", "what changed a value, or how a number comes about"),
    (
        "correct FIELD(NAME) = VALUE because REASON",
        "set a value right by hand; `undo` takes it back",
    ),
)


class AnswerNotUnderstood(Exception):
    """A typed line that is no answer; the message says what is."""


class Choice(NamedTuple):
    """One numbered line of a question: an option, or several that are alike."""

    text: str
    keys: tuple[str, ...]


def parse_answer(
    line: str, prompt: Prompt, choices: Sequence[Choice] | None = None
) -> tuple[str, ...]:
    """The keys that a typed line means; AnswerNotUnderstood if it means none.

    A number that is typed twice takes two of those that are alike.
    """
    line = line.strip()
    if choices is None:
        choices = [Choice(option.label, (option.key,)) for option in prompt.options]
    if prompt.kind == "text":
        return (_own_words(line, prompt),)
    if not line:
        return _usual(prompt)
    if prompt.kind == "roll":
        return tuple(word for word in re.split(r"[\s,+]+", line) if word)
    if prompt.kind not in SEVERAL:
        return (_one(line, prompt.options, choices)[0],)
    return _several(line, prompt.options, choices)


def _several(line: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    """The keys of several options: one name, names with commas, or words apart; none, or all."""
    if line.lower() in ("none", "-"):
        return ()
    if line.lower() == "all":
        return tuple(option.key for option in options)
    try:
        return (_one(line, options, choices)[0],)
    except AnswerNotUnderstood:
        words = words_of(line)
    taken: list[str] = []
    for word in words:
        alike = _one(word, options, choices)
        taken.append(next((key for key in alike if key not in taken), alike[0]))
    return tuple(taken)


def words_of(line: str) -> list[str]:
    """The parts of a line, behind commas, or else behind blanks."""
    parts = line.split(",") if "," in line else line.split()
    return [part.strip() for part in parts if part.strip()]


def usual_key(prompt: Prompt) -> str | None:
    """The option that Enter takes: what is usual, or else nothing, where that may be answered."""
    if prompt.default is not None or prompt.kind in (*SEVERAL, "text"):
        return prompt.default
    return next((option.key for option in prompt.options if option.value is None), None)


def _usual(prompt: Prompt) -> tuple[str, ...]:
    if prompt.usual is not None:
        return prompt.usual
    if (usual := usual_key(prompt)) is not None:
        return (usual,)
    what = "what the dice show" if prompt.kind == "roll" else "the number of an option"
    raise AnswerNotUnderstood(f"there is no usual answer here; type {what}")


def command_in(line: str, prompt: Prompt) -> str | None:
    """The command that a typed line may be; None if it can only be a text."""
    line = line.strip()
    if prompt.kind != "text" or line.startswith("?") or line.lower() in ALONE:
        return line
    return line[1:] if line.startswith("/") else None


def _own_words(line: str, prompt: Prompt) -> str:
    word, _, rest = line.partition(" ")
    text = rest.strip() if word.lower() == SAY else line
    if text or not prompt.least:
        return text or prompt.default or ""
    if prompt.default is None:
        raise AnswerNotUnderstood("write something: this takes a text")
    return prompt.default


def _one(word: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    """The keys of the option that a word means, and of all that are alike: its number, its name, or
    the start of it."""
    if word.isascii() and word.isdecimal():
        return _by_number(word, options, choices)
    names = {o.key: (o.key.lower(), o.label.lower()) for o in options}
    begun = _called(word, names)
    alike = [choice.keys for choice in choices if set(begun) & set(choice.keys)]
    if len(alike) == 1:
        return tuple(sorted(alike[0], key=lambda key: key not in begun))
    if begun:
        raise AnswerNotUnderstood(f"`{word}` may be any of {', '.join(begun[:4])}; type the number")
    raise AnswerNotUnderstood(f"`{word}` is no option here{_nearest(word.lower(), names)}")


def _called(word: str, names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The keys of what has this name, or else of what has a name that begins so."""
    wanted = word.lower()
    exact = [key for key, called in names.items() if wanted in called]
    if word in exact:
        return [word]
    return exact or [k for k, called in names.items() if any(n.startswith(wanted) for n in called)]


def _nearest(word: str, keys: Iterable[str]) -> str:
    close = get_close_matches(word, [*keys, *COMMANDS], n=1)
    return f"; did you mean `{close[0]}`?" if close else "; `help` says what can be typed"


def _by_number(word: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    # Options that are numbers themselves ("how many pips?") are not numbered.
    if all_numbers(options):
        if any(option.key == word for option in options):
            return (word,)
        known = number_range_text(options)
        raise AnswerNotUnderstood(f"it is {'' if known.startswith('a ') else 'one of '}{known}")
    if 1 <= int(word[:6]) <= len(choices):
        return choices[int(word) - 1].keys
    raise AnswerNotUnderstood(f"the options are numbered 1 to {len(choices)}")


def number_range_text(options: Sequence[Option]) -> str:
    """Options that are numbers, as a range if they are one."""
    numbers = [int(option.key) for option in options]
    steps = {later - sooner for sooner, later in pairwise(numbers)}
    if len(numbers) <= FEW_NUMBERS or len(steps) != 1 or min(steps) <= 0:
        shown = numbers[:MOST_NUMBERS]
        return ", ".join(map(str, shown)) + (", ..." if len(shown) < len(numbers) else "")
    step = steps.pop()
    every = f", in steps of {step}" if step > 1 else ""
    return f"a number from {numbers[0]} to {numbers[-1]}{every}"


def all_numbers(options: Iterable[Option]) -> bool:
    """Are the options numbers themselves, which are not numbered?"""
    return all(option.key.removeprefix("-").isdecimal() for option in options)


def forced(prompt: Prompt) -> tuple[str, ...] | None:
    """The only possible answer, or None if there is a choice."""
    if prompt.kind == "subset":
        whole = tuple(option.key for option in prompt.options)
        return whole if prompt.least == prompt.most == len(whole) else None
    return (prompt.options[0].key,) if len(prompt.options) == 1 and prompt.kind != "text" else None

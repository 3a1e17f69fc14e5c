"""Prompts as text with numbered options, and typed lines as answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import pairwise

from ruleloom.runtime.machine.prompt import SEVERAL, Option, Prompt
from ruleloom.runtime.program.program import Choose, Draw, Peek, Pick, Secret
from ruleloom.runtime.search.node import PlayNode
from ruleloom.table.canvas import Look
from ruleloom.table.plain_board import Drawing

SAY = "say"
ALONE = ("undo", "why not", "why", "save", "log", "board", "look", "hand", "help", "quit", "exit")
FEW_NUMBERS, MOST_NUMBERS = 10, 40
COMMANDS = (
    *("?", "undo", "why not", "why", "correct", "save", "log"),
    *("board", "look", "hand", "help", "quit"),
)
HELP = """\
Answer with the number of an option, or with its name; where several are asked for, with several
numbers ("1 3 4", "all", "none"). Enter alone takes the usual answer.
Where a text is asked for, the line is the text, unless it is one of these words alone or begins with
"?" or "/": "/save FILE", "/correct ..." are commands then, and "say quit" is the text "quit". Besides:
  ?            the cards you can read      ? sun, ? 2/1   what a card or the card on a space says
  undo         take your last answer back  why not        what is not on offer, and why
  board, hand  see them again              log            what has happened
  save [FILE]  keep the game in a file     quit           leave; with --save the game is kept
  why FIELD(NAME)                          what changed a value, or how a number comes about
  correct FIELD(NAME) = VALUE because REASON    set a value right by hand; `undo` takes it back"""


class AnswerNotUnderstood(Exception):
    """A typed line that is no answer; the message says what is."""


def question(prompt: Prompt, node: PlayNode, table: Drawing, look: Look) -> list[str]:
    """The question and its options, numbered from 1."""
    type_name = type_of(node)
    head = look.paint(_asked(prompt), "bold")
    if prompt.kind == "roll":
        return [head, "      what the dice show: their sum, or the face of each, as in 3 17 4"]
    if prompt.kind == "text":
        return [head, look.paint(f"      {_text_range(prompt)}")]
    numbers = _all_numbers(prompt.options)
    if numbers and len(prompt.options) > FEW_NUMBERS:
        usual = "" if prompt.default is None else f"   (usual: {prompt.default}, with Enter)"
        return [head, look.paint(f"      {number_range_text(prompt.options)}{usual}")]
    lines = [head]
    for number, option in enumerate(prompt.options, 1):
        usual = "   (usual: Enter)" if option.key == prompt.default else ""
        text = described(option, type_name, node, table)
        shown = f"{option.key:>4}  " if numbers else f"{number:>4}  {text}"
        lines.append(look.paint(f"{shown}{usual}".rstrip()))
    return lines


def _text_range(prompt: Prompt) -> str:
    """The lengths of text that a prompt takes, and the meaning of Enter alone."""
    nothing = "" if prompt.least else "; nothing, with Enter"
    usual = f"; usual: {prompt.default}, with Enter" if prompt.default else nothing
    length = f"{max(1, prompt.least)} to {prompt.most:,} characters on one line"
    return f"your own words, {length}{usual}"


def type_of(node: PlayNode) -> str:
    """The type of the options, if they are values."""
    row = node.row
    return (
        row.type.removesuffix("?") if isinstance(row, Choose | Secret | Draw | Peek | Pick) else ""
    )


def described(option: Option, type_name: str, node: PlayNode, table: Drawing) -> str:
    """An option in words."""
    if not type_name:
        return option.label
    return table.describe(node.state, type_name, option.value) or option.label


def _asked(prompt: Prompt) -> str:
    text = prompt.text
    if prompt.kind == "optional" and text == "choose one":
        text = f"{prompt.options[0].label}?"
    text = text[:1].upper() + text[1:]
    return _with_number(text, prompt) if prompt.kind in SEVERAL else text


def _with_number(text: str, prompt: Prompt) -> str:
    """The question, and how many options it takes."""
    if prompt.kind == "order":
        return f"{text} (all {prompt.least}, the first one first)"
    if prompt.least == prompt.most:
        return f"{text} ({prompt.least} of them)"
    if prompt.usual is not None:
        shown = ", ".join(o.label for o in prompt.options if o.key in prompt.usual) or "none"
        text = f"{text} (usual: {shown}, with Enter)"
    limit = "any number" if prompt.most >= len(prompt.options) else f"up to {prompt.most}"
    return f"{text} ({limit})"


def parse_answer(line: str, prompt: Prompt) -> tuple[str, ...]:
    """The keys that a typed line means; AnswerNotUnderstood if it means none."""
    line = line.strip()
    if prompt.kind == "text":
        return (_own_words(line, prompt),)
    if not line:
        return _usual(prompt)
    if prompt.kind == "roll":
        return tuple(word for word in re.split(r"[\s,+]+", line) if word)
    if prompt.kind not in SEVERAL:
        return (_one(line, prompt.options),)
    match line.lower():
        case "none" | "-":
            return ()
        case "all":
            return tuple(option.key for option in prompt.options)
    try:
        return (_one(line, prompt.options),)
    except AnswerNotUnderstood:
        return tuple(_one(word, prompt.options) for word in re.split(r"[\s,]+", line) if word)


def _usual(prompt: Prompt) -> tuple[str, ...]:
    if prompt.usual is not None:
        return prompt.usual
    if prompt.default is not None:
        return (prompt.default,)
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


def _one(word: str, options: Sequence[Option]) -> str:
    """The key of the one option that a word means: its number, its name, or the start of it."""
    if word.isascii() and word.isdecimal():
        return _by_number(word, options)
    wanted = word.lower()
    names = {o.key: (o.key.lower(), o.label.lower()) for o in options}
    exact = [key for key, called in names.items() if wanted in called]
    begun = exact or [k for k, called in names.items() if any(n.startswith(wanted) for n in called)]
    if exact and word in begun:
        return word
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise AnswerNotUnderstood(f"`{word}` may be any of {', '.join(begun[:4])}; type the number")
    raise AnswerNotUnderstood(f"`{word}` is no option here{_nearest(wanted, names)}")


def _nearest(word: str, keys: Iterable[str]) -> str:
    close = get_close_matches(word, [*keys, *COMMANDS], n=1)
    return f"; did you mean `{close[0]}`?" if close else "; `help` says what can be typed"


def _by_number(word: str, options: Sequence[Option]) -> str:
    # Options that are numbers themselves ("how many pips?") are not numbered.
    if _all_numbers(options):
        if any(option.key == word for option in options):
            return word
        known = number_range_text(options)
        raise AnswerNotUnderstood(f"it is {'' if known.startswith('a ') else 'one of '}{known}")
    if 1 <= int(word[:6]) <= len(options):
        return options[int(word) - 1].key
    raise AnswerNotUnderstood(f"the options are numbered 1 to {len(options)}")


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


def _all_numbers(options: Iterable[Option]) -> bool:
    return all(option.key.removeprefix("-").isdecimal() for option in options)


def forced(prompt: Prompt) -> tuple[str, ...] | None:
    """The only possible answer, or None if there is a choice."""
    if prompt.kind == "subset":
        whole = tuple(option.key for option in prompt.options)
        return whole if prompt.least == prompt.most == len(whole) else None
    return (prompt.options[0].key,) if len(prompt.options) == 1 and prompt.kind != "text" else None

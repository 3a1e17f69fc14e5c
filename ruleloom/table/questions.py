"""Questions at the terminal: a prompt as text, its options numbered from 1, and typed lines as answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from ruleloom.runtime.machine.ask import without_likes
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Choose, Draw, Peek, Pick, Secret
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL, Option, Prompt
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.drawing import PlainTable
from ruleloom.table.numbered_list import MARGIN, NUMBERED, called, in_columns, words_of

SAY = "say"
FEW_NUMBERS, MOST_NUMBERS = 10, 40
COMMANDS = (
    *("?", "??", "undo", "why not", "why", "correct", "save", "log"),
    *("board", "look", "hand", "help", "standing", "quit"),
)
ALONE = frozenset({*COMMANDS, "go back", "exit"}) - {"?", "??", "correct"}
"""The words that are commands if alone on a line, even if a text is asked for."""
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
    ("always ANSWER", "give this answer now, and whenever the question comes again"),
    ("this turn ANSWER", "the same until the turn ends"),
    ("standing", "your standing answers; `ask again 1` takes the first back"),
    ("save FILE", "keep the game in a file of that name"),
    ("quit", "leave; the game is kept, and you are told how to go on"),
    ("why FIELD(NAME)", "what changed a value, or how a number comes about"),
    (
        "correct FIELD(NAME) = VALUE because REASON",
        "set a value right by hand; `undo` takes it back",
    ),
)


class AnswerNotUnderstood(Exception):
    """A typed line that is no answer; the sentence says why."""

    def __init__(self, sentence: str, **values: str) -> None:
        super().__init__(ENGLISH.said(sentence, **values))
        self.sentence, self.values = sentence, values

    def told(self, language: Language) -> str:
        """Why, in a language."""
        # What was typed stays as it is; what is asked for is a sentence of ours.
        own = {name: language.said(value) for name, value in self.values.items() if name == "what"}
        return language.said(self.sentence, **{**self.values, **own})


class Choice(NamedTuple):
    """One numbered line of a prompt: an option, or several equal ones."""

    text: str
    keys: tuple[str, ...]


def _usual_answer(prompt: Prompt) -> tuple[str, ...]:
    if prompt.usual is not None:
        return prompt.usual
    what = "what the dice show" if prompt.kind == "roll" else "the number of an option"
    raise AnswerNotUnderstood("there is no usual answer here; type {what}", what=what)


def parse_answer(
    line: str, prompt: Prompt, choices: Sequence[Choice] | None = None
) -> tuple[str, ...]:
    """The keys for a typed line. Raises AnswerNotUnderstood.

    A number typed twice takes two equal options.
    """
    line = line.strip()
    if choices is None:
        choices = [Choice(option.label, (option.key,)) for option in prompt.options]
    if prompt.kind == "text":
        return (_own_words(line, prompt),)
    if not line:
        return _usual_answer(prompt)
    if prompt.kind == "roll":
        return tuple(word for word in re.split(r"[\s,+]+", line) if word)
    if prompt.kind not in SEVERAL:
        return (_one(line, prompt.options, choices)[0],)
    return _several(line, prompt.options, choices)


def _several(line: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    """The keys of several options: one name, names with commas, or words; none, or all."""
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


def _own_words(line: str, prompt: Prompt) -> str:
    word, _, rest = line.partition(" ")
    text = rest.strip() if word.lower() == SAY else line
    if text or prompt.usual is None:
        if not text:
            raise AnswerNotUnderstood("write something: this takes a text")
        return text
    return prompt.usual[0]


def _one(word: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    """The keys of the option for a word, and of all equal ones: by its number, its name, or a prefix of
    it."""
    if word.isascii() and word.isdecimal():
        return _by_number(word, options, choices)
    names = {o.key: (o.key.lower(), o.label.lower()) for o in options}
    begun = called(word, names)
    alike = [choice.keys for choice in choices if set(begun) & set(choice.keys)]
    if len(alike) == 1:
        return tuple(sorted(alike[0], key=lambda key: key not in begun))
    if begun:
        said = "`{word}` may be any of {names}; type the number"
        raise AnswerNotUnderstood(said, word=word, names=", ".join(begun[:4]))
    close = get_close_matches(word.lower(), [*names, *COMMANDS], n=1)
    if close:
        said = "`{word}` is no option here; did you mean `{close}`?"
        raise AnswerNotUnderstood(said, word=word, close=close[0])
    said = "`{word}` is no option here; `help` says what can be typed"
    raise AnswerNotUnderstood(said, word=word)


def _by_number(word: str, options: Sequence[Option], choices: Sequence[Choice]) -> tuple[str, ...]:
    # Options that are numbers themselves ("how many pips?") are typed directly.
    if all_numbers(options):
        if any(option.key == word for option in options):
            return (word,)
        sentence, values = _number_range(options)
        if "numbers" in values:
            raise AnswerNotUnderstood("it is one of {numbers}", **values)
        raise AnswerNotUnderstood(f"it is {sentence}", **values)
    if 1 <= int(word[:6]) <= len(choices):
        return choices[int(word) - 1].keys
    said = "the options are numbered 1 to {last}"
    raise AnswerNotUnderstood(said, last=str(len(choices)))


def number_range_text(options: Sequence[Option], language: Language = ENGLISH) -> str:
    """Numeric options in words, as a range if possible."""
    sentence, values = _number_range(options)
    return language.said(sentence, **values)


def _number_range(options: Sequence[Option]) -> tuple[str, dict[str, str]]:
    """The sentence for numeric options, and what fills it: the `numbers`, or a range."""
    numbers = [int(option.key) for option in options]
    steps = {later - sooner for sooner, later in pairwise(numbers)}
    if len(numbers) <= FEW_NUMBERS or len(steps) != 1 or min(steps) <= 0:
        shown = numbers[:MOST_NUMBERS]
        more = ", ..." if len(shown) < len(numbers) else ""
        return "{numbers}", {"numbers": ", ".join(map(str, shown)) + more}
    step, ends = steps.pop(), {"low": f"{numbers[0]}", "high": f"{numbers[-1]}"}
    if step > 1:
        return "a number from {low} to {high}, in steps of {step}", {**ends, "step": f"{step}"}
    return "a number from {low} to {high}", ends


def all_numbers(options: Iterable[Option]) -> bool:
    """Are all options numbers, which are typed directly?"""
    return all(option.key.removeprefix("-").isdecimal() for option in options)


def forced(prompt: Prompt) -> tuple[str, ...] | None:
    """The only possible answer; None if there is a choice."""
    if prompt.kind == "subset":
        whole = tuple(option.key for option in prompt.options)
        return whole if prompt.least == prompt.most == len(whole) else None
    return (prompt.options[0].key,) if len(prompt.options) == 1 and prompt.kind != "text" else None


def question(
    prompt: Prompt,
    title: str,
    choices: Sequence[Choice],
    look: Look,
    asked: str = "",
) -> list[str]:
    """The prompt and its options, after the title of the asking thing; `asked` names the player, if that is
    not clear."""
    who = f"{asked} ({title})" if asked and title else asked or title
    words = _asked(prompt, look.language)
    head = safe_text(f"{who}: {words}" if who else words)
    taken = None if prompt.usual is None or prompt.kind in SEVERAL else prompt.usual[0]
    if prompt.kind in ("roll", "text") or all_numbers(prompt.options):
        body = wrapped(safe_text(_range(prompt, taken, look.language)), look.width, MARGIN, MARGIN)
    else:
        body = _options(choices, taken, look)
    return [
        *(look.paint(line, "bold") for line in wrapped(head, look.width, MARGIN)),
        *map(look.paint, body),
    ]


def _range(prompt: Prompt, taken: str | None, language: Language) -> str:
    """What may be typed if no options are listed, and the effect of Enter alone."""
    said = language.said
    if prompt.kind == "roll":
        return said("what the dice show: their sum, or the face of each, as in 3 17 4")
    if prompt.kind == "text":
        nothing = "" if prompt.least else said("; nothing, with Enter")
        usual = said("; usual: {answer}, with Enter", answer=taken) if taken else nothing
        least, most = str(max(1, prompt.least)), f"{prompt.most:,}"
        length = "your own words, {least} to {most} characters on one line"
        return f"{said(length, least=least, most=most)}{usual}"
    usual = "" if taken is None else said("   (usual: {answer}, with Enter)", answer=taken)
    return f"{number_range_text(prompt.options, language)}{usual}"


def asking_title(prompt: Prompt, node: PlayNode, viewer: int) -> str:
    """The title of the innermost thing whose text asks, if the viewer may know it."""
    linked, world = node.linked, node.state.world
    for id in (prompt.power, *reversed(prompt.within)):
        for entity in linked.program.entities:
            numbers = [number for number, power in enumerate(entity.powers) if power == id]
            titles = {entity.titles[number] for number in numbers}
            if len(titles) == 1:  # a text shared by different things has no title
                hides = secrecy_of(linked).hides(viewer, Type(entity.name), numbers[0], (world,))
                title = titles.pop()
                return "" if hides or title.lower() in prompt.text.lower() else title
    return ""


def _options(choices: Sequence[Choice], taken: str | None, look: Look) -> list[str]:
    """The numbered options; `taken` is the key of the option for Enter."""
    texts = []
    for number, choice in enumerate(choices, 1):
        usual = look.said("   (usual: Enter)") if taken in choice.keys else ""
        texts.append(f"{safe_text(NUMBERED.format(number, choice.text))}{usual}")
    return in_columns(texts, look.width)


def _asked(prompt: Prompt, language: Language) -> str:
    text = prompt.text
    if prompt.kind == "optional" and text == "choose one":
        text = f"{prompt.options[0].label}?"
    text = text[:1].upper() + text[1:]
    return _with_number(text, prompt, language) if prompt.kind in SEVERAL else text


def _with_number(text: str, prompt: Prompt, language: Language) -> str:
    """The prompt, and its number of options."""
    said, least, most = language.said, str(prompt.least), str(prompt.most)
    if prompt.kind == "order":
        return f"{text} {said('(all {number}, the first one first)', number=least)}"
    if prompt.least == prompt.most:
        return f"{text} {said('({number} of them)', number=least)}"
    limit = "any number" if prompt.most >= len(prompt.options) else "up to {number}"
    limit = said(limit, number=most)
    if prompt.usual is not None:
        shown = ", ".join(o.label for o in prompt.options if o.key in prompt.usual) or said("none")
        limit = f"{limit}{said('; usual: {answer}, with Enter', answer=shown)}"
    return f"{text} ({limit})"


# ---------------------------------------------------------------------------------- options


def choices_of(prompt: Prompt, node: PlayNode, table: PlainTable) -> list[Choice]:
    """The numbered options; things that are alike in all visible respects are one."""
    type_name = type_of(node)
    entity = node.linked.entities.get(type_name)
    alike = entity is not None and entity.alike and prompt.kind != "order"
    same_name = _of_one_name(prompt, node, type_name)
    found: dict[str, list[Option]] = {}
    texts: dict[str, str] = {}
    for option in prompt.options:
        told = table.describe(node.state, type_name, option.value) if type_name else None
        text = told or option.label
        if alike or option.key in same_name:
            text = same_name.get(option.key) or text.partition("#")[0]
            if more := table.distinguished(node.state, type_name, option.value):
                text = f"{text} ({more})"
            found.setdefault(text, []).append(option)
        else:
            found[option.key] = [option]
        texts[option.key] = text
    choices = []
    for same in found.values():  # options that read the same are merged, with a count
        many = max(len(same), _as_many(node, same[0]) if alike else 1)
        times = f" x{many}" if many > 1 else ""
        choices.append(Choice(f"{texts[same[0].key]}{times}", tuple(one.key for one in same)))
    return choices


def _of_one_name(prompt: Prompt, node: PlayNode, type_name: str) -> dict[str, str]:
    """The names, by key, of things that players gave the same name, or that are told alike."""
    entity = node.linked.entities.get(type_name)
    may_be_alike = entity is not None and (entity.named_by or entity.described)
    if not may_be_alike or prompt.kind == "order":
        return {}
    type_, world = Type(type_name), node.state.world
    names = {
        one.key: title_text(node.linked, world, type_, one.value)
        for one in prompt.options
        if one.value is not None
    }
    many = Counter(names.values())
    return {key: name for key, name in names.items() if many[name] > 1}


def _as_many(node: PlayNode, option: Option) -> int:
    """The number of equal things for an option, if only one of them is on offer."""
    row, world = node.row, node.state.world
    if not isinstance(row, Choose) or row.count != "one" or option.value is None:
        return 1
    pairs = ([option.value, one] for one in node.candidates())
    type_name = type_of(node)
    return sum(len(without_likes(node.linked, world, type_name, pair)) == 1 for pair in pairs)


def type_of(node: PlayNode) -> str:
    """The type of options that are values."""
    row = node.row
    if isinstance(row, Choose | Secret | Draw | Peek | Pick):
        return row.type.removesuffix("?")
    return ""

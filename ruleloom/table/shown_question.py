"""A prompt in print: who is asked by what, the question, and its options, numbered from 1.

Equal things are one option with their number; many short options stand side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.ask import without_likes
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program.program import Choose, Draw, Peek, Pick, Secret
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL, Option, Prompt
from ruleloom.table.canvas import Look, fill, seen_width, wrapped
from ruleloom.table.prompt_text import Choice, all_numbers, number_range_text, usual_key

# More options than this stand side by side, where at least two of them fit; and at most so many.
MANY, MOST_COLUMNS = 6, 4
MARGIN = "      "


class Describing(Protocol):
    """The part of a drawing of a table that words the options of a question."""

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """An option in more words than its label; None if there is nothing to add."""

    def distinguished(self, state: State, type_name: str, value: Any) -> str:
        """The difference between things that look alike."""


def question(
    prompt: Prompt,
    title: str,
    choices: Sequence[Choice],
    look: Look,
    asked: str = "",
) -> list[str]:
    """The question and its options, behind the title of what asks; `asked` says whom it is put to,
    where that is not clear."""
    head = _head(prompt, title, asked)
    lines = [look.paint(line, "bold") for line in wrapped(safe_text(head), look.width, MARGIN)]
    return [*lines, *(look.paint(line) for line in _body(prompt, choices, look))]


def _head(prompt: Prompt, title: str, asked: str) -> str:
    who = f"{asked} ({title})" if asked and title else asked or title
    return f"{who}: {_asked(prompt)}" if who else _asked(prompt)


def asking_title(prompt: Prompt, node: PlayNode, viewer: int) -> str:
    """The title of the innermost thing whose text asks, if the reader may know it."""
    linked, world = node.linked, node.state.world
    for id in (prompt.power, *reversed(prompt.within)):
        for kind, number, title in _titled(linked, id):
            if title.lower() in prompt.text.lower():
                return ""
            hidden = secrecy_of(linked).hides(viewer, Type(kind), number, (world,))
            return "" if hidden else title
    return ""


def _titled(linked: Linked, id: str) -> Iterator[tuple[str, int, str]]:
    """The common title of the things with this power; empty if they differ."""
    for entity in linked.program.entities:
        numbers = [number for number, power in enumerate(entity.powers) if power == id]
        titles = {entity.titles[number] for number in numbers}
        if len(titles) == 1:
            yield entity.name, numbers[0], titles.pop()


def _body(prompt: Prompt, choices: Sequence[Choice], look: Look) -> list[str]:
    if prompt.kind == "roll":
        return _margined("what the dice show: their sum, or the face of each, as in 3 17 4", look)
    if prompt.kind == "text":
        return _margined(_text_range(prompt), look)
    numbers, taken = all_numbers(prompt.options), usual_key(prompt)
    if numbers:
        usual = "" if taken is None else f"   (usual: {taken}, with Enter)"
        return _margined(f"{number_range_text(prompt.options)}{usual}", look)
    return _options(choices, taken, look)


def _options(choices: Sequence[Choice], taken: str | None, look: Look) -> list[str]:
    """The options by number; `taken` is the key of the one that Enter takes."""
    texts = []
    for number, choice in enumerate(choices, 1):
        usual = "   (usual: Enter)" if taken in choice.keys else ""
        texts.append(f"{safe_text(f'{number:>4}  {choice.text}')}{usual}")
    wide = max(map(seen_width, texts)) + 2
    if len(texts) > MANY and 2 * wide <= look.width:
        return list(_side_by_side(texts, wide, min(MOST_COLUMNS, look.width // wide)))
    return [line for text in texts for line in wrapped(text, look.width, MARGIN)]


def _margined(text: str, look: Look) -> list[str]:
    return wrapped(safe_text(text), look.width, MARGIN, MARGIN)


def _side_by_side(texts: Sequence[str], wide: int, many: int) -> Iterator[str]:
    """Short options in rows, to be read line by line."""
    for first in range(0, len(texts), many):
        yield "".join(fill(text, wide) for text in texts[first : first + many]).rstrip()


def _text_range(prompt: Prompt) -> str:
    """The lengths of text that a prompt takes, and the meaning of Enter alone."""
    nothing = "" if prompt.least else "; nothing, with Enter"
    usual = f"; usual: {prompt.default}, with Enter" if prompt.default else nothing
    length = f"{max(1, prompt.least)} to {prompt.most:,} characters on one line"
    return f"your own words, {length}{usual}"


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
    limit = "any number" if prompt.most >= len(prompt.options) else f"up to {prompt.most}"
    if prompt.usual is not None:
        shown = ", ".join(o.label for o in prompt.options if o.key in prompt.usual) or "none"
        limit = f"{limit}; usual: {shown}, with Enter"
    return f"{text} ({limit})"


# ---------------------------------------------------------------------------------- options


def choices_of(prompt: Prompt, node: PlayNode, table: Describing) -> list[Choice]:
    """The options as they are numbered: things that are alike in all that is read are one."""
    type_name = type_of(node)
    entity = node.linked.entities.get(type_name)
    alike = entity is not None and entity.alike and prompt.kind != "order"
    same_name = _of_one_name(prompt, node, type_name)
    found: dict[str, list[Option]] = {}
    texts: dict[str, str] = {}
    for option in prompt.options:
        text = described(option, type_name, node, table)
        if alike or option.key in same_name:
            text = same_name.get(option.key) or text.partition("#")[0]
            if more := table.distinguished(node.state, type_name, option.value):
                text = f"{text} ({more})"
            found.setdefault(text, []).append(option)
        else:
            found[option.key] = [option]
        texts[option.key] = text
    return [_choice(texts[same[0].key], same, node, alike) for same in found.values()]


def _choice(text: str, same: Sequence[Option], node: PlayNode, alike: bool) -> Choice:
    """Options that read the same as one, with their number."""
    many = max(len(same), _as_many(node, same[0]) if alike else 1)
    times = f" x{many}" if many > 1 else ""
    return Choice(f"{text}{times}", tuple(one.key for one in same))


def _of_one_name(prompt: Prompt, node: PlayNode, type_name: str) -> dict[str, str]:
    """The names of those things, by key, to which people have given the same name."""
    entity = node.linked.entities.get(type_name)
    if entity is None or not entity.named_by or prompt.kind == "order":
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
    """The number of things alike that an option stands for, where only one of them is on offer."""
    row, world = node.row, node.state.world
    if not isinstance(row, Choose) or row.count != "one" or option.value is None:
        return 1
    pairs = ([option.value, one] for one in node.candidates())
    type_name = type_of(node)
    return sum(len(without_likes(node.linked, world, type_name, pair)) == 1 for pair in pairs)


def type_of(node: PlayNode) -> str:
    """The type of the options, if they are values."""
    row = node.row
    return (
        row.type.removesuffix("?") if isinstance(row, Choose | Secret | Draw | Peek | Pick) else ""
    )


def described(option: Option, type_name: str, node: PlayNode, table: Describing) -> str:
    """An option in words."""
    if not type_name:
        return option.label
    return table.describe(node.state, type_name, option.value) or option.label

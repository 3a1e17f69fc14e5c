"""Values as text: stable keys, readable labels, filled templates.

A key names a value for answers and saves: unique within a prompt, and the same whenever the same
thing is on offer on the same board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import of_one
from ruleloom.runtime.program.values import Dynamic, Reading, Type, Value, World

# A name that somebody gives may be as long as any text; where a thing is only spoken of, it is
# shortened.
LONGEST_SHOWN = 80
_MIXED = re.compile(r"-?[0-9]{1,15} [0-9]{1,15}/[1-9][0-9]{0,14}")


def value_text(linked: Linked, world: World, type_: Type, value: Dynamic) -> str:
    """The text of one value: `none`, `yes`, `2/1`, a card's name, a piece's token, a number."""
    if value is None:
        return "none"
    if type_.by_player and isinstance(value, v.FrozenMap):
        return _by_player(linked, world, replace(type_, by_player=False), value)
    if type_.many or (isinstance(value, tuple) and type_.name not in linked.layout.points):
        return ", ".join(value_text(linked, world, type_.item, one) for one in value) or "none"
    if type_.name == "Bool":
        return "yes" if value else "no"
    if type_.name in linked.layout.points:
        return v.point_text(value)
    if type_.name in linked.entities:
        return _entity_text(linked, world, type_.name, value)
    return number_text(value) if isinstance(value, Fraction) else str(value)


def _by_player(linked: Linked, world: World, type_: Type, table: v.FrozenMap) -> str:
    """The text of a table by player: `A: 1, B: 2`."""
    players, entries = linked.layout.players, table.items()
    said = (f"{players[who]}: {value_text(linked, world, type_, its)}" for who, its in entries)
    return ", ".join(said) or "none"


def value_texts(
    linked: Linked, world: World, type_: Type, values: Sequence[Dynamic]
) -> Iterable[str]:
    """The text of each of these values, as `value_text`."""
    names = linked.layout.names.get(type_.name)
    if names and not linked.entities[type_.name].alike and {*map(type, values)} <= {int}:
        return [names[value] for value in values]
    return [value_text(linked, world, type_, value) for value in values]


def number_text(value: int | Fraction) -> str:
    """A number as people write it: `3`, `1/2`, `95 1/2`, `-1 1/2`."""
    whole, part = divmod(abs(value.numerator), value.denominator)
    words = [str(whole)] if whole or not part else []
    words += [f"{part}/{value.denominator}"] if part else []
    return ("-" if value < 0 else "") + " ".join(words)


def _entity_text(linked: Linked, world: World, entity: str, number: int) -> str:
    if entity == "Player":
        return linked.layout.players[number]
    names = linked.layout.names.get(entity)
    if names:
        # Two that are alike and yet both on offer are told apart by their keys.
        return names[number].partition("#")[0] if linked.entities[entity].alike else names[number]
    return linked.driver.token(world, entity, number) or f"{entity.lower()} {number}"


def title_text(linked: Linked, world: World, type_: Type, value: Dynamic) -> str:
    """The text for reading: the name people gave a thing, or a title, if it has one."""
    if type_.many and value:
        return ", ".join(title_text(linked, world, type_.item, one) for one in value)
    title = None if type_.many or value is None else _title(linked, world, type_.name, value)
    return value_text(linked, world, type_, value) if title is None else title


def _title(linked: Linked, world: World, entity: str, value: Dynamic) -> str | None:
    column = linked.layout.named.get(entity)
    given: str = world[column][value] if column is not None else ""
    if given:
        return given if len(given) <= LONGEST_SHOWN else f"{given[: LONGEST_SHOWN - 3]}..."
    if entity in linked.layout.enums:
        name = str(value)
        return linked.layout.words.get(name, name.replace("_", " "))
    titles = linked.layout.titles.get(entity)
    return titles[value] if titles else None


def field_words(linked: Linked, name: str) -> str:
    """A field's name for reading, `aimed at`; `pi` is `PI` where the rules have a `max_PI`."""
    parts = (part for one in linked.program.functions for part in re.split(r"[-_/]", one.id))
    capitals = {part.lower(): part for part in parts if len(part) > 1 and part.isupper()}
    return " ".join(capitals.get(word, word) for word in name.split("_"))


def unique_keys(texts: Iterable[str]) -> list[str]:
    """The texts, the second of two equal ones with `#2` and so on."""
    said = list(texts)
    if len(set(said)) == len(said):
        return said
    seen: Counter[str] = Counter()
    keys = []
    for text in said:
        seen[text] += 1
        keys.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
    return keys


def constant(linked: Linked, type_: Type, text: str) -> Dynamic:
    """The value that `value_text` wrote, of a type that needs no board; ValueError if none."""
    if text == "none" and type_.optional:
        return None
    if type_.name == "Int":
        return int(text)
    if type_.name == "Fraction":
        return _number(text)
    if type_.name == "Bool":
        return {"yes": True, "no": False}[text]
    if type_.name in linked.layout.points:
        return v.parse_point(text)
    names = (
        linked.layout.players if type_.name == "Player" else linked.layout.names.get(type_.name, ())
    )
    if text in names:
        return names.index(text)
    if text in linked.layout.enums.get(type_.name, ()):
        return text
    raise ValueError(f"`{text}` is no {type_.name}")


def _number(text: str) -> int | Fraction:
    """A number as `number_text` writes it, or as a pack does."""
    whole, space, part = text.partition(" ")
    if not space:
        return v.exact(text)
    if not _MIXED.fullmatch(text):
        raise ValueError(text)
    number = Fraction(whole.removeprefix("-")) + Fraction(part)
    return v.plain_number(-number if whole.startswith("-") else number)


def fill(
    linked: Linked, template: Template, reading: Reading, slot: int = -1, x: Value = None
) -> str:
    """A template with its holes filled; `x` stands in `slot`."""

    def filled(expr: Expr, type_: str) -> str:
        value = linked.test(slot, expr)(*reading, x)
        return title_text(linked, reading[0], Type.parse(type_), value)

    return "".join(part if isinstance(part, str) else filled(*part) for part in template)


def joined(linked: Linked, pieces: Iterable[tuple[str, bool]]) -> str:
    """The pieces of a text as one. Behind a piece that is a number, and is 1, a word that says what
    is counted stands in the singular, also behind another word: `1 red trait`."""
    program, said, is_one = linked.program, "", False
    for text, is_number in pieces:
        said += of_one(text, program.entities, program.counted) if is_one else text
        is_one = (is_number and text == "1") or (is_one and (text == " " or text.isalpha()))
    return said

"""Values and texts as words: stable keys, readable labels, filled templates.

A key names a value for answers and saves: unique within a prompt, and stable for the same thing on the
same board. In texts for certain readers, what is hidden from them is only `a card` or `something
hidden`; things that are gone have no name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.expr import constants_of, names_in, short_name
from ruleloom.runtime.program.faults import NO_REASON, NamedReason
from ruleloom.runtime.program.language import Phrase, in_all_forms, in_form
from ruleloom.runtime.program.program import Condition, Entity, Expr, Template, Words
from ruleloom.runtime.program.state import State, TemplateScope
from ruleloom.runtime.program.texts import of_one, with_holes
from ruleloom.runtime.program.values import Dynamic, Reading, Slots, Type, Value, World

# A given name may be as long as any text; it is shortened where the thing is only mentioned.
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
        # Identical copies on offer together are distinguished by their keys.
        return names[number].partition("#")[0] if linked.entities[entity].alike else names[number]
    return linked.driver.token(world, entity, number) or f"{entity.lower()} {number}"


def title_text(linked: Linked, world: World, type_: Type, value: Dynamic) -> str:
    """The text for reading: the given name or title of a thing, if it has one."""
    if type_.many and value:
        link = _between(linked, type_.name)
        return _linked_by(link, [title_text(linked, world, type_.item, one) for one in value])
    title = None if type_.many or value is None else _title(linked, world, type_.name, value)
    if title is not None:
        return title
    text = value_text(linked, world, type_, value)
    return linked.language.said(text) if value is None or isinstance(value, bool) else text


def _linked_by(link: str, texts: Sequence[str]) -> str:
    """Texts with a link between neighbours."""
    first, *others = texts
    return in_all_forms((first, *(part for one in others for part in (link, one))))


def _title(linked: Linked, world: World, entity: str, value: Dynamic) -> str | None:
    column = linked.layout.named.get(entity)
    given: str = world[column][value] if column is not None else ""
    if given:
        return given if len(given) <= LONGEST_SHOWN else f"{given[: LONGEST_SHOWN - 3]}..."
    if entity in linked.layout.enums:
        name = str(value)
        return linked.layout.words.get(name, name.replace("_", " "))
    if entity in linked.layout.spots:
        return spot_text(linked, world, entity, value)
    if entity in linked.layout.described:
        return described(linked, world, entity, value)
    titles = linked.layout.titles.get(entity)
    return titles[value] if titles else None


def mentioned(linked: Linked, world: World, type_: Type, value: Dynamic) -> str:
    """The title of one thing, or a text, within a sentence: in quotation marks if people wrote it and it is
    no name of somebody."""
    text = title_text(linked, world, type_, value)
    if type_.name == "Text":
        by_hand = isinstance(value, str) and value not in _texts_of_rules(linked)
        by_hand = by_hand and not _is_somebody(linked, world, value)
    else:
        column = linked.layout.named.get(type_.name)
        by_hand = value is not None and column is not None and bool(world[column][value])
        by_hand = by_hand and not linked.entities[type_.name].person
    return f'"{text}"' if by_hand else text


def _is_somebody(linked: Linked, world: World, name: str) -> bool:
    """Is somebody called this?"""
    named = linked.layout.named.items()
    return any(name in world[at] for kind, at in named if linked.entities[kind].person)


@lru_cache(maxsize=8)
def _texts_of_rules(linked: Linked) -> frozenset[str]:
    """The texts that the rules and their items write."""
    program = linked.program
    rows = chain.from_iterable(one.rows for one in program.routines)
    written = chain(
        chain.from_iterable(map(constants_of, (*rows, *program.functions))),
        (one.initial for one in program.scope),
        linked.settings.values(),
        chain.from_iterable(map(_values_of_items, program.entities)),
    )
    return frozenset(_texts_in(written))


def _texts_in(values: Iterable[object]) -> Iterator[str]:
    """The texts among values, and in the lists and tables among them."""
    for one in values:
        if isinstance(one, str):
            yield one
        elif isinstance(one, (tuple, v.FrozenMap)):
            yield from _texts_in(one.values() if isinstance(one, v.FrozenMap) else one)


def _values_of_items(entity: Entity) -> Iterator[object]:
    """The values with which things of a kind begin, and those printed on them."""
    yield from (one.initial for one in entity.fields)
    yield from chain.from_iterable(values for _, values in entity.static)


def described(
    linked: Linked,
    world: World,
    entity: str,
    number: Dynamic,
    is_placed: bool | None = None,
    of: int | None = None,
) -> str | None:
    """A thing by its fields, and by its place if it is told like another; None if it is not there. Whose
    it is goes without saying if it is `of` the player whom the sentence is about."""
    how = linked.layout.described[entity]
    there = world[how.present] if how.present >= 0 else None
    if there is not None and there[number] is None:
        return None
    is_own = of is not None and how.owner >= 0 and world[how.owner][number] == of
    said = _by_fields(linked, world, how, number, is_own)
    if there is None or not how.at or is_placed is False:
        return said
    if is_placed or _is_like_another(how, world, number):
        comma = "," if how.has_aside else ""
        spot = spot_text(linked, world, how.at, there[number])
        said = in_all_forms((said, comma, linked.language.said(" at {spot}", spot=spot)))
    return said


def _by_fields(
    linked: Linked, world: World, how: v.Description, number: int, is_own: bool = False
) -> str:
    """A thing by its fields, one's own with an article for its owner."""
    parts = how.own if is_own and how.own else how.parts[2 * is_own :]
    said = in_all_forms(
        part if isinstance(part, str) else _field_text(linked, world, part, number)
        for part in parts
    )
    if not is_own or how.own:
        return said
    said = said.removeprefix(v.WHOSE)
    return f"{_article(said)} {said}"


def _field_text(
    linked: Linked, world: World, part: tuple[int, int, tuple[str, ...]], number: int
) -> str:
    """A field of a thing in a description."""
    column, low, called = part
    value = world[column][number]
    if called and isinstance(value, int):
        return called[value - low]
    return title_text(linked, world, linked.layout.columns[column].type, value)


def _is_like_another(how: v.Description, world: World, number: int) -> bool:
    """Does another thing that is there have the same fields in its description?"""
    columns = [world[part[0]] for part in how.parts if not isinstance(part, str)]
    there = zip(*columns, world[how.present], strict=True)
    told = [fields for *fields, at in there if at is not None]
    return told.count([column[number] for column in columns]) > 1


def spot_text(linked: Linked, world: World, kind: str, at: v.Point) -> str:
    """A point after what lies on it or beside it, else its coordinates."""
    for how in linked.layout.spots[kind]:
        column = world[how.column]
        thing = column.get((at[0] + how.east, at[1] + how.north))
        if thing is not None:
            of = Type(linked.layout.columns[how.column].type.name)
            title = title_text(linked, world, of, thing)
            lying = [title_text(linked, world, of, one) for one in column.values()]
            which = f" at {v.point_text(at)}" if lying.count(title) > 1 else ""
            return in_all_forms(
                (how.before, in_form(title, how.form) if how.form else title, how.after, which)
            )
    return v.point_text(at)


def _between(linked: Linked, kind: str) -> str:
    """What stands between things of a kind in a list."""
    how = linked.layout.described.get(kind)
    return "; " if how is not None and how.has_aside else ", "


def field_words(linked: Linked, name: str) -> str:
    """A field's readable name, `aimed at`; `pi` is `PI` if the rules have a `max_PI`."""
    parts = (part for one in linked.program.functions for part in re.split(r"[-_/]", one.id))
    capitals = {part.lower(): part for part in parts if len(part) > 1 and part.isupper()}
    return " ".join(capitals.get(word, word) for word in name.split("_"))


def unique_keys(texts: Iterable[str]) -> list[str]:
    """The texts, made unique by `#2` and so on."""
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
    """The value of `value_text` output, of a type that needs no board; ValueError if none."""
    if text == "none" and type_.optional:
        return None
    if type_.name in _READ:
        return _READ[type_.name](text)
    if type_.name in linked.layout.points:
        return v.parse_point(text)
    names = linked.layout.names_of(type_.name)
    if text in names:
        return names.index(text)
    values = linked.layout.enums.get(type_.name, ())
    if text not in values:
        text = text.replace("-", "_")  # a tag goes by the name of its item, too
    if text in values:
        return text
    raise ValueError(f"`{text}` is no {type_.name}")


def _number(text: str) -> int | Fraction:
    """A number as `number_text` or a pack writes it."""
    whole, space, part = text.partition(" ")
    if not space:
        return v.exact(text)
    if not _MIXED.fullmatch(text):
        raise ValueError(text)
    number = Fraction(whole.removeprefix("-")) + Fraction(part)
    return v.plain_number(-number if whole.startswith("-") else number)


def _truth(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"`{text}` is neither yes nor no")
    return text == "yes"


_READ: Mapping[str, Callable[[str], Dynamic]] = {"Int": int, "Fraction": _number, "Bool": _truth}


def fill(
    linked: Linked, template: Template, reading: Reading, slot: int = -1, x: Value = None
) -> str:
    """A template with its holes filled; `x` is the value of `slot`."""

    def filled(expr: Expr, type_: str, form: str = "") -> str:
        value, of = linked.test(slot, expr)(*reading, x), Type.parse(type_)
        if of.many and value:
            told = [mentioned(linked, reading[0], of.item, one) for one in value]
            return in_form(_linked_by(", ", told), form)
        return in_form(mentioned(linked, reading[0], of, value), form)

    words = linked.language.of(template)
    words = (words,) if isinstance(words, str) else words
    pieces = ((one, "") if isinstance(one, str) else (filled(*one), one[1]) for one in words)
    return "".join(text for text, _ in _closed(linked, pieces))


def joined(linked: Linked, pieces: Iterable[tuple[str, str]]) -> str:
    """The pieces of a text, each with the type of its value or empty, joined. After the number 1, a word
    for things counted is in the singular, also after another word: `1 red lamp`."""
    program, said, is_one = linked.program, "", False
    for text, type_ in _closed(linked, pieces):
        said += of_one(text, program.entities, program.counted) if is_one else text
        is_one = (type_ == "Int" and text == "1") or (is_one and (text == " " or text.isalpha()))
    return said


def _closed(linked: Linked, pieces: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The pieces of a text, with a comma behind a thing that is told with an aside."""
    asides = {name for name, how in linked.layout.described.items() if how.has_aside}
    is_open = False
    for text, type_ in pieces:
        yield f",{text}" if is_open and text[:1] == " " and text[1:2].isalpha() else text, type_
        is_open = ", " in text and bool(type_) and Type.parse(type_).name in asides


Readers = tuple[int, ...]
Hides = Callable[[Type, Value], bool]
Name = Callable[[Type, Value], str]
Told = Callable[[Linked, World, Type, Dynamic], str]

SECRET = "something hidden"
# A list in a hole can be as long as a deck; longer texts are cut here.
LONGEST = 2_000


def moment_of(linked: Linked, state: State) -> TemplateScope:
    """The scope of the running routine in this state."""
    assert state.frame is not None
    frame = state.frame
    routine = linked.routines[frame.routine].id
    read = (routine, state.world, frame.slots, state.scope, frame.ignored)
    return TemplateScope(*read, frame.pc, frame.parent)


def worded(linked: Linked, words: Words, moment: TemplateScope, readers: Readers) -> str:
    """A text as all of `readers`, or without any the host, may read it."""
    words = linked.language.of(words)
    if isinstance(words, str):
        return words
    # A text that is nothing but a hole needs no quotation marks.
    told = mentioned if len(words) > 1 else title_text
    filled = partial(_filled, linked, moment, readers, told)
    text = joined(
        linked,
        ((one, "") if isinstance(one, str) else (filled(*one), one[1]) for one in words),
    )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _filled(
    linked: Linked,
    moment: TemplateScope,
    readers: Readers,
    told: Told,
    expr: Expr,
    type_: str,
    form: str = "",
) -> str:
    def hides(of: Type, thing: Value) -> bool:
        return any(secrecy.hides(one, of, thing, (moment.world,), derived) for one in strangers)

    def name(of: Type, thing: Value) -> str:
        past = moment.scope[linked.together] if linked.together is not None else None
        for world in (moment.world, *([past[1]] if past else ())):
            if not linked.is_gone(of, thing, world):
                return told(linked, world, of, thing)
        thing = unnamed(linked, of.name, 1)
        return linked.language.said("{thing} that is gone", thing=thing)

    try:
        secrecy = secrecy_of(linked)
        value = linked.test(-1, expr)(moment.world, moment.slots, moment.scope, moment.rules)
        derived = secrecy.derived.of(moment.routine, expr, moment.pc)
        about = (moment.routine, expr, moment.slots)
        strangers = [one for one in readers if not secrecy.was_told(one, *about)]
        derived = derived and not all(secrecy.knows(one, moment, expr) for one in strangers)
        text = listed(linked, Type.parse(type_), value, hides, name)
        if expr[0] not in ("+", "-") or text == linked.language.said(SECRET):
            return in_form(text, form)
        reading = (moment.world, moment.slots, moment.scope, moment.rules)
        return sum_text([linked.test(-1, one)(*reading) for one in (*terms_of(expr), expr)])
    except Exception:
        # A text cannot stop a game: a value that fails belongs to something that is gone.
        return linked.language.said("something that is gone")


def terms_of(expr: Expr) -> list[Expr]:
    """The terms of a sum; one that is taken away is negative."""
    if expr[0] not in ("+", "-"):
        return [expr]
    last = expr[2] if expr[0] == "+" else ("negative", expr[2])
    return [*terms_of(expr[1]), last]


def sum_text(values: Sequence[int | Fraction]) -> str:
    """The terms of a sum and what it comes to, the last value: `14 + 6 = 20`; terms of 0 are left out."""
    *terms, total = values
    told = [one for one in terms if one]
    if len(told) < 2:
        return number_text(total)
    first, *later = told
    rest = (f" {'-' if one < 0 else '+'} {number_text(abs(Fraction(one)))}" for one in later)
    return f"{number_text(first)}{''.join(rest)} = {number_text(total)}"


def listed(linked: Linked, type_: Type, value: Dynamic, hides: Hides, name: Name) -> str:
    """A value worded by `name`; hidden things are only counted, other hidden values are secret."""
    item = type_.item if type_.many else type_
    things = value if type_.many and value is not None else (value,)
    said = linked.language.said
    if not things:
        return said(SECRET if hides(type_, value) else "none")
    hidden = [thing for thing in things if hides(item, thing)]
    if hidden and item.name not in linked.entities:
        return said(SECRET)
    texts = [name(item, thing) for thing in things if thing not in hidden]
    if hidden:
        texts.append(said(SECRET) if hidden == [None] else unnamed(linked, item.name, len(hidden)))
    return _linked_by(_between(linked, item.name), texts)


def as_written(linked: Linked, words: Words, routine: str) -> str:
    """The text as its author wrote it, holes unfilled."""
    if isinstance(words, str):
        return words
    return with_holes(words, linked.routines[linked.routine_index[routine]].names)


def unnamed(linked: Linked, kind: str, count: int) -> str:
    """`a card`, `3 cards`."""
    entity = linked.entities[kind]
    if count != 1:
        return f"{count} {entity.plural}"
    if isinstance(entity.singular, Phrase):
        return entity.singular
    return f"{_article(entity.singular)} {entity.singular}"


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"


def needs(
    linked: Linked, condition: Condition, slot: int, value: Value, *reading: Dynamic
) -> NamedReason:
    """The failed requirement of a condition for `value` in `slot` (-1: none), in words."""
    lacking = fill(linked, condition.english, reading, slot, value)
    words = linked.language.said("needs: {what}", what=lacking)
    said = NamedReason(words, (), names_in(condition.test))
    if not linked.restricted:
        return said
    world, slots, scope, rules = reading
    own = list(slots)
    if slot >= 0:
        own[slot] = value

    def value_of(expr: Expr, slots: Slots) -> Dynamic:
        return linked.test(-1, expr)(world, slots, scope, rules)

    reason = _reason(linked, condition.test, own, value_of)
    return reason.told(f"{said} ({reason})", (), said.of) if reason else said


def _reason(
    linked: Linked, expr: Expr, slots: Slots, value_of: Callable[[Expr, Slots], Dynamic]
) -> NamedReason:
    """The restriction that makes a condition fail; empty if it fails for another reason.

    The machine runs a restricted rule as one expression; `Program.stats` has its parts.
    """
    form = expr[0]
    if form in ("and", "or"):
        failing = [part for part in expr[1:2] if not value_of(part, slots)]
        if form == "or" or not failing:
            # Parts after a failing one may have no value: they were never evaluated.
            failing += expr[2:]
        found = (_reason(linked, one, slots, value_of) for one in failing)
        return next(filter(None, found), NO_REASON)
    if form not in ("function", "allowed"):
        return _reason_of_each(linked, expr, slots, value_of)
    args = tuple(value_of(arg, slots) for arg in expr[2:])
    base, restrictions = linked.restricted.get(expr[1], (linked.bodies[expr[1]], ()))
    if not restrictions or not value_of(base, args):
        return _reason(linked, base, args, value_of)
    tests = ((NamedReason(one.label, (), [short_name(one.item)]), one.test) for one in restrictions)
    return next((said for said, test in tests if test is None or value_of(test, args)), NO_REASON)


def _reason_of_each(
    linked: Linked, expr: Expr, slots: Slots, value_of: Callable[[Expr, Slots], Dynamic]
) -> NamedReason:
    """The restriction that makes the first of several fail, where none of them fits; else empty."""
    if expr[:2] != ("each", "exists") or expr[5] is None:
        return NO_REASON
    slot, domain, test = expr[3:]
    own = [*slots, *([None] * (slot + 1 - len(slots)))]
    each = ([*own[:slot], one, *own[slot + 1 :]] for one in value_of(domain, slots))
    return next(filter(None, (_reason(linked, test, one, value_of) for one in each)), NO_REASON)

"""Compares an author's text with what the item does: numbers, kinds, durations and persons that
only the author has.

A card whose text says "three times" while its effect repeats two is the commonest slip of all. What
the items say that an effect names is known, too: a text may tell what the laid condition does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.rules_text import Book, book_of
from ruleloom.compiler.english.word import COUNTS, is_noun, listed, plural
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place

_RULES = ("effect", "abilities")
_NAMES = ("text", "kind", "id", "title", "renamed_from")
_NOT_PRINTED = (*_NAMES, *_RULES)
_NO_RULES = (*_NAMES, "clauses")

_MANY = rf"(?:\d+|{'|'.join(COUNTS[2:])})"
_PARTS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4)}
_COUNTS = {word: Fraction(number) for number, word in enumerate(COUNTS[2:], 2)}
_COUNTS |= {"twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3)}
# `half` alone may be said of a door; that of something is an amount.
_AMOUNT = re.compile(
    r"\b(?P<again>half) as \w+ again\b"
    r"|(?P<over>\d+)/(?P<under>\d+)"
    rf"|\b(?P<many>{_MANY}) (?P<parts>third|quarter)s\b"
    r"|\b(?P<part>half|third|quarter)(?= (?:of|as|the|that|its|their|your|his|her)\b)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    rf"|\b(?P<word>{'|'.join(_COUNTS)})d?\b",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b{_MANY} times\b(?! as\b)|\b(?:twice|thrice)\b(?! (?:as|the|that)\b)", re.I)
_DIVIDED = re.compile(r"(?:\b(\d+) *)?(?:\bdiv|\bdivided by) *(\d+)")
_HALVED = re.compile(r"\bhal(?:f|ved?|ves)\b", re.IGNORECASE)
_NUMBERING = re.compile(r"^\s*(?:\d+|[a-z]+)\. ", re.MULTILINE)
# What a power is given and what is multiplied may be how often something is done.
_HANDED = re.compile(r"\buse\s+\w+\s*\(([^()]*)\)|(\d+ *\*|\* *\d+)")

_UNITS = "round|turn|minute|hour|day|week|month|year|scene|session"
_SPAN = re.compile(rf"(?:\b({_MANY}) (?:more )?|\bfor (?:a|an|one|1) )({_UNITS})s?\b", re.I)
_SMALLER = {"minute": (60,), "hour": (60,), "day": (24, 24 * 60), "week": (7,), "year": (12,)}

_HAPPENS = r"(?:lose|suffer|take|get|gain|regain|draw|discard)s?"
_OTHERS = r"(?:targets?|opponents?|foes?|enem(?:y|ies)|victims?|other \w+|another \w+)"
_DOERS = r"(?:you|the (?!other|player)[a-z]+er|the acting [a-z]+)"
_YOU_GET = re.compile(rf"\b{_DOERS} {_HAPPENS} (?P<amount>{_MANY})\b", re.IGNORECASE)
_OTHERS_GET = re.compile(rf"\b{_OTHERS} {_HAPPENS} (?P<amount>{_MANY})\b", re.IGNORECASE)
_YOU = re.compile(r"\b(?:you|your|yours|acting|bearer|[a-z]+ster|whoever)\b", re.IGNORECASE)
_OTHER = re.compile(rf"\b(?:{_OTHERS}|they|them|their|it|its|whom)\b", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Z][a-z]{3,}")
"""A title that is one word, and may stand in a text without its capital."""
POWER = "power"
_LONGEST = 5
"""How many words of a title are looked at."""
# A neighbour at one side; a number of what goes by capitals.
_SIDE = re.compile(
    r"\b(left|right)(?:-hand)? neighbour|\bto (?:your|the|their) (left|right)\b", re.I
)
_MEASURED = re.compile(rf"\b{_MANY} (?:[a-z]+ of )?([A-Z]{{2,3}})\b")
_CLAUSE = re.compile(r"[.;:,]\s|\b(?:and|but|then|while)\b")


class Difference(NamedTuple):
    """The words of the author that differ from the rules, and the complaint."""

    words: str
    message: str


class Span(NamedTuple):
    """How long something lasts: `2 rounds`."""

    number: Fraction
    unit: str
    words: str

    def same_as(self, other: Span) -> bool:
        """Is it as long, whatever the words?"""
        return (self.number, self.unit) == (other.number, other.unit)

    def __str__(self) -> str:
        return f"{self.number} {self.unit if self.number == 1 else plural(self.unit)}"


def compare_texts(build: Build) -> None:
    """Warn about whatever the `text` of an item says and its rules say otherwise.

    An item that was compared in an earlier build is not compared again while it, all that its rules
    name and the settings among that are as they were. That a new title stands in an old text by
    chance is no news. Of packs that another one builds on, only what that has changed is compared.
    """
    content = build.content
    news = _News(content)
    printed = [item for item in content.items if is_compared(item) and news.may_concern(item)]
    if not printed:
        return
    book = book_of(build)
    names = PrintedTitles(content, build.symbols)
    for item in printed:
        sides = TextAndRules(item, book, names)
        if not news.concern(sides):
            continue
        inputs = item, *sides.named, sides.settings
        build.bodies.reuse.result(
            ("text", item.id), inputs, partial(_report_differences, sides, build.report)
        )


class _News:
    """The changes of packs in those that they build on."""

    def __init__(self, content: Content) -> None:
        self.below = content.built_upon
        self.changed = {id for id, _ in content.history}
        self.gone = {item.slug for item in content.disabled}

    def may_concern(self, item: Item) -> bool:
        """May the text of an item have become wrong by them? That of a new item always may."""
        return item.pack not in self.below or bool(self.changed)

    def concern(self, sides: TextAndRules) -> bool:
        """Is it a new item, or has it or something that its rules name been changed?"""
        if sides.item.pack not in self.below or sides.item.id in self.changed:
            return True
        if any(one.id in self.changed for one in sides.named):
            return True
        return bool(self.gone & set(re.findall(r"[A-Za-z]\w*", sides.rules)))


def _report_differences(sides: TextAndRules, report: Report) -> None:
    for found in differences(sides):
        reads = "reads" if sides.has_effect else "read"
        help = f"the {sides.part} {reads}: {sides.book.brief(sides.item)}"
        place = _place_of(sides.item, found.words)
        report.warning("text-differs", place, found.message, help)


def is_compared(item: Item) -> bool:
    """Does an item have words for people beside those for the machine?"""
    return "text" in item.fields and any(name in item.fields for name in _RULES)


def _place_of(item: Item, words: str) -> Place:
    """Where an author wrote these words; lines may be broken within them."""
    node = item.fields["text"]
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = re.search(rf"(?<![A-Za-z\d]){pattern}", node.raw)
    if found is None:
        return node.place
    return node.source.place(node.start + found.start(), node.start + found.end())


class PrintedTitles:
    """The items and values of enums that effects name, with their titles in print."""

    def __init__(self, content: Content, symbols: Symbols) -> None:
        self.settings = symbols.settings
        self.items: dict[str, list[Item]] = {}
        self.types: dict[str, set[str]] = {}
        self.values: dict[str, set[tuple[str, str]]] = {}
        self.titles: dict[tuple[str, str], str] = {}
        for item in content.items:
            self.items.setdefault(item.slug, []).append(item)
            type_, title = symbols.kinds.get(item.kind), item.data("title")
            if type_ and isinstance(title, str):
                self._enter(type_, item.slug, title)
        for value, enum in symbols.values.items():
            # `Init` in a text of the machine is the number, whatever else has that name.
            if value not in symbols.callables:
                self._enter(enum, value, value.replace("_", " "))
        for power in symbols.powers.values():
            if is_noun(power.english):
                self._enter(POWER, power.name, power.english.partition(" ")[2])
        self.plain = {title.lower(): title for title in self.values if _PLAIN.fullmatch(title)}

    def _enter(self, type_: str, name: str, title: str) -> None:
        self.types.setdefault(name, set()).add(type_)
        self.values.setdefault(title, set()).add((type_, name))
        self.titles[type_, name] = title

    def named_in(self, source: str) -> set[tuple[str, str]]:
        """The values that a text of the machine names, each with its type."""
        names = set(re.findall(r"[A-Za-z]\w*", source))
        return {(type_, name) for name in names for type_ in self.types.get(name, ())}

    def _title(self, words: str, plain: bool) -> str:
        """The title that these words are; one that is `plain` needs no capital."""
        return words if words in self.values else self.plain.get(words, "") if plain else ""

    def printed_in(self, text: str, plain: bool = True) -> Iterator[tuple[tuple[str, str], bool]]:
        """The values whose titles a text for people has; is it more than the first word of a
        sentence?"""
        words = [one.span() for one in re.finditer(r"\w+", text)]
        at = 0
        while at < len(words):
            start = words[at][0]
            ends = (words[at + more][1] for more in reversed(range(min(_LONGEST, len(words) - at))))
            found = (self._title(text[start:end], plain) for end in ends)
            title = next(filter(None, found), "")
            sure = " " in title or not re.search(r"(?:^|[.!?]\s)$", text[:start])
            yield from ((value, sure) for value in self.values.get(title, ()))
            at += len(re.findall(r"\w+", title)) or 1


class TextAndRules:
    """An author's text beside the rules and printed fields of its item, and the texts of the items that
    its rules name."""

    def __init__(self, item: Item, book: Book, names: PrintedTitles) -> None:
        self.item, self.book, self.names = item, book, names
        text = item.data("text")
        self.text = " ".join(text.split()) if isinstance(text, str) else ""
        self.has_effect = "effect" in item.fields
        self.part = "effect" if self.has_effect else "abilities"

    @cached_property
    def rules(self) -> str:
        """The rules that its author wrote for the machine."""
        return _source(self.item, _RULES)

    @cached_property
    def named(self) -> list[Item]:
        """The items that its rules name."""
        names = dict.fromkeys(re.findall(r"[A-Za-z]\w*", self.rules))
        found = (one for name in names for one in self.names.items.get(name, ()))
        return [one for one in found if one is not self.item]

    @cached_property
    def printed(self) -> str:
        """The other printed fields: of numbers, those that its text seems to speak of."""
        unsaid = {one for one in amounts(self.rules) if one > 1} - {*amounts(self.text)}
        heads = {word[:4] for word in re.findall(r"[a-z]+", self.text.lower())}
        heads |= {"dice", "side"} if re.search(r"\dd\d", self.text) else set()
        fields = [name for name in self.item.fields if name not in _NOT_PRINTED]
        if unsaid:
            fields = [name for name in fields if heads & {word[:4] for word in name.split("_")}]
        return _source(self.item, fields)

    @cached_property
    def settings(self) -> str:
        """The values of the settings that its rules name."""
        words = set(re.findall(r"\w+", self.rules))
        return " ".join(
            str(one.value) for name, one in self.names.settings.items() if name in words
        )

    def rules_of_named(self, besides: str = "") -> str:
        """The fields of the items that it names, but for those of one kind."""
        return "\n".join(
            _source(one, [name for name in one.fields if name not in _NO_RULES])
            for one in self.named
            if one.kind != besides
        )

    def english_with_named(self, besides: str = "") -> str:
        """Its rules in English, and after them those of the items that it names, but for one kind."""
        others = (one for one in self.named if one.kind != besides)
        return "\n".join(self.book.brief(one) for one in (self.item, *others))

    @cached_property
    def english(self) -> str:
        """Its rules in English, and after them those of the items that it names."""
        return self.english_with_named()

    def begun(self) -> Iterator[Span]:
        """How long the effects last that its rules begin."""
        for one in self.named:
            unit = re.search(_UNITS, str(one.data("counts") or ""))
            if one.kind == LASTING and unit is not None:
                for many in re.findall(rf"\bbegin {one.slug}\b.* for (\d+)", self.rules):
                    yield Span(Fraction(many), unit[0], many)


def _source(item: Item, names: Iterable[str]) -> str:
    """The values of some fields of an item, without the comments."""
    written = (str(item.data(name)) for name in names if name in item.fields)
    return "\n".join(re.sub(r"#.*", "", one) for one in written)


def differences(sides: TextAndRules) -> Iterator[Difference]:
    """One difference of each sort, at most."""
    missing = _missing(sides)
    lasts = _other_duration(sides)
    if lasts is not None:
        yield lasts
        missing = {one: words for one, words in missing.items() if words not in lasts.words}
    if missing:
        numbers = listed([str(number) for number in sorted(missing)])
        verb = "does" if sides.has_effect else "do"
        message = f"the text says {numbers}, and the {sides.part} of `{sides.item.name}` {verb} not"
        yield Difference(next(iter(missing.values())), message)
    for other in (_other_kind(sides), _other_unit(sides), _other_person(sides), _other_side(sides)):
        if other is not None:
            yield other


# ---------------------------------------------------------------------------------------- numbers


def amounts(text: str) -> dict[Fraction, str]:
    """Every number in a text, with the words for it; `one` and `once` are hardly ever numbers."""
    found: dict[Fraction, str] = {}
    for match in _AMOUNT.finditer(text):
        found.setdefault(_value(match), match[0])
    return found


def _value(match: re.Match[str]) -> Fraction:
    if match["again"]:
        return Fraction(3, 2)
    if match["over"]:
        return Fraction(int(match["over"]), int(match["under"]) or 1)
    if match["parts"]:
        many = match["many"].lower()
        return (_COUNTS.get(many) or Fraction(many)) * _PARTS[match["parts"].lower()]
    if match["part"]:
        return _PARTS[match["part"].lower()]
    return Fraction(match["number"]) if match["number"] else _COUNTS[match["word"].lower()]


def _known(text: str) -> set[Fraction]:
    """Every number that a text for the machine or made by it knows, however that is put."""
    known = {*amounts(_NUMBERING.sub("", text))}
    for times, by in _DIVIDED.findall(text):
        known |= {Fraction(1, int(by) or 1), Fraction(int(times or 1), int(by) or 1)}
    known |= {Fraction(1, 2)} if _HALVED.search(text) else set()
    return known | {1 - one for one in known if one < 1}


def _missing(sides: TextAndRules) -> dict[Fraction, str]:
    """The numbers of the text that nothing else knows, with the author's words for them."""
    often = {
        number: match[0] for match in _TIMES.finditer(sides.text) for number in amounts(match[0])
    }
    numbers = amounts(sides.text)
    if not sides.has_effect:
        return _missing_beside_abilities(sides, numbers)
    own = _known(sides.rules) | _known(sides.printed) | _known(sides.settings)
    # English is expensive, so it is not made without need.
    numbers = {one: words for one, words in numbers.items() if one not in own}
    if numbers:
        numbers = _without(numbers, sides, _known(sides.rules_of_named()) | _known(sides.english))
    if numbers:
        numbers = _without(numbers, sides, _known(sides.book.rules(sides.item)))
    if often:
        handed = " ".join(part for pair in _HANDED.findall(sides.rules) for part in pair)
        said = {one for match in _TIMES.finditer(sides.english) for one in amounts(match[0])}
        known = said | _known(handed) | _known(sides.printed) | _known(sides.settings)
        often = {one: words for one, words in often.items() if one not in known}
    return numbers | often


def _without(
    numbers: Mapping[Fraction, str], sides: TextAndRules, known: set[Fraction]
) -> dict[Fraction, str]:
    """The numbers that are not known; an hour may be written as sixty minutes."""
    units = {span.number: span.unit for span in spans(sides.text)}
    known = known | _known(sides.rules)
    return {
        one: words
        for one, words in numbers.items()
        if one not in known
        and not any(one * many in known for many in _SMALLER.get(units.get(one, ""), ()))
    }


def _missing_beside_abilities(
    sides: TextAndRules, numbers: Mapping[Fraction, str]
) -> dict[Fraction, str]:
    """The same where prose tells more than abilities do: of the numbers in digits, if the abilities
    have others."""
    written = {one for one in _known(sides.rules) if one > 1}
    if not written - {*numbers}:
        return {}
    digits = {one: words for one, words in numbers.items() if one > 1 and words.isdigit()}
    left = {one: words for one, words in digits.items() if one not in written}
    if not left:
        return {}
    # Abilities change stats, so that the numbers of a stat itself excuse nothing.
    beside = f"{sides.rules_of_named('stat')}\n{sides.english_with_named('stat')}"
    known = _known(sides.printed) | _known(beside)
    return {one: words for one, words in left.items() if one not in known}


# -------------------------------------------------------------------- durations, kinds and persons


def spans(text: str) -> list[Span]:
    """How long a text says that things last."""
    found = []
    for match in _SPAN.finditer(text):
        many = (match[1] or "1").lower()
        number = _COUNTS.get(many) or Fraction(many)
        found.append(Span(number, match[2].lower(), match[0]))
    return found


def _untold(times: Sequence[Span], told: Sequence[Span]) -> list[Span]:
    """The times that the others do not have."""
    return [one for one in times if not any(one.same_as(other) for other in told)]


def _other_duration(sides: TextAndRules) -> Difference | None:
    """A time that the rules give another unit, or another number."""
    said = spans(sides.text)
    told = [*spans(sides.english), *sides.begun()] if said else []
    for one in _untold(said, told):
        lasting = [name for name in sides.item.fields if one.unit in name or "duration" in name]
        known = _known("\n".join((sides.rules, sides.english, _source(sides.item, lasting))))
        for other in told:
            same_number = one.number == other.number and one.unit not in sides.rules
            unsaid = one.unit not in sides.rules and bool(_untold([other], said))
            if same_number or unsaid or (one.unit == other.unit and one.number not in known):
                message = f"the text says {one}, and the rules of `{sides.item.name}` say {other}"
                return Difference(one.words, message)
    return None


def _other_kind(sides: TextAndRules) -> Difference | None:
    """A value that the rules do not name, where they name another of its type instead."""
    names = sides.names
    named = names.named_in(sides.rules)
    # Prose beside abilities tells more than they do, so that a plain word there is no title.
    printed = dict(names.printed_in(sides.text, plain=sides.has_effect))
    unsaid = named - {*printed}
    types = {type_ for type_, _ in unsaid}
    left = _unnamed([one for one, sure in printed.items() if sure and one[0] in types], sides)
    if not left:
        return None
    type_ = left[0][0]
    words = list(dict.fromkeys(names.titles[one] for one in left if one[0] == type_))
    own = sorted({names.titles[one] for one in unsaid if one[0] == type_})
    return Difference(
        words[0], f"the text says {listed(words)}, and the {sides.part} {listed(own)}"
    )


def _unnamed(values: list[tuple[str, str]], sides: TextAndRules) -> list[tuple[str, str]]:
    """Those of the values that neither the item nor what its rules name speaks of."""
    fields = _source(sides.item, [name for name in sides.item.fields if name != "text"])
    known = sides.names.named_in(fields) | sides.names.named_in(sides.rules_of_named())
    left = [one for one in values if one not in known]
    # English is expensive, so it is not made without need.
    told = {one for one, _ in sides.names.printed_in(sides.english)} if left else set()
    return [one for one in left if one not in told]


def _other_unit(sides: TextAndRules) -> Difference | None:
    """A number of one thing in capitals, `8 MI`, where the rules speak of another only."""
    said = {match[1]: match[0] for match in _MEASURED.finditer(sides.text)}
    told = set(_MEASURED.findall(sides.english)) if said else set()
    known = set(re.findall(r"[A-Za-z]+", f"{sides.rules} {sides.printed} {sides.english}"))
    left = [one for one in said if one not in known and one.lower() not in known]
    if not left or not told - {*said}:
        return None
    own = listed(sorted(told - {*said}))
    return Difference(said[left[0]], f"the text says {left[0]}, and the {sides.part} {own}")


def _other_side(sides: TextAndRules) -> Difference | None:
    """A neighbour at the left whom the rules have at the right, or the other way round."""
    said = {(one[1] or one[2]).lower(): one[0] for one in _SIDE.finditer(sides.text)}
    told = [(one[1] or one[2]).lower() for one in _SIDE.finditer(sides.english)] if said else []
    left = [one for one in said if one not in told]
    if not left or not told:
        return None
    message = f"the text says “{said[left[0]]}”, and the rules say {told[0]}"
    return Difference(said[left[0]], message)


def _other_person(sides: TextAndRules) -> Difference | None:
    """What the text says happens to you, and the rules to others, or the other way round."""
    if not (_YOU_GET.search(sides.text) or _OTHERS_GET.search(sides.text)):
        return None
    for clause in _CLAUSE.split(sides.text):
        for happens, mine, theirs, who in (
            (_YOU_GET, _YOU, _OTHER, "somebody else"),
            (_OTHERS_GET, _OTHER, _YOU, "you"),
        ):
            found = happens.search(clause)
            if found is None or theirs.search(clause):
                continue
            number = next(iter(amounts(found["amount"])))
            told = [one for one in _CLAUSE.split(sides.english) if number in amounts(one)]
            if told and all(theirs.search(one) and not mine.search(one) for one in told):
                message = f"the text says “{found[0]}”, and the rules say {number} of {who}"
                return Difference(found[0], message)
    return None

"""Compares an item's printed text with its rules: numbers, kinds and durations that only the text has,
and facts that both tell differently.

A card whose text says "three times" while its effect repeats two is the most common slip. The fields
of items that an effect names count as well: a text may describe the condition that it lays. An item's
own rules are read from their tree, and from the English of each call with its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from ruleloom.compiler.bounds.intervals import written_arguments
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.english.page import Step
from ruleloom.compiler.english.reading.contradictions import (
    contradictions,
    opposite,
    value_told,
)
from ruleloom.compiler.english.reading.facts import Fact
from ruleloom.compiler.english.reading.left_out import left_out
from ruleloom.compiler.english.reading.lexicon import Lexicon
from ruleloom.compiler.english.reading.rules import facts_of_steps, facts_of_text
from ruleloom.compiler.english.rules_text import Book, book_of, own_words
from ruleloom.compiler.english.word import COUNTS, is_noun, listed, plural
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk

_RULES = ("effect", "abilities")
_NAMES = ("text", "kind", "id", "title", "renamed_from", "deprecated", "allowed")
_NOT_PRINTED = (*_NAMES, *_RULES)
_NO_RULES = (*_NAMES, "clauses")

_MANY = rf"(?:\d+|{'|'.join(COUNTS[2:])})"
_PARTS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4)}
_COUNTS = {word: Fraction(number) for number, word in enumerate(COUNTS[2:], 2)}
_COUNTS |= {"twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3)}
# `half` alone may describe a door; `half of` something is an amount.
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
_UNITS = "round|turn|minute|hour|day|week|month|year|scene|session"
_SPAN = re.compile(rf"(?:\b({_MANY}) (?:more )?|\bfor (?:a|an|one|1) )({_UNITS})s?\b", re.I)
_SMALLER = {"minute": (60,), "hour": (60,), "day": (24, 24 * 60), "week": (7,), "year": (12,)}
_PLAIN = re.compile(r"[A-Z][a-z]{3,}")
"""A title of one word, which a text may have in lower case."""
_LONGEST = 5
"""The most words of a title that are matched."""
# A number with a unit in capitals; a hole with such a unit or one of time.
_MEASURED = re.compile(rf"\b{_MANY} (?:[a-z]+ of )?([A-Z]{{2,3}})\b")
_HOLE_OF = re.compile(rf"\{{(\w+)\}} (?:more )?(?:({_UNITS})s?\b|(?:[a-z]+ of )?([A-Z]{{2,3}})\b)")


class Difference(NamedTuple):
    """The author's words that differ from the rules, and the warning."""

    words: str
    message: str
    right: tuple[str, str] | None = None
    """One of the words, and the one that would be right."""


Span = tuple[Fraction, str]
"""A duration: a number and its unit."""


def compare_texts(build: Build, printed: Iterable[Item]) -> None:
    """Warn about differences between the `text` of the `printed` items and their rules.

    An item compared in an earlier build is not compared again while it, the items that its rules name
    and the settings they read are unchanged: a new title that an old text contains by chance does not
    matter. In packs that another one builds on, only items that it affects are compared.
    """
    content = build.content
    below, changed = content.built_upon, {id for id, _ in content.history}
    gone = {item.slug for item in content.disabled}
    book, names = book_of(build), PrintedTitles(content, build.symbols)
    for item in printed:
        sides = TextAndRules(item, book, names)
        new = item.pack not in below or not changed.isdisjoint(
            one.id for one in (item, *sides.named)
        )
        if new or not gone.isdisjoint(sides.words):
            inputs = item, *sides.named, str(list(sides.settings.values()))
            report = partial(_report_differences, sides, build.report)
            build.bodies.reuse.result(("text", item.id), inputs, report)


def _report_differences(sides: TextAndRules, report: Report) -> None:
    for found in differences(sides):
        reads = "reads" if sides.has_effect else "read"
        help = f"the {sides.part} {reads}: {sides.book.brief(sides.item)}"
        place = _place_of(sides.item, found.words, found.right[0] if found.right else "")
        if found.right:
            help = Suggestion(*found.right, f"“{found.right[1]}” would be right, as {help}")
        report.warning("text-differs", place, found.message, help)


def _place_of(item: Item, words: str, one: str) -> Place:
    """The place of an author's words, even across lines, or of `one` of them."""
    node = item.fields["text"]
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = re.search(rf"(?<![A-Za-z\d]){pattern}", node.raw)
    if found is None:
        return node.place
    start, end = found.span()
    if one and (inner := re.search(rf"\b{one}\b", found[0])):
        start, end = start + inner.start(), start + inner.end()
    return node.source.place(node.start + start, node.start + end)


Value = tuple[str, str]
"""The type of a value, and its printed title."""


class PrintedTitles:
    """The items and enum values that effects can name, with their printed titles."""

    def __init__(self, content: Content, symbols: Symbols) -> None:
        self.symbols, self.lexicon = symbols, Lexicon(symbols)
        self.items: dict[str, list[Item]] = {}
        self.by_name: dict[str, set[Value]] = {}
        self.by_title: dict[str, set[Value]] = {}
        for item in content.items:
            self.items.setdefault(item.slug, []).append(item)
            type_, title = symbols.kinds.get(item.kind), item.data("title")
            if type_ and isinstance(title, str):
                self._enter(item.slug, (type_, title))
        for name, enum in symbols.values.items():
            # `Init` in an effect is the stat, even if an enum value has that name too.
            if name not in symbols.callables:
                self._enter(name, (enum, name.replace("_", " ")))
        for power in symbols.powers.values():
            if is_noun(power.english):
                self._enter(power.name, ("power", power.english.partition(" ")[2]))
        self.plain = {title.lower(): title for title in self.by_title if _PLAIN.fullmatch(title)}

    def _enter(self, name: str, value: Value) -> None:
        self.by_name.setdefault(name, set()).add(value)
        self.by_title.setdefault(value[1], set()).add(value)

    def named_in(self, names: Iterable[str]) -> set[Value]:
        """The values with these names."""
        return {value for name in names for value in self.by_name.get(name, ())}

    def printed_in(self, text: str, plain: bool = True) -> Iterator[tuple[Value, bool]]:
        """The values whose titles a printed text has, a single word also in lower case if `plain`; each with
        whether it is more than the first word of a sentence."""
        words = [one.span() for one in re.finditer(r"\w+", text)]
        at = 0
        while at < len(words):
            start = words[at][0]
            told = [text[start:end] for _, end in reversed(words[at : at + _LONGEST])]
            bare = self.plain.get(told[-1], "") if plain else ""
            title = next((one for one in told if one in self.by_title), bare)
            sure = " " in title or not re.search(r"(?:^|[.!?]\s)$", text[:start])
            yield from ((value, sure) for value in self.by_title.get(title, ()))
            at += len(re.findall(r"\w+", title)) or 1


class WrittenCall(NamedTuple):
    """A call: its callee, and the arguments by parameter."""

    callee: Signature
    given: Mapping[str, ast.Expr]


def _names_in(tree: object) -> dict[str, None]:
    return dict.fromkeys(one.id for one in walk(tree) if isinstance(one, ast.Name))


class TextAndRules:
    """The text, rules and printed fields of one item, and the items that its rules name."""

    def __init__(
        self, item: Item, book: Book, names: PrintedTitles, text: str | None = None
    ) -> None:
        self.item, self.book, self.names = item, book, names
        self.text = own_words(item, book.settings) if text is None else " ".join(text.split())
        self.has_effect = "effect" in item.fields
        self.part = "effect" if self.has_effect else "abilities"
        self.rules = self._rules(item)
        self.words = _names_in(self.rules)
        settings = names.symbols.settings
        read = self.words | _names_in(tuple(map(self._rules, self.named)))
        self.settings = {name: settings[name].value for name in read if name in settings}
        self.amounts = {
            name: Fraction(value) for name, value in self.settings.items() if type(value) is int
        }

    def _rules(self, item: Item) -> tuple[object, ...]:
        return (*(self.book.effect(item) or ()), *self.book.numbers.abilities.block(item))

    @cached_property
    def named(self) -> list[Item]:
        """The other items that its rules name."""
        found = (one for name in self.words for one in self.names.items.get(name, ()))
        return [one for one in found if one is not self.item]

    @cached_property
    def calls(self) -> list[WrittenCall]:
        """The calls of its rules."""
        symbols, found = self.names.symbols, []
        for one in walk(self.rules):
            match one:
                case ast.CallExpr(name=name, args=args):
                    callee = symbols.operations.get(name.id) or symbols.callables.get(name.id)
                case ast.UseStmt(power=name, args=args):
                    callee = symbols.powers.get(name.id)
                case ast.Keyword(name=name, args=args):
                    callee = symbols.keywords.get(name.id)
                case _:
                    continue
            if callee is not None:
                given = {one.name: one.default for one in callee.params if one.default}
                found.append(WrittenCall(callee, given | written_arguments(callee, args)))
        return found

    @cached_property
    def said(self) -> list[Fact]:
        """The facts of the text."""
        return facts_of_text(self.text, self.names.lexicon)

    @cached_property
    def told(self) -> list[Fact]:
        """The facts of the rules."""
        return facts_of_steps(self.steps, self.names.lexicon)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of its rules, as on its card."""
        return self.book.steps(self.item)

    @cached_property
    def english(self) -> str:
        """The English of all its callees, one per line."""
        return "\n".join(one.callee.english for one in self.calls)

    @cached_property
    def numbers(self) -> set[Fraction]:
        """The numbers in its rules, and the settings that these or the items they name read."""
        found = {*self.amounts.values(), *self.within(self.rules)}
        return found | {1 - one for one in found if one < 1}

    def within(self, tree: object) -> Iterator[Fraction]:
        """The numbers in a subtree of its rules, including settings read by name."""
        for one in walk(tree):
            match one:
                case ast.NumberLiteral(value=number):
                    yield Fraction(number)
                case ast.TextLiteral(value=text):
                    yield from amounts(text)
                case ast.DiceLiteral(count=dice, sides=sides):
                    parts = (part for part in (dice, sides) if isinstance(part, int))
                    yield from map(Fraction, parts)
                case ast.Binary(op="div", left=left, right=ast.NumberLiteral(value=by)) if by:
                    yield from (Fraction(1, by), Fraction(_multiplier(left), by))
                case ast.Name(id=name) if name in self.amounts:
                    yield self.amounts[name]

    @cached_property
    def printed(self) -> str:
        """The other printed fields, limited if the text lacks a number of the rules."""
        unsaid = {one for one in self.numbers if one > 1} - {*amounts(self.text)}
        heads = {*re.findall(r"(?<![a-z])[a-z]{1,4}", self.text.lower())}
        heads |= {"dice", "side"} if re.search(r"\dd\d", self.text) else set()
        fields = [name for name in self.item.fields if name not in _NOT_PRINTED]
        if unsaid:
            fields = [name for name in fields if heads & {word[:4] for word in name.split("_")}]
        return _source(self.item, fields)

    def beside(self, but: str = "") -> str:
        """The fields of the items it names, except those of one kind, and its callees' English."""
        others = (one for one in self.named if one.kind != but)
        fields = (
            _source(one, [name for name in one.fields if name not in _NO_RULES]) for one in others
        )
        return "\n".join((*fields, self.english))

    def measured(self) -> Iterator[tuple[Fraction, str, str]]:
        """The numbers that fill holes with a unit: each with its unit of time or its unit in capitals."""
        for call in self.calls:
            for hole, time, capitals in _HOLE_OF.findall(call.callee.english):
                number = next(self.within(call.given.get(hole)), None)
                if number is not None:
                    yield number, time, capitals

    def spans(self) -> dict[Span, str]:
        """The durations in its rules."""
        found: list[Span] = [(number, time) for number, time, _ in self.measured() if time]
        for one in walk(self.rules):
            if isinstance(one, ast.BeginStmt):
                for unit in self._units_of(one.name.id):
                    found += [(number, unit) for number in self.within(one.time)]
        return dict.fromkeys(found, "") | spans(self.beside())

    def _units_of(self, name: str) -> list[str]:
        """The units in which the effects of this name count how long they last."""
        effects = (one for one in self.names.items.get(name, ()) if one.kind == LASTING)
        units = (re.search(_UNITS, str(one.data("counts") or "")) for one in effects)
        return [unit[0] for unit in units if unit is not None]


def _multiplier(dividend: ast.Expr) -> int | Fraction:
    """The number that is divided, or by which what is divided is multiplied; else 1."""
    times = dividend.right if isinstance(dividend, ast.Binary) else dividend
    return times.value if isinstance(times, ast.NumberLiteral) else 1


def _source(item: Item, names: Iterable[str]) -> str:
    """The values of some fields of an item, without comments."""
    written = (str(item.data(name)) for name in names if name in item.fields)
    return "\n".join(re.sub(r"#.*", "", one) for one in written)


def differences(sides: TextAndRules) -> Iterator[Difference]:
    """At most one difference of each sort."""
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
    others = (_other_kind(sides), _other_unit(sides))
    found = [*filter(None, (lasts, *others))]
    yield from found[lasts is not None :]
    known = [*missing.values(), *(one.words for one in found)]
    for one in _contradicted(sides):
        if not any(words in one.words or one.words in words for words in known):
            yield one


# ---------------------------------------------------------------------------------------- numbers


def amounts(text: str) -> dict[Fraction, str]:
    """The numbers in a text, each with its words; `one` and `once` are rarely numbers."""
    found: dict[Fraction, str] = {}
    for match in _AMOUNT.finditer(text):
        found.setdefault(_value(match), match[0])
    return found


def _value(match: re.Match[str]) -> Fraction:
    if match["again"]:
        return Fraction(3, 2)
    if match["over"]:
        return Fraction(int(match["over"]), int(match["under"]) or 1)
    many = (match["many"] or match["number"] or match["word"] or "1").lower()
    number = _COUNTS.get(many) or Fraction(many)
    return number * _PARTS.get((match["parts"] or match["part"] or "").lower(), 1)


def _missing(sides: TextAndRules) -> dict[Fraction, str]:
    """The numbers found in the text alone, with the author's words for them."""
    numbers = amounts(sides.text)
    known = sides.numbers | {*amounts(sides.printed)}
    known |= {*amounts(sides.beside("" if sides.has_effect else "stat")), *_same_limits(sides)}
    if not sides.has_effect:
        return _missing_in_digits(sides, numbers, known)
    units = dict(spans(sides.text).keys())
    missing = {
        one: words
        for one, words in numbers.items()
        # An hour may be given as sixty minutes.
        if known.isdisjoint(one * many for many in (1, *_SMALLER.get(units.get(one, ""), ())))
    }
    return missing | _too_often(sides)


def _same_limits(sides: TextAndRules) -> Iterator[Fraction]:
    """The numbers of limits that the rules have with another number: `2 or fewer`, `fewer than 3`."""
    told = {one.value for one in sides.told if one.axis == "limit"}
    for one in sides.said:
        if one.axis == "limit" and one.value in told:
            yield Fraction(one.verb)


def _missing_in_digits(
    sides: TextAndRules, numbers: Mapping[Fraction, str], known: Collection[Fraction]
) -> dict[Fraction, str]:
    """The numbers of a text of abilities that these do not have.

    Prose says more than abilities do. So only its numbers in digits count, and only if the abilities
    have others; these modify stats, so the numbers of a stat itself excuse nothing.
    """
    if all(one <= 1 or one in numbers for one in sides.numbers):
        return {}
    digits = ((one, words) for one, words in numbers.items() if one > 1 and words.isdigit())
    return {one: words for one, words in digits if one not in known}


def _too_often(sides: TextAndRules) -> dict[Fraction, str]:
    """The repetitions that only the text has, with the words: `three times`."""
    often = {
        number: match[0] for match in _TIMES.finditer(sides.text) for number in amounts(match[0])
    }
    known = {*amounts(sides.printed), *_repeated(sides)} if often else set()
    return {one: words for one, words in often.items() if one not in known}


def _repeated(sides: TextAndRules) -> Iterator[Fraction]:
    """The possible repetitions: counts of loops, arguments of powers, and factors."""
    for one in walk(sides.rules):
        match one:
            case ast.RepeatStmt(times=times) | ast.RepeatUntilStmt(most=times):
                yield from sides.within(times)
            case ast.UseStmt(args=args):
                yield from sides.within(args)
            case ast.Binary(op="*"):
                yield from sides.within((one.left, one.right))
    for match in _TIMES.finditer(sides.beside()):
        yield from amounts(match[0])
    yield from sides.amounts.values()


# ---------------------------------------------------------------------------- durations and kinds


def spans(text: str) -> dict[Span, str]:
    """The durations in a text, each with its words."""
    found: dict[Span, str] = {}
    for match in _SPAN.finditer(text):
        many = (match[1] or "1").lower()
        number = _COUNTS.get(many) or Fraction(many)
        found.setdefault((number, match[2].lower()), match[0])
    return found


def _span_text(span: Span) -> str:
    number, unit = span
    return f"{number} {unit if number == 1 else plural(unit)}"


def _other_duration(sides: TextAndRules) -> Difference | None:
    """A duration that has another unit or number in the rules."""
    said = spans(sides.text)
    told = sides.spans() if said else {}
    for one, words in said.items():
        number, unit = one
        fields = [name for name in sides.item.fields if unit in name or "duration" in name]
        known = sides.numbers | {*amounts(_source(sides.item, fields))}
        unnamed = not any(unit in word for word in sides.words)
        for other in told if one not in told else ():
            other_unit = unnamed and (number == other[0] or other not in said)
            if other_unit or (unit == other[1] and number not in known):
                message = (
                    f"the text says {_span_text(one)}, and the rules of `{sides.item.name}` say "
                )
                return Difference(words, message + _span_text(other))
    return None


def _instead(sides: TextAndRules, said: Mapping[str, str], own: Iterable[str]) -> Difference | None:
    """The difference between terms of the text, each with its words, and the rules'."""
    if not said or not (told := sorted(set(own) - {*said})):
        return None
    message = f"the text says {listed([*said])}, and the {sides.part} {listed(told)}"
    return Difference(next(iter(said.values())), message)


def _other_kind(sides: TextAndRules) -> Difference | None:
    """A value that only the text names, while the rules name another of its type."""
    names = sides.names
    # Prose next to abilities says more than they do, so a word in lower case there is no title.
    printed = dict(names.printed_in(sides.text, plain=sides.has_effect))
    unsaid = names.named_in(sides.words) - {*printed}
    types = {type_ for type_, _ in unsaid}
    left = [one for one, sure in printed.items() if sure and one[0] in types]
    known = _known_values(sides) if left else set()
    left = [one for one in left if one not in known]
    type_ = left[0][0] if left else ""
    said = {title: title for of, title in left if of == type_}
    return _instead(sides, said, (title for of, title in unsaid if of == type_))


def _known_values(sides: TextAndRules) -> set[Value]:
    """The values that the item, or the items its rules name, mention."""
    fields = _source(sides.item, [name for name in sides.item.fields if name != "text"])
    words = re.findall(r"[A-Za-z]\w*", f"{fields}\n{sides.beside()}")
    printed = {one for one, _ in sides.names.printed_in(sides.english)}
    return sides.names.named_in(words) | printed


def _other_unit(sides: TextAndRules) -> Difference | None:
    """A number with a unit in capitals, `8 MI`, where the rules have only another unit."""
    said = {match[1]: match[0] for match in _MEASURED.finditer(sides.text)}
    told = {capitals for _, _, capitals in sides.measured() if capitals and capitals not in said}
    known = {*sides.words, *re.findall(r"[A-Za-z]+", f"{sides.printed} {sides.english}")}
    left = {one: words for one, words in said.items() if known.isdisjoint((one, one.lower()))}
    return _instead(sides, left, told)


# ------------------------------------------------------------------------- facts of both, compared


def _contradicted(sides: TextAndRules) -> Iterator[Difference]:
    """The facts that the text and the rules tell differently, and what the text leaves out."""
    for said, told in contradictions(sides.said, sides.told):
        mine, theirs = value_told(said), value_told(told[0])
        quoted = "" if said.words == mine else f" (“{said.words}”)"
        message = f"the text says {mine}{quoted}, and the {sides.part} {theirs}"
        yield Difference(said.words, message, _mended(sides, said, told[0]))
    gaps = left_out(sides.text, sides.said, sides.steps, sides.told, sides.names.lexicon)
    for gap in gaps:
        message = f"the text says “{gap.words}”, and leaves out the {gap.sort}: {gap.told}"
        yield Difference(gap.words, message)


def _mended(sides: TextAndRules, said: Fact, told: Fact) -> tuple[str, str] | None:
    """A word of the text and the one that makes the fact right, if there is one."""
    for word in re.findall(r"[a-z]+", said.words):
        other = opposite(word, said, told)
        if other:
            text = sides.text.replace(said.words, re.sub(rf"\b{word}\b", other, said.words), 1)
            left = contradictions(facts_of_text(text, sides.names.lexicon), sides.told)
            if all(one.said.axis != said.axis for one in left):
                return word, other
    return None

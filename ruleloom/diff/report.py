"""The report of a comparison, as text and as JSON: changes, their consequences, and the version to give.

Changes have the levels of semantic versioning; docs/diff.md has the table. A saved game holds its own
program and stays playable, but its answers name ids, and so do packs that build on this one: so a removed
name is a major change.

Lines have at most eighty columns if names allow it. Removed words are marked `[-` and `-]`, added ones
`{+` and `+}`, with colour or without. A changed text is shown by its changed lines, as runs of words kept,
removed and added.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, takewhile, zip_longest
from typing import Any, NamedTuple

from packaging.version import Version

from ruleloom.compiler.analysis.normal_form import narrows
from ruleloom.compiler.yaml.node import Plain
from ruleloom.diff.compare import (
    Changes,
    FieldChange,
    ItemChange,
    NumberChange,
    Side,
    Where,
    plain,
    value_text,
)
from ruleloom.output.terminal import CODES, count_of, paint
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.safe_text import safe_text

LEVELS = ("none", "patch", "minor", "major")
# The English of each kind of field change.
DONE = {
    "added": "is new",
    "removed": "is gone",
    "changed": "changed",
    "order": "is in another order",
}
# Fields that only people read, at any depth of an item.
WORDS = frozenset(
    [
        *("title", "about", "authors", "licence", "credits", "text", "english", "gloss", "clauses"),
        *("clause", "help", "log", "noun", "nouns", "singular", "plural", "label", "examples"),
        "renamed_from",
    ]
)


class Reason(NamedTuple):
    """The reason for a level."""

    level: str
    words: str
    at: Where | None


class Advice(NamedTuple):
    """The version that the changes require; `enough` says whether the new version reaches it."""

    level: str
    asked: str
    enough: bool
    reasons: tuple[Reason, ...]


def advice(changes: Changes, old: str, new: str) -> Advice:
    """The lowest new version, and why."""
    reasons = tuple(_reasons(changes))
    level = max((one.level for one in reasons), key=LEVELS.index, default="none")
    before, after = Version(old), Version(new)
    asked = raised(before, level)
    weightiest = tuple(one for one in reasons if one.level == level)
    return Advice(level, asked, after >= Version(asked), weightiest)


def raised(version: Version, level: str) -> str:
    """The lowest version for a level; below 1.0.0 the first nonzero number is the major one."""
    major, minor, micro = (*version.release, 0, 0, 0)[:3]
    if level == "none":
        return str(version)
    if level == "major":
        numbers = (major + 1, 0, 0) if major else (0, minor + 1, 0) if minor else (0, 0, micro + 1)
    elif level == "minor" and major:
        numbers = (major, minor + 1, 0)
    else:
        numbers = (major, minor, micro + 1)
    return ".".join(map(str, numbers))


def _reasons(changes: Changes) -> Iterator[Reason]:
    for one in changes.manifest:
        words = f"{one.name} of the pack {DONE[one.does]}"
        yield Reason(_of_manifest(one), words, _where(one))
    for item in changes.items:
        yield from _of_item(item)
    for kept in changes.promises:
        yield Reason(kept.level, f"{kept.name}: {kept.words}", kept.at)
    for number in () if changes.manifest or changes.items else changes.numbers:
        # Neither manifest nor items changed: the pack that this one builds on did.
        words = f"{number.label}: {value_text(number.old)} -> {value_text(number.new)}"
        yield Reason("minor", words, None)
    for id, _, _ in changes.texts:
        yield Reason("patch", f"the rules text of {id} changed", None)


def _where(one: ItemChange | FieldChange) -> Where | None:
    """The new place of a change, or its old place if it was removed."""
    return one.new_at or one.old_at


def _of_manifest(one: FieldChange) -> str:
    match one.path[0]:
        case "game" | "edition":
            return "major"
        case "requires":
            return _of_range(one)
        case field:
            return "patch" if field in WORDS else "minor"


def _of_range(one: FieldChange) -> str:
    """Major if the requirement is new, or excludes a version allowed before."""
    if one.does != "changed":
        return "major" if one.does == "added" else "minor"
    return "major" if narrows(str(one.old), str(one.new)) else "minor"


def _of_item(item: ItemChange) -> Iterator[Reason]:
    at = _where(item)
    match item.does:
        case "removed":
            yield Reason("major", f"{item.id} is gone", item.old_at)
        case "renamed":
            yield Reason("major", f"{item.was} is now called {item.id}", at)
        case "kind":
            yield Reason("major", f"{item.was} is now {item.id}", at)
        case "added" if item.kind == "requirement":
            yield Reason("major", f"{item.id} is new: what was allowed may be so no longer", at)
        case "added":
            yield Reason("minor", f"{item.id} is new", at)
    for one in item.fields:
        words = f"{one.name} of {item.id} {DONE[one.does]}"
        yield Reason(_of_field(item, one), words, _where(one))
    if item.text is not None and item.does == "changed":
        yield Reason("patch", f"the rules text of {item.id} changed", at)


def _of_field(item: ItemChange, one: FieldChange) -> str:
    """The level of a changed field, by the first rule that applies."""
    match item.kind, one.path[0]:
        case _, field if WORDS & {field, one.path[-1]}:
            return "patch"
        case "requirement", "level":
            return "minor" if one.old in (None, "error") else "major"
    return "minor"


# The marks of runs: kept, removed, added.
STAYED, WENT, CAME = " ", "-", "+"
Stretch = tuple[str, str]
Line = tuple[Stretch, ...]
CONTEXT = 8
# Texts with more pairs of words than this are not compared word by word.
MOST_PAIRS = 4_000_000
LEFT_OUT = "..."
# A space, a word or a punctuation mark, so that `3.` differs from `4.` in the number alone.
WORD = re.compile(r"\s+|[\w/'’-]+|[^\w\s]")


def differing_lines(old: str, new: str) -> tuple[Line, ...]:
    """The differing lines of two texts, without words far from any difference."""
    before, after = old.split("\n"), new.split("\n")
    found: list[Line] = []
    for does, i1, i2, j1, j2 in _steps(before, after):
        if does == "equal":
            continue
        for one, other in zip_longest(before[i1:i2], after[j1:j2]):
            if one is None or other is None:
                mark, text = (CAME, other) if one is None else (WENT, one)
                found += [((mark, text or ""),)] if text else []
            elif one != other:
                found.append(tuple(_shortened(list(_stretches(one, other)))))
    return tuple(found)


def _steps(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """The edits that turn one text into the other; a single replacement if they are too long."""
    if len(before) * len(after) > MOST_PAIRS:
        return [("replace", 0, len(before), 0, len(after))]
    return list(SequenceMatcher(None, before, after, autojunk=False).get_opcodes())


def _stretches(old: str, new: str) -> Iterator[Stretch]:
    """Kept, removed and added runs in order; a lone space does not separate changes."""
    before, after = WORD.findall(old), WORD.findall(new)
    went = came = ""
    for does, i1, i2, j1, j2 in _steps(before, after):
        gone, new_words = "".join(before[i1:i2]), "".join(after[j1:j2])
        if does != "equal" or (
            gone.isspace() and (went or came) and i2 < len(before) and j2 < len(after)
        ):
            went, came = went + gone, came + new_words
            continue
        yield from _parted(went, came)
        went = came = ""
        yield STAYED, gone
    yield from _parted(went, came)


def _parted(went: str, came: str) -> Iterator[Stretch]:
    """The runs of one change; a common trailing space is kept."""
    outside = went[-1:].isspace() and came[-1:].isspace()
    tail = went[len(went.rstrip()) :] if outside else ""
    parts = (WENT, went.removesuffix(tail)), (CAME, came.removesuffix(tail)), (STAYED, tail)
    yield from ((mark, text) for mark, text in parts if text)


def _shortened(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    for number, (mark, text) in enumerate(stretches):
        words = text.split(" ")
        first, last = number == 0, number == len(stretches) - 1
        if mark != STAYED or len(words) <= CONTEXT * (1 if first or last else 2) + 1:
            yield mark, text
        else:
            before = [] if first else words[:CONTEXT]
            after = [] if last and not first else words[-CONTEXT:]
            yield mark, " ".join([*before, LEFT_OUT, *after])


def brief(text: str) -> str:
    """A rules text before its numbered list, or else all of it."""
    listed = ("1. ", "(Unless")
    kept = takewhile(lambda part: not part.startswith(listed), text.split("\n\n"))
    return "\n".join(kept) or text


WIDTH = 80
# The limits of a report without `--all`.
MOST_NUMBERS, MOST_ALIKE, MOST_TEXTS, MOST_REASONS, MOST_LINES = 6, 2, 5, 5, 8
SIGNS = {"added": "+", "removed": "-", "renamed": ">", "kind": ">", "changed": "~"}
COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "yellow"}
MARKS = {WENT: ("[-", "-]"), CAME: ("{+", "+}"), STAYED: ("", "")}
COLOURED = {MARKS[WENT]: "red", MARKS[CAME]: "green"}


class DiffReport(Frozen):
    """The form of a report: with `colour`; with `everything`, or the first of similar entries."""

    colour: bool = False
    everything: bool = False

    def text(self, old: Side, new: Side, changes: Changes, advised: Advice | None) -> str:
        """The whole report, without a final newline."""
        lines = [f"{self._bold(side_title(old))} -> {self._bold(side_title(new))}"]
        lines += [] if changes else ["", "nothing is different: they say the same"]
        for heading, parts in self._parts(changes):
            body = [line for part in parts for line in part]
            lines += ["", self._bold(heading), *body] if body else []
        if advised is not None and (changes or old.pack.version != new.pack.version):
            lines += ["", *self._advice(advised, old.pack.version, new.pack.version)]
        return "\n".join(lines)

    def _parts(self, changes: Changes) -> Iterator[tuple[str, Iterable[Iterable[str]]]]:
        yield "the pack", map(self._field, changes.manifest)
        for does in SIGNS:
            found = [one for one in changes.items if one.own and one.does == does]
            yield "of another kind" if does == "kind" else does, map(self._item, found)
        yield "in other packs", map(self._item, [one for one in changes.items if not one.own])
        yield "numbers that change in consequence", [self._numbers(changes.numbers)]
        yield "rules texts that change in consequence", [self._texts(changes.texts)]

    def _item(self, change: ItemChange) -> Iterator[str]:
        sign = SIGNS[change.does]
        name = " -> ".join(safe_text(id) for id in (change.was, change.id) if id)
        at = places(change.old_at, change.new_at)
        yield from self._row(f"  {paint(sign, COLOURS[sign], on=self.colour)} ", 4, name, at)
        if change.advised:
            former = change.was.rpartition("/")[2]
            told = f"it says the same; `renamed_from: {former}` would keep old references"
            yield from wrapped(told, 6)
        for one in change.fields:
            yield from self._field(one, 6)
        if change.text is not None and change.does != "removed":
            yield from self._rules_text(*change.text, change.does == "added")

    def _rules_text(self, old: str, new: str, added: bool) -> Iterator[str]:
        if added:
            rows = brief(new).split("\n")
            yield from self._cut([line for row in rows for line in wrapped(safe_text(row), 6)])
            return
        yield "      rules text"
        yield from self._cut(list(self._words(shorter_difference(old, new), 8)))

    def _field(self, change: FieldChange, indent: int = 2) -> Iterator[str]:
        at = places(change.old_at, change.new_at)
        name = safe_text(change.name)
        is_effect = change.form in ("block", "abilities")
        if change.does == "changed" and (is_effect or _is_long(change)):
            yield from self._row(" " * indent, indent, name, at)
            if not is_effect:
                lines = differing_lines(str(change.old), str(change.new))
                yield from self._words(lines, indent + 2)
            return
        old, new = yaml_text(change.old), yaml_text(change.new)
        said = {"changed": f"{old} -> {new}", "added": f"+ {new}", "removed": f"- {old}"}
        told = said.get(change.does, "the same in another order")
        yield from self._row(" " * indent, indent, f"{name}  {told}", at)

    def _numbers(self, numbers: Sequence[NumberChange]) -> Iterator[str]:
        for of, group in groupby(numbers, key=lambda one: one.of):
            found = shown = list(group)
            if not self.everything:
                groups = (list(alike) for _, alike in groupby(found, key=lambda one: one.id))
                few = [one for alike in groups for one in alike[:MOST_ALIKE]]
                shown = sorted(few, key=lambda one: "stat/" not in one.id)[:MOST_NUMBERS]
            yield f"  {safe_text(of)}"
            for one in shown:
                said = f"{safe_text(one.label)}  {value_text(one.old)} -> {value_text(one.new)}"
                yield from self._row("    ", 4, said, "")
            if len(shown) < len(found):
                yield f"    ... and {len(found) - len(shown):,} more (--all)"

    def _texts(self, texts: Sequence[tuple[str, str, str]]) -> Iterator[str]:
        told = texts if self.everything else texts[:MOST_TEXTS]
        for id, old, new in told:
            yield f"  {safe_text(id)}"
            yield from self._cut(list(self._words(shorter_difference(old, new), 4)))
        if len(told) < len(texts):
            yield f"  ... and {count_of(len(texts) - len(told), 'more text', 'more texts')} (--all)"

    def _advice(self, advised: Advice, old: str, new: str) -> Iterator[str]:
        said = "the version is still " if old == new else f"the version went from {old} to "
        said += new
        if advised.level == "none":
            yield said if advised.enough else f"{said}, and versions only go up"
        elif advised.enough:
            yield f"{said}: {paint('enough', 'green', on=self.colour)} for what changed ({advised.level})"
        else:
            wanted = paint(advised.asked, "yellow", on=self.colour)
            yield f"{said}, and what changed asks for {wanted} ({advised.level}):"
            told = advised.reasons if self.everything else advised.reasons[:MOST_REASONS]
            for one in told:
                yield from self._row("  ", 2, safe_text(one.words), places(None, one.at))
            if left := len(advised.reasons) - len(told):
                yield f"  ... and {count_of(left, 'more reason')} (--all)"

    def _row(self, begins: str, indent: int, said: str, at: str) -> Iterator[str]:
        """A line with its place right-aligned; wrapped, with the place below, if too long."""
        width = indent + len(said)
        if at and width + 2 + len(at) <= WIDTH:
            yield begins + said + " " * (WIDTH - width - len(at)) + paint(at, "dim", on=self.colour)
            return
        first, *rest = wrapped(said, indent, indent + 2)
        yield begins + first[indent:]
        yield from rest
        if at:
            yield " " * (indent + 2) + paint(at, "dim", on=self.colour)

    def _words(self, lines: Sequence[Line], indent: int) -> Iterator[str]:
        for line in lines:
            marked = ((MARKS[mark], safe_text(text)) for mark, text in line)
            rows = wrapped("".join(f"{begin}{text}{end}" for (begin, end), text in marked), indent)
            for (begin, end), style in COLOURED.items() if self.colour else ():
                start = f"\x1b[{CODES[style]}m{begin}"
                rows = [row.replace(begin, start).replace(end, f"{end}\x1b[0m") for row in rows]
            yield from rows

    def _cut(self, lines: list[str]) -> list[str]:
        if self.everything or len(lines) <= MOST_LINES:
            return lines
        indent = " " * (len(lines[0]) - len(lines[0].lstrip()))
        more = f"{indent}... and {len(lines) - MOST_LINES + 1} more lines (--all)"
        return [*lines[: MOST_LINES - 1], more]

    def _bold(self, text: str) -> str:
        return paint(text, "bold", on=self.colour)


def side_title(side: Side) -> str:
    """The title of a side: its label, pack and version."""
    return safe_text(f"{side.label} ({side.pack.id} {side.pack.version})")


def shorter_difference(old: str, new: str) -> tuple[Line, ...]:
    """The difference between two rules texts: of their paragraphs, else of all."""
    return differing_lines(brief(old), brief(new)) or differing_lines(old, new)


def places(old: Where | None, new: Where | None) -> str:
    """The old and new `path:line`."""
    if old is None or new is None:
        one = new or old
        return f"{safe_text(one[0])}:{one[1]}" if one is not None else ""
    if old[:2] == new[:2]:
        return places(None, new)
    return f"{places(None, old)} -> {new[1] if old[0] == new[0] else places(None, new)}"


def yaml_text(data: Plain) -> str:
    """A field's value on one line, as in YAML."""
    match data:
        case bool():
            return "true" if data else "false"
        case None:
            return "nothing"
        case list():
            return f"[{', '.join(map(yaml_text, data))}]"
        case dict():
            return f"{{{', '.join(f'{safe_text(key)}: {yaml_text(one)}' for key, one in data.items())}}}"
        case _:
            text = safe_text(" ".join(str(data).split()))
            return f'"{text}"' if " " in text else text


def wrapped(text: str, indent: int, further: int | None = None) -> list[str]:
    """The lines of a text, at most eighty columns; `further` indents those after the first."""
    first, rest = " " * indent, " " * (indent if further is None else further)
    wrapper = textwrap.TextWrapper(WIDTH, initial_indent=first, subsequent_indent=rest)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.wrap(text) or [first]


def _is_long(change: FieldChange) -> bool:
    """Whether both values are prose that reads better word by word."""
    both = [one for one in (change.old, change.new) if isinstance(one, str) and " " in one]
    return len(both) == 2 and len("".join(both)) > 40


# The version of this format; new fields do not raise it.
FORMAT = 1


def as_data(old: Side, new: Side, changes: Changes, advised: Advice | None) -> dict[str, Any]:
    """A comparison as JSON data. Fractions are strings such as `1/2`."""
    reasons = (
        [{"words": one.words, "at": _at(one.at)} for one in advised.reasons] if advised else []
    )
    return {
        "format": FORMAT,
        "old": _side(old),
        "new": _side(new),
        "pack": [_field(one) for one in changes.manifest],
        "items": [_item(one) for one in changes.items],
        "numbers": [
            {**one._asdict(), "old": plain(one.old), "new": plain(one.new)}
            for one in changes.numbers
        ],
        "texts": [{"id": id, "old": before, "new": after} for id, before, after in changes.texts],
        "version": None if advised is None else {**advised._asdict(), "reasons": reasons},
    }


def _side(side: Side) -> dict[str, str]:
    pack = side.pack
    return {"label": side.label, "pack": pack.id, "version": pack.version, "hash": pack.hash}


def _item(one: ItemChange) -> dict[str, Any]:
    text: dict[str, Any] | None = None
    if one.text is not None:
        words = [[list(stretch) for stretch in line] for line in shorter_difference(*one.text)]
        text = {"old": one.text[0], "new": one.text[1], "words": words}
    about = {"id": one.id, "does": one.does, "was": one.was or None, "own": one.own}
    fields = [_field(field) for field in one.fields]
    return {**about, "patched": one.patched, **_places(one), "fields": fields, "text": text}


def _field(one: FieldChange) -> dict[str, Any]:
    values = {"old": one.old, "new": one.new}
    return {"field": one.name, "does": one.does, **values, **_places(one)}


def _places(one: ItemChange | FieldChange) -> dict[str, Any]:
    return {"old_at": _at(one.old_at), "new_at": _at(one.new_at)}


def _at(at: Where | None) -> dict[str, Any] | None:
    return dict(zip(("path", "line", "column"), at, strict=True)) if at is not None else None

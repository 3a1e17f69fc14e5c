"""Compiles the things of cases, items written under `things`, and the effect texts of their steps.

All cases are compiled together, each with hidden names of its own for its things. A case whose
things are refused, as it says they are, is done with; the others are compiled once more, and one
that is refused unexpectedly by itself, so that it spoils no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import dedent

from ruleloom.compiler.build import build_program, read_names
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import collector_resting
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item, kind_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.cases import Case
from ruleloom.scenarios.notation import as_list

# A word as items and effect texts write names; not the end of `pack:kind/name`, which is somebody
# else's.
WORD = re.compile(r"(?<![\w/:.-])[a-z][a-z0-9_-]*")
MARK = re.compile(r"__\d+_")
# In the name of the file that a step is to be.
STEP = "#step"
SOUGHT = "sought_"
# What is told where there are too many things, for which other cases may be to blame.
TOO_MANY = "out-of-bounds"
# Many more items in one game, and its rules are soon too much work, which is found out late.
MOST_TOGETHER = 400
BY_OTHERS = (TOO_MANY, "too-much-work")
BLOCKS = ("|", ">")
# What a thing cannot be called besides the game's own words: fields that many kinds have.
FIELDS = frozenset({"kind", "id", "title", "text", "abilities", "effect", "clauses"})


@dataclass(frozen=True, slots=True)
class Made:
    """The compiled things of a case, marked with `mark`; no `program` after `complaints`.

    `texts` are the routines of its effect texts.
    """

    things: Mapping[str, str]
    mark: str
    program: Program | None
    complaints: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def owns(self, name: str) -> bool:
        """Was a thing of this name, or a part of one, made by the case?"""
        return self.mark in name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class _Brought:
    """The items of one case, read and checked one by one."""

    number: int
    case: Case
    things: Mapping[str, str]
    items: tuple[Item, ...]
    complaints: tuple[str, ...]

    @property
    def mark(self) -> str:
        return f"__{self.number}_"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(item.id for item in self.items if item.kind == "power")

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(item.source.path for item in self.items)

    def holds(self, found: Diagnostic) -> bool:
        """Does a diagnostic stand in what the case brings?"""
        return found.place.path in self.paths

    def complaint(self, found: Diagnostic) -> str:
        """A diagnostic in a line of words."""
        place = f"line {found.place.line}: " if STEP in found.place.path else ""
        return place + unmarked(found.message)


def unmarked(text: str) -> str:
    """A text with things as the author calls them."""
    return MARK.sub("", text)


def names_of(content: Content) -> Symbols:
    """The names of a game, with the types of what its stats and measures take."""
    symbols = Symbols(game=content.game)
    read_names(content, symbols, Report())
    return symbols


def make_things(content: Content, symbols: Symbols, cases: Sequence[Case]) -> dict[str, Made]:
    """What the things of each case make, by the place of the case."""
    reader = _Reader(content, symbols, content.schemas)
    brought = [reader.read(number, case) for number, case in enumerate(cases)]
    made = {
        key(one.case): Made(one.things, one.mark, None, one.complaints)
        for one in brought
        if one.complaints
    }
    sound = [one for one in brought if not one.complaints]
    with collector_resting():
        for group in (part for half in _apart(sound) for part in _in_parts(half)):
            for one, program, complaints in _compiled(content, group):
                made[key(one.case)] = Made(one.things, one.mark, program, complaints, one.texts)
    return made


def _apart(brought: Sequence[_Brought]) -> tuple[list[_Brought], list[_Brought]]:
    """The cases that bring nothing but the commonest kind of thing, and the others.

    A rule may look through all things of a kind, and those of one case must not be what another one
    finds. People ask to be in play; a disadvantage that a case brings would be on offer to
    everybody.
    """
    kinds = Counter(
        item.kind for one in brought for item in one.items if item.name not in one.texts
    )
    usual = {kind for kind, _ in kinds.most_common(1)} | {"power"}
    plain: list[_Brought] = []
    others: list[_Brought] = []
    for one in brought:
        (plain if {item.kind for item in one.items} <= usual else others).append(one)
    return plain, others


def _in_parts(brought: Sequence[_Brought]) -> list[Sequence[_Brought]]:
    """Parts of about `MOST_TOGETHER` items."""
    parts = -(-sum(len(one.items) for one in brought) // MOST_TOGETHER)
    size = -(-len(brought) // parts) if parts else 1
    return [brought[at : at + size] for at in range(0, len(brought), size)]


def key(case: Case) -> str:
    """What tells a case from all others of a run."""
    return f"{case.path}:{case.line}:{case.id}"


# ---------------------------------------------------------------------------------- reading


class _Reader:
    """Reads what cases bring along."""

    def __init__(self, content: Content, symbols: Symbols, store: SchemaStore) -> None:
        self.content = content
        self.kinds = symbols.kinds
        self.store = store
        words = {value for values in symbols.enums.values() for value in values}
        self.taken = FIELDS | words | {*symbols.kinds, *symbols.fields, *symbols.settings}
        self.taken |= {*symbols.callables, *symbols.keywords, *symbols.bonuses}

    def read(self, number: int, case: Case) -> _Brought:
        """The items of one case, or what is wrong with them."""
        ids = list(case.things.entries) if case.things is not None else []
        clash = next((id for id in ids if self.taken & {id, _folded(id)}), None)
        if clash is not None:
            told = f"`{clash}` already means something in this game: call the thing something else"
            return _Brought(number, case, {}, (), (told,))
        report = Report()
        mark = f"__{number}_"
        items = {} if case.things is None else self._items(case.things, ids, mark, number, report)
        things = {unmarked(name): self.kinds[item.kind] for name, item in items.items()}
        steps = self._steps(case, ids, mark, report)
        brought = (*items.values(), *steps)
        errors = [one for one in report.diagnostics() if one.severity == "error"]
        return _Brought(
            number, case, things, brought, tuple(unmarked(one.message) for one in errors)
        )

    def _items(
        self, things: YamlNode, ids: Sequence[str], mark: str, number: int, report: Report
    ) -> dict[str, Item]:
        """The things of a case as items, by their marked names."""
        root = compose(_marked(things, ids, mark, number), report)
        if root is None:
            return {}
        read = {name: self._item(root, name, node, report) for name, node in root.entries.items()}
        return {name: item for name, item in read.items() if item is not None}

    def _steps(self, case: Case, ids: Sequence[str], mark: str, report: Report) -> Iterator[Item]:
        """The effect texts of a case as powers; the last also computes what `odds` asks for."""
        flows = {item.name for item in self.content.by_kind("flow")}
        owner = self.content.packs[-1].id
        for step, node in enumerate(case.texts, 1):
            text = (node.text or "").rstrip("\n")
            if text.strip() in flows:
                continue
            if step == len(case.texts):
                text = "\n".join([text, *seeking(case.then.get("odds") or ())])
            # The text begins in the line in which it stands in the file of the case.
            line = node.place.line - (node.style not in BLOCKS)
            lines = "".join(f"  {one}\n" for one in _with_marks(text, ids, mark).split("\n"))
            written = (
                "\n" * (line - 1)
                + f"effect: |\n{lines}kind: power\nid: step{step}{mark}\ngloss: step\n"
            )
            root = compose(Source(f"{case.path}{STEP}{step}{mark}", written), report)
            if root is not None:
                place = root.entries["id"].place
                yield Item(
                    "power", f"step{step}{mark}", owner, root.entries, place, root, root.source
                )

    def _item(self, root: YamlNode, name: str, node: YamlNode, report: Report) -> Item | None:
        """One thing as an item: its key is its id, and its title too where it has none."""
        kind = self._kind(name, node, report)
        if kind is None:
            return None
        span = (root.key_spans or {})[name]
        added = {"id": YamlNode(node.source, "text", name, *span)}
        if "title" in self.store.fields(kind) and "title" not in node.entries:
            added["title"] = YamlNode(node.source, "text", unmarked(name), *span)
        spans = dict.fromkeys(added, span) | (node.key_spans or {})
        fields = {**added, **node.entries}
        whole = YamlNode(node.source, "map", fields, node.start, node.end, node.style, spans)
        if not check_item(whole, kind, self.store, report):
            return None
        owner = self.content.packs[-1].id
        return Item(kind, name, owner, whole.entries, added["id"].place, whole, node.source)

    def _kind(self, name: str, node: YamlNode, report: Report) -> str | None:
        """The kind of a thing; None after a complaint."""
        if node.kind != "map":
            told = f"`{name}` is a mapping with a `kind` and other fields"
            report.error("not-an-item", node.place, told)
            return None
        if "id" in node.entries:
            report.error("unknown-field", node.place, f"`{name}` has no `id`: its key is its id")
            return None
        kind = kind_of(node, self.store, report)
        if kind is None or kind in self.kinds:
            return kind
        known = ", ".join(f"`{one}`" for one in self.kinds)
        told = f"`{name}` is no thing of the game; those are {known}"
        report.error("unknown-kind", node.place, told)
        return None


def _folded(name: str) -> str:
    return name.replace("-", "_")


def _marked(things: YamlNode, ids: Sequence[str], mark: str, number: int) -> Source:
    """The text of a case's things, as a file of its own, with a mark behind each of their names."""
    column = things.place.column
    text = dedent(" " * (column - 1) + things.raw)
    return Source(f"{things.source.path}#{number}", _with_marks(text, ids, mark))


def _with_marks(text: str, ids: Sequence[str], mark: str) -> str:
    wanted = {_folded(id) for id in ids}
    return WORD.sub(lambda found: found[0] + (mark if _folded(found[0]) in wanted else ""), text)


def seeking(asked: Iterable[str]) -> Iterator[str]:
    """The lines of effect text that work out what is asked at the end of a text."""
    for number, one in enumerate(asked, 1):
        yield f"let {SOUGHT}{number} = {' '.join(str(one).split())}"


# ---------------------------------------------------------------------------------- compiling


def _compiled(
    content: Content, brought: Sequence[_Brought]
) -> Iterator[tuple[_Brought, Program | None, tuple[str, ...]]]:
    """Each case with the program shared with as many others as possible, or complaints."""
    if not brought:
        return
    report = Report()
    reasons = any(one.texts for one in brought)
    program = build_program(_together(content, brought), report, texts=False, reasons=reasons)
    errors = [one for one in report.diagnostics() if one.severity == "error"]
    if program is not None:
        yield from ((one, program, ()) for one in brought)
    elif len(brought) == 1:
        yield brought[0], None, tuple(map(brought[0].complaint, errors))
    else:
        for group in _split([one for one in brought if not _as_claimed(one, errors)], errors):
            yield from _compiled(content, group)
        for one in brought:
            if told := _as_claimed(one, errors):
                yield one, None, told


def _as_claimed(one: _Brought, errors: Sequence[Diagnostic]) -> tuple[str, ...]:
    """What is wrong with the things of a case that says so; nothing for all others."""
    wanted = one.case.then.get("refused")
    own = [found for found in errors if found.code not in BY_OTHERS and one.holds(found)]
    told = tuple(map(one.complaint, own)) if wanted is not None else ()
    return told if all(any(part in by for by in told) for part in as_list(wanted)) else ()


def _split(brought: Sequence[_Brought], errors: Sequence[Diagnostic]) -> list[Sequence[_Brought]]:
    """Smaller groups of cases that do not compile together: each that is blamed by itself."""
    paths = {path for one in brought for path in one.paths}
    too_many = any(found.code == TOO_MANY or found.place.path not in paths for found in errors)
    if too_many:
        errors = [found for found in errors if found.code not in BY_OTHERS]
    blamed = [one for one in brought if any(map(one.holds, errors))]
    rest = [one for one in brought if one not in blamed]
    half = len(rest) // 2
    parts = [rest[:half], rest[half:]] if too_many or not blamed else [rest]
    return [*([one] for one in blamed), *(part for part in parts if part)]


def _together(content: Content, brought: Sequence[_Brought]) -> Content:
    sources, files = dict(content.sources), dict(content.files)
    for source in (item.source for one in brought for item in one.items):
        sources[source.path] = source
        shown = source.path.partition("#")[0] if STEP in source.path else source.path
        files[source.path] = (content.packs[-1].id, shown)
    items = (*content.items, *(item for one in brought for item in one.items))
    return replace(content, items=items, sources=sources, files=files)

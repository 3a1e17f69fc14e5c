"""What stands beside the text in an editor: numbers and names between words, lines above items, and
links to where the reference of a game, as `ruleloom docs` writes it, tells of a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.source_file import SourceFile, TextOf
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.project import Project
from ruleloom.editor.reading.odds_curve import dice_odds, mean
from ruleloom.reference.anchors import item_link, link_to
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import number_text

RUN, STEP, EXPLAIN, USES = "ruleloom.run", "ruleloom.step", "ruleloom.explain", "ruleloom.uses"
ASKING = (ast.ChooseStmt, ast.ChooseOneStmt, ast.OptionalStmt)
WITHOUT_USES = frozenset(["pack", "scenarios", "vocabulary", "patch", "clause"])


@dataclass(frozen=True, slots=True)
class Hint:
    """A text beside a place that is no part of the file."""

    at: int
    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above an item: what it says, and the command behind it with its arguments."""

    start: int
    end: int
    title: str
    command: str
    arguments: tuple[object, ...] = ()


def hints(project: Project, path: str, start: int, end: int) -> Iterator[Hint]:
    """The hints for a stretch of a file."""
    names = project.names(path)
    for text in names.texts:
        for node in walk(text.tree):
            at = text.span(node.span)[1]
            if start <= at <= end:
                yield from _of_node(text, node)
    for item in names.items:
        if item.end >= start and item.start <= end and names.kind_of(item) == "patch":
            yield from _of_patch(project, names, item)


def _of_node(text: TextOf, node: ast.SyntaxNode) -> Iterator[Hint]:
    if isinstance(node, ast.RollStmt):
        odds = dice_odds(node.dice, node.each)
        if odds is not None:
            about = "the highest die" if node.each else ""
            said = f" average {number_text(mean(odds))}"
            yield Hint(text.span(node.dice.span)[1], said, about)
    elif isinstance(node, ASKING) and node.by is None:
        word = "optional" if isinstance(node, ast.OptionalStmt) else "choose"
        about = "no `by` names another player, so the one who acts is asked"
        yield Hint(text.span(node.span)[0] + len(word), " (me)", about)


def _of_patch(project: Project, names: SourceFile, item: YamlNode) -> Iterator[Hint]:
    """The number of items that a patch has changed."""
    id, where = item.get("id"), item.get("where") or item.get("target")
    if id is None or where is None:
        return
    patch, history = names.id_of(item), project.snapshot.now.history
    changed = {id for (id, _), many in history.items() if any(one.by == patch for one in many)}
    if changed:
        text = f" {len(changed)} item{'s' if len(changed) != 1 else ''}"
        yield Hint(where.end, text, ", ".join(sorted(changed)[:MOST_NAMED]))


MOST_NAMED = 12


# ------------------------------------------------------------------ lines above items


def lenses(project: Project, path: str) -> Iterator[Lens]:
    """The lines above the items and cases of a file."""
    names = project.names(path)
    patched = _patched(project)
    for item in names.items:
        cases = item.get("cases")
        if cases is not None:
            yield from _of_cases(item.start, cases.items, path)
            continue
        id, kind = item.get("id"), names.kind_of(item)
        if id is None or id.text is None or kind in WITHOUT_USES:
            continue
        whole = names.id_of(item)
        yield Lens(id.start, id.end, "explain", EXPLAIN, (path, whole))
        count = project.uses.get(Meaning("item", whole), 0)
        uses = "no uses" if not count else "1 use" if count == 1 else f"{count} uses"
        yield Lens(id.start, id.end, uses, USES, (path, id.start))
        by = patched.get(whole, ())
        if by:
            packs = "a pack" if len(by) == 1 else f"{len(by)} packs"
            yield Lens(id.start, id.end, f"patched by {packs}", EXPLAIN, (path, whole))


def _of_cases(start: int, cases: list[YamlNode], path: str) -> Iterator[Lens]:
    yield Lens(start, start, "run all scenarios", RUN, (path, None))
    for case in cases:
        id = case.get("id")
        if id is not None and id.text is not None:
            yield Lens(id.start, id.end, "run", RUN, (path, id.text))
            yield Lens(id.start, id.end, "step by step", STEP, (path, id.text))


def _patched(project: Project) -> Mapping[str, set[str]]:
    """The packs that change each item."""
    found: dict[str, set[str]] = {}
    for (id, _), changes in project.snapshot.now.history.items():
        found.setdefault(id, set()).update(one.pack for one in changes)
    return found


# ------------------------------------------------------------------ links to the reference

CLAUSE = ":clause/"
# Under which sort the reference knows what is no item.
SORTS = {"moment": "operation", "enum": "type"} | {
    sort: sort
    for sort in ("operation", "query", "type", "value", "field", "zone", "variable", "kind")
}


def page_of(meaning: Meaning) -> str:
    """The page and the anchor of a name; empty for what has none, such as a variable of a text."""
    name = meaning.name
    if meaning.table == "item" and CLAUSE in name:
        return link_to("clause", name.partition(CLAUSE)[2])
    if meaning.table == "item":
        return item_link(name)
    sort = SORTS.get(meaning.table, "")
    if sort == "field":  # the reference knows it by the thing that has it
        return link_to(sort, name) if "." in name else ""
    return link_to(sort, name.rpartition(".")[2]) if sort else ""


def link_in(site: str, meaning: Meaning) -> str:
    """The address of a name in the reference at `site`; empty without one."""
    page = page_of(meaning)
    return f"{site.rstrip('/')}/{page}" if site and page else ""

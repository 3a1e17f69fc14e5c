"""Makes what the store lacks: findings, programs, texts and sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ruleloom.api.content_error import ContentError
from ruleloom.api.content_sources import sources_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult, compile_paths, load
from ruleloom.runtime.program.program import Program
from ruleloom.store.findings import Findings
from ruleloom.store.item_texts import ItemTexts
from ruleloom.store.rule_sources import RuleSources
from ruleloom.store.store import NewValue, get_bytes

T = TypeVar("T")


def findings_of(result: CompileResult) -> Findings:
    """The findings and infos of a result, with the counts of packs and items."""
    content = result.content
    packs, items = (len(content.packs), len(content.items)) if content is not None else (0, 0)
    found = tuple(sorted((*result.diagnostics, *result.infos), key=Diagnostic.order))
    return Findings(found, result.sources, result.ok, packs, items)


def made_findings(paths: Sequence[str], kept: bool = True) -> NewValue[Findings]:
    """The findings in packs, including unmet requirements and missing drivers. With `kept`, stored interfaces
    of the packs below may be used."""
    interfaces = partial(get_bytes, "interface") if kept else None
    result = _with_driver(compile_paths(paths, reasons=False, interfaces=interfaces, played=False))
    return _made(findings_of(result), result)


def findings_of_cases(packs: Sequence[str | Path], files: Sequence[Path]) -> Findings:
    """The findings in case files outside any pack, checked with the game of these packs."""
    return findings_of(compile_paths(packs, reasons=False, loose=files))


def made_program(paths: Sequence[str], texts: bool) -> NewValue[Program]:
    """The program to play, with texts; or the one to compute numbers, without reasons. Raises ContentError
    for packs with mistakes."""
    result = compile_paths(paths, texts=texts, reasons=texts, scenarios=False)
    return _made(sound(result)[0], result)


def made_texts(paths: Sequence[str]) -> NewValue[ItemTexts]:
    """The texts of all items; ContentError for packs with mistakes."""
    result = compile_paths(paths, texts=True, reasons=False, scenarios=False)
    program, content = sound(result)
    return _made(texts_of(content, program), result)


def made_sources(paths: Sequence[str]) -> NewValue[RuleSources]:
    """The sources of rules, not compiled. Raises ContentError for packs that cannot be read."""
    content, texts = read_content(paths)
    return NewValue(sources_of(content), texts, content.folders)


def read_content(paths: Sequence[str]) -> tuple[Content, Mapping[str, str]]:
    """The content of packs, not compiled, and the texts of their files. Raises ContentError for packs that
    cannot be read."""
    report = Report()
    content = load(paths, report, scenarios=False)
    if content is None or report.has_errors:
        raise ContentError(findings_of(compile_paths(paths, reasons=False, scenarios=False)))
    return content, {shown: source.text for shown, source in content.sources.items()}


def texts_of(content: Content, program: Program) -> ItemTexts:
    """The texts of all items of a game, from a program compiled with texts."""
    clauses = dict(clause_texts(content))
    full, cards = (
        {
            one.id: generated.get(one.id) or clauses.get(one.id) or as_written(one)
            for one in content.items
        }
        for generated in (dict(program.texts), program.card_texts())
    )
    return ItemTexts(full, cards)


def clause_texts(content: Content) -> Iterator[tuple[str, str]]:
    """What each clause of the rules says, where in the book, and the items that carry it out."""
    carried: dict[str, list[str]] = defaultdict(list)
    for item in content.items:
        for cited in item.data("clauses") or ():
            carried[cited].append(item.id)
    for clause in content.by_kind("clause"):
        page, place, sort = map(clause.data, ("page", "place", "sort"))
        where = {"Place": place, "Page": page, "Sort": sort}
        told = "; ".join(f"{label}: {said}" for label, said in where.items() if said is not None)
        items = carried[clause.name]
        done = f"Carried out by {', '.join(items)}." if items else "No item carries this out."
        yield clause.id, "\n".join(filter(None, (str(clause.data("words")), told, done)))


def as_written(item: Item) -> str:
    """The author's own words and effect, for an item without a generated text."""
    fields = map(item.data, ("title", "english", "gloss", "effect", "is", "holds"))
    words = [field.rstrip("\n") for field in fields if isinstance(field, str)]
    return "\n".join(words) or "nothing is written about it"


def sound(result: CompileResult) -> tuple[Program, Content]:
    """The program and content of a result; ContentError for packs with mistakes."""
    if result.program is None or result.content is None:
        raise ContentError(findings_of(result))
    return result.program, result.content


def _made(value: T, result: CompileResult) -> NewValue[T]:
    packs = result.content.folders if result.content is not None else None
    return NewValue(value, result.sources, packs)


def _with_driver(result: CompileResult) -> CompileResult:
    """A result with its requirements checked, and without a program if a driver is missing."""
    program = result.program
    if program is None:
        return result
    # Imported late: both load the machine, which is slow, and few packs need them.
    if not all(one.of for one in program.queries) or any(
        one.sets is None for one in program.operations
    ):
        from ruleloom.api.missing_driver import with_driver

        result = with_driver(result)
        content = result.content
        # A pack on top of a game leaves what its driver takes as it is.
        if content is not None and content.game not in content.built_upon:
            from ruleloom.api.driver_binding import with_binding

            result = with_binding(result)
    if result.program is None or not result.program.requirements:
        return result
    from ruleloom.api.requirements import with_requirements

    return with_requirements(result)


MAKERS: Mapping[str, Callable[..., NewValue[Any]]] = {
    "findings": made_findings,
    "game": partial(made_program, texts=True),
    "rules": partial(made_program, texts=False),
    "texts": made_texts,
    "sources": made_sources,
}
"""The makers by name of the kind, so that a check need not load the reader of programs."""

"""Compiles the content of a game into its program, by one list of passes.

Content with errors has no program; equal content gives an equal program.

The English modules are imported where they are used, not above: a mere check needs none, and loading
them takes longer than the rest of the check of a small pack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ruleloom.compiler.cases.check_cases import CaseChecks, check_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Reason
from ruleloom.compiler.lint import run_checks
from ruleloom.compiler.lint.deprecated import deprecated
from ruleloom.compiler.lower import (
    action_texts,
    answer_order,
    budget,
    lasting_effects,
    menus,
    passes,
    simultaneous,
)
from ruleloom.compiler.lower.budget import Uses, counted
from ruleloom.compiler.lower.program import Build, assemble
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import WORD, Content, Item
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.query.reuse import BuildKey, Generation, Generations
from ruleloom.compiler.resolve.embedded import NameUse, NameUses
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Program

RULES = ("effect", "abilities")
"""The fields of an item that its printed text may tell otherwise."""


class Pass(Frozen):
    """A pass of the build, which `needs` some parts of a `Build` and `gives` others."""

    run: Callable[[Build], None]
    needs: str
    gives: str


# First names, then texts, then the whole game. A test checks `needs` and `gives` of each pass; every
# pass also reads the content and writes to the report.
PASSES = (
    Pass(passes.enter_names, "", "symbols"),
    Pass(passes.plan_abilities, "symbols reason", "bodies"),
    Pass(passes.make_entities, "symbols bodies", "entities"),
    Pass(passes.lower_defaults, "symbols bodies", ""),
    Pass(passes.parse_effects, "bodies", ""),
    Pass(menus.enter_menus, "symbols bodies", ""),
    Pass(passes.lower_functions, "symbols bodies", "functions stats"),
    Pass(passes.lower_scope, "symbols bodies", "scope"),
    Pass(passes.lower_operations, "bodies", "assignments moves"),
    Pass(passes.lower_routines, "symbols bodies", "checked"),
    Pass(action_texts.check_action_texts, "symbols bodies", ""),
    Pass(lasting_effects.lower_lasting, "symbols bodies", "checked always triggers"),
    Pass(passes.lower_triggers, "bodies checked", "triggers replacements items borne among"),
    Pass(
        answer_order.order_answers,
        "symbols bodies entities functions scope assignments moves checked triggers replacements items",
        "",
    ),
    Pass(passes.check_roll_words, "symbols checked", ""),
    Pass(passes.lower_printed, "symbols bodies", "requirements sheets layouts"),
    Pass(passes.lower_always, "bodies", "always"),
    Pass(passes.lower_parts, "symbols bodies", "functions"),
    Pass(lasting_effects.watch_variables, "symbols functions checked always", ""),
    Pass(
        passes.summarize,
        "symbols entities functions assignments moves checked triggers replacements",
        "summaries",
    ),
    Pass(budget.check_uses, "symbols bodies items summaries", ""),
    Pass(budget.refuse_many, "", ""),
    Pass(budget.check_triggers, "items triggers summaries", ""),
    Pass(
        simultaneous.hold_together,
        "symbols bodies stats scope assignments moves checked triggers replacements borne among "
        "summaries",
        "",
    ),
    Pass(budget.check_late_ensures, "checked items summaries", ""),
    Pass(
        run_checks,
        "symbols bodies entities functions assignments moves checked triggers replacements items always "
        "summaries",
        "",
    ),
    Pass(budget.add_bounds, "symbols bodies checked triggers replacements items", "routines"),
)


def build_program(
    content: Content,
    report: Report,
    texts: bool = False,
    reasons: bool = True,
    builds: Generations | None = None,
    cases: Report | None = None,
    compare: bool = True,
    uses: list[NameUse] | None = None,
    played: bool = True,
) -> Program | None:
    """Check all of a game's content; return its program, or None if it has errors.

    With `texts` the program holds the generated rules text of each item, with `reasons` its
    conditions say why an option is refused. Unchanged results of earlier `builds` are reused, and
    this build is added to them. Errors in the content's cases go to `cases`, as the game can be
    played without them. With `compare`, printed texts are compared with their rules. The meanings of
    names in texts are appended to `uses`. A program that is not `played` does not say who does what.
    """
    reason: Reason | None = None
    if reasons:
        from ruleloom.compiler.english.clause import reason_template  # see the head

        reason = reason_template
    key = BuildKey(_manifests(content), reasons, texts)
    before = builds.before(key) if builds is not None and content.complete else None
    is_recorded = uses is not None or bool(deprecated(content))
    build = _built(content, report, reason, before, NameUses(is_recorded))
    if uses is not None:
        uses += build.symbols.uses
    try:
        if cases is not None:
            check_cases(build, cases)
        if builds is not None and content.complete:
            builds.keep(key, build.reuse.now)
        if report.has_errors:
            return None
        made = assemble(build, played)
        if content.by_kind("translation"):
            from ruleloom.compiler.translation.checks import check_translations  # see the head

            check_translations(build, made)
        printed = _printed(build.content) if texts or compare else []
        if texts or printed:
            made = _with_texts(build, made, texts, printed)
        return made
    finally:
        build.reuse.finish()


def uses_of(content: Content) -> Uses:
    """The costs of the uses of a game, with reasons; partial where the game has errors."""
    return counted(_again(content))


def case_checks_of(content: Content, path: str, builds: Generations) -> CaseChecks:
    """The case checks of a sound game, for cases of the file `path`, which belongs to no pack."""
    files, loose = {**content.files, path: (content.packs[-1].id, path)}, content.loose | {path}
    return CaseChecks(_again(replace(content, files=files, loose=loose), builds))


def names_and_effects(
    content: Content, builds: Generations | None = None
) -> tuple[Symbols, Mapping[str, tuple[ast.Stmt, ...]]]:
    """The symbols of a sound game after all passes (menus with their ways, moments with their
    answers), and the effects by item. Without `builds` all texts are checked anew."""
    build = _again(content, builds)
    return build.symbols, build.effects


def _again(content: Content, builds: Generations | None = None) -> Build:
    """The build of a game without a report or reasons; results of earlier `builds` are reused."""
    key = BuildKey(_manifests(content), reasons=False, texts=False)
    before = builds.before(key) if builds is not None else None
    return _built(content, Report(), None, before)


def rules_texts_of(content: Content, builds: Generations) -> Mapping[str, str]:
    """The generated rules text of each item that has one, by its id: without its fields, its author's
    words and its patches."""
    from ruleloom.compiler.english.rules_text import Book  # see the head of this module

    book = Book(content, *names_and_effects(content, builds))
    found = ((item.id, book.rules(item)) for item in content.items)
    return {id: rules for id, rules in found if rules}


def _manifests(content: Content) -> tuple[str, ...]:
    return tuple(pack.manifest.place.path for pack in content.packs)


def names_and_bodies(content: Content) -> Bodies:
    """The context that texts of a game, sound or not, are checked in: all names, and the bodies of
    rules and measures, checked on demand. No text is lowered."""
    symbols = Symbols(game=content.game, belonging=Belonging.of(content))
    build = Build(content, Report(), symbols, None)
    _run(build, menus.enter_menus)
    return build.bodies


def _built(
    content: Content,
    report: Report,
    reason: Reason | None,
    before: Generation | None = None,
    uses: NameUses | None = None,
) -> Build:
    # A first run checks all texts, to find out what those that run later have to keep.
    noted = partial(_run, last=passes.lower_triggers)
    content = lasting_effects.with_later(content, report, noted)
    belonging = Belonging.of(content)
    symbols = Symbols(game=content.game, belonging=belonging, uses=uses or NameUses())
    build = Build(content, report, symbols, reason, before)
    _run(build)
    return build


def _run(build: Build, last: Callable[[Build], None] | None = None) -> None:
    """Run the passes, up to `last`."""
    for one in PASSES:
        build.report.go_on()
        one.run(build)
        if one.run is last:
            return


def _printed(content: Content) -> list[Item]:
    """The items with rules and a printed text that is new, or may have become wrong as their rules name
    what has changed."""
    below, changed = content.built_upon, {id for id, _ in content.history}
    items = (one for one in content.items if one.id in changed)
    touched = {one.slug for one in (*items, *content.disabled)} if changed else set[str]()

    def may_differ(item: Item) -> bool:
        rules = [item.fields[name] for name in RULES if name in item.fields]
        if not rules or "text" not in item.fields:
            return False
        if item.pack not in below or item.id in changed or (changed and content.renamed):
            return True
        return not touched.isdisjoint(WORD.findall(" ".join(one.text or one.raw for one in rules)))

    return [item for item in content.items if may_differ(item)]


def _with_texts(build: Build, made: Program, texts: bool, printed: list[Item]) -> Program:
    """The program, with rules texts if `texts`; the `printed` texts are compared with their rules."""
    from ruleloom.compiler.english.compare import compare_texts  # see the head of this module
    from ruleloom.compiler.english.rules_text import all_texts, book_of

    compare_texts(build, printed)
    if not texts:
        return made
    symbols = build.symbols
    told = all_texts(book_of(build), build.reuse)
    powers = sorted(symbols.powers.values(), key=lambda power: power.id)
    glosses = tuple((power.id, power.english) for power in powers if power.english)
    return replace(made, texts=told.full, cards=told.cards, glosses=glosses)

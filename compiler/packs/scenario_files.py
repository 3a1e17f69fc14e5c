"""Checks the fields of the cases in scenario files, without running anything.

It only warns, as the game can be played while a case of it cannot. Of the values only effect texts
of several lines are read, as a line may have slipped in them; `ruleloom test` reads the rest.
"""

from __future__ import annotations

from collections.abc import Collection

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.compiler.yaml.source_map import effect_text

EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "clauses", *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example
DO = "do"  # the key of a step that runs effect text
GIVEN_TO_BUILD = ("things", "settings", "switches")
GIVEN_TO_TRY = (*GIVEN_TO_BUILD, "players", "me", "state", "made", "zones")


def check_cases(root: YamlNode, report: Report) -> None:
    """Warn about each case of a file that no machine can read."""
    for case in items_of(root.get("cases")):
        if case.kind == "map":
            _check_fields(case, report)
            _read_texts(case, report)


def _check_fields(case: YamlNode, report: Report) -> None:
    given = case.get("given")
    builds = "things" in entries_of(given)
    needed = ("id", "then") if builds else ("id", "when", "then")
    missing = next((key for key in needed if key not in case.entries), None)
    if not _warn_of_unknown(case, (*CASE_FIELDS, *ABOUT), "a case", report) and missing:
        place = (case.get("id") or case).place
        message, help = f"a case needs `{missing}`", f"add `{missing}:`"
        report.warning("unreadable-case", place, message, help)
    fields = _given_fields(case, builds)
    if given is not None and given.kind == "map" and fields:
        _warn_of_unknown(given, fields, "`given`", report)


def _read_texts(case: YamlNode, report: Report) -> None:
    """Warn about syntax in effect texts of several lines, unless the case expects a refusal."""
    if "refused" in entries_of(case.get("then")):
        return
    for step in items_of(case.get("when")):
        node = step.get(DO)
        if node is None or node.style != "|":
            continue
        own = Report()
        written = effect_text(node.source, node, own)
        if written is not None:
            try:
                parse_block(written.text)
            except EffectSyntaxError as error:
                own.error(error.code, written.place_of(error.span), error.message, error.help)
        for found in own.diagnostics():
            report.warning(found.code, found.place, found.message, found.help, found.notes)


def _warn_of_unknown(node: YamlNode, known: Collection[str], what: str, report: Report) -> bool:
    before = ""
    for key in node.entries:
        if key not in known:
            help = did_you_mean(key, [one for one in known if one not in node.entries])
            if help is None and before in EXAMPLE_FIELDS:
                help = f"a part of `{before}:` stands further in than `{before}:` itself"
            listed = ", ".join(one for one in known if one not in ABOUT)
            message = f"{what} has no `{key}`; it has {listed}"
            report.warning("unreadable-case", node.key_place(key), message, help)
            return True
        before = key
    return False


def _given_fields(case: YamlNode, builds: bool) -> tuple[str, ...]:
    """What `given` may hold; nothing where only the notation of the game knows."""
    when = case.get("when")
    if when is None:
        return GIVEN_TO_BUILD if builds else ()
    return GIVEN_TO_TRY if any(DO in step.entries for step in when.items) else ()

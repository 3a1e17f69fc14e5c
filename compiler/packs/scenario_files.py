"""Checks the fields of the cases in scenario files, without running anything.

In go the nodes of a file; out come warnings: a game can be played while a case of it cannot. Of
what the fields hold only effect texts of several lines are read, as a line may have slipped in
them; `ruleloom test` reads the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode
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
    cases = root.get("cases")
    for case in cases.items if cases is not None else ():
        if case.kind != "map":
            continue
        known = (*CASE_FIELDS, *ABOUT)
        if not _warn_of_unknown(case, known, "a case", report):
            _warn_of_missing(case, report)
        given = case.get("given")
        fields = _given_fields(case)
        if given is not None and given.kind == "map" and fields:
            _warn_of_unknown(given, fields, "`given`", report)
        _read_texts(case, report)


def _read_texts(case: YamlNode, report: Report) -> None:
    """Warn about syntax in effect texts of several lines, unless the case expects a refusal."""
    when, then = case.get("when"), case.get("then")
    if then is not None and "refused" in then.entries:
        return
    for step in when.items if when is not None else ():
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
    """Warn about the first field that is none."""
    before = ""
    for key in node.entries:
        if key not in known:
            close = did_you_mean(key, [one for one in known if one not in node.entries])
            if close is None and before in EXAMPLE_FIELDS:
                close = f"a part of `{before}:` stands further in than `{before}:` itself"
            message = f"{what} has no `{key}`; it has {', '.join(one for one in known if one not in ABOUT)}"
            report.warning("unreadable-case", node.key_place(key), message, close)
            return True
        before = key
    return False


def _warn_of_missing(case: YamlNode, report: Report) -> None:
    """Warn about the first field that a case needs and has not."""
    missing = next((key for key in _needed(case) if key not in case.entries), None)
    if missing is not None:
        named = case.get("id")
        place = named.place if named is not None else case.place
        report.warning("unreadable-case", place, f"a case needs `{missing}`", f"add `{missing}:`")


def _needed(case: YamlNode) -> Iterator[str]:
    yield "id"
    given = case.get("given")
    if given is None or "things" not in given.entries:
        yield "when"
    yield "then"


def _given_fields(case: YamlNode) -> tuple[str, ...]:
    """What `given` may hold; nothing where only the notation of the game knows."""
    given, when = case.get("given"), case.get("when")
    if when is None:
        return GIVEN_TO_BUILD if given is not None and "things" in given.entries else ()
    return GIVEN_TO_TRY if any(DO in step.entries for step in when.items) else ()

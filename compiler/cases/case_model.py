"""One typed case of a file: with its places for the checks, as plain data for the runner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, to_data
from ruleloom.runtime.dataclass import dataclass

LIKE = "like"
THINGS = "things"  # each is an item of its own: one that a case gives again is another
EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "title", "clauses", LIKE, *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example
# Claims about things and texts, for which there is nothing in the notation of a game.
OF_THINGS = ("numbers", "unmet", "odds")
ABOUT_THINGS = "`given: {things: ...}` makes something to claim that of; or `when: [{do: ...}]`"
THEN = "then"  # what holds: of a case, or after one of its steps
DO = "do"  # the key of a step that runs effect text
ANSWERS = "answers"
NOT_UNDERSTOOD = "not understood"  # what begins the result of a case with a slip
PROSE, BUILD, ATTEMPT, PLAYED = "prose", "build", "attempt", "played"


@dataclass(frozen=True, slots=True, eq=False)
class CaseNode:
    """A case where it stands: `body` holds `given`, `when` and `then`; `form` says how it is run.

    What cannot stand so in any game is among its `findings`.
    """

    name: str
    whole: YamlNode
    body: YamlNode
    form: str
    findings: tuple[Diagnostic, ...] = ()

    @property
    def refused(self) -> bool:
        """Does it claim that what it brings does not compile, or cannot be played?"""
        return "refused" in entries_of(self.body.get("then"))

    @property
    def illegal(self) -> bool:
        """Does it claim that something is refused?"""
        legal = entries_of(self.body.get("then")).get("legal")
        return legal is not None and legal.value is False

    @property
    def is_meant_illegal(self) -> bool:
        """Does it claim that, or give a reason for it beside a misspelt claim?"""
        return self.illegal or "reason" in entries_of(self.body.get("then"))


@dataclass(frozen=True, slots=True)
class Case:
    """A case for its run: the clauses it proves, its position, steps and claims as plain data."""

    id: str
    clauses: tuple[str, ...]
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None  # None where `when` is prose
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""  # what is wrong with its form
    things: YamlNode | None = None  # without steps, they are only built
    texts: tuple[YamlNode, ...] = ()  # of `do:` steps
    title: str = ""
    node: YamlNode | None = None  # where it stands

    @classmethod
    def of(cls, read: CaseNode) -> Case:
        """A case of a file as plain data; of one that cannot stand so, only what is wrong with it."""
        node, body = read.whole, read.body
        path, line = node.source.path, node.place.line
        name = _text(node.get("id")) or f"line {line}"
        fault = _fault(read.findings)
        if fault:
            return cls(name, (), {}, (), {}, path, line, fault, node=node)
        usual = [name] if body is not node else []  # an example proves its own clause
        steps, given = items_of(body.get("when")), body.get("given")
        return cls(
            name,
            tuple(_data(node.get("clauses"), usual)),
            _data(given, {}),
            None if read.form == PROSE else tuple(map(to_data, steps)),
            _data(body.get("then"), {}),
            path,
            line,
            things=entries_of(given).get("things") if read.form in (BUILD, ATTEMPT) else None,
            texts=tuple(one.entries[DO] for one in steps) if read.form == ATTEMPT else (),
            title=_text(node.get("title")),
            node=node,
        )


def _fault(findings: Iterable[Diagnostic]) -> str:
    """The first mistake, for the result of a case; empty if there is none."""
    wrong = next((one for one in findings if one.severity == "error"), None)
    if wrong is None:
        return ""
    help = f": {wrong.help}" if wrong.help else ""
    return f"{NOT_UNDERSTOOD}: line {wrong.place.line}: {wrong.message}{help}"


def _text(node: YamlNode | None) -> str:
    return "" if node is None else node.text or ""


def _data(node: YamlNode | None, usual: Any) -> Any:
    """A list or mapping as plain data; the usual one where it is left out, or is none."""
    found = None if node is None else to_data(node)
    return found if isinstance(found, type(usual)) else usual


def reasons_in(cases: Iterable[Case]) -> dict[str, str]:
    """The reason that each case of a refusal states, by the name of the case."""
    return {case.id: str(case.then["reason"]) for case in cases if "reason" in case.then}


def chosen_in(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings and switches of a case."""
    return {
        str(name).replace("-", "_"): value
        for part in ("switches", "settings")
        for name, value in sorted((given.get(part) or {}).items())
    }

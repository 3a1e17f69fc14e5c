"""The words of a file of cases that no game changes, and the cases in it by their form."""

from __future__ import annotations

from dataclasses import dataclass

from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of

EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "clauses", *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example
DO = "do"  # the key of a step that runs effect text
GIVEN_TO_BUILD = ("things", "settings", "switches")
GIVEN_TO_TRY = (*GIVEN_TO_BUILD, "players", "me", "state", "made", "zones")
PROSE, BUILD, ATTEMPT, PLAYED = "prose", "build", "attempt", "played"


@dataclass(frozen=True, slots=True, eq=False)
class CaseNode:
    """A case of a file: `body` holds `given`, `when` and `then`; `form` says how it is run."""

    name: str
    whole: YamlNode
    body: YamlNode
    form: str

    @property
    def refused(self) -> bool:
        """Does it claim that what it brings does not compile, or cannot be played?"""
        return "refused" in entries_of(self.body.get("then"))

    @property
    def illegal(self) -> bool:
        """Does it claim that something is refused?"""
        legal = entries_of(self.body.get("then")).get("legal")
        return legal is not None and legal.value is False


def case_nodes(root: YamlNode) -> list[YamlNode]:
    """The cases of a file: clauses with `example:`, a list of cases, or `cases:`."""
    found = [node for node in root.items if _is_case(node)]
    return found or items_of(root.get("cases"))


def _is_case(node: YamlNode) -> bool:
    """Whether an entry of a list is a clause with an example, or a case by itself."""
    keys = node.entries.keys()
    return "example" in keys or ("then" in keys and not keys.isdisjoint(("when", "given")))


def form_of(body: YamlNode) -> str:
    """How a case is run."""
    when = body.get("when")
    if when is None:
        return BUILD
    if when.kind == "text":
        return PROSE
    tries = any(DO in step.entries for step in when.items) or _looks_like_attempt(body)
    return ATTEMPT if tries else PLAYED


def _looks_like_attempt(body: YamlNode) -> bool:
    """Is a case without any `do:` written as one that tries effect text, with a slip in it?"""
    given = entries_of(body.get("given"))
    steps = items_of(body.get("when"))
    return bool(steps) and ("things" in given or any("answers" in one.entries for one in steps))

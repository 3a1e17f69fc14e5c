"""The words of a file of cases that no game changes, and the cases in it by their form.

A case may begin from another (`like: ID`): it then has what that one gives, but for what it gives
otherwise, and its steps, if it has none itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.dataclass import dataclass

LIKE = "like"
THINGS = "things"  # each is an item of its own: one that a case gives again is another
EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "title", "clauses", LIKE, *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example
THEN = "then"  # what holds: of a case, or after one of its steps
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

    @property
    def is_meant_illegal(self) -> bool:
        """Does it claim that, or give a reason for it beside a misspelt claim?"""
        return self.illegal or "reason" in entries_of(self.body.get("then"))


def case_nodes(root: YamlNode) -> list[YamlNode]:
    """The cases of a file: clauses with `example:`, a list of cases, or `cases:`."""
    return with_shared(written_cases(root))


def written_cases(root: YamlNode) -> list[YamlNode]:
    """The cases of a file as they are written, without what one has from another."""
    found = [node for node in root.items if _is_case(node)]
    return found or items_of(root.get("cases"))


def _is_case(node: YamlNode) -> bool:
    """Whether an entry of a list is a clause with an example, or a case by itself."""
    keys = node.entries.keys()
    return "example" in keys or ("then" in keys and not keys.isdisjoint(("when", "given", LIKE)))


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


# ----------------------------------------------------------------------- cases that begin from another


def with_shared(nodes: Sequence[YamlNode]) -> list[YamlNode]:
    """The cases, each with what it has from the one that it is like."""
    return [_whole(node, nodes, ()) for node in nodes]


def why_not_like(node: YamlNode, nodes: Sequence[YamlNode]) -> tuple[str, str | None] | None:
    """What is wrong with the name of the case that one begins from, and what helps."""
    like = node.get(LIKE)
    if like is None:
        return None
    name = like.text
    if name is None:
        return "the id of another case is wanted here", None
    if _called(name, nodes) is None:
        known = [id for one in nodes if (id := _id(one)) != _id(node)]
        return f"no case of this file is called `{name}`", did_you_mean(name, known)
    seen = [node]
    while seen[-1].get(LIKE) is not None:
        other = _called(seen[-1].entries[LIKE].text or "", nodes)
        if other is None:
            break
        if any(other is one for one in seen):
            return f"`{name}` begins from this case itself", "let one of them say all of its table"
        seen.append(other)
    return None


def _id(node: YamlNode) -> str:
    id = node.get("id")
    return id.text or "" if id is not None else ""


def _called(name: str, nodes: Sequence[YamlNode]) -> YamlNode | None:
    return next((one for one in nodes if one.kind == "map" and _id(one) == name), None)


def _whole(node: YamlNode, nodes: Sequence[YamlNode], seen: tuple[YamlNode, ...]) -> YamlNode:
    like = node.get(LIKE)
    other = _called(like.text or "", nodes) if like is not None else None
    if other is None or any(other is one for one in (node, *seen)):
        return node
    base = _whole(other, nodes, (*seen, node))
    shared: dict[str, YamlNode] = {
        key: base.entries[key] for key in ("given", "when") if key in base.entries
    }
    given = node.get("given")
    if given is not None and "given" in shared:
        shared["given"] = _merged(shared["given"], given)
        return _map(node, base, {**shared, **node.entries, "given": shared["given"]})
    return _map(node, base, {**shared, **node.entries})


def _merged(base: YamlNode, own: YamlNode) -> YamlNode:
    """A map with what both say; where both say something of the same, the second."""
    if base.kind != "map" or own.kind != "map":
        return own
    entries = dict(base.entries)
    for key, one in own.entries.items():
        before = base.get(key)
        if before is not None and key == THINGS and one.kind == before.kind == "map":
            entries[key] = _map(one, before, {**before.entries, **one.entries})
        else:
            entries[key] = one if before is None else _merged(before, one)
    return _map(own, base, entries)


def _map(own: YamlNode, base: YamlNode, entries: dict[str, YamlNode]) -> YamlNode:
    spans = {**(base.key_spans or {}), **(own.key_spans or {})}
    return YamlNode(own.source, "map", entries, own.start, own.end, own.style, spans)

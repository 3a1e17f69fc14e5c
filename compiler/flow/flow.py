"""Local variables and what is known of them on the way through an effect.

A `Flow` says, at one point of the text, which locals may be set, which certainly are, which
expressions are known not to be none, and whether this point can be reached at all. Flows are
values: a branch starts from a copy, and `merge` puts the ends of branches together again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace

from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import join
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.expr import mentions, walk
from ruleloom.runtime.program.interval import Interval, joined
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Type

Facts = frozenset[Expr]
NO_FACTS: Facts = frozenset()
_WORLD = frozenset(("field", "zone", "at", "query", "function", "allowed"))

# No name in a text can begin like this. Programs hold the names of slots, these among them.
_UNNAMED = "$"


def unnamed(name: str) -> str:
    """Return the name of a slot for something that the text does not name, after what it is."""
    return f"{_UNNAMED}{name}"


def is_unnamed(name: str) -> bool:
    """Say whether this is the name of a slot that no text can read."""
    return name.startswith(_UNNAMED)


def plain_name(name: str) -> str:
    """Return the name of a slot as people read it, also where no text can."""
    return name.removeprefix(_UNNAMED)


class ZoneRead(Frozen):
    """A look into a zone; `owner` is the player, None if it is nobody's or unknown.

    With `chosen` it only looks at what somebody chose from there, who may since have shown it. With
    `told` the owner (a player, or a list of players) was told what nobody else knows: things in a
    zone, or what a variable called `zone` holds. `counted`: all know how many there are.
    """

    zone: str
    owner: Expr | None
    place: Place
    chosen: bool = False
    told: bool = False
    counted: bool = False


@dataclass(slots=True)
class Local:
    """One local variable. `hidden` are the zones its value was read from.

    `low` and `high` bound the number, or the length of the list, where that is known. A `broken`
    one was set to something that was complained about. `begun` is what a number began as that only
    answers to moments change, those of `opened` by now.
    """

    name: str
    slot: int
    type: Type
    place: Place
    word: str
    hidden: tuple[ZoneRead, ...] = ()
    low: int | None = None
    high: int | None = None
    used: bool = False
    broken: bool = False
    parts: tuple[Local, ...] = ()
    begun: Interval | None = None
    opened: tuple[str, ...] = ()

    def use(self) -> None:
        """Remember that some text reads this variable."""
        self.used = True
        for part in self.parts:
            part.use()


class Flow(Frozen):
    """The state at one point of the text. `ended` means that this point is never reached."""

    visible: Mapping[str, Local] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()
    facts: Facts = NO_FACTS
    ended: bool = False

    def with_local(self, local: Local) -> Flow:
        """The same, after `local` was set."""
        facts = self.forgetting(lambda expr: mentions(expr, ("slot", local.slot))).facts
        others = self.owned_anew(lambda owner: mentions(owner, ("slot", local.slot))).visible
        visible = {**others, local.name: local}
        return Flow(visible, self.certain | {local.name}, facts, self.ended)

    def without(self, name: str) -> Flow:
        """The same, but the local `name` is out of reach again."""
        visible = {key: local for key, local in self.visible.items() if key != name}
        return replace(self, visible=visible, certain=self.certain - {name})

    def knowing(self, facts: Facts) -> Flow:
        """The same, where these expressions are not none."""
        return Flow(self.visible, self.certain, self.facts | facts, self.ended) if facts else self

    def owned_anew(self, test: Callable[[Expr], bool]) -> Flow:
        """The same, where nobody knows any more whose the secrets are whose owner `test` picks."""
        lost: dict[str, Local] = {}
        for name, local in self.visible.items():
            gone = [read.owner is not None and test(read.owner) for read in local.hidden]
            if any(gone):
                reads = zip(local.hidden, gone, strict=True)
                hidden = tuple(
                    replace(one, owner=None) if is_gone else one for one, is_gone in reads
                )
                lost[name] = replace(local, hidden=hidden, parts=(local,))
        return replace(self, visible={**self.visible, **lost}) if lost else self

    def forgetting(self, test: Callable[[Expr], bool]) -> Flow:
        """The same, without the facts that `test` picks."""
        if not self.facts:
            return self
        return replace(self, facts=frozenset(fact for fact in self.facts if not test(fact)))


def merge(flows: Iterable[Flow]) -> Flow:
    """The flow where several ways meet. Ways that have ended do not count."""
    all_ = list(flows)
    open_ = [flow for flow in all_ if not flow.ended]
    first, *others = open_ or all_
    for other in others:
        first = _merge_two(first, other)
    return first if open_ else replace(first, ended=True)


def _merge_two(left: Flow, right: Flow) -> Flow:
    visible = dict(left.visible)
    certain = left.certain & right.certain
    for name, local in right.visible.items():
        mine = visible.get(name)
        if mine is None:
            visible[name] = local
        elif mine is not local:
            together = _same_name(mine, local)
            visible[name] = together or local
            if together is None:
                certain -= {name}
    return Flow(visible, certain, left.facts & right.facts)


def _same_name(left: Local, right: Local) -> Local | None:
    type_ = join(left.type, right.type)
    if type_ is None:
        return None
    low, high = joined([Interval(left.low, left.high), Interval(right.low, right.high)])
    hidden = tuple(dict.fromkeys((*left.hidden, *right.hidden)))
    local = Local(left.name, left.slot, type_, left.place, left.word, hidden, low, high)
    local.broken, local.parts = left.broken or right.broken, (left, right)
    return local


def reads_world(expr: Expr) -> bool:
    """Can the value of a lowered expression change when something happens on the table?"""
    return any(one[0] in _WORLD for one in walk(expr))


def scope_read(expr: Expr) -> frozenset[str]:
    """The scope variables that a lowered expression reads by itself."""
    return frozenset([one[1] for one in walk(expr) if one[0] == "scope"])

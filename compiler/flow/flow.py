"""Local variables and the facts about them along an effect.

A `Flow` holds, for one point of the text, the locals that may be set, those that certainly are, the
expressions known not to be none, and whether the point is reachable. Flows are values: a branch starts
from a copy, and `merge` joins the ends of branches.
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

# No name in a text can begin with this. Programs hold the names of slots, these among them.
_UNNAMED = "$"


def unnamed(name: str) -> str:
    """Return the name of a slot for something unnamed in the text, based on `name`."""
    return f"{_UNNAMED}{name}"


def is_unnamed(name: str) -> bool:
    """Whether this is the name of a slot that no text can read."""
    return name.startswith(_UNNAMED)


def plain_name(name: str) -> str:
    """Return the readable name of a slot, without the mark of an unnamed one."""
    return name.removeprefix(_UNNAMED)


class ZoneRead(Frozen):
    """A read of a zone; `owner` is the player, None if it is nobody's or unknown.

    With `chosen` it only reads a choice from the zone, which may have been shown since. With `told` the
    owner (a player, or a list of players) alone knows the value: things in a zone, or the value of a
    variable called `zone`. `counted`: the number of things is public.
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

    `low` and `high` bound the number, or the length of the list, if known. A `broken` one was set to an
    expression that was reported. `begun` is the initial bound of a number that only answers to moments
    change; `opened` are those moments so far.
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
        """Mark this variable as used."""
        self.used = True
        for part in self.parts:
            part.use()


class Flow(Frozen):
    """The state at one point of the text. `ended` means that it is unreachable."""

    visible: Mapping[str, Local] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()
    facts: Facts = NO_FACTS
    ended: bool = False

    def with_local(self, local: Local) -> Flow:
        """A copy after `local` was set."""
        facts = self.forgetting(lambda expr: mentions(expr, ("slot", local.slot))).facts
        others = self.owned_anew(lambda owner: mentions(owner, ("slot", local.slot))).visible
        visible = {**others, local.name: local}
        return Flow(visible, self.certain | {local.name}, facts, self.ended)

    def without(self, name: str) -> Flow:
        """A copy without the local `name` in scope."""
        visible = {key: local for key, local in self.visible.items() if key != name}
        return replace(self, visible=visible, certain=self.certain - {name})

    def knowing(self, facts: Facts) -> Flow:
        """A copy in which these expressions are not none."""
        return Flow(self.visible, self.certain, self.facts | facts, self.ended) if facts else self

    def owned_anew(self, test: Callable[[Expr], bool]) -> Flow:
        """A copy in which the owners that `test` picks, of hidden values, are unknown."""
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
        """A copy without the facts that `test` picks."""
        if not self.facts:
            return self
        return replace(self, facts=frozenset(fact for fact in self.facts if not test(fact)))


def merge(flows: Iterable[Flow]) -> Flow:
    """The flow where several branches meet, without those that have ended."""
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
    """Whether a lowered expression reads the state of the table."""
    return any(one[0] in _WORLD for one in walk(expr))


def scope_read(expr: Expr) -> frozenset[str]:
    """The scope variables that a lowered expression reads directly."""
    return frozenset([one[1] for one in walk(expr) if one[0] == "scope"])

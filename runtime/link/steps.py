"""Steps: rows and operations made ready to run, one class an operation code.

Frozen classes with slots, not named tuples: the machine dispatches on the class, their fields are
read twice as fast, and questions and chance share base classes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.ops import kept
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Expr, Words
from ruleloom.runtime.program.values import Compiled, Value


@dataclass(frozen=True)
class LinkedAssignment:
    """A column that is set, or an entry of a table in it (`keyed`), which does not keep `unset`.

    `low` and `high` bound a number; whole ones lie between `least` and `greatest` in any case.
    """

    column: int
    keyed: bool
    low: int | None
    high: int | None
    unset: Value
    least: int
    greatest: int

    def hold(self, value: Value) -> None:
        """RuntimeFault for a number, or one in a list, outside of the field's bounds."""
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | Fraction) and not isinstance(number, bool):
                kept(number)
                if not lies_within(number, self.low, self.high):
                    low, high = ("any" if one is None else one for one in (self.low, self.high))
                    raise RuntimeFault(f"a value of {number} for a field of {low} to {high}")


@dataclass(frozen=True)
class LinkedMaker:
    """Brings a thing into play: `begins` are its columns with their first values.

    `present` is the column that is none while a thing is not there.
    """

    plural: str
    present: int
    begins: tuple[tuple[int, Value], ...]


@dataclass(frozen=True)
class LinkedMove:
    """The argument that moves, the column it goes to, and those where it may lie, with kinds."""

    thing: int
    column: int
    sources: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedOperation:
    """An operation of the driver (`function`), or one that does what `sets` and `moves` say.

    `entities` are (argument, column) pairs: an argument whose column entry is none has vanished.
    `becomes` gives the thing, the key or none, and the value of each of `sets`, `owners` whose zone
    each of `moves` goes to.
    """

    info: p.OperationInfo
    function: v.Operation | None
    sets: tuple[LinkedAssignment, ...]
    becomes: Compiled[tuple[tuple[int, Value, Value], ...]]
    entities: tuple[tuple[int, int], ...]
    touches: tuple[int, ...]
    maker: LinkedMaker | None
    moves: tuple[LinkedMove, ...]
    owners: Compiled[tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class LinkedReplacement:
    """`mark` is added to the ignored rules while `routine` runs."""

    mark: str
    where: Compiled[bool] | None
    routine: int


@dataclass(frozen=True, slots=True)
class LinkedStep:
    """A row made ready to run, and how it is answered if it asks anything."""

    takes_sets: ClassVar[bool] = False
    writes: ClassVar[bool] = False
    secret: ClassVar[bool] = False
    chance: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class QuestionStep(LinkedStep):
    """Asks one player for a value, for a set or for a text; `by` is None for who acts."""

    slot: int
    by: Compiled[int | None] | None
    or_none: bool
    default: Compiled[Value] | None


@dataclass(frozen=True, slots=True)
class ChooseStep(QuestionStep):
    """One of the options (`count` one), or a set of them.

    One that is `unseen` is asked even if there are none: else its silence would tell the others so.
    Where one is needed, whoever is asked then says that nothing fits.
    """

    type: str
    options: Compiled[list[Value]]
    count: str
    limit: Compiled[int] | None
    unseen: bool


@dataclass(frozen=True, slots=True)
class ChooseSetStep(ChooseStep):
    """Any of the options, some of them, or all in an order."""

    takes_sets = True


@dataclass(frozen=True, slots=True)
class AskStep(QuestionStep):
    """A text in a player's own words."""

    writes = True
    name: str


@dataclass(frozen=True, slots=True)
class LinkedMode:
    """A way to go on; `test` is None where it is always open."""

    test: Compiled[bool] | None
    to: int


@dataclass(frozen=True, slots=True)
class ModalStep(LinkedStep):
    """A choice of ways to go on."""

    modes: tuple[LinkedMode, ...]
    by: Compiled[int | None] | None


@dataclass(frozen=True, slots=True)
class SecretStep(LinkedStep):
    """A simultaneous secret choice; the answers stand in `slot`, a table by player."""

    secret = True
    slot: int
    name: str
    type: str
    players: Compiled[tuple[int, ...]]
    player_slot: int
    options: Compiled[list[Value]]
    seen_by: Compiled[Value] | None


@dataclass(frozen=True, slots=True)
class ChanceStep(LinkedStep):
    """Dice or a deck answer."""

    chance = True
    slot: int
    name: str


@dataclass(frozen=True, slots=True)
class RollStep(ChanceStep):
    """The sum of some dice, or the face of `each`; none in `seen_by` lets all read it."""

    count: Compiled[int]
    sides: Compiled[int]
    by: Compiled[int | None] | None
    each: bool
    seen_by: Compiled[Value] | None


@dataclass(frozen=True, slots=True)
class DrawStep(ChanceStep):
    """One from the column `pile` (of `holder`, in a zone of players) to a zone."""

    type: str
    pile: int
    kind: str
    ends: int | None
    holder: Compiled[int | None] | None
    zone: str
    owner: Compiled[int | None] | None


@dataclass(frozen=True, slots=True)
class LookStep(ChanceStep):
    """The top of the column `pile`, of which `zone` is the name."""

    type: str
    zone: str
    pile: int
    ends: int
    number: Compiled[int]
    by: Compiled[int | None] | None


@dataclass(frozen=True, slots=True)
class PutStep(LinkedStep):
    """Things put on an end of the column `pile`; `sources` are where they may have lain."""

    things: Compiled[Value]
    type: str
    zone: str
    pile: int
    ends: int
    sources: tuple[tuple[int, str], ...]
    on_top: bool


@dataclass(frozen=True, slots=True)
class ShowStep(LinkedStep):
    """Things that some are shown."""

    things: Compiled[Value]
    type: str
    to: Compiled[Value]


@dataclass(frozen=True, slots=True)
class PickStep(ChanceStep):
    """One from the options, and nothing moves."""

    type: str
    domain: Expr
    options: Compiled[list[Value]]


@dataclass(frozen=True, slots=True)
class OperateStep(LinkedStep):
    """An operation of the vocabulary, unless one of the replacements applies."""

    operation: LinkedOperation
    args: Compiled[tuple[Value, ...]]
    slot: int
    replacements: tuple[LinkedReplacement, ...]
    by: Compiled[int | None] | None


@dataclass(frozen=True, slots=True)
class AtOnceStep(OperateStep):
    """An operation for each of some things, before anything answers, or for itself."""

    item: int
    things: Compiled[tuple[Value, ...]] | None


@dataclass(frozen=True, slots=True)
class SimultaneousStep(LinkedStep):
    """The start of what happens together."""

    slot: int
    counter: int


@dataclass(frozen=True, slots=True)
class ApartStep(LinkedStep):
    """The responses to what happened together."""

    held: Compiled[Value] | None


@dataclass(frozen=True, slots=True)
class AnnounceStep(LinkedStep):
    """A moment to which triggers respond."""

    event: str
    args: Compiled[tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class InsteadStep(LinkedStep):
    """The start of a routine that a replacement may run in place of."""

    args: Compiled[tuple[Value, ...]]
    to: int
    replacements: tuple[LinkedReplacement, ...]


@dataclass(frozen=True, slots=True)
class UseStep(LinkedStep):
    """A call of a routine."""

    routine: int
    args: Compiled[tuple[Value, ...]]
    slot: int
    by: Compiled[int | None] | None


@dataclass(frozen=True, slots=True)
class PowerStep(LinkedStep):
    """A call of the power of a thing, with some scope variables bound anew."""

    entity: str
    thing: Compiled[int | None]
    scope: tuple[tuple[int, Compiled[Value]], ...]


@dataclass(frozen=True, slots=True)
class RelaxStep(LinkedStep):
    """Which rules this routine ignores from here on."""

    rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class WatchedStep(LinkedStep):
    """A variable that is set, and read by rules that always hold."""

    variable: int
    value: Compiled[Value]


@dataclass(frozen=True, slots=True)
class EnsureStep(LinkedStep):
    """A condition without which the use cannot go on."""

    condition: Compiled[bool]
    reason: Words


@dataclass(frozen=True, slots=True)
class SayStep(LinkedStep):
    """A line of the log, which only the player `to` reads if there is one."""

    text: Words
    to: Compiled[int] | None


@dataclass(frozen=True, slots=True)
class FinishStep(LinkedStep):
    """The end of the game."""

    winner: Compiled[int | tuple[int, ...] | None] | None
    reason: Words


@dataclass(frozen=True, slots=True)
class RankStep(LinkedStep):
    """The end of the game, by a number of each of some players."""

    who: Compiled[tuple[int, ...]]
    slot: int
    number: Compiled[int | Fraction]
    reason: Words


@dataclass(frozen=True, slots=True)
class ReturnStep(LinkedStep):
    """The end of the routine."""


PLAIN, RETURN = LinkedStep(), ReturnStep()  # a basic block does what is plain

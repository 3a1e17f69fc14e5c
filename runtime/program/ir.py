"""The rows of a program: its expressions and its statements, as plain frozen data.

Expressions are nested tuples whose first item names the form; `EXPRESSIONS` lists every form with
the shape of its parts. Rows are the statements, one class a form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Origin

# The marks tell what stands in a field: `verify` holds it against the program, the walk of `expr`
# knows an expression from other tuples. A mark is a sort of names, or all the words there are.
Expr = Annotated[tuple[Any, ...], "an expression"]
Slot = Annotated[int, "slot"]
SlotOrNone = Annotated[int, "slot or -1"]
RowNumber = Annotated[int, "row"]
TypeName = Annotated[str, "type"]
ScopeName = Annotated[str, "scope variable"]
ZoneName = Annotated[str, "zone"]
EntityName = Annotated[str, "entity"]
OperationName = Annotated[str, "operation"]
RoutineId = Annotated[str, "routine"]

# The parts of each form: x an expression, x? an expression or None, x* any number of expressions, i
# a slot number, s a name, v a constant (int, bool, str, None or a list of those), c a `value`
# expression.
EXPRESSIONS: Mapping[str, str] = {
    "value": "v",  # a constant
    "slot": "i",  # a local variable
    "scope": "s",  # a scope variable
    "setting": "s",  # a setting or switch
    "players": "",  # all players, in order of seats
    "record": "s c",  # one of an entity that records make, by its number
    "records": "s",  # all of an entity that records make, in their order
    "field": "s x",  # "Piece.pips" of an entity: a column of the world
    "static": "s x",  # "Card.number": printed on the record, never changes
    "zone": "s x?",  # the ids in a zone (of a player)
    "at": "s x",  # what lies at a point of a map zone, or none
    "query": "s x*",
    "function": "s x*",  # a measure or a rule
    "allowed": "s x*",  # a soft rule, or it is being ignored
    "lookup": "x x",  # a table by player, and the player; or one printed on a record, and its key
    # what is looked up, the keys of a printed table, their values, the value for any other key
    "table": "x c c c",
    "list": "x*",
    "not": "x",
    "negative": "x",
    "and": "x x",
    "or": "x x",
    "if": "x x x",  # condition, then, otherwise
    "=": "x x",
    "!=": "x x",
    "<": "x x",
    "<=": "x x",
    ">": "x x",
    ">=": "x x",
    "in": "x x",
    "is_none": "x",
    "..": "x x",
    "+": "x x",
    "-": "x x",
    "*": "x x",
    "div": "x x",
    "mod": "x x",
    "join": "x x",  # list + list, without repeats
    "without": "x x",  # list - list
    "with_dice": "x x",  # dice + faces
    "without_dice": "x x",  # dice - faces
    "count": "x",  # length of a list
    # what looks back (the variable `TOGETHER`), and an expression: as it was before, while things
    # happen together; a condition that held then, or holds now
    "past": "x x",
    "ever": "x x",
    "first": "x x",  # how many, and the list of which these are the first
    # name of the aggregate, value, slot of the candidate, domain, where
    "each": "s x? i x x?",
}
TOGETHER = "what happens together"
"""The variable of what happens together: none, or whether texts look back, and the world before."""
DOER = "who does it"
"""The variable of who does what a power does that was handed to somebody; none: whoever acts."""
# What one roll may be made of at most.
MOST_DICE, MOST_SIDES = 1_000, 10_000
AGGREGATES = ("count", "exists", "every", "those", "sum", "highest", "lowest")


# English with holes: a text, or an expression with the name of its type.
Template = tuple[str | tuple[Expr, TypeName], ...]
# What people read: a text as it stands, or one whose holes are filled when it is shown.
Words = str | Template


class Condition(Frozen):
    """One conjunct of a `where` or `when`, and the English that explains a refusal."""

    test: Expr
    english: Template


class Row(Frozen):
    origin: Origin = field(compare=False, repr=False)


class Let(Row):
    slot: Slot
    value: Expr


class SetScope(Row):
    name: ScopeName
    value: Expr


class SetWatched(SetScope):
    """The same of a variable that a rule reads which always holds: that is kept at once."""


class Jump(Row):
    to: RowNumber


class JumpUnless(Row):
    condition: Expr
    to: RowNumber


class Choose(Row):
    """Ask for one value (`count` one) or a set of values (up_to, exactly, any) of `domain`, or for
    all of them in an order.

    `name` is the variable's name in the source, `type` the type of one option. Candidates stand in
    `slot` while `conditions` are tested. `by` is None for the scope variable `me`.
    """

    slot: Slot
    name: str
    type: TypeName
    count: Annotated[str, ("one", "up_to", "exactly", "any", "order")]
    limit: Expr | None
    domain: Expr
    conditions: tuple[Condition, ...]
    by: Expr | None
    or_none: bool
    default: Expr | None
    prompt: Words


class Mode(Row):
    """One way to go on. Only the label of an `optional` can have holes: others are answered by it."""

    label: Words
    conditions: tuple[Condition, ...]
    to: RowNumber


class Modal(Row):
    """Ask which way to go on. `kind` is choose, optional (two modes: do it, skip) or combine (one
    after the other, together)."""

    kind: Annotated[str, ("choose", "optional", "combine")]
    by: Expr | None
    prompt: Words
    modes: tuple[Mode, ...]


class Secret(Row):
    """Ask several players at once; the answers are shown together, as a table by player in `slot`.

    `player_slot` holds the player while that player's `domain` and `conditions` are worked out.
    """

    slot: Slot
    name: str
    type: TypeName
    players: Expr
    player_slot: Slot
    candidate_slot: Slot
    domain: Expr
    conditions: tuple[Condition, ...]
    prompt: Words


class SecretForSome(Secret):
    """The same, shown only to `seen_by`, a player or a list of players."""

    seen_by: Expr


class Ask(Row):
    """Ask a person for a free text that everybody reads; none is needed with `or_none`."""

    slot: Slot
    name: str
    by: Expr | None
    or_none: bool
    default: Expr | None
    prompt: Words

    @property
    def type(self) -> str:
        """The type of the answer."""
        return "Text?" if self.or_none else "Text"


class Roll(Row):
    """The sum of `count` dice of `sides` sides; no dice make 0, and nobody is asked for them."""

    slot: Slot
    name: str
    count: Expr
    sides: Expr
    by: Expr | None


class RollEach(Roll):
    """The faces of `count` dice of `sides` sides, the highest first; no dice make an empty tuple."""


class SecretRoll(Roll):
    """A roll that only some read: `seen_by` is a player, or a list of players."""

    seen_by: Expr


class SecretRollEach(RollEach):
    """The same, of dice by themselves."""

    seen_by: Expr


class Draw(Row):
    """Chance takes one of `pile` to `zone` (of `owner`); the slot is none if the pile is empty."""

    slot: Slot
    name: str
    type: TypeName
    pile: ZoneName
    zone: ZoneName
    owner: Expr | None


class Take(Draw):
    """The same of a zone that is no lazy `pile` (of `holder`)."""

    holder: Expr | None


class Peek(Row):
    """`by` learns the top `number` of a lazy `pile`, which the slot then holds in their order."""

    slot: Slot
    name: str
    type: TypeName
    number: Expr
    pile: ZoneName
    by: Expr | None


class Put(Row):
    """Put `things` on an `end` (top, bottom) of a lazy `pile`, the first to be drawn first."""

    things: Expr
    type: TypeName
    end: Annotated[str, ("top", "bottom")]
    pile: ZoneName


class Show(Row):
    """Those in `to`, a player or a list of players, learn what `things` are."""

    things: Expr
    type: TypeName
    to: Expr


class Pick(Row):
    """Chance picks one of `domain`, each as likely, and nothing moves; none of an empty one."""

    slot: Slot
    name: str
    type: TypeName
    domain: Expr


class Operate(Row):
    """An operation of the vocabulary; `slot` (or -1) takes its result. `by` does it: None for me."""

    operation: OperationName
    args: tuple[Expr, ...]
    slot: SlotOrNone
    by: Expr | None = None


class AtOnce(Operate):
    """An operation that is answered by whoever was there before. With `things` it is done for each of
    them, in `candidate_slot` for the `args`, and nothing answers before the `Apart` that follows."""

    candidate_slot: SlotOrNone = -1
    things: Expr | None = None


class Simultaneous(Row):
    """Until its `Apart`, who answers is as it is now. `slot` takes what was in `TOGETHER`; the rounds
    to come are counted in `counter`."""

    slot: Slot
    counter: Slot


class Apart(Row):
    """What answers to things that happened together runs, one after the other; `held` is what the
    `Simultaneous` kept."""

    held: Expr | None


class Announce(Row):
    """A moment: nothing changes and no log line is written, but triggers respond to the event."""

    event: str
    args: tuple[Expr, ...]


class Replaceable(Row):
    """Where a replacement applies to the event, it runs, and the routine goes on with row `to`."""

    event: str
    args: tuple[Expr, ...]
    to: RowNumber


class Use(Row):
    """Call routine `routine` (its id); `slot` (or -1) takes its result. `by` does what it does, in
    `DOER`: None for whoever did so far."""

    routine: RoutineId
    args: tuple[Expr, ...]
    slot: SlotOrNone
    by: Expr | None = None


class UsePower(Row):
    """Call the power of the record behind the entity `of`, with some scope variables bound anew."""

    entity: EntityName
    of: Expr
    scope: tuple[tuple[ScopeName, Expr], ...]


class Relax(Row):
    """From here on this routine (and what it calls) ignores exactly these rules."""

    rules: tuple[str, ...]


class Ensure(Row):
    condition: Expr
    reason: Words


class Say(Row):
    text: Words


class Tell(Row):
    """A text that only the player `to` reads."""

    to: Expr
    text: Words


class Finish(Row):
    winner: Expr | None
    reason: Words


class Rank(Row):
    """The end of the game, by the `number` of each player `who`, in `slot`: the highest has won."""

    who: Expr
    slot: Slot
    number: Expr
    reason: Words


class Spend(Row):
    """The row after this one may take so many evaluations: they are taken from the fuel of the
    decision. Only programs with uses over their budget have such rows."""

    evaluations: int


class Return(Row):
    pass


ROWS: tuple[type[Row], ...] = tuple(
    one
    for one in [*globals().values()]
    if isinstance(one, type) and issubclass(one, Row) and one not in (Row, Mode)
)
"""Every form of row; `Mode` is a part of one."""

"""The rows of a program: its expressions and its statements, as plain frozen data.

Expressions are nested tuples whose first item names the form; `EXPRESSIONS` lists every form with the
shape of its parts. Rows are the statements, one class each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Origin

# The marks give the content of a field: `verify` checks it against the program, and `expr` tells
# expressions from other tuples. A mark is a kind of names, or a tuple of all allowed words.
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

# The operands of each form: x an expression, x? an expression or None, x* any number of
# expressions, i a slot number, s a name, v a constant (int, bool, str, None or a list of those), c
# a `value` expression.
EXPRESSIONS: Mapping[str, str] = {
    "value": "v",  # a constant
    "slot": "i",  # a local variable
    "scope": "s",  # a scope variable
    "setting": "s",  # a setting or switch
    "players": "",  # all players, in seating order
    "record": "s c",  # a record of an entity, by its number
    "records": "s",  # all records of an entity, in order
    "field": "s x",  # "Piece.pips" of an entity: a column of the world
    "static": "s x",  # "Card.number": printed on the record, never changes
    "zone": "s x?",  # the ids in a zone (of a player)
    "at": "s x",  # the thing at a point of a map zone, or none
    "query": "s x*",
    "function": "s x*",  # a measure or a rule
    "allowed": "s x*",  # a soft rule: it holds or is being ignored
    "lookup": "x x",  # a table by player, and the player; or a printed table, and its key
    # operand, keys of a printed table, their values, default value
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
    "join": "x x",  # list + list, without duplicates
    "without": "x x",  # list - list
    "with_dice": "x x",  # dice + faces
    "without_dice": "x x",  # dice - faces
    "count": "x",  # length of a list
    "tags_in": "x x",  # those of a list of tags that a text names
    # the variable `TOGETHER`, and an expression: its value before the simultaneous group; a
    # condition that held then or holds now
    "past": "x x",
    "ever": "x x",
    "first": "x x",  # the number of items, and the list they begin
    # name of the aggregate, value, slot of the candidate, domain, where
    "each": "s x? i x x?",
}
ITEM_OF = "item_of"
"""The printed field of each thing that items make: the first copy of its item."""
TOGETHER = "what happens together"
"""The variable of simultaneous events: none, or whether texts look back, and the world before."""
DOER = "who does it"
"""The variable of the doer of a power handed to a player; none for the acting player."""
# The limits of one roll.
MOST_DICE, MOST_SIDES = 1_000, 10_000
AGGREGATES = ("count", "exists", "every", "those", "sum", "highest", "lowest")


# English with holes: a text, or an expression with the name of its type.
Template = tuple[str | tuple[Expr, TypeName], ...]
# A displayed text: plain, or with holes that are filled when it is shown.
Words = str | Template


class Condition(Frozen):
    """One conjunct of a `where` or `when`, and the English that explains a refusal."""

    test: Expr
    english: Template


class Shown(Frozen):
    """A value shown beside a question, or beside each option if it reads the candidate; and its English."""

    value: Expr
    type: TypeName
    english: Template


class Row(Frozen):
    origin: Origin = field(compare=False, repr=False)


class Let(Row):
    slot: Slot
    value: Expr


class LetTold(Let):
    """The same, of a value that only `seen_by` learn: a player, or a list of players."""

    seen_by: Expr


class SetScope(Row):
    name: ScopeName
    value: Expr


class SetWatched(SetScope):
    """The same for a variable read by always-rules, which are enforced at once."""


class Jump(Row):
    to: RowNumber


class JumpUnless(Row):
    condition: Expr
    to: RowNumber


class Choose(Row):
    """Ask for one value (`count` one) or a set of values (up_to, exactly, any) of `domain`, or for an
    order of all of them.

    `name` is the variable's name in the source, `type` the type of one option. Candidates are in `slot`
    while `conditions` are tested. `by` is None for the scope variable `me`. `default` answers for a
    player who does not; `usual` is only shown as filled in, as `showing` is beside the question.
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
    usual: Expr | None = None
    showing: tuple[Shown, ...] = ()


class Mode(Row):
    """One mode. Only the label of an `optional` can have holes: others are answered by label. The first
    `usual` one on offer is the usual answer."""

    label: Words
    conditions: tuple[Condition, ...]
    to: RowNumber
    usual: bool = False


class Modal(Row):
    """Ask for a mode. `kind` is choose, optional (two modes: do it, skip) or combine (one after the
    other, together). `known_as` is the name of the menu, or of the only power of an optional part."""

    kind: Annotated[str, ("choose", "optional", "combine")]
    by: Expr | None
    prompt: Words
    modes: tuple[Mode, ...]
    showing: tuple[Shown, ...] = ()
    known_as: str = ""


class Secret(Row):
    """Ask several players at once; the answers are revealed together, as a table by player in `slot`.

    `player_slot` holds the player while that player's `domain` and `conditions` are evaluated. With
    `or_none` an answer may be none.
    """

    slot: Slot
    name: str
    type: TypeName
    players: Expr
    player_slot: Slot
    candidate_slot: Slot
    domain: Expr
    conditions: tuple[Condition, ...]
    or_none: bool
    prompt: Words


class SecretForSome(Secret):
    """The same, shown only to `seen_by`, a player or a list of players."""

    seen_by: Expr


class Ask(Row):
    """Ask a player for a free text that everybody reads; optional with `or_none`. It has no slip for the
    name of one of the tags `naming`."""

    slot: Slot
    name: str
    by: Expr | None
    or_none: bool
    default: Expr | None
    prompt: Words
    usual: Expr | None = None
    naming: Expr | None = None

    @property
    def type(self) -> str:
        """The type of the answer."""
        return "Text?" if self.or_none else "Text"


class Roll(Row):
    """The sum of `count` dice of `sides` sides; 0 for no dice, without a prompt.

    `by` is the player who rolls, `whom` the person that they roll for.
    """

    slot: Slot
    name: str
    count: Expr
    sides: Expr
    by: Expr | None
    whom: Expr | None


class RollEach(Roll):
    """The faces of `count` dice of `sides` sides, highest first; an empty tuple for no dice."""


class RollSummed(RollEach):
    """The same, of a roll that is summed up after answers have changed the dice."""


class SecretRoll(Roll):
    """A roll for some readers: `seen_by` is a player, or a list of players."""

    seen_by: Expr


class SecretRollEach(RollEach):
    """The same, keeping the faces."""

    seen_by: Expr


class SecretRollSummed(RollSummed):
    """The same, of a roll that is summed up after answers have changed the dice."""

    seen_by: Expr


SECRET_ROLLS = (SecretRoll, SecretRollEach, SecretRollSummed)
"""The rows of rolls that only some players read."""


class Draw(Row):
    """Draw a random thing of `pile` to `zone` (of `owner`); the slot is none if the pile is empty."""

    slot: Slot
    name: str
    type: TypeName
    pile: ZoneName
    zone: ZoneName
    owner: Expr | None


class Take(Draw):
    """The same from a zone, not a lazy `pile` (of `holder`)."""

    holder: Expr | None


class Peek(Row):
    """`by` learns the top `number` of a lazy `pile`, which the slot then holds in order."""

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
    """Show `things` to `to`, a player or a list of players."""

    things: Expr
    type: TypeName
    to: Expr


class Pick(Row):
    """Pick one of `domain` at random, uniformly, moving nothing; none if it is empty."""

    slot: Slot
    name: str
    type: TypeName
    domain: Expr


class Operate(Row):
    """An operation of the vocabulary; `slot` (or -1) takes its result. `by` is its doer: None for me."""

    operation: OperationName
    args: tuple[Expr, ...]
    slot: SlotOrNone
    by: Expr | None = None


class AtOnce(Operate):
    """An operation whose responders are judged by the world before it. With `things` it is done for
    each, in `candidate_slot` for the `args`, and responses wait for the following `Apart`."""

    candidate_slot: SlotOrNone = -1
    things: Expr | None = None


class Simultaneous(Row):
    """Start a simultaneous group, up to its `Apart`: responders are judged by this world. `slot` saves
    `TOGETHER`; `counter` counts rounds."""

    slot: Slot
    counter: Slot


class Apart(Row):
    """End a simultaneous group by running its responses in order; `held` is the saved `TOGETHER`."""

    held: Expr | None


class Announce(Row):
    """A moment: nothing changes and no log line is written, but triggers respond to the event."""

    event: str
    args: tuple[Expr, ...]


class Replaceable(Row):
    """If a replacement applies to the event, run it and continue at row `to`."""

    event: str
    args: tuple[Expr, ...]
    to: RowNumber


class Use(Row):
    """Call routine `routine` (its id); `slot` (or -1) takes its result. `by`, stored in `DOER`, is the
    doer: None for the current one."""

    routine: RoutineId
    args: tuple[Expr, ...]
    slot: SlotOrNone
    by: Expr | None = None


class UsePower(Row):
    """Call the power of the record of `of`, an entity, with some scope variables rebound."""

    entity: EntityName
    of: Expr
    scope: tuple[tuple[ScopeName, Expr], ...]


class Relax(Row):
    """From here on this routine and its callees ignore exactly these rules."""

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
    """End the game, ranked by the `number` of each player `who`, in `slot`: the highest wins."""

    who: Expr
    slot: Slot
    number: Expr
    reason: Words


class Spend(Row):
    """Charge the evaluations of the next row to the fuel of the decision. Only programs with uses over
    their budget have such rows."""

    evaluations: int


class Return(Row):
    pass


ROWS: tuple[type[Row], ...] = tuple(
    one
    for one in [*globals().values()]
    if isinstance(one, type) and issubclass(one, Row) and one not in (Row, Mode)
)
"""Every class of row; `Mode` is part of one."""

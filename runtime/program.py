"""The program: what the compiler makes and the machine runs, as plain frozen data.

Expressions are nested tuples whose first item names the form; `EXPRESSIONS` lists every form with the
shape of its parts. Rows are the statements, one class a form. Nothing here is code: a program read from a
save is checked by `runtime.program_json` before anything runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FORMAT = 1
OLDEST_FORMAT = 1

Expr = tuple[Any, ...]

# The parts of each form: x an expression, x? an expression or None, x* any number of expressions,
# i a slot number, s a name, v a constant (int, bool, str, None or a list of those).
EXPRESSIONS: Mapping[str, str] = {
    "value": "v",  # a constant
    "slot": "i",  # a local variable
    "scope": "s",  # a scope variable
    "setting": "s",  # a setting or switch
    "players": "",  # all players, in order of seats
    "field": "s x",  # "Piece.pips" of an entity: a column of the world
    "static": "s x",  # "Card.number": printed on the record, never changes
    "zone": "s x?",  # the ids in a zone (of a player)
    "at": "s x",  # what lies at a point of a map zone, or none
    "query": "s x*",
    "function": "s x*",  # a measure or a rule
    "allowed": "s x*",  # a soft rule, or it is being ignored
    "lookup": "x x",  # a table by player, and the player
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
    "count": "x",  # length of a list
    # name of the aggregate, value, slot of the candidate, domain, where
    "each": "s x? i x x?",
}
AGGREGATES = ("count", "exists", "every", "those", "sum", "highest", "lowest")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a row stands in the source: pack id, path within the pack, line and column (1-based)."""

    pack: str
    path: str
    line: int
    column: int


# English with holes: a text, or an expression with the name of its type.
Template = tuple[str | tuple[Expr, str], ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """One conjunct of a `where` or `when`, and the English that explains a refusal."""

    test: Expr
    english: Template


@dataclass(frozen=True, slots=True)
class Row:
    origin: Origin = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let(Row):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class SetScope(Row):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Jump(Row):
    to: int


@dataclass(frozen=True, slots=True)
class JumpUnless(Row):
    condition: Expr
    to: int


@dataclass(frozen=True, slots=True)
class Choose(Row):
    """Ask for one value (`count` one) or a set of values (up_to, exactly, any) of `domain`.

    `name` is the variable's name in the source, `type` the type of one option. Candidates stand in `slot`
    while `conditions` are tested. `by` is None for the scope variable `me`.
    """

    slot: int
    name: str
    type: str
    count: str
    limit: Expr | None
    domain: Expr
    conditions: tuple[Condition, ...]
    by: Expr | None
    or_none: bool
    default: Expr | None
    prompt: str


@dataclass(frozen=True, slots=True)
class Mode(Row):
    label: str
    conditions: tuple[Condition, ...]
    to: int


@dataclass(frozen=True, slots=True)
class Modal(Row):
    """Ask which way to go on. `kind` is choose, optional (two modes: do it, skip) or combine (one after
    the other, together)."""

    kind: str
    by: Expr | None
    prompt: str
    modes: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Secret(Row):
    """Ask several players at once; the answers are shown together, as a table by player in `slot`.

    `player_slot` holds the player while that player's `domain` and `conditions` are worked out.
    """

    slot: int
    name: str
    type: str
    players: Expr
    player_slot: int
    candidate_slot: int
    domain: Expr
    conditions: tuple[Condition, ...]
    prompt: str


@dataclass(frozen=True, slots=True)
class Roll(Row):
    slot: int
    name: str
    count: int
    sides: int
    by: Expr | None


@dataclass(frozen=True, slots=True)
class Draw(Row):
    """Chance takes one of `pile` to `zone` (of `owner`); the slot is none when the pile is empty."""

    slot: int
    name: str
    type: str
    pile: str
    zone: str
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class Operate(Row):
    """An operation of the vocabulary; `slot` (or -1) takes its result."""

    operation: str
    args: tuple[Expr, ...]
    slot: int


@dataclass(frozen=True, slots=True)
class Use(Row):
    """Call routine `routine` (its id); `slot` (or -1) takes its result."""

    routine: str
    args: tuple[Expr, ...]
    slot: int


@dataclass(frozen=True, slots=True)
class UsePower(Row):
    """Call the power of the record behind the entity `of`, with some scope variables bound anew."""

    entity: str
    of: Expr
    scope: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Relax(Row):
    """From here on this routine (and what it calls) ignores exactly these rules."""

    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ensure(Row):
    condition: Expr
    reason: str


@dataclass(frozen=True, slots=True)
class Say(Row):
    text: str


@dataclass(frozen=True, slots=True)
class Finish(Row):
    winner: Expr | None
    reason: str


@dataclass(frozen=True, slots=True)
class Return(Row):
    pass


ROWS: tuple[type[Row], ...] = (
    Let,
    SetScope,
    Jump,
    JumpUnless,
    Choose,
    Modal,
    Secret,
    Roll,
    Draw,
    Operate,
    Use,
    UsePower,
    Relax,
    Ensure,
    Say,
    Finish,
    Return,
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most prompts, operations and dice one use can take; `fuel` if a dynamic use may add to them."""

    prompts: int
    operations: int
    dice: int
    fuel: bool


@dataclass(frozen=True, slots=True)
class Routine:
    """One effect text, lowered. The parameters stand in slots 0, 1, ...; missing arguments are filled in
    by the caller. `result` is the slot of the `gives:` variable, or -1. `slots` names every slot."""

    id: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    result: int
    rows: tuple[Row, ...]
    origin: Origin
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Function:
    """A measure or a rule: a named pure expression over slots 0, 1, ... `english` has holes for them."""

    id: str
    params: tuple[str, ...]
    result: str
    body: Expr
    soft: bool
    english: Template


@dataclass(frozen=True, slots=True)
class Trigger:
    """When an event matches, `routine` runs with the event's values in its first slots."""

    id: str
    event: str
    where: Expr | None
    timing: str
    once_per_turn: bool
    routine: str


@dataclass(frozen=True, slots=True)
class Always:
    """After each operation that changed a column in `reads`: for each of `domain` (standing in slot 0)
    that meets `when`, `operation` runs, unless the rule `name` is being ignored."""

    name: str
    domain: Expr
    when: Expr
    operation: str
    args: tuple[Expr, ...]
    reads: tuple[str, ...]
    english: str


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field of an entity. Mutable ones are columns; static ones have `values` by index."""

    name: str
    type: str
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Entity:
    """A kind of entity. `names` and `powers` (routine ids, or empty) only where records make them.

    `present` is the field that is none while the entity is not there; empty if it always is.
    """

    name: str
    singular: str
    plural: str
    most: int
    fields: tuple[FieldInfo, ...]
    static: tuple[tuple[str, tuple[Any, ...]], ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    powers: tuple[str, ...]
    present: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for entities: `per` player or one; `at` a grid type or empty; `lazy` piles are multisets."""

    name: str
    of: str
    per_player: bool
    at: str
    seen_by: str
    lazy: bool


@dataclass(frozen=True, slots=True)
class ScopeVariable:
    """`life` is game (until changed), turn (reset when a turn starts) or use. `initial` is a constant."""

    name: str
    type: str
    life: str
    initial: Any


@dataclass(frozen=True, slots=True)
class QueryInfo:
    name: str
    params: tuple[tuple[str, str], ...]
    result: str
    reads: tuple[str, ...]
    most: int | None
    english: str


@dataclass(frozen=True, slots=True)
class OperationInfo:
    """`changes` columns; `touches` parameters (or `result`), each raising the event `touched`."""

    name: str
    params: tuple[tuple[str, str], ...]
    result: str
    changes: tuple[str, ...]
    touches: tuple[str, ...]
    reveals: bool
    english: str
    log: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A number or value a GM may change, or (with `options`) a switch between readings of a rule."""

    name: str
    type: str
    value: Any
    options: tuple[str, ...]
    clause: str
    english: str


@dataclass(frozen=True, slots=True)
class Lock:
    """Which packs a program was built from: id, version, and a hash of the content."""

    pack: str
    version: str
    hash: str


@dataclass(frozen=True, slots=True)
class Program:
    """A resolved game: everything the machine needs, and nothing but data."""

    format: int
    edition: int
    game: str
    title: str
    lock: tuple[Lock, ...]
    enums: tuple[tuple[str, tuple[str, ...]], ...]
    points: tuple[str, ...]
    entities: tuple[Entity, ...]
    zones: tuple[Zone, ...]
    scope: tuple[ScopeVariable, ...]
    queries: tuple[QueryInfo, ...]
    operations: tuple[OperationInfo, ...]
    settings: tuple[Setting, ...]
    functions: tuple[Function, ...]
    routines: tuple[Routine, ...]
    triggers: tuple[Trigger, ...]
    always: tuple[Always, ...]
    set_up: str
    turn: str
    texts: tuple[tuple[str, str], ...]
    """The generated rules text of each item, by id."""
    notation: Any
    """How scenario steps name the choices; data for the scenario player, opaque to the machine."""

    def entity(self, name: str) -> Entity:
        """The entity kind called `name`; KeyError if there is none."""
        for entity in self.entities:
            if entity.name == name:
                return entity
        raise KeyError(name)

"""The program: what the compiler makes and the machine runs, as plain frozen data.

The expressions and rows of `ruleloom.runtime.program.ir` are to be imported from here: together
they are the format. `ruleloom.runtime.program.verify` checks a program from a save before it runs.
"""

# Two modules, one format: mypy knows the names of the other one.
# ruff: noqa: F403, F405
from __future__ import annotations

from typing import Annotated, Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Origin as Origin
from ruleloom.runtime.program.ir import *

ColumnName = Annotated[str, "column"]
Constant = Annotated[Any, "constant"]
Bound = Annotated[Any, "bound"]
Params = tuple[tuple[str, TypeName], ...]
"""Parameters by name, each with its type."""
ROUNDINGS = ("", " down", " nearest", " up")
"""Stand behind `times` and `first` in a change that says how the number is made whole."""
CHANGES = (
    *(f"first{how}" for how in ROUNDINGS),
    *("to", "by"),
    *(f"times{how}" for how in ROUNDINGS),
    *("least", "most", "not"),
)
"""What modifiers do to a number, in the order in which they do it; `not` makes a rule fail."""

# Format 1 had no types of slots and parameters.
FORMAT = 2
OLDEST_FORMAT = 1
# How many replacements may run within one another; then what is done is done as it is.
MOST_REPLACED = 12
# The fuel of a decision: what may happen between two questions, in steps. A throw of many dice and
# an expression that looks through long lists count as several.
MOST_STEPS = 100_000
DICE_A_STEP, EVALUATIONS_A_STEP = 10, 1_000


class Bounds(Frozen):
    """The most prompts, operations and dice of one use; `fuel` if a dynamic use may add to them."""

    prompts: int
    operations: int
    dice: int
    fuel: bool


class Routine(Frozen):
    """One effect text, lowered. The parameters stand in slots 0, 1, ...; missing arguments are
    filled in by the caller. `result` is the slot of the `gives:` variable, or -1. `slots` names
    every slot, `slot_types` has the type of each: empty where branches of the text keep different
    things in it, and in programs of format 1."""

    id: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    slot_types: tuple[TypeName, ...]
    result: SlotOrNone
    rows: tuple[Row, ...]
    origin: Origin
    bounds: Bounds


class Function(Frozen):
    """A measure or a rule: a named pure expression over slots 0, 1, ..., one for each parameter.
    `english` has holes for them. In programs of format 1 the type of a parameter may be empty."""

    id: str
    params: tuple[str, ...]
    param_types: tuple[TypeName, ...]
    result: TypeName
    body: Expr
    soft: bool
    english: Template


class Modifier(Frozen):
    """What changes a stat: while `test` holds of its parameters (always, without one), `change` is
    by, to, times, least or most `value`; a rule does `not` hold then. Of those of one `bonus` only
    the best and the worst count; `label` says what it is. `via` are the texts it came by, that of
    the item first."""

    item: str
    change: Annotated[str, CHANGES]
    test: Expr | None
    value: Expr
    bonus: str
    label: str
    via: tuple[Origin, ...]


class Stat(Frozen):
    """The parts of a function: a `base` with modifiers, within limits; or a restricted rule.

    The body of the function says the same in one expression; this says why.
    """

    id: Annotated[str, "function"]
    base: Expr
    modifiers: tuple[Modifier, ...]
    least: Expr | None
    most: Expr | None


class Requirement(Frozen):
    """What must be so of content: each `entity` (in slot 0) that meets `where` meets `holds`.

    It is checked with the content, never in play. `level` is error, warning or notice; `english`
    says what is wrong with an entity that fails, and `clauses` are those of the rules that say so.
    """

    id: str
    entity: EntityName
    where: Expr | None
    holds: Expr
    level: Annotated[str, ("error", "warning", "notice")]
    english: Template
    help: str
    origin: Origin
    clauses: tuple[str, ...] = ()


class FieldInfo(Frozen):
    """A field of an entity: a column that starts at `initial`, or static values by index.

    With `by`, the name of an enum or of an entity that records make, it is a table of such values.
    One that is not `shown` is bookkeeping, and is drawn on no table.
    """

    name: str
    type: TypeName
    low: int | None
    high: int | None
    initial: Constant = None
    by: Annotated[str, "table by", "or none"] = ""
    shown: bool = True


class Entity(Frozen):
    """A kind of entity. `names`, `powers` (routine ids, or empty) and `places` only where records
    make them.

    `static` has the values of each printed field, by record; a table of values is a `FrozenMap`.
    `present` is the field that is none while the entity is not there; empty if it always is.
    `places` is where each record stands, `named_by` the field with the name that people gave it, or
    empty. Of what is `alike`, copies are not told apart.
    """

    name: str
    singular: str
    plural: str
    most: int
    fields: tuple[FieldInfo, ...]
    static: tuple[tuple[str, tuple[Any, ...]], ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    powers: tuple[Annotated[str, "routine", "or none"], ...]
    present: str
    places: tuple[Origin, ...] = ()
    named_by: str = ""
    alike: bool = False

    @property
    def size(self) -> int:
        """How many there are: those that records make, else as many as there can be."""
        return len(self.names) if self.names or self.static else self.most

    @property
    def changing(self) -> tuple[FieldInfo, ...]:
        """The fields that may change: those that are not printed on the records."""
        printed = dict(self.static)
        return tuple(field for field in self.fields if field.name not in printed)


class Zone(Frozen):
    """A place for entities: `per` player or one; `at` a grid type or empty; `lazy` piles are
    multisets. `open_if` are a switch and the option with which everybody sees what lies there, or
    nothing."""

    name: str
    of: EntityName
    per_player: bool
    at: Annotated[str, "grid", "or none"]
    seen_by: Annotated[str, ("all", "owner", "nobody")]
    lazy: bool
    open_if: tuple[str, ...] = ()


class ScopeVariable(Frozen):
    """`life` is game (until changed) or turn (reset when a turn starts); `initial` a constant.

    A number in it lies between `low` and `high`.

    It is drawn on the table while it is news, or always or never if `shown` says so, and called by
    its `english`.
    """

    name: str
    type: TypeName
    life: Annotated[str, ("game", "turn")]
    initial: Constant
    english: str = ""
    shown: bool | None = None
    low: int | None = None
    high: int | None = None


class QueryInfo(Frozen):
    name: str
    params: Params
    result: TypeName
    reads: tuple[ColumnName, ...]
    most: int | None
    english: str
    of: Annotated[str, "field", "or none"] = ""
    """A column: the things whose field this is and for which it is what is handed in, or is not
    none. No driver is asked then."""


class Move(Frozen):
    """The thing in slot `thing` goes to a zone, of a player if it is one `per_player`."""

    thing: int
    zone: ZoneName
    owner: Expr | None


class Assignment(Frozen):
    """A new `value` for column `field` of the thing `of`, in a table for its `key`.

    The parameters of the operation stand in slots 0, 1, ...
    """

    field: Annotated[str, "field"]
    of: Expr
    key: Expr | None
    value: Expr


class OperationInfo(Frozen):
    """`changes` columns; `touches` parameters (or `result`), each raising the event `touched`. One
    that is not `shown` is bookkeeping, and not logged.

    What it does is the driver's, or the assignments of `sets`, all of them worked out before any is
    made. One that sets nothing only happens, for others to respond to.
    """

    name: str
    params: Params
    result: TypeName
    changes: tuple[ColumnName, ...]
    touches: tuple[str, ...]
    reveals: bool
    english: str
    log: str
    sets: tuple[Assignment, ...] | None = None
    makes: Annotated[str, "entity", "or none"] = ""
    """The entity of which one that is not there comes into play: the result, in the slot behind the
    parameters."""
    moves: tuple[Move, ...] = ()
    shown: bool = True

    @property
    def told(self) -> str:
        """What the log says when it happens, with holes."""
        return self.log or (f"{{me}}: {self.english}" if self.english else "")


class Trigger(Frozen):
    """When an event matches, `routine` runs with the event's values in its first slots."""

    id: str
    event: str
    where: Expr | None
    timing: Annotated[str, ("immediately", "afterwards")]
    routine: RoutineId


class Replacement(Frozen):
    """When `operation` is about to be carried out by a routine and `where` holds of its arguments,
    `routine` runs in its place, with these in its first slots. Within it the same replacement does
    not apply again.

    The `id` is that of no rule: it goes with the rules that are lifted.
    """

    id: str
    operation: str
    where: Expr | None
    routine: RoutineId


class Always(Frozen):
    """After each operation that changed a column in `reads`: for each of `domain` (standing in slot
    0) that meets `when`, `operation` runs, unless the rule `name` is being ignored."""

    name: str
    domain: Expr
    when: Expr
    operation: OperationName
    args: tuple[Expr, ...]
    reads: tuple[ColumnName, ...]
    english: str


# ----------------------------------------------------------------- what is printed about things

# The thing stands in slot 0, what a section goes through in slot 1.


class SheetRow(Frozen):
    """One line: what it is about, its value and a note, if `where` holds or is none.

    `texts` are expressions with their types: things, of which the items' own texts are shown, or
    texts. `blank` leaves room to write in what changes.
    """

    label: Template
    value: Template
    note: Template
    texts: tuple[tuple[Expr, TypeName], ...]
    where: Expr | None
    blank: bool


class SheetSection(Frozen):
    """Rows under a title, once for each of `domain` if there is one; `tiles` are boxes in a row.

    There are three `headings`, of label, value and note, or none.
    """

    title: Template
    headings: tuple[str, ...]
    tiles: bool
    domain: Expr | None
    rows: tuple[SheetRow, ...]


class Sheet(Frozen):
    """What is printed about each `entity`: a title and sections; those without a line are left out."""

    id: str
    entity: EntityName
    title: Template
    english: str
    sections: tuple[SheetSection, ...]
    origin: Origin


class Setting(Frozen):
    """A number or value a GM may change, or (with `options`) a switch between readings of a rule.

    A number, whole or not, lies between `low` and `high` (None: no bound): what the compiler says
    of loops and lists rests on that.
    """

    name: str
    type: str
    value: Constant
    options: tuple[str, ...]
    clause: str
    english: str
    low: Bound = None
    high: Bound = None


class Lock(Frozen):
    """Which packs a program was built from: id, version, and a hash of the content."""

    pack: str
    version: str
    hash: str


class Program(Frozen):
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
    bonuses: tuple[tuple[str, str], ...]
    """Each sort of bonus, with what is kept of several: all or best."""
    stats: tuple[Stat, ...]
    routines: tuple[Routine, ...]
    triggers: tuple[Trigger, ...]
    always: tuple[Always, ...]
    set_up: RoutineId
    turn: RoutineId
    texts: tuple[tuple[str, str], ...]
    """The generated rules text of each item in full, by id."""
    notation: Any
    """How scenario steps name the choices; data for the scenario player, opaque to the machine."""
    requirements: tuple[Requirement, ...] = ()
    """What content is held against before anybody plays; nothing to the machine."""
    sheets: tuple[Sheet, ...] = ()
    """What is printed about things; nothing to the machine either."""
    cards: tuple[tuple[str, str], ...] = ()
    """The rules text of each item as a card would print it, by id."""
    replacements: tuple[Replacement, ...] = ()
    """The first that applies to an operation is the one that counts."""
    words: tuple[tuple[str, str], ...] = ()
    """What values of enums are called, where their names do not say it."""
    rolls: tuple[tuple[str, str], ...] = ()
    """What rolls are for, by their variables, where those do not say it."""
    glosses: tuple[tuple[str, str], ...] = ()
    """What each power is about, by id, with holes for its parameters."""
    counted: tuple[tuple[str, str], ...] = ()
    """What one of something that the game counts is called, by the word for several."""

    def entity(self, name: str) -> Entity:
        """The entity kind called `name`; KeyError if there is none."""
        return {one.name: one for one in self.entities}[name]

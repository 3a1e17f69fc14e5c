"""The program: output of the compiler and input of the machine, as plain frozen data.

Import the expressions and rows of `ruleloom.runtime.program.ir` from here: together they are the format.
`ruleloom.runtime.program.verify` checks a program from a save before it runs.
"""

# Two modules, one format: mypy knows the names of the other one.
# ruff: noqa: F403, F405
from __future__ import annotations

from collections.abc import Iterable
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
"""Suffixes of `times` and `first` in a change: the mode of rounding."""
CHANGES = (
    *(f"first{how}" for how in ROUNDINGS),
    *("to", "by"),
    *(f"times{how}" for how in ROUNDINGS),
    *("least", "most", "not"),
)
"""The effects of modifiers on a number, in order of application; `not` makes a rule fail."""

FORMAT = 2
# The most nested replacements; beyond that, operations are not replaced.
MOST_REPLACED = 12
# The fuel of a decision: the most steps between two questions. A roll of many dice and an
# expression over long lists count as several.
MOST_STEPS = 100_000
DICE_A_STEP, EVALUATIONS_A_STEP = 10, 1_000


class Bounds(Frozen):
    """The most prompts, operations and dice of one use; `fuel` if a dynamic use may add to them."""

    prompts: int
    operations: int
    dice: int
    fuel: bool


class Routine(Frozen):
    """One effect text, lowered. The parameters are in slots 0, 1, ...; the caller fills in missing
    arguments. `result` is the slot of the `gives:` variable, or -1. `slots` names every slot,
    `slot_types` has the type of each: empty where branches of the text store different types."""

    id: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    slot_types: tuple[TypeName, ...]
    result: SlotOrNone
    rows: tuple[Row, ...]
    origin: Origin
    bounds: Bounds


class Function(Frozen):
    """A measure or a rule: a named pure expression over its parameters in slots 0, 1, .... `english` has
    holes for them."""

    id: str
    params: tuple[str, ...]
    param_types: tuple[TypeName, ...]
    result: TypeName
    body: Expr
    soft: bool
    english: Template


class Modifier(Frozen):
    """A change of a stat: while `test` holds of its parameters (always, if None), `change` is by, to,
    times, least or most `value`; a rule does `not` hold then. Of several with one `bonus` only the best
    and the worst count; `label` is its name. `via` are the texts it passed through, that of the item
    first."""

    item: str
    change: Annotated[str, CHANGES]
    test: Expr | None
    value: Expr
    bonus: str
    label: str
    via: tuple[Origin, ...]


class Stat(Frozen):
    """The parts of a function: a `base` with modifiers, within limits; or a restricted rule.

    The function's body is the same as one expression; this gives the reasons.
    """

    id: Annotated[str, "function"]
    base: Expr
    modifiers: tuple[Modifier, ...]
    least: Expr | None
    most: Expr | None


class Requirement(Frozen):
    """A requirement on content: each `entity` (in slot 0) that meets `where` must meet `holds`.

    It is checked with the content, never in play. `level` is error, warning or notice; `english`
    describes an entity that fails, and `clauses` are the rule clauses it follows from.
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

    With `by`, the name of an enum or of an entity with records, it is a table of such values. One that
    is not `shown` is bookkeeping, and is never displayed. A number has words in descriptions if it is
    `called` by some, the lowest first.
    """

    name: str
    type: TypeName
    low: int | None
    high: int | None
    initial: Constant = None
    by: Annotated[str, "table by", "or none"] = ""
    shown: bool = True
    called: tuple[str, ...] = ()


class Entity(Frozen):
    """A kind of entity. `names`, `powers` (routine ids, or empty) and `places` only with records.

    `static` has the values of each printed field, by record; a table of values is a `FrozenMap`.
    `present` is the field that is none while the entity is absent; empty if it always exists. `places`
    are the origins of records, `named_by` the field with the given name, or empty. Copies of an `alike`
    entity are interchangeable. The given name of a `person` needs no quotation marks. One without records
    may be `described`, with holes for its fields.
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
    person: bool = False
    described: str = ""

    @property
    def size(self) -> int:
        """The number of entities: that of the records, else the most there can be."""
        return len(self.names) if self.names or self.static else self.most

    @property
    def items(self) -> tuple[int, ...]:
        """The first copy of the item that each thing is of."""
        first: dict[str, int] = {}
        bare = (name.partition("#")[0] for name in self.names)
        return tuple(first.setdefault(name, number) for number, name in enumerate(bare))

    @property
    def changing(self) -> tuple[FieldInfo, ...]:
        """The changeable fields: those not printed on the records."""
        printed = dict(self.static)
        return tuple(field for field in self.fields if field.name not in printed)


class PointWords(Frozen):
    """What a point is called after what lies in a public zone, the hole of `text`, this far from it."""

    of: Annotated[str, "grid"]
    text: str
    east: int
    north: int


class Direction(Frozen):
    """Where a value of an enum points from a place: to the next one this far."""

    of: Annotated[str, "enum"]
    value: str
    east: int
    north: int


class Zone(Frozen):
    """A place for entities: one for all, one `per_player`, or one `under` each thing or point of a type;
    `at` a grid type or empty; `lazy` piles are multisets. `open_if` is empty, or a switch and the option
    that opens it to all. A zone `beside` those of the game was added by a pack, and no driver knows it."""

    name: str
    of: EntityName
    per_player: bool
    at: Annotated[str, "grid", "or none"]
    seen_by: Annotated[str, ("all", "owner", "nobody")]
    lazy: bool
    open_if: tuple[str, ...] = ()
    beside: bool = False
    under: Annotated[str, "place", "or none"] = ""

    @property
    def parted(self) -> bool:
        """Is it one zone for each player, thing or point?"""
        return self.per_player or bool(self.under)

    def parts(self, column: Any) -> Iterable[tuple[Any, Any]]:
        """The parts of its column that may hold something, each with its owner or place, or None."""
        if self.under:
            return sorted(column.items())
        if self.per_player:
            return enumerate(column)
        return [(None, tuple(column.values()) if self.at else column)]

    @property
    def parted_by(self) -> str:
        """The type of whatever has a part of such a zone."""
        return self.under or "Player"


class ScopeVariable(Frozen):
    """`life` is game (until changed) or turn (reset when a turn starts); `initial` a constant.

    A number in it lies between `low` and `high`.

    It is displayed while it is news, or always or never if `shown` says so, under its `english`.
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
    of: Annotated[str, "column", "or none"] = ""
    """A column: the query returns the things whose field equals the argument, or is not none without
    one; the places of a zone under these. No driver is called."""


class Move(Frozen):
    """The thing in slot `thing` moves to a zone, that of `owner` if it is `per_player`."""

    thing: int
    zone: ZoneName
    owner: Expr | None


class Assignment(Frozen):
    """A new `value` for column `field` of the thing `of`, or for its entry `key`.

    The parameters of the operation are in slots 0, 1, ...
    """

    field: Annotated[str, "field"]
    of: Expr
    key: Expr | None
    value: Expr


class OperationInfo(Frozen):
    """`changes` columns; `touches` parameters (or `result`), each raising the event `touched`. One that
    is not `shown` is bookkeeping, and not logged.

    The driver performs it, or the assignments of `sets`, all computed before any is made. One that sets
    nothing is an event for others to respond to.
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
    """The entity of which an absent one enters play: the result, in the slot after the parameters."""
    moves: tuple[Move, ...] = ()
    shown: bool = True

    @property
    def told(self) -> str:
        """The log text, with holes."""
        return self.log or (f"{{me}}: {self.english}" if self.english else "")


class Trigger(Frozen):
    """When an event matches, `routine` runs with the event's values in its first slots."""

    id: str
    event: str
    where: Expr | None
    timing: Annotated[str, ("immediately", "afterwards")]
    routine: RoutineId


class Replacement(Frozen):
    """When a routine is about to perform `operation` and `where` holds of its arguments, `routine` runs
    instead, with these in its first slots. The same replacement does not apply within itself.

    The `id` is not that of a rule, but is lifted like one.
    """

    id: str
    operation: str
    where: Expr | None
    routine: RoutineId


class Always(Frozen):
    """After each operation that changed a column in `reads`: `operation` runs for each of `domain` (in
    slot 0) that meets `when`, unless the rule `name` is being ignored."""

    name: str
    domain: Expr
    when: Expr
    operation: OperationName
    args: tuple[Expr, ...]
    reads: tuple[ColumnName, ...]
    english: str


# ----------------------------------------------------------------- what is printed about things

# The thing is in slot 0, the current member of a section in slot 1.


class SheetRow(Frozen):
    """One line: a label, a value and a note, present if `where` holds or is None.

    `texts` are expressions with their types: texts, or things whose items' texts are shown. `blank`
    leaves room to write changes in.
    """

    label: Template
    value: Template
    note: Template
    texts: tuple[tuple[Expr, TypeName], ...]
    where: Expr | None
    blank: bool


class SheetSection(Frozen):
    """Rows under a title, once for each of `domain` if given; `tiles` are boxes in a row.

    There are three `headings`, of label, value and note, or none.
    """

    title: Template
    headings: tuple[str, ...]
    tiles: bool
    domain: Expr | None
    rows: tuple[SheetRow, ...]


class Sheet(Frozen):
    """The printed sheet of each `entity`: a title and sections; sections without a line are left out."""

    id: str
    entity: EntityName
    title: Template
    english: str
    sections: tuple[SheetSection, ...]
    origin: Origin


class LayoutBox(Frozen):
    """A rectangle of a card, in micrometres from its left and top, present if `where` holds or is None.

    It holds a text, once for each of `domain` if given, parts of the item (`show`), an icon by name, a
    picture (`art`: "whole" or "fill"), or nothing. `points` is the size of the type, `least` what it may
    shrink to.
    """

    name: str
    left: int
    top: int
    width: int
    height: int
    where: Expr | None = None
    domain: Expr | None = None
    text: Template = ()
    show: tuple[str, ...] = ()
    icon: Expr | None = None
    art: str = ""
    font: str = ""
    bold: bool = False
    italic: bool = False
    points: int = 9
    least: int = 9
    align: str = "left"
    stand: str = "top"
    turned: bool = False
    ink: str = "dark"
    ground: str = ""
    edge: int = 0
    rounding: int = 0


class CardLayout(Frozen):
    """How a card of each `entity` for which `where` holds is printed; lengths are in micrometres, but
    for the `size`, which is a name or a width and a height with their units.

    `frame` gives the name of one of `frames`, the colours by name; an icon is the path of an outline of 24
    by 24.
    """

    id: str
    entity: EntityName
    where: Expr | None
    english: str
    size: str
    bleed: int
    frame: Expr | None
    frames: tuple[tuple[str, str], ...]
    icons: tuple[tuple[str, str], ...]
    boxes: tuple[LayoutBox, ...]
    back: tuple[LayoutBox, ...]
    origin: Origin


class CardText(Frozen):
    """The words of an item for its card: its printed fields, its rules in brief, and its author's words."""

    facts: str
    rules: str
    words: str

    @property
    def whole(self) -> str:
        """All of it, a paragraph to a line."""
        return "\n".join(filter(None, (self.facts, self.rules, self.words)))


class Setting(Frozen):
    """A number or value a GM may change, or (with `options`) a switch between readings of a rule.

    A number, whole or not, lies between `low` and `high` (None: no bound): the compiler's bounds of
    loops and lists rely on that.
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
    """A pack that a program was built from: id, version, and a hash of the content."""

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
    """Each kind of bonus, with which of several count: all or best."""
    stats: tuple[Stat, ...]
    routines: tuple[Routine, ...]
    triggers: tuple[Trigger, ...]
    always: tuple[Always, ...]
    set_up: RoutineId
    turn: RoutineId
    texts: tuple[tuple[str, str], ...]
    """The generated rules text of each item in full, by id."""
    notation: Any
    """The names of choices in scenario steps; data for the scenario player, opaque to the machine."""
    requirements: tuple[Requirement, ...] = ()
    """Requirements on content, checked before play; ignored by the machine."""
    sheets: tuple[Sheet, ...] = ()
    """The printed sheets of things; ignored by the machine too."""
    layouts: tuple[CardLayout, ...] = ()
    """How things are printed as cards; the last that fits wins. Ignored by the machine too."""
    cards: tuple[tuple[str, CardText], ...] = ()
    """The words of each item as a card would print them, by id."""
    replacements: tuple[Replacement, ...] = ()
    """The first that applies to an operation wins."""
    words: tuple[tuple[str, str], ...] = ()
    """The words for values of enums, where they differ from the names."""
    rolls: tuple[tuple[str, str], ...] = ()
    """The purpose of rolls, by variable, where its name does not tell."""
    rolls_for: TypeName | None = None
    """The type of the person that dice are rolled for, if the game has persons."""
    glosses: tuple[tuple[str, str], ...] = ()
    """A summary of each power, by id, with holes for its parameters."""
    counted: tuple[tuple[str, str], ...] = ()
    """The singular of each counted noun, by its plural."""
    patched: tuple[tuple[str, Origin], ...] = ()
    """The places of the rules, numbers and settings that packs have changed, by id; for `why`."""
    spots: tuple[PointWords, ...] = ()
    """What points are called; the first that fits wins."""
    directions: tuple[Direction, ...] = ()
    """Where values of enums point; one of such an enum that is not here points nowhere."""

    def card_texts(self) -> dict[str, str]:
        """The words of each item for a card as one text, by id."""
        return {id: text.whole for id, text in self.cards}

    def entity(self, name: str) -> Entity:
        """The entity kind `name`; KeyError if there is none."""
        return {one.name: one for one in self.entities}[name]

"""The names of a game that effect texts may use, with the place of each declaration.

`Symbols` is filled from the vocabulary and the other items by `ruleloom.compiler.resolve.vocabulary`
and `ruleloom.compiler.resolve.items`, and read by the checker. Values (`me`, `hand`, `up`), callables
(`targets(...)`, `owner(...)`), operations, powers and types have separate tables, so that a field
`space` and a variable `space` can coexist; within one table every name is unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from fractions import Fraction
from typing import Any

from ruleloom.compiler.packs.content import Item, Start
from ruleloom.compiler.packs.lasting_names import BEARER, OWNER, OWNER_NAME, SELF, Names
from ruleloom.compiler.packs.ownership import Belonging, NewValues
from ruleloom.compiler.packs.settings import Families
from ruleloom.compiler.query.lookups import (
    NEVER_SAME,
    Key,
    Lookups,
    Mark,
    Marks,
    Table,
    WatchedPoison,
)
from ruleloom.compiler.resolve.embedded import NameUses, Passage
from ruleloom.compiler.source.file import Place, Remade
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, text_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import PLAYER, TEXT, Type

# The type whose values are the tags that packs declare.
TAG_TYPE = "Tag"
# The call for a part of a stat; `PART` is in the name of that number, which no author can write.
PART_OF, PART = "part_of", "#"
TAGS_IN = "tags_in"
STAT = "Stat"
"""The type of the names of stats."""


class FieldSymbol(Frozen):
    """A field: `pips` of a piece. Static ones are printed, others are columns of the world.

    A field with `by` has one value for each value of that enum, or for each record of that entity.
    `written` is its declaration in the vocabulary; one with `parts` lists the parts of its owner.
    """

    entity: str
    name: str
    type: Type
    static: bool
    low: int | None
    high: int | None
    by: str = ""
    written: YamlNode | None = None
    parts: bool = False

    @property
    def english(self) -> str:
        """Its English, with holes for `it` and `key`; empty if its name suffices."""
        return text_of(entries_of(self.written).get("english"))

    @property
    def called(self) -> tuple[str, ...]:
        """The words for its numbers, the lowest first; empty without any."""
        return tuple(map(text_of, items_of(entries_of(self.written).get("words"))))

    @property
    def default(self) -> YamlNode | None:
        """The default of a static field; the initial value of any other."""
        return entries_of(self.written).get("default" if self.static else "initial")


class PartSymbol(Frozen):
    """A part: each entry of the field `under` of an `of`, its `owner`, makes one.

    The entries are a list in which a plain value is that of the field `short`; or, with `key`, a
    mapping whose keys are those of the field `key` and whose plain values those of the field `value`. A
    part with an invalid declaration has no `of`, and nothing makes it.
    """

    of: str
    under: str
    owner: str
    short: str
    key: str
    value: str
    place: Place


class EntitySymbol(Frozen):
    name: str
    singular: str
    plural: str
    most: int
    fields: Mapping[str, FieldSymbol]
    present: str
    records: tuple[str, ...]
    place: Place
    recorded: bool = False
    """Whether the vocabulary declares, validly or not, that items or entries make these."""
    part: PartSymbol | None = None
    named_by: str = ""
    alike: bool = False
    person: bool = False
    described: str = ""


class ParamSymbol(Frozen):
    """A parameter; `default` is lowered, in the callee's scope, once all names are known.

    Of an event, only the player in its first value knows one that is `told`.
    """

    name: str
    type: Type
    default: ast.Expr | None = None
    told: bool = False


class Bound(Frozen):
    """A bound on a number that a keyword or power takes, and where it is declared."""

    number: int | Fraction
    place: Place


@dataclass(slots=True)
class Signature:
    """The signature of a query, measure, rule, operation, power or fusion.

    `kind` is its word in messages. A `broken` one had an invalid declaration; its uses are not
    reported. `defaults` maps a parameter's name to its lowered default.
    """

    kind: str
    name: str
    id: str
    params: tuple[ParamSymbol, ...]
    result: Type | None
    place: Place
    english: str = ""
    reads: tuple[str, ...] = ()
    most: int | None = None
    reveals: bool = False
    changes: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    sets: YamlNode | None = None
    """The values that an operation without driver sets, by field."""
    makes: str = ""
    """The entity that such an operation makes, as its result."""
    moves: YamlNode | None = None
    """The zone that each of these parameters moves to."""
    open: str = ""
    """The parameter of a moment that answers may change, its result."""
    open_least: Expr | None = None
    open_most: Expr | None = None
    """The bounds of that value, each a number or a setting; `most` is the length of a list."""
    of: str = ""
    """The field by whose value a query without driver finds things."""
    result_name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words of a parameter or the result when it is yes."""
    broken: bool = False
    defaults: dict[str, Expr] = field(default_factory=dict)
    least: dict[str, Bound] = field(default_factory=dict)
    most_told: dict[str, Bound] = field(default_factory=dict)
    """The bounds of number arguments, by parameter."""

    @property
    def open_place(self) -> int:
        """The index of a moment's open value among its parameters."""
        return [param.name for param in self.params].index(self.open)

    @property
    def open_variable(self) -> str:
        """The variable with the open value while answers run; no author can write its name."""
        return f"{self.name} {self.open}"


class ScopeSymbol(Frozen):
    """A variable of the game. `low` and `high` bound a number."""

    name: str
    type: Type
    place: Place
    low: int | None = None
    high: int | None = None


class SettingSymbol(Frozen):
    """A setting, or (with `options`) a switch. `low` and `high` bound a number."""

    name: str
    type: Type
    value: object
    options: tuple[str, ...]
    low: int | Fraction | None
    high: int | Fraction | None
    place: Place


class Lasting(Frozen, Remade):
    """A lasting effect: its names, its signature, and the type of its bearer."""

    names: Names
    signature: Signature
    on: Type | None

    @property
    def parts(self) -> tuple[object, ...]:
        """Its item, signature and bearer type."""
        return self.names.item, self.signature, self.on

    @property
    def entity(self) -> Type:
        """The type of the effects themselves."""
        return Type(self.names.entity)

    @property
    def effect(self) -> str:
        """The id of the text that runs when its time is up; empty without one."""
        return self.names.item.id if "effect" in self.names.item.fields else ""

    @property
    def ended(self) -> str:
        """The id of the text that runs when it ends early; empty without one."""
        return f"{self.names.item.id}#ended" if "ended" in self.names.item.fields else ""

    def known(self, this: Expr) -> dict[str, tuple[Type, Expr]]:
        """The type and expression of each value of the effect `this` in the scope of its texts, by name."""
        found = {OWNER_NAME: (PLAYER, self.kept(OWNER, this))}
        if self.on is not None:
            found[SELF] = (self.on, self.kept(BEARER, this))
        values = {one.name: (one.type, self.kept(one.name, this)) for one in self.signature.params}
        return {**found, **values}

    def kept(self, field: str, this: Expr) -> Expr:
        """The expression of a field of the effect `this`."""
        return ("field", f"{self.names.entity}.{field}", this)

    def found(self, bearer: Expr | None = None) -> Expr:
        """The effects on a bearer, or all."""
        if bearer is None or self.on is None:
            return ("query", self.names.all)
        return ("query", self.names.query, bearer)


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A delayed statement, its passage, and the types of the values it has to keep."""

    node: ast.LaterStmt
    passage: Passage
    kept: Mapping[str, Type]
    by_owner: bool


class OpenSet(Frozen):
    """An assignment in an answer to the open value of a moment, and its upper bound."""

    place: Place
    name: str
    high: int | None


class Chosen(Frozen):
    """The value that a pack gives a setting, the value before, and the place."""

    pack: str
    value: object
    before: object
    place: Place


class Way(Frozen, Remade):
    """An item of the kind `way`: an option for a menu in another text."""

    item: Item
    label: str
    """Empty if it keeps the label of the way it replaces."""
    takes: tuple[ParamSymbol, ...]
    when: tuple[Passage, ast.Expr] | None
    body: tuple[ast.Stmt, ...] | None

    def place(self, field: str) -> Place:
        """The place of one of its fields; that of the item without the field."""
        node = self.item.fields.get(field)
        return self.item.place if node is None else node.place


class Offer(Frozen, Remade):
    """A way of a menu: the author's own (`mode`), an item's (`way`), or the former changed by the latter."""

    mode: ast.ModeClause | None
    way: Way | None = None

    @property
    def label(self) -> str:
        """Its label."""
        if self.way is not None and self.way.label:
            return self.way.label
        return self.mode.label.value if self.mode is not None else ""

    def clause(self) -> ast.ModeClause:
        """The way as a clause in the text of the menu."""
        if self.way is None:
            assert self.mode is not None, "a way is somebody's"
            return self.mode
        label = ast.TextLiteral((0, 0), self.label)
        when = self.way.when[1] if self.way.when is not None else None
        if self.mode is None:
            return ast.ModeClause((0, 0), label, when, False, self.way.body or ())
        tests = [test for test in (self.mode.when, when) if test is not None]
        both = ast.Binary((0, 0), "and", *tests) if len(tests) == 2 else next(iter(tests), None)
        return ast.ModeClause((0, 0), label, both, self.mode.usual, self.mode.body)


class Menu(Frozen, Remade):
    """A named `choose one`: its text, and all its ways."""

    text: Passage
    node: ast.ChooseOneStmt
    name: ast.MenuName
    offers: tuple[Offer, ...]


class Bearer(Frozen):
    """The bearers of abilities of a kind or an item: each `entity` (`self`) with `when` of `this`.

    `among` is the list of possible bearers, where the type does not give one.
    """

    entity: str
    when: YamlNode | None
    place: Place
    among: YamlNode | None = None


@dataclass(slots=True)
class Symbols:
    """Every name of one game."""

    game: str = ""
    belonging: Belonging = field(default_factory=Belonging)
    new_values: NewValues = field(default_factory=NewValues)
    enums: Table[str, tuple[str, ...]] = field(default_factory=Table)
    points: Table[str, Place] = field(default_factory=Table)
    entities: Table[str, EntitySymbol] = field(default_factory=Table)
    nouns: Table[str, tuple[str, str]] = field(default_factory=Table)
    types: Table[str, Place] = field(default_factory=Table)
    values: Table[str, str] = field(default_factory=Table)
    """The name of the enum of each value."""
    zones: Table[str, program.Zone] = field(default_factory=Table)
    scope: Table[str, ScopeSymbol] = field(default_factory=Table)
    settings: Table[str, SettingSymbol] = field(default_factory=Table)
    set_by: Table[str, tuple[Chosen, ...]] = field(default_factory=Table)
    """The changes of each setting by packs, in order."""
    options: Table[str, bool] = field(default_factory=Table)
    """The options of all switches."""
    fields: Table[str, dict[str, FieldSymbol]] = field(default_factory=Table)
    """Each field by name, then by entity."""
    made: Table[str, program.Entity] = field(default_factory=Table)
    """Each entity with the things that its records make."""
    printed: Table[tuple[str, str], tuple[Any, ...]] = field(default_factory=Table)
    """The printed values of those things, by entity and field."""
    named: Table[str, tuple[tuple[str, int], ...]] = field(default_factory=Table)
    """The things that records make, by item name: entity and number of each."""
    callables: Table[str, Signature] = field(default_factory=Table)
    operations: Table[str, Signature] = field(default_factory=Table)
    powers: Table[str, Signature] = field(default_factory=Table)
    rolls_for: Table[str, Type] = field(default_factory=Table)
    """The type of the person that dice are rolled for, by game, if its vocabulary names one."""
    deciders: Table[str, tuple[YamlNode, Place]] = field(default_factory=Table)
    """The decider of the order of answers, by event."""
    fusions: Table[tuple[str, ...], Signature] = field(default_factory=Table)
    keywords: Table[str, Signature] = field(default_factory=Table)
    """The named abilities."""
    lasting: Table[str, Lasting] = field(default_factory=Table)
    """The lasting effects, by name."""
    waiting: Table[Start, Waiting] = field(default_factory=Table)
    """The delayed statements that are not items yet, by position."""
    ways: Table[str, Way] = field(default_factory=Table)
    """The ways of items, by the id of the item."""
    menus: Table[str, Menu] = field(default_factory=Table)
    bonuses: Table[str, str] = field(default_factory=Table)
    """For each sort of bonus, which of several count: all or best."""
    tags: Table[str, str] = field(default_factory=Table)
    """The item id of each tag."""
    families: Families = field(default_factory=lambda: Families({}))
    bearers: Table[str, Bearer] = field(default_factory=Table)
    """The bearers of the items of a content kind, or of a single item, by kind or item id."""
    always: Table[str, Place] = field(default_factory=Table)
    events: Table[str, tuple[ParamSymbol, ...]] = field(default_factory=Table)
    answered: Table[str, bool] = field(default_factory=Table)
    """The events with an answer, by name."""
    vague_events: Table[str, tuple[str, ...]] = field(default_factory=Table)
    """The types of things in ambiguous events."""
    kinds: Table[str, str] = field(default_factory=Table)
    """The entity that the items of each content kind make; empty if none."""
    places: Table[tuple[str, str], Place] = field(default_factory=Table)
    """The declaration of each name, by the table it is looked up in: `value`, `call` and so on."""
    poisoned: WatchedPoison = field(default_factory=WatchedPoison)
    scopes: Table[str, Mapping[tuple[str, str], Item]] = field(default_factory=Table)
    """The items that old and short names mean in each pack, by kind and name."""
    spoken: Table[str, Mapping[tuple[str, str], Item]] = field(default_factory=Table)
    """The same, by role and name."""
    words: Table[tuple[str, ...], str] = field(default_factory=Table)
    """The English of the authors, by sort of thing and name."""
    capitals: Table[str, str] = field(default_factory=Table)
    """The abbreviations in the names of functions, by their lower case."""
    used: Marks = field(default_factory=Marks)
    """The ids of items and names of settings that texts use."""
    read: Marks = field(default_factory=Marks)
    """The columns of things that texts read."""
    open_sets: Table[str, list[OpenSet]] = field(default_factory=Table)
    """The assignments in answers to each moment's open value."""
    open_loops: Table[str, list[Place]] = field(default_factory=Table)
    """The loops whose rounds depend on each moment's open value."""
    uses: NameUses = field(default_factory=NameUses)
    """The meanings of names in texts, if recorded."""
    written: Marks = field(default_factory=Marks)
    """The variables of the game that texts set."""
    changes: Table[Callee, frozenset[str]] = field(default_factory=Table)
    """The variables of the game that each power may change."""
    lookups: Lookups = field(default_factory=Lookups)
    """The look-ups in these tables while a text is checked."""

    def __post_init__(self) -> None:
        for one in fields(self):
            table = getattr(self, one.name)
            if isinstance(table, Table | Marks | NameUses):
                table.watched(one.name, self.lookups)
        self.poisoned.watched(self.lookups)

    def tables(self) -> dict[str, Table[Any, Any]]:
        """The tables by name."""
        found = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: table for name, table in found if isinstance(table, Table)}

    def hand_on(self, needed: Iterable[Key], marks: Iterable[Mark]) -> None:
        """Add the look-ups and marks of a part made before to those of the current result."""
        self.lookups.note(*needed)
        for name, mark in marks:
            getattr(self, name).add(mark)

    def bearer(self, item: Item) -> Bearer | None:
        """The bearers of an item, declared by it or its kind."""
        return self.bearers.get(item.id) or self.bearers.get(item.kind)

    def made_by(self, item: Item) -> str:
        """The entity that an item with bearers makes, `this` in its abilities; or empty."""
        return self.kinds.get(item.kind, "") if self.bearer(item) is not None else ""

    def part(self, stat: Signature, sort: str) -> Signature:
        """The signature of the part of a stat that one sort of bonus, or items of one tag, add."""
        name = f"{stat.name}{PART}{sort}"
        self.lookups.note(NEVER_SAME)
        if name not in self.callables:
            english = f"what {sort.replace('_', ' ')} adds to {stat.english or stat.name}"
            id = f"{stat.id}{PART}{sort}"
            made = Signature("part", name, id, stat.params, stat.result, stat.place, english)
            self.callables[name] = made
        return self.callables[name]

    def forget(self, name: str) -> None:
        """Remove all meanings of a name that was claimed twice."""
        for table in (self.values, self.zones, self.scope, self.fields, self.enums, self.callables):
            table.pop(name, None)
        self.poisoned.add(name)

    def type_names(self) -> list[str]:
        """Every name of a type."""
        return [*PLAIN, *self.types]

    def value_names(self) -> list[str]:
        """Every global name that is a value without arguments."""
        plain = [name for name, one in self.callables.items() if not one.params]
        recorded = [name for name, one in self.entities.items() if one.recorded]
        lists = [*self.enums, *recorded, "players"]
        return [*self.scope, *self.settings, *self.values, *self.zones, *plain, *lists]

    def callable_names(self) -> list[str]:
        """Every global name that can be called in an expression."""
        mapped = [name for name, zone in self.zones.items() if zone.parted or zone.at]
        return [*self.callables, *self.fields, *mapped]

    def is_callable_name(self, name: str) -> bool:
        """Whether a name can be called in an expression."""
        zone = self.zones.get(name)
        mapped = zone is not None and bool(zone.parted or zone.at)
        return mapped or name in self.callables or name in self.fields

    def enter_made(self, entities: Iterable[program.Entity]) -> None:
        """Add the things that items make of each entity."""
        for made in entities:
            self.made[made.name] = made
            for column, values in made.static:
                self.printed[made.name, column] = values
            for number, name in enumerate(made.names):
                thing = made.name, number
                slug = name.replace("-", "_")
                self.named[slug] = (*self.named.get(slug, ()), thing)

    def thing(self, name: str) -> Expr | None:
        """The only thing made by items of this name; else None."""
        found = self.named.get(name, ())
        return _record(found[0]) if len(found) == 1 else None

    def thing_of(self, name: str, wanted: Type | None) -> Expr | None:
        """The thing of the `wanted` type that an item of this name makes; else None."""
        if wanted is None or wanted.many:
            return None
        found = (_record(one) for one in self.named.get(name, ()) if one[0] == wanted.name)
        return next(found, None)

    def is_one_of(self, name: str, type_: Type) -> bool:
        """Whether a name is a thing or a value of a type."""
        return name in self.options_of(type_) or self.thing_of(name, type_) is not None

    def is_told_by_type(self, name: str) -> bool:
        """Whether a name needs a type: only things or options of a switch have it."""
        if self.is_value_name(name):
            return False
        return name in self.named or name in self.options

    def stands_for_value(self, name: str) -> bool:
        """Is it in `value_names`?"""
        tables = (self.scope, self.settings, self.values, self.zones, self.enums)
        if name == "players" or any(name in table for table in tables):
            return True
        callee = self.callables.get(name)
        return (callee is not None and not callee.params) or self.is_recorded(name)

    def is_type_name(self, name: str) -> bool:
        """Whether a name is a type."""
        return name in PLAIN or name in self.types

    def of_kind(self, kind: str) -> list[str]:
        """The callables of a kind, such as `rule`."""
        return [name for name, one in self.callables.items() if one.kind == kind]

    def is_value_name(self, name: str) -> bool:
        """Whether a name is a global value or a type."""
        return self.stands_for_value(name) or self.is_type_name(name)

    def lasting_of(self, item: Item) -> Lasting | None:
        """The lasting effect of an item."""
        found = self.lasting.get(item.slug)
        return found if found is not None and found.names.item.id == item.id else None

    def menu(self, node: ast.ChooseOneStmt) -> Menu | None:
        """The menu of a `choose one`."""
        found = self.menus.get(node.menu.name.id) if node.menu is not None else None
        # The tree may have been rebuilt around it, without idle moments; its place stays.
        same = found is not None and found.node.span == node.span
        return found if same else None

    def may_change(self, callee: Callee, variable: str) -> bool:
        """Whether a callee may change a variable of the game."""
        return bool(self.changes.part(callee, variable))

    def noun(self, type_: Type) -> str:
        """The noun for one value of this type."""
        return self.nouns.get(type_.name, (type_.name.lower(), ""))[0]

    def is_recorded(self, name: str) -> bool:
        """Whether a name is an entity made by records, and so the list of all its things."""
        return bool(self.entities.part(name, "recorded"))

    def kept_type(self, type_: Type) -> str:
        """The text of a type in a program, where an option of a switch is a text."""
        return str(replace(type_, name=TEXT.name) if type_.name in self.settings else type_)

    def options_of(self, type_: Type) -> tuple[str, ...]:
        """The values of an enum or the options of a switch."""
        if type_.name in self.enums:
            return self.enums[type_.name]
        setting = self.settings.get(type_.name)
        return setting.options if setting else ()


def _record(thing: tuple[str, int]) -> Expr:
    entity, number = thing
    return ("record", entity, ("value", number))

"""The names of a game: everything an effect text may speak of, and where each is declared.

`Symbols` is filled from the vocabulary and the other items by
`ruleloom.compiler.resolve.vocabulary` and `ruleloom.compiler.resolve.items`, and read by the
checker. Values (`me`, `hand`, `up`), callables (`targets(...)`, `owner(...)`), operations, powers
and types are looked up in separate tables, so that a field `space` and a variable `space` live side
by side; within one table every name is unique.
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
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import PLAYER, TEXT, Type

# The type whose values are the tags that packs declare.
TAG_TYPE = "Tag"
# Asks for a part of a stat; `PART` stands in the name of that number, which no author can write.
PART_OF, PART = "part_of", "#"


class FieldSymbol(Frozen):
    """`pips` of a piece. Static fields are printed on the record, others are columns of the world.

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
        """Its words, with holes for `it` and `key`; empty where its name says enough."""
        return text_of(entries_of(self.written).get("english"))

    @property
    def default(self) -> YamlNode | None:
        """The default of a static field; of another one, its initial value."""
        return entries_of(self.written).get("default" if self.static else "initial")


class PartSymbol(Frozen):
    """A part: made by each entry of the field `under` of an `of`, its `owner`.

    The entries are a list in which a plain value stands for the field `short`; or, with `key`, a
    mapping whose keys stand for the field `key` and whose plain values for the field `value`. One
    that was refused where it was declared has no `of`, and nothing makes it.
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
    """Does the vocabulary say, rightly or not, that items or entries of items make these?"""
    part: PartSymbol | None = None
    named_by: str = ""
    alike: bool = False


class ParamSymbol(Frozen):
    """A parameter; `default` is lowered, in the callee's terms, once all names are known."""

    name: str
    type: Type
    default: ast.Expr | None = None


class Bound(Frozen):
    """A bound on a number that a keyword or power takes, and where it is declared."""

    number: int | Fraction
    place: Place


@dataclass(slots=True)
class Signature:
    """The signature of a query, measure, rule, operation, power or fusion.

    `kind` is the word for it in messages. `broken` ones were refused where they were declared; what
    uses them stays quiet. `defaults` maps a parameter's name to its lowered default.
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
    """The values that an operation without driver sets, field by field."""
    makes: str = ""
    """The entity of which such an operation brings one into play: its result."""
    moves: YamlNode | None = None
    """The zone to which each of these parameters goes."""
    open: str = ""
    """The parameter of a moment whose value answers may change: its result."""
    open_least: Expr | None = None
    open_most: Expr | None = None
    """Within what that value is kept: a number, or a setting; `most` is the length of a list."""
    of: str = ""
    """The field by whose value a query finds things, where no driver answers it."""
    result_name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words of a parameter or the result when it is yes."""
    broken: bool = False
    defaults: dict[str, Expr] = field(default_factory=dict)
    least: dict[str, Bound] = field(default_factory=dict)
    most_told: dict[str, Bound] = field(default_factory=dict)
    """Within what the numbers that it takes must lie, by parameter."""

    @property
    def open_place(self) -> int:
        """The place of a moment's open value among its parameters."""
        return [param.name for param in self.params].index(self.open)

    @property
    def open_variable(self) -> str:
        """The variable that holds it while answers run; no author can write such a name."""
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
    """An effect that lasts: how all that belongs to it is called, what it takes, on what it lies."""

    names: Names
    signature: Signature
    on: Type | None

    @property
    def parts(self) -> tuple[object, ...]:
        """Its item, and what was read in that."""
        return self.names.item, self.signature, self.on

    @property
    def entity(self) -> Type:
        """The type of the effects themselves."""
        return Type(self.names.entity)

    @property
    def effect(self) -> str:
        """The id of the text that runs when its time is up; empty if there is none."""
        return self.names.item.id if "effect" in self.names.item.fields else ""

    @property
    def ended(self) -> str:
        """The id of the text that runs when it ends early; empty if there is none."""
        return f"{self.names.item.id}#ended" if "ended" in self.names.item.fields else ""

    def known(self, this: Expr) -> dict[str, tuple[Type, Expr]]:
        """The values of the effect `this` that its texts know, by name, with where each is kept."""
        found = {OWNER_NAME: (PLAYER, self.kept(OWNER, this))}
        if self.on is not None:
            found[SELF] = (self.on, self.kept(BEARER, this))
        values = {one.name: (one.type, self.kept(one.name, this)) for one in self.signature.params}
        return {**found, **values}

    def kept(self, field: str, this: Expr) -> Expr:
        """The value that the effect `this` keeps in a field."""
        return ("field", f"{self.names.entity}.{field}", this)

    def found(self, bearer: Expr | None = None) -> Expr:
        """The list of those on a bearer, or of all."""
        if bearer is None or self.on is None:
            return ("query", self.names.all)
        return ("query", self.names.query, bearer)


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A text that comes later, where it stands, and the types of the values it has to keep."""

    node: ast.LaterStmt
    passage: Passage
    kept: Mapping[str, Type]
    by_owner: bool


class OpenSet(Frozen):
    """A line of an answer that sets the open value of a moment, and how large that is at most."""

    place: Place
    name: str
    high: int | None


class Chosen(Frozen):
    """A number that a pack sets a setting to, at a place, and what it was before."""

    pack: str
    value: object
    before: object
    place: Place


class Way(Frozen, Remade):
    """An item of the kind `way`: a way to go on, for a menu in another text."""

    item: Item
    label: str
    """Empty where it keeps the label of the way that it stands instead of."""
    takes: tuple[ParamSymbol, ...]
    when: tuple[Passage, ast.Expr] | None
    body: tuple[ast.Stmt, ...] | None

    def place(self, field: str) -> Place:
        """The place of a field of it; if it has none, that of the item."""
        node = self.item.fields.get(field)
        return self.item.place if node is None else node.place


class Offer(Frozen, Remade):
    """A way of a menu: the author's own (`mode`), one of an item (`way`), or the former reworded."""

    mode: ast.ModeClause | None
    way: Way | None = None

    @property
    def label(self) -> str:
        """Its label."""
        if self.way is not None and self.way.label:
            return self.way.label
        return self.mode.label.value if self.mode is not None else ""

    def clause(self) -> ast.ModeClause:
        """All of it as if it stood in the text of the menu."""
        if self.way is None:
            assert self.mode is not None, "a way is somebody's"
            return self.mode
        label = ast.TextLiteral((0, 0), self.label)
        when = self.way.when[1] if self.way.when is not None else None
        if self.mode is None:
            return ast.ModeClause((0, 0), label, when, self.way.body or ())
        tests = [test for test in (self.mode.when, when) if test is not None]
        both = ast.Binary((0, 0), "and", *tests) if len(tests) == 2 else next(iter(tests), None)
        return ast.ModeClause((0, 0), label, both, self.mode.body)


class Menu(Frozen, Remade):
    """A `choose one` with a name: its text, and all its ways."""

    text: Passage
    node: ast.ChooseOneStmt
    name: ast.MenuName
    offers: tuple[Offer, ...]


class Bearer(Frozen):
    """The bearers of abilities of a kind or an item: each `entity` (`self`) with `when` of it (`this`).

    `among` is the list of those who may bear it, where the type does not say.
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
    """Each value of an enum, with the name of its enum."""
    zones: Table[str, program.Zone] = field(default_factory=Table)
    scope: Table[str, ScopeSymbol] = field(default_factory=Table)
    settings: Table[str, SettingSymbol] = field(default_factory=Table)
    set_by: Table[str, tuple[Chosen, ...]] = field(default_factory=Table)
    """The packs that have set each setting, in order."""
    options: Table[str, bool] = field(default_factory=Table)
    """The options of all switches."""
    fields: Table[str, dict[str, FieldSymbol]] = field(default_factory=Table)
    """Each field by name, then by entity."""
    made: Table[str, program.Entity] = field(default_factory=Table)
    """Each entity with what its records have made."""
    printed: Table[tuple[str, str], tuple[Any, ...]] = field(default_factory=Table)
    """The printed values of those, by entity and field."""
    named: Table[str, tuple[tuple[str, int], ...]] = field(default_factory=Table)
    """The things that records have made, by the names of the items: entity and number of each."""
    callables: Table[str, Signature] = field(default_factory=Table)
    operations: Table[str, Signature] = field(default_factory=Table)
    powers: Table[str, Signature] = field(default_factory=Table)
    deciders: Table[str, tuple[YamlNode, Place]] = field(default_factory=Table)
    """For an event, who says which of its answers comes first where that makes a difference."""
    fusions: Table[tuple[str, ...], Signature] = field(default_factory=Table)
    keywords: Table[str, Signature] = field(default_factory=Table)
    """The abilities that have a name."""
    lasting: Table[str, Lasting] = field(default_factory=Table)
    """The effects that last, by name."""
    waiting: Table[Start, Waiting] = field(default_factory=Table)
    """The texts that come later and are not written out as effects yet, by where they stand."""
    ways: Table[str, Way] = field(default_factory=Table)
    """The ways that items bring, by the id of the item."""
    menus: Table[str, Menu] = field(default_factory=Table)
    bonuses: Table[str, str] = field(default_factory=Table)
    """Each sort of bonus, with those of several that are kept: all or best."""
    tags: Table[str, str] = field(default_factory=Table)
    """Each tag that packs declare, with the id of its item."""
    families: Families = field(default_factory=lambda: Families({}))
    bearers: Table[str, Bearer] = field(default_factory=Table)
    """The bearers of the items of a content kind, or of those that say so themselves, by id."""
    always: Table[str, Place] = field(default_factory=Table)
    events: Table[str, tuple[ParamSymbol, ...]] = field(default_factory=Table)
    answered: Table[str, bool] = field(default_factory=Table)
    """The events that some trigger or ability answers, by name."""
    vague_events: Table[str, tuple[str, ...]] = field(default_factory=Table)
    """Events that things of several types raise."""
    kinds: Table[str, str] = field(default_factory=Table)
    """Each content kind with the entity that its items make, or empty."""
    places: Table[tuple[str, str], Place] = field(default_factory=Table)
    """The declaration of each name, by the table it is looked up in: `value`, `call` and so on."""
    poisoned: WatchedPoison = field(default_factory=WatchedPoison)
    renamed: Table[tuple[str, str], Item] = field(default_factory=Table)
    """The items that had other names before, by kind and old name."""
    old_words: Table[tuple[str, str], Item] = field(default_factory=Table)
    """The same, by the role of a name in a text and the words that can mean nothing else there."""
    words: Table[tuple[str, ...], str] = field(default_factory=Table)
    """The authors' words, by the sort of thing and its name."""
    capitals: Table[str, str] = field(default_factory=Table)
    """The abbreviations in the names of functions, by the same in small letters."""
    used: Marks = field(default_factory=Marks)
    """Ids of items and names of settings that some text speaks of."""
    read: Marks = field(default_factory=Marks)
    """The columns of things that some text looks at."""
    open_sets: Table[str, list[OpenSet]] = field(default_factory=Table)
    """For each moment the lines of answers that set its open value."""
    open_loops: Table[str, list[Place]] = field(default_factory=Table)
    """For each moment the loops that go on as long as its open value says."""
    uses: NameUses = field(default_factory=NameUses)
    """The meanings of names in texts, if they are kept."""
    written: Marks = field(default_factory=Marks)
    """The variables of the game that some text sets."""
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
        """Let the result in the making depend on the look-ups of a part made before, and enter the
        marks of that."""
        self.lookups.note(*needed)
        for name, mark in marks:
            getattr(self, name).add(mark)

    def bearer(self, item: Item) -> Bearer | None:
        """The bearers of an item, if it or its kind says so."""
        return self.bearers.get(item.id) or self.bearers.get(item.kind)

    def made_by(self, item: Item) -> str:
        """The entity that an item makes, which its abilities call `this`; empty if it makes nothing."""
        return self.kinds.get(item.kind, "") if self.bearer(item) is not None else ""

    def part(self, stat: Signature, sort: str) -> Signature:
        """The part of a stat that one sort of bonus, or items of one tag, add: a number of its own."""
        name = f"{stat.name}{PART}{sort}"
        self.lookups.note(NEVER_SAME)
        if name not in self.callables:
            english = f"what {sort.replace('_', ' ')} adds to {stat.english or stat.name}"
            id = f"{stat.id}{PART}{sort}"
            made = Signature("part", name, id, stat.params, stat.result, stat.place, english)
            self.callables[name] = made
        return self.callables[name]

    def forget(self, name: str) -> None:
        """Give up any meaning of a name: it was not free."""
        for table in (self.values, self.zones, self.scope, self.fields, self.enums, self.callables):
            table.pop(name, None)
        self.poisoned.add(name)

    def type_names(self) -> list[str]:
        """Every name that may stand as a type."""
        return [*PLAIN, *self.types]

    def value_names(self) -> list[str]:
        """Every global name that stands for a value by itself."""
        plain = [name for name, one in self.callables.items() if not one.params]
        recorded = [name for name, one in self.entities.items() if one.recorded]
        lists = [*self.enums, *recorded, "players"]
        return [*self.scope, *self.settings, *self.values, *self.zones, *plain, *lists]

    def callable_names(self) -> list[str]:
        """Every global name that can be called in an expression."""
        mapped = [name for name, zone in self.zones.items() if zone.per_player or zone.at]
        return [*self.callables, *self.fields, *mapped]

    def is_callable_name(self, name: str) -> bool:
        """Can this name be called in an expression?"""
        zone = self.zones.get(name)
        mapped = zone is not None and bool(zone.per_player or zone.at)
        return mapped or name in self.callables or name in self.fields

    def enter_made(self, entities: Iterable[program.Entity]) -> None:
        """Enter what items have made of each entity."""
        for made in entities:
            self.made[made.name] = made
            for column, values in made.static:
                self.printed[made.name, column] = values
            for number, name in enumerate(made.names):
                thing = made.name, number
                slug = name.replace("-", "_")
                self.named[slug] = (*self.named.get(slug, ()), thing)

    def thing(self, name: str) -> Expr | None:
        """The thing that items of this name make, if that is a single one."""
        found = self.named.get(name, ())
        return _record(found[0]) if len(found) == 1 else None

    def thing_of(self, name: str, wanted: Type | None) -> Expr | None:
        """The thing that an item of this name makes, where such a thing is wanted."""
        if wanted is None or wanted.many:
            return None
        found = (_record(one) for one in self.named.get(name, ()) if one[0] == wanted.name)
        return next(found, None)

    def is_one_of(self, name: str, type_: Type) -> bool:
        """Is this the name of a thing, or a value, of that type?"""
        return name in self.options_of(type_) or self.thing_of(name, type_) is not None

    def is_told_by_type(self, name: str) -> bool:
        """Does this name only things, or an option of a switch, so that the type tells which?"""
        if self.is_value_name(name):
            return False
        return name in self.named or name in self.options

    def stands_for_value(self, name: str) -> bool:
        """Is this one of `value_names`?"""
        tables = (self.scope, self.settings, self.values, self.zones, self.enums)
        if name == "players" or any(name in table for table in tables):
            return True
        callee = self.callables.get(name)
        return (callee is not None and not callee.params) or self.is_recorded(name)

    def is_type_name(self, name: str) -> bool:
        """May this name stand as a type?"""
        return name in PLAIN or name in self.types

    def of_kind(self, kind: str) -> list[str]:
        """The names of the stats or of the soft rules, say."""
        return [name for name, one in self.callables.items() if one.kind == kind]

    def is_value_name(self, name: str) -> bool:
        """Does this name already stand for a value everywhere?"""
        return self.stands_for_value(name) or self.is_type_name(name)

    def lasting_of(self, item: Item) -> Lasting | None:
        """The effect that lasts which an item is, if it is one."""
        found = self.lasting.get(item.slug)
        return found if found is not None and found.names.item.id == item.id else None

    def menu(self, node: ast.ChooseOneStmt) -> Menu | None:
        """The menu that begins here, if this has a name."""
        found = self.menus.get(node.menu.name.id) if node.menu is not None else None
        # The tree may have been made anew around it, without idle moments; its place stays.
        same = found is not None and found.node.span == node.span
        return found if same else None

    def may_change(self, callee: Callee, variable: str) -> bool:
        """Say whether a callee may change a variable of the game."""
        return bool(self.changes.part(callee, variable))

    def noun(self, type_: Type) -> str:
        """The noun for one value of this type."""
        return self.nouns.get(type_.name, (type_.name.lower(), ""))[0]

    def is_recorded(self, name: str) -> bool:
        """Is this an entity made by records, whose name stands for the list of all of them?"""
        return bool(self.entities.part(name, "recorded"))

    def kept_type(self, type_: Type) -> str:
        """The text of a type in a program, to which an option of a switch is a text."""
        return str(replace(type_, name=TEXT.name) if type_.name in self.settings else type_)

    def options_of(self, type_: Type) -> tuple[str, ...]:
        """The values of an enum, or the options of a switch, of this type."""
        if type_.name in self.enums:
            return self.enums[type_.name]
        setting = self.settings.get(type_.name)
        return setting.options if setting else ()


def _record(thing: tuple[str, int]) -> Expr:
    entity, number = thing
    return ("record", entity, ("value", number))

"""Checks the names in the notation of scenarios; the data itself passes through unchanged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, offer
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import POWERS, Item
from ruleloom.compiler.resolve.declare import HOLE, hole_place
from ruleloom.compiler.resolve.symbols import SettingSymbol, Symbols
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.summary.summaries import Outline
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, text_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.expr import reached
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Entity
from ruleloom.runtime.program.values import BOOL, INT

NO_POWER = "there is no power {}"


def notation(build: Build) -> None:
    """Report every unknown name in the notation."""
    found = build.content.by_kind("notation")
    if not found:
        return
    ways = Ways(build)
    for item in found:
        names = _Names(item, build.symbols, ways, build.report)
        names.settings()
        names.positions()
        names.tables(build.entities)
        names.steps()


class Ways:
    """The powers by their names in scenarios, and the choices and modes within each."""

    def __init__(self, build: Build) -> None:
        """Collect the outlines of a game's routines."""
        items = [item for item in build.content.items if "effect" in item.fields]
        called = (*POWERS, "fusion", "flow", "trigger", "way", "action")
        self.records = [item.id for item in items if item.kind not in called]
        self.powers: dict[str, tuple[str, ...]] = {}
        for item in items:
            if item.kind not in ("trigger", "way", "action"):
                self.call(item.slug, item.id)
        self.outlines = {id: build.summaries.outline(id) for id in build.checked}
        # After any error, the broken part may have the missing choice.
        self.complete = build.is_sound

    def call(self, name: str, id: str) -> None:
        """Add a routine under its name in scenarios; several may share one."""
        self.powers[name] = (*self.powers.get(name, ()), id)

    def asked(self, powers: Sequence[str]) -> set[str]:
        """The names of the choices within any of these powers."""
        return {name for one in self._reached(powers) for name in one.asks}

    def modes(self, powers: Sequence[str]) -> set[str]:
        """The labels of the modes within any of these powers."""
        return {label for one in self._reached(powers) for label in one.modes}

    def _reached(self, powers: Sequence[str]) -> Iterator[Outline]:
        def used(id: str) -> Iterable[str]:
            found = self.outlines.get(id)
            if found is None:
                return ()
            return (*found.uses, *(self.records if found.dynamic else ()))

        ids = reached((id for power in powers for id in self.powers[power]), used)
        return (self.outlines[id] for id in ids if id in self.outlines)


class _Names(Frozen):
    """The names in one notation, checked against those of the game."""

    item: Item
    symbols: Symbols
    ways: Ways
    report: Report

    def part(self, name: str) -> Mapping[str, YamlNode]:
        return entries_of(self.item.fields.get(name))

    def known(self, nothing: str, node: YamlNode, choices: Collection[str]) -> bool:
        """Whether the name at a node is known; reports any other, for which `{}` stands in the message."""
        name = node.text or node.raw
        if name not in choices and not self.symbols.poisoned.may_declare(name):
            message, help = nothing.format(f"`{name}`"), did_you_mean(name, choices)
            self.report.error("unknown-name", node.place, message, help)
        return name in choices

    def settings(self) -> None:
        """Check `settings`: each is a setting or switch, with a valid value."""
        written, settings = self.item.fields.get("settings"), self.symbols.settings
        for key in _keys(written):
            if self.known("there is no switch or setting {}", key, settings):
                self.value(settings[text_of(key)], entries_of(written)[text_of(key)])

    def value(self, setting: SettingSymbol, node: YamlNode) -> None:
        """Report an invalid value of a setting or switch."""
        name, value = setting.name, node.text or node.raw
        options = setting.options or self.symbols.options_of(setting.type)
        wanted = {INT: ("int", "a number"), BOOL: ("bool", "`true` or `false`")}.get(setting.type)
        if options and value not in options:
            help = offer(value, options)
            self.report.error("unknown-name", node.place, f"`{name}` has no option `{value}`", help)
        elif wanted is not None and node.kind != wanted[0]:
            message = f"the value of `{name}` must be {wanted[1]}"
            self.report.error("type-mismatch", node.place, message)
        elif setting.type == INT and not lies_within(int(node.raw), setting.low, setting.high):
            message = f"`{name}` lies between {setting.low} and {setting.high}"
            self.report.error("out-of-bounds", node.place, message)

    def positions(self) -> None:
        """Check the entries of `given` and `then`."""
        symbols = self.symbols
        tables: Mapping[str, tuple[str, Collection[str]]] = {
            "zone": ("zone", symbols.zones),
            "token": ("entity", symbols.entities),
            "made_by": ("operation", symbols.operations),
            "order_after": ("operation", symbols.operations),
            "scope": ("variable", symbols.scope),
            "setting": ("setting", symbols.settings),
            "measure": ("measure", symbols.callables),
        }
        for entry in (*self.part("given").values(), *self.part("then").values()):
            for key, node in entry.entries.items():
                if key in tables:
                    self.use(*tables[key], node)
            self.arguments(entry)
            self.supply(entry)
            for node in entries_of(entry.get("first_true")).values():
                self.use("measure", symbols.callables, node)
            spanned = {*symbols.type_names(), *self.part("spans")}
            for node in items_of(entry.get("for_each")):
                self.known("there is no type or span {}", node, spanned)

    def supply(self, entry: YamlNode) -> None:
        """Check `supply:`, with fields in the token's pattern, and a number or a setting of one."""
        supply, token = entries_of(entry.get("supply")), entry.get("token")
        pattern = self.part("tokens").get(text_of(token))
        written = HOLE.findall(text_of(pattern))
        for node in items_of(supply.get("for_each")) if pattern is not None else ():
            self.known("there is no field in the token {}", node, written)
        most, settings = supply.get("most"), self.symbols.settings
        if most is not None and most.kind == "text":
            numbers = [name for name, one in settings.items() if one.type == INT]
            self.use("setting with a number", numbers, most)

    def use(self, what: str, choices: Collection[str], node: YamlNode) -> None:
        """Note the use of a name; reports an unknown one."""
        if self.known(f"there is no {what} {{}}", node, choices):
            name = node.text or node.raw
            callee = self.symbols.callables.get(name)
            self.symbols.used.add(callee.id if callee is not None else name)

    def arguments(self, entry: YamlNode) -> None:
        """Check `args:`, which maps parameters of the operation to fields in the token's pattern."""
        operation = self.symbols.operations.get(text_of(entry.get("made_by")))
        entity = self.symbols.entities.get(text_of(entry.get("token")))
        for key in _keys(entry.get("args")) if operation is not None else ():
            params = [one.name for one in operation.params] if operation is not None else ()
            self.known(f"`{text_of(entry.get('made_by'))}` has no {{}}", key, params)
        for node in entries_of(entry.get("args")).values() if entity is not None else ():
            self.known("there is no field {}", node, entity.fields if entity is not None else ())

    def tables(self, entities: Sequence[Entity]) -> None:
        """Check `tables` of named things on points, and the holes of `tokens`, which are fields."""
        made = {name for entity in entities for name in entity.names}
        for table in self.part("tables").values() if self.ways.complete else ():
            for node in table.entries.values():
                self.known("there is no record {}", node, made)
        for key in _keys(self.item.fields.get("tokens")):
            entity = self.symbols.entities.get(text_of(key))
            if entity is None:
                self.known("there is no entity {}", key, self.symbols.entities)
                continue
            node = self.part("tokens")[entity.name]
            for hole in HOLE.finditer(node.text or ""):
                if hole[1] not in entity.fields:
                    message = f"{entity.singular} has no field `{hole[1]}`"
                    help = did_you_mean(hole[1], entity.fields)
                    self.report.error("unknown-name", hole_place(node, hole), message, help)

    def steps(self) -> None:
        """Check the forms of steps, and the other parts that name powers and choices."""
        everything = {name for one in self.ways.outlines.values() for name in one.asks}
        for forms in self.part("steps").values():
            for entry in forms.entries.values():
                self.step(entry, everything)
        for entry in (*self.part("counts").values(), *self.part("stops").values()):
            powers = self.powers(entry.get("powers"))
            self.choices(entry.get("choices"), self.ways.asked(powers), powers)
        for node in self.part("within").values():
            self.powers(node)
        for node in self.part("same_as").values():
            self.choices(node, everything)

    def powers(self, node: YamlNode | None) -> list[str]:
        known = [one for one in items_of(node) if self.known(NO_POWER, one, self.ways.powers)]
        return [one.text or one.raw for one in known]

    def choices(
        self, node: YamlNode | None, asked: Collection[str], powers: Sequence[str] = ("any",)
    ) -> None:
        """Report choices, in a list or alone, that none of these powers offers, if they are known."""
        listed = () if node is None else node.items if node.kind == "list" else (node,)
        for one in listed if powers and self.ways.complete else ():
            self.known("nothing here asks for {}", one, asked)

    def step(self, entry: YamlNode, everything: Collection[str]) -> None:
        """Check one form: its powers, and the choices that its keys answer. `words` and `absent` name
        choices; a word's `mode` is a label.
        """
        powers = self.powers(entry.get("powers"))
        asked = self.ways.asked(powers)
        for node in entries_of(entry.get("keys")).values():
            self.choices(node, asked, powers)
        self.choices(entry.get("together"), everything)
        for claim in entries_of(entry.get("claims")).values():
            self.choices(claim.get("of"), asked, powers)
            for node in entries_of(claim.get("lies_in")).values():
                self.known("there is no zone {}", node, self.symbols.zones)
        for key in (*_keys(entry.get("words")), *_keys(entry.get("absent"))):
            self.choices(key, asked, powers)
        modes, words = self.ways.modes(powers), entries_of(entry.get("words")).values()
        for word in chain.from_iterable(one.entries.values() for one in words):
            mode = word.get("mode") if powers and self.ways.complete else None
            if mode is not None:
                self.known("no mode is called {}", mode, modes)


def _keys(node: YamlNode | None) -> Iterator[YamlNode]:
    return (key_node(node, name) for name in entries_of(node) if node is not None)

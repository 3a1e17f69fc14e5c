"""What the names of an effect text mean: each name of a tree, by where it stands in it.

In go a tree and the names of a game; out come spans with meanings. A name that means nothing is
passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event, parse_params
from ruleloom.compiler.syntax.parts import holes
from ruleloom.compiler.syntax.roles import MENU, NEW, names_given, roles_of
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """What a name means: an item by its id, a word of a vocabulary, or a variable of one text."""

    table: str
    name: str


def locals_of(tree: object) -> frozenset[str]:
    """The names that a text gives to something."""
    params = {node.name for node in walk(tree) if isinstance(node, ast.Param)}
    return frozenset(params | {name.id for name in names_given(tree)})


def declared_by(item: YamlNode) -> frozenset[str]:
    """The names that the other fields of an item declare: its parameters, what its event tells."""
    found: set[str] = set()
    for name, parse in (("takes", parse_params), ("of", parse_params), ("event", parse_event)):
        node = item.get(name)
        try:
            tree = parse(node.text or "") if node is not None else ()
        except EffectSyntaxError:
            continue
        found |= locals_of(tree)
    return frozenset(found)


Found = tuple[ast.Span, Meaning, bool, str]


@dataclass(frozen=True, slots=True)
class TreeNames:
    """What a text knows: the names of the game, its items by kind and name, and its own variables."""

    symbols: Symbols
    items: Mapping[tuple[str, str], str]
    scope: str
    locals: frozenset[str]
    text: str

    def read(self, tree: object) -> Iterator[Found]:
        """The names of a tree."""
        if isinstance(tree, ast.CallExpr):  # the event of a trigger
            yield from self._event(tree)
            return
        if isinstance(tree, tuple | ast.Param):
            yield from self._params(tree)
        roles = self._roles(tree)
        for node in walk(tree):
            if isinstance(node, ast.TextLiteral):
                for hole in holes(node):
                    yield from self._plain(hole)
            elif isinstance(node, ast.Name):
                role = roles.get(id(node))
                if role is not None:
                    yield from role
                else:
                    yield from self._plain(node)

    def _params(self, tree: object) -> Iterator[Found]:
        for one in tree if isinstance(tree, tuple) else (tree,):
            if isinstance(one, ast.Param):
                start = one.span[0]
                local = self._local(one.name)
                yield (start, start + len(one.name)), local, True, "parameter"
                named = self._type(one.type)
                if named is not None:
                    start = self.text.index(one.type.name, one.type.span[0])
                    yield (start, start + len(one.type.name)), named, False, "type"

    def _type(self, node: ast.TypeName) -> Meaning | None:
        if node.name in self.symbols.enums:
            return Meaning("enum", node.name)
        return Meaning("type", node.name) if node.name in self.symbols.types else None

    def _roles(self, tree: object) -> dict[int, list[Found]]:
        """What those names mean that stand in a place of their own, by the node."""
        found: dict[int, list[Found]] = {}
        for node in walk(tree):
            for name, meanings in self._own(node):
                found[id(name)] = list(meanings)
        return found

    def _own(self, node: ast.SyntaxNode) -> Iterator[tuple[ast.Name, Iterator[Found]]]:
        for part, role in roles_of(type(node)).items():
            named = getattr(node, part)
            if role in (NEW, MENU) and isinstance(named, ast.Name):
                declares = not isinstance(node, ast.MenuName)
                yield named, self._given(named) if declares else self._menu(named)
        symbols = self.symbols
        match node:
            case ast.UseStmt():
                yield node.power, self._signature(node.power, symbols.powers)
            case ast.CallExpr():
                yield node.name, self._call(node.name)
            case ast.Keyword():
                yield node.name, self._signature(node.name, symbols.keywords)
            case ast.Restrict() | ast.Allowed():
                yield node.rule, self._signature(node.rule, symbols.callables)
            case ast.IgnoringStmt():
                for rule in node.rules:
                    yield rule, self._signature(rule, symbols.callables)
            case ast.BeginStmt() | ast.EndStmt() | ast.ProlongStmt():
                yield node.name, self._lasting(node.name)
            case ast.Modify() | ast.When() | ast.Instead() | ast.LaterStmt():
                yield from self._of_ability(node)

    def _of_ability(
        self, node: ast.Modify | ast.When | ast.Instead | ast.LaterStmt
    ) -> Iterator[tuple[ast.Name, Iterator[Found]]]:
        if isinstance(node, ast.Modify):
            yield node.stat, self._signature(node.stat, self.symbols.callables)
            if node.bonus is not None:
                yield node.bonus, self._bonus(node.bonus)
            return
        yield node.event.name, self._event_name(node.event.name)
        for arg in node.event.args:
            if isinstance(arg.value, ast.Name):
                yield arg.value, self._given(arg.value)

    def _event(self, tree: ast.CallExpr) -> Iterator[Found]:
        yield from self._event_name(tree.name)
        for arg in tree.args:
            if isinstance(arg.value, ast.Name):
                yield from self._given(arg.value)

    def _local(self, name: str) -> Meaning:
        return Meaning("local", f"{self.scope}:{name}")

    def _given(self, node: ast.Name) -> Iterator[Found]:
        yield node.span, self._local(node.id), True, "local variable"

    def _menu(self, node: ast.Name) -> Iterator[Found]:
        yield node.span, Meaning("menu", node.id), True, "menu"

    def _event_name(self, node: ast.Name) -> Iterator[Found]:
        """The event that is answered: an operation, a moment, or what comes before or after a power."""
        word = node.id.rpartition(" ")[2]
        span = (node.span[1] - len(word), node.span[1])
        power = self.symbols.powers.get(word) if " " in node.id else None
        operation = self.symbols.operations.get(node.id)
        if power is not None:
            yield span, Meaning("item", power.id), False, "power"
        elif operation is not None and " " not in node.id:
            yield span, self._of(operation.id, "operation", word), False, "operation"
        else:
            yield span, Meaning("event", node.id), False, "event"

    def _of(self, id: str, table: str, name: str) -> Meaning:
        return Meaning("item", id) if ":" in id else Meaning(table, name)

    def _signature(self, node: ast.Name, table: Mapping[str, object]) -> Iterator[Found]:
        found = table.get(node.id)
        id = getattr(found, "id", "")
        if found is not None:
            kind = str(getattr(found, "kind", ""))
            yield node.span, self._of(id, "query", node.id), False, kind

    def _bonus(self, node: ast.Name) -> Iterator[Found]:
        if node.id in self.symbols.tags:
            yield node.span, Meaning("item", self.symbols.tags[node.id]), False, "tag"
        elif node.id in self.symbols.bonuses:
            yield node.span, Meaning("bonus", node.id), False, "sort of bonus"

    def _lasting(self, node: ast.Name) -> Iterator[Found]:
        if node.id in self.locals:
            yield node.span, self._local(node.id), False, "local variable"
        elif node.id in self.symbols.lasting:
            item = self.symbols.lasting[node.id].names.item
            yield node.span, Meaning("item", item.id), False, "effect that lasts"

    def _call(self, node: ast.Name) -> Iterator[Found]:
        symbols, name = self.symbols, node.id
        if name in self.locals and name not in symbols.callables:
            yield node.span, self._local(name), False, "local variable"
        elif name in symbols.operations:
            operation = symbols.operations[name]
            yield node.span, self._of(operation.id, "operation", name), False, operation.kind
        elif name in symbols.callables:
            yield from self._signature(node, symbols.callables)
        elif name in symbols.fields:
            yield node.span, Meaning("field", name), False, "field"
        elif name in symbols.zones:
            yield node.span, Meaning("zone", name), False, "zone"
        elif name in symbols.keywords:
            yield from self._signature(node, symbols.keywords)

    def _plain(self, node: ast.Name) -> Iterator[Found]:
        symbols, name = self.symbols, node.id
        if name in self.locals:
            yield node.span, self._local(name), False, "local variable"
        elif name in symbols.scope:
            yield node.span, Meaning("variable", name), False, "variable"
        elif name in symbols.settings:
            yield from self._item(node, ("setting", "switch"))
        elif name in symbols.values:
            yield node.span, Meaning("value", f"{symbols.values[name]}.{name}"), False, "value"
        elif name in symbols.zones:
            yield node.span, Meaning("zone", name), False, "zone"
        elif name in symbols.enums:
            yield node.span, Meaning("enum", name), False, "enum"
        elif name in symbols.callables:
            yield from self._signature(node, symbols.callables)
        elif name in symbols.types:
            yield node.span, Meaning("type", name), False, "type"
        elif name in symbols.tags:
            yield from self._bonus(node)
        else:
            yield from self._item(node, tuple(symbols.kinds))

    def _item(self, node: ast.Name, kinds: tuple[str, ...]) -> Iterator[Found]:
        for kind in kinds:
            id = self.items.get((kind, node.id))
            if id is not None:
                yield node.span, Meaning("item", id), False, kind
                return

"""Holds the effect texts of a case against the names of the game.

A text is parsed once, and each name in it must stand for something where it stands; a text without
unknown names is then checked as those of the game are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from ruleloom.compiler.check.calls import BUILT_IN
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.cases.case_values import CaseValues, Fault, Faults, fault, taken_as
from ruleloom.compiler.lint.cases.known_names import NOWHERE, GameNames, Where
from ruleloom.compiler.lint.cases.prompts import YES_OR_NO, PromptForm
from ruleloom.compiler.lower.routines import Contexts
from ruleloom.compiler.resolve.embedded import Old, read_text, with_new_names
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities, parse_block, parse_expr
from ruleloom.compiler.syntax.roles import NEW, VARIABLE, WITHIN, roles_of
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import TEXT

GIVEN = (NEW, WITHIN)
OWN_WORDS = frozenset({"me", "self", "this", "owner", "it", "result", "players", "amount", "cause"})
Parse = Callable[[str], Any]
AskingStmt = ast.ChooseStmt | ast.AskStmt | ast.RollStmt | ast.DrawStmt | ast.SecretlyStmt


@dataclass(slots=True)
class Reading:
    """What a text names: the names that it gives, its calls, the words that stand for values."""

    bound: set[str] = field(default_factory=set)
    values: list[ast.Name] = field(default_factory=list)
    called: list[tuple[str, ast.Name]] = field(default_factory=list)
    asked: dict[str, PromptForm | None] = field(default_factory=dict)
    asking: list[AskingStmt] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    old: list[Old] = field(default_factory=list)
    """The names that items had before, where they are written; the rest has the new ones."""


def read_tree(trees: Iterable[ast.SyntaxNode]) -> Reading:
    """What statements or an expression name."""
    reading = Reading()
    for tree in trees:
        _Reader(reading).visit(tree)
    return reading


class _Reader:
    """Walks a syntax tree, each node by its class, the fields of all others by themselves."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def visit(self, node: object) -> None:
        if isinstance(node, tuple):
            for one in node:
                self.visit(one)
        elif isinstance(node, ast.SyntaxNode):
            self._bind(node)
            special = SPECIAL.get(type(node))
            if special is None or special(self, node):
                self._inside(node)

    def _inside(self, node: ast.SyntaxNode) -> None:
        skipped = _binding(node)
        for name in node.__match_args__:
            if name != "span" and name not in skipped:
                self.visit(getattr(node, name))

    def _bind(self, node: ast.SyntaxNode) -> None:
        for name in _binding(node):
            bound = getattr(node, name)
            if isinstance(bound, ast.Name):
                self.reading.bound.add(bound.id)
        if isinstance(node, AskingStmt):
            self.reading.asking.append(node)

    def name(self, node: ast.Name) -> bool:
        self.reading.values.append(node)
        return False

    def call(self, node: ast.CallExpr) -> bool:
        self._call("call", node.name, node.args)
        return False

    def operate(self, node: ast.OperateStmt) -> bool:
        self._call("operation", node.call.name, node.call.args)
        return False

    def use(self, node: ast.UseStmt) -> bool:
        self._call("power", node.power, node.args)
        return False

    def begin(self, node: ast.BeginStmt) -> bool:
        self._call("lasting", node.name, node.args)
        for one in (node.on, node.time, node.by):
            self.visit(one)
        return False

    def end(self, node: ast.EndStmt | ast.ProlongStmt) -> bool:
        self.visit(node.on)
        return False

    def modify(self, node: ast.Modify) -> bool:
        self.visit(node.value)
        return self._about("stat", node.stat, node)

    def restrict(self, node: ast.Restrict) -> bool:
        return self._about("rule", node.rule, node)

    def _about(self, kind: str, name: ast.Name, node: ast.Modify | ast.Restrict) -> bool:
        self._call(kind, name, ())
        for place in node.places:
            self.visit(place.value)
        self.reading.bound.update(one.each.id for one in node.places if one.each is not None)
        for part in (node.where, node.label):
            self.visit(part)
        return False

    def reaction(self, node: ast.Reaction) -> bool:
        self._call("event", node.event.name, ())
        values = (arg.value for arg in node.event.args)
        self.reading.bound.update(one.id for one in values if isinstance(one, ast.Name))
        for part in (node.where, node.body):
            self.visit(part)
        return False

    def keyword(self, node: ast.Keyword) -> bool:
        self._call("keyword", node.name, ())
        return False

    def later(self, node: ast.LaterStmt) -> bool:
        return False

    def allowed(self, node: ast.Allowed) -> bool:
        self._call("call", node.rule, node.args)
        return False

    def ignoring(self, node: ast.IgnoringStmt) -> bool:
        for rule in node.rules:
            self.reading.called.append(("rule", rule))
        self.visit(node.body)
        return False

    def optional(self, node: ast.OptionalStmt) -> bool:
        if node.label is not None:
            self.reading.asked[node.label.value] = YES_OR_NO
        return True

    def menu(self, node: ast.ChooseOneStmt) -> bool:
        labels = tuple(mode.label.value for mode in node.modes)
        called = node.prompt.value if node.prompt is not None else labels[0] if labels else ""
        self.reading.asked[called] = PromptForm(TEXT, labels) if node.menu is None else None
        for mode in node.modes:
            self.visit(mode.when)
            self.visit(mode.body)
        self.visit(node.by)
        return False

    def text(self, node: ast.TextLiteral) -> bool:
        self.reading.texts.add(node.value)
        return False

    def type_name(self, node: ast.TypeName) -> bool:
        return False

    def _call(self, kind: str, name: ast.Name, args: tuple[ast.Arg, ...]) -> None:
        self.reading.called.append((kind, name))
        for arg in args:
            self.visit(arg.value)


def _binding(node: ast.SyntaxNode) -> list[str]:
    """The fields in which a form gives something a name, or sets what has it."""
    roles = roles_of(type(node)).items()
    is_set = isinstance(node, ast.AssignStmt)
    return [name for name, role in roles if role in GIVEN or (role == VARIABLE and is_set)]


SPECIAL: dict[type, Callable[..., bool]] = {
    ast.Name: _Reader.name,
    ast.CallExpr: _Reader.call,
    ast.OperateStmt: _Reader.operate,
    ast.UseStmt: _Reader.use,
    ast.BeginStmt: _Reader.begin,
    ast.EndStmt: _Reader.end,
    ast.ProlongStmt: _Reader.end,
    ast.LaterStmt: _Reader.later,
    ast.Modify: _Reader.modify,
    ast.Restrict: _Reader.restrict,
    ast.Keyword: _Reader.keyword,
    ast.When: _Reader.reaction,
    ast.Instead: _Reader.reaction,
    ast.Allowed: _Reader.allowed,
    ast.IgnoringStmt: _Reader.ignoring,
    ast.OptionalStmt: _Reader.optional,
    ast.ChooseOneStmt: _Reader.menu,
    ast.TypeName: _Reader.type_name,
    ast.TextLiteral: _Reader.text,
}


class TextChecks:
    """The texts of all cases of a game; one that stands in several is read once."""

    def __init__(self, game: GameNames) -> None:
        self.game = game
        self._read: dict[tuple[str, Parse], Reading | EffectSyntaxError] = {}
        self._sound: set[tuple[str, tuple[ParamSymbol, ...]]] = set()

    def reading(self, text: str, parse: Parse = parse_block) -> Reading | EffectSyntaxError:
        """What a text names, or why it cannot be read."""
        key = text, parse
        if key not in self._read:
            try:
                found, old = with_new_names(parse(text), self.game.build.content.old_words, ())
                reading = read_tree(found if isinstance(found, tuple) else (found,))
                self._read[key] = replace(reading, old=old)
            except EffectSyntaxError as error:
                self._read[key] = error
        return self._read[key]

    def wrong_step(self, values: CaseValues, node: YamlNode) -> Faults:
        """What is wrong with the text of a step, which YAML may have rewritten on the way."""
        report = Report()
        effect_text(node.source, node, report)
        if not any(one.code == "unmappable-text" for one in report.diagnostics()):
            yield from self.wrong_text(values, node)
            return
        lines = (node.text or "").rstrip("\n").replace("\n", "\n ")
        source = Source(node.source.path, f"|\n {lines}\n")
        block = YamlNode(source, "text", node.text or "", 0, len(source.text), "|")
        for found in self.wrong_text(values, block):
            yield replace(found, place=node.place)

    def wrong_text(self, values: CaseValues, node: YamlNode) -> Faults:
        """What is wrong with a text of statements: its names first, then whatever else the game's own
        texts are checked for, with the things of the case as if they were given to it."""
        names = list(self._wrong(values, node, self.reading(node.text or ""), set()))
        yield from names or self._refused(node, values.names.params)

    def _refused(self, node: YamlNode, things: tuple[ParamSymbol, ...]) -> Faults:
        key = node.text or "", things
        if key in self._sound:
            return
        build, report = self.game.build, Report()
        read = read_text(build.content, node, parse_block, report)
        if read is not None:
            context = Contexts(self.game.symbols, report, build.bodies.functions, None)
            context(read[0], "", things).block(read[1])
        errors = [one for one in report.diagnostics() if one.severity == "error"]
        if not errors:
            self._sound.add(key)
        yield from errors

    def wrong_condition(
        self, values: CaseValues, node: YamlNode, where: Where, bound: set[str]
    ) -> Faults:
        """What is wrong with a condition that stands as a key, at a place."""
        text = node.text or ""
        yield from self._wrong(values, node, self.reading(text, parse_expr), bound)

    def wrong_abilities(self, values: CaseValues, node: YamlNode) -> Faults:
        """Names in the abilities of a thing that stand for nothing; the rest is told by a test."""
        report = Report()
        effect_text(node.source, node, report)
        names = self._wrong(values, node, self.reading(node.text or "", parse_abilities), set())
        yield from report.diagnostics() or names

    def _wrong(
        self,
        values: CaseValues,
        node: YamlNode,
        reading: Reading | EffectSyntaxError,
        bound: set[str],
    ) -> Faults:
        if isinstance(reading, EffectSyntaxError):
            yield from _syntax(node, reading)
            return
        names = TextNames(values, reading, bound, node.source.path)
        for span, found in names.faults():
            yield _at(node, span, found)


def _syntax(node: YamlNode, error: EffectSyntaxError) -> Faults:
    own = Report()
    written = effect_text(node.source, node, own)
    if written is not None:
        own.error(error.code, written.place_of(error.span), error.message, error.help)
    yield from own.diagnostics()


def _at(node: YamlNode, span: ast.Span, found: Diagnostic) -> Diagnostic:
    """A mistake at a stretch of a text, where that stands in the file."""
    written: EffectText | None = effect_text(node.source, node, Report())
    place = node.place if written is None else written.place_of(span)
    return replace(found, place=place)


@dataclass(frozen=True, slots=True)
class TextNames:
    """The names of one text, held against a case and its game."""

    values: CaseValues
    reading: Reading
    bound: set[str]
    path: str
    """The file in which it stands."""

    def faults(self) -> Iterator[tuple[ast.Span, Diagnostic]]:
        """Each name that stands for nothing and each call that does not fit, with its span."""
        yield from self.old_names()
        for name in self.reading.values:
            if not self._is_value(name.id) and (found := self._unknown_value(name.id)) is not None:
                yield name.span, found
        for kind, name in self.reading.called:
            known = self._callee(kind, name.id) is not None or self._is_called(kind, name.id)
            if not known and (found := self._unknown_call(kind, name.id)) is not None:
                yield name.span, found

    def old_names(self) -> Iterator[tuple[ast.Span, Diagnostic]]:
        """Each old name of an item, which is taken as the new one."""
        for span, word, item in self.reading.old:
            if not self._is_value(word):
                yield span, taken_as(NOWHERE, word, item.slug)

    def _is_value(self, name: str) -> bool:
        symbols = self.values.names.game.symbols
        known = name in self.reading.bound or name in self.bound or name in OWN_WORDS
        if known or symbols.stands_for_value(name) or name in symbols.named:
            return True
        if name in symbols.options or name in symbols.tags or name in symbols.types:
            return True
        return bool(self.values.names.entities_of(name))

    def _unknown_value(self, name: str) -> Fault:
        names = self.values.names
        symbols = names.game.symbols
        known = [*names.things, *self.reading.bound, *self.bound, *symbols.value_names()]
        known += [*symbols.named, *symbols.options]
        nothing = f"there is nothing called `{name}` here"
        return self._unknown_item(name, nothing, known)

    def _unknown_item(self, name: str, nothing: str, known: Iterable[str]) -> Fault:
        """A name that nothing has any more, or ever had."""
        game = self.values.names.game
        became = game.what_became(name, self.path)
        if became is not None:
            return fault("unknown-name", NOWHERE, *became)
        if game.forgives(name):
            return None
        return fault("unknown-name", NOWHERE, nothing, did_you_mean(name, known))

    def _callee(self, kind: str, name: str) -> Signature | None:
        symbols = self.values.names.game.symbols
        match kind:
            case "power":
                return symbols.powers.get(name)
            case "operation":
                return symbols.operations.get(name)
            case "lasting":
                found = symbols.lasting.get(name)
                return found.signature if found is not None else None
            case "stat":
                stat = symbols.callables.get(name)
                return stat if stat is not None and stat.kind == "stat" else None
        return symbols.callables.get(name) if name not in symbols.fields else None

    def _is_called(self, kind: str, name: str) -> bool:
        symbols = self.values.names.game.symbols
        if kind in ("call", "rule"):
            known = symbols.is_callable_name(name) or name in symbols.lasting or name in BUILT_IN
            return known or name in self.reading.bound or name in self.bound
        tables = (symbols.operations, symbols.events, symbols.powers, symbols.lasting)
        match kind:
            case "operation":
                return name in symbols.events
            case "keyword":
                return name in symbols.keywords
            case "event":
                phase, _, what = name.rpartition(" ")
                return phase == "rolled" or any(what in table for table in tables)
        return False

    def _unknown_call(self, kind: str, name: str) -> Fault:
        symbols = self.values.names.game.symbols
        tables: dict[str, Iterable[str]] = {
            "power": symbols.powers,
            "operation": symbols.operations,
            "lasting": symbols.lasting,
            "keyword": symbols.keywords,
            "stat": symbols.of_kind("stat"),
            "event": [*symbols.operations, *symbols.events, *symbols.powers],
        }
        known = tables.get(kind, symbols.callable_names())
        words = {"lasting": "effect that lasts", "call": "measure, rule or field", "rule": "rule"}
        word = words.get(kind, kind)
        return self._unknown_item(name, f"there is no {word} `{name}`", known)

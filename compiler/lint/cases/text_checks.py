"""Holds the effect texts of a case against the names of the game.

Nothing is compiled: a text is parsed once, and each name in it must stand for something where it
stands; what a call is given must be as much as it takes, and of the sort that it takes where that
is told by a word. Finer mistakes are found when the case is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import Any

from ruleloom.compiler.check.calls import BUILT_IN
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.cases.case_values import CaseValues, Fault, Faults, fault, taken_as
from ruleloom.compiler.lint.cases.known_names import NOWHERE, Where
from ruleloom.compiler.lint.cases.prompts import YES_OR_NO, PromptForm
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Old, with_new_names
from ruleloom.compiler.resolve.record_values import folded
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities, parse_block, parse_expr
from ruleloom.compiler.syntax.roles import NEW, VARIABLE, roles_of
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import TEXT

OWN_WORDS = frozenset({"me", "self", "this", "owner", "it", "result", "players", "amount", "cause"})
Parse = Callable[[str], Any]
AskingStmt = ast.ChooseStmt | ast.AskStmt | ast.RollStmt | ast.DrawStmt | ast.SecretlyStmt


@dataclass(slots=True)
class Reading:
    """What a text names: the names that it gives, its calls, the words that stand for values."""

    bound: set[str] = field(default_factory=set)
    values: list[ast.Name] = field(default_factory=list)
    called: list[tuple[str, ast.Name, tuple[ast.Arg, ...]]] = field(default_factory=list)
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
        self._call("call", node.stat, ())
        for one in (node.value, node.where):
            self.visit(one)
        return False

    def restrict(self, node: ast.Restrict) -> bool:
        self._call("call", node.rule, ())
        self.visit(node.where)
        return False

    def keyword(self, node: ast.Keyword) -> bool:
        self._call("call", node.name, ())
        return False

    def later(self, node: ast.LaterStmt) -> bool:
        return False

    def allowed(self, node: ast.Allowed) -> bool:
        self._call("call", node.rule, node.args)
        return False

    def ignoring(self, node: ast.IgnoringStmt) -> bool:
        for rule in node.rules:
            self.reading.called.append(("rule", rule, ()))
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
        self.reading.called.append((kind, name, args))
        for arg in args:
            self.visit(arg.value)


def _binding(node: ast.SyntaxNode) -> list[str]:
    """The fields in which a form gives something a name, or sets what has it."""
    roles = roles_of(type(node)).items()
    is_set = isinstance(node, ast.AssignStmt)
    return [name for name, role in roles if role == NEW or (role == VARIABLE and is_set)]


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
    ast.Allowed: _Reader.allowed,
    ast.IgnoringStmt: _Reader.ignoring,
    ast.OptionalStmt: _Reader.optional,
    ast.ChooseOneStmt: _Reader.menu,
    ast.TypeName: _Reader.type_name,
    ast.TextLiteral: _Reader.text,
}


class TextChecks:
    """The texts of all cases of a game; one that stands in several is read once."""

    def __init__(self, old_words: Mapping[tuple[str, str], Item]) -> None:
        self.old_words = old_words
        self._read: dict[tuple[str, Parse], Reading | EffectSyntaxError] = {}

    def reading(self, text: str, parse: Parse = parse_block) -> Reading | EffectSyntaxError:
        """What a text names, or why it cannot be read."""
        key = text, parse
        if key not in self._read:
            try:
                found, old = with_new_names(parse(text), self.old_words, ())
                reading = read_tree(found if isinstance(found, tuple) else (found,))
                self._read[key] = replace(reading, old=old)
            except EffectSyntaxError as error:
                self._read[key] = error
        return self._read[key]

    def wrong_text(self, values: CaseValues, node: YamlNode, bound: set[str]) -> Faults:
        """What is wrong with a text of statements; `bound` are the names that it is given."""
        yield from self._wrong(values, node, self.reading(node.text or ""), bound)

    def wrong_condition(
        self, values: CaseValues, node: YamlNode, where: Where, bound: set[str]
    ) -> Faults:
        """What is wrong with a condition that stands as a key, at a place."""
        text = node.text or ""
        yield from self._wrong(values, node, self.reading(text, parse_expr), bound)

    def wrong_abilities(self, values: CaseValues, node: YamlNode) -> Faults:
        """Calls in the abilities of a thing that stand for nothing; the rest is told by a test."""
        reading = self.reading(node.text or "", parse_abilities)
        if isinstance(reading, EffectSyntaxError):
            yield from _syntax(node, reading)
            return
        names = TextNames(values, reading, set(), node.source.path)
        for span, found in chain(names.old_names(), names.unknown_calls()):
            yield _at(node, span, found)

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
        for kind, name, args in self.reading.called:
            callee = self._callee(kind, name.id)
            if callee is None and not self._is_called(kind, name.id):
                if (found := self._unknown_call(kind, name.id)) is not None:
                    yield name.span, found
            elif callee is not None:
                yield from self._wrong_args(callee, name, args)

    def old_names(self) -> Iterator[tuple[ast.Span, Diagnostic]]:
        """Each old name of an item, which is taken as the new one."""
        for span, word, item in self.reading.old:
            if not self._is_value(word):
                yield span, taken_as(NOWHERE, word, item.slug)

    def unknown_calls(self) -> Iterator[tuple[ast.Span, Diagnostic]]:
        """Each call of something that is neither called, done, used nor begun anywhere."""
        symbols = self.values.names.game.symbols
        for kind, name, _ in self.reading.called:
            known = self._is_called("call", name.id) or self._callee(kind, name.id) is not None
            known = known or self.values.names.game.forgives(name.id)
            other = (symbols.operations, symbols.events, symbols.powers, symbols.keywords)
            if not known and not any(name.id in table for table in other):
                help = did_you_mean(name.id, chain(symbols.callable_names(), *other))
                nothing = f"there is nothing called `{name.id}` here"
                yield name.span, fault("unknown-name", NOWHERE, nothing, help)

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
        return symbols.callables.get(name) if name not in symbols.fields else None

    def _is_called(self, kind: str, name: str) -> bool:
        symbols = self.values.names.game.symbols
        if kind in ("call", "rule"):
            known = symbols.is_callable_name(name) or name in symbols.lasting or name in BUILT_IN
            return known or name in self.reading.bound or name in self.bound
        return kind == "operation" and name in symbols.events

    def _unknown_call(self, kind: str, name: str) -> Fault:
        symbols = self.values.names.game.symbols
        tables: dict[str, Iterable[str]] = {
            "power": symbols.powers,
            "operation": symbols.operations,
            "lasting": symbols.lasting,
        }
        known = tables.get(kind, symbols.callable_names())
        word = {"power": "power", "operation": "operation", "lasting": "effect that lasts"}.get(
            kind, "measure, rule or field"
        )
        return self._unknown_item(name, f"there is no {word} `{name}`", known)

    def _wrong_args(
        self, callee: Signature, name: ast.Name, args: tuple[ast.Arg, ...]
    ) -> Iterator[tuple[ast.Span, Diagnostic]]:
        params = {param.name: param for param in callee.params}
        labelled = [arg for arg in args if arg.label is not None]
        for arg in labelled:
            if arg.label not in params:
                message = f"`{callee.name}` takes no `{arg.label}`"
                help = did_you_mean(arg.label or "", params)
                span = arg.span[0], arg.span[0] + len(arg.label or "")
                yield span, fault("unknown-argument", NOWHERE, message, help)
                return
        least = sum(param.default is None for param in callee.params)
        if len(args) > len(params) and callee.kind != "part":
            message = f"`{callee.name}` takes {len(params)}, and this is one too many"
            yield args[len(params)].span, fault("too-many-arguments", NOWHERE, message)
        elif len(args) < least:
            takes = ", ".join(f"{one.name}: {one.type}" for one in callee.params)
            message = f"`{callee.name}` takes ({takes})"
            yield name.span, fault("missing-argument", NOWHERE, message)
        else:
            yield from self._wrong_sorts(callee.params, args)

    def _wrong_sorts(
        self, params: Sequence[ParamSymbol], args: Sequence[ast.Arg]
    ) -> Iterator[tuple[ast.Span, Diagnostic]]:
        by_name = {param.name: param for param in params}
        for number, arg in enumerate(args):
            param = by_name[arg.label] if arg.label is not None else params[number]
            found = self._sorts(arg.value)
            if found and not param.type.many and param.type.name not in (*found, "?"):
                noun = self.values.noun(param.type)
                message = f"{noun} is wanted here, and this is {with_article(found[0])}"
                yield arg.value.span, fault("type-mismatch", NOWHERE, message)

    def _sorts(self, value: ast.Expr) -> tuple[str, ...]:
        """The types that a literal, or a thing named by itself, may have; nothing if open."""
        match value:
            case ast.NumberLiteral():
                return ("Int", "Fraction")
            case ast.TextLiteral():
                return ("Text",)
            case ast.BoolLiteral():
                return ("Bool",)
            case ast.Name():
                return self._sorts_of_name(value.id)
        return ()

    def _sorts_of_name(self, name: str) -> tuple[str, ...]:
        symbols = self.values.names.game.symbols
        if name in self.reading.bound or name in self.bound or name in symbols.options:
            return ()
        if folded(name) in self.values.names.things:
            return self.values.names.entities_of(name)
        if symbols.stands_for_value(name):
            enum = symbols.values.get(name)
            return (enum,) if enum is not None and name not in symbols.named else ()
        return self.values.names.entities_of(name)

"""The kinds of mutants: one small change each of what an effect text or a table says.

Changes of effect texts are made on the syntax tree and written back in canonical form.
`repeat 1 times:` stands in for a header that is taken away, as it changes nothing about its block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.edits.print_abilities import CHANGES
from benchmarks.edits.rewrite import SPAN, rewritten
from benchmarks.edits.shipped import Item, Shipped, Spot, Text, blocks, spots
from benchmarks.edits.sites import Edit, Site, of_node, replaced, shown
from benchmarks.edits.text_names import Names
from benchmarks.mutants import field_operators
from benchmarks.mutants.field_operators import said
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Ability, Modify, Passive
from ruleloom.scenarios.derive.mutate import OTHERWISE as FLIPS

OPERATORS = {"+": "-", "-": "+"}
AGGREGATES = {"highest": "lowest", "lowest": "highest", "every": "exists", "exists": "every"}
PRODUCTS = {"*": "+", "div": "mod", "mod": "div"}
TERMS = ("+", "-", "*", "div", "mod")
MODIFIERS = {"by": "to", "to": "by", "times": "by", "least": "most", "most": "least"}
QUERIES = {"seat_after": "seat_before", "seat_before": "seat_after"}
YES = ast.BoolLiteral(SPAN, True)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. `id` stays the same when lines move, so that survivors can be listed by it."""

    id: str
    kind: str
    item: Item
    site: Site


Kind = Callable[[Shipped], Iterator[tuple[Item, Site]]]


def all_mutants(pack: Shipped) -> list[Mutant]:
    """Every mutant of every kind."""
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for kind, make in KINDS.items():
        for item, site in make(pack):
            name = f"{item.kind}/{item.name}: {kind}: {site.says}"
            seen[name] += 1
            found.append(
                Mutant(name if seen[name] == 1 else f"{name} ({seen[name]})", kind, item, site)
            )
    return found


def _spots(pack: Shipped) -> Iterator[tuple[Text, Spot]]:
    for text in pack.texts:
        # What only a sheet says changes no number; tests/golden holds the sheets.
        if text.form in ("block", "expr", "params", "abilities") and text.item.kind != "sheet":
            for spot in spots(text.tree):
                yield text, spot


def _inside(text: Text, spot: Spot) -> str:
    """What a node stands in, for the list of mutants."""
    return f"`{shown(text.words(spot.parent if isinstance(spot.parent, ast.SyntaxNode) else spot.node))}`"


# ---------------------------------------------------------------------------------- statements


def drop_statement(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A statement less."""
    for text in pack.texts:
        for block in blocks(text.tree) if text.form in ("block", "abilities") else ():
            for one in block:
                if not isinstance(one, ast.EnsureStmt | ast.SayStmt):
                    yield text.item, rewritten(text, one, (), f"without `{shown(text.words(one))}`")


def drop_ensure(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """An `ensure` less."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.EnsureStmt):
            yield (
                text.item,
                rewritten(text, spot.node, (), f"without `{shown(text.words(spot.node))}`"),
            )


def drop_header(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """An `ignoring` less, or one of its rules; an `optional` that has become a must."""
    for text, spot in _spots(pack):
        node = spot.node
        if not isinstance(node, ast.IgnoringStmt | ast.OptionalStmt):
            continue
        head = text.words(node).split("\n")[0]
        plain = ast.RepeatStmt(node.span, ast.NumberLiteral(SPAN, 1), None, node.body)
        yield text.item, rewritten(text, node, plain, f"without `{head}`")
        if isinstance(node, ast.IgnoringStmt) and len(node.rules) > 1:
            for rule in node.rules:
                rest = tuple(one for one in node.rules if one is not rule)
                says = f"without `{rule.id}` in `{head}`"
                yield text.item, rewritten(text, node, replace(node, rules=rest), says)


def swap_uses(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """The two powers of a `combinable` in the other order; the parts of a fusion likewise."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.CombinableStmt):
            first, second = spot.node.uses
            if first.power.id != second.power.id:
                new = replace(spot.node, uses=(second, first))
                yield text.item, rewritten(text, spot.node, new, f"`{second.power.id}` first")
    for file, item in pack.items("fusion"):
        parts = item.node.entries["parts"]
        names = [one.raw for one in parts.items]
        if names[0] != names[1]:
            yield item, of_node(file, "fusion.parts", parts, f"[{names[1]}, {names[0]}]")


# ---------------------------------------------------------------------------------- conditions


def flip_comparison(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Another comparison, or the same one the other way round."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.Binary) and node.op in FLIPS and not _is_about_me(node):
            for op in FLIPS[node.op]:
                yield text.item, _operator(text, node, op)
        elif isinstance(node, ast.IsNone):
            new = replace(node, negated=not node.negated)
            says = f"`is {'not ' if new.negated else ''}none` in `{shown(text.words(node))}`"
            yield text.item, rewritten(text, node, new, says)


def _operator(text: Text, node: ast.Binary, op: str) -> Site:
    return rewritten(text, node, replace(node, op=op), f"`{op}` in `{shown(text.words(node))}`")


def _is_about_me(node: ast.Binary) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "me" for one in (node.left, node.right))


def swap_sides(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Own for enemy: a comparison with `me` turned round, `me` for an owner, the next player for
    `me`."""
    me = ast.Name(SPAN, "me")
    other = ast.CallExpr(SPAN, ast.Name(SPAN, "seat_after"), (ast.Arg(SPAN, None, me),))
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.Binary) and node.op in ("=", "!=") and _is_about_me(node):
            yield text.item, _operator(text, node, FLIPS[node.op][0])
        elif (
            isinstance(node, ast.Arg) and isinstance(node.value, ast.Name) and node.value.id == "me"
        ):
            says = f"`seat_after(me)` in {_inside(text, spot)}"
            yield text.item, rewritten(text, node.value, other, says)
        elif (
            isinstance(node, ast.Arg)
            and isinstance(node.value, ast.CallExpr)
            and node.value.name.id == "owner"
        ):
            yield text.item, rewritten(text, node.value, me, f"`me` in {_inside(text, spot)}")


def drop_conjunct(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """One side of an `and` or `or` less, a `not` less, a whole `where`, or a condition that is
    always true."""
    for text in pack.texts:
        if (
            text.form == "expr"
            and text.path[-1] in ("holds", "where", "when")
            and text.item.kind != "sheet"
        ):
            yield text.item, rewritten(text, text.tree, YES, f"{text.path[-1]}: yes")
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.Binary) and node.op in ("and", "or"):
            for gone, kept in ((node.left, node.right), (node.right, node.left)):
                yield text.item, rewritten(text, node, kept, f"without `{shown(text.words(gone))}`")
        elif isinstance(node, ast.Unary) and node.op == "not":
            yield (
                text.item,
                rewritten(text, node, node.value, f"without `not` in {_inside(text, spot)}"),
            )
        where = getattr(node, "where", None)
        if where is not None:
            needed = isinstance(node, Passive) or (
                isinstance(node, ast.Aggregate) and node.kind in ("every", "those")
            )
            new = replace(node, where=YES if needed else None)
            yield (
                text.item,
                rewritten(text, node, new, f"without `where {shown(text.words(where))}`"),
            )


def swap_and_or(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """`or` for `and`, and the other way round."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.Binary) and spot.node.op in ("and", "or"):
            yield text.item, _operator(text, spot.node, "or" if spot.node.op == "and" else "and")


# ---------------------------------------------------------------------------------- values


def change_number(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A number one more or one less; a die with a side more."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.NumberLiteral):
            for value in (node.value - 1, node.value + 1):
                if value >= 0:
                    says = f"{value} for {node.value} in {_inside(text, spot)}"
                    yield text.item, rewritten(text, node, ast.NumberLiteral(SPAN, value), says)
        elif isinstance(node, ast.DiceLiteral) and isinstance(node.sides, int):
            new = replace(node, sides=node.sides + 1)
            yield (
                text.item,
                rewritten(text, node, new, f"{new.count}d{new.sides} for `{text.words(node)}`"),
            )


def change_option(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Another value of the same enum, or another option of the same switch; `no` for `yes`."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.BoolLiteral):
            new = "no" if node.value else "yes"
            says = f"`{new}` in {_inside(text, spot)}"
            yield text.item, rewritten(text, node, ast.BoolLiteral(SPAN, not node.value), says)
        elif isinstance(node, ast.Name) and node.id in names.options:
            home = names.options[node.id]
            others = [
                one for one, where in names.options.items() if where == home and one != node.id
            ]
            says = f"`{others[0]}` in {_inside(text, spot)}"
            yield text.item, rewritten(text, node, ast.Name(SPAN, others[0]), says)


def swap_operator(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Minus for plus, lowest for highest, every for exists, left for right."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.Binary) and node.op in OPERATORS:
            yield text.item, _operator(text, node, OPERATORS[node.op])
        elif isinstance(node, ast.Aggregate) and node.kind in AGGREGATES:
            new = AGGREGATES[node.kind]
            if node.where is None and new == "every":
                continue
            says = f"`{new}` in `{shown(text.words(node))}`"
            yield text.item, rewritten(text, node, replace(node, kind=new), says)
        elif isinstance(node, ast.Unary) and node.op == "-":
            yield (
                text.item,
                rewritten(text, node, node.value, f"no minus in `{shown(text.words(node))}`"),
            )
        elif isinstance(node, ast.CallExpr) and node.name.id in QUERIES:
            name = ast.Name(SPAN, QUERIES[node.name.id])
            yield (
                text.item,
                rewritten(text, node.name, name, f"`{name.id}` in `{text.words(node)}`"),
            )


def drop_clause(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A choice without its `default` or its `by`; a `use` without one of its arguments."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.ChooseStmt):
            for word, value in (("default", node.default), ("by", node.by)):
                if value is not None:
                    gone_word: Any = {word: None}
                    new: ast.SyntaxNode = replace(node, **gone_word)
                    yield (
                        text.item,
                        rewritten(text, node, new, f"without `{word} {text.words(value)}`"),
                    )
        elif isinstance(node, ast.UseStmt | ast.UsePowerStmt):
            part = "args" if isinstance(node, ast.UseStmt) else "scope"
            args: tuple[ast.Arg, ...] = getattr(node, part)
            for gone in args:
                left: Any = {part: tuple(one for one in args if one is not gone)}
                new = replace(node, **left)
                says = f"without `{text.words(gone)}` in `{shown(text.words(node))}`"
                yield text.item, rewritten(text, node, new, says)


def drop_term(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """One side of a sum or product less; another operation; one way of an `if ... else` alone."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.Binary) and node.op in TERMS:
            if node.op in PRODUCTS:
                yield text.item, _operator(text, node, PRODUCTS[node.op])
            sides = ((node.left, node.right), (node.right, node.left))
            for gone, kept in sides if node.op != "-" else sides[1:]:
                says = f"without `{node.op} {shown(text.words(gone))}` in {_inside(text, spot)}"
                yield text.item, rewritten(text, node, kept, says)
        elif isinstance(node, ast.IfElse):
            for kept in (node.then, node.otherwise):
                says = f"always `{shown(text.words(kept))}` of `{shown(text.words(node))}`"
                yield text.item, rewritten(text, node, kept, says)


def name_another(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Another thing, or another stat, of the same sort where one is named as a value."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        is_value = isinstance(spot.parent, ast.Arg | ast.ListExpr | ast.Binary)
        if is_value and isinstance(node, ast.Name) and node.id in names.sorts:
            others = [name for name, sort in names.sorts.items() if sort == names.sorts[node.id]]
            other = others[(others.index(node.id) + 1) % len(others)]
            if other == node.id:  # it is the only one of its sort, and so is the text the same
                continue
            says = f"`{other}` for `{node.id}` in {_inside(text, spot)}"
            yield text.item, rewritten(text, node, ast.Name(SPAN, other), says)


# ---------------------------------------------------------------------------------- abilities


def drop_ability(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A line of `abilities:` less."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, Ability):
            alone = isinstance(spot.parent, Passive) and len(spot.parent.body) == 1
            if not alone:  # then it goes with what it stands under
                says = f"without `{shown(text.words(spot.node))}`"
                yield text.item, rewritten(text, spot.node, (), says)


def change_modifier(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """`to` for `by`, `by` for `times`, `at most` for `at least`; a sort of bonus less."""
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, Modify):
            other = MODIFIERS[node.change]
            says = f"`{CHANGES[other]}` in `{shown(text.words(node))}`"
            yield text.item, rewritten(text, node, replace(node, change=other), says)
            if node.bonus is not None:
                says = f"without `type {node.bonus.id}` in `{shown(text.words(node))}`"
                yield text.item, rewritten(text, node, replace(node, bonus=None), says)


# ---------------------------------------------------------------------------------- what is no text


def change_timing(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """When a trigger answers, how long a variable lives, what is touched, what is revealed."""
    for file, item in pack.items("trigger"):
        node = item.node.entries["timing"]
        other = "afterwards" if node.value == "immediately" else "immediately"
        yield item, said(of_node(file, "trigger", node, other), f"timing: {other}")
    file, item = pack.vocabulary_item
    for name, one in pack.declared("scope").items():
        life = one.entries["life"]
        other = "turn" if life.value == "game" else "game"
        yield item, said(of_node(file, "scope", life, other), f"{name} lives a {other}")
    for name, one in pack.declared("operations").items():
        touches = one.entries.get("touches")
        if touches is not None and touches.items:
            yield item, said(of_node(file, "operations", touches, "[]"), f"{name} touches nothing")
        if "reveals" in one.entries:
            yield (
                item,
                said(of_node(file, "operations", one.entries["reveals"], "false"), f"{name} hides"),
            )


def drop_item(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A trigger less, or a rule that always holds."""
    for file, item in pack.items("trigger"):
        start, end = item.node.start - 2, item.node.end
        yield item, Site(file, "trigger", (Edit(start, end, ""),), start, "the whole trigger")
    file, item = pack.vocabulary_item
    always = item.node.get("always")
    if always is None:
        return
    start, end = (item.node.key_spans or {})["always"][0], always.end
    yield (
        item,
        replaced(file, "always", start, end, "always: []", "without the rules that always hold"),
    )


KINDS: dict[str, Kind] = {
    "drop a statement": drop_statement,
    "drop an ensure": drop_ensure,
    "drop an ignoring or optional": drop_header,
    "swap the parts of a fusion": swap_uses,
    "flip a comparison": flip_comparison,
    "swap own and enemy": swap_sides,
    "drop a conjunct": drop_conjunct,
    "swap and and or": swap_and_or,
    "change a number": change_number,
    "change an option": change_option,
    "swap an operator": swap_operator,
    "drop a clause or argument": drop_clause,
    "drop a term or a way": drop_term,
    "name another": name_another,
    "drop an ability": drop_ability,
    "change a modifier": change_modifier,
    "change a table": field_operators.change_table,
    "drop a row": field_operators.drop_row,
    "change a printed value": field_operators.change_printed,
    "drop a field or entry": field_operators.drop_field,
    "change a printed default": field_operators.change_printed_default,
    "change a switch default": field_operators.change_default,
    "change timing, life or touch": change_timing,
    "drop a trigger or standing rule": drop_item,
}

"""Statements that ask which way to go on: `choose one`, `optional`, `combinable`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.changes import after_change
from compiler.check_actions import check_use, unknown_power
from compiler.check_choices import asks_another, chooser
from compiler.conditions import conditions
from compiler.context import Context
from compiler.costs import Flat, Most, Sequence, Using
from compiler.diagnostics import Note
from compiler.effect import tree
from compiler.scopes import Facts, Flow, merge
from compiler.spoken import asked, plain
from compiler.symbols import Signature
from compiler.variables import EVERY_FUSION
from runtime import program
from runtime.program import Condition, Expr, Words

SKIP = "skip"
IN_TURN = "one after the other"
MOST_WAYS = 200


@dataclass(frozen=True, slots=True)
class Way:
    """One mode while it is being made: what it is called, when it is open, and what makes its rows."""

    node: tree.Node
    label: Words
    conditions: tuple[Condition, ...]
    facts: Facts
    body: Callable[[], None]


def modal(ctx: Context, node: tree.Node, kind: str, by: Expr | None, prompt: Words, ways: list[Way]) -> None:
    """Write a prompt of several ways, and the rows of each."""
    labels = [ctx.rows.label() for _ in ways]
    modes = tuple(
        program.Mode(ctx.origin(way.node), way.label, way.conditions, label)
        for way, label in zip(ways, labels, strict=True)
    )
    ctx.rows.add(program.Modal(ctx.origin(node), kind, by, prompt, modes))
    after = ctx.rows.label()
    start, used = ctx.flow, ctx.used_here
    ends: list[Flow] = []
    costs: list[Sequence] = []
    asks_another(ctx, by)
    barriers = [ctx.barrier]
    for way, label in zip(ways, labels, strict=True):
        ctx.rows.put(label)
        ctx.flow = start.knowing(way.facts)
        # The prompt just answered is where a way that cannot be finished is left out: a fresh start.
        ctx.barrier, ctx.used_here = "", ()
        with ctx.costing() as parts:
            way.body()
        costs.append(Sequence(tuple(parts)))
        barriers.append(ctx.barrier)
        used = (*used, *ctx.used_here)
        ends.append(ctx.flow)
        ctx.rows.add(program.Jump(ctx.origin(way.node), after))
    ctx.rows.put(after)
    ctx.flow = merge(ends)
    ctx.barrier, ctx.used_here = next((one for one in barriers if one), ""), used
    ctx.costs.append(Sequence((Flat(prompts=1), Most(tuple(costs)))))


def check_choose_one(ctx: Context, node: tree.ChooseOne) -> None:
    """`choose one:` and its modes."""
    by = chooser(ctx, node.by)
    prompt = asked(ctx, node.prompt, by)
    if len(node.modes) > MOST_WAYS:
        message = f"here are {len(node.modes)} ways to go on, and {MOST_WAYS} is the most"
        ctx.error(
            "too-much-work", node.modes[MOST_WAYS].label, message, "put some of them into powers of their own"
        )
        return
    ways: list[Way] = []
    first: dict[str, tree.Mode] = {}
    does: dict[object, tree.Mode] = {}
    for mode in node.modes:
        twin = first.setdefault(mode.label.value, mode)
        if twin is not mode:
            note = Note(ctx.passage.place(twin.label.span), "the first one")
            ctx.error(
                "same-label", mode.label, f"two of these are called `{mode.label.value}`", None, (note,)
            )
        same = does.setdefault((mode.when, mode.body), mode)
        if same is not mode:
            ctx.warn("same-modes", mode.label, f"`{mode.label.value}` does the same as `{same.label.value}`")
        tests, facts = conditions(ctx, mode.when, by)
        ways.append(Way(mode, plain(ctx, mode.label), tests, facts, _body(ctx, mode.body)))
    modal(ctx, node, "choose", by, prompt, ways)


def _body(ctx: Context, body: tuple[tree.Stmt, ...]) -> Callable[[], None]:
    return lambda: ctx.block(body)


def check_optional(ctx: Context, node: tree.Optional) -> None:
    """`optional "label":`: do it, or skip it."""
    by = chooser(ctx, node.by)
    label = asked(ctx, node.label, by) if node.label else _gloss_of(ctx, node)
    if label == SKIP and node.label is not None:
        ctx.error("same-label", node.label, f"`{SKIP}` is what leaving it out is called", "another label")
    yes = Way(node, label, (), frozenset(), _body(ctx, node.body))
    no = Way(node, SKIP, (), frozenset(), lambda: None)
    modal(ctx, node, "optional", by, "", [yes, no])


def _gloss_of(ctx: Context, node: tree.Optional) -> str:
    """An optional block without a label is called after the one power it uses."""
    if len(node.body) == 1 and isinstance(node.body[0], tree.Use):
        power = ctx.symbols.powers.get(node.body[0].power.id)
        if power is not None and power.english:
            return power.english
    return "do it"


def check_combinable(ctx: Context, node: tree.Combinable) -> None:
    """`combinable:` and two `use`: one after the other, each optional, or their declared fusion."""
    powers = [ctx.symbols.powers.get(use.power.id) for use in node.uses]
    for use, power in zip(node.uses, powers, strict=True):
        if power is None and use.power.id not in ctx.symbols.poisoned:
            unknown_power(ctx, use.power)
        if use.args or use.giving:
            ctx.error("not-combinable", use, "a power that is combined takes nothing and gives nothing")
            return
    if len(node.uses) != 2:
        ctx.error(
            "not-combinable", node, f"`combinable` wants exactly two `use`, and here are {len(node.uses)}"
        )
        return
    if any(power is None or power.broken for power in powers):
        return
    names = tuple(use.power.id for use in node.uses)
    fusion = ctx.symbols.fusions.get(names) or ctx.symbols.fusions.get((names[1], names[0]))
    if fusion is None:
        if "$fusion" not in ctx.symbols.poisoned:
            _no_fusion(ctx, node, names)
        return
    ctx.symbols.used.add(fusion.id)
    in_turn = Way(node, IN_TURN, (), frozenset(), lambda: _in_turn(ctx, node))
    together = Way(node, fusion.english or "together", (), frozenset(), lambda: _together(ctx, node, fusion))
    modal(ctx, node, "combine", None, "", [in_turn, together])


def _in_turn(ctx: Context, node: tree.Combinable) -> None:
    for use in node.uses:
        power = ctx.symbols.powers[use.power.id]
        yes = Way(use, power.english or power.name, (), frozenset(), _used(ctx, use))
        modal(ctx, use, "optional", None, "", [yes, Way(use, SKIP, (), frozenset(), lambda: None)])


def _used(ctx: Context, use: tree.Use) -> Callable[[], None]:
    return lambda: check_use(ctx, use)


def _together(ctx: Context, node: tree.Combinable, fusion: Signature) -> None:
    ctx.rows.add(program.Use(ctx.origin(node), fusion.id, (), -1))
    after_change(ctx, ctx.symbols.changes.of_power(EVERY_FUSION))
    ctx.costs.append(Using(fusion.id))
    ctx.used_here = (*ctx.used_here, fusion.id)


def _no_fusion(ctx: Context, node: tree.Combinable, names: tuple[str, ...]) -> None:
    first, second = names
    stub = (
        f"declare one: `kind: fusion`, `id: {first}_{second}`, `parts: [{first}, {second}]`,"
        " a `gloss:` and an `effect:`"
    )
    ctx.error("no-fusion", node, f"nothing says what `{first}` and `{second}` do together", stub)

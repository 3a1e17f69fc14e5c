"""Statements that prompt a player: `choose`, `ask`, secret choices, and modes, with menus.

While `where` is checked, the chosen name is bound to one candidate; afterwards to the answer. The
condition of an item's mode is checked in the item's text, in the scope of the menu; its effect is a
routine of its own. Both see only those locals that the menu passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds import intervals
from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check import expect
from ruleloom.compiler.check.moments import after_change
from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.flow.context import BAD, BROKEN, Context, Typed
from ruleloom.compiler.flow.cost import Flat, Most, Sequence
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Flow, Local, merge, unnamed
from ruleloom.compiler.resolve.mod_sets import ANY_FUSION
from ruleloom.compiler.resolve.symbols import TAG_TYPE, Menu, Offer, Signature, Way
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import fits, is_unknown, list_of, maybe
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, mentions, substitute
from ruleloom.runtime.program.interval import first_known
from ruleloom.runtime.program.program import Condition, Expr, Origin, Words
from ruleloom.runtime.program.values import INT, PLAYER, TEXT, Type

Tests = tuple[Condition, ...]

SKIP = "skip"
IN_TURN = "one after the other"
MOST_WAYS = 200


def _asks_another(ctx: Context, by: Expr | None) -> None:
    if by is not None:
        ctx.barrier = "another player answers"


def check_choose(ctx: Context, node: ast.ChooseStmt) -> None:
    """`choose x from xs where ...`."""
    by = expect.player_asked(ctx, node.by)
    mark = len(ctx.reads)
    domain = expect.listed(ctx, node.domain)
    hidden = expect.picked(ctx, mark)
    _refuse_telling(ctx, node, mark, domain)
    item = expect.item_type(domain)
    limit = _limit(ctx, node)
    default = _answering(ctx, node, node.default, "default", item)
    expect.judge(ctx, mark, by)
    usual = _usual(ctx, node, item, default, by)
    prompt = expect.asked(ctx, node.prompt, by)
    candidate = ctx.fresh_local(node.name, item, "chosen")
    tests = _candidates(ctx, node, candidate, by)
    used = candidate.used
    with ctx.binding(candidate):
        showing = expect.shown(ctx, node.showing, by)
    candidate.used = used
    worked_out = (*(one.test for one in tests), *(one.value for one in showing))
    check_work(ctx, node.domain, *worked_out, times=domain.expr)
    options = (domain.expr, candidate.slot, tests)
    _refuse_answer(ctx, node.default, default, "default", *options)
    _refuse_answer(ctx, node.usual, usual, "usual answer", *options)
    # With a default, the answer may matter only by existing.
    candidate.used |= node.default is not None
    if not _may_take_none(node):
        _refuse_deciding(ctx, node.where, tests)
    answer = _answer(ctx, node, candidate, domain, limit)
    answer.hidden = hidden
    chosen = (ctx.origin(node), candidate.slot, node.name.id, str(item), node.count, limit)
    answers = (node.or_none, default, prompt, usual, showing)
    ctx.rows.add(program.Choose(*chosen, domain.expr, tests, by, *answers))
    ctx.spends(node, prompts=1)
    _asks_another(ctx, by)
    ctx.set_local(answer)
    if node.count == "one" and not node.or_none:
        ctx.flow = ctx.flow.knowing(intervals.comparisons(one.test for one in tests))


def _limit(ctx: Context, node: ast.ChooseStmt) -> Expr | None:
    """How many may be chosen."""
    if node.limit is None:
        return None
    limit = expect.wanted(ctx, node.limit, INT).expr
    most = intervals.numbers(ctx, limit)[1]
    if most is not None and most <= 0:
        message = f"nothing can be chosen here: the limit is {most}"
        ctx.warn("constant-condition", node.limit, message)
    return limit


def _refuse_telling(ctx: Context, node: ast.ChooseStmt, mark: int, domain: Typed) -> None:
    """Refuse a choice if a lack of candidates would reveal hidden information."""
    if _may_take_none(node):
        return
    if node.where is not None or not expect.is_sized(domain.expr):
        ctx.reads[mark:] = [replace(read, counted=False) for read in ctx.reads[mark:]]
    for read in ctx.reads[mark:]:
        if read.told and not read.counted:
            message = f"if nothing in `{read.zone}` fits, the others learn that from what follows"
            help = "add `or none`, or take `up to`: then they cannot tell"
            ctx.report.error("hidden-information", read.place, message, help)


def _may_take_none(node: ast.ChooseStmt) -> bool:
    return node.or_none or node.count in ("any", "up_to")


def _refuse_deciding(ctx: Context, node: ast.Expr | None, tests: Tests) -> None:
    """Refuse a condition that a secret value may leave without options."""
    for local in ctx.flow.visible.values():
        told = any(read.told for read in local.hidden)
        if told and node and any(mentions(one.test, ("slot", local.slot)) for one in tests):
            message = f"if nothing fits `{local.name}`, the others learn that from what follows"
            help = "leave a way out that is always open: `or none`, or a way without `when`"
            ctx.error("hidden-information", node, message, help)


def _candidates(
    ctx: Context, node: ast.ChooseStmt | ast.SecretlyStmt, candidate: Local, by: Expr | None
) -> Tests:
    used = candidate.used
    with ctx.binding(candidate):
        tests, _ = expect.conditions(ctx, node.where, by)
        if node.where is not None:
            parts = [one.test for one in tests]
            expect.warn_if_blind(ctx, node.where, parts, candidate.slot, candidate.name)
    # A condition reads every candidate: that alone does not use the answer.
    candidate.used = used
    return tests


def _answer(
    ctx: Context, node: ast.ChooseStmt, candidate: Local, domain: Typed, limit: Expr | None
) -> Local:
    candidate.broken = any(mentions(one, BROKEN) for one in (domain.expr, limit) if one)
    changes = node.name.id in ctx.reassigned
    if node.count != "one":
        candidate.type = _many(candidate.type)
        most = intervals.length(ctx, domain.expr) if domain.known else None
        cap = intervals.numbers(ctx, limit).high if limit is not None else None
        candidate.high = None if changes else first_known(min, (most, cap))
    elif node.or_none:
        candidate.type = maybe(candidate.type)
    elif candidate.type == INT and not changes:
        candidate.low, candidate.high = intervals.members(ctx, domain.expr)
    return candidate


def _many(item: Type) -> Type:
    return item if is_unknown(item) else list_of(item)


def _answering(
    ctx: Context,
    node: ast.ChooseStmt | ast.AskStmt,
    said: ast.Expr | None,
    called: str,
    item: Type,
) -> Expr | None:
    """An answer that the text itself gives, as the default or the usual one."""
    if said is None:
        return None
    if node.or_none and isinstance(said, ast.NoneLiteral):
        return ("value", None)
    type_ = item if isinstance(node, ast.AskStmt) or node.count == "one" else _many(item)
    if said is node.usual and not isinstance(said, ast.NoneLiteral):
        type_ = maybe(type_)  # one that is none is not on offer
    return expect.wanted(ctx, said, type_, f"as the {called} of `{node.name.id}`").expr


def _usual(
    ctx: Context,
    node: ast.ChooseStmt | ast.AskStmt,
    item: Type,
    default: Expr | None,
    by: Expr | None,
) -> Expr | None:
    """The usual answer, of what the asked player may know; without it the default is usual, or nothing."""
    mark = len(ctx.reads)
    usual = _answering(ctx, node, node.usual, "usual answer", item)
    expect.judge(ctx, mark, by, thing=False)
    if node.usual is not None and usual == (default or ("value", None)):
        why = "the default is" if default is not None else "nothing, where that may be answered, is"
        message = f"{why} usual already: `{ctx.words(node.usual)}` is said again"
        ctx.warn("changes-nothing", node.usual, message, "leave `usual` out")
    return usual


def check_ask(ctx: Context, node: ast.AskStmt) -> None:
    """`ask p for text story "How does it go?"`: a text typed by a player, visible to all.

    Not a barrier by itself: look-ahead uses one unknown text for all possible ones.
    """
    by = expect.player_asked(ctx, node.who)
    mark = len(ctx.reads)
    default = _answering(ctx, node, node.default, "default", TEXT)
    expect.judge_shown(ctx, mark)
    usual = _usual(ctx, node, TEXT, default, by)
    prompt = expect.asked(ctx, node.prompt, by)
    naming = _naming(ctx, node)
    answer = ctx.fresh_local(node.name, maybe(TEXT) if node.or_none else TEXT, "asked for")
    row = (ctx.origin(node), answer.slot, node.name.id, by, node.or_none)
    ctx.rows.add(program.Ask(*row, default, prompt, usual, naming))
    ctx.spends(node, prompts=1)
    _asks_another(ctx, by)
    ctx.set_local(answer)


def _naming(ctx: Context, node: ast.AskStmt) -> Expr | None:
    """The tags that a text may name, which everybody has to know."""
    if node.naming is None:
        return None
    mark = len(ctx.reads)
    tags = expect.wanted(ctx, node.naming, list_of(Type(TAG_TYPE)), "as what the text may name")
    expect.judge_shown(ctx, mark)
    return tags.expr


def check_secretly(ctx: Context, node: ast.SecretlyStmt) -> None:
    """`each p in players secretly choose bid from hand(p)`: `bid(p)` is the answer of `p`."""
    mark = len(ctx.reads)
    players = expect.wanted(ctx, node.players, list_of(PLAYER))
    expect.judge(ctx, mark, None)
    slot = ctx.hidden_slot(node.player.id)
    who = ctx.fresh_local(node.player, PLAYER, "one of the players", slot)
    who.used = True
    if ctx.symbols.is_callable_name(node.name.id) and not ctx.symbols.is_value_name(node.name.id):
        message = f"`{node.name.id}(...)` already means something everywhere"
        ctx.error("name-clash", node.name, message, "another name")
    eyes: Expr = ("slot", who.slot)
    before = ctx.flow
    ctx.enter(who)
    mark = len(ctx.reads)
    domain = expect.listed(ctx, node.domain)
    expect.judge(ctx, mark, eyes)
    prompt = expect.asked(ctx, node.prompt, eyes)
    item = expect.item_type(domain)
    slot = ctx.hidden_slot(unnamed(node.name.id))
    candidate = ctx.fresh_local(node.name, item, "chosen", slot)
    tests = _candidates(ctx, node, candidate, eyes)
    candidate.used = True
    ctx.flow = before
    always = players.expr == ("players",) and not node.or_none
    table = replace(item if always else maybe(item), by_player=True) if domain.known else BAD.type
    place = ctx.passage.place(node.name.span)
    answer = Local(node.name.id, ctx.slot(node.name.id), table, place, "chosen")
    ctx.locals.append(answer)
    chosen = (ctx.origin(node), answer.slot, node.name.id, str(item))
    asked = (*chosen, players.expr, who.slot, candidate.slot, domain.expr, tests)
    secret = (*asked, node.or_none, prompt)
    if node.seen_by is None:
        ctx.rows.add(program.Secret(*secret))
    else:
        seen_by = expect.told_to(ctx, node.seen_by, answer)
        ctx.rows.add(program.SecretForSome(*secret, seen_by))
    ctx.spends(
        node, prompts=intervals.length(ctx, players.expr) or intervals.things(ctx, "Player") or 1
    )
    ctx.barrier = "the secret answers are shown"
    ctx.set_local(answer)


def _modal(
    ctx: Context,
    node: ast.Stmt,
    kind: str,
    by: Expr | None,
    prompt: Words,
    ways: list[CheckedMode],
    showing: tuple[program.Shown, ...] = (),
    name: str = "",
) -> None:
    """Add a modal prompt, and the rows of its modes."""
    labels = [ctx.rows.label() for _ in ways]
    modes = tuple(
        program.Mode(way.origin, way.label, way.conditions, label, way.usual)
        for way, label in zip(ways, labels, strict=True)
    )
    ctx.rows.add(program.Modal(ctx.origin(node), kind, by, prompt, modes, showing, name))
    after = ctx.rows.label()
    start, used = ctx.flow, ctx.used_here
    ends: list[Flow] = []
    costs: list[Sequence] = []
    _asks_another(ctx, by)
    barriers = [ctx.barrier]
    for way, label in zip(ways, labels, strict=True):
        ctx.rows.put(label)
        ctx.flow = start.knowing(way.facts)
        # A mode that cannot be completed is not offered, so barriers before the prompt do not
        # count.
        ctx.barrier, ctx.used_here = "", ()
        with ctx.costing() as parts:
            way.body()
        costs.append(Sequence(tuple(parts)))
        barriers.append(ctx.barrier)
        used = (*used, *ctx.used_here)
        ends.append(ctx.flow)
        ctx.rows.add(program.Jump(way.origin, after))
    ctx.rows.put(after)
    ctx.flow = merge(ends)
    ctx.barrier, ctx.used_here = next((one for one in barriers if one), ""), used
    asking = Flat(prompts=1, at=ctx.place(node))
    ctx.costs.append(Sequence((asking, Most(tuple(costs)))))


def check_choose_one(ctx: Context, node: ast.ChooseOneStmt) -> None:
    """Check `choose one:` and its modes."""
    by = expect.player_asked(ctx, node.by)
    showing = expect.shown(ctx, node.showing, by)
    prompt = expect.asked(ctx, node.prompt, by)
    if len(node.modes) > MOST_WAYS:
        message = f"this menu has {len(node.modes)} options, and {MOST_WAYS} is the limit"
        help = "put some of them into powers of their own"
        ctx.error("too-much-work", node.modes[MOST_WAYS].label, message, help)
        return
    _refuse_twins(ctx, node)
    ways = check_ways(ctx, node, by)
    if all(way.conditions for way in ways):
        for mode, way in zip(node.modes, ways, strict=False):
            _refuse_deciding(ctx, mode.when, way.conditions)
    name = node.menu.name.id if node.menu is not None else ""
    _modal(ctx, node, "choose", by, prompt, ways, showing, name)


def _refuse_twins(ctx: Context, node: ast.ChooseOneStmt) -> None:
    """Refuse two modes with one label, and warn about two with the same effect."""
    first: dict[str, ast.ModeClause] = {}
    does: dict[object, ast.ModeClause] = {}
    for mode in node.modes:
        twin = first.setdefault(mode.label.value, mode)
        if twin is not mode:
            note = Note(ctx.passage.place(twin.label.span), "the first one")
            message = f"two of these are called `{mode.label.value}`"
            ctx.error("same-label", mode.label, message, None, (note,))
        same = does.setdefault((mode.when, mode.body), mode)
        if same is not mode:
            message = f"`{mode.label.value}` does the same as `{same.label.value}`"
            ctx.warn("same-modes", mode.label, message)


def check_optional(ctx: Context, node: ast.OptionalStmt) -> None:
    """`optional "label":`: run the block or skip it; the default label is that of its only power."""
    by = expect.player_asked(ctx, node.by)
    label: Words = "do it"
    if node.label is not None:
        label = expect.asked(ctx, node.label, by)
        if label == SKIP:
            message = f"`{SKIP}` is the label of the option to decline"
            ctx.error("same-label", node.label, message, "another label")
    elif len(node.body) == 1 and isinstance(node.body[0], ast.UseStmt):
        power = ctx.symbols.powers.get(node.body[0].power.id)
        label = _label(power, "do it") if power is not None else label
    name = next((one.power.id for one in node.body if isinstance(one, ast.UseStmt)), "")
    name = name if len(node.body) == 1 else ""
    _offer(ctx, node, by, label, partial(ctx.block, node.body), node.usual, name)


def _label(power: Signature, unnamed: str) -> str:
    """The label of a use of a power: its gloss, or its name if the gloss has holes."""
    return power.name.replace("_", " ") if "{" in power.english else power.english or unnamed


def _offer(
    ctx: Context,
    node: ast.Stmt,
    by: Expr | None,
    label: Words,
    body: Callable[[], None],
    usual: bool = False,
    name: str = "",
) -> None:
    origin = ctx.origin(node)
    ways = [CheckedMode(origin, label, body, usual=usual), CheckedMode(origin, SKIP, lambda: None)]
    _modal(ctx, node, "optional", by, "", ways, name=name)


def check_combinable(ctx: Context, node: ast.CombinableStmt) -> None:
    """`combinable:` and two `use`s: in turn, each optional, or as their declared fusion."""
    if not _can_combine(ctx, node):
        return
    names = tuple(use.power.id for use in node.uses)
    fusion = ctx.symbols.fusions.get(names) or ctx.symbols.fusions.get((names[1], names[0]))
    if fusion is None:
        if not ctx.symbols.poisoned.may_hold("fusion"):
            first, second = names
            message = f"no fusion of `{first}` and `{second}` is declared"
            stub = f"`kind: fusion`, `parts: [{first}, {second}]`, a `gloss:` and an `effect:`"
            ctx.error("no-fusion", node, message, stub)
        return
    ctx.symbols.used.add(fusion.id)
    origin = ctx.origin(node)
    use = program.Use(origin, fusion.id, (), -1)
    together = partial(_use, ctx, use, ctx.place(node), ANY_FUSION)
    ways = [
        CheckedMode(origin, IN_TURN, partial(_in_turn, ctx, node), usual=True),
        CheckedMode(origin, fusion.english or "together", together),
    ]
    _modal(ctx, node, "combine", None, "", ways)


def _can_combine(ctx: Context, node: ast.CombinableStmt) -> bool:
    """Whether the uses are two powers without parameters and results."""
    powers = [ctx.symbols.powers.get(use.power.id) for use in node.uses]
    for use, power in zip(node.uses, powers, strict=True):
        if power is None and not ctx.symbols.poisoned.may_declare(use.power.id):
            ctx.block((use,))
        if use.args or use.giving:
            message = "a combined power takes no arguments and gives no result"
            ctx.error("not-combinable", use, message)
            return False
    if len(node.uses) != 2:
        message = f"`combinable` takes exactly two lines of `use`, and here are {len(node.uses)}"
        ctx.error("not-combinable", node, message)
        return False
    return all(power is not None and not power.broken for power in powers)


def _in_turn(ctx: Context, node: ast.CombinableStmt) -> None:
    for use in node.uses:
        power = ctx.symbols.powers[use.power.id]
        label = _label(power, power.name)
        _offer(ctx, use, None, label, partial(ctx.block, (use,)), usual=True)


class CheckedMode(Frozen):
    """A checked mode; `body` adds its rows."""

    origin: Origin
    label: Words
    body: Callable[[], None]
    conditions: Tests = ()
    facts: Facts = NO_FACTS
    usual: bool = False


def check_ways(ctx: Context, node: ast.ChooseOneStmt, by: Expr | None) -> list[CheckedMode]:
    """The checked modes of a `choose one`, in order."""
    told = _told(ctx, node.menu) if node.menu is not None else {}
    menu = ctx.symbols.menu(node)
    if menu is None:
        return [_own(ctx, mode, by) for mode in node.modes]
    return [_offered(ctx, menu, offer, told, by) for offer in menu.offers]


def _told(ctx: Context, menu: ast.MenuName) -> dict[str, Typed]:
    """The locals that a menu passes to its modes, by name."""
    found: dict[str, Typed] = {}
    for name in menu.told:
        mark = len(ctx.reads)
        typed = ctx.check(name)
        del ctx.reads[mark:]
        if name.id in found:
            ctx.error("name-clash", name, f"`{name.id}` stands here twice", "take one out")
        elif typed.known and name.id not in ctx.flow.visible:
            message = f"`{name.id}` is known in every text, so a menu need not pass it"
            ctx.error("name-clash", name, message, "leave it out")
        found[name.id] = typed
    return found


def _own(ctx: Context, mode: ast.ModeClause, by: Expr | None) -> CheckedMode:
    tests, facts = expect.conditions(ctx, mode.when, by)
    body = partial(ctx.block, mode.body)
    label = expect.plain(ctx, mode.label)
    return CheckedMode(ctx.origin(mode), label, body, tests, facts, mode.usual)


def _offered(
    ctx: Context, menu: Menu, offer: Offer, told: Mapping[str, Typed], by: Expr | None
) -> CheckedMode:
    """Check one mode of a menu: of the text, of an item, or of both."""
    way = offer.way
    own = _own(ctx, offer.mode, by) if offer.mode is not None else None
    if way is None:
        assert own is not None, "a way is somebody's"
        return own
    fine = _takes_what_is_told(ctx, menu, way, told)
    with ctx.knowing(own.facts if own is not None else NO_FACTS):
        tests = _conditions(ctx, way, by) if fine else ()
    if own is not None:
        return replace(own, label=offer.label, conditions=(*own.conditions, *tests))
    origin = ctx.passage.content.origin(way.item.place)
    args = tuple(told[param.name].expr for param in way.takes)
    use = program.Use(origin, way.item.id, args, -1)
    body = partial(_use, ctx, use, way.item.place, Callee("menu", menu.name.name.id))
    return CheckedMode(origin, way.label, body, tests)


def _takes_what_is_told(ctx: Context, menu: Menu, way: Way, told: Mapping[str, Typed]) -> bool:
    """Whether each passed value fits its parameter; reports a misfit."""
    for param in way.takes:
        given = told[param.name].type
        if not fits(given, param.type):
            tells = f"`{menu.name.name.id}` passes {ctx.say(given)} as `{param.name}`"
            message = f"{tells}, and this takes {ctx.say(param.type)}"
            help = f"`{param.name}: {given}`"
            ctx.report.error("type-mismatch", way.place("takes"), message, help)
            return False
    return all(told[param.name].known for param in way.takes)


def _conditions(ctx: Context, way: Way, by: Expr | None) -> Tests:
    """Check the `when` of an item's mode in the item's text, with its parameters bound."""
    if way.when is None:
        return ()
    text, test = way.when
    taken = {
        param.name: replace(ctx.flow.visible[param.name], type=param.type) for param in way.takes
    }
    flow = Flow(taken, frozenset(taken), ctx.flow.facts)
    # Slots are shared with the menu's text, so that a binder of the condition gets a slot there.
    there = replace(ctx, passage=text, flow=flow, reads=[], locals=[], told=set())
    return expect.conditions(there, test, by)[0]


def _use(ctx: Context, use: program.Use, place: Place, changing: Callee) -> None:
    """Add a use of a routine."""
    ctx.rows.add(use)
    ctx.runs(place, Callee("routine", use.routine))
    after_change(ctx, changing)


def _refuse_answer(
    ctx: Context,
    node: ast.Expr | None,
    answer: Expr | None,
    called: str,
    domain: Expr,
    slot: int,
    tests: Tests,
) -> None:
    """Refuse a default, or a usual answer, that is never one of the options."""
    if node is None or answer is None:
        return
    for one in _entries(answer):
        held = [substitute(condition.test, {slot: one}) for condition in tests]
        if domain[0] == "..":
            held += [("<=", domain[1], one), ("<=", one, domain[2])]
        else:
            held.append(("in", one, domain))
        if one != ("value", None) and any(intervals.verdict(ctx, test) is False for test in held):
            message = f"the {called} `{ctx.words(node)}` is never one of the options"
            ctx.error("out-of-bounds", node, message, "one of the options, or leave it out")
            return


def _entries(answer: Expr) -> list[Expr]:
    """The entries of an answer."""
    match answer:
        case ("list", *parts):
            return [*parts]
        case ("value", tuple() as values):
            return [("value", value) for value in values]
    return [answer]

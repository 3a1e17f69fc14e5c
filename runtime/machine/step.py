"""The machine: runs linked rows from one prompt to the next.

It never waits, rolls or asks: it returns a `Suspension` with the reason and the state to resume from. A
run is *live* (it happens) or look-ahead (it only checks whether a path can be completed). In look-ahead
a compulsory choice without options is a dead end, and a barrier or the end of the turn ends the run;
live, such a choice fizzles: it ends the enclosing `use`, and is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine import ask, chance, registers
from ruleloom.runtime.machine.ask import dead_end, foresees
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.labels import worded
from ruleloom.runtime.machine.registers import (
    BARRIER,
    GONE,
    OVER,
    Args,
    Run,
    Suspension,
    announce,
    begin_together,
    carry_out,
    gather,
    missing,
    new,
    perform,
    settle,
    stopped,
)
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.faults import (
    RuntimeFault,
    TooMuchWork,
    Vanished,
    asks_too_much,
)
from ruleloom.runtime.program.program import MOST_STEPS, Row, Words
from ruleloom.runtime.program.state import NO_RULES, Outcome, State, TemplateScope, frames
from ruleloom.runtime.program.values import Dynamic, Value, World

MOST_FUEL = 12


def run(linked: Linked, state: State, live: bool, dice: Xoshiro | None = None) -> Suspension:
    """Run from `state` to the next prompt, barrier, dead end, or the end of the game."""
    return go_on(Run(linked, state, live, dice))


def go_on(r: Run) -> Suspension:
    """Run rows until one stops the run; plain rows are run a basic block at a time."""
    ran = r.linked.codegen.ran
    while True:
        if r.frame is None:
            if r.outcome is not None:
                return stopped(r, OVER)
            if not r.live and not r.queue:
                return stopped(r, BARRIER)
            _next_flow(r)
        routine, row = r.routine, None
        blocks, pc = routine.blocks, r.pc
        try:
            while True:
                r.steps += 1
                if r.steps > MOST_STEPS:
                    raise out_of_fuel(r)
                block = blocks[pc]
                if block is None:
                    break
                r.pc = pc = block(r, r.world, r.slots, r.scope, r.rules)
            row = routine.rows[pc]
            if ran is not None:
                ran(r, pc)
            stop: Suspension | None = HANDLERS[row.__class__](r, row)
        except RuntimeFault as fault:
            fault.origin = fault.origin or _running(r, row, fault).origin
            raise
        except Exception as error:
            stop = _vanished(r, row, error)
        if stop is not None:
            return stop


def out_of_fuel(r: Run) -> TooMuchWork:
    """The fault of a decision without a question, blamed on the innermost added pack."""
    ids = [r.linked.routines[frame.routine].id for frame in frames(r.frame)]
    game = f"{r.linked.program.game}:"
    added = next((id for id in ids if not id.startswith(game)), r.routine.id)
    message = f"`{added}` takes more than {MOST_STEPS:,} steps in one decision, and nobody is asked"
    return TooMuchWork(message, r.row.origin)


def _running(r: Run, row: Row | None, error: Exception) -> Row:
    """The row that failed."""
    rows = r.routine.rows
    if row is None:  # a row of the basic block at the current row
        return rows[r.routine.blocks.row_of(r.pc, error)]
    # A row may have advanced to the next one before it failed.
    before = r.pc > 0 and rows[r.pc] is not row and rows[r.pc - 1] is row
    return row if before else r.row


def _next_flow(r: Run) -> None:
    """Start the next flow: first queued responses, then set-up once, then turn after turn."""
    r.asked = None  # frames of the last question are over
    if r.queue:
        r.release()
        return
    linked = r.linked
    routine = linked.turn if r.begun else linked.set_up
    r.rules = NO_RULES
    if r.begun:
        _begin_turn(r)
        r.tell("turn", linked.program.turn, (r.me,), r.world)
    r.begun = True
    r.push(routine, (), None, -1, NO_RULES, (), 0)
    r.interrupt()


def _begin_turn(r: Run) -> None:
    """Set the variables of a turn; faults of rules here have no routine to blame."""
    try:
        r.bind_watched(r.linked.turn_scope)
    except RuntimeFault:
        raise
    except Exception as error:
        raise asks_too_much(r.linked.program.turn, error, None) from error


def _vanished(r: Run, row: Row | None, error: Exception) -> Suspension | None:
    """A dead end if a thing is gone; else a fault of the rules, or a bug."""
    if not isinstance(error, Vanished) and not registers.anything_gone(r):
        raise asks_too_much(r.routine.id, error, _running(r, row, error).origin) from error
    return dead_end(r, GONE)


def _say(r: Run, row: p.Say | p.Tell) -> None:
    """Log a line, with the moment whose values fill its holes for each reader."""
    if isinstance(row, p.Tell):
        r.tell("told", "", (r.value(row.to), row.text, _moment(r)), r.world)
    elif isinstance(row.text, str):
        r.tell("said", row.text, (), r.world)
    else:
        r.tell("said", "", (row.text, _moment(r)), r.world)
    r.pc += 1


def _moment(r: Run) -> TemplateScope:
    caller = r.frame.parent if r.frame is not None else None
    return TemplateScope(r.routine.id, r.world, tuple(r.slots), r.scope, r.rules, r.pc, caller)


def _set_watched(r: Run, row: p.SetWatched) -> None:
    r.bind([r.bounded(row.name, row.value)])
    r.pc += 1
    settle(r)
    r.interrupt()


def _relax(r: Run, row: p.Relax) -> None:
    rules = frozenset(row.rules)
    lifted = r.relaxed - rules
    r.relaxed = rules
    assert r.frame is not None
    r.rules = r.frame.inherited | r.relaxed
    r.pc += 1
    if lifted:
        settle(r)
        r.interrupt()


def _ensure(r: Run, row: p.Ensure) -> Suspension | None:
    if r.value(row.condition):
        r.pc += 1
        return None
    if isinstance(row.reason, str):
        return dead_end(r, row.reason, True)
    if foresees(r, True):  # the holes are filled when the reason is shown
        return dead_end(r, "", True)
    readers = () if r.me is None else (r.me,)
    return dead_end(r, worded(r.linked.original, row.reason, _moment(r), readers), True)


def _finish(r: Run, row: p.Finish) -> None:
    """End the game, with a public reason."""
    winner = r.value(row.winner)
    groups = (winner,) if isinstance(winner, tuple) and winner else ()
    _end(r, None if isinstance(winner, tuple) else winner, groups, row.reason)


def _rank(r: Run, row: p.Rank) -> None:
    """End the game, ranked by each player's number; equal numbers share a rank."""
    ranks: dict[int | Fraction, list[int]] = {}
    number = r.linked.compiled(row.number)
    for player in r.value(row.who):
        slots = (*r.slots[: row.slot], player, *r.slots[row.slot + 1 :])
        ranks.setdefault(number(r.world, slots, r.scope, r.rules), []).append(player)
    groups = tuple(tuple(ranks[number]) for number in sorted(ranks, reverse=True))
    _end(r, None, groups, row.reason)


def _end(r: Run, winner: int | None, ranking: tuple[tuple[int, ...], ...], words: Words) -> None:
    everybody = tuple(range(len(r.linked.layout.players)))
    reason = (
        words if isinstance(words, str) else worded(r.linked.original, words, _moment(r), everybody)
    )
    if ranking and len(ranking[0]) == 1:
        winner = ranking[0][0]
    if len(ranking) == 1 and winner is not None:
        ranking = ()  # as if that player had been named alone
    r.outcome = Outcome(winner, reason, ranking)
    r.tell("finished", reason, r.outcome.told, r.world)
    r.frame = None


def _return(r: Run, _: p.Return) -> None:
    result = r.routine.result
    r.leave(r.slots[result] if result >= 0 else None)


def _use(r: Run, row: p.Use) -> None:
    linked, at = r.linked, r.linked.doer
    args = linked.kept(row.args)(r.world, r.slots, r.scope, r.rules)
    by = r.value(row.by)
    r.pc += 1
    goes_over = row.by is not None and at is not None and by != r.doer
    bound = [(at, by)] if at is not None and goes_over else []
    _call(r, linked.routine_index[row.routine], args, row.slot, bound)
    r.bind(bound)


def _call(
    r: Run, routine: int, args: Args, slot: int, bound: Iterable[tuple[int, Value]], fuel: int = 0
) -> None:
    """Run a routine next, with variables `bound`; it returns to the row after this."""
    parent, restore = r.close(), tuple([(index, r.scope[index]) for index, _ in bound])
    r.push(routine, args, parent, slot, r.rules, restore, parent.fuel + fuel)


def _power(r: Run, row: p.UsePower) -> Suspension | None:
    thing = r.value(row.of)
    routine = r.linked.powers[row.entity][thing] if thing is not None else -1
    if routine < 0:
        return dead_end(r, "there is no power to use")
    assert r.frame is not None
    if r.frame.fuel >= MOST_FUEL:
        return dead_end(r, f"powers that use powers may be nested {MOST_FUEL} deep")
    values = [r.bounded(name, expr) for name, expr in row.scope]
    r.pc += 1
    _call(r, routine, (), -1, values, 1)
    r.bind_watched(values)
    r.interrupt()
    return None


def _operate(r: Run, row: p.Operate) -> Suspension | None:
    linked = r.linked
    operation = linked.operations[row.operation]
    args = linked.given(row.args)(r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    if operation.entities or operation.maker is not None:
        lacking = missing(r, operation, args)
        if lacking:
            return dead_end(r, lacking)
    by = None if row.by is None else r.value(row.by)
    if row.operation in r.linked.replacements:
        by = r.giver(row.operation) if row.by is None else by
        if r.replaces(row.operation, args, by):
            return None
    result = perform(r, operation, args, row.origin, by)
    if row.slot >= 0:
        r.slots[row.slot] = result
    if r.pending:
        r.interrupt()
    if operation.info.reveals and not r.live:
        return stopped(r, BARRIER)
    return None


def _at_once(r: Run, row: p.AtOnce) -> Suspension | None:
    """Do an operation for each of some things, or once; responders are judged by the world before."""
    operation, before = r.linked.operations[row.operation], r.scope
    rounds = _rounds(r, row)
    r.pc += 1
    r.steps += len(rounds)
    for args, _ in rounds:
        lacking = missing(r, operation, args)
        if lacking:
            return dead_end(r, lacking)
    try:
        _do_together(r, row, rounds)
    finally:  # something may have vanished
        r.scope = before
    if operation.info.reveals:
        r.seal()
    if row.things is None and r.waits_here():
        r.run_waiting(r.waits_here()[0])
    return stopped(r, BARRIER) if operation.info.reveals and not r.live else None


def _do_together(r: Run, row: p.AtOnce, rounds: Sequence[tuple[Args, int | None]]) -> None:
    operation = r.linked.operations[row.operation]
    begin_together(r)
    found = [(args, by, r.replacing(row.operation, args)) for args, by in rounds]
    done = [
        (args, carry_out(r, operation, args, row.origin, by))
        for args, by, one in found
        if one is None
    ]
    for args, result in done:
        announce(r, operation, args, result)
        if row.slot >= 0:
            r.slots[row.slot] = result
    gather(r, [(one, args, by) for args, by, one in found if one is not None])


def _rounds(r: Run, row: p.AtOnce) -> list[tuple[Args, int | None]]:
    """The arguments and the doer of an operation, for each thing."""
    linked, slots, rounds = r.linked, [*r.slots], []
    for thing in (None,) if row.things is None else r.value(row.things):
        if row.things is not None:
            slots[row.candidate_slot] = thing
        here = (r.world, slots, r.scope, r.rules)
        by = r.giver(row.operation) if row.by is None else linked.compiled(row.by)(*here)
        rounds.append((linked.given(row.args)(*here), by))
    return rounds


def _together(r: Run, row: p.Simultaneous) -> None:
    assert r.linked.together is not None
    r.slots[row.slot], r.slots[row.counter] = r.scope[r.linked.together], 0
    begin_together(r)
    r.pc += 1


def _apart(r: Run, row: p.Apart) -> None:
    """Run the waiting responses in order."""
    waiting = r.waits_here()
    if waiting:
        r.run_waiting(waiting[0])
        return
    if row.held is not None and r.linked.together is not None:
        r.bind([(r.linked.together, r.value(row.held))])
    r.pc += 1


def _announce(r: Run, row: p.Announce) -> None:
    r.happen(row.event, r.given(row.args))
    r.pc += 1
    r.interrupt()


def _instead(r: Run, row: p.Replaceable) -> None:
    begun, r.pc = r.pc, row.to
    if not r.replaces(row.event, r.given(row.args)):
        r.pc = begun + 1


def answer(
    linked: Linked,
    state: State,
    value: Value,
    live: bool,
    player: int | None = None,
    dice: Xoshiro | None = None,
) -> Suspension:
    """Resume from the prompt of `state` with `value` as its answer.

    A modal prompt takes the number of the mode, a set choice a tuple; a secret one needs `player`.
    """
    r = Run(linked, state, live, dice)
    return _take(r, value, player) or go_on(r)


def _take(r: Run, value: Value, player: int | None) -> Suspension | None:
    """Take an answer to the question of a run."""
    row = r.row
    match row:
        case p.Choose():
            return ask.chosen(r, row, value)
        case p.Modal():
            assert isinstance(value, int)
            ask.reply(r, row.by)
            r.pc = row.modes[value].to
        case p.Ask():
            ask.heard(r, row, value)
        case p.Roll():
            chance.rolled(r, row, value, registers.player_asked(r, row.by)[0])
        case p.Draw() | p.Pick():
            chance.taken(r, row, value)
        case p.Peek():
            return chance.turned_up(r, row, value)
        case p.Secret():
            assert player is not None
            r.slots[row.slot] = r.slots[row.slot].with_item(player, value)
            return ask.still_secret(r, row)
    return None


def reopen(
    linked: Linked,
    before: World,
    after: State,
    told: tuple[str, str, tuple[Dynamic, ...]],
    dice: Xoshiro | None,
) -> Suspension:
    """Resume from a state that no answer led to: the open question is asked anew, from its row.

    What has happened (`told`: kind, name and arguments of its event) is logged and always-rules are
    enforced. `before` is the world it happened to. Raises RuntimeFault if the game cannot continue.
    """
    r = Run(linked, after, True, dice)
    if r.frame is None:  # between turns no routine says which rules are lifted
        r.rules = NO_RULES
    r.tell(*told, before)
    try:
        settle(r)
        r.interrupt()
    except RuntimeFault:
        raise
    except Exception as error:  # a driver may fail on the value
        where = linked.program.turn if r.frame is None else r.routine.id
        raise asks_too_much(where, error, None) from error
    return go_on(r)


HANDLERS: Mapping[type[Row], Callable[[Run, Any], Suspension | None]] = {
    p.Choose: ask.choose,
    p.Modal: ask.modal,
    p.Ask: ask.ask,
    **dict.fromkeys((p.Secret, p.SecretForSome), ask.secret),
    **dict.fromkeys((p.Roll, p.RollEach, p.RollSummed, *p.SECRET_ROLLS), chance.roll),
    **dict.fromkeys((p.Draw, p.Take), chance.draw),
    p.Pick: chance.pick,
    p.Peek: chance.look,
    p.Put: chance.put,
    p.Show: chance.show,
    p.Operate: _operate,
    p.AtOnce: _at_once,
    p.Simultaneous: _together,
    p.Apart: _apart,
    p.Use: _use,
    p.UsePower: _power,
    p.SetWatched: _set_watched,
    p.Relax: _relax,
    p.Ensure: _ensure,
    p.Announce: _announce,
    p.Replaceable: _instead,
    **dict.fromkeys((p.Say, p.Tell), _say),
    p.Finish: _finish,
    p.Rank: _rank,
    p.Return: _return,
}


def resumed(linked: Linked, stop: Suspension, live: bool, dice: Xoshiro | None = None) -> Run:
    """A run that resumes where another one stopped, with the events so far."""
    r = Run(linked, stop.state, live, dice)
    r.events, r.cast = list(stop.events), list(stop.cast)
    r.marks = list(stop.marks) or r.marks
    return r


def joined(before: Suspension, after: Suspension) -> Suspension:
    """A stop, with the events of the one before prepended."""
    kind, state, found, who, reason, events, dice, cast, marks = after
    told = len(before.events)
    if told:
        marks = tuple([one._replace(told=one.told + told) for one in marks])
    events, cast = before.events + events, before.cast + cast
    return new(Suspension, (kind, state, found, who, reason, events, dice, cast, marks))

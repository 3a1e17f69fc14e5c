"""The machine: runs linked rows from one prompt to the next.

It never waits, rolls or asks: it returns a `Suspension` with the reason and the state to go on
from. A run is *live* (it happens) or look-ahead (it only finds out whether a way can be finished).
In look-ahead a compulsory choice without options is a dead end, and a barrier or the end of the
turn ends the run; live, such a choice fizzles: it ends the `use` it stands in, and is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.runtime.link import steps as s
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine import ask, registers
from ruleloom.runtime.machine import chance as piles
from ruleloom.runtime.machine import chance as roll
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
    perform,
    settle,
    stopped,
)
from ruleloom.runtime.program.faults import (
    RuntimeFault,
    TooMuchWork,
    Vanished,
    asks_too_much,
)
from ruleloom.runtime.program.program import MOST_STEPS, Origin, Row, Words
from ruleloom.runtime.program.state import NO_RULES, Outcome, State, TemplateScope, frames
from ruleloom.runtime.program.values import Slots, Value

MOST_FUEL = 12


def run(linked: Linked, state: State, live: bool, dice: Xoshiro | None = None) -> Suspension:
    """Go on from `state` to the next prompt, barrier, dead end, or the end of the game."""
    return go_on(Run(linked, state, live, dice))


def go_on(r: Run) -> Suspension:
    """Run rows until one stops the run; plain rows are run a basic block at a time."""
    while True:
        if r.frame is None:
            if r.outcome is not None:
                return stopped(r, OVER)
            if not r.live and not r.queue:
                return stopped(r, BARRIER)
            _next_flow(r)
        routine, step = r.routine, None
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
            step = routine.steps[pc]
            stop: Suspension | None = HANDLERS[step.__class__](r, step)
        except RuntimeFault as fault:
            fault.origin = fault.origin or _running(r, step, fault).origin
            raise
        except Exception as error:
            stop = _vanished(r, step, error)
        if stop is not None:
            return stop


def out_of_fuel(r: Run) -> TooMuchWork:
    """The fault of a decision that never reaches a question, laid on the pack nearest to it."""
    ids = [r.linked.routines[frame.routine].id for frame in frames(r.frame)]
    game = f"{r.linked.program.game}:"
    added = next((id for id in ids if not id.startswith(game)), r.routine.id)
    message = f"`{added}` takes more than {MOST_STEPS:,} steps in one decision, and nobody is asked"
    return TooMuchWork(message, r.row.origin)


def _running(r: Run, step: s.LinkedStep | None, error: Exception) -> Row:
    """The row that failed."""
    routine = r.routine
    if step is None:  # a row of the basic block that begins where the run stands
        return routine.rows[routine.blocks.row_of(r.pc, error)]
    # A step may have gone on to the next row before it failed.
    before = r.pc > 0 and routine.steps[r.pc] is not step and routine.steps[r.pc - 1] is step
    return routine.rows[r.pc - 1] if before else r.row


def _next_flow(r: Run) -> None:
    """Between flows: first what waits in the queue, then set-up once, then turn after turn."""
    r.asked = None  # what ran when something was asked is over
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
    """Set the variables of a turn; no routine runs that could be at fault for what rules then do."""
    try:
        r.bind_watched(r.linked.turn_scope)
    except RuntimeFault:
        raise
    except Exception as error:
        raise asks_too_much(r.linked.program.turn, error, None) from error


def _vanished(r: Run, step: s.LinkedStep | None, error: Exception) -> Suspension | None:
    """A dead end where a thing is gone; else the rules, or we, are at fault."""
    if not isinstance(error, Vanished) and not registers.anything_gone(r):
        raise asks_too_much(r.routine.id, error, _running(r, step, error).origin) from error
    return dead_end(r, GONE)


def _say(r: Run, step: s.SayStep) -> None:
    """Put a line into the log, with the moment from which its holes are filled for each reader."""
    if step.to is not None:
        to = step.to(r.world, r.slots, r.scope, r.rules)
        r.tell("told", "", (to, step.text, _moment(r)), r.world)
    elif isinstance(step.text, str):
        r.tell("said", step.text, (), r.world)
    else:
        r.tell("said", "", (step.text, _moment(r)), r.world)
    r.pc += 1


def _moment(r: Run) -> TemplateScope:
    return TemplateScope(r.routine.id, r.world, tuple(r.slots), r.scope, r.rules)


def _set_watched(r: Run, step: s.WatchedStep) -> None:
    r.bind([(step.variable, step.value(r.world, r.slots, r.scope, r.rules))])
    r.pc += 1
    settle(r)
    r.interrupt()


def _relax(r: Run, step: s.RelaxStep) -> None:
    lifted = r.relaxed - step.rules
    r.relaxed = step.rules
    assert r.frame is not None
    r.rules = r.frame.inherited | r.relaxed
    r.pc += 1
    if lifted:
        settle(r)
        r.interrupt()


def _ensure(r: Run, step: s.EnsureStep) -> Suspension | None:
    if step.condition(r.world, r.slots, r.scope, r.rules):
        r.pc += 1
        return None
    if isinstance(step.reason, str):
        return dead_end(r, step.reason, True)
    if foresees(r, True):  # its holes are filled where the reason is asked for
        return dead_end(r, "", True)
    readers = () if r.me is None else (r.me,)
    return dead_end(r, worded(r.linked, step.reason, _moment(r), readers), True)


def _finish(r: Run, step: s.FinishStep) -> None:
    """End the game, for a reason that everybody reads."""
    winner: int | tuple[int, ...] | None = None
    if step.winner is not None:
        winner = step.winner(r.world, r.slots, r.scope, r.rules)
    groups = (winner,) if isinstance(winner, tuple) and winner else ()
    _end(r, None if isinstance(winner, tuple) else winner, groups, step.reason)


def _rank(r: Run, step: s.RankStep) -> None:
    """End the game by the number of each player; those of one number share a rank."""
    ranks: dict[int | Fraction, list[int]] = {}
    for player in step.who(r.world, r.slots, r.scope, r.rules):
        slots = (*r.slots[: step.slot], player, *r.slots[step.slot + 1 :])
        ranks.setdefault(step.number(r.world, slots, r.scope, r.rules), []).append(player)
    _end(
        r, None, tuple(tuple(ranks[number]) for number in sorted(ranks, reverse=True)), step.reason
    )


def _end(r: Run, winner: int | None, ranking: tuple[tuple[int, ...], ...], words: Words) -> None:
    everybody = tuple(range(len(r.linked.layout.players)))
    reason = words if isinstance(words, str) else worded(r.linked, words, _moment(r), everybody)
    if ranking and len(ranking[0]) == 1:
        winner = ranking[0][0]
    if len(ranking) == 1 and winner is not None:
        ranking = ()  # as if that player had been named alone
    r.outcome = Outcome(winner, reason, ranking)
    r.tell("finished", reason, r.outcome.told, r.world)
    r.frame = None


def _return(r: Run, _: s.ReturnStep) -> None:
    result = r.routine.result
    r.leave(r.slots[result] if result >= 0 else None)


def _use(r: Run, step: s.UseStep) -> None:
    args = step.args(r.world, r.slots, r.scope, r.rules)
    by = None if step.by is None else step.by(r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    at = r.linked.doer
    if step.by is None or at is None or by == r.doer:
        r.call(step.routine, args, step.slot)
        return
    r.call(step.routine, args, step.slot, ((at, r.scope[at]),))
    r.bind([(at, by)])


def _power(r: Run, step: s.PowerStep) -> Suspension | None:
    thing = step.thing(r.world, r.slots, r.scope, r.rules)
    routine = r.linked.powers[step.entity][thing] if thing is not None else -1
    if routine < 0:
        return dead_end(r, "there is no power to use")
    assert r.frame is not None
    if r.frame.fuel >= MOST_FUEL:
        return dead_end(r, f"powers that use powers may be nested {MOST_FUEL} deep")
    restore = tuple((index, r.scope[index]) for index, _ in step.scope)
    values = [(index, value(r.world, r.slots, r.scope, r.rules)) for index, value in step.scope]
    r.pc += 1
    r.call(routine, (), -1, restore, 1)
    r.bind_watched(values)
    r.interrupt()
    return None


def _operate(r: Run, step: s.OperateStep) -> Suspension | None:
    operation = step.operation
    args = step.args(r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    if operation.entities or operation.maker is not None:
        lacking = missing(r, operation, args)
        if lacking:
            return dead_end(r, lacking)
    if step.replacements and r.replaces(step.replacements, args):
        return None
    result = perform(r, operation, args, r.routine.rows[r.pc - 1].origin, _doer(r, step, r.slots))
    if step.slot >= 0:
        r.slots[step.slot] = result
    if r.pending:
        r.interrupt()
    if operation.info.reveals and not r.live:
        return stopped(r, BARRIER)
    return None


def _doer(r: Run, step: s.OperateStep, slots: Slots) -> int | None:
    """The doer of an operation, if not the acting player."""
    return step.by(r.world, slots, r.scope, r.rules) if step.by is not None else None


def _at_once(r: Run, step: s.AtOnceStep) -> Suspension | None:
    """Do an operation, for each of some things or for itself; who responds is as it was before."""
    operation, before, origin = step.operation, r.scope, r.row.origin
    rounds = _rounds(r, step)
    r.pc += 1
    r.steps += len(rounds)
    for args, _ in rounds:
        lacking = missing(r, operation, args)
        if lacking:
            return dead_end(r, lacking)
    try:
        _do_together(r, step, rounds, origin)
    finally:  # something may have vanished
        r.scope = before
    if operation.info.reveals:
        r.seal()
    if step.things is None and r.waits_here():
        r.run_waiting(r.waits_here()[0])
    return stopped(r, BARRIER) if operation.info.reveals and not r.live else None


def _do_together(
    r: Run, step: s.AtOnceStep, rounds: Sequence[tuple[Args, int | None]], origin: Origin | None
) -> None:
    operation = step.operation
    begin_together(r)
    found = [(args, by, r.replacing(step.replacements, args)) for args, by in rounds]
    done = [
        (args, carry_out(r, operation, args, origin, by)) for args, by, one in found if one is None
    ]
    for args, result in done:
        announce(r, operation, args, result)
        if step.slot >= 0:
            r.slots[step.slot] = result
    gather(r, [(one, args) for args, _, one in found if one is not None])


def _rounds(r: Run, step: s.AtOnceStep) -> list[tuple[Args, int | None]]:
    """The arguments and the doer of an operation, for each thing."""
    things = (None,) if step.things is None else step.things(r.world, r.slots, r.scope, r.rules)
    slots, rounds = [*r.slots], []
    for thing in things:
        if step.things is not None:
            slots[step.item] = thing
        rounds.append((step.args(r.world, slots, r.scope, r.rules), _doer(r, step, slots)))
    return rounds


def _together(r: Run, step: s.SimultaneousStep) -> None:
    assert r.linked.together is not None
    r.slots[step.slot], r.slots[step.counter] = r.scope[r.linked.together], 0
    begin_together(r)
    r.pc += 1


def _apart(r: Run, step: s.ApartStep) -> None:
    """Run what waits for this, one after the other."""
    waiting = r.waits_here()
    if waiting:
        r.run_waiting(waiting[0])
        return
    if step.held is not None and r.linked.together is not None:
        r.bind([(r.linked.together, step.held(r.world, r.slots, r.scope, r.rules))])
    r.pc += 1


def _announce(r: Run, step: s.AnnounceStep) -> None:
    r.happen(step.event, step.args(r.world, r.slots, r.scope, r.rules))
    r.pc += 1
    r.interrupt()


def _instead(r: Run, step: s.InsteadStep) -> None:
    begun, r.pc = r.pc, step.to
    if not r.replaces(step.replacements, step.args(r.world, r.slots, r.scope, r.rules)):
        r.pc = begun + 1


def answer(
    linked: Linked,
    state: State,
    value: Value,
    live: bool,
    player: int | None = None,
    dice: Xoshiro | None = None,
) -> Suspension:
    """Take `value` as the answer to the prompt at which `state` stands, and go on.

    A modal prompt takes the number of the mode, a set choice a tuple; a secret one needs `player`.
    """
    r = Run(linked, state, live, dice)
    return _take(r, value, player) or go_on(r)


def _take(r: Run, value: Value, player: int | None) -> Suspension | None:
    """Take an answer to the question at which a run stands."""
    step = r.routine.steps[r.pc]
    match step:
        case s.ChooseStep():
            return ask.chosen(r, step, value)
        case s.ModalStep():
            assert isinstance(value, int)
            ask.reply(r, step.by)
            r.pc = step.modes[value].to
        case s.AskStep():
            ask.heard(r, step, value)
        case s.RollStep():
            roll.rolled(r, step, value, registers.player_asked(r, step.by)[0])
        case s.DrawStep() | s.PickStep():
            roll.taken(r, step, value)
        case s.LookStep():
            return piles.turned_up(r, step, value)
        case s.SecretStep():
            assert player is not None
            return ask.answered_secretly(r, step, player, value)
    return None


def reopen(
    linked: Linked,
    before: State,
    after: State,
    name: str,
    args: tuple[Value, ...],
    dice: Xoshiro | None,
) -> Suspension:
    """Go on from a state corrected by hand: the open question is asked anew, from its row.

    The correction (`name`, with its `args`) is logged and always-rules are kept. `before` stands at
    a prompt; `after` is the same but for the value. Raises RuntimeFault if nothing can follow.
    """
    r = Run(linked, after, True, dice)
    r.tell("corrected", name, args, before.world)
    try:
        settle(r)
        r.interrupt()
    except RuntimeFault:
        raise
    except Exception as error:  # a driver may not be able to live with the value
        raise asks_too_much(r.routine.id, error, None) from error
    return go_on(r)


HANDLERS: Mapping[type[s.LinkedStep], Callable[[Run, Any], Suspension | None]] = {
    s.ChooseStep: ask.choose,
    s.ChooseSetStep: ask.choose_set,
    s.ModalStep: ask.modal,
    s.AskStep: ask.ask,
    s.SecretStep: ask.secret,
    s.RollStep: roll.roll,
    s.DrawStep: roll.draw,
    s.PickStep: roll.pick,
    s.LookStep: piles.look,
    s.PutStep: piles.put,
    s.ShowStep: piles.show,
    s.OperateStep: _operate,
    s.AtOnceStep: _at_once,
    s.SimultaneousStep: _together,
    s.ApartStep: _apart,
    s.UseStep: _use,
    s.PowerStep: _power,
    s.WatchedStep: _set_watched,
    s.RelaxStep: _relax,
    s.EnsureStep: _ensure,
    s.AnnounceStep: _announce,
    s.InsteadStep: _instead,
    s.SayStep: _say,
    s.FinishStep: _finish,
    s.RankStep: _rank,
    s.ReturnStep: _return,
}

"""The machine: runs linked rows from one prompt to the next.

It never waits, rolls or asks: it returns a `Stop` that says why it stopped, with the state to go on
from. A run is either *live* (it happens) or look-ahead (it only finds out whether a way can be
finished). In look-ahead a compulsory choice without options is a dead end, and a barrier or the end
of the turn ends the run; live, such a choice fizzles: it ends the `use` it stands in, and is
logged.
"""

from __future__ import annotations

from typing import Any

from ruleloom.runtime.link import link as op
from ruleloom.runtime.link.link import Linked, LinkedOperation, Step
from ruleloom.runtime.machine.apply import first_free
from ruleloom.runtime.machine.ask import (
    ask,
    choose,
    dead_end,
    heard,
    in_trigger,
    modal,
    player_asked,
    row_now,
    stopped,
)
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.registers import Run, anything_gone, perform, settle
from ruleloom.runtime.machine.roll import TAKEN, dice_of, rolled
from ruleloom.runtime.machine.say import conclude, refusal, remark
from ruleloom.runtime.machine.suspension import ASK, BARRIER, OVER, Suspension
from ruleloom.runtime.program.faults import RuntimeFault, TooMuchWork, Vanished, asks_too_much
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.program.values import FrozenMap, World

MOST_STEPS = 100_000
MOST_FUEL = 12


def run(linked: Linked, state: State, live: bool, dice: Xoshiro | None = None) -> Suspension:
    """Go on from `state` to the next prompt, barrier (in look-ahead), dead end, or the end of the
    game."""
    return go_on(Run(linked, state, live, dice))


def go_on(r: Run) -> Suspension:
    """Run rows until one of them stops the run. Plain rows, which are most of all, are done by the
    stretch."""
    while True:
        if r.outcome is not None:
            return stopped(r, OVER)
        if r.frame is None:
            if not r.live and not r.queue:
                return stopped(r, BARRIER)
            _next_flow(r)
        routine, step = r.routine, None
        try:
            while True:
                r.steps += 1
                if r.steps > MOST_STEPS:
                    raise _too_many_steps(r)
                stretch = routine.stretches[r.pc]
                if stretch is None:
                    break
                r.pc = stretch(r, r.world, r.slots, r.scope, r.rules)
            step = routine.steps[r.pc]
            stop: Suspension | None = HANDLERS[step[0]](r, step)
        except RuntimeFault as fault:
            fault.origin = fault.origin or _running(r, step, fault).origin
            raise
        except Exception as error:
            stop = _vanished(r, step, error)
        if stop is not None:
            return stop


def _too_many_steps(r: Run) -> TooMuchWork:
    return TooMuchWork(
        f"more than {MOST_STEPS:,} steps in one decision, and nobody is asked", row_now(r).origin
    )


def _running(r: Run, step: Step | None, error: Exception) -> Any:
    """The row that failed: the one whose step this is, though a step may have gone on to the next
    row before it failed. None: a plain row of the stretch that begins where the run stands."""
    routine = r.routine
    if step is None:
        return routine.rows[routine.stretches.row_of(r.pc, error)]
    before = r.pc > 0 and routine.steps[r.pc] is not step and routine.steps[r.pc - 1] is step
    return routine.rows[r.pc - 1] if before else row_now(r)


def _next_flow(r: Run) -> None:
    """Between flows: first what waits in the queue, then set-up once, then turn after turn."""
    if r.queue:
        r.release()
        return
    linked = r.linked
    routine = linked.turn if r.begun else linked.set_up
    if r.begun:
        scope = list(r.scope)
        for index, value in linked.turn_scope:
            scope[index] = value
        r.scope = tuple(scope)
    if r.begun:
        r.tell("turn", linked.program.turn, (r.me,), r.world)
    r.begun = True
    r.fired = frozenset()
    r.push(routine, (), None, -1, NO_RULES, (), 0)


def _vanished(r: Run, step: Step | None, error: Exception) -> Suspension | None:
    """Something in this use is gone. If nothing is, the rules ask for what cannot be done, or the
    fault is ours."""
    if not isinstance(error, Vanished) and not anything_gone(r):
        raise asks_too_much(r.routine.id, error, _running(r, step, error).origin) from error
    return dead_end(r, "something this needs is no longer there")


# ---------------------------------------------------------------------------------- plain rows


def _say(r: Run, step: Step) -> None:
    remark(r, step[1])
    r.pc += 1


def _relax(r: Run, step: Step) -> None:
    lifted = r.relaxed - step[1]
    r.relaxed = step[1]
    assert r.frame is not None
    r.rules = r.frame.inherited | r.relaxed
    r.pc += 1
    if lifted:
        settle(r)
        r.interrupt()


def _ensure(r: Run, step: Step) -> Suspension | None:
    if step[1](r.world, r.slots, r.scope, r.rules):
        r.pc += 1
        return None
    return dead_end(r, refusal(r, step[2], not r.live and not in_trigger(r)))


def _finish(r: Run, step: Step) -> None:
    winner = step[1](r.world, r.slots, r.scope, r.rules) if step[1] is not None else None
    conclude(r, winner, step[2])


def _return(r: Run, step: Step) -> None:
    result = r.routine.result
    r.leave(r.slots[result] if result >= 0 else None)


# ---------------------------------------------------------------------------------- calls


def _use(r: Run, step: Step) -> None:
    args = step[2](r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    r.call(step[1], args, step[3])


def _power(r: Run, step: Step) -> Suspension | None:
    thing = step[2](r.world, r.slots, r.scope, r.rules)
    routine = r.linked.powers[step[1]][thing] if thing is not None else -1
    if routine < 0:
        return dead_end(r, "there is no power to use")
    assert r.frame is not None
    if r.frame.fuel >= MOST_FUEL:
        return dead_end(r, f"powers that use powers may be nested {MOST_FUEL} deep")
    restore = tuple((index, r.scope[index]) for index, _ in step[3])
    values = [(index, value(r.world, r.slots, r.scope, r.rules)) for index, value in step[3]]
    r.pc += 1
    r.call(routine, (), -1, restore, 1)
    scope = list(r.scope)
    for index, value in values:
        scope[index] = value
    r.scope = tuple(scope)
    return None


def _operate(r: Run, step: Step) -> Suspension | None:
    operation: LinkedOperation = step[1]
    args = step[2](r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    for position, column in operation.entities:
        if args[position] is None or r.world[column][args[position]] is None:
            return dead_end(r, "something this needs is no longer there")
    if operation.maker is not None and first_free(operation.maker, r.world) is None:
        return dead_end(r, f"there are no more {operation.maker.plural}")
    if step[4] and r.replaces(step[4], args):
        return None
    result = perform(r, operation, args, r.routine.rows[r.pc - 1].origin)
    if step[3] >= 0:
        r.slots[step[3]] = result
    if r.pending:
        r.interrupt()
    if operation.info.reveals and not r.live:
        return stopped(r, BARRIER)
    return None


# ---------------------------------------------------------------------------------- prompts


def _secret(r: Run, step: Step) -> Suspension | None:
    r.slots[step[1]] = FrozenMap()
    waiting = _waiting(r, step)
    for player in waiting:
        if not secret_options(r.linked, r.world, r.slots, r.scope, r.rules, step, player):
            return dead_end(r, "not everybody has something to choose")
    return _still_secret(r, step, waiting)


def _waiting(r: Run, step: Step) -> tuple[int, ...]:
    """The players who have not answered a secret prompt yet."""
    table = r.slots[step[1]]
    return tuple(p for p in step[2](r.world, r.slots, r.scope, r.rules) if p not in table)


def _still_secret(r: Run, step: Step, waiting: tuple[int, ...]) -> Suspension | None:
    """Wait for those who still owe an answer; when nobody does, everything is shown."""
    if waiting:
        return stopped(r, ASK, (), waiting)
    r.tell("revealed", row_now(r).name, (r.slots[step[1]], row_now(r).type), r.world)
    r.pc += 1
    return None


def secret_options(
    linked: Linked,
    world: World,
    slots: Any,
    scope: Any,
    rules: frozenset[str],
    step: Step,
    player: int,
) -> tuple[Any, ...]:
    """What one player may choose in a simultaneous secret choice."""
    own = list(slots)
    own[step[3]] = player
    return tuple(step[4](world, own, scope, rules))


def _roll(r: Run, step: Step) -> Suspension | None:
    who = player_asked(r, step[4])
    if not r.live:
        return stopped(r, BARRIER)
    count, sides = dice_of(step, r.world, r.slots, r.scope, r.rules)
    each = step[5]
    value: Any = () if each else 0
    if count:
        if r.dice is None:
            return stopped(r, ASK, (), who)
        value, r.dice = r.dice.roll_each(count, sides) if each else r.dice.roll(count, sides)
        r.cast.append(("Dice" if each else "Int", value))
    rolled(r, step, value, who[0])
    return None


def _draw(r: Run, step: Step) -> Suspension | None:
    return _by_chance(r, step, r.world[step[2]])


def _pick(r: Run, step: Step) -> Suspension | None:
    return _by_chance(r, step, tuple(dict.fromkeys(step[2](r.world, r.slots, r.scope, r.rules))))


def _by_chance(r: Run, step: Step, things: tuple[Any, ...]) -> Suspension | None:
    """Chance takes one of these things, each as likely; none if there are none."""
    if not things:
        r.slots[step[1]] = None
        r.pc += 1
        return None
    if r.dice is None:
        return stopped(r, ASK, tuple(dict.fromkeys(things)), ())
    place, r.dice = r.dice.below(len(things))
    r.cast.append((row_now(r).type, things[place]))
    TAKEN[step[0]](r, step, things[place])
    return None


# ---------------------------------------------------------------------------------- answers


def answer(
    linked: Linked,
    state: State,
    value: Any,
    live: bool,
    player: int | None = None,
    dice: Xoshiro | None = None,
) -> Suspension:
    """Take `value` as the answer to the prompt at which `state` stands, and go on.

    A modal prompt takes the number of the mode, a set choice a tuple; a secret one needs `player`.
    """
    r = Run(linked, state, live, dice)
    step = r.routine.steps[r.pc]
    if step[0] == op.CHOOSE:
        r.slots[row_now(r).slot] = value
        r.pc += 1
    elif step[0] == op.MODAL:
        r.pc = step[1][value][1]
    elif step[0] == op.ASK:
        heard(r, value)
    elif step[0] == op.ROLL:
        rolled(r, step, value, player_asked(r, step[4])[0])
    elif step[0] in TAKEN:
        TAKEN[step[0]](r, step, value)
    else:
        assert player is not None
        r.slots[step[1]] = r.slots[step[1]].with_item(player, value)
        return _still_secret(r, step, _waiting(r, step)) or go_on(r)
    return go_on(r)


HANDLERS: dict[int, Any] = {
    op.CHOOSE: choose,
    op.MODAL: modal,
    op.ASK: ask,
    op.SECRET: _secret,
    op.ROLL: _roll,
    op.DRAW: _draw,
    op.PICK: _pick,
    op.OPERATE: _operate,
    op.USE: _use,
    op.POWER: _power,
    op.RELAX: _relax,
    op.ENSURE: _ensure,
    op.SAY: _say,
    op.FINISH: _finish,
    op.RETURN: _return,
}

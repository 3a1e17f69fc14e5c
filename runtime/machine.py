"""The machine: runs linked rows from one prompt to the next.

It never waits, rolls or asks: it returns a `Stop` that says why it stopped, with the state to go on from.
A run is either *live* (it happens) or look-ahead (it only finds out whether a way can be finished). In
look-ahead a compulsory choice without options is a dead end, and a barrier or the end of the turn ends the
run; live, such a choice fizzles: it ends the `use` it stands in, and is logged.
"""

from __future__ import annotations

from typing import Any

from runtime import link as op
from runtime.chance import TAKEN, dice_of, rolled
from runtime.dice import Xoshiro
from runtime.faults import RuntimeFault, TooMuchWork, Vanished, asks_too_much
from runtime.fizzling import fizzle, in_trigger
from runtime.link import Linked, LinkedOperation, Step
from runtime.run import Run, anything_gone, new, perform, settle
from runtime.speaking import conclude, refusal, remark
from runtime.state import NO_RULES, State
from runtime.stops import ASK, BARRIER, DEAD, OVER, Stop
from runtime.values import FrozenMap, World

MOST_STEPS = 100_000
MOST_FUEL = 12


def run(linked: Linked, state: State, live: bool, dice: Xoshiro | None = None) -> Stop:
    """Go on from `state` to the next prompt, barrier (in look-ahead), dead end, or the end of the game."""
    return go_on(Run(linked, state, live, dice))


def go_on(r: Run) -> Stop:
    """Run rows until one of them stops the run. Plain rows, which are most of all, are done by the stretch."""
    while True:
        if r.outcome is not None:
            return _stop(r, OVER)
        if r.frame is None:
            if not r.live and not r.queue:
                return _stop(r, BARRIER)
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
            stop: Stop | None = HANDLERS[step[0]](r, step)
        except RuntimeFault as fault:
            fault.origin = fault.origin or _running(r, step, fault).origin
            raise
        except Exception as error:
            stop = _vanished(r, step, error)
        if stop is not None:
            return stop


def _too_many_steps(r: Run) -> TooMuchWork:
    return TooMuchWork(f"more than {MOST_STEPS:,} steps in one decision, and nobody is asked", _row(r).origin)


def _row(r: Run) -> Any:
    return r.routine.rows[r.pc]


def _running(r: Run, step: Step | None, error: Exception) -> Any:
    """The row that failed: the one whose step this is, though a step may have gone on to the next row before it
    failed. None: a plain row of the stretch that begins where the run stands."""
    routine = r.routine
    if step is None:
        return routine.rows[routine.stretches.row_of(r.pc, error)]
    before = r.pc > 0 and routine.steps[r.pc] is not step and routine.steps[r.pc - 1] is step
    return routine.rows[r.pc - 1] if before else _row(r)


def _stop(
    r: Run, kind: str, found: tuple[Any, ...] = (), who: tuple[int, ...] = (), reason: str = ""
) -> Stop:
    return new(Stop, (kind, r.state(), found, who, reason, tuple(r.events), r.dice, tuple(r.cast)))


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


def _dead(r: Run, reason: str) -> Stop | None:
    """A compulsory thing cannot be done: a dead end in look-ahead, else the use it stands in ends.

    A trigger is nobody's choice: it comes to nothing by itself, and what set it off can be done all the same.
    """
    if not r.live and not in_trigger(r):
        return _stop(r, DEAD, reason=reason)
    fizzle(r, reason)
    return None


def _vanished(r: Run, step: Step | None, error: Exception) -> Stop | None:
    """Something in this use is gone. If nothing is, the rules ask for what cannot be done, or the fault is ours."""
    if not isinstance(error, Vanished) and not anything_gone(r):
        raise asks_too_much(r.routine.id, error, _running(r, step, error).origin) from error
    return _dead(r, "something this needs is no longer there")


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


def _ensure(r: Run, step: Step) -> Stop | None:
    if step[1](r.world, r.slots, r.scope, r.rules):
        r.pc += 1
        return None
    return _dead(r, refusal(r, step[2], not r.live and not in_trigger(r)))


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


def _power(r: Run, step: Step) -> Stop | None:
    thing = step[2](r.world, r.slots, r.scope, r.rules)
    routine = r.linked.powers[step[1]][thing] if thing is not None else -1
    if routine < 0:
        return _dead(r, "there is no power to use")
    assert r.frame is not None
    if r.frame.fuel >= MOST_FUEL:
        return _dead(r, f"powers that use powers may be nested {MOST_FUEL} deep")
    restore = tuple((index, r.scope[index]) for index, _ in step[3])
    values = [(index, value(r.world, r.slots, r.scope, r.rules)) for index, value in step[3]]
    r.pc += 1
    r.call(routine, (), -1, restore, 1)
    scope = list(r.scope)
    for index, value in values:
        scope[index] = value
    r.scope = tuple(scope)
    return None


def _operate(r: Run, step: Step) -> Stop | None:
    operation: LinkedOperation = step[1]
    args = step[2](r.world, r.slots, r.scope, r.rules)
    r.pc += 1
    for position, column in operation.entities:
        if args[position] is None or r.world[column][args[position]] is None:
            return _dead(r, "something this needs is no longer there")
    if step[4] and r.replaces(step[4], args):
        return None
    result = perform(r, operation, args, r.routine.rows[r.pc - 1].origin)
    if step[3] >= 0:
        r.slots[step[3]] = result
    if r.pending:
        r.interrupt()
    if operation.info.reveals and not r.live:
        return _stop(r, BARRIER)
    return None


# ---------------------------------------------------------------------------------- prompts


def _who(r: Run, by: Any) -> tuple[int, ...]:
    player = by(r.world, r.slots, r.scope, r.rules) if by is not None else r.me
    if player is None:
        raise RuntimeFault("nobody is there to answer", _row(r).origin)
    return (player,)


def _choose(r: Run, step: Step) -> Stop | None:
    found = step[1](r.world, r.slots, r.scope, r.rules)
    if not found or (step[2] != "one" and not _limits(r, step, len(found))[1]):
        return _nothing_to_choose(r, step)
    if step[2] == "exactly" and len(found) < _limits(r, step, len(found))[0]:
        return _dead(r, "there are too few to choose from")
    return _stop(r, ASK, tuple(dict.fromkeys(found)), _who(r, step[5]))


def _nothing_to_choose(r: Run, step: Step) -> Stop | None:
    row = _row(r)
    if step[2] == "one" and not step[4]:
        return _dead(r, "")
    if step[2] == "exactly" and _limits(r, step, 0)[0]:
        return _dead(r, "there are too few to choose from")
    r.slots[row.slot] = None if step[2] == "one" else ()
    r.pc += 1
    return None


def _limits(r: Run, step: Step, size: int) -> tuple[int, int]:
    """The least and the most that a set choice may take."""
    if step[2] == "any":
        return 0, size
    limit = max(0, step[3](r.world, r.slots, r.scope, r.rules))
    return (limit, limit) if step[2] == "exactly" else (0, min(limit, size))


def _modal(r: Run, step: Step) -> Stop | None:
    found = [
        number
        for number, (test, _) in enumerate(step[1])
        if test is None or test(r.world, r.slots, r.scope, r.rules)
    ]
    if not found:
        return _dead(r, "")
    return _stop(r, ASK, tuple(found), _who(r, step[2]))


def _secret(r: Run, step: Step) -> Stop | None:
    r.slots[step[1]] = FrozenMap()
    waiting = _waiting(r, step)
    for player in waiting:
        if not secret_options(r.linked, r.world, r.slots, r.scope, r.rules, step, player):
            return _dead(r, "not everybody has something to choose")
    return _still_secret(r, step, waiting)


def _waiting(r: Run, step: Step) -> tuple[int, ...]:
    """The players who have not answered a secret prompt yet."""
    table = r.slots[step[1]]
    return tuple(p for p in step[2](r.world, r.slots, r.scope, r.rules) if p not in table)


def _still_secret(r: Run, step: Step, waiting: tuple[int, ...]) -> Stop | None:
    """Wait for those who still owe an answer; when nobody does, everything is shown."""
    if waiting:
        return _stop(r, ASK, (), waiting)
    r.tell("revealed", _row(r).name, (r.slots[step[1]], _row(r).type), r.world)
    r.pc += 1
    return None


def secret_options(
    linked: Linked, world: World, slots: Any, scope: Any, rules: frozenset[str], step: Step, player: int
) -> tuple[Any, ...]:
    """What one player may choose in a simultaneous secret choice."""
    own = list(slots)
    own[step[3]] = player
    return tuple(step[4](world, own, scope, rules))


def _roll(r: Run, step: Step) -> Stop | None:
    who = _who(r, step[4])
    if not r.live:
        return _stop(r, BARRIER)
    count, sides = dice_of(step, r.world, r.slots, r.scope, r.rules)
    value = 0
    if count:
        if r.dice is None:
            return _stop(r, ASK, (), who)
        value, r.dice = r.dice.roll(count, sides)
        r.cast.append(("Int", value))
    rolled(r, step, value, who[0])
    return None


def _draw(r: Run, step: Step) -> Stop | None:
    return _by_chance(r, step, r.world[step[2]])


def _pick(r: Run, step: Step) -> Stop | None:
    return _by_chance(r, step, tuple(dict.fromkeys(step[2](r.world, r.slots, r.scope, r.rules))))


def _by_chance(r: Run, step: Step, things: tuple[Any, ...]) -> Stop | None:
    """Chance takes one of these things, each as likely; none if there are none."""
    if not things:
        r.slots[step[1]] = None
        r.pc += 1
        return None
    if r.dice is None:
        return _stop(r, ASK, tuple(dict.fromkeys(things)), ())
    place, r.dice = r.dice.below(len(things))
    r.cast.append((_row(r).type, things[place]))
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
) -> Stop:
    """Take `value` as the answer to the prompt at which `state` stands, and go on.

    A modal prompt takes the number of the mode, a set choice a tuple; a secret one needs `player`.
    """
    r = Run(linked, state, live, dice)
    step = r.routine.steps[r.pc]
    if step[0] == op.CHOOSE:
        r.slots[_row(r).slot] = value
        r.pc += 1
    elif step[0] == op.MODAL:
        r.pc = step[1][value][1]
    elif step[0] == op.ROLL:
        rolled(r, step, value, _who(r, step[4])[0])
    elif step[0] in TAKEN:
        TAKEN[step[0]](r, step, value)
    else:
        assert player is not None
        r.slots[step[1]] = r.slots[step[1]].with_item(player, value)
        return _still_secret(r, step, _waiting(r, step)) or go_on(r)
    return go_on(r)


HANDLERS: dict[int, Any] = {
    op.CHOOSE: _choose,
    op.MODAL: _modal,
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

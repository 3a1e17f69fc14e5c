"""The codes of how texts play: secrets, bounds, circles, ways to go, and what is never used."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.example_game import (
    MEASURE,
    abilities,
    fruit,
    listed,
    power,
    tiring,
    trigger,
    with_items,
)

PLAY: dict[str, Code] = {
    "hidden-information": Code(
        "a choice would look where the chooser cannot see",
        "Options that depend on hidden things tell them; only how many there are is known to all.",
        fruit("if exists(f: heap where weight(f) > 1): use walk"),
        fruit("if count(heap) > 1: use walk"),
        "check",
    ),
    "ensure-after-barrier": Code(
        "`ensure` comes too late",
        "Ways that break it are never offered, and nobody can foresee dice, draws or another's answer.",
        fruit("roll luck = 1d6", 'ensure luck > 2 "luck is needed"', "use walk"),
        fruit("roll luck = 1d6", "if luck > 2: use walk"),
        "check",
    ),
    "unbounded": Code(
        "nothing says how long this goes on",
        "A loop needs a number, a setting, or a value with a known maximum.",
        fruit("repeat day times: use walk"),
        fruit("repeat lowest([day, 5]) times: use walk"),
        "check",
    ),
    "too-much-work": Code(
        "one use of this may take far too long",
        "All prompts and operations one use can come to are counted beforehand.",
        fruit(
            "for each a in 1 .. 500:", "    for each b in 1 .. 500:", "        if a = b: use walk"
        ),
        fruit("for each a in 1 .. 5:", "    for each b in 1 .. 5:", "        if a = b: use walk"),
        "check",
    ),
    "recursive-power": Code(
        "a power uses itself",
        "A power that uses itself, by whatever way, might never end.",
        power("again", 'optional "again":', "    use again") + listed(fruit("use again")),
        power("again", "repeat 3 times:", '    optional "walk":', "        use walk")
        + listed(fruit("use again")),
        "check",
    ),
    "recursive-rule": Code(
        "a rule or measure needs itself",
        "What is worked out may not be needed to work it out.",
        with_items(MEASURE.format(id="two", body="two + 1"), use="set day = two"),
        with_items(MEASURE.format(id="two", body="day + 1"), use="set day = two"),
        "check",
    ),
    "endless-trigger": Code(
        "triggers set each other off without end",
        "A trigger may set off others in a circle only if one of them acts once per turn.",
        trigger('event: "touched(basket)"', "timing: afterwards", effect="carry(basket, home(me))"),
        trigger(
            'event: "touched(basket)"',
            "timing: afterwards",
            "once_per: turn",
            effect="carry(basket, home(me))",
        ),
        "check",
    ),
    "same-label": Code(
        "two ways to go have one name",
        "Players, bots and saves tell the ways of a choice by their labels.",
        fruit("choose one:", '    "go": use walk', '    "go": use gamble'),
        fruit("choose one:", '    "go": use walk', '    "play": use gamble'),
        "check",
    ),
    "hole-in-label": Code(
        "the label of a way has a hole",
        "Players, bots, saves and scenarios name a way to go by its label, which must not change.",
        fruit("choose one:", '    "on day {day}": use walk', '    "play": use gamble'),
        fruit('choose one "What on day {day}?":', '    "go": use walk', '    "play": use gamble'),
        "check",
    ),
    "not-combinable": Code(
        "these cannot be combined",
        "`combinable:` takes two `use` of powers, without values and without results.",
        fruit("combinable:", "    use walk", "    use snack(favourite)"),
        fruit("combinable:", "    use walk", "    use walk"),
        "check",
    ),
    "no-fusion": Code(
        "nothing says what two powers do together",
        "A combined pair needs a fusion: what the two may do at once that they could not in turn.",
        fruit("combinable:", "    use walk", "    use gamble"),
        listed(fruit("combinable:", "    use walk", "    use gamble"))
        + "- kind: fusion\n  id: risky_walk\n  parts: [walk, gamble]\n  gloss: both at once\n"
        "  effect: |\n    use walk\n    use gamble\n",
        "check",
    ),
}

LINT: dict[str, Code] = {
    "unused-name": Code(
        "a variable is set and never read",
        "What is never read is often a slip: another name was meant, or a line is missing.",
        fruit("let bonus = 3", "set day = 4"),
        fruit("let bonus = 3", "set day = bonus"),
        "lint",
    ),
    "odd-hole": Code(
        "these braces look like a hole, and are none",
        "In the texts of effects only a name in braces is filled in. Anything else is read as it is written.",
        fruit('say "{day + 1} days"'),
        fruit("let days = day + 1", 'say "{days} days"'),
        "lint",
    ),
    "unused-item": Code(
        "nothing uses this",
        "A power, rule, measure, table, setting, switch or fusion that no text speaks of does nothing.",
        power("rest", "stop"),
        power("rest", "stop") + listed(fruit("use rest")),
        "lint",
    ),
    "listed-twice": Code(
        "this is in the list already",
        "A list holds a thing once, so whoever is written twice is chosen from, counted and looped over once.",
        fruit("for each who in [me, me]: use walk"),
        fruit("for each who in [me]: use walk"),
        "lint",
    ),
    "never-happens": Code(
        "nothing ever does what this answers",
        "What answers something that no text does is never done. What people do by hand says `at_table: true`.",
        tiring("if tired(me) > 2: stop", answered=True),
        tiring("if tired(me) < 3: work(me)", answered=True),
        "lint",
    ),
    "never-set": Code(
        "this is read, and nothing sets it",
        "What nothing sets stays as it began, so every text that asks for it gets the same answer each time.",
        tiring("if tired(me) < 3: work(me)", sets=""),
        tiring("if tired(me) < 3: work(me)"),
        "lint",
    ),
    "never-read": Code(
        "this is set, and nothing reads it",
        "What nothing reads makes no difference, unless people at the table read it (`at_table: true`).",
        tiring("work(me)"),
        tiring("if tired(me) < 3: work(me)"),
        "lint",
    ),
    "unreachable": Code(
        "nothing ever gets here",
        "Behind `stop` and `finish` a text does not go on.",
        fruit("stop", "use walk"),
        fruit("if day = 1: stop", "use walk"),
        "lint",
    ),
    "constant-condition": Code(
        "this condition is always true, or never",
        "What no play can change need not be asked, or something else was meant.",
        fruit("if 2 > 1: use walk"),
        fruit("if day > 1: use walk"),
        "lint",
    ),
    "nothing-ignored": Code(
        "nothing in here asks for the rule that is ignored",
        "`ignoring` lifts a rule for what is done inside it. Where nothing asks for it, another rule was probably "
        "meant, or another place.",
        fruit("ignoring room: set day = 2"),
        fruit("ignoring rot: use walk"),
        "lint",
    ),
    "changes-nothing": Code(
        "this leaves everything as it is",
        "What adds nothing, multiplies by one, or sets what is so already makes no difference: a number was probably "
        "left out, or is another one.",
        abilities("modify vigour(self) by 0"),
        abilities("modify vigour(self) by 1"),
        "lint",
    ),
    "same-for-all": Code(
        "this condition asks nothing of what it is to pick out",
        "A `where` is asked of each thing in a list. One that does not speak of it lets all pass or nobody: "
        "probably another name was meant, or it belongs into an `if`.",
        fruit("choose basket from mine where day > 1", "drop(basket)"),
        fruit("choose basket from mine where size(basket) > 1", "drop(basket)"),
        "lint",
    ),
    "same-modes": Code(
        "two ways to go do the same",
        "A choice between equal ways is none; one of them was probably copied and not changed.",
        fruit("choose one:", '    "go": use walk', '    "run": use walk'),
        fruit("choose one:", '    "go": use walk', '    "play": use gamble'),
        "lint",
    ),
}

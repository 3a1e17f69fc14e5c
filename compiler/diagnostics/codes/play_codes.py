"""The codes of play and of lint: secrets, bounds, circles, choices, what is never used."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, check, lint, requirement
from ruleloom.compiler.diagnostics.codes.example_game import (
    ME,
    MEASURE,
    VOCABULARY,
    abilities,
    fruit,
    listed,
    power,
    tiring,
    trigger,
    whole_game,
    with_items,
)

_SLOES = """\
- {kind: fruit, id: damson, title: Damson, weight: 1, tint: red}
- {kind: fruit, id: sloe, title: «Damson¦Sloe», weight: 1, tint: red}
"""
_LIGHT = """\
- kind: requirement
  id: light
  of: "fruit: Fruit"
  holds: "weight(fruit) <= 3"
  english: "{fruit} is too heavy to be carried"
"""
_FALLING = {
    "vocabulary.yaml": f"{VOCABULARY}{ME}entities:\n  Player: {{noun: [player, players], max: 2}}\n"
    "  Fruit:\n    noun: [fruit, fruits]\n    max: 9\n    records: [fruit]\n"
    "    fields: {hangs: {type: Bool, initial: true}}\n"
    'kinds: {fruit: {makes: Fruit, bearer: {entity: Fruit, among: "[this]", when: "hangs(this)"}}}\n'
    'operations: {fall: {params: {it: Fruit}, sets: {hangs(it): "no"}, english: "{it} falls", '
    'log: "{it} falls"}}\n',
    "fruit.yaml": "- {kind: fruit, id: pear, title: Pear}\n- kind: fruit\n  id: apple\n  title: Apple\n"
    '  abilities: |\n    when fall(it) where it != self: say "thud"\n',
    "flow.yaml": "- {kind: flow, id: set_up, effect: stop}\n- kind: flow\n  id: turn\n  effect: |\n"
    '    for each it in Fruit«¦ one by one»:\n        say "look out"\n        fall(it)\n',
}
_NAPPING = tiring("«if tired(me) < 3: ¦»use act(me)")
_NAPPING["nap.yaml"] = """\
- {kind: lasting, id: nap, on: Player, counts: before act(self), english: "{self} naps"}
- kind: power
  id: act
  takes: "who: Player"
  gloss: "{who} acts"
  effect: |
    work(who)
    if tired(who) < 9: begin nap on who for 1
"""
_BLESSED = "kind: lasting\nid: blessed\non: Player\n«¦until: never\n»"


def _printed(text: str, *lines: str) -> str:
    """Return a fruit with a text of its own beside its effect."""
    return fruit(*lines).replace("effect: |", f"text: {text}\neffect: |")


PLAY: dict[str, Code] = {
    "hidden-information": check(
        "this would tell somebody what they may not know",
        "Options, lines and numbers that depend on hidden things tell them; only how many there are "
        "is known to all.",
        fruit("if «exists(f: heap where weight(f) > 1)¦count(heap) > 1»: use walk"),
    ),
    "ensure-after-barrier": check(
        "`ensure` comes too late",
        "Ways that break it are never offered, and nobody can foresee dice, draws or another's answer. In a "
        "response to an event, only questions of the response itself stand under it.",
        fruit("roll luck = 1d6", '«ensure luck > 2 "luck is needed"\n  ¦if luck > 2: »use walk'),
    ),
    "unbounded": check(
        "nothing says how long this goes on",
        "A loop needs a number, a setting, or a value with a known maximum.",
        fruit("repeat «day¦lowest([day, 5])» times: use walk"),
    ),
    "too-much-work": check(
        "working this out may take far too long",
        "Nothing can stop an expression halfway, so one that may never be done is refused.",
        fruit("set day = count(a: 1 .. «9000¦9» where exists(b: 1 .. 9000 where b * b = a))"),
    ),
    "over-budget": check(
        "one use of this may take more than its budget",
        "All prompts and operations one use can come to are counted beforehand; beyond the budget, a "
        "table may have to end a decision, and goes on from where it was.",
        fruit(
            "for each a in 1 .. «500¦5»:",
            "    for each b in 1 .. «500¦5»:",
            "        if a = b: use walk",
        ),
    ),
    "recursive-power": check(
        "a power uses itself",
        "A power that uses itself, by whatever way, might never end.",
        power("again", 'optional "again":', "    use again") + listed(fruit("use again")),
        power("again", "repeat 3 times:", '    optional "walk":', "        use walk")
        + listed(fruit("use again")),
    ),
    "recursive-rule": check(
        "a rule or measure needs itself",
        "What is worked out may not be needed to work it out.",
        with_items(MEASURE.format(id="two", body="«two¦day» + 1"), use="set day = two"),
    ),
    "endless-trigger": check(
        "triggers set each other off without end",
        "A trigger may set off others in a circle only if one of them acts once per turn.",
        trigger(
            'event: "touched(basket)"',
            "timing: afterwards«¦\nonce_per: turn»",
            effect="carry(basket, home(me))",
        ),
    ),
    "same-label": check(
        "two ways to go have one name",
        "Players, bots and saves tell the ways of a choice by their labels.",
        fruit("choose one:", '    "go": use walk', '    "«go¦play»": use gamble'),
    ),
    "hole-in-label": check(
        "the label of a way has a hole",
        "Players, bots, saves and scenarios name a way to go by its label, which must not change.",
        fruit(
            'choose one«¦ "What on day {day}?"»:',
            '    "«on day {day}¦go»": use walk',
            '    "play": use gamble',
        ),
    ),
    "not-combinable": check(
        "these cannot be combined",
        "`combinable:` takes two `use` of powers, without values and without results.",
        fruit("combinable:", "    use walk", "    use «snack(favourite)¦walk»"),
    ),
    "no-fusion": check(
        "nothing says what two powers do together",
        "A combined pair needs a fusion: what the two may do at once that they could not in turn.",
        fruit("combinable:", "    use walk", "    use gamble"),
        listed(fruit("combinable:", "    use walk", "    use gamble"))
        + "- kind: fusion\n  id: risky_walk\n  parts: [walk, gamble]\n  gloss: both at once\n"
        "  effect: |\n    use walk\n    use gamble\n",
    ),
    "requirement": requirement(
        "this is not as the rules of its game demand",
        "A `requirement` of the game says what must be so of such a thing before anybody plays. The note "
        "shows where it stands; a pack that means to break it patches or disables it.",
        _LIGHT + listed(fruit("use walk").replace("weight: 1", "weight: «7¦3»")),
    ),
}

LINT: dict[str, Code] = {
    "unused-name": lint(
        "a variable is set and never read",
        "What is never read is often a slip: another name was meant, or a line is missing.",
        fruit("let bonus = 3", "set day = «4¦bonus»"),
    ),
    "odd-hole": lint(
        "these braces look like a hole, and are none",
        "In the texts of effects only a name in braces is filled in. Anything else is read as it is written.",
        fruit('«say "{day + 1}¦let days = day + 1\n  say "{days}» days"'),
    ),
    "unused-item": lint(
        "nothing uses this",
        "A power, rule, measure, table, setting, switch or fusion that no text speaks of does nothing.",
        f"{power('rest', 'stop')}«¦{listed(fruit('use rest'))}»",
    ),
    "gloss-leaves-out": lint(
        "the gloss of a power leaves out what its uses differ in",
        "A use is read as the gloss of its power. What that has no hole for stands behind it, in brackets.",
        listed(fruit("use nap(1)", "use nap(2)"))
        + "- {kind: power, id: nap, takes: 'days: Int', effect: 'set day = days', "
        + "gloss: 'sleep«¦ for {days} days»'}\n",
    ),
    "same-title": lint(
        "two items of a kind have the same title",
        "Whoever chooses reads titles. Often an item was copied and got only a new `id`.",
        _SLOES,
    ),
    "odd-english": lint(
        "rules texts cannot say this in a sentence",
        "An operation is said as a request and a moment behind `when`; generated texts are built so.",
        whole_game(
            "operations: {rest: {params: {who: Player}, sets: {}, at_table: true, "
            "english: '«the night of {who} ends¦end the night of {who}»', log: it is over}}\n"
        ),
    ),
    "listed-twice": lint(
        "this is in the list already",
        "A list holds a thing once: written twice, it is still chosen, counted and looped over once.",
        fruit("for each who in [me«, me¦»]: use walk"),
    ),
    "never-happens": lint(
        "nothing ever does what this answers",
        "No text does what this answers. What people do by hand says `at_table: true`.",
        tiring("if tired(me) «> 2: stop¦< 3: work(me)»", answered=True),
    ),
    "never-set": lint(
        "this is read, and nothing sets it",
        "What nothing sets stays as it began, so every text that asks for it gets the same answer each time.",
        tiring("if tired(me) < 3: work(me)", sets='«¦tired(who): "tired(who) + 1"»'),
    ),
    "never-ends": lint(
        "nothing ends this effect",
        "Often an end was forgotten. What is to last for ever says `until: never`.",
        listed(_BLESSED) + listed(fruit("begin blessed on me")),
    ),
    "may-never-end": lint(
        "what ends this effect may pass its bearer over",
        "An effect that lasts until somebody's turn ends as well when that turn is passed over.",
        _NAPPING,
    ),
    "never-read": lint(
        "this is set, and nothing reads it",
        "What nothing reads makes no difference, unless people at the table read it (`at_table: true`).",
        tiring("«¦if tired(me) < 3: »work(me)"),
    ),
    "unreachable": lint(
        "nothing ever gets here",
        "Behind `stop` and `finish` a text does not go on.",
        fruit("«¦if day = 1: »stop", "use walk"),
    ),
    "one-after-the-other": lint(
        "one round of a loop can change what comes of the next",
        "What happens to several at one moment is one thing done to each of a list. Where a round changes "
        "who answers the next, or what it finds, the order of the list decides.",
        _FALLING,
    ),
    "constant-condition": lint(
        "this condition is always true, or never",
        "What no play can change need not be asked, or something else was meant.",
        fruit("if «2¦day» > 1: use walk"),
    ),
    "nothing-ignored": lint(
        "nothing in here asks for the rule that is ignored",
        "`ignoring` lifts a rule for what is done inside it; probably another rule was meant.",
        fruit("ignoring «room: set day = 2¦rot: use walk»"),
    ),
    "nothing-kept": lint(
        "nothing in here changes the variable that is kept",
        "Behind its block, `keeping` puts back what variables were before; probably another one was meant.",
        fruit("keeping day:", "    «use walk¦set day = 2»", '    say "{day}"'),
    ),
    "changes-nothing": lint(
        "this leaves everything as it is",
        "It adds nothing, multiplies by one, or sets what is so already: probably a number is wrong.",
        abilities("modify vigour(self) by «0¦1»"),
    ),
    "same-for-all": lint(
        "this condition asks nothing of what it is to pick out",
        "A `where` is asked of each thing in a list. One that does not speak of it lets all pass or "
        "nobody: probably another name was meant, or it belongs into an `if`.",
        fruit("choose basket from mine where «day¦size(basket)» > 1", "drop(basket)"),
    ),
    "same-modes": lint(
        "two ways to go do the same",
        "A choice between equal ways is none; one of them was probably copied and not changed.",
        fruit("choose one:", '    "go": use walk', '    "«run": use walk¦play": use gamble»'),
    ),
    "text-differs": lint(
        "the printed text says something else than the effect or the abilities",
        "The text the author wrote is held against the rules, what is printed on the item besides, and what "
        "the items do that its rules name. Words may differ, but a number, a kind, a duration or a person "
        "that occurs in the printed text alone is usually a slip in one of the two.",
        _printed(
            "Walk up to «three¦two» times.", "repeat 2 times:", '    optional "walk": use walk'
        ),
    ),
}

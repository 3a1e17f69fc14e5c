"""The codes of names: what nothing is called, what two things are called, what is given to what."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.example_game import (
    DYES,
    FLOWS,
    ME,
    MEASURE,
    OPERATION,
    TINTS,
    VOCABULARY,
    abilities,
    fruit,
    listed,
    power,
    standing,
    trigger,
    with_items,
)

NAMES: dict[str, Code] = {
    "unknown-name": Code(
        "nothing of this name is known here",
        "Every name in an effect must be a variable set before, or something that the game declares.",
        fruit("set day = dya + 1"),
        fruit("set day = day + 1"),
        "check",
    ),
    "unknown-operation": Code(
        "there is no operation of this name",
        "A line of its own with parentheses is an operation of the vocabulary; a power needs `use`.",
        fruit("choose basket from mine", "dropp(basket)"),
        fruit("choose basket from mine", "drop(basket)"),
        "check",
    ),
    "unknown-power": Code(
        "there is no power of this name",
        "`use` names a power of the ruleset or of a pack that is loaded with it.",
        fruit("use wlak"),
        fruit("use walk"),
        "check",
    ),
    "unknown-rule": Code(
        "there is no rule of this name",
        "`allowed` asks a rule, and `ignoring` lifts one; a measure is a plain fact that nothing can lift.",
        fruit("ignoring rom:", "    use walk"),
        fruit("ignoring room:", "    use walk"),
        "check",
    ),
    "unknown-type": Code(
        "there is no type of this name",
        "A type is `Int`, `Bool`, `Text`, or an enum, point or entity of the vocabulary.",
        with_items(MEASURE.format(id="two", body="2").replace("Int", "Inth"), use="set day = two"),
        with_items(MEASURE.format(id="two", body="2"), use="set day = two"),
        "check",
    ),
    "means-nothing": Code(
        "this field counts only with another one",
        "The game says of some fields that they count only where another one says so; without it they do nothing.",
        {**DYES, "fruits.yaml": "{kind: fruit, id: apple, dye: red}\n"},
        {**DYES, "fruits.yaml": "{kind: fruit, id: apple, tint: red, dye: red}\n"},
        "game",
    ),
    "printed-twice": Code(
        "two items have what only one may have",
        "The game says with `unique` that no two items of a kind have the same value there.",
        {
            **TINTS,
            "fruits.yaml": "- {kind: fruit, id: apple, tint: red}\n- {kind: fruit, id: plum, tint: red}\n",
        },
        {
            **TINTS,
            "fruits.yaml": "- {kind: fruit, id: apple, tint: red}\n- {kind: fruit, id: plum, tint: green}\n",
        },
        "game",
    ),
    "unknown-stat": Code(
        "there is no stat of this name",
        "`modify` names a stat: an item of `kind: stat`. A measure is a plain fact that nothing can modify.",
        abilities("modify vigor(self) by 1"),
        abilities("modify vigour(self) by 1"),
        "check",
    ),
    "not-self": Code(
        "abilities are about who bears them",
        "The first thing that a modified stat is about is `self`: whoever bears the item. `each x` may stand for "
        "what follows.",
        abilities("modify vigour(me) by 1"),
        abilities("modify vigour(self) by 1"),
        "check",
    ),
    "no-bearer": Code(
        "nobody bears these abilities",
        "The vocabulary says with `bearer:` who bears the items of a kind. Abilities of other kinds would hold for "
        "nobody.",
        abilities("modify vigour(self) by 1", kind="stone"),
        abilities("modify vigour(self) by 1", kind="fruit"),
        "check",
    ),
    "recursive-keyword": Code(
        "a keyword uses itself",
        "Keywords may use one another, but not in a circle.",
        abilities("apple()", kind="keyword"),
        abilities("hearty()"),
        "check",
    ),
    "unknown-keyword": Code(
        "there is no keyword of this name",
        "A line of abilities that is not `modify` or `passive` names an item of `kind: keyword`.",
        abilities("harty(2)"),
        abilities("hearty(2)"),
        "check",
    ),
    "unknown-bonus": Code(
        "a modifier cannot have this type",
        "The type of a bonus is an item of `kind: bonus`, which says whether several add up. Only what adds (`by`) "
        "has one.",
        abilities("modify vigour(self) by 1 type meel"),
        abilities("modify vigour(self) by 1 type meal"),
        "check",
    ),
    "unknown-event": Code(
        "nothing of this name happens",
        "A trigger answers an operation, `touched(x)` or `drawn(x)`, with new names inside.",
        trigger('event: "tuched(basket)"', "timing: immediately", effect="add basket to mine"),
        trigger('event: "touched(basket)"', "timing: immediately", effect="add basket to mine"),
        "check",
    ),
    "name-clash": Code(
        "a name would mean two things",
        "A variable called like something that is known already would be taken for it.",
        fruit("let day = 3"),
        fruit("set day = 3"),
        "check",
    ),
    "reserved-name": Code(
        "this name is a word of the effect language",
        "A word such as `from` or `choose` cannot also be the name of something in the game.",
        with_items(MEASURE.format(id="count", body="2"), use="set day = 2"),
        with_items(MEASURE.format(id="two", body="2"), use="set day = two"),
        "check",
    ),
    "not-a-variable": Code(
        "this cannot be changed",
        "`set`, `add` and `remove` change variables; settings, zones and values stay as they are.",
        fruit("set most = 4"),
        fruit("set day = 4"),
        "check",
    ),
    "used-before-set": Code(
        "a variable is read before it is set",
        "A variable that only some ways set has no value on the others.",
        fruit("if day = 1:", "    let bonus = 3", "set day = bonus"),
        fruit("let bonus = 0", "if day = 1:", "    set bonus = 3", "set day = bonus"),
        "check",
    ),
    "result-not-set": Code(
        "what `gives:` promises is not set on every way",
        "Whoever uses the power counts on its result; where there may be none, the type says so with `?`.",
        power("find", "if day = 1:", "    choose found from mine", gives="found: Basket")
        + listed(fruit("use find giving one", "drop(one)")),
        power("find", "if day = 1:", "    choose found from mine", gives="found: Basket?")
        + listed(fruit("use find giving one", "if one is not none: drop(one)")),
        "check",
    ),
}

CALLS: dict[str, Code] = {
    "missing-argument": Code(
        "something is missing in the parentheses",
        "Every parameter without a default needs a value.",
        fruit("choose basket from mine", "carry(basket)"),
        fruit("choose basket from mine", "carry(basket, to: home(me))"),
        "check",
    ),
    "too-many-arguments": Code(
        "there is too much in the parentheses",
        "What is called takes fewer values than are given.",
        fruit("choose basket from mine", "drop(basket, 2)"),
        fruit("choose basket from mine", "drop(basket)"),
        "check",
    ),
    "unknown-argument": Code(
        "there is no parameter of this name",
        "A name before a colon in parentheses must be that of a parameter.",
        fruit("choose basket from mine", "carry(basket, too: home(me))"),
        fruit("choose basket from mine", "carry(basket, to: home(me))"),
        "check",
    ),
    "repeated-argument": Code(
        "a parameter is given twice",
        "A value given by its place is not given again by its name.",
        fruit("choose basket from mine", "drop(basket, basket: basket)"),
        fruit("choose basket from mine", "drop(basket: basket)"),
        "check",
    ),
    "gives-nothing": Code(
        "`giving` waits for a result that there is not",
        "Only a power with `gives:` and an operation with `result:` give something.",
        fruit("use walk giving steps", "set day = steps"),
        fruit("use walk"),
        "check",
    ),
    "not-a-table": Code(
        "this variable is no table by player",
        "Only the answers of `each ... secretly choose` are read with a player in parentheses.",
        fruit("let bonus = 3", "set day = bonus(me)"),
        fruit("let bonus = 3", "set day = bonus"),
        "check",
    ),
    "not-a-pile": Code(
        "nothing can be drawn from here",
        "Chance draws from a zone of unknown order; from an open zone somebody chooses.",
        fruit("draw card from meadow to hand(me)"),
        fruit("draw card from heap to hand(me)"),
        "check",
    ),
    "not-an-operation": Code(
        "a rule that always holds does one operation",
        "`do:` holds one operation of the vocabulary and nothing else.",
        {
            "vocabulary.yaml": VOCABULARY
            + ME
            + OPERATION
            + "always: [{name: calm, for: p, in: players, when: p = me, do: stop, english: calm}]\n",
            "flow.yaml": FLOWS,
        },
        {
            "vocabulary.yaml": VOCABULARY
            + ME
            + OPERATION
            + "always: [{name: calm, for: p, in: players, when: p = me, do: wait(), english: calm}]\n",
            "flow.yaml": FLOWS,
        },
        "game",
    ),
    "fixed-operation": Code(
        "this operation cannot be replaced",
        "Nothing can stand in for an operation that gives a value, or by which a rule is kept that always holds.",
        standing("instead of put(self, size, at): stop"),
        standing("instead of swap(self, other): stop"),
        "check",
    ),
    "not-a-field": Code(
        "this is nothing that can be set",
        "`sets:` gives new values to fields that can change; what is printed on things, or worked out, cannot be set.",
        {
            "vocabulary.yaml": VOCABULARY
            + ME
            + "entities: {Player: {noun: [player, players], max: 4, fields: {purse: {type: Int, at_table: true}}}}\n"
            "operations: {pay: {params: {who: Player}, sets: {who: '1'}, "
            "at_table: true, english: pay, log: pay}}\n",
            "flow.yaml": FLOWS,
        },
        {
            "vocabulary.yaml": VOCABULARY
            + ME
            + "entities: {Player: {noun: [player, players], max: 4, fields: {purse: {type: Int, at_table: true}}}}\n"
            "operations: {pay: {params: {who: Player}, sets: {purse(who): '1'}, "
            "at_table: true, english: pay, log: pay}}\n",
            "flow.yaml": FLOWS,
        },
        "game",
    ),
    "not-a-constant": Code(
        "this must be a plain value",
        "What a variable begins with is settled before the game is, so nothing can be looked up for it.",
        {
            "vocabulary.yaml": VOCABULARY
            + "scope: {me: {type: Player, life: game, english: you}, n: {type: Int, life: game, "
            "initial: 1 + 1, english: n}}\n"
        },
        {
            "vocabulary.yaml": VOCABULARY
            + "scope: {me: {type: Player, life: game, english: you}, n: {type: Int, life: game, "
            'initial: "2", english: n}}\n'
        },
        "game",
    ),
}

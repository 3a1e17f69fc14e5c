"""The codes of names and calls: unknown names, clashes, wrong arguments."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, check, game
from ruleloom.compiler.diagnostics.codes import example_game as orchard
from ruleloom.compiler.diagnostics.codes.example_game import fruit

NAMES: dict[str, Code] = {
    "unknown-name": check(
        "nothing of this name is known here",
        "Every name in an effect must be a variable set before, or something that the game declares.",
        fruit("set day = «dya¦day» + 1"),
    ),
    "odd-part": check(
        "this part of a text is not one that can be left out",
        "`{rounds? for {rounds} rounds}` is for a value that may be none, yes or no, or left to its default.",
        orchard.with_items(
            "kind: power, id: nap, takes: 'who: Player', effect: stop, "
            "gloss: 'rest «{who? beside {who}}¦beside {who}»'",
            use="use nap(me)",
        ),
    ),
    "unknown-operation": check(
        "there is no operation of this name",
        "A line of its own with parentheses is an operation of the vocabulary; a power needs `use`.",
        fruit("choose basket from mine", "«dropp¦drop»(basket)"),
    ),
    "unknown-power": check(
        "there is no power of this name",
        "`use` names a power of the ruleset or of a pack that is loaded with it.",
        fruit("use «wlak¦walk»"),
    ),
    "unknown-rule": check(
        "there is no rule of this name",
        "`allowed` asks a rule, and `ignoring` lifts one; a measure is a plain fact that nothing can lift.",
        fruit("ignoring «rom¦room»:", "    use walk"),
    ),
    "unknown-type": check(
        "there is no type of this name",
        "A type is `Int`, `Bool`, `Text`, or an enum, point or entity of the vocabulary.",
        orchard.with_items(
            orchard.MEASURE.format(id="two", body="2").replace("Int", "«Inth¦Int»"),
            use="set day = two",
        ),
    ),
    "means-nothing": game(
        "this field counts only with another one",
        "The game says that this field counts only beside another one. Alone it does nothing.",
        {**orchard.DYES, "fruits.yaml": "{kind: fruit, id: apple, «¦tint: red, »dye: red}\n"},
    ),
    "printed-twice": game(
        "two items have what only one may have",
        "The game says with `unique` that no two items of a kind have the same value there.",
        {
            **orchard.TINTS,
            "fruits.yaml": "- {kind: fruit, id: apple, tint: red}\n"
            "- {kind: fruit, id: plum, tint: «red¦green»}\n",
        },
    ),
    "unknown-stat": check(
        "there is no stat of this name",
        "`modify` names a stat: an item of `kind: stat`. A measure is a plain fact that nothing can modify.",
        orchard.abilities("modify «vigor¦vigour»(self) by 1"),
    ),
    "not-self": check(
        "abilities are about who bears them",
        "A stat is modified for `self`, whoever bears the item; `each x` may stand for the rest.",
        orchard.abilities("modify vigour(«me¦self») by 1"),
    ),
    "no-bearer": check(
        "nobody bears these abilities",
        "Without `bearer:` in the vocabulary nobody bears items of this kind, nor their abilities.",
        orchard.abilities("modify vigour(self) by 1", kind="stone"),
        orchard.abilities("modify vigour(self) by 1", kind="fruit"),
    ),
    "recursive-keyword": check(
        "a keyword uses itself",
        "Keywords may use one another, but not in a circle.",
        orchard.abilities("apple()", kind="keyword"),
        orchard.abilities("hearty()"),
    ),
    "unknown-keyword": check(
        "there is no keyword of this name",
        "A line of abilities that is not `modify` or `passive` names an item of `kind: keyword`.",
        orchard.abilities("«harty¦hearty»(2)"),
    ),
    "unknown-bonus": check(
        "a modifier cannot have this type",
        "The type is an item of `kind: bonus`, which says whether several add up; only `by` has one.",
        orchard.abilities("modify vigour(self) by 1 type «meel¦meal»"),
    ),
    "unknown-event": check(
        "nothing of this name happens",
        "A trigger answers an operation, `touched(x)` or `drawn(x)`, with new names inside.",
        orchard.trigger(
            'event: "«tuched¦touched»(basket)"', "timing: immediately", effect="add basket to mine"
        ),
    ),
    "name-clash": check(
        "a name would mean two things",
        "A variable called like something that is known already would be taken for it.",
        fruit("«let¦set» day = 3"),
    ),
    "reserved-name": check(
        "this name is a word of the effect language",
        "A word such as `from` or `choose` cannot also be the name of something in the game.",
        orchard.with_items(
            orchard.MEASURE.format(id="«count¦two»", body="2"), use="set day = «2¦two»"
        ),
    ),
    "not-a-variable": check(
        "this cannot be changed",
        "`set`, `add` and `remove` change variables; settings, zones and values stay as they are.",
        fruit("set «most¦day» = 4"),
    ),
    "used-before-set": check(
        "a variable is read before it is set",
        "A variable that only some ways set has no value on the others.",
        fruit("«¦let bonus = 0\n  »if day = 1:", "    «let¦set» bonus = 3", "set day = bonus"),
    ),
    "result-not-set": check(
        "what `gives:` promises is not set on every way",
        "Whoever uses the power counts on its result; where there may be none, the type says so with `?`.",
        orchard.power(
            "find", "if day = 1:", "    choose found from mine", gives="found: Basket«¦?»"
        )
        + orchard.listed(fruit("use find giving one", "«¦if one is not none: »drop(one)")),
    ),
}

CALLS: dict[str, Code] = {
    "missing-argument": check(
        "something is missing in the parentheses",
        "Every parameter without a default needs a value.",
        fruit("choose basket from mine", "carry(basket«¦, to: home(me)»)"),
    ),
    "too-many-arguments": check(
        "there is too much in the parentheses",
        "What is called takes fewer values than are given.",
        fruit("choose basket from mine", "drop(basket«, 2¦»)"),
    ),
    "unknown-argument": check(
        "there is no parameter of this name",
        "A name before a colon in parentheses must be that of a parameter.",
        fruit("choose basket from mine", "carry(basket, «too¦to»: home(me))"),
    ),
    "repeated-argument": check(
        "a parameter is given twice",
        "A value given by its place is not given again by its name.",
        fruit("choose basket from mine", "drop(basket«, basket¦»: basket)"),
    ),
    "gives-nothing": check(
        "`giving` waits for a result that there is not",
        "Only a power with `gives:` and an operation with `result:` give something.",
        fruit("use walk« giving steps\n  set day = steps¦»"),
    ),
    "not-a-table": check(
        "this variable is no table by player",
        "Only the answers of `each ... secretly choose` are read with a player in parentheses.",
        fruit("let bonus = 3", "set day = bonus«(me)¦»"),
    ),
    "not-a-pile": check(
        "nothing can be drawn, looked at or put here",
        "Chance draws from a pile or a hidden zone; from an open zone somebody chooses. Only a pile of "
        "unknown order has a top to look at.",
        fruit("draw card from «meadow¦heap» to hand(me)"),
    ),
    "not-an-operation": game(
        "a rule that always holds does one operation",
        "`do:` holds one operation of the vocabulary and nothing else.",
        orchard.whole_game(
            orchard.OPERATION
            + "always: [{name: calm, for: p, in: players, when: p = me, do: «stop¦wait()», english: calm}]\n"
        ),
    ),
    "fixed-operation": check(
        "this operation cannot be replaced",
        "Nothing can replace an operation that gives a value or keeps a rule that always holds.",
        orchard.standing("instead of «put(self, size, at¦swap(self, other»): stop"),
    ),
    "not-a-field": game(
        "this is nothing that can be set",
        "`sets:` changes fields; what is printed on things, or worked out, cannot be set.",
        orchard.whole_game(
            "entities: {Player: {noun: [player, players], max: 4, fields: {purse: {type: Int, "
            "at_table: true}}}}\noperations: {pay: {params: {who: Player}, "
            "sets: {«who¦purse(who)»: '1'}, at_table: true, english: pay, log: pay}}\n"
        ),
    ),
    "not-a-constant": game(
        "this must be a plain value",
        "What a variable begins with is settled before the game is, so nothing can be looked up for it.",
        {
            "vocabulary.yaml": orchard.VOCABULARY
            + "scope: {me: {type: Player, life: game, english: you}, n: {type: Int, life: game, "
            'initial: «1 + 1¦"2"», english: n}}\n'
        },
    ),
}

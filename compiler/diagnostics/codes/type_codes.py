"""The codes of types and values: mismatches, none, what is missing or out of bounds."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, check, game
from ruleloom.compiler.diagnostics.codes import example_game as orchard
from ruleloom.compiler.diagnostics.codes.example_game import ME, VOCABULARY, fruit, with_items

TYPES: dict[str, Code] = {
    "type-mismatch": check(
        "one kind of thing stands where another is wanted",
        "A basket is no fruit, a list is not one thing, and a number is not a player.",
        fruit("choose bite from hand", "«drop¦eat»(bite)"),
    ),
    "may-be-none": check(
        "something that may be none is used as if it were there",
        "Ask with `is not none` first; where the answer is yes, it is there.",
        fruit("«¦if favourite is not none:\n      »eat(favourite)"),
    ),
    "compare-with-none": check(
        "none is not compared but asked for",
        "Whether something is there is asked in one way only: `is none`, `is not none`.",
        fruit("if favourite «=¦is» none: stop", "eat(favourite)"),
    ),
    "incomplete-aggregate": check(
        "a question about a list is not complete",
        "`every` and `those` need a condition; `sum`, `highest` and `lowest` need numbers.",
        fruit("set day = highest(«¦size(basket) for basket: »mine)"),
    ),
    "dice-outside-roll": check(
        "dice stand where a number is worked out",
        "A value has no chance in it; dice are rolled on a line of their own and have a name then.",
        fruit("«set day = 1d6¦roll luck = 1d6\n  set day = luck» + 1"),
    ),
    "division": check(
        "this may divide by nothing",
        "`div` and `mod` divide by a plain number from one up, or by a setting with `min: 1`.",
        fruit("set day = «12 div day¦day div 2»"),
    ),
    "number-too-large": check(
        "a number is too large to be kept exactly",
        "All numbers are exact up to 2^53. What is surely beyond that would stop the game with a fault.",
        fruit("set day = «99999999 * 99999999 * 99999999¦99999999»"),
    ),
    "missing-value": check(
        "a value is missing",
        "What is printed on a thing is printed on all of its kind; a variable needs something to begin with.",
        "kind: fruit\nid: apple\ntint: red\n«¦weight: 2\n»",
    ),
    "out-of-bounds": check(
        "this is beyond the bounds that are written beside it",
        "A setting lies between its `min` and `max`, no more things are made than allowed, and the default "
        "of a choice is one of its options.",
        with_items(
            "kind: setting, id: size_limit, value: «12¦8», max: 9, english: x",
            use="set day = size_limit",
        ),
    ),
    "kinds-disagree": game(
        "an entity and a kind of item disagree",
        "`records:` of an entity names the kinds whose `makes:` names the entity, and the other way round.",
        {
            "vocabulary.yaml": VOCABULARY + "entities: {Fruit: {noun: [fruit, fruits], max: 9"
            "«¦, records: [fruit]»}}\nkinds: {fruit: {makes: Fruit}}\n"
        },
    ),
    "no-me": game(
        "nobody acts in this game",
        "Every vocabulary has the variable `me`, the player who acts.",
        {"vocabulary.yaml": VOCABULARY + "scope: {n: {type: Int, life: game, english: n}}\n"},
        {"vocabulary.yaml": VOCABULARY + ME},
    ),
    "missing-flow": game(
        "a game does not say how it begins or what a turn is",
        "The flow `set_up` runs once, then `turn` again and again until `finish`.",
        orchard.whole_game(orchard.OPERATION, orchard.FLOWS[: len(orchard.FLOWS) // 2]),
        orchard.whole_game(orchard.OPERATION),
    ),
}

"""The codes of play: scenarios, answers, saves."""

from __future__ import annotations

from compiler.code_tables import Code

TABLE: dict[str, Code] = {
    "no-scenarios": Code(
        "there is no case to play",
        "What was named holds no scenario, so nothing is tested by it; perhaps `cases:` is missing or misspelt.",
        "a file without `cases:` and without any clause that has an `example:`",
        "a file with `kind: scenarios` and a list under `cases:`",
        "described",
    ),
    "packs-apart": Code(
        "two packs do not go together",
        "Each compiles with what it requires, but not with the other one: whoever plays with both has no game. "
        "The messages beside this one say what is in the way.",
        "`ruleloom test ann bob`, where a patch of `bob` disables a card that a text of `ann` names",
        "`bob` requires `ann` and patches that text too, or leaves the card in the game",
        "described",
    ),
}

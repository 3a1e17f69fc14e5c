"""The codes of play: scenarios, answers, saves."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, described, pack

_PACK = "kind: pack\nid: inn\nversion: 1.0.0\ngame: inn\nedition: 1\n"


def _pack(*given: str) -> dict[str, str]:
    """A pack with one case."""
    lines = ("id: full", *given, "when: []", "then: {full: true}")
    cases = "kind: scenarios\ncases:\n  - " + "\n    ".join(lines) + "\n"
    return {
        "inn/pack.yaml": _PACK,
        "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
        "inn/cases.yaml": cases,
    }


TABLE: dict[str, Code] = {
    "no-scenarios": described(
        "there is no case to play",
        "What was named holds no scenario, so nothing is tested by it; perhaps `cases:` is missing or "
        "misspelt.",
        "a file without `cases:` and without any clause that has an `example:`",
        "a file with `kind: scenarios` and a list under `cases:`",
    ),
    "unreadable-case": pack(
        "a case of a file of scenarios cannot be run",
        "A case has `id`, `clauses`, `given`, `when` and `then`, and remarks. The game can be played "
        "without it, so this is a warning; `ruleloom test` fails the case. Often a part of `given:` "
        "stands no further in than that.",
        _pack("given:", "«¦  »guests: 4"),
    ),
    "packs-apart": described(
        "two packs do not go together",
        "Each compiles with what it requires, but not with the other one: whoever plays with both has no "
        "game. The messages beside this one say what is in the way.",
        "`ruleloom test ann bob`, where a patch of `bob` disables a card that a text of `ann` names",
        "`bob` requires `ann` and patches that text too, or leaves the card in the game",
    ),
}

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
}

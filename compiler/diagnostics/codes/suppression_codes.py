"""The codes of suppressions: comments that allow a warning, and baselines of old ones.

The examples are files of the orchard, the game of the checker's examples. One of a baseline is a
file of fruit with the `baseline.json` beside it.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, allowed, baseline
from ruleloom.compiler.diagnostics.codes.example_game import fruit

_UNUSED = fruit("let bonus = 3", "set day = 4")


def _allowing(words: str) -> str:
    return fruit(f"let bonus = 3  # ruleloom: allow {words}", "set day = 4")


def _baseline(fingerprint: str, fruits: str) -> dict[str, str]:
    entry = (
        f'{{"code": "unused-name", "path": "fruits.yaml", "fingerprint": "{fingerprint}", "times": 1,\n'
        '     "message": "`bonus` is set and never read"}'
    )
    return {
        "fruits.yaml": fruits,
        "baseline.json": f'{{"version": 1, "findings": [\n    {entry}\n]}}\n',
    }


QUIET: dict[str, Code] = {
    "allow-without-reason": allowed(
        "a comment allows something and does not say why",
        "Who reads it later has to know whether the reason still stands.",
        _allowing("unused-name«¦ because the card prints it»"),
    ),
    "allow-unknown-code": allowed(
        "a comment allows nothing that is known",
        "It is a slip, or the message has another name by now; either way nothing is allowed.",
        fruit("set day = 4  # ruleloom: allow unused-nmae because the card prints it"),
        _allowing("unused-name because the card prints it"),
    ),
    "unused-allow": allowed(
        "a comment allows what is not there",
        "It was mended, has moved, or is an error. The comment would hide the next one on its line.",
        fruit("set day = 4  # ruleloom: allow unused-name because the card prints it"),
        _allowing("unused-name because the card prints it"),
    ),
    "outdated-baseline": baseline(
        "a baseline lists what is found no more",
        "A baseline may only shrink: an entry without a finding would keep the next one like it quiet.",
        _baseline("0000000000000000", fruit("set day = 4")),
        _baseline("f92d9245b230b3c2", _UNUSED),
    ),
    "bad-baseline": baseline(
        "this is no baseline",
        "`ruleloom check --baseline FILE --write-baseline` writes one; an entry has `code`, `path`, "
        "`fingerprint` and `times`.",
        {
            "fruits.yaml": fruit("set day = 4"),
            "baseline.json": '{"findings": [{"code": "unused-name"}]}\n',
        },
        _baseline("f92d9245b230b3c2", _UNUSED),
    ),
}

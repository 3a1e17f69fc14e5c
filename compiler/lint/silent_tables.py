"""Values that a pack adds to an enum of another, which a table or printed field leaves out.

The error stands at the value, with notes at what has to cover it.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.lower.program import Build

SHOWN = 3


def check(build: Build) -> None:
    """Report each new value that something says nothing of."""
    new = build.symbols.new_values
    if build.symbols.poisoned.may_hold("patch"):
        # A patch that could not be read may be the one that says something of them.
        return
    for (enum, value), silences in new.silent.items():
        names = list(dict.fromkeys(one.name for one in silences))
        several = "say" if len(names) > 1 else "says"
        message = f"`{value}` is a new {enum}, and {quoted_list(names)} {several} nothing of it"
        notes = [Note(one.place, f"`{one.name}` stands here") for one in silences[:SHOWN]]
        help = f"add a patch with {silences[0].patch}"
        build.report.error("unsaid-value", new.places[enum][value], message, help, notes)

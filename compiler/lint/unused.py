"""Items that no text of the game speaks of."""

from __future__ import annotations

from ruleloom.compiler.lower.program import Build

UNUSED = {
    "power": "nothing uses the power `{}`",
    "rule": "nothing asks for the rule `{}`",
    "measure": "nothing uses the measure `{}`",
    "stat": "nothing uses the stat `{}`",
    "bonus": "no modifier is of the type `{}`",
    "tag": "nothing carries the tag `{}`, and nothing asks for it",
    "keyword": "nothing uses the keyword `{}`",
    "table": "nothing looks anything up in the table `{}`",
    "setting": "nothing reads the setting `{}`",
    "switch": "nothing reads the switch `{}`",
    "fusion": "nothing combines the powers of the fusion `{}`",
}

# Settings that the machine and the bots read.
READ_BY_THE_MACHINE = ("least_players", "prospects")


def check(build: Build) -> None:
    """Warn about items that no text of the game speaks of."""
    # A pack built upon is left out: a patch of the pack above may have removed the use.
    used, below = build.symbols.used, build.content.built_upon
    for item in build.content.items:
        message = UNUSED.get(item.kind) if item.pack not in below else None
        is_used = item.id in used or item.slug in used or item.slug in READ_BY_THE_MACHINE
        if message is not None and not is_used:
            build.report.warning("unused-item", item.place, message.format(item.name))

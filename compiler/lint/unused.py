"""What can be played but is probably not meant: things that nothing uses.

Constant conditions, statements that are never reached and modes that do the same are pointed out
where they are checked; here stand the warnings that need the whole text or the whole game.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.symbols import Symbols

UNUSED = {
    "power": "nothing uses the power `{}`",
    "rule": "nothing asks for the rule `{}`",
    "measure": "nothing uses the measure `{}`",
    "stat": "nothing uses the stat `{}`",
    "bonus": "no modifier is of the type `{}`",
    "keyword": "nothing uses the keyword `{}`",
    "table": "nothing looks anything up in the table `{}`",
    "setting": "nothing reads the setting `{}`",
    "switch": "nothing reads the switch `{}`",
    "fusion": "nothing combines the powers of the fusion `{}`",
}

# The machine reads these itself: how many players a game needs, and what a bot that looks ahead
# plays for.
READ_BY_THE_MACHINE = ("least_players", "prospects")


def built_upon(content: Content) -> set[str]:
    """The ids of the packs that another pack builds on."""
    below = {id for pack in content.packs for id, _ in pack.requires}
    return below | {content.game} if len(content.packs) > 1 else below


def unused_items(content: Content, symbols: Symbols, report: Report) -> None:
    """Warn about items that no text of the game speaks of.

    Packs that another pack builds on are left out: it may have taken away what used them.
    """
    if not content.complete or symbols.poisoned or report.has_errors:
        # What is missing or broken may be just what uses them.
        return
    below = built_upon(content)
    for item in content.items:
        message = UNUSED.get(item.kind) if item.pack not in below else None
        used = (
            item.id in symbols.used or item.slug in symbols.used or item.slug in READ_BY_THE_MACHINE
        )
        if message is not None and not used:
            report.warning("unused-item", item.place, message.format(item.name))

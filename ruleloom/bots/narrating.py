"""What a bot writes where a person would write words of their own.

Bots have nothing to tell, and say so: every text says that a bot wrote it. The sentences are ours, never a pack's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.node import Node
from runtime.own_words import own_words
from runtime.rows import Ask

SENTENCES = (
    "I am a bot and leave the {what} to your imagination.",
    "Of the {what} I can only say that I am a bot.",
    "A bot has no words for the {what}; please think of some.",
    "The {what} of a bot is short.",
)


def narrated(node: Node, below: Callable[[int], int]) -> Any:
    """What a bot answers where a text is asked for. `below(n)` gives a number under n.

    Where no such sentence is on offer, it takes what look-ahead knows to be; nothing only where nothing else is left.
    """
    row = node.row
    assert isinstance(row, Ask)
    text = own_words(SENTENCES[below(len(SENTENCES))].format(what=row.name.replace("_", " ")))
    return text if node.allows(text) else next(iter(node.answers()))

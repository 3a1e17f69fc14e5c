"""Texts that a bot writes where a person would use words of their own.

Every text says that it is a bot's. The words are in `narration.j2`, which comes with Ruleloom; no
pack brings any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, count
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ruleloom.runtime.machine.free_text import is_new, own_words
from ruleloom.runtime.program.ir import Ask
from ruleloom.runtime.search.node import PlayNode

STORIES = frozenset(
    {
        *("account", "declaration", "deed", "description", "narration"),
        *("origin", "plan", "story", "tale", "words"),
    }
)
"""Texts that are called so are sentences. One called `name` is a name; any other is a few words."""
SIGNED = "(bot)"
_TEMPLATE = Environment(
    loader=PackageLoader("ruleloom.bots", "."), undefined=StrictUndefined, autoescape=False
).get_template("narration.j2")


def bot_text(node: PlayNode, below: Callable[[int], int]) -> Any:
    """What a bot answers where a text is asked for. `below(n)` gives a number under n.

    Where no such text is on offer, it takes what look-ahead knows to be; nothing only where nothing
    else is left.
    """
    row = node.row
    assert isinstance(row, Ask)
    text = made_unique(text_for(row.name, below), partial(is_new, node.linked, node.state))
    return text if node.allows(text) else next(iter(node.answers()))


def made_unique(text: str, new: Callable[[str], bool]) -> str:
    """The text; with a number, if it is a name or a few words that somebody has written already."""
    if SIGNED not in text:
        return text
    numbered = (text.replace(SIGNED, f"(bot, {number})") for number in count(2))
    return next(one for one in chain((text,), numbered) if new(one))


def text_for(called: str, below: Callable[[int], int]) -> str:
    """A text for a prompt that is called so."""

    def pick(several: Sequence[str]) -> str:
        return several[below(len(several))]

    sort = "name" if called == "name" else "story" if called in STORIES else "short"
    text = _TEMPLATE.render(sort=sort, what=f"the {called.replace('_', ' ')}", pick=pick)
    return own_words(" ".join(text.split()))

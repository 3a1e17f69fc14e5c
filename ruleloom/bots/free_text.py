"""Texts that a bot writes where a person would use words of their own, each signed as a bot's.

The words are in `narration.j2`; no pack brings any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, count
from typing import Any

from ruleloom.runtime.machine.ask import is_new, own_words
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


@cache
def _template() -> Any:
    # Imported late: most games ask for no texts, and templates take longer to load than the bots.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("ruleloom.bots", ".")
    made = Environment(loader=loader, undefined=StrictUndefined, autoescape=False)
    return made.get_template("narration.j2")


def bot_text(node: PlayNode, below: Callable[[int], int]) -> Any:
    """A bot's text for a prompt, or what is on offer instead. `below(n)` gives a number under n."""
    row = node.row
    assert isinstance(row, Ask)
    text = text_for(row.name, below)
    if SIGNED in text:
        # A name or a few words must be new; a second of the same gets a number.
        numbered = (text.replace(SIGNED, f"(bot, {number})") for number in count(2))
        text = next(one for one in chain((text,), numbered) if is_new(node.linked, node.state, one))
    return text if node.allows(text) else next(iter(node.answers()))


def text_for(called: str, below: Callable[[int], int]) -> str:
    """A text for a prompt that is called so."""

    def pick(several: Sequence[str]) -> str:
        return several[below(len(several))]

    sort = "name" if called == "name" else "story" if called in STORIES else "short"
    text = _template().render(sort=sort, what=f"the {called.replace('_', ' ')}", pick=pick)
    return own_words(" ".join(text.split()))

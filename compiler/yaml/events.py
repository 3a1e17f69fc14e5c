"""The events of a YAML text: libyaml's, or where PyYAML comes without it, as in a browser, those of its own
parser, which is slower.

Marks, values and errors are the same but for the wording of errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

# One event. The stubs make marks optional, but the parsers always give them.
Event = Any

# A question mark within a plain text. In flow style PyYAML's own parser ends the text there.
WITHIN = re.compile(r"(?<=[^\s\[{,])\?|\?(?=\S)")
PRIVATE_USE = "".join(map(chr, range(0xE000, 0xF8FF)))


class PlainLoader(yaml.BaseLoader):
    """PyYAML's own parser, with another sign for the question marks within texts."""

    def __init__(self, text: str) -> None:
        self._stand_in = next(sign for sign in PRIVATE_USE if sign not in text)
        super().__init__(WITHIN.sub(self._stand_in, text))

    def get_event(self) -> Event:
        """The next event."""
        event: Event = super().get_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.ScalarEvent):
            event.value = event.value.replace(self._stand_in, "?")
        return event


LOADER: Any = getattr(yaml, "CBaseLoader", PlainLoader)


def events(text: str) -> Iterator[Event]:
    """The events of a text; YAMLError when they come to a mistake."""
    # Like `yaml.parse`, but without a check for each event whether there is one.
    return iter(LOADER(text).get_event, None)


def nodes(text: str) -> yaml.Node | None:
    """The nodes of a text; YAMLError for one with a mistake."""
    found: yaml.Node | None = yaml.compose(text, Loader=LOADER)
    return found

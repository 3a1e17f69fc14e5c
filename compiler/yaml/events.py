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

LIBYAML: Any = getattr(yaml, "CSafeLoader", None)
# A question mark within a plain text. In flow style PyYAML's own parser ends the text there.
WITHIN = re.compile(r"(?<=[^\s\[{,])\?|\?(?=\S)")
PRIVATE_USE = "".join(map(chr, range(0xE000, 0xF8FF)))


def events(text: str) -> Iterator[Event]:
    """The events of a text; YAMLError when they come to a mistake."""
    if LIBYAML is not None:
        # Like `yaml.parse`, but without a check for each event whether there is one.
        return iter(LIBYAML(text).get_event, None)
    return _events_without_libyaml(text)


def _events_without_libyaml(text: str) -> Iterator[Event]:
    stand_in = next(sign for sign in PRIVATE_USE if sign not in text)
    for event in iter(yaml.SafeLoader(WITHIN.sub(stand_in, text)).get_event, None):
        if isinstance(event, yaml.ScalarEvent):
            event.value = event.value.replace(stand_in, "?")
        yield event

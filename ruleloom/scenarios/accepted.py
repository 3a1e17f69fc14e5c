"""What an author has accepted: the rules texts of a pack, and the logs of its cases, in one file.

At the next run they are compared with what they are now. The file lies in the folder of the pack
and is no part of its rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.state import Event
from ruleloom.scenarios.coverage.watch import Listener
from ruleloom.scenarios.setup.things import unmarked

FILE = "accepted.json"
CARD, TEXT, LOG = "card", "text", "log"
CONTEXT = 1  # lines around a difference

Kept = dict[str, list[str]]
"""Lines by what they are of: `card house:major/lake`, `log a-case`."""


@dataclass(eq=False)
class LogBook(Listener):
    """Keeps the log of each passing case; another may listen besides."""

    other: Listener
    logs: Kept = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)

    def relink(self, linked: Linked) -> Linked:
        """The game as the other listener has it."""
        return self.other.relink(linked)

    def walk(self, events: Iterable[Event], linked: Linked) -> None:
        """Note the log of a way: the last one of a case is the longest."""
        events = list(events)
        self.other.walk(events, linked)
        self._lines = [unmarked(line) for line in log(linked, events)]

    def end(self, case: str, passed: bool) -> None:
        """The case has ended; of one that failed nothing is kept."""
        self.other.end(case, passed)
        if passed:
            self.logs[f"{LOG} {case}"] = self._lines
        self._lines = []


def texts_of(program: Program, content: Content, pack: str) -> Kept:
    """The cards and rules texts of the items that a pack brings or changes; the program was
    compiled with its texts."""
    own = {item.id for item in content.items if item.pack == pack}
    own |= {
        id for (id, _), done in content.history.items() if any(one.pack == pack for one in done)
    }
    found = ((CARD, program.cards), (TEXT, program.texts))
    return {
        f"{what} {id}": text.splitlines() for what, all_ in found for id, text in all_ if id in own
    }


def read(file: Path) -> Kept | None:
    """What was accepted; None if nothing was. Raises ValueError for a file that is not ours."""
    if not file.is_file():
        return None
    data: Any = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(data, Mapping) or not all(map(_are_lines, data.values())):
        raise ValueError("it holds no lines of texts and logs")
    return {str(key): list(lines) for key, lines in data.items()}


def _are_lines(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def written(kept: Kept) -> str:
    """What was accepted as the text of a file: a line of it a line, so that a diff can be read."""
    return json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class ToAccept:
    """The differences between the present texts and logs and the accepted ones."""

    changed: Mapping[str, tuple[str, ...]]
    """The difference of each text or log, line by line; of what is gone, all of it."""
    new: tuple[str, ...]


def compared(accepted: Kept, now: Kept) -> ToAccept:
    """Compare; a log is missed only by its own case, which may not have been run."""
    gone = {key for key in accepted if key not in now and not key.startswith(f"{LOG} ")}
    changed = {
        key: tuple(_difference(lines, now.get(key, [])))
        for key, lines in accepted.items()
        if key in gone or (key in now and now[key] != lines)
    }
    return ToAccept(changed, tuple(key for key in now if key not in accepted))


def _difference(before: list[str], after: list[str]) -> Iterator[str]:
    lines = unified_diff(before, after, lineterm="", n=CONTEXT)
    return (line for line in lines if not line.startswith(("---", "+++", "@@")))

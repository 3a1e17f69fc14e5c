"""What an author has accepted: the rules texts of a pack, and the logs of its cases, in one file.

At the next run they are compared with what they are now. The file lies in the folder of the pack
and is no part of its rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
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
from ruleloom.scenarios.coverage import Listener
from ruleloom.scenarios.setup.things import unmarked

FILE = "accepted.json"
LOG = "log "
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
            self.logs[LOG + case] = self._lines
        self._lines = []


def texts_of(program: Program, content: Content, pack: str) -> Kept:
    """The cards and rules texts of the items that a pack brings or changes; the program was
    compiled with its texts."""
    own = {item.id for item in content.items if item.pack == pack}
    own |= {
        id for (id, _), done in content.history.items() if any(one.pack == pack for one in done)
    }
    found = (("card", program.cards), ("text", program.texts))
    return {
        f"{what} {id}": text.splitlines() for what, all_ in found for id, text in all_ if id in own
    }


def read(file: Path) -> Kept:
    """What was accepted, if anything. Raises ValueError for a file that is not ours."""
    data: Any = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    lines = data.values() if isinstance(data, Mapping) else [None]
    if not all(isinstance(one, list) and all(isinstance(x, str) for x in one) for one in lines):
        raise ValueError("it holds no lines of texts and logs")
    return {str(key): list(one) for key, one in data.items()}


def written(kept: Kept) -> str:
    """What was accepted as the text of a file: a line of it a line, so that a diff can be read."""
    return json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What is accepted for a pack, and how its texts and logs differ from that by now."""

    file: str
    kept: int
    is_kept_now: bool = True
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The difference of each text or log, line by line; of what is gone, all of it."""
    new: tuple[str, ...] = ()

    @classmethod
    def compared(cls, file: str, accepted: Kept, now: Kept) -> Acceptance:
        """Compare; a log is missed only by its own case, which may not have been run."""
        changed = {}
        for key, lines in accepted.items():
            here = now.get(key, [])
            if here != lines and (key in now or not key.startswith(LOG)):
                diff = unified_diff(lines, here, lineterm="", n=CONTEXT)
                heads = ("---", "+++", "@@")
                changed[key] = tuple(line for line in diff if not line.startswith(heads))
        new = tuple(key for key in now if key not in accepted)
        return cls(file, len(accepted), False, changed, new)

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON."""
        changed = {key: list(lines) for key, lines in self.changed.items()}
        return {"file": self.file, "kept": self.kept, "changed": changed, "new": list(self.new)}

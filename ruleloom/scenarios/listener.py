"""A listener to cases as they run."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import Event


class Listener:
    """A listener to cases as they run, which does nothing by itself."""

    def relink(self, linked: Linked) -> Linked:
        """The game in the form in which cases play it."""
        return linked

    def walk(self, events: Iterable[Event], linked: Linked) -> None:
        """All that has happened so far on the way that the case takes."""

    def end(self, case: str, passed: bool) -> None:
        """The case has ended."""


NOBODY = Listener()

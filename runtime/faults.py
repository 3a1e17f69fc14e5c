"""What can go wrong while a program runs, as exceptions the facade turns into messages."""

from __future__ import annotations

from runtime.program import Origin


class RuntimeFault(Exception):
    """The program or its driver broke a promise: a fault of ours or of the ruleset, never of a player.

    `origin` is the line of effect text that was running, when one was.
    """

    def __init__(self, message: str, origin: Origin | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.origin = origin


class TooMuchWork(RuntimeFault):
    """One decision took more steps than any honest effect needs."""


class Vanished(Exception):
    """An effect spoke of an entity that is no longer there; the use it stands in fizzles."""


class Refused(Exception):
    """An answer that cannot be taken; nothing has changed. `reason` says why, for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StaleAnswer(Refused):
    """The answer names a prompt that has been answered already."""

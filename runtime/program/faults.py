"""Exceptions of a running program, with their source places."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ruleloom.runtime.dataclass import Frozen


class Origin(Frozen):
    """The place of a row in the source: pack id, path in the pack, line and column (1-based)."""

    pack: str
    path: str
    line: int
    column: int


class RuleloomError(Exception):
    """Any error that Ruleloom raises on purpose; its text is for people."""


class RuntimeFault(RuleloomError):
    """The program or its driver broke its contract, at `origin`: never the fault of a player."""

    def __init__(self, message: str, origin: Origin | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.origin = origin

    @property
    def by_rules(self) -> bool:
        """Are the rules at fault? An exception that no driver raises on purpose is our bug."""
        return self.__cause__ is None or isinstance(self.__cause__, ValueError | LookupError)

    @property
    def place(self) -> str:
        """The pack, file and line of the effect text that was running; empty if none was."""
        at = self.origin
        return "" if at is None else f"{at.path}:{at.line}:{at.column} in the pack `{at.pack}`"

    @property
    def told(self) -> str:
        """The fault and its place, in words."""
        return f"{self.message}; this comes from {self.place}" if self.place else self.message


class NumberTooLarge(RuntimeFault):
    """A number too large to store exactly: beyond 2^53, or a fraction of such."""

    def __init__(self, what: str = "a number") -> None:
        super().__init__(f"{what} beyond 2^53")


def asks_too_much(what: str, error: Exception, origin: Origin | None) -> RuntimeFault:
    """The fault for a Python exception raised while rules were evaluated."""
    why = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return RuntimeFault(f"`{what}` asks for what cannot be done: {why}", origin)


class TooMuchWork(RuntimeFault):
    """One decision took more steps than any honest effect needs."""


class OverBudget(RuntimeFault):
    """A search visited more states than its budget."""


class Vanished(Exception):
    """An effect refers to an entity that is gone; the enclosing use fizzles."""


class NamedReason(str):
    """Why something is refused, in words, and the names that stay where the words change.

    `at` are the questions and items at which it is refused, outermost first; `of` the rules, measures,
    fields, settings and other words that the failed condition asks, empty where no condition failed.
    """

    __slots__ = ("at", "of")
    at: tuple[str, ...]
    of: tuple[str, ...]

    def __new__(cls, text: str, at: Iterable[str] = (), of: Iterable[str] = ()) -> NamedReason:
        made = super().__new__(cls, text)
        made.at, made.of = tuple(dict.fromkeys(at)), tuple(dict.fromkeys(of))
        return made

    @classmethod
    def given(cls, reason: str) -> NamedReason:
        """A reason itself, or words as a reason without names."""
        return reason if isinstance(reason, NamedReason) else cls(reason)

    def told(self, text: str, at: Iterable[str] = (), of: Iterable[str] = ()) -> NamedReason:
        """The same reason in other words, from further out."""
        return NamedReason(text, (*at, *self.at), (*of, *self.of))

    @property
    def names(self) -> tuple[str, ...]:
        """All names, each once."""
        return tuple(dict.fromkeys((*self.at, *self.of)))

    def goes_by(self, names: Collection[str]) -> bool:
        """Do these names, without others, claim it? Of a failed condition, one at least is named."""
        wanted = set(names)
        return wanted <= {*self.names} and (not self.of or not wanted.isdisjoint(self.of))


NO_REASON = NamedReason("")


class Refused(RuleloomError):
    """An impossible answer, which changes nothing. `reason` says why, for people; `help` what would do. A
    `sentence` with its holes filled by `values` can be said in another language."""

    def __init__(self, sentence: str, help: str | None = None, **values: str) -> None:
        reason = sentence
        for name, value in values.items():
            reason = reason.replace(f"{{{name}}}", value)
        super().__init__(reason)
        self.sentence, self.values = sentence, values
        self.reason, self.help = NamedReason.given(reason), help


class StaleAnswer(Refused):
    """The answer names a prompt that has been answered already."""


class GameOver(Refused):
    """The game is over, and has no more prompts."""


class OutOfRange(Refused):
    """A number outside the range of a setting."""

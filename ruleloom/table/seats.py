"""Seats from `--players`: `human`, `greedy`, `Ann=human`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ruleloom.api.saves import TOOL
from ruleloom.bots.arena import KINDS
from ruleloom.bots.searching import read_budget
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused

HUMAN = "human"
LONGEST_NAME = 24
# In a save, the kinds of the seats follow the tool.
SEATS_MARK = "; seats "


class Seat(Frozen):
    """A player: the name, the kind (`human` or a kind of bot), and whether they lead the table."""

    name: str
    kind: str
    leads: bool = False

    @property
    def is_human(self) -> bool:
        """Is this player a person?"""
        return self.kind == HUMAN


def tool_with(kinds: Iterable[str]) -> str:
    """The tool named in a save, with the kinds of its seats."""
    return f"{TOOL}{SEATS_MARK}{','.join(kinds)}"


def parse_seats(text: str, names: Sequence[str] = ()) -> tuple[Seat, ...]:
    """The seats of `--players`, or Refused; `names` are those of a saved game."""
    entries = [entry.strip() for entry in text.split(",")]
    if names and len(entries) != len(names):
        raise Refused(f"this game has {len(names)} players, and --players names {len(entries)}")
    seats = []
    for place, entry in enumerate(entries):
        name, sign, kind = entry.rpartition("=")
        # A, B, C and so on.
        letter = chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "")
        own = names[place] if names else letter
        seats.append(Seat(name.strip() if sign else own, _kind(kind.strip())))
    for seat, name in zip(seats, names, strict=False):
        if seat.name != name:
            raise Refused(f"the player called `{seat.name}` here is `{name}` in the saved game")
    for seat in seats:
        if not 0 < len(seat.name) <= LONGEST_NAME or "@" in seat.name:
            rule = f"it has 1 to {LONGEST_NAME} characters, none of them `@`"
            raise Refused(f"`{seat.name}` cannot be a name: {rule}")
    return tuple(seats)


def _kind(word: str) -> str:
    kinds = (HUMAN, *KINDS)
    if word in kinds or read_budget(word) is not None:
        return word
    close = get_close_matches(word, kinds, n=1, cutoff=0.5)
    hint = f"did you mean `{close[0]}`?" if close else f"it is one of {', '.join(kinds)}"
    raise Refused(f"`{word}` is no kind of player; {hint}")

"""A record that somebody makes line by line, until it is saved or left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from ruleloom.building.building import Building
from ruleloom.building.choices import LISTS
from ruleloom.building.offers import Offers, PricedOffer, offers
from ruleloom.building.told import (
    budget_line,
    change_lines,
    choice_line,
    finding_lines,
    offer_line,
    overview,
)
from ruleloom.cli.faults import WrongUse
from ruleloom.cli.options import write_output
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.output.printed import sheet_markdown
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.canvas import Look
from ruleloom.table.line_screen import Leave, Screen

MOST_SHOWN = 30
HELP = """\
  start.Str = 14        sets a field, and `start.Str =` takes it out
  gifts + thick-hide    adds to a list, and `gifts - thick-hide` takes it out
  gifts                 shows a choice, and what may be put there; `gifts stone` only what has this word
  find fire             shows what has this word at all lists
  3                     takes the third of what was shown
  allow REQUIREMENT because NOTE    is the word of the GM, and stays in the record
  what LINE             shows what an answer would change
  undo, redo, why CV, check, sheet, text, save [FILE], quit"""


class BuildLoop(Screen):
    """A building that a person answers line by line."""

    def __init__(self, building: Building, file: str, look: Look) -> None:
        self.building, self.file, self.look = building, file, look
        self.shown: Sequence[PricedOffer] = ()
        self.commands: dict[str, Callable[[str], object]] = {
            "help": lambda _: self.help(),
            "undo": lambda _: self.take(self.building.undo()),
            "redo": lambda _: self.take(self.building.redo()),
            "find": self.find,
            "why": self.why,
            "what": lambda line: self.tell(change_lines(self.building.changes(line))),
            "check": lambda _: self.tell([*finding_lines(self.building.findings)] or ["legal"]),
            "sheet": lambda _: self.tell([sheet_markdown([*self.building.sheets])]),
            "text": lambda _: self.tell([self.building.text]),
            "save": self.save,
            "quit": self.leave,
        }

    def run(self) -> Building:
        """Ask until the person leaves or the input ends; the record as it is then."""
        with suppress(Leave):
            self.begin()
            while True:
                line = self.ask()
                try:
                    self.answer(line)
                except Refused as refused:
                    self.tell([refused.reason])
                except WrongUse as wrong:
                    self.tell([wrong.message])
        return self.building

    def begin(self) -> None:
        """Show what there is to begin with."""
        self.tell([*overview(self.building), "`help` says what can be typed."])

    def ask(self) -> str:
        """Show the price, and read a line. Raises Leave at the end of the input."""
        self.say([self.head()])
        return self.read("> ")

    def head(self) -> str:
        """The record in one line: its price, always in view."""
        prices = map(budget_line, self.building.budgets)
        return " | ".join((self.building.title, *prices, self.building.state))

    def answer(self, line: str) -> None:
        """Carry out a line: a command, the number of an offer, a choice to look at, or an answer."""
        word, _, rest = line.partition(" ")
        if not line:
            self.tell(overview(self.building))
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif line.isdigit() and 1 <= int(line) <= len(self.shown):
            self.take(self.building.say(self.shown[int(line) - 1].say))
        elif is_answer(line):
            self.take(self.building.say(line))
        else:
            self.look_at(word, rest)

    def help(self) -> None:
        """Say what can be typed."""
        self.tell([HELP])

    def take(self, after: Building) -> None:
        """Go on with another building, and say what that changed."""
        before, self.building = self.building, after
        known = {*finding_lines(before.findings)}
        new = [line for line in finding_lines(after.findings) if line not in known]
        self.tell([*change_lines(before.changes(after)), *new])

    def look_at(self, at: str, search: str) -> None:
        """Show a choice and what may be put there, legal offers first."""
        choice = self.building.choice_at(at)
        if choice is None:
            raise Refused(f"nothing is written at `{at}` yet: write `{at} = value`")
        self.tell([choice_line(self.building, choice), *([choice.help] if choice.help else [])])
        if choice.sort in LISTS:
            self.tell(f"  {choice_line(self.building, one)}" for one in choice.choices)
        found = offers(self.building, at, search, most=MOST_SHOWN)
        self.shown = found.offers
        legal = sum(one.legal for one in found.offers)
        numbered = [f"{number:>3} {offer_line(one)}" for number, one in enumerate(found.offers, 1)]
        refused = ["not on offer:", *numbered[legal:]] if numbered[legal:] else []
        self.tell([*numbered[:legal], *refused])
        if found.more:
            self.tell([f"and {found.more} more: add a word, as in `{at} fire`"])

    def find(self, words: str) -> None:
        """Show what has some words, at all lists."""
        found = found_in_lists(self.building, words)
        self.shown = found.offers
        self.tell(
            f"{number:>3} {'' if one.legal else 'not on offer: '}{one.at}: {offer_line(one)}"
            for number, one in enumerate(self.shown, 1)
        )
        if found.more:
            self.tell([f"and {found.more} more: add a word"])

    def why(self, words: str) -> None:
        """Explain a number."""
        found = normalised(self.building.why(words))
        self.tell(derivation_text(found, "", everything=False))

    def save(self, file: str) -> None:
        """Write the record to a file."""
        self.file = file or self.file
        if not self.file:
            raise Refused("where to? write `save FILE.yaml`")
        write_output(self.file, self.building.text)
        self.tell([f"saved in {self.file}"])

    def leave(self, _: str) -> None:
        """End the loop."""
        raise Leave

    def tell(self, texts: Iterable[str]) -> None:
        """Print texts, line by line."""
        for text in texts:
            self.say(text.split("\n"))


def is_answer(line: str) -> bool:
    """Is a line an answer in words: `field = value`, `list + entry`, `allow ...`?"""
    word, _, rest = line.partition(" ")
    return "=" in line or rest[:2].strip() in ("+", "-") or word in ("allow", "forbid")


def found_in_lists(building: Building, words: str) -> Offers:
    """What has some words, at all lists of things; of each list not more than are shown at once."""
    lists = [one.at for one in building.outer_choices if one.of]
    every = [offers(building, at, words, most=MOST_SHOWN) for at in lists if words]
    found = tuple(one for some in every for one in some.offers)
    return Offers(found, sum(some.more for some in every), ())

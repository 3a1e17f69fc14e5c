"""What somebody types who makes a record in panels at a terminal, as a game is played: headings and offers
are numbered, a number or name chooses, other words narrow what is on offer, and Enter goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleloom.building.building import Building
from ruleloom.building.choices import ENTRIES, GROUP, NUMBER, SEVERAL, TABLE, WORDS, OpenChoice
from ruleloom.building.offers import PricedOffer, offers
from ruleloom.building.told import change_lines, finding_lines
from ruleloom.cli.build.build_loop import is_answer
from ruleloom.cli.build.open_panel import OpenPanel, takes_text
from ruleloom.cli.build.panel_lines import PanelRow, row_of_heading, sheet_lines
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.canvas import Look
from ruleloom.table.numbered_list import MARGIN, called, command_in, words_of

WIDEST_SHEET = 72
PANEL_HELP = (
    ("NUMBER or NAME", "opens a heading, takes an offer; several on a line: `start Str 14 End 16`"),
    ("WORDS", "only what has them in its name, text or tags; what alone is left is marked"),
    ("Enter", "takes what is marked; else goes on to the next heading, or back to the sheet"),
    ("? 3", "marks the third: what it does, and every number before and after"),
    ("why not", "what is not on offer, and why"),
    ("more", "the next page of a long list"),
    ("drop NAME", "takes an entry out of the list that is open; `drop` alone empties a field"),
    ("back, look", "one panel up; this panel again"),
    ("undo, redo", "takes an answer back, and gives it again"),
    ("why CV", "where a number comes from"),
    ("allow REQUIREMENT because NOTE", "the word of the GM, which stays in the record"),
    ("start.Str = 14", "any answer in words; `what start.Str = 14` says what it would change"),
    ("sheet, text, check", "the sheet, the file, what is wrong"),
    ("save FILE, quit", "keeps the record, leaves"),
)


class BuildPanels(OpenPanel):
    """A building that a person answers in panels."""

    def __init__(self, building: Building, file: str, look: Look) -> None:
        super().__init__(building, file, look)
        self.commands |= {
            "back": lambda _: self.go_up(),
            "look": lambda _: self.redraw(),
            "undo": lambda _: self.go_back(self.building.undo()),
            "redo": lambda _: self.go_back(self.building.redo()),
            "sheet": lambda _: self.show(
                sheet_lines(self.building.sheets, look, min(look.width, WIDEST_SHEET))
            ),
            "more": self.turn_page,
            "drop": self.drop,
        }
        del self.commands["find"]

    def answer(self, line: str) -> None:
        """Carry out a line: a command, one or several choices, an answer in words, or words to look for."""
        choice = self.choice
        command = command_in(line, choice is not None and takes_text(choice), self.commands)
        word, _, rest = (command or "").partition(" ")
        if not line:
            self.go_on()
        elif command is None:
            assert choice is not None, "it takes a text"
            self.put(choice, line)
        elif word == "why" and rest in ("not", "not?"):
            self.refusals()
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif command.startswith("?"):
            self.mark(command.lstrip("?").strip())
        elif is_answer(command):
            self.take(self.building.say(command))
            self.redraw()
        elif not (self.chosen(command) or self.in_a_row(words_of(command))):
            self.seek(command)

    def go_on(self) -> None:
        """Take what is marked; else go to the next heading, or to the sheet after the last."""
        if self.marked is not None:
            self.take_offer(self.marked)
        elif "." in self.at or (self.at and self.heading):
            self.go_up()
        else:
            self.open_next()

    def put(self, choice: OpenChoice, text: str) -> None:
        """Put a text at the choice that is open."""
        sign = "=" if choice.sort == WORDS else "+"
        self.take(self.building.say(f"{choice.at} {sign} {text}"))
        if choice.sort == WORDS:
            self.go_up()
        else:
            self.redraw()

    def chosen(self, word: str) -> bool:
        """Open the row or take the offer that a word names; false if it names none."""
        choice, rows = self.choice, self.rows
        if choice is not None and choice.sort == NUMBER and is_number(word):
            self.take(self.building.say(f"{choice.at} = {word}"))
            self.go_up()
            return True
        if choice is not None and takes_text(choice):
            self.put(choice, word)
            return True
        if word.isdecimal():
            self.choose(int(word))
            return True
        return self._opened(word, rows)

    def _opened(self, word: str, rows: Sequence[PanelRow]) -> bool:
        row = self._row_named(word, rows) or self._heading_named(word)
        offer = self._offer_named(word) if row is None else None
        if row is not None:
            self.open(row.opens)
        elif offer is not None:
            self.take_offer(offer)
        return row is not None or offer is not None

    def choose(self, number: int) -> None:
        """Open the row, or take the offer, of a number."""
        lines = self.numbered
        if not 1 <= number <= len(lines):
            raise Refused(f"the lines are numbered 1 to {len(lines)}")
        one = lines[number - 1]
        if isinstance(one, PanelRow):
            self.open(one.opens)
        else:
            self.take_offer(self.again(one))

    def again(self, one: PricedOffer) -> PricedOffer:
        """An offer as it is by now. Raises Refused if it may not be taken any more."""
        every = offers(self.building, one.at, one.value).offers
        now = next((x for x in every if x.value == one.value), one)
        if now.there and not one.there:
            raise Refused(f"{one.label} is there already")
        if not now.legal:
            raise Refused(f"{one.label} is not on offer: {now.reasons[0].text}")
        return now

    def _row_named(self, word: str, rows: Sequence[PanelRow]) -> PanelRow | None:
        """The only row that is called so, or begins so."""
        names = {str(at): _names(one) for at, one in enumerate(rows)}
        found = called(word, names)
        return rows[int(found[0])] if len(found) == 1 else None

    def _heading_named(self, word: str) -> PanelRow | None:
        """The heading of exactly this name, to which one goes from any panel."""
        rows = [row_of_heading(self.building, one) for one in self.building.choices]
        return next((one for one in rows if word.lower() in _names(one)), None)

    def _offer_named(self, word: str) -> PricedOffer | None:
        """The offer that is called so. Raises Refused if it may not be taken."""
        every = self.found.offers if self.choice is not None or self.sought else ()
        if self.choice is not None and self.found.more:  # not all of a long list are shown
            every = (*every, *offers(self.building, self.at, word).offers)
        found = next((one for one in every if word.casefold() in offer_names(one)), None)
        return None if found is None else self.again(found)

    def in_a_row(self, words: Sequence[str]) -> bool:
        """Carry out several choices on one line, or none of them; false if the first names nothing. Words
        after what was only opened narrow what is on offer there."""
        if len(words) < 2:
            return False
        before = self.building, self.at, self.heading
        told: list[str] = []
        for number, word in enumerate(words, 1):
            try:
                if self.chosen(word):
                    continue
                if number > 1 and self.building is before[0]:
                    self.seek(" ".join(words[number - 1 :]))
                    return True
                told = [f"`{word}` names nothing at `{self.at or self.heading or 'the sheet'}`"]
            except Refused as refused:
                told = [refused.reason]
            if number == 1:
                return False
            self.building, self.at, self.heading = before
            self.redraw()
            raise Refused(f"`{word}`, answer {number} of {len(words)}: {told[0]}; none was taken")
        return True

    def seek(self, words: str) -> None:
        """Narrow what is on offer here, or else at all lists, to what has these words; mark what alone is
        left."""
        before = self.at, self.heading, self.sought
        self.sought = words
        if not self.found.offers:
            self.at = self.heading = ""
        found = self.found.offers
        if not found:
            self.at, self.heading, self.sought = before
            raise Refused(f"`{words}` names nothing here; `help` says what can be typed")
        self.page, self._numbered = 0, None
        self.marked = found[0] if len(found) == 1 else None

    def mark(self, word: str) -> None:
        """Mark an offer, and show what it does and changes."""
        number, lines = int(word) if word.isdecimal() else 0, self.numbered
        one = lines[number - 1] if 1 <= number <= len(lines) else None
        if isinstance(one, PanelRow) and isinstance(one.opens, OpenChoice):
            self.say_wrapped([one.opens.help or f"`{number}` opens {one.label}"], MARGIN)
            return
        called_so = (x for x in self.found.offers if word.casefold() in offer_names(x))
        self.marked = one if isinstance(one, PricedOffer) else next(called_so, None)
        if self.marked is None:
            raise Refused(f"`{word}` is no offer here" if word else "which? type `? 3`")
        self.show(self.marked_lines(self.marked))

    def refusals(self) -> None:
        """Say what is not on offer here, and why."""
        refused = [one for one in self.found.offers if not one.legal]
        for one in refused:
            self.say_wrapped([f"{one.label}: {one.reasons[0].text}"])
            by = one.reasons[0].clauses
            if by:
                self.say_wrapped([f"by {', '.join(by)}"], "      ")
        if not refused:
            self.say_wrapped(["everything that could be chosen here is on offer"])

    def take_offer(self, one: PricedOffer) -> None:
        """Take an offer; at a table go on to its number, at a single choice back up."""
        choice = self.building.choice_at(one.at)
        self.take(self.building.say(one.say))
        if choice is None or not self.at:
            return
        if choice.sort == TABLE and choice.key:
            self.open(self.building.choice_at(f"{one.at}.{one.value}"))
        elif choice.sort not in (ENTRIES, SEVERAL):
            self.go_up()
        elif self.sought:
            self.redraw()

    def drop(self, name: str) -> None:
        """Take an entry out of the list that is open, or out of its panel what is written there."""
        choice = self.choice
        if choice is None:
            raise Refused("open a list first, or write `gifts - NAME`")
        if not name:
            above, _, last = choice.at.rpartition(".")
            is_entry = choice.sort == GROUP
            self.take(self.building.say(f"{above} - {last}" if is_entry else f"{choice.at} ="))
            self.go_up()
            return
        rows = {str(at): _names(one) for at, one in enumerate(self.rows)}
        found = called(name, rows)
        if len(found) == 1:
            row = self.rows[int(found[0])].opens
            assert isinstance(row, OpenChoice)
            name = row.at.rpartition(".")[2]
        for one in offers(self.building, choice.at, name).offers:
            name = one.value if name.casefold() == one.label.casefold() else name
        self.take(self.building.say(f"{choice.at} - {name}"))
        self.redraw()

    def turn_page(self, _: str) -> None:
        """Show the next page of what is on offer, after the last the first."""
        many = len(self.legal)
        self.page = self.page + 1 if (self.page + 1) * self._page_size() < many else 0
        self._numbered = None

    def take(self, after: Building) -> None:
        """Go on with another building, and say what that changed."""
        before, self.building = self.building, after
        known = {*finding_lines(before.findings)}
        new = [line for line in finding_lines(after.findings) if line not in known]
        changed = "; ".join(change_lines(before.changes(after)))
        self.say_wrapped([*([changed] if changed else []), *new])
        self.marked = None

    def go_back(self, other: Building) -> None:
        """Go to an earlier or later state, and show this panel of it."""
        self.take(other)
        self.redraw()

    def help(self) -> None:
        """Say what can be typed."""
        self.say_wrapped([f"{word}: {meaning}" for word, meaning in PANEL_HELP])

    def tell(self, texts: Iterable[str]) -> None:
        """Print texts in lines that fit."""
        for text in texts:
            for line in text.split("\n"):
                self.say_wrapped([line], "")


def is_number(word: str) -> bool:
    """Is a word a whole number?"""
    return word.removeprefix("-").isdecimal()


def offer_names(one: PricedOffer) -> tuple[str, str]:
    """What an offer is called: by its id and its title."""
    return one.value.casefold(), one.label.casefold()


def _names(row: PanelRow) -> tuple[str, ...]:
    """What a row is called: its label, and the last word of its place."""
    place = (row.opens.at.rpartition(".")[2],) if isinstance(row.opens, OpenChoice) else ()
    return row.label.lower(), *(one.lower() for one in place)

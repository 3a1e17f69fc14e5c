"""Panels and answers that one thing takes at the table, for each person.

    python -m benchmarks.panels            # the table of docs/lab-book.md
    python -m benchmarks.panels --show witchgates
    python -m benchmarks.panels --browser

A situation is played by a script: whom it does not tell what to answer takes what is usual, or what the
steady bot takes. A panel is what a person is shown at once; its clicks are the fields that are changed in
it, and one to send it; a single question is answered by one. Answers are the questions that the machine
asks, as many clicks without panels. `--browser` plays the same once more by clicks in Chromium.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.web.panel_clicks import Sitting, played_by_clicks
from ruleloom.bots.bot import SteadyBot, keys_for
from ruleloom.cli.play.start import ready_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Row
from ruleloom.runtime.search.options import Keys, Prompt
from ruleloom.table.authorised_view import AuthorisedView, thrown
from ruleloom.table.diagram import Diagram, diagram
from ruleloom.table.panels import AskedField, answer_panel, panel
from ruleloom.table.questions import forced, type_of
from ruleloom.table.seats import parse_seats
from ruleloom.table.standing import ONE_KEY, StandingAnswers
from ruleloom.web.seat_view import is_card, places_in_reach
from tests.support.browser import started
from tests.support.web_tables import RunningServer, served

EXAMPLES = Path(__file__).parent.parent / "rulesets" / "examples"
MOST_QUESTIONS = 2_000
COUNTED = ("panels", "clicks", "answers")
# As many answers, of as many letters, stand in a field that is filled in: as in panel.js.
AT_HAND, SHORT = 4, 48
PRESSED = ("panels", "clicks", "keys")


@dataclass(frozen=True, slots=True)
class Situation:
    """What is counted: from the question that `begins` with some words up to the next that `ends` with
    others.

    `answers` are by the variable of a question, or by its first words: the first that is on offer, of
    which the beginning of its key is enough. The game is the first, by seed, in which the question
    `needs` is answered so.
    """

    title: str
    game: str
    people: tuple[str, ...]
    begins: str
    ends: str
    answers: Mapping[str, tuple[str, ...]]
    packs: tuple[str, ...] = ()
    scene: str | None = None
    needs: str = ""
    roles: tuple[str, str] = ("whoever acts", "each other, at most")
    steps: tuple[str, ...] = ()
    """The steps that are taken on a diagram, by the beginnings of their keys."""
    in_order: bool = False
    """Is a list given where the same question goes round?"""


TURN = "What do you do this turn?"
PLAYING = {TURN: ("play-a-card",), "Create?": ("do",), "Grow?": ("do",), "Move?": ("do",)}
SITUATIONS = (
    Situation(
        "a round of the bid", "gnostica", ("Ann", "Ben"), "Which card do you bid", "Where do you place", {},
    ),
    Situation(
        "a card with one power", "gnostica", ("Ann", "Ben"), TURN, TURN,
        {**PLAYING, "card": ("create", "grow", "move")}, needs="card",
    ),
    Situation(
        "a card with two powers", "gnostica", ("Ann", "Ben"), TURN, TURN,
        {**PLAYING, "card": ("lovers", "temperance", "sun")}, needs="card",
    ),
    Situation(
        "a strike", "moonstone", ("Ann", "Ben"), "What does Bram Stilt do?", "What does Oda Wick do?",
        {"weapon": ("salt-hook", "staff")},
        ("salt-and-lanterns",), "the-causeway", roles=("who strikes", "who is struck"),
    ),
    Situation(
        "a failed roll", "witchgates", ("Ann", "Ben"), "What does Odile Marchetti do?",
        "What happens now?",
        {
            "What happens now?": ("somebody-acts",), "What does Odile Marchetti do?": ("act",),
            "skill_used": ("",), "offered": ("worse-position",),
        },
        ("wet-ink",), "the-reading-room", needs="offered", roles=("the player", "the GM"),
    ),
    Situation(
        "a spell of three components upon oneself, once it is named", "witchgates", ("Ann", "Ben"),
        "What is the spell used on?", "What happens now?",
        {
            "What happens now?": ("somebody-acts",), "What does Odile Marchetti do?": ("use-magic",),
            "Which magic?": ("cast-a-spell",), "What is the spell used on?": ("the-caster",),
            "How is the spell made?": ("cast-it", "roll-for-it"), "Write it down?": ("skip",),
        },
        ("wet-ink",), "the-reading-room", needs="Write it down?", roles=("the player", "the GM"),
        steps=("duration-scene", "discreet", "dust-jacket"),
    ),
    Situation(
        "a spell of three components upon an NPC, once it is named", "witchgates", ("Ann", "Ben"),
        "What is the spell used on?", "What does Odile Marchetti ask?",
        {
            "What happens now?": ("somebody-acts",), "What does Odile Marchetti do?": ("use-magic",),
            "Which magic?": ("cast-a-spell",), "What is the spell used on?": ("an-npc",),
            "How is the spell made?": ("cast-it", "roll-for-it"),
        },
        ("wet-ink",), "the-reading-room", roles=("the player", "the GM"),
        steps=("range-near", "read-between", "marginal-note"),
    ),
    Situation(
        "the draft", "monotheism", ("Ann", "Ben", "Cem"), "Which die do you take", "Which black die", {},
        roles=("each", ""), in_order=True,
    ),
    Situation(
        "a miracle without dispute", "monotheism", ("Ann", "Ben", "Cem"), "Which miracle",
        "Which mission", {"Which miracle": ("inspiration",)}, needs="Which miracle",
    ),
    Situation(
        "a round without events", "monotheism", ("Ann", "Ben", "Cem"), "Which miracle", "",
        {"Which miracle": ("none",), "Which mission": ("none",)},
    ),
)  # fmt: skip


@dataclass
class Table:
    """A situation as it is played, and what is counted of it, by role."""

    situation: Situation
    seed: int
    shows: bool = False
    game: Game = field(init=False)
    lacks: bool = field(init=False)
    turns: int = 0
    actor: int = -1
    steps: list[str] = field(default_factory=list)
    standing: StandingAnswers = field(default_factory=StandingAnswers)
    began: Game | None = None
    """The game at the beginning of the situation."""
    sittings: list[Sitting] = field(default_factory=list)
    before: Row | None = None
    """The question before this one."""
    counted: dict[tuple[int, bool], Counter[str]] = field(default_factory=dict)
    """What is counted, by the seat and whether it acts."""

    def __post_init__(self) -> None:
        one = self.situation
        folders = [str(EXAMPLES / pack) for pack in one.packs]
        seats = parse_seats(",".join(f"{name}=human" for name in one.people))
        linked, given = ready_game(one.game, folders, {}, seats, one.scene)
        self.game = new_game(linked, self.seed)
        if given is not None and given.answers(self.game.node):
            self.game = self.game.choose(given.value)
        self.lacks = bool(one.needs)
        self.steps = list(one.steps)

    def play(self) -> None:
        """Play up to the situation, and through it."""
        begun, asked = False, 0
        for _ in range(MOST_QUESTIONS):
            if self.game.over:
                return
            if self.game.node.chance:
                self.game = thrown(self.game)
                continue
            view = AuthorisedView(self.game, self.game.node.stop.who[0], range(9))
            prompt = view.prompt
            assert prompt is not None
            only = forced(prompt)
            if only is not None and not self.game.node.secret:
                self.game = view.answer(only)
                continue
            if begun and asked and self.is_over(prompt):
                return
            begun = begun or prompt.text.startswith(self.situation.begins)
            if not begun:
                self.game = view.answer(self.wanted(prompt) or self.steady(view))
                continue
            self.began = self.began or self.game
            asked += 1
            listed = self.standing.game_after(view)
            row, goes_round = self.game.node.row, self.before is self.game.node.row
            if listed is not None:
                self.game = listed
            elif self.situation.in_order and goes_round:
                self.list_all(view)
            else:
                self.sit(view)
            self.before = row

    def is_over(self, prompt: Prompt) -> bool:
        """Does the situation end before this question?"""
        if self.situation.ends:
            return prompt.text.startswith(self.situation.ends)
        turns = len(self.situation.people)
        return prompt.text.startswith(self.situation.begins) and self.turns >= turns

    def sit(self, view: AuthorisedView) -> None:
        """One person fills in one panel and sends it."""
        given: list[Keys] = []
        empty: dict[int, AskedField] = {}
        changed, sends = 0, False
        while len(given) < len(fields := panel(view, given)):
            one = fields[len(given)]
            if self.steps and (drawn := diagram(one)) is not None:
                given += self.step_on(drawn)
                sends = True
                break
            if given and self.is_over(one.prompt):
                break
            wanted = self.wanted(one.prompt)
            taken = wanted or one.keys or self.steady(one.view)
            if one.keys is None:
                empty[len(given)] = one
            sends = one.keys is not None and len(fields) > 1  # else it sends itself
            changed += clicks_for(one, taken, alone=len(fields) == 1)
            given.append(taken)
        fields = panel(view, given)[: len(given)]
        if self.shows:
            filled = zip(fields, given, strict=True)
            shown = (f"{one.prompt.text} {', '.join(keys)}" for one, keys in filled)
            print(self.situation.people[view.seat], *shown, sep="\n    ")
        self.count(view, fields, changed + sends - saved_by_pointing(empty, given), given)
        self.game = (
            view.answer(given[0]) if view.game.node.secret else answer_panel(view, given)[-1]
        )

    def step_on(self, drawn: Diagram) -> list[Keys]:
        """The answers of the next step on a diagram."""
        wanted, laid_out = self.steps.pop(0), chain.from_iterable(drawn.tracks.values())
        return next(one.take for one in laid_out if one.take and one.take[-1][0].startswith(wanted))

    def list_all(self, view: AuthorisedView) -> None:
        """One person opens the list, takes all that is there in an order of their own, and sends it."""
        prompt = view.prompt
        assert prompt is not None
        keys = tuple(one.key for one in prompt.options)
        self.standing.give(view.seat, prompt, keys, in_order=True)
        self.count(view, panel(view), len(keys) + 3, [keys], in_order=True)
        after = self.standing.game_after(view)
        assert after is not None
        self.game = after

    def count(
        self,
        view: AuthorisedView,
        fields: Sequence[AskedField],
        clicks: int,
        given: Sequence[Keys],
        in_order: bool = False,
    ) -> None:
        """Count one panel of a person."""
        if any(field.prompt.text.startswith(self.situation.begins) for field in fields):
            self.actor, self.turns = view.seat, self.turns + 1
        counted = self.counted.setdefault((view.seat, view.seat == self.actor), Counter())
        answers = 1 if in_order else len(given)
        counted.update(dict(zip(COUNTED, (1, clicks, answers), strict=True)))
        self.sittings.append(Sitting(view.seat, view.seat == self.actor, tuple(given), in_order))

    def wanted(self, prompt: Prompt) -> Keys | None:
        """The answer of the script, if it has one that is on offer."""
        for asked, answers in self.situation.answers.items():
            if prompt.name == asked or prompt.text.startswith(asked):
                keys = [option.key for option in prompt.options]
                found = (key for answer in answers for key in keys if key.startswith(answer))
                key = next(found, None)
                self.lacks = self.lacks and (key is None or asked != self.situation.needs)
                return None if key is None else (key,)
        return ("so it goes",) if prompt.kind == "text" and prompt.usual is None else None

    def steady(self, view: AuthorisedView) -> Keys:
        """What the steady bot answers."""
        node = view.game.node
        return keys_for(node, SteadyBot().answer(node, view.seat), view.seat)

    def line(self, role: str, numbers: Sequence[int]) -> str:
        """A line of the table."""
        one = self.situation
        return f"| {one.game} | {one.title} | {role} | {' | '.join(map(str, numbers))} |"

    def most(self) -> dict[str, list[int]]:
        """What is counted of whoever acts, and the most that another person has to do, by role."""
        return most_of(self.situation, self.counted, COUNTED)

    def most_pressed(self, running: RunningServer, browser: Browser) -> dict[str, list[int]]:
        """The same as it is pressed in a browser. Raises ValueError if that led elsewhere."""
        assert self.began is not None
        seats = parse_seats(",".join(f"{name}=human" for name in self.situation.people))
        pressed, after = played_by_clicks(running, browser, self.began, seats, self.sittings)
        shared = min(len(after.entries), len(self.game.entries))
        if after.entries[:shared] != self.game.entries[:shared]:
            raise ValueError(f"{self.situation.title}: the browser has gone another way")
        return most_of(self.situation, pressed, PRESSED)


def clicks_for(field: AskedField, taken: Keys, alone: bool) -> int:
    """The clicks that give an answer to a field: of a card the text is shown first, with a button, and
    where the answers do not stand in the field it is opened."""
    if taken == field.keys and not alone:
        return 0
    node, prompt = field.view.game.node, field.prompt
    value = next((one.value for one in prompt.options if (one.key,) == taken), None)
    shown = len(prompt.options) <= AT_HAND and all(
        len(one.label) <= SHORT for one in prompt.options
    )
    opened = field.keys is not None and not alone and not (shown and prompt.kind in ONE_KEY)
    return 1 + is_card(node, type_of(node), value) + opened


def saved_by_pointing(empty: Mapping[int, AskedField], given: Sequence[Keys]) -> int:
    """The clicks that are saved where a later answer is given at its place, with those before it."""
    saved, covered = 0, -1
    for at, left in empty.items():
        ways = chain.from_iterable(places_in_reach(left).values()) if at > covered else ()
        fitting = (one["answers"] for one in ways)
        many = next((len(one) for one in fitting if list(given[at : at + len(one)]) == one), 1)
        saved += many - 1
        covered = max(covered, at + many - 1)
    return saved


def most_of(
    situation: Situation,
    counted: Mapping[tuple[int, bool], Counter[str]],
    names: Sequence[str],
) -> dict[str, list[int]]:
    """The most of each number that somebody has, by role."""
    found = {}
    for role, acts in zip(situation.roles, (True, False), strict=True):
        counts = [numbers for (_, own), numbers in counted.items() if own == acts]
        if role:
            found[role] = [max((c[name] for c in counts), default=0) for name in names]
    return found


def played(situation: Situation, shows: bool) -> Table:
    """The situation in the first game in which it comes about."""
    for seed in count(1):
        table = Table(situation, seed)
        table.play()
        if not table.lacks:
            break
    if shows:
        Table(situation, seed, shows).play()
    return table


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="GAME", help="print the panels of this game's situations")
    parser.add_argument("--browser", action="store_true", help="and play them by clicks")
    options = parser.parse_args(arguments)
    tables = [
        played(one, one.game == options.show)
        for one in SITUATIONS
        if options.show in (None, one.game)
    ]
    print(f"| game | what | who | {' | '.join(COUNTED)} |")
    print("|---|---|---|" + "--:|" * len(COUNTED))
    for table in tables:
        for role, numbers in table.most().items():
            print(table.line(role, numbers))
    if options.browser:
        print(f"\n| game | what | who | {' | '.join(f'{one} pressed' for one in PRESSED)} |")
        print("|---|---|---|" + "--:|" * len(PRESSED))
        with served() as running, started() as browser:
            for table in tables:
                for role, numbers in table.most_pressed(running, browser).items():
                    print(table.line(role, numbers), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

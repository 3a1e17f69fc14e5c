"""`python -m tests.docs.pictures`: takes the pictures of docs/serving.md anew, from games that are
played here to where there is something to see.

Each table is shown wide and on a phone, in light and in dark. Look at them before they are committed.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, FloatRect

from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.options import SEVERAL, Prompt
from ruleloom.table.seats import parse_seats
from ruleloom.web.live_table import LiveTable, load_table
from ruleloom.web.lobby import next_session, open_campaign, open_table
from ruleloom.web.seat_view import seat_view
from tests.conftest import ROOT
from tests.support.browser import Person, sits_down, started
from tests.support.command import call
from tests.support.web_tables import RunningServer, program, served

IMAGES = ROOT / "docs" / "images"
LARGEST = 220_000
SIZES = {"wide": (1100, 690), "phone": (390, 800)}
# As much of a wide page as is shown.
TALLEST = 945
SIZE_OF_PAGE = "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
SCHEMES = ("light", "dark")


@dataclass(frozen=True)
class Scene:
    """A game to be shown: what is answered on the way (words of questions to words of options, or
    texts), and the question at which it is shown."""

    name: str
    packs: tuple[str, ...]
    players: str
    seed: int
    most: int
    until: str
    answers: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    bots_first: int = 0
    least: int = 0
    sees: str = ""  # what the board has to show then


SCENES = (
    Scene("gnostica", ("gnostica",), "Ann=greedy,Ben=greedy,Cara=greedy", 27, 40, "What do you do", bots_first=211),
    Scene(
        "moonstone", ("rulesets/examples/salt-and-lanterns",), "Gm=human,Ann=human", 1, 60, "for the defence",
        {
            "set out to do": "strike", "What does .* do": "act", "for initiative": "0", "React": "skip", "give up": "0",
            "With what": ("Salt hook", "Staff"),
        },
        least=18,
    ),
    Scene(
        "witchgates", ("rulesets/examples/wet-ink",), "Gm=human,Ann=human", 3, 200, "How is the spell made",
        {
            "What happens now": "somebody acts", "What does Odile Marchetti do": "use magic", "Which magic": "cast a spell", "want to bring": "to read what was cut out",
            "written down": "none", "used on": "NPC", "How is the spell": ("put something in", "put something in", "roll for it", "put something in"), "Which component": ("Range: near", "Read Minds", "As It Is Written", "Duration: scene"),
            "Is this|Does": "yes", "called": "The page turns back", "luck bring": ("a ladder on wheels", "a draught from the stacks"),
        },
        sees="pool.shown",
    ),
    Scene(
        "monotheism", ("monotheism",), "Ann=human,Ben=human,Cid=human", 4, 330, "Dispute what",
        {
            "pains your": ("a debt forgiven", "a door left open", "silence"), "affirms your": ("a promise kept", "a bridge finished", "a song learnt"),
            "called": ("Tovas", "Sister Quill", "Old Mirel", "The Ferryman"), "come to be|Who is": ("left on the temple steps", "came with the flood"),
            "does your deity do": ("the flood spares one house", "a bell rings in the fog", "an old debt is called in"), "came of the mission": ("the bell hangs again", "nobody came back"),
            "trait": ("stubborn", "keeps bees", "owes the sea a debt", "sings in the fog", "never lies", "walks at night"),
            "How does .* turn": ("the crowd turns its back", "an old song is heard"), "connects": ("grew up in one house", "both saw the bell fall"), "set out to": "to bring the bell home", "another free round": "no", "How many": ("2", "1", "3"),
        },
        least=110, sees="deed.placed",
    ),
)  # fmt: skip


def played(running: RunningServer, scene: Scene) -> LiveTable:
    """Play a scene's game to where it is shown."""
    store = running.service.store
    kept = open_table(store, program(*scene.packs), parse_seats(scene.players), scene.seed)
    table = load_table(store, kept.id)
    for _ in range(scene.bots_first):
        if table.game.over or not table.bot_answers():
            break
    for seat in range(len(table.seats)) if scene.bots_first else ():
        table.change_seat(seat, "human")
    source, told = random.Random(scene.seed), Counter[str]()
    for number in range(scene.most):
        if table.game.over:
            break
        prompt = table.game.prompts[0]
        assert prompt.player is not None
        fits = number >= scene.least and re.search(scene.until, prompt.text) is not None
        if fits and _shows(table, prompt.player, scene.sees):
            break
        try:
            keys = answer(prompt, scene, source, told)
            table.answer(prompt.player, table.question_id(prompt.player), [keys])
        except Refused:
            continue
    return table


def _shows(table: LiveTable, seat: int, path: str) -> bool:
    """Does the board show something at a path of its data?"""
    found: object = seat_view(table, seat)["board"]
    for name in filter(None, path.split(".")):
        found = found.get(name) if isinstance(found, dict) else None
    return bool(found)


def answer(prompt: Prompt, scene: Scene, source: random.Random, told: Counter[str]) -> list[str]:
    """What is answered to a question; `told` counts the texts that were, by their questions."""
    found = (one for one in scene.answers.items() if re.search(one[0], prompt.text))
    question, wanted = next(found, ("", ()))
    wanted = (wanted,) if isinstance(wanted, str) else wanted
    if prompt.kind == "text":
        told[question] += 1
        return [wanted[told[question] % len(wanted)] if wanted else "as it was told"]
    keys = [option.key for option in prompt.options]
    if prompt.kind in SEVERAL:
        return source.sample(keys, max(prompt.least, min(1, prompt.most)))
    exact = [one.key for one in prompt.options if one.label in wanted]
    fitting = [one.key for one in prompt.options if any(word in one.label for word in wanted)]
    return [source.choice(exact or fitting or keys)]


def take(browser: Browser, running: RunningServer, scene: Scene) -> None:
    """Take the pictures of one game."""
    table = played(running, scene)
    who = 0 if table.game.over else table.game.node.stop.who[0]
    print(f"{scene.name}: {'over' if table.game.over else table.game.prompts[0].text}")
    for size, (wide, high) in SIZES.items():
        for scheme in SCHEMES:
            person = sits_down(browser, running.link(table.id, who), (wide, high), scheme)
            person.waits(".question *")
            person.page.wait_for_timeout(400)
            most = TALLEST if size == "wide" else high
            _snapped(person, f"{scene.name}-{size}-{scheme}", most)


def take_lobby(browser: Browser) -> None:
    """Take the pictures of the host's page, with a campaign in its second session and a table."""
    with served() as running:
        store, names = running.service.store, "Ann=human,Ben=human,Cara=greedy"
        seats = parse_seats(names)
        first = open_campaign(store, running.service.shelf, 0, "The long winter", seats, False)
        campaign = store.campaigns()[0].id
        open_table(store, program("gnostica"), parse_seats("Ann=human,greedy"), 5)
        assert next_session(store, campaign, [])[0] is not None
        table = load_table(store, first.id)
        people = table.people
        for seat in people:
            table.change_seat(seat, "greedy")
        while table.bot_answers():
            pass
        for seat in people:
            table.change_seat(seat, "human")
        for size, window in SIZES.items():
            for scheme in SCHEMES:
                host = _at_lobby(browser, running, window, scheme)
                _snapped(host, f"host-{size}-{scheme}", 1_640)
        host = _at_lobby(browser, running, SIZES["wide"], "light")
        host.page.get_by_role("button", name="Invite").first.click()
        host.waits("svg.qr")  # the address of this run is nobody's
        _snapped(host, "host-invitation")


def _at_lobby(
    browser: Browser, running: RunningServer, size: tuple[int, int], scheme: str
) -> Person:
    link = f"{running.url}/#{running.service.door.host_token}"
    host = sits_down(browser, link, size, scheme)
    host.waits("button.main:not([disabled])", 60)
    host.waits(".campaign article")
    return host


LAMPLIGHTER = """\
# Whoever looks up for long enough sees the lamp.
kind: major
id: lamplighter
title: Lamplighter
number: 44
text: "Somebody looks up, and perhaps sees the light."
effect: |
  choose minion from minions "Who looks up?"
  roll luck = 2d6
  if luck >= 8:
      face(minion, up)
"""
LAMPLIGHTER_CASES = """\
kind: scenarios
cases:
  - id: the-light-is-seen
    given: {pieces: [A1E@0/0, B2N@1/1], hands: {A: [lamplighter]}, dice: [8]}
    when:
      - {option: play, card: lamplighter}
      - {power: lamplighter, minion: A1E@0/0}
      - {end: turn}
    then: {pieces: [A1up@0/0, B2N@1/1], discard: [lamplighter]}
  - id: the-fog-is-too-thick
    given: {pieces: [A1E@0/0], hands: {A: [lamplighter]}, dice: [7]}
    when:
      - {option: play, card: lamplighter}
      - {power: lamplighter, minion: A1E@0/0}
      - {end: turn}
    then: {pieces: [A1up@0/0]}
"""


def take_workbench(browser: Browser, folder: Path) -> None:
    """Take the pictures of the workbench."""
    done = call("new", "pack", "lamplight", "--game", "gnostica", "--in", folder)
    assert done.code == 0, done.err
    pack = folder / "lamplight"
    (pack / "scenarios.yaml").unlink()
    (pack / "lamplighter.yaml").write_text(LAMPLIGHTER)
    (pack / "lamplighter-scenarios.yaml").write_text(LAMPLIGHTER_CASES)
    with served(packs=("gnostica", str(pack))) as running:
        for size, (wide, high) in {"wide": (1280, 760), "phone": (390, 1_180)}.items():
            for scheme in SCHEMES:
                person = _at_workbench(browser, running, (wide, high), scheme)
                _snapped(person, f"workbench-{size}-{scheme}")
        person = _at_workbench(browser, running, (1280, 760), "light", "Form", ".form .field")
        _snapped(person, "workbench-form-light")
        person = _at_workbench(browser, running, (1280, 760), "dark", "Scenarios", ".cases .failed")
        _snapped(person, "workbench-scenarios-dark")
        person = _at_workbench(
            browser, running, (1280, 860), "light", "Scenarios", ".cases .failed"
        )
        person.page.get_by_role("button", name="the-light-is-seen step by step").click()
        person.waits("dialog.steps .stage svg")
        person.page.keyboard.press("ArrowRight")
        person.page.keyboard.press("ArrowRight")
        _snapped(person, "workbench-step-light")


def _at_workbench(
    browser: Browser,
    running: RunningServer,
    size: tuple[int, int],
    scheme: str,
    tab: str = "Card",
    sign: str = ".item-card .rules",
) -> Person:
    person = sits_down(browser, running.bench, size, scheme)
    person.waits(".item-card .rules")
    person.page.get_by_role("tab", name=tab).click()
    person.waits(sign)
    person.waits(".cm-tok-keyword")
    return person


def take_making(browser: Browser) -> None:
    """Take the pictures of making a person: somebody at random, and what is on offer."""
    packs = (("moonstone", "rulesets/examples/salt-and-lanterns"), ("witchgates",))
    with served(packs=packs[0]) as running:
        running.service.shelf.games.append(packs[1])
        link = f"{running.url}/make#{running.service.door.host_token}"
        for game, size, scheme, heading in (
            (0, "wide", "light", "Advantages"),
            (1, "wide", "dark", "Knacks"),
            (0, "phone", "light", "Raw scores"),
        ):
            window = (1_280, 760) if size == "wide" else SIZES[size]
            person = sits_down(browser, link, window, scheme)
            person.waits(".begin button.main")
            person.page.select_option("#game", str(game))
            person.page.wait_for_timeout(4_000)
            person.page.get_by_label("Name", exact=True).fill("Ada Thorn")
            if game == 0:
                person.page.get_by_label("Points to spend").fill("44")
            person.page.evaluate("Math.random = () => 0.4")  # the same person each time
            person.page.get_by_role("button", name="Make somebody").click()
            person.waits(".choices-of")
            person.page.get_by_role("tab", name=heading, exact=True).click()
            person.page.wait_for_timeout(1_500)
            if size == "wide":
                person.page.locator(".offered .option").nth(2).hover()
                person.page.wait_for_timeout(1_000)
            _snapped(person, f"making-{size}-{scheme}")


def _snapped(person: Person, name: str, most: int = 0) -> None:
    """Take a picture of a window, or of the page below it too, up to so many pixels of height."""
    person.page.wait_for_timeout(400)
    picture = IMAGES / f"{name}.png"
    wide, high = person.page.evaluate(SIZE_OF_PAGE)
    window = person.page.viewport_size
    assert window is not None
    tall = min(high, max(most, window["height"]))
    area: FloatRect = {"x": 0, "y": 0, "width": wide, "height": tall}
    person.page.screenshot(path=picture, full_page=tall > window["height"], clip=area)
    person.page.context.close()
    print(f"  {picture.name}: {picture.stat().st_size:,} bytes")
    assert not person.said, person.said
    assert picture.stat().st_size < LARGEST, f"{picture.name} is too large"


def main(names: list[str]) -> None:
    """Take all pictures, or those of these games."""
    IMAGES.mkdir(exist_ok=True)
    if not names or "workbench" in names:
        with tempfile.TemporaryDirectory() as folder, started() as browser:
            take_workbench(browser, Path(folder))
    if names == ["workbench"]:
        return
    with served() as running, started() as browser:
        for scene in SCENES:
            if not names or scene.name in names:
                take(browser, running, scene)
        if not names or "host" in names:
            take_lobby(browser)
        if not names or "making" in names:
            take_making(browser)


if __name__ == "__main__":
    main(sys.argv[1:])

"""`python -m tests.docs.pictures`: takes the pictures of docs/serving.md anew, from games that are
played here to where there is something to see.

Each table is shown wide and on a phone, in light and in dark. Look at them before they are committed.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from playwright.sync_api import Browser

from ruleloom.runtime.machine.prompt import SEVERAL, Prompt
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import parse_seats
from ruleloom.web.hall import load_table
from ruleloom.web.live_table import LiveTable
from ruleloom.web.lobby import open_table
from ruleloom.web.seat_view import seat_view
from tests.conftest import ROOT
from tests.support.browser import sits_down, started
from tests.support.web_tables import RunningServer, program, served

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
SIZES = {"wide": (1100, 690), "phone": (390, 800)}
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
    Scene("gnostica", ("gnostica",), "Ann=greedy,Ben=greedy,Cara=greedy", 21, 40, "What do you do", bots_first=90),
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
            "written down": "none", "used on": "NPC", "How is the spell": ("put something in", "put something in", "this is what is wanted", "put something in"), "Which component": ("Range: near", "Read Minds", "As It Is Written", "Duration: scene"),
            "Is this|Does": "yes", "called": "The page turns back",
        },
        sees="pool.shown",
    ),
    Scene(
        "monotheism", ("monotheism",), "Ann=human,Ben=human,Cid=human", 4, 330, "Dispute what",
        {
            "pains your": ("a debt forgiven", "a door left open", "silence"), "affirms your": ("a promise kept", "a bridge finished", "a song learnt"),
            "called": ("Tovas", "Sister Quill", "Old Mirel", "The Ferryman"), "come to be|Who is": ("left on the temple steps", "came with the flood"),
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
    for seat in table.seats if scene.bots_first else ():
        table.change_seat(seat.number, "human")
    source = random.Random(scene.seed)
    for number in range(scene.most):
        if table.game.over:
            break
        prompt = table.game.prompts[0]
        assert prompt.player is not None
        fits = number >= scene.least and re.search(scene.until, prompt.text) is not None
        if fits and _shows(table, prompt.player, scene.sees):
            break
        try:
            table.answer(prompt.player, prompt.id, answer(prompt, scene, source, number))
        except Refused:
            continue
    return table


def _shows(table: LiveTable, seat: int, path: str) -> bool:
    """Does the board show something at a path of its data?"""
    found: object = seat_view(table, seat)["board"]
    for name in filter(None, path.split(".")):
        found = found.get(name) if isinstance(found, dict) else None
    return bool(found)


def answer(prompt: Prompt, scene: Scene, source: random.Random, number: int) -> list[str]:
    """What is answered to a question."""
    found = (words for question, words in scene.answers.items() if re.search(question, prompt.text))
    wanted = next(found, ())
    wanted = (wanted,) if isinstance(wanted, str) else wanted
    if prompt.kind == "text":
        return [wanted[number % len(wanted)] if wanted else "as it was told"]
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
            picture = IMAGES / f"{scene.name}-{size}-{scheme}.png"
            person.page.screenshot(path=picture)
            person.page.context.close()
            print(f"  {picture.name}: {picture.stat().st_size:,} bytes")
            assert not person.said, person.said
            assert picture.stat().st_size < LARGEST, f"{picture.name} is too large"


def take_lobby(browser: Browser, running: RunningServer) -> None:
    """Take the picture of the host's page."""
    host = sits_down(browser, f"{running.url}/#{running.service.door.host_token}", SIZES["wide"])
    host.waits("button.main:not([disabled])", 60)
    host.page.locator("article.table-card").first.get_by_role("button", name="Invite").first.click()
    host.waits("svg.qr")
    # The address of this run is nobody's.
    host.page.screenshot(path=IMAGES / "host-wide-light.png")


def main(names: list[str]) -> None:
    """Take all pictures, or those of these games."""
    IMAGES.mkdir(exist_ok=True)
    with served() as running, started() as browser:
        for scene in SCENES:
            if not names or scene.name in names:
                take(browser, running, scene)
        if not names or "host" in names:
            if names:
                played(running, SCENES[0])
            take_lobby(browser, running)


if __name__ == "__main__":
    main(sys.argv[1:])

"""`python -m tests.docs.film`: films some moves at a table of Gnostica for the README, from the page as a player
sees it. Needs Pillow (`pip install pillow`), which nothing else does. Look at it before it is committed.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.docs.pictures import IMAGES, SCENES, played
from tests.support.browser import Person, sits_down, started
from tests.support.web_tables import served

FILM = IMAGES / "gnostica.gif"
LARGEST = 2_000_000
SIZE = (1000, 840)
MOVES = 12
PAUSE = 1_100  # milliseconds between pictures
COLOURS = 96


def filmed(person: Person) -> list[bytes]:
    """A picture of each question and of what comes of its answer."""
    pictures = []
    for _ in range(MOVES):
        person.waits(".question *")
        pictures.append(_picture(person))
        if not person.is_asked():
            break
        person.answers()
        pictures.append(_picture(person))
    assert not person.said, person.said
    return pictures


def _picture(person: Person) -> bytes:
    person.page.wait_for_timeout(700)
    person.page.evaluate("scrollTo(0, 0)")
    return person.page.screenshot()


def main() -> None:
    """Play, and write the film; pictures that show nothing new are left out."""
    with served() as running, started() as browser:
        table = played(running, SCENES[0])
        me = table.game.node.stop.who[0]
        for seat in range(len(table.seats)):
            table.change_seat(seat, "human" if seat == me else "greedy")
        pictures = filmed(sits_down(browser, running.link(table.id, me), SIZE, seed=3))
    frames = [
        Image.open(BytesIO(one)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        for number, one in enumerate(pictures)
        if number == 0 or one != pictures[number - 1]
    ]
    frames[0].save(FILM, save_all=True, append_images=frames[1:], duration=PAUSE, loop=0)
    print(f"{FILM.name}: {len(frames)} pictures, {FILM.stat().st_size:,} bytes")
    assert FILM.stat().st_size < LARGEST


if __name__ == "__main__":
    main()

"""Two people at one table in two browsers, wide and light, and a phone in the dark: pictures to look at.

    python -m benchmarks.web.watch gnostica --minutes 20 --into pictures

People are scripted, and seeded. Every so often a picture of both pages is taken, and axe is run; what it
finds, faults of the pages, what overflows, and how long it takes from a click to what comes of it is
printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from ruleloom.cli.play.start import ready_game
from ruleloom.runtime.play.game import new_game
from ruleloom.table.seats import parse_seats
from ruleloom.web.lobby import keep
from tests.support.browser import PHONE, WIDE, Person, faults_found_by_axe, sits_down, started
from tests.support.web_tables import RunningServer, served

EXAMPLES = Path(__file__).parents[2] / "rulesets" / "examples"
# What is played: the pack, the scene, and the words that people look for.
PLAYED = {
    "gnostica": ((), None, ("activate", "play a card")),
    "moonstone": (("salt-and-lanterns",), "the-causeway", ("strike",)),
    "witchgates": (("wet-ink",), "the-reading-room", ("somebody acts",)),
    "monotheism": ((), None, ()),
}
LOOKS = ((WIDE, "light"), (PHONE, "dark"), (WIDE, "dark"))
OVERFLOWS = """() => [...document.querySelectorAll('body *')].filter((one) => {
    const style = getComputedStyle(one);
    return one instanceof HTMLElement && one.clientWidth
        && one.scrollWidth > one.clientWidth + 1 && style.overflowX === 'visible'
        && style.display !== 'inline';
  }).map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 60)}`)
  .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])"""


@dataclass
class Seen:
    """What was seen of a game: faults, and milliseconds from click to what came of it."""

    answers: int = 0
    took: list[float] = field(default_factory=list)
    found: Counter[str] = field(default_factory=Counter)


def watch(game: str, options: argparse.Namespace) -> None:
    """Play for so long, and print what was found; a game that is over is followed by another."""
    until, seed = time.monotonic() + 60 * options.minutes, options.seed
    seen = Seen()
    with served() as running, started() as browser:
        while time.monotonic() < until:
            table = opened(running, game, seed)
            people = [
                sits_down(browser, running.link(table, seat), *look, seed=seed + seat)
                for seat, look in enumerate(LOOKS[: 3 if game == "monotheism" else 2])
            ]
            play(people, game, options, until, seen)
            for one in people:
                seen.took += one.took()
                seen.found.update(one.said)
                one.page.context.close()
            seed += 1
    slowest = quantiles(seen.took, n=20)[-1]
    print(f"{game}: {seen.answers} answers, p95 {slowest:.0f} ms of {len(seen.took)} clicks")
    for words, times in seen.found.most_common():
        print(f"  {times} x {words}")


def opened(running: RunningServer, game: str, seed: int) -> str:
    """A new table, its id."""
    packs, scene, _ = PLAYED[game]
    many = 3 if game == "monotheism" else 2
    seats = parse_seats(",".join(f"{name}=human" for name in ("Ann", "Ben", "Cem")[:many]))
    linked, given = ready_game(game, [str(EXAMPLES / one) for one in packs], {}, seats, scene)
    new = new_game(linked, seed)
    if given is not None and given.answers(new.node):
        new = new.choose(given.value)
    return keep(running.service.store, new, seats).id


def play(
    people: list[Person], game: str, options: argparse.Namespace, until: float, seen: Seen
) -> None:
    """Let whoever is asked answer until time is up or the game is over."""
    wanted = PLAYED[game][2]
    people[0].waits(".question *")
    while time.monotonic() < until and not people[0].sees(".over"):
        who = next((one for one in people if one.is_asked()), None)
        if who is None:
            people[0].page.wait_for_timeout(30)
            continue
        if seen.answers % options.every == 0:
            seen.found.update(look_at(people, options.into / f"{game}-{seen.answers:04}"))
        before = who.page.locator(".question").get_attribute("data-answered") or ""
        who.answers(*(wanted if who.source.random() < 0.5 else ()))
        who.page.wait_for_function(
            "old => document.querySelector('.question').dataset.answered !== old", arg=before
        )
        seen.answers += 1
        people[0].page.wait_for_timeout(1000 * options.pause)
    seen.found.update(look_at(people, options.into / f"{game}-{seen.answers:04}"))


def look_at(people: list[Person], name: Path) -> list[str]:
    """Take a picture of each page; what axe finds, and what overflows."""
    found = []
    for seat, one in enumerate(people):
        one.page.screenshot(path=f"{name}-{seat}.png")
        size = one.page.viewport_size
        found += [f"axe: {fault}" for fault in faults_found_by_axe(one)]
        found += [
            f"overflows at {size and size['width']}: {it}" for it in one.page.evaluate(OVERFLOWS)
        ]
    return found


def main(arguments: list[str]) -> None:
    """Watch one game, or each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="the games to be played; all without"
    )
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=12, help="answers between two pictures")
    parser.add_argument("--pause", type=float, default=2, help="seconds before each answer")
    parser.add_argument("--into", type=Path, default=Path("pictures"), help="a folder")
    options = parser.parse_args(arguments)
    options.into.mkdir(exist_ok=True)
    for game in options.games or PLAYED:
        watch(game, options)


if __name__ == "__main__":
    main(sys.argv[1:])

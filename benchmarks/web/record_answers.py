"""How long an answer of a record in the making takes in a browser, with 1,000 things of homebrew on top.

    python -m benchmarks.web.record_answers [--game moonstone] [--answers 20]

A server of its own process serves the game with a pack of 1,000 things. For each answer this prints the time
by the clock, from the click until the page is painted anew, and the processor time of the server (Linux).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.support.browser import started
from tests.support.record_maker import Maker

MANIFEST = (
    "kind: pack\nid: many-things\nversion: 1.0.0\ngame: {0}\nedition: 1\nrequires: {{{0}: '*'}}\n"
)
KINDS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "moonstone": (
        (
            250,
            "{{kind: advantage, id: gift-{0}, title: Gift {0}, rating: {1}, text: Gift {0} of the mist.,"
            " abilities: 'bonus(PR, 1, \"gift {0}\")'}}",
        ),
        (
            250,
            "{{kind: advantage, id: grace-{0}, title: Grace {0}, rating: {1}, text: Of the hill.}}",
        ),
        (250, "{{kind: ability, id: craft-{0}, title: Craft {0}, scope: broad, base: Sen}}"),
        (250, "{{kind: bane, id: curse-{0}, title: Curse {0}, rating: i, text: Of the hill.}}"),
    ),
    "witchgates": (
        (
            20,
            "{{kind: merit, id: boon-{0}, title: Boon {0}, most_value: 3, text: Boon {0}.,"
            " abilities: 'modify full_armor(self) by 1 as \"boon {0}\"'}}",
        ),
        (130, "{{kind: merit, id: grace-{0}, title: Grace {0}, text: Of the gate.}}"),
        (300, "{{kind: gear, id: tool-{0}, title: Tool {0}, size: 1, price: 20, text: A tool.}}"),
        (50, "{{kind: skill, id: craft-{0}, title: Craft {0}, text: A craft.}}"),
        (
            400,
            "{{kind: component, id: piece-{0}, title: Piece {0}, arcana: forces, level: 1, hits: 1,"
            " effect: 'say \"a piece\"'}}",
        ),
        (100, "{{kind: splice, id: scar-{0}, title: Scar {0}, effect: 'say \"it itches\"'}}"),
    ),
}
"""How many things of which form, of the number and a rating: 1,000 for each game."""
RATINGS = ("I", "II", "III")
ANSWERS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "moonstone": (
        ("Raw scores", "Str", ""),
        ("Advantages", "gifts", "grace-{}"),
        ("Abilities", "skills", "craft-{}"),
        ("Disadvantages", "flaws", "curse-{}"),
    ),
    "witchgates": (
        ("Scores", "physique", ""),
        ("Merits", "merits", "grace-{}"),
        ("Stash", "stash", "tool-{}"),
        ("Skills", "skills", "craft-{}"),
    ),
}
"""The heading of each answer, and where what is put; without a value a number is raised by a click."""
REST = 400
"""Milliseconds in which the page settles."""
# From a click or a key until what came of it has been painted.
PAINTED = """
window.painted = [];
let since = null;
const begin = () => { since = performance.now(); };
addEventListener('click', (event) => { if (event.isTrusted) begin(); }, true);
addEventListener('change', begin, true);
new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
  if (since !== null) window.painted.push(performance.now() - since);
  since = null;
}))).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-answered'] });
"""


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.web.record_answers", description=__doc__
    )
    parser.add_argument("--game", action="append", choices=sorted(KINDS))
    parser.add_argument("--answers", type=int, default=20)
    said = parser.parse_args()
    for game in said.game or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            pack = write_pack(Path(folder), game)
            clock, processor = measured(game, pack, said.answers)
        print(
            f"{game}, {len(clock)} answers: {spread(clock)} by the clock until it is painted, "
            f"{spread(processor)} of the server's processor time",
            flush=True,
        )
    return 0


def spread(times: list[float]) -> str:
    """The median and the greatest of some milliseconds."""
    return f"{median(times):.0f} ms ({max(times):.0f} at most)"


def write_pack(folder: Path, game: str) -> Path:
    """A pack of so many things."""
    items = (
        f"- {form.format(n, RATINGS[n % 3])}\n" for many, form in KINDS[game] for n in range(many)
    )
    (folder / "pack.yaml").write_text(MANIFEST.format(game), encoding="utf-8")
    (folder / "things.yaml").write_text("".join(items), encoding="utf-8")
    return folder


@contextmanager
def serving(game: str, pack: Path) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: the link to its page, and its number."""
    words = [
        sys.executable,
        "-m",
        "ruleloom",
        "serve",
        game,
        str(pack),
        "--port",
        "0",
        "--no-browser",
    ]
    words += ["--file", str(pack / "tables")]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"(http://\S+)#(\S+)", line):
                    yield f"{found[1]}make#{found[2]}", server.pid
                    break
        finally:
            server.terminate()


def used(pid: int) -> float:
    """The milliseconds of processor time that the threads of a process have used."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(one.read_text(encoding="utf-8").split()[0]) for one in threads) / 1_000_000


def measured(game: str, pack: Path, many: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each answer: by the clock until it is painted, and of the server's processor."""
    with serving(game, pack) as (link, server), started() as browser:
        maker = Maker(browser, link)
        maker.page.evaluate(PAINTED)
        maker.begins("Somebody", "character")
        clock: list[float] = []
        processor: list[float] = []
        for number in range(many):
            heading, at, value = ANSWERS[game][number % len(ANSWERS[game])]
            maker.heading(heading)
            value = value.format(number // len(ANSWERS[game]))
            if value:
                maker.seeks(at, value)
                maker.key(f"{at} + {value}").wait_for()
            maker.page.wait_for_timeout(REST)
            start, painted = used(server), len(maker.page.evaluate("painted"))
            taken = maker.key(f"{at} + {value}") if value else maker.page.get_by_label(f"More {at}")
            taken.click()
            maker.page.wait_for_function("many => painted.length > many", arg=painted)
            processor.append(used(server) - start)
            clock.append(maker.page.evaluate("painted")[painted])
        return clock, processor


if __name__ == "__main__":
    sys.exit(main())

"""The worked examples: `rulesets/starters/GAME/KIND.yaml`, with scenarios beside each.

The folder of each game is a pack, checked and tested like any other. Everything in it is named after
its kind: `my-major`, `my_major` in effect text, `My major` for people; `filled` replaces these names.
"""

from __future__ import annotations

import re

from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST

STARTERS = BUILTIN / "starters"
SCENARIOS = "scenarios"
PACK = "pack"


def games() -> list[str]:
    """The games with examples."""
    return sorted(folder.name for folder in STARTERS.iterdir() if (folder / MANIFEST).is_file())


def kinds(game: str) -> list[str]:
    """The kinds of items with an example for a game."""
    names = {path.stem for path in (STARTERS / game).glob("*.yaml")}
    return sorted(name for name in names if not name.endswith(f"-{SCENARIOS}") and name != PACK)


def example(game: str, kind: str) -> dict[str, str]:
    """The example of a kind: its text, and that of its scenarios under `scenarios`, if any."""
    folder = STARTERS / game
    texts = {kind: (folder / f"{kind}.yaml").read_text(encoding="utf-8")}
    scenarios = folder / f"{kind}-{SCENARIOS}.yaml"
    if scenarios.is_file():
        texts[SCENARIOS] = scenarios.read_text(encoding="utf-8")
    return texts


def title_of(name: str) -> str:
    """The title for a name: `Dark moth` for `dark-moth`."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def filled(text: str, kind: str, name: str) -> str:
    """An example of `kind` with everything in it named after `name`."""
    stands_for = {
        f"my-{kind}": name,
        f"my_{kind.replace('-', '_')}": name.replace("-", "_"),
        title_of(f"my-{kind}"): title_of(name),
        f"my {kind.replace('-', ' ')}": title_of(name).lower(),
    }
    places = re.compile("|".join(map(re.escape, stands_for)))
    return places.sub(lambda found: stands_for[found[0]], text)

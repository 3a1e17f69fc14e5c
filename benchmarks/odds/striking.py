"""The command that works out the odds of a whole blow in Moonstone, against the same of one die.

Both compile the same packs and set up the same two characters; what the blow takes more is the
search. Whoever strikes and whoever is struck may give up EI before their dice, any number of fives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import TOOL, in_turn, with_cache
from benchmarks.speed.characters import written

GIVEN = """\
given:
  things:
    ann: {kind: character, weapons: [long_sword]}
    bert: {kind: character}
  state:
    ann: {here: yes, side: 1, pi: 100, mi: 100, ei: 20}
    bert: {here: yes, side: 2, pi: 100, mi: 100, ei: 20}
"""
BLOW = ("use strike(ann, bert, long_sword)", "--of", "success")
MANY = 980  # with the two of the question as many as the vocabulary allows, or nearly
ROUNDS = 3


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """The blow in the game alone, and on top of a campaign of characters."""
    with TemporaryDirectory() as folder:
        given = Path(folder) / "given.yaml"
        given.write_text(GIVEN, encoding="utf-8")
        if "strike" in keys:
            yield _figure("strike", "moonstone", given, folder)
        if "strike-large" in keys:
            campaign = Path(folder) / "campaign"
            campaign.mkdir()
            written(campaign, MANY)
            yield _figure("strike-large", str(campaign), given, folder, f"{MANY} characters")


def _figure(key: str, pack: str, given: Path, folder: str, note: str = "") -> Figure:
    head, kept = [TOOL, "odds", pack, "--given", str(given)], with_cache(Path(folder) / "cache")
    blow, die = [*head, *BLOW], [*head, "roll luck = 1d6"]
    return Figure(key, *in_turn(blow, die, ROUNDS, **kept), ROUNDS, note=note)

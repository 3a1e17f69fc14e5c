"""The command that works out the odds of a whole blow in Moonstone, against the same of one die.

Both compile the same packs and set up the same two characters; what the blow takes more is the
search. Whoever strikes and whoever is struck may give up EI before their dice, any number of fives.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.characters import written
from benchmarks.harness import Row, processor_time, time_row

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


def rows() -> list[Row]:
    """The blow in the game alone, and on top of a campaign of characters."""
    with TemporaryDirectory() as folder:
        given = Path(folder) / "given.yaml"
        given.write_text(GIVEN, encoding="utf-8")
        campaign = Path(folder) / "campaign"
        campaign.mkdir()
        written(campaign, MANY)
        return [
            _row("`odds` of a whole blow in Moonstone", ["moonstone"], given),
            _row(f"the same beside {MANY} characters", [str(campaign)], given),
        ]


def _row(what: str, packs: Sequence[str], given: Path, rounds: int = 5) -> Row:
    tool = str(Path(sys.executable).with_name("ruleloom"))
    head = [tool, "odds", *packs, "--given", str(given)]
    blow, die = [*head, *BLOW], [*head, "roll luck = 1d6"]
    pairs = [(processor_time(blow), processor_time(die)) for _ in range(rounds)]
    ours, reference = median(one for one, _ in pairs), median(other for _, other in pairs)
    return time_row(f"{what} (reference: `odds` of one die)", ours, reference, 3.0)

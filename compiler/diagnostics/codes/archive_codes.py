"""The codes of packs in zips, and of names that not every system can tell apart.

In the examples `house.zip/cards.yaml` is the entry `cards.yaml` of a zip; it lies beside the folder
of an invented game, `inn`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.compiler.diagnostics.codes import Code, described, pack

_GAME: Mapping[str, str] = {
    "inn/pack.yaml": "kind: pack\nid: inn\nversion: 1.0.0\ngame: inn\nedition: 1\n",
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
}
_MORE = "kind: setting\nid: guests\nvalue: 4\nenglish: how many guests fit into a room\n"
_BEDS = "kind: setting\nid: beds\nvalue: 6\nenglish: how many beds there are\n"


def _zipped(**files: str) -> dict[str, str]:
    """Return the game and a zip of a pack for it, with these entries more."""
    zipped = {"pack.yaml": _GAME["inn/pack.yaml"].replace("id: inn", "id: house"), **files}
    return {**_GAME, **{f"house.zip/{name}": text for name, text in zipped.items()}}


TABLE: dict[str, Code] = {
    "bad-archive": pack(
        "a zip cannot be read as a pack",
        "A zip is read in memory, by strict rules: names that lead nowhere else, each once and in "
        "UTF-8; no links, no passwords, no zip within the zip; and all that it says of an entry must "
        "be so. `python -m zipfile -c house.zip house/` makes a good one.",
        _zipped(**{"../more.yaml": _MORE}),
        _zipped(**{"more.yaml": _MORE}),
    ),
    "archive-too-big": described(
        "a zip is too big, or would be once it is unpacked",
        "A zip of a pack holds at most 20,000 entries and 64 MiB, also once it is unpacked, and 2 MiB in "
        "a file. What unpacks to more than 1 MiB and to more than 200 times its size is a bomb.",
        "a zip of 20,001 entries",
        "a zip of 20,000 entries",
    ),
    "case-clash": pack(
        "two names differ only in capital letters",
        "On many systems they are one file, and the pack could not be unpacked there. Two ways to write "
        "an accent are no difference either.",
        _zipped(**{"more.yaml": _MORE, "More.yaml": _BEDS}),
        _zipped(**{"more.yaml": _MORE, "most.yaml": _BEDS}),
    ),
}

"""Writes `ruleloom/printing/fonts/metrics.json`, the widths of the letters of the fonts that we ship:
`python -m tests.ruleloom.printing.font_metrics`."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from fontTools.ttLib import TTFont

from ruleloom.printing.fonts import FONTS, SUBSETS, Face

FACES = [
    Face(family, bold, italic)
    for family in ("serif", "sans")
    for bold in (False, True)
    for italic in (False, True)
]


def measured() -> dict[str, Any]:
    """The widths by letter and the ascent of each face, in thousandths of the size, and what each subset covers."""
    found: dict[str, Any] = {"ranges": {subset: covered(subset) for subset in SUBSETS}}
    for face in FACES:
        widths: dict[str, int] = {}
        for subset in reversed(SUBSETS):
            font = TTFont(face.path(subset))
            assert font["head"].unitsPerEm == 1000
            wide = {chr(code): font["hmtx"][name][0] for code, name in font.getBestCmap().items()}
            widths |= wide
        found[face.name] = {"ascent": font["hhea"].ascent, "widths": dict(sorted(widths.items()))}
    return found


def covered(subset: str) -> str:
    """The letters of a subset, as CSS writes them: of `latin-ext`, those that `latin` lacks."""
    codes = {one: set(TTFont(FACES[0].path(one)).getBestCmap()) for one in SUBSETS}
    own = sorted(codes[subset] - (codes["latin"] if subset != "latin" else set()))
    starts = [own[0], *(later for one, later in pairwise(own) if later != one + 1)]
    ends = [*(one for one, later in pairwise(own) if later != one + 1), own[-1]]
    return ",".join(f"U+{one:X}-{last:X}" for one, last in zip(starts, ends, strict=True))


def text() -> str:
    """The file."""
    return json.dumps(measured(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    (FONTS / "metrics.json").write_text(text(), encoding="utf-8")

"""The fonts of printed cards, and how wide their letters are.

Alegreya and Alegreya Sans (SIL Open Font License) come as two files a face, `latin` and `latin-ext`.
`metrics.json` holds the widths of their letters: `python -m tests.ruleloom.printing.font_metrics` writes it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.printing.font_file import FontFile
from ruleloom.runtime.dataclass import Frozen

FONTS = Path(__file__).parent / "fonts"
SUBSETS = ("latin", "latin-ext")
FAMILIES = {"serif": "Alegreya", "sans": "Alegreya Sans"}
STANDING_IN = "n"
"""Whose width a letter has that is in neither file."""
NO_FONT = FontFile(b"", {" ": 0}, 0)


class Face(Frozen):
    """One face of a font."""

    family: str
    bold: bool = False
    italic: bool = False

    @property
    def name(self) -> str:
        """Its name: `serif-bold-italic`."""
        style = "-".join(["bold"] * self.bold + ["italic"] * self.italic)
        return f"{self.family}-{style or 'regular'}"

    @property
    def css(self) -> str:
        """The name of its family in documents."""
        return f"Ruleloom {FAMILIES[self.family]}"

    def path(self, subset: str) -> Path:
        """The file of one subset."""
        return FONTS / f"{self.name}.{subset}.woff2"

    def widths(self) -> Mapping[str, int]:
        """The width of each letter, in thousandths of the size."""
        found: dict[str, int] = metrics()[self.name]["widths"]
        return found

    def width(self, text: str) -> int:
        """The width of a text, in thousandths of the size."""
        widths = self.widths()
        return sum(widths.get(letter, widths[STANDING_IN]) for letter in text)

    def missing(self, text: str) -> list[str]:
        """The letters of a text that the face lacks."""
        return sorted({letter for letter in text if letter not in self.widths()})

    @property
    def ascent(self) -> int:
        """The height of a line above its base, in thousandths of the size."""
        return int(metrics()[self.name]["ascent"])

    def rules(self) -> Iterator[str]:
        """The rules of CSS that bring it along."""
        style, weight = ("italic" if self.italic else "normal"), (700 if self.bold else 400)
        for subset in SUBSETS:
            data = b64encode(self.path(subset).read_bytes()).decode()
            yield (
                f"@font-face{{font-family:'{self.css}';font-style:{style};font-weight:{weight};"
                f"src:url(data:font/woff2;base64,{data}) format('woff2');"
                f"unicode-range:{metrics()['ranges'][subset]}}}"
            )


class PackFace(Face):
    """A face from the file of a pack; its family is the pack with the name of the file."""

    file: FontFile = field(default=NO_FONT, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Its name, which is that of no other face of a deck."""
        return f"pack-{self.family.replace('/', '-')}"

    @property
    def css(self) -> str:
        """The name of its family in documents."""
        return f"Pack {self.family}"

    def widths(self) -> Mapping[str, int]:
        """The width of each letter, in thousandths of the size."""
        return self.file.widths

    def width(self, text: str) -> int:
        """The width of a text, in thousandths of the size."""
        widths = self.file.widths
        return sum(widths.get(letter, widths[" "]) for letter in text)

    @property
    def ascent(self) -> int:
        """The height of a line above its base, in thousandths of the size."""
        return self.file.ascent

    def rules(self) -> Iterator[str]:
        """The rule of CSS that brings it along."""
        data = b64encode(self.file.data).decode()
        source = f"src:url(data:font/ttf;base64,{data}) format('truetype')"
        yield f"@font-face{{font-family:'{self.css}';{source}}}"


@cache
def metrics() -> dict[str, Any]:
    """The widths and heights of each face."""
    found: dict[str, Any] = json.loads((FONTS / "metrics.json").read_text(encoding="utf-8"))
    return found


@cache
def letters_in(subset: str) -> frozenset[str]:
    """The letters of one subset, the same in each face."""
    spans = (span[2:].split("-") for span in metrics()["ranges"][subset].split(","))
    return frozenset(
        chr(code) for first, last in spans for code in range(int(first, 16), int(last, 16) + 1)
    )


def font_rules(faces: Iterable[Face]) -> str:
    """The rules of CSS that bring these faces along."""
    return "".join(
        rule for face in sorted(set(faces), key=lambda one: one.name) for rule in face.rules()
    )

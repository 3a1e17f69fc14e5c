"""The codes of requirements: what a game's own items demand of the things that items make."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.example_game import fruit, listed

_LIGHT = """\
- kind: requirement
  id: light
  of: "fruit: Fruit"
  holds: "weight(fruit) <= 3"
  english: "{fruit} is too heavy to be carried"
"""

CONTENT: dict[str, Code] = {
    "requirement": Code(
        "this is not as the rules of its game demand",
        "A `requirement` of the game says what must be so of such a thing before anybody plays. "
        "The note shows where it stands; a pack that means to break it patches or disables it.",
        _LIGHT + listed(fruit("use walk").replace("weight: 1", "weight: 7")),
        _LIGHT + listed(fruit("use walk").replace("weight: 1", "weight: 3")),
        "requirement",
    ),
}

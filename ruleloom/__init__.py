"""Ruleloom from Python: compile packs, play games, loop over prompts.

import ruleloom

game = ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed=7)
while not game.over:
    prompt = game.prompt
    game = game.answer(prompt.id, prompt.options[0].key)
print(game.winner)

More is in docs/embedding.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# What Python and its tools ask of any module: it must not wait for the compiler to hear no.
OWN = ("__version__",)
PARTS = ("ruleloom.api.facade", "ruleloom.api.compiling", "ruleloom.building.building")
"""The modules whose names these are; all but the first bring the compiler."""


def __getattr__(name: str) -> Any:
    # Imported on demand: `ruleloom --version` passes through this module, too.
    if name == "__all__":
        return [one for part in PARTS for one in import_module(part).__all__]
    if name in OWN or not name.startswith("_"):
        for part in map(import_module, PARTS):
            if name in part.__all__:
                return getattr(part, name)
    raise AttributeError(f"module `ruleloom` has no `{name}`")

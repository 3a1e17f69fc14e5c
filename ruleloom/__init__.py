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
OWN = ("__all__", "__version__")


def __getattr__(name: str) -> Any:
    # Imported on demand: `ruleloom --version` passes through this module, too.
    if name in OWN or not name.startswith("_"):
        facade = import_module("ruleloom.api.facade")
        if name in (*facade.__all__, "__all__"):
            return getattr(facade, name)
    raise AttributeError(f"module `ruleloom` has no `{name}`")

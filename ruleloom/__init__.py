"""Ruleloom from Python: compile packs, play games, loop over prompts.

import ruleloom

game = ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed=7)
while not game.over:
    prompt = game.prompt
    game = game.answer(prompt.id, prompt.options[0].key)
print(game.outcome)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "CompileResult",
    "ContentError",
    "Diagnostic",
    "Game",
    "Refused",
    "__version__",
    "compile",
    "load",
    "new_game",
]


def __getattr__(name: str) -> Any:
    # `ruleloom --version` passes through here as well, and is not to wait for a compiler.
    if name in __all__:
        return getattr(import_module("ruleloom.api.facade"), name)
    raise AttributeError(f"module `ruleloom` has no `{name}`")

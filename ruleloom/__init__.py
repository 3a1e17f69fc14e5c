"""Ruleloom from Python: compile packs, play games, loop over prompts.

import ruleloom

game = ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed=7)
while not game.over:
    prompt = game.prompt
    game = game.answer(prompt.id, prompt.options[0].key)
print(game.winner)

docs/embedding.md tells of the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "AnswerData",
    "CompileResult",
    "Compiler",
    "ContentError",
    "Diagnostic",
    "FileFault",
    "Game",
    "GameOver",
    "Option",
    "OutOfRange",
    "Outcome",
    "Program",
    "Prompt",
    "PromptData",
    "Refusal",
    "Refused",
    "RuleloomError",
    "RuntimeFault",
    "SaveError",
    "SeatView",
    "StaleAnswer",
    "TooMuchWork",
    "WireError",
    "__version__",
    "compile",
    "load",
    "log",
    "new_game",
    "prompt_data",
    "read_answer",
    "read_prompt",
    "save",
    "view",
]


def __getattr__(name: str) -> Any:
    # `ruleloom --version` passes through here as well, and is not to wait for a compiler.
    if name in __all__:
        return getattr(import_module("ruleloom.api.facade"), name)
    raise AttributeError(f"module `ruleloom` has no `{name}`")

"""Prompts and answers as JSON, in both directions, for remote players.

Input is untrusted: it must match `schemas/prompt.schema.json`, and anything else raises WireError.
"""

from __future__ import annotations

from typing import Any, TypedDict, cast

from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.view import PromptView, prompt_view
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import RuleloomError
from ruleloom.runtime.search.options import Prompt

LONGEST_MESSAGE = 1_000_000  # characters


class WireError(RuleloomError):
    """A text that is no prompt or answer."""


class PromptData(PromptView):
    """A prompt to send; `player` is None for dice and decks, and a form may be filled in with `usual`."""

    player: str | None
    usual: list[str] | None


class AnswerData(TypedDict):
    """An answer to send: the id of its prompt, and the keys of the chosen options."""

    prompt: str
    keys: list[str]


def prompt_data(game: Game, prompt: Prompt) -> PromptData:
    """Return a prompt of this game as JSON data, to send to its player."""
    return {
        **prompt_view(prompt),
        "player": None if prompt.player is None else game.players[prompt.player],
        "usual": None if prompt.usual is None else list(prompt.usual),
    }


def read_prompt(text: str) -> PromptData:
    """Return the prompt in a text."""
    return cast(PromptData, _read(text, "prompt", "options"))


def read_answer(text: str) -> AnswerData:
    """Return the answer in a text; `game.answer` checks whether it is on offer."""
    return cast(AnswerData, _read(text, "answer", "keys"))


def _read(text: str, what: str, mark: str) -> dict[str, Any]:
    if len(text) > LONGEST_MESSAGE:
        raise WireError(f"this is longer than any {what}")
    try:
        data = cast(dict[str, Any], read_json(text))
    except SaveError as error:
        raise WireError(f"this is no {what}: {error.message}") from None
    if not schemas_of(SCHEMAS, None).passes("prompt", data) or mark not in data:
        raise WireError(f"this is no {what}: it has not the form of schemas/prompt.schema.json")
    return data

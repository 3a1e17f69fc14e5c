"""The one catalogue of what the server and its page say in English, ready to be translated."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

LANGUAGE = "en"


@lru_cache(maxsize=1)
def catalogue() -> dict[str, str]:
    """Every text by its name."""
    text = files("ruleloom.web").joinpath("static", f"{LANGUAGE}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def told(text_name: str, **values: object) -> str:
    """A text of the catalogue with these values in its holes, which are written `{so}`."""
    text = catalogue()[text_name]
    for hole, value in values.items():
        text = text.replace("{" + hole + "}", str(value))
    return text

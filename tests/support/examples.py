"""How many examples a property is tried with, as its share of what the profile says."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(share: float, **options: Any) -> settings:
    """Settings of Hypothesis with so much more, or fewer, examples than other properties have."""
    return settings(max_examples=round(share * settings().max_examples), **options)

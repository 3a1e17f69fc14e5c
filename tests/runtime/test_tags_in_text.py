"""Tags that a text names, and slips for them."""

from __future__ import annotations

import pytest

from ruleloom.runtime.link.tags_in_text import named, slip

TAGS = ("healer", "tomb_guard", "art")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Healer of beasts", ("healer",)),
        ("an old tomb guard, HEALER too", ("healer", "tomb_guard")),
        ("Tomb-guard", ("tomb_guard",)),
        ("guard of a tomb", ()),
        ("a part of it", ()),
        ('called "the healer"', ()),
        ("called “healer”; knows art", ("art",)),
        ("", ()),
    ],
)
def test_tags_are_whole_words_outside_quotation_marks(text: str, found: tuple[str, ...]):
    assert named(text, TAGS) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a heeler", ("heeler", "healer")),
        ("healers", ("healers", "healer")),
        ("of the tomb gard", ("tomb gard", "tomb guard")),
        ("a tomb guard and healer", None),
        ('"heeler" is what they say', None),
        ("an ant, a tart, a car", None),
        ("kind to dogs", None),
    ],
)
def test_what_is_nearly_a_tag_is_a_slip(text: str, found: tuple[str, str] | None):
    said = f"is `{found[0]}` meant as `{found[1]}`?" if found else ""
    assert slip(text, TAGS).partition(" Write")[0] == said

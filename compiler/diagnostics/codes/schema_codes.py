"""The codes of the schema pass: which fields an item has, and what may stand in them."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code

_GOOD = "kind: setting\nid: hand_size\nvalue: 3\nenglish: the most cards in a hand\n"


def _setting(*lines: str) -> str:
    """Return a setting with the fields of *lines* instead of those it has under the same names."""
    fields = {line.partition(":")[0]: line for line in (*_GOOD.splitlines(), *lines)}
    return "".join(f"{line}\n" for line in fields.values())


def _inn_with_rooms(most: int) -> dict[str, str]:
    """Return a game whose schema lets a number go up to a million."""
    return {
        "inn/pack.yaml": "kind: pack\nid: inn\nversion: 1.0.0\ngame: inn\nedition: 1\n",
        "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\nkinds: {setting: {makes: Room}}\n"
        "entities:\n  Room:\n    noun: [room, rooms]\n    records: [setting]\n    max: 9\n"
        f"    static: {{max: {{type: Int, default: 0, max: {most}}}}}\n",
    }


TABLE: dict[str, Code] = {
    "not-an-item": Code(
        "a file or an entry of its list is no item",
        "A file holds one item or a list of items, and an item is a set of fields.",
        "just some words\n",
        _GOOD,
        "schema",
    ),
    "missing-kind": Code(
        "an item does not say what kind it is",
        "The kind decides which fields an item has.",
        "id: hand_size\nvalue: 3\n",
        _GOOD,
        "schema",
    ),
    "unknown-kind": Code(
        "there is no such kind of item",
        "The game's schemas say which kinds there are.",
        _setting("kind: seting"),
        _GOOD,
        "schema",
    ),
    "unknown-field": Code(
        "an item of this kind has no such field",
        "A misspelt field would silently do nothing.",
        _setting("englsh: the most cards").replace("english: the most cards in a hand\n", ""),
        _GOOD,
        "schema",
    ),
    "missing-field": Code(
        "a field is missing",
        "Without it the item is not complete.",
        "kind: setting\nid: hand_size\nvalue: 3\n",
        _GOOD,
        "schema",
    ),
    "wrong-type": Code(
        "a field holds another sort of value",
        "Text, number, true or false, list and map are different sorts; quotes make text of anything.",
        _setting("english: 3"),
        _GOOD,
        "schema",
    ),
    "not-a-choice": Code(
        "a word is none of those that can stand here",
        "The field knows a fixed set of words.",
        _setting("type: Integer"),
        _setting("type: Int"),
        "schema",
    ),
    "out-of-range": Code(
        "a number is too small or too large",
        "The field has a smallest and a largest value.",
        _setting("max: 9000000"),
        _setting("max: 9000"),
        "schema",
    ),
    "wrong-count": Code(
        "a list or map has too few or too many entries",
        "The field says how many entries it can have.",
        _setting("tags: []"),
        _setting("tags: [cards]"),
        "schema",
    ),
    "repeated-entry": Code(
        "an entry stands in a list twice",
        "Each entry of this list may stand in it once.",
        _setting("tags: [cards, hand, cards]"),
        _setting("tags: [cards, hand]"),
        "schema",
    ),
    "empty-text": Code(
        "a text is empty or too short",
        "The field needs words.",
        _setting("english: ''"),
        _GOOD,
        "schema",
    ),
    "bad-id": Code(
        "an id holds what ids cannot hold",
        "An id begins with a small letter; up to 63 small letters, digits, `-` or `_` may follow.",
        _setting("id: Hand Size"),
        _GOOD,
        "schema",
    ),
    "wrong-form": Code(
        "a text does not have the form it needs here",
        "The field is read by the compiler, so its text must follow a pattern.",
        _setting("since: one dot two"),
        _setting("since: 1.2.0"),
        "schema",
    ),
    "wrong-fields": Code(
        "the fields of an item do not go together",
        "Some fields exclude or need each other.",
        _setting("hidden: true", "tags: [cards]"),
        _setting("hidden: false", "tags: [cards]"),
        "schema",
    ),
    "schema-disagrees": Code(
        "a schema and the vocabulary have other bounds for a number",
        "What is printed has to keep both, so that a bound which only one of them has in this way would do nothing, or "
        "less than it says.",
        _inn_with_rooms(900_000),
        _inn_with_rooms(1_000_000),
        "pack",
    ),
}

"""The codes of the schema pass: which fields an item has, and what may stand in them."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, pack, schema

_GOOD = "kind: setting\nid: hand_size\nvalue: 3\nenglish: the most cards in a hand\n"


def _setting(*lines: str) -> str:
    """Return a setting with the fields of *lines* instead of those it has under the same names."""
    fields = {line.partition(":")[0]: line for line in (*_GOOD.splitlines(), *lines)}
    return "".join(f"{line}\n" for line in fields.values())


# A game whose schema lets a number go up to a million.
_ROOMS = {
    "inn/pack.yaml": "kind: pack\nid: inn\nversion: 1.0.0\ngame: inn\nedition: 1\n",
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\nkinds: {setting: {makes: Room}}\n"
    "entities:\n  Room:\n    noun: [room, rooms]\n    records: [setting]\n    max: 9\n"
    "    static: {max: {type: Int, default: 0, max: «900000¦1000000»}}\n",
}

TABLE: dict[str, Code] = {
    "not-an-item": schema(
        "a file or an entry of its list is no item",
        "A file holds one item or a list of items, and an item is a set of fields.",
        "just some words\n",
        _GOOD,
    ),
    "missing-kind": schema(
        "an item does not say what kind it is",
        "The kind decides which fields an item has.",
        "«¦kind: setting\n»id: hand_size\nvalue: 3\n«¦english: the most cards in a hand\n»",
    ),
    "unknown-kind": schema(
        "there is no such kind of item",
        "The game's schemas say which kinds there are.",
        _setting("kind: «seting¦setting»"),
    ),
    "unknown-field": schema(
        "an item of this kind has no such field",
        "A misspelt field would silently do nothing.",
        "kind: setting\nid: hand_size\nvalue: 3\n«englsh¦english»: the most cards«¦ in a hand»\n",
    ),
    "missing-field": schema(
        "a field is missing",
        "Without it the item is not complete.",
        "kind: setting\nid: hand_size\nvalue: 3\n«¦english: the most cards in a hand\n»",
    ),
    "wrong-type": schema(
        "a field holds another sort of value",
        "Text, number, true or false, list and map are different sorts; quotes make text of anything.",
        _setting("english: «3¦'3'»"),
    ),
    "not-a-choice": schema(
        "a word is none of those that can stand here",
        "The field knows a fixed set of words.",
        _setting("type: «Integer¦Int»"),
    ),
    "out-of-range": schema(
        "a number is too small or too large",
        "The field has a smallest and a largest value.",
        _setting("max: «9000000¦9000»"),
    ),
    "wrong-count": schema(
        "a list or map has too few or too many entries",
        "The field says how many entries it can have.",
        _setting("tags: [«¦cards»]"),
    ),
    "repeated-entry": schema(
        "an entry stands in a list twice",
        "Each entry of this list may stand in it once.",
        _setting("tags: [cards, hand«, cards¦»]"),
    ),
    "empty-text": schema(
        "a text is empty or too short",
        "The field needs words.",
        _setting("english: '«¦a hand»'"),
    ),
    "bad-id": schema(
        "an id holds what ids cannot hold",
        "An id begins with a small letter; up to 63 small letters, digits, `-` or `_` may follow.",
        _setting("id: «Hand Size¦hand_size»"),
    ),
    "wrong-form": schema(
        "a text does not have the form it needs here",
        "The field is read by the compiler, so its text must follow a pattern.",
        _setting("since: «one dot two¦1.2.0»"),
    ),
    "wrong-fields": schema(
        "the fields of an item do not go together",
        "Some fields exclude or need each other.",
        _setting("hidden: «true¦false»", "tags: [cards]"),
    ),
    "schema-disagrees": pack(
        "a schema and the vocabulary have other bounds for a number",
        "A printed value has to keep both bounds, so that the wider one does nothing.",
        _ROOMS,
    ),
}

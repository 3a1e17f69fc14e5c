"""Phrases for values: the value of a field, the expected one, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode

SHOWN, SHORT_LIST = 60, 4
WANTED = {
    "string": "text",
    "integer": "a whole number",
    "number": "a whole number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a map, of names and values",
    "null": "nothing",
}
FOUND = {
    "text": "is text",
    "int": "is a number",
    "bool": "is no text",
    "map": "is a map",
    "list": "is a list",
}
TYPES_OF = {"int": frozenset({"integer", "number"}), "bool": frozenset({"boolean"})}
# A comment sign directly before a word was probably meant as the beginning of a text.
COMMENT = re.compile(r"[ \t]*#(?=[^\s#~])")
YES = {"yes", "y", "on", "true", "1"}
NO = {"no", "n", "off", "false", "0"}
GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:[_,' ][0-9]{3})+")
PADDED = re.compile(r"[-+]?0*([0-9]{1,15})")
FRACTION = re.compile(r"[-+]?[0-9]*[.,/][0-9]+")


def excerpt(node: YamlNode) -> str:
    """Return the source of a value as one short line."""
    first, newline, _ = node.raw.partition("\n")
    return first[:SHOWN] + "…" if newline or len(first) > SHOWN else first


def types_phrase(types: Sequence[str]) -> str:
    """Return the phrase for a value of one of these types."""
    words = list(dict.fromkeys(WANTED[name] for name in types))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def value_phrase(node: YamlNode) -> str:
    """Return the phrase for the value of a node: "`no` is text"."""
    if node.kind == "null":
        return "there is nothing here"
    if node.kind == "text" and node.style is not None:
        return f"{excerpt(node)} is text" if node.style in "\"'" else "this is text"
    if node.kind in ("map", "list") and node.style is None:
        return f"this {FOUND[node.kind]}"
    if node.kind == "bool":
        return f"`{excerpt(node)}` is a yes or no"
    return f"`{excerpt(node)}` {FOUND[node.kind]}"


def how_to_write(node: YamlNode, types: Collection[str]) -> str | None:
    """Return the help to write a value of one of these types, if that is clear."""
    if node.kind == "null":
        is_comment = COMMENT.match(node.source.text, node.end)
        help = "`#` begins a comment; put a text that begins with it in quotes"
        return help if is_comment else None
    is_plain = node.kind in ("int", "bool")
    text = node.raw if is_plain else node.text
    if text is not None and "boolean" in types and (word := text.strip().lower()) in YES | NO:
        return f"write {'`true`' if word in YES else '`false`'}, without quotes"
    if text is not None and {"integer", "number"} & set(types):
        return how_to_write_number(text.strip())
    if len(node.items) == 1 and TYPES_OF.get(node.items[0].kind, frozenset()) & set(types):
        return without_brackets(node)
    ways = {"string": _as_text(node), "object": _as_map(node), "array": _as_list(text)}
    return next((help for name, help in ways.items() if name in types and help), None)


def without_brackets(node: YamlNode) -> str | None:
    """Return the help to write a list's only element without the list."""
    if node.style != "[" or len(node.items) != 1:
        return None
    return f"write `{node.items[0].raw}`, without brackets"


def _as_text(node: YamlNode) -> str | None:
    if node.kind in ("int", "bool"):
        return f'write "{node.raw}"'
    if node.style in ("{", "["):
        return f"to begin a text with `{node.style}`, put the text in quotes"
    return None


def _as_map(node: YamlNode) -> str | None:
    names = [one.text for one in node.items if one.text is not None]
    if not names or len(names) < len(node.items) or len(names) > SHORT_LIST:
        return None
    return f"write `{{{', '.join(f'{name}: ...' for name in names)}}}`"


def _as_list(text: str | None) -> str | None:
    if text is None or "\n" in text or len(text) > SHOWN:
        return None
    return f"write `[{text.strip().strip('[]')}]`"


def place_of_value(node: YamlNode) -> Place:
    """Return the place of a value; of an empty one, the comment sign that hides it, if any."""
    hidden = COMMENT.match(node.source.text, node.end) if node.kind == "null" else None
    return node.place if hidden is None else node.source.place(hidden.end() - 1, hidden.end())


def how_to_write_number(text: str) -> str | None:
    """Return the help to write the number that *text* means, if that is clear."""
    if GROUPED.fullmatch(text):
        return f"write `{re.sub(r'[^-0-9]', '', text)}`"
    padded = PADDED.fullmatch(text)
    if padded and text.isascii():
        sign = "-" if text.startswith("-") else ""
        return f"write `{sign}{padded[1].lstrip('0') or '0'}`, without quotes"
    if text.lstrip("+-").isdecimal():
        return "write a number of at most 15 digits"
    if FRACTION.fullmatch(text):
        return "write a whole number"
    digits = re.findall(r"[0-9]{1,9}", text)
    if len(digits) == 1:
        return f"write `{digits[0]}`"
    return None if digits else "write it in digits"

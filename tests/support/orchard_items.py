"""Items of the orchard, the game of the checker's examples."""

from __future__ import annotations


def fruit(*lines: str) -> str:
    """Return a fruit with this effect."""
    effect = "".join(f"  {line}\n" for line in lines)
    return f"kind: fruit\nid: apple\nweight: 1\ntint: red\neffect: |\n{effect}"


def abilities(*lines: str, kind: str = "fruit") -> str:
    """Return an item with these abilities."""
    text = "".join(f"  {line}\n" for line in lines)
    head = {"fruit": "weight: 1\ntint: red\n", "keyword": "gloss: strong\n", "stone": ""}[kind]
    return f"kind: {kind}\nid: apple\n{head}abilities: |\n{text}"


def listed(item: str) -> str:
    """Return an item as an entry of a list."""
    first, *rest = item.splitlines()
    return f"- {first}\n" + "".join(f"  {line}\n" for line in rest)

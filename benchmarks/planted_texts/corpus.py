"""The items of the data files as packs, each with its right and wrong texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ruleloom.compiler.build import RULES, names_and_effects
from ruleloom.compiler.english.compare import PrintedTitles, TextAndRules, differences
from ruleloom.compiler.english.reading.contradictions import contradictions
from ruleloom.compiler.english.reading.rules import facts_of_text
from ruleloom.compiler.english.rules_text import Book, own_words
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import Compiler
from ruleloom.compiler.query.reuse import Generations

HERE = Path(__file__).parent
GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
FIELDS: Mapping[str, Mapping[str, int]] = {"major": {"number": 50}}
"""Numbers of cards, which have to differ."""


class Planted(NamedTuple):
    """An item, its book, and its texts; each wrong one with the family of its slip."""

    sides: TextAndRules
    right: Sequence[str]
    wrong: Sequence[tuple[str, str]]

    def found(self, text: str) -> list[str]:
        """What is said about a text in place of the item's own."""
        sides = TextAndRules(self.sides.item, self.sides.book, self.sides.names, text)
        return [one.message for one in differences(sides)]

    def contradicted(self, text: str) -> list[str]:
        """The words of a text that contradict the rules."""
        said = facts_of_text(text, self.sides.names.lexicon)
        return [one.said.words for one in contradictions(said, self.sides.told)]


@cache
def compiler() -> Compiler:
    """One compiler, which caches the shipped packs."""
    return Compiler()


def books(content: Content) -> tuple[Book, PrintedTitles]:
    """The book of a sound game, and its titles."""
    symbols, effects = names_and_effects(content, Generations())
    return Book(content, symbols, effects), PrintedTitles(content, symbols)


def written_by_hand(name: str, folder: Path) -> list[Planted]:
    """The items of a data file, compiled in a pack for each game under `folder`."""
    entries = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    found: list[Planted] = []
    for game in GAMES:
        mine = [(at, one) for at, one in enumerate(entries) if one["game"] == game]
        content = _content(folder / game, game, [_item(at, one) for at, one in mine])
        book, names = books(content)
        for at, one in mine:
            item = content.by_id[f"texts-{game}:{one['kind']}/item-{at}"]
            wrong = [(family, text) for family, text in one["wrong"]]
            found.append(Planted(TextAndRules(item, book, names), one["right"], wrong))
    return found


PACKS = (*BUILTIN.glob("examples/*/pack.yaml"), *BUILTIN.glob("starters/*/pack.yaml"))


def shipped() -> Iterator[Planted]:
    """The items with rules and a text in the examples and starters, and in the games below them."""
    seen: set[tuple[str, str]] = set()
    for pack in sorted(PACKS):
        content = compiler().compile([pack.parent]).content
        assert content is not None
        book, names = books(content)
        for item in content.items:
            text = own_words(item, book.settings)
            printed = text and any(name in item.fields for name in RULES)
            if printed and (item.id, text) not in seen:
                seen.add((item.id, text))
                yield Planted(TextAndRules(item, book, names), [text], [])


def generated(games: Sequence[str] = GAMES) -> Iterator[Planted]:
    """The items of the games, each with its generated rules as its text."""
    for game in games:
        content = compiler().compile([game]).content
        assert content is not None
        book, names = books(content)
        for item in content.items:
            if text := book.brief(item):
                yield Planted(TextAndRules(item, book, names), [text], [])


def _item(at: int, entry: Mapping[str, Any]) -> dict[str, object]:
    rules = {name: entry[name] for name in ("effect", "abilities") if name in entry}
    fields = {name: value + at for name, value in FIELDS.get(entry["kind"], {}).items()}
    head = {"kind": entry["kind"], "id": f"item-{at}", "title": f"Item {at}"}
    return {**head, **fields, **entry.get("fields", {}), "text": entry["right"][0], **rules}


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def _content(folder: Path, game: str, items: list[dict[str, object]]) -> Content:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {
        "kind": "pack",
        "id": f"texts-{game}",
        "version": "1.0.0",
        "game": game,
        "edition": 1,
    }
    (folder / "pack.yaml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    written = yaml.dump(items, Dumper=_Dumper, sort_keys=False)
    (folder / "items.yaml").write_text(written, encoding="utf-8")
    made = compiler().compile([folder])
    errors = [one for one in made.diagnostics if one.severity == "error"]
    if made.content is None or made.program is None:
        raise ValueError("\n".join(f"{one.place.line}: {one.message}" for one in errors))
    return made.content

"""The words and tables of a game as HTML, for programs that show such; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ruleloom.export.game_data import ItemData, Lookup, RollOdds
from ruleloom.reference.dice import percent


def words_html(item: ItemData) -> str:
    """The words of an item, a paragraph each."""
    lines = filter(None, (item.card or item.rules).splitlines())
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def lookup_html(lookup: Lookup) -> str:
    """A table of the rules."""
    return f"<p>{escape(lookup.about)}</p>{_table(lookup.heads, lookup.rows)}"


def odds_html(odds: RollOdds) -> str:
    """The odds of a roll."""
    rows = [(value, f"{chance} ({percent(chance)})") for value, chance in odds.rows]
    return f"<p>{escape(odds.dice)}</p>{_table(('value', 'chance'), rows)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(one)}</td>' for one in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

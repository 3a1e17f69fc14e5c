"""Lists of numbered lines to choose from, and the words by which somebody chooses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ruleloom.table.canvas import fill, seen_width, wrapped

# More lines than this are set in columns, if at least two fit; and the maximum of columns.
MANY, MOST_COLUMNS = 6, 4
MARGIN = "      "
NUMBERED = "{:>4}  {}"


def in_columns(texts: Sequence[str], width: int) -> list[str]:
    """Texts in columns if there are many and at least two fit, else each in lines of its own."""
    wide = max(map(seen_width, texts), default=0) + 2
    if len(texts) > MANY and 2 * wide <= width:
        many = min(MOST_COLUMNS, width // wide)
        rows = (texts[first : first + many] for first in range(0, len(texts), many))
        return ["".join(fill(text, wide) for text in row).rstrip() for row in rows]
    return [line for text in texts for line in wrapped(text, width, MARGIN)]


def words_of(line: str) -> list[str]:
    """The parts of a line, split at commas, or else at blanks."""
    parts = line.split(",") if "," in line else line.split()
    return [part.strip() for part in parts if part.strip()]


def command_in(line: str, takes_text: bool, alone: Collection[str]) -> str | None:
    """The command on a typed line, if any; None where a text is asked for and it is one. There, only these
    words `alone` are commands, and what begins with `?` or `/`."""
    line = line.strip()
    if not takes_text or line.startswith("?") or line.lower() in alone:
        return line
    return line[1:] if line.startswith("/") else None


def called(word: str, names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The keys of what has this name, or else this prefix."""
    wanted = word.lower()
    exact = [key for key, known in names.items() if wanted in known]
    if word in exact:
        return [word]
    return exact or [k for k, known in names.items() if any(n.startswith(wanted) for n in known)]

"""Words of a game found without looking at all of them: thousands of things may have names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from ruleloom.compiler.analysis.words import GameWord


class WordIndex:
    """Some words, by their name, and by the letters with which the parts of it begin."""

    def __init__(self, words: Iterable[GameWord]) -> None:
        self.words: Sequence[GameWord] = tuple(words)
        self._named = {one.name: one for one in self.words}
        self._begun: dict[str, list[GameWord]] = defaultdict(list)
        for one in self.words:
            for letter in {part[:1] for part in one.name.lower().split("_")}:
                self._begun[letter].append(one)

    def begun_with(self, written: str) -> Sequence[GameWord]:
        """Those words of which a part begins with the first letter that is written; none where nothing
        is."""
        return self._begun.get(written[:1].lower(), ())

    def among(self, names: AbstractSet[str]) -> list[GameWord]:
        """Those words whose names are among some."""
        return [self._named[name] for name in self._named.keys() & names]

"""Completion: what may be written at a place of a file, whatever stands there."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property

from ruleloom.compiler.analysis.effect_cursor import LANGUAGE, effect_cursor
from ruleloom.compiler.analysis.words import GameWords
from ruleloom.compiler.analysis.yaml_cursor import YamlCursor, yaml_cursor
from ruleloom.editor.completion.candidates import Candidate, Completions, offered
from ruleloom.editor.completion.common_fields import place_of, sorts_here
from ruleloom.editor.completion.effect_names import EffectNames
from ruleloom.editor.completion.name_tables import NameTables, name_tables
from ruleloom.editor.completion.nearness import Nearness
from ruleloom.editor.completion.usage import Usage
from ruleloom.editor.completion.yaml_names import YamlNames
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

BINDER = re.compile(r"\bfor (\w+):")


@dataclass
class Completer:
    """Completes for one state of some packs; what is usual may come of an earlier state."""

    snapshot: Snapshot
    known_usage: Usage | None = None

    @property
    def words(self) -> GameWords:
        """The words of effect texts."""
        return self.snapshot.kept.words

    @cached_property
    def usage(self) -> Usage:
        """The counts of names by their surroundings."""
        return self.known_usage or usage_of(self.snapshot, self.words)

    @property
    def usage_if_known(self) -> Usage | None:
        """The counts of names, if they have been made."""
        return self.known_usage or self.__dict__.get("usage")

    @cached_property
    def tables(self) -> NameTables:
        """The names in YAML, by sort."""
        return name_tables(self.snapshot.kept)

    @cached_property
    def effects(self) -> EffectNames:
        """The completion of effect texts."""
        return EffectNames(self.words, self.usage)

    @cached_property
    def yaml(self) -> YamlNames:
        """The completion of fields."""
        return YamlNames(self.snapshot, self.tables, self.usage)

    def complete(self, text: str, offset: int) -> Completions:
        """The completions at an offset of a text."""
        cursor = yaml_cursor(text, offset)
        effect = effect_cursor(self.snapshot.kept, cursor)
        if effect is not None:
            found = list(self.effects.candidates(effect, Nearness(cursor.item.text, cursor.start)))
            # `sum(f(x) for x: list)` names its variable behind the place.
            binders = BINDER.findall(text[offset:].partition("\n")[0])
            found += [Candidate(name, "local variable", 0.2) for name in binders]
            offer = offered(offset - len(effect.word), offset, effect.word, found)
            is_part = self.effects.has_many and not effect.word
            return replace(offer, is_complete=offer.is_complete and not is_part)
        whole = _with_spaces(cursor)
        if whole is not None and any(sorts_here(place_of(cursor), self.tables)):
            offer = self._in_yaml(whole, offset)
            if offer.candidates:
                return offer
        return self._in_yaml(cursor, offset)

    def _in_yaml(self, cursor: YamlCursor, offset: int) -> Completions:
        """The completions in a field."""
        return offered(cursor.start, offset, cursor.word, self.yaml.candidates(cursor))

    def prepare(self) -> None:
        """Work out beforehand what every completion needs."""
        _ = self.effects.things, self.yaml, self.tables.sorts


def _with_spaces(cursor: YamlCursor) -> YamlCursor | None:
    """A place in a value of several words, with all of them as the word: a label may be meant."""
    written = cursor.before
    if written is None or cursor.is_block or " " not in written.strip(" "):
        return None
    start = cursor.start + len(cursor.word) - len(written)
    return replace(cursor, word=written, start=start)


def usage_of(snapshot: Snapshot, words: GameWords) -> Usage:
    """The counts of names in some packs."""
    tables = (*words.callable_tables, words.events, *words.things.values(), *words.options.values())
    return Usage.of(snapshot.now, LANGUAGE.union(*tables))

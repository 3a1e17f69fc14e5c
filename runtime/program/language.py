"""A language: what its readers read in place of the English of a program and of the machine.

A noun phrase may have several forms, by the names that its language gives them (`akk`); a hole of a text
names the form that it takes: `{me} zieht {card:akk}`. English has no forms, and its texts stand in the
program and in the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program, Words

FORMED_HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Phrase(str):
    """A noun phrase as it stands alone, with its forms within a sentence."""

    forms: Mapping[str, str]

    @classmethod
    def of(cls, alone: str, forms: Mapping[str, str]) -> Phrase:
        """The phrase with these forms."""
        made = cls(alone)
        made.forms = forms
        return made

    def map(self, change: Callable[[str], str]) -> Phrase:
        """The phrase with each form changed."""
        return Phrase.of(change(self), {form: change(text) for form, text in self.forms.items()})


def in_form(text: str, form: str | None) -> str:
    """A text in a form; as it stands alone if it has no such form."""
    return text.forms.get(form or "", str(text)) if isinstance(text, Phrase) else text


def in_all_forms(parts: Iterable[str]) -> str:
    """Parts of a phrase as one, in each form that any of them has."""
    every = tuple(parts)
    forms = {form for part in every if isinstance(part, Phrase) for form in part.forms}
    text = "".join(every)
    if not forms:
        return text
    return Phrase.of(text, {one: "".join(in_form(part, one) for part in every) for one in forms})


class Language(Frozen):
    """A language by its code, `de`. The `texts` of routines and reasons are read in place of those of the
    rows, which stay as they are: keys of answers come from them. `says` has our own sentences, by the
    English one; `program` all other texts of the game, or is None."""

    code: str
    texts: Mapping[Words, Words] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    program: Program | None = None
    own: Mapping[str, str] = field(default_factory=dict)
    """How a thing of a kind is told that belongs to whom a sentence is about."""
    sentences: tuple[str, ...] = ()
    """The sentences of the rules that packs translate as wholes, in English."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """The titles of items, by the English one."""
    act: tuple[str, str] = (r"(?s)([^ ]*).*", r"\1s ")
    """The verb of a choice, `turn a piece`, and how a sentence tells that somebody does it: `turns `."""

    articles: str = r"(?!)"
    """The article at the start of the name of a thing."""
    sentences_said: Callable[[], Mapping[str, str]] = dict
    """All sentences, with those that are made of the rules when this is first asked."""
    with_rules: Callable[[Program], Program] = lambda program: program
    """The program with its rules texts, which `program` has in English."""

    def bare(self, name: str) -> str:
        """The name of a thing without its article."""
        return re.sub(self.articles, "", name, count=1)

    def of(self, words: Words) -> Words:
        """A text of the program in this language; in English if it lacks."""
        return self.texts.get(words, words) if self.texts else words

    def said(self, sentence: str, **values: str) -> str:
        """A sentence of ours with its holes filled."""
        text = self.says.get(sentence, sentence) if self.says else sentence
        return FORMED_HOLE.sub(lambda hole: in_form(values[hole[1]], hole[2]), text)

    def refusal(self, refused: Refused) -> str:
        """Why something is refused; in English if this language lacks the sentence."""
        if refused.sentence not in self.says:
            return refused.reason
        return self.said(refused.sentence, **refused.values)


ENGLISH = Language("en")

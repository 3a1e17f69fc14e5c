"""A language for the readers of a program: the texts of translation packs, and the tables of the language.

The names of all languages stand here. A text that no pack translates stays English, as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from ruleloom.compiler.german import noun
from ruleloom.compiler.german.realiser import FORMS_OF_WORDS, Sentences
from ruleloom.compiler.german.sentences import SENTENCES
from ruleloom.compiler.german.written import OWN_HOLES, misspelt
from ruleloom.compiler.translation.originals import options, originals, titles_in, told
from ruleloom.compiler.translation.realised import Realiser
from ruleloom.compiler.translation.rules_sentences import in_sentences, unmarked
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.language import Language, in_all_forms
from ruleloom.runtime.program.program import CardText, Entity, Program, Words

Pairs = tuple[tuple[str, str], ...]


class Tables(Frozen):
    """The tables of a language: its name for readers, noun phrases in all forms (with a definite article, or
    with an indefinite one), the numbers in a text, our own sentences; the verb of a choice, and how a
    sentence tells that somebody does it; the article before the name of a thing; what makes sentences of
    clause trees, by the words of a game, the forms and holes that only these have, and what is wrong with
    them."""

    name: str
    forms: tuple[str, ...]
    declined: Callable[[str], str]
    indefinite: Callable[[str], str]
    numbers_in: Callable[[str], set[int]]
    sentences: Mapping[str, str]
    act: tuple[str, str]
    articles: str
    of_owner: str
    """What names the owner in a description, left out where the sentence is about the owner."""
    realiser: Callable[[Mapping[str, str]], Realiser]
    forms_of_words: tuple[str, ...]
    own_holes: tuple[str, ...]
    misspelt: Callable[[str], str]
    """What is wrong with words that sentences are made of; empty if nothing is."""


def _indefinite(text: str) -> str:
    return noun.declined(text, indefinite=True)


LANGUAGES: Mapping[str, Tables] = {
    "de": Tables(
        "Deutsch",
        (*noun.CASES, *noun.PREPOSITIONS),
        noun.declined,
        _indefinite,
        noun.numbers_in,
        SENTENCES,
        (r"(?s).*?(\w+?)e?n$", r"\1t "),
        r"^(?:[Dd]er|[Dd]ie|[Dd]as|[Dd]en|[Ee]in|[Ee]ine|[Ee]inen) ",
        " von {owner}",
        Sentences,
        FORMS_OF_WORDS,
        OWN_HOLES,
        misspelt,
    ),
}


def language_of(
    program: Program,
    code: str,
    texts: Mapping[str, str],
    sentences: Mapping[str, str],
    made: Callable[[], Mapping[str, str]],
) -> Language:
    """The language of a program, by the translation of each text, and of whole sentences of its rules: those
    that people wrote, and those that are `made` where these lack."""
    tables = LANGUAGES[code]
    words: dict[Words, Words] = {
        one.words: told(one, texts[one.text])
        for one in originals(program)
        if one.words is not None and one.text in texts
    }
    says = {**texts, **sentences, **tables.sentences}
    every = cache(lambda: {**made(), **says})
    return Language(
        code,
        words,
        says,
        _translated(program, tables, texts),
        _own(program, tables, texts),
        tuple(sentences),
        _titles(program, tables, texts),
        tables.act,
        tables.articles,
        every,
        lambda read: _with_rules(read, unmarked(every())),
    )


def _titles(program: Program, tables: Tables, texts: Mapping[str, str]) -> dict[str, str]:
    """The titles of items, as they stand alone."""
    bases = {base for one in program.entities for base, _ in titles_in(one).values()}
    return {one: str(tables.declined(texts[one])) for one in bases if one in texts}


def _own(program: Program, tables: Tables, texts: Mapping[str, str]) -> dict[str, str]:
    """How things of each kind are told to be one's own."""
    described = ((one.name, texts.get(one.described, "")) for one in program.entities)
    return {
        name: tables.indefinite(text.replace(tables.of_owner, ""))
        for name, text in described
        if tables.of_owner in text
    }


def _translated(program: Program, tables: Tables, texts: Mapping[str, str]) -> Program:
    """The program with all texts but those of its routines."""

    def said(text: str) -> str:
        return texts.get(text, text)

    words = {value: texts[text] for value, text in options(program).items() if text in texts}
    return replace(
        program,
        title=said(program.title),
        entities=tuple(_entity(one, tables, texts) for one in program.entities),
        words=tuple({**dict(program.words), **words}.items()),
        scope=tuple(replace(one, english=said(one.english)) for one in program.scope),
        operations=tuple(replace(one, log=said(one.told)) for one in program.operations),
        settings=tuple(replace(one, english=said(one.english)) for one in program.settings),
        always=tuple(replace(one, english=said(one.english)) for one in program.always),
        rolls=_said_of(program.rolls, texts),
        spots=tuple(replace(one, text=tables.declined(said(one.text))) for one in program.spots),
        glosses=_said_of(program.glosses, texts),
        counted=tuple((said(many), said(one)) for many, one in program.counted),
    )


def _said_of(pairs: Pairs, texts: Mapping[str, str]) -> Pairs:
    """Texts by name, translated."""
    return tuple((name, texts.get(text, text)) for name, text in pairs)


def _with_rules(program: Program, says: Mapping[str, str]) -> Program:
    """The program with its rules texts."""

    def card(text: CardText) -> CardText:
        parts = (text.facts, text.rules, text.words)
        return CardText(*(in_sentences(one, says) if one else "" for one in parts))

    return replace(
        program,
        texts=tuple((id, in_sentences(text, says)) for id, text in program.texts),
        cards=tuple((id, card(text)) for id, text in program.cards),
    )


def _entity(entity: Entity, tables: Tables, texts: Mapping[str, str]) -> Entity:
    parts = titles_in(entity)

    def title(written: str) -> str:
        base, rest = parts[written]
        if written in texts or base not in texts:
            return tables.declined(texts.get(written, written))
        return in_all_forms((tables.declined(texts[base]), rest))

    singular = texts.get(entity.singular, "")
    return replace(
        entity,
        singular=tables.indefinite(singular) or entity.singular,
        plural=texts.get(entity.plural, entity.plural),
        described=tables.declined(texts.get(entity.described, entity.described)),
        titles=tuple(map(title, entity.titles)),
        fields=tuple(
            replace(one, called=tuple(texts.get(word, word) for word in one.called))
            for one in entity.fields
        ),
    )

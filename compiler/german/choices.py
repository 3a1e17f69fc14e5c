"""What is chosen, in German: one of a list, several, a number from a range, and of which kind it must be."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.english.clause_tree import ChoiceTree, TestTree, Unspoken
from ruleloom.compiler.english.word import NUMBER
from ruleloom.compiler.german.clause_order import Clauses, last, listed
from ruleloom.compiler.german.noun import THE, A
from ruleloom.compiler.german.noun_phrases import GermanWords, Np, Phrases, made, pronoun
from ruleloom.compiler.german.verb import MANY
from ruleloom.runtime.program.expr import conjuncts
from ruleloom.runtime.program.program import Expr


def chosen(words: GermanWords, choice: ChoiceTree) -> tuple[str, str]:
    """What is chosen, and what stands behind the verb. Raises Unspoken."""
    if choice.domain[0] in ("list", ".."):
        return _limited(words, choice)
    clauses = Clauses(choice.speaker, words)
    among, what, behind = "", _wanted(clauses.phrases, choice), ""
    if choice.where is not None and choice.count == "one" and what.tail and not what.is_own:
        among, what = clauses.phrases.one_among(choice.domain)
    if choice.where is not None:
        behind = clauses.behind(what, conjuncts(choice.where), choice.slot)
    clause = f"{what.tail}{what.mark}{behind}{_provided(words, choice)}"
    return f"{among}{what.forms['akk']}", clause


def _wanted(phrases: Phrases, choice: ChoiceTree) -> Np:
    """One of a list, or so many."""
    most = choice.most
    if choice.count == "one":
        return phrases.one_of(choice.domain)
    if choice.count == "any" or most is None:
        return _counted("beliebig viele ", phrases, choice.domain)
    up_to, number = choice.count == "up_to", phrases.noun(most)
    if most[0] in ("value", "setting"):
        how = "bis zu" if up_to else "genau"
        return _counted(f"{how} {number.forms['nom']} ", phrases, choice.domain)
    what, limit = _counted("", phrases, choice.domain), "höchstens" if up_to else "genau"
    so_many = f"{what.forms['akk']} ({limit} {number.within('nom', '')})"
    return replace(what, forms={"akk": so_many})


def _counted(how: str, phrases: Phrases, domain: Expr) -> Np:
    """So many of a list."""
    single = phrases.single(domain)
    if single is None or single[0].adjectives:
        return Np({"akk": f"{how}{phrases.many(domain, A).forms['akk']}"}, "pl", MANY)
    if single[1]:
        raise Unspoken("so many of yours")
    many = phrases.words.of(phrases.sp.glossary.noun(phrases.sp.type_of(domain).item, True))
    return Np({"akk": f"{how}{many}{single[0].rest}"}, "pl", MANY)


def _provided(words: GermanWords, choice: ChoiceTree) -> str:
    """The conditions that are not about what is chosen."""
    clauses = Clauses(choice.speaker, words)
    tests = (TestTree(choice.speaker, one) for one in choice.tests)
    said = listed([clauses.said(one, last) for one in tests], "und")
    return f", wenn {said}" if said else ""


def _limited(words: GermanWords, choice: ChoiceTree) -> tuple[str, str]:
    """A number from a range, or the one thing that there is to choose."""
    about = conjuncts(choice.where) if choice.where is not None else []
    clauses = Clauses(choice.speaker, words)
    phrases = clauses.phrases
    if choice.domain[0] == "list":
        if len(choice.domain) != 2:
            raise Unspoken("a choice of several")
        what = phrases.noun(choice.domain[1])
        link, behind = "wenn", f"{what.tail}{what.mark}"
    else:
        _, low, high = choice.domain
        what = made(phrases.known(choice.name, NUMBER), THE)
        low_, high_ = (phrases.noun(one).forms for one in (low, high))
        to = high_["zu"] if high_["dat"] != high_["nom"] else high_["nom"]
        link, behind = "sodass", f", von {low_['dat']} bis {to}"
    once = Clauses(choice.speaker, words, {choice.slot: pronoun(what)})
    by_name = choice.domain[0] != "list"
    said = [
        (clauses if by_name and not _is_of_it_alone(one, choice.slot) else once).told(
            one, False, last
        )
        for one in about
    ]
    tests = listed(said, "und")
    behind += f", {link} {tests}" if tests else ""
    return what.forms["akk"], behind + _provided(words, choice)


def _is_of_it_alone(condition: Expr, slot: int) -> bool:
    """Does a condition speak of the thing in a slot at its start, and nowhere else?"""
    about = condition[1:2] == (("slot", slot),)
    return about and str(condition).count(str(condition[1])) == 1

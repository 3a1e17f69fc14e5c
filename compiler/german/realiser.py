"""German sentences of clause trees: what is to be done, conditions, choices, and the lines that they make.

In goes the tree of an English line (`compiler/english/clause_tree.py`); out comes the same line in German, or
`Unspoken` where the words of a translation, or these tables, do not reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from string import ascii_lowercase
from typing import Any

from ruleloom.compiler.english.clause_tree import (
    ActTree,
    AgainTree,
    BecomesTree,
    BelongsTree,
    CalledTree,
    ChanceTree,
    ChangesTree,
    ChoiceTree,
    ClauseTree,
    DrawnTree,
    EndsTree,
    EventTree,
    FactsTree,
    FixedTree,
    ForEachTree,
    FromHereTree,
    IgnoringTree,
    LineTree,
    LoopTree,
    ModeTree,
    NoneTree,
    NounTree,
    NumberTree,
    OftenTree,
    OnlyIfTree,
    OutcomeTree,
    RuleTree,
    SecretTree,
    SpokenTree,
    TestTree,
    Unspoken,
    UsesTree,
    tree_of,
)
from ruleloom.compiler.english.page import Sort, Step, StepMode
from ruleloom.compiler.english.template import Speaker
from ruleloom.compiler.english.word import capital, sentence
from ruleloom.compiler.german.choices import chosen
from ruleloom.compiler.german.clause_order import Clauses, Form, inverted, last, listed, main
from ruleloom.compiler.german.noun import COUNTS, EVERY, THE, YOUR, A, WrittenNoun
from ruleloom.compiler.german.noun_phrases import GermanWords, Np, Phrases, made, mark_of
from ruleloom.compiler.german.verb import (
    MANY,
    SECOND,
    THIRD,
    Clause,
    commanded,
    done_by,
    finite,
    is_act,
    to_do,
)

_PRONOUN = {"m": "ihn", "f": "sie", "n": "es", "pl": "sie"}


# Each as a command, and as what may be done.
_FIXED = {
    "stop here": ("hör hier auf", "aufhören"),
    "choose one": ("wähle eins", "eins wählen"),
    "do nothing": ("tu nichts", "nichts tun"),
    "otherwise": ("andernfalls", "andernfalls"),
    "if the game goes on": ("wenn das Spiel weitergeht", "wenn das Spiel weitergeht"),
}
_OUTCOMES = {
    "Nobody wins": "niemand gewinnt",
    "Somebody wins": "jemand gewinnt",
    "Whoever is ahead wins": "es gewinnt, wer vorn liegt",
}
FORMS_OF_WORDS = ("zahl",)
"""A hole for a number that must be known: `einen Stein der Größe {size:zahl}`."""


class Sentences:
    """The sentences of a game in German, by the words of its translation."""

    def __init__(self, says: Mapping[str, str]) -> None:
        self.words = GermanWords(says)
        # Each function takes its own class of tree, which the type of a mapping cannot express.
        self._acts: Mapping[type[Any], Callable[[Any, Form, bool], str]] = {
            FixedTree: self._fixed,
            ActTree: self._act,
            CalledTree: self._called,
            IgnoringTree: self._ignoring,
            SpokenTree: self._spoken,
            ChanceTree: self._chance,
            ChangesTree: self._changes,
            UsesTree: self._uses,
            ChoiceTree: self._choice,
            ForEachTree: self._for_each,
            DrawnTree: self._drawn,
        }
        self._states: Mapping[type[Any], Callable[[Any, Form], str]] = {
            SecretTree: self._secret,
            NoneTree: self._none,
            LoopTree: self._loop,
            OftenTree: self._often,
            ModeTree: self._offered,
            AgainTree: self._again,
            OnlyIfTree: self._only_if,
            FromHereTree: self._from_here,
            BecomesTree: self._becomes,
            BelongsTree: self._belongs,
            EndsTree: self._ends,
        }

    def lacking(self) -> list[str]:
        """The English for which words have been missing since this was last asked."""
        found = [*self.words.lacking]
        self.words.lacking.clear()
        return found

    def sentence(self, tree: ClauseTree) -> str:
        """A line or a sentence of a paragraph. Raises Unspoken."""
        self.words.subject = None
        if isinstance(tree, RuleTree):
            return self._rule(tree)
        if isinstance(tree, FactsTree):
            said = "; ".join(f"{self.words.of(label)}: {number}" for label, number in tree.numbers)
            return sentence(said)
        if isinstance(tree, OutcomeTree):
            why = f": {capital(self.words.of(tree.reason))}" if tree.reason else ""
            return sentence(f"{_OUTCOMES[tree.english]}{why}{tree.mark}")
        if isinstance(tree, NumberTree):
            return self._number(tree)
        if not isinstance(tree, LineTree):
            raise Unspoken(type(tree).__name__)
        if tree.is_paragraph:
            return sentence(self._inline(tree.of, tree.after_may))
        if not tree.whole and not tree.steps and (noun := self._noun_of(tree.of)):
            return f"{capital(noun)}:"
        head = self._head(tree.of, tree.after_may)
        if not tree.whole:
            return f"{capital(head)}:"
        if not tree.steps:
            return sentence(head)
        return sentence(self._joined(tree.of, head, tree.steps[0]))

    def _noun_of(self, of: Step | StepMode) -> str:
        """The noun of a power that is called by one, as a heading."""
        act = tree_of(of.text) if isinstance(of, Step) else None
        said = self.words.says.get(act.english, "") if isinstance(act, ActTree) else ""
        phrase = WrittenNoun.read(said)
        is_noun = phrase is not None and not is_act(said) and not re.search(r"[{*]", said)
        return "" if phrase is None or not is_noun else made(phrase, THE).forms["nom"]

    def _number(self, tree: NumberTree) -> str:
        """What a number is, in each case."""
        if not isinstance(tree.head, ActTree):
            raise Unspoken("number")
        clauses, value = Clauses(tree.value.speaker, self.words), tree.value.expr
        head = Clauses(tree.head.speaker, self.words).phrases.phrase(
            tree.head.english, tree.head.values
        )
        named, said = made(head[0], THE, head[2]), ""
        while value[0] == "if":
            _, test, then, value = value
            if then[0] == "if":
                raise Unspoken("number")
            said += f"{clauses.phrases.noun(then).within('nom', '')}, wenn "
            said += f"{clauses.told(test, False, last)}, andernfalls "
        said += clauses.phrases.noun(value).within("nom", "")
        return sentence(f"{named.within('nom', '')}: {said}")

    def _rule(self, rule: RuleTree) -> str:
        head = self.told(rule.head)
        if rule.test is None:
            often = "immer" if rule.truth else "nie"
            said = f"{sentence(head)} Unter den jetzigen Einstellungen ist das {often} so."
        else:
            said = sentence(f"{head}, wenn {self._tested(rule.test, last)}")
        return said + " Diese Regel kann aufgehoben werden." * rule.lifted

    # ------------------------------------------------------------------ lines

    def _inline(self, step: Step, after_may: bool) -> str:
        """A step of a paragraph with its inner steps, if these have none of their own."""
        head = self._head(step, after_may)
        if step.is_bare:
            return head
        if step.modes:
            modes = zip(ascii_lowercase, map(self._lettered, step.modes), strict=False)
            return f"{head}: " + "; ".join(f"({letter}) {mode}" for letter, mode in modes)
        if len(step.inner) == 1 and step.inner[0].is_bare:
            return self._joined(step, head, step.inner[0])
        said = "; ".join(self._simple(step.inner))
        return f"{head}: {capital(said)}"

    def _lettered(self, mode: StepMode) -> str:
        """A mode of a paragraph: its label, and what is then done."""
        head, steps = self._mode(mode), ", dann ".join(self._simple(mode.steps, True))
        return f"{head}: {steps}" if steps else head

    def _simple(self, steps: Sequence[Step], then: bool = False) -> list[str]:
        """Steps within a sentence, each to be done, so that it is clear where the sentence ends; with `then`,
        the verb of all but the first comes first."""
        if not all(one.is_bare and not one.may and one.sort == Sort.ACT for one in steps):
            raise Unspoken("steps within steps in one sentence")
        return [self._head(one, False, then and at > 0) for at, one in enumerate(steps)]

    def _joined(self, of: Step | StepMode, head: str, inner: Step) -> str:
        """A head and the one step that it stands before."""
        if isinstance(of, Step) and of.sort in (Sort.IF, Sort.OTHERWISE, Sort.EVENT):
            gap = " " if of.text == "otherwise" else ", "
            return f"{head}{gap}{self._head(inner, False, behind=True)}"
        return f"{head}: {capital(self._head(inner, False))}"

    def _head(self, of: Step | StepMode, after_may: bool, behind: bool = False) -> str:
        """The head of a step; `behind` another part of its sentence, its verb comes first."""
        if isinstance(of, StepMode):
            return self._mode(of)
        tree = tree_of(of.text)
        if tree is None or of.note:
            raise Unspoken(of.head)
        if of.sort == Sort.EVENT:
            return self._event(of, tree)
        if of.tests:
            raise Unspoken(of.head)
        if of.who:
            return self._by_another(of, tree, behind)
        if of.sort in (Sort.IF, Sort.OTHERWISE) and of.lead:
            return self._condition(of.lead, tree, behind)
        if of.may:
            done = self.told(tree, infinitive=True)
            if behind:
                return f"darfst du {done}"
            return f"danach darfst du {done}" if after_may else f"du darfst {done}"
        return self.told(tree, inverted if behind else main)

    def _event(self, of: Step, tree: ClauseTree) -> str:
        """What happens, and under which conditions something follows."""
        tests = [tree_of(one) for one in of.tests]
        if of.lead != "when " or not isinstance(tree, EventTree):
            raise Unspoken(of.head)
        said = [self._happening(tree)]
        for test in tests:
            if not isinstance(test, TestTree):
                raise Unspoken(of.head)
            said.append(self._tested(test, last))
        return f"wenn {listed(said, 'und')}"

    def _happening(self, event: EventTree) -> str:
        """What happens, with its verb last."""
        act, clauses = event.act, Clauses(event.act.speaker, self.words)
        said = self.words.of(act.english).partition(";")[0]
        if not is_act(said):
            return clauses.filled(Clause.read(said), act.values).last
        who, person = ("du", SECOND) if event.yours else ("jemand", THIRD)
        return done_by(clauses.phrases.with_holes(said, act.values), who, person)

    def _by_another(self, of: Step, tree: ClauseTree, behind: bool) -> str:
        """What somebody else chooses."""
        who = tree_of(of.who)
        if not isinstance(who, NounTree) or not isinstance(tree, ChoiceTree):
            raise Unspoken(of.head)
        subject = self._phrases(who.speaker).noun(who.expr)
        if subject.tail or subject.person == SECOND:
            raise Unspoken(of.head)
        may = of.may or tree.may
        verb = finite("darf" if may else "wählt", subject.person)
        what, clause = chosen(self.words, tree)
        rest = f"{what} wählen{clause}" if may else f"{what}{clause}"
        first = (verb, subject.forms["nom"]) if behind else (subject.forms["nom"], verb)
        return " ".join((*first, rest))

    def _condition(self, lead: str, tree: ClauseTree, behind: bool) -> str:
        if not isinstance(tree, TestTree):
            raise Unspoken(lead)
        clauses = Clauses(tree.speaker, self.words)
        if lead == "if " and not behind:
            return clauses.said(tree, inverted)
        if lead in ("if ", "otherwise, if "):
            head = "andernfalls, " if lead != "if " else ""
            return f"{head}wenn {clauses.said(tree, last)}"
        raise Unspoken(lead)

    def _mode(self, mode: StepMode) -> str:
        tree = tree_of(mode.label)
        if not isinstance(tree, ModeTree):
            raise Unspoken(mode.label)
        said = self.told(tree.of, infinitive=True)
        tests = listed([self._tested(one, last) for one in tree.tests], "und")
        return f"{said}, wenn {tests}" if tests else said

    def _tested(self, test: TestTree, form: Form) -> str:
        return Clauses(test.speaker, self.words).said(test, form)

    # ------------------------------------------------------------------ trees

    def _phrases(self, speaker: Speaker) -> Phrases:
        return Clauses(speaker, self.words).phrases

    def told(self, tree: Any, form: Form = main, infinitive: bool = False) -> str:
        """A clause: a command, or in a form what happens; what the reader may do in the `infinitive`."""
        act = self._acts.get(type(tree))
        if act is not None:
            return act(tree, form, infinitive)
        state = self._states.get(type(tree))
        if state is None or infinitive:
            raise Unspoken(type(tree).__name__)
        return state(tree, form)

    def _fixed(self, tree: FixedTree, form: Form, infinitive: bool) -> str:
        if tree.english not in _FIXED:
            raise Unspoken(tree.english)
        return _FIXED[tree.english][infinitive]

    def _called(self, tree: CalledTree, form: Form, infinitive: bool) -> str:
        return f"{self.told(tree.of, form, infinitive)} ({self._name(tree)})"

    def _ignoring(self, tree: IgnoringTree, form: Form, infinitive: bool) -> str:
        phrases = self._phrases(tree.speaker)
        rules = [made(phrases.phrase(one, {})[0], THE) for one in tree.rules]
        ignored = listed([f"{one.forms['akk']}{one.tail}{one.mark}" for one in rules], "und")
        said = "" if tree.of is None else f"{self.told(tree.of, form, infinitive)}, "
        return f"{said}ohne {ignored} zu beachten"

    def _spoken(self, tree: SpokenTree, form: Form, infinitive: bool) -> str:
        said = self.words.of(tree.text)
        if "{" in said or infinitive:
            raise Unspoken(tree.text)
        return f"sage: „{said}“"

    def _chance(self, tree: ChanceTree, form: Form, infinitive: bool) -> str:
        one = self._phrases(tree.speaker).one_of(tree.domain)
        text = f"den Zufall {one.forms['akk']} wählen"
        return f"{text} lassen" if infinitive else f"lass {text}"

    def _loop(self, tree: LoopTree, form: Form) -> str:
        each = self._phrases(tree.speaker).each(tree.domain, EVERY)
        also = f" ({self._name(tree)})" if tree.name else ""
        return f"für {each.forms['akk']}{each.tail}{each.mark}{also}"

    def _offered(self, tree: ModeTree, form: Form) -> str:
        tested = listed([self._tested(one, last) for one in tree.tests], "und")
        return f"{self.told(tree.of)}, wenn {tested}"

    def _again(self, tree: AgainTree, form: Form) -> str:
        said = "wiederhole dies"
        if tree.until is not None:
            said += f", bis {self._tested(tree.until, last)}"
        return said + (f" (höchstens {self._often(tree.most)})" if tree.most is not None else "")

    def _only_if(self, tree: OnlyIfTree, form: Form) -> str:
        why = f" ({self.words.of(tree.reason)})" if tree.reason else ""
        return f"das ist nur erlaubt, wenn {self._tested(tree.test, last)}{why}"

    def _from_here(self, tree: FromHereTree, form: Form) -> str:
        return f"von hier an {self._tested(tree.test, inverted)}"

    def _belongs(self, tree: BelongsTree, form: Form) -> str:
        to = self._phrases(tree.speaker).noun(tree.target)
        how = "jetzt" if tree.when == "now" else "nicht mehr"
        middle = f"{how} {to.forms['zu']}"
        clause = Clause("{_value:nom}", "gehört", middle, "", to.tail, to.mark)
        return form(Clauses(tree.speaker, self.words).filled(clause, {"_value": tree.value}))

    def _name(self, tree: CalledTree | LoopTree) -> str:
        phrase = self._phrases(tree.speaker).known(tree.name, tree.kind)
        return made(phrase, THE).forms["nom"]

    def _changes(self, tree: ChangesTree, form: Form, infinitive: bool) -> str:
        phrases = self._phrases(tree.speaker)
        by = phrases.noun(tree.by).forms["akk"]
        itself = self._itself(phrases, tree.name, tree.kind).forms["dat"]
        text = f"{by} von {itself} ab-ziehen!" if tree.less else f"{by} zu {itself} hinzu-zählen!"
        text = (
            text.replace("zu dem ", "zum ").replace("zu der ", "zur ").replace("von dem ", "vom ")
        )
        return to_do(text) if infinitive else commanded(text)

    def _itself(self, phrases: Phrases, name: str, kind: str) -> Np:
        """A variable by its name, or one of the game by its author's words."""
        if not kind:
            phrase, mine, _ = phrases.phrase(name, {})
            return made(phrase, YOUR if mine else THE)
        return made(phrases.known(name.removeprefix("the "), kind), THE)

    def _act(self, act: ActTree, form: Form, infinitive: bool) -> str:
        said, mark = self.words.of(act.english), mark_of(act.english)
        phrases = self._phrases(act.speaker)
        if said.endswith("."):
            if infinitive or form is not main:
                raise Unspoken(act.english)
            return phrases.with_holes(said[:-1], act.values, act.unsaid) + mark
        if infinitive or is_act(said):
            self.words.subject = None
            text = phrases.with_holes(said, act.values, act.unsaid)
            return (to_do(text) if infinitive else commanded(text)) + mark
        clause = replace(Clause.read(said), mark=mark)
        return form(Clauses(act.speaker, self.words).filled(clause, act.values, act.unsaid))

    def _uses(self, uses: UsesTree, form: Form, infinitive: bool) -> str:
        """`diese Karte zum Erschaffen oder Bewegen nutzen`: each power by its noun."""
        names = [self._as_noun(one) for one in uses.powers]
        marks = [mark_of(one.english) for one in uses.powers]
        end = marks.pop() if len(marks) == 1 else ""
        first, *others = (f"{name}{mark}" for name, mark in zip_longest(names, marks, fillvalue=""))
        if not uses.thing:
            raise Unspoken("use")
        if uses.then:
            way = " und dann ".join((f"zum {first}", *(f"zum {one}" for one in others)))
        else:
            way = listed([f"zum {first}", *others], "oder")
        thing = f"diese {self._thing(uses)} "
        often = f"{_times(uses.times)} " if uses.times > 1 else ""
        text = f"{thing}{often}{way} nutzen!{end}"
        return to_do(text) if infinitive else commanded(text)

    def _as_noun(self, act: ActTree) -> str:
        """The noun of a power, which is a verb: `Erschaffen`."""
        phrase = WrittenNoun.read(self.words.of(act.english))
        if phrase is None or phrase.gender != "n":
            raise Unspoken(act.english)
        return phrase.noun + phrase.rest

    def _thing(self, uses: UsesTree) -> str:
        phrase = WrittenNoun.read(self.words.of(uses.thing))
        if phrase is None or phrase.gender != "f":
            raise Unspoken(uses.thing)
        return phrase.noun

    def _choice(self, choice: ChoiceTree, form: Form, infinitive: bool) -> str:
        self.words.subject = None
        what, clause = chosen(self.words, choice)
        if infinitive or choice.may:
            done = f"{what} wählen{clause}"
            return done if infinitive else f"du darfst {done}"
        return f"wähle {what}{clause}"

    def _secret(self, tree: SecretTree, form: Form) -> str:
        """What each player chooses in secret."""
        who = self._phrases(tree.choice.speaker).each(tree.players, EVERY)
        what, clause = chosen(self.words, tree.choice)
        if who.tail:
            raise Unspoken("secret")
        done = f"darf verdeckt {what} wählen" if tree.choice.may else f"wählt verdeckt {what}"
        return f"{who.forms['nom']} {done}{clause}; dann zeigen alle, was sie gewählt haben"

    def _none(self, tree: NoneTree, form: Form) -> str:
        clause = Clauses(tree.speaker, self.words).clause(("is_none", tree.itself), False)
        return form(replace(clause, middle=f"jetzt {clause.middle}"))

    def _for_each(self, each: ForEachTree, form: Form, infinitive: bool) -> str:
        speaker = each.act.speaker
        thing = self._phrases(speaker).each(each.domain, EVERY)
        phrases = Phrases(speaker, self.words, {each.slot: thing})
        phrases.behind = Clauses(speaker, self.words).behind
        said = self.words.of(each.act.english)
        text = phrases.with_holes(said, each.act.values)
        if said.count("{") != len(each.act.values) or not is_act(said):
            raise Unspoken(each.act.english)
        return to_do(text) if infinitive else commanded(text)

    def _drawn(self, drawn: DrawnTree, form: Form, infinitive: bool) -> str:
        phrases = self._phrases(drawn.speaker)
        thing = drawn.speaker.glossary.noun(drawn.speaker.type_of(drawn.pile).item)
        noun = WrittenNoun.read(self.words.of(thing))
        pile, goal = phrases.noun(drawn.pile), phrases.noun(drawn.to)
        if noun is None:
            raise Unspoken(thing)
        next_ = replace(noun, adjectives=("nächst", *noun.adjectives)).forms(THE)["akk"]
        it, zone = _PRONOUN[noun.gender], drawn.speaker.glossary.named("zones", drawn.to[1])
        said = self.words.says.get(f"put it into {zone}", "")
        if said:
            put = said.replace("{it:akk}", it).replace("{zone:akk}", goal.forms["akk"])
        else:
            where = goal.forms["zu"] if goal.person == MANY else f"in {goal.forms['akk']}"
            put = f"{it} {where} legen!"
        text = f"{next_} {pile.forms['gen']} nehmen! und {put}"
        return to_do(text) if infinitive else commanded(text)

    def _becomes(self, tree: BecomesTree, form: Form) -> str:
        phrases = self._phrases(tree.speaker)
        itself = self._itself(phrases, tree.name, tree.kind)
        value = phrases.noun(tree.value)
        verb = finite("ist", itself.person if value.person != SECOND else SECOND)
        if value.person == MANY:
            verb = "sind"
        when = "jetzt " if tree.when == "now " else ""
        said = f"{when}{value.forms['nom']}"
        if tree.when == "at first, ":
            clause = Clause(itself.forms["nom"], verb, said, "", value.tail)
            return f"zunächst {replace(clause, mark=value.mark).inverted}"
        if value.person == SECOND:
            return form(Clause("du", "bist", f"{when}{itself.forms['nom']}{itself.tail}"))
        return form(
            Clause(f"{itself.forms['nom']}{itself.tail}", verb, said, "", value.tail, value.mark)
        )

    def _ends(self, tree: EndsTree, form: Form) -> str:
        why = f": {capital(self.words.of(tree.reason))}"
        if tree.winner is None:
            return form(Clause("das Spiel", "endet", "unentschieden", "", why))
        clause = Clause("{_who:nom}", "gewinnt", "das Spiel", "", why)
        return form(Clauses(tree.speaker, self.words).filled(clause, {"_who": tree.winner}))

    def _often(self, often: OftenTree, form: Form = main) -> str:
        number = often.number
        if number[0] == "setting":
            number = ("value", often.speaker.settings.get(number[1], 0))
        if number[0] == "count":
            things = self._phrases(often.speaker).many(number[1], A)
            return f"so oft, wie es {things.forms['akk']} gibt{things.tail}"
        if number[0] != "value" or type(number[1]) is not int or number[1] < 1:
            raise Unspoken("so often")
        times = _times(number[1])
        return f"bis zu {times}" if often.up_to else times


def _times(number: int) -> str:
    """`einmal`, `zweimal`."""
    return f"{COUNTS[number]}mal" if number < len(COUNTS) else f"{number}-mal"

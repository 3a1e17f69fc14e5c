"""Plain English, word by word: articles, lists, possessives, agreement, negation. Knows no game.

Everything here turns strings into strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from ruleloom.runtime.program.texts import SINGULAR

COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_THIRD_PERSON = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}
_DIGITS = {
    **{COUNTS[number]: number for number in range(1, 13)},
    **{"once": 1, "twice": 2, "thrice": 3},
}

# Adjectives a choice may be called after; alone they name nothing.
_BARE = re.compile(
    "first|second|third|fourth|last|next|other|new|old|left|right|[a-z]{2,}ed|"
    "larger|smaller|higher|lower|upheld|"
    "bound|bought|caught|chosen|drawn|fallen|found|given|held|hidden|hurt|kept|laid|lent|lost|"
    "paid|sent|shown|stolen|struck|taken|thrown|torn|worn|"
    "alive|asleep|awake|broken|dead|free|gone|grown|rewritten|waiting|written"
)
_PARTICLE = re.compile(r"(?<=\w) (?:away|back|down|for|off|out|up)$")
# A name that says where something is stands behind what it is: `characters in touch`.
_PLACE = re.compile(
    "ahead|behind|besides|inside|outside|under way|(?:in|inside|near|on|under|within) [a-z ]+"
)
# Those that say which one, and not how it is.
_PLACES = re.compile("first|second|third|fourth|last|next|other|new|old|left|right")
# What was done with an amount, after which it may be called: `given`, `drawn off`.
_DONE_WITH = re.compile(
    r"(?:[a-z]+[^e]ed|bought|burnt|chosen|drawn|given|held|kept|laid|lent|lost|paid|sent|spent|stolen|"
    r"struck|taken|thrown|written)(?: (?:away|back|by|for|off|out|up))?"
)
# What belongs to one alone, with no article and nothing else between: `reach of {who}`.
OWNED_BY = re.compile(
    r"(?!(?:the|a|an|no|every|each|any|some|one|what|how|whoever|whether) )"
    r"((?:(?!(?:of|that|who|whose|which|to|from|and|or|in) )[\w'{}-]+ )*?[\w'{}-]+) "
    r"of \{(\w+)\}(?! and )"
)
# `the smaller of 3 and the rank`: a number that brackets keep together.
LIST_OF_NUMBERS = re.compile("the (?:small|larg)(?:er|est) of ")
# What a number counts: ` lamps`, ` {hue} lamps`.
THINGS = re.compile(
    r" (?:\{(?P<option>\w+)\} )?"
    r"(?!(?:as|less|is|has|does|was|comes|goes|counts|lies|returns|brings)\b)"
    r"(?P<things>(?:[a-z]+ss )?[a-z]*[^s\W]s|dice)\b"
)
# The name of a field that says what somebody does: `dwells at`.
DONE_AT = re.compile(r"[a-z]+[^s]s (?:at|by|in|on|to|with)")
# One that says who did something: `cursed by`.
DONE_BY = re.compile(r"([a-z]+ed|brought|held|kept|laid|left|lent|made|put|set) by")
_FIRST_WORDS_OF_STATEMENTS = re.compile(
    "an?|the|your|its|their|his|her|every|each|all|no|nobody|nothing|somebody|everybody|everyone|"
    "if|when|while|until|after|before|from|with|without|at|in|on|for|of|once|either|only|"
    "there|time|it|he|she|they|you|then|what|whoever|whatever|those|others|one|any|some|something|"
    r"[\d(].*"  # an amount: `2d10 of it are lost`
)


def spaced(name: str) -> str:
    """A name of the effect language as words: `wide_gate` as `wide gate`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")
    return " ".join(parted.split()).lower()


def with_article(noun: str) -> str:
    """`piece` as `a piece`, `open end` as `an open end`, `other piece` as `another piece`."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if _SOUNDS_LIKE_A_VOWEL.match(noun) else 'a'} {noun}"


# A capital letter that is spoken by its name sounds as that name does: `an MP`, `a UFO`.
_SOUNDS_LIKE_A_VOWEL = re.compile(
    r"[AEFHILMNORSX](?![a-z])|[aeio]|[AEIO](?=[a-z])|(?!us[aeiou]|uni(?![mn])|eu)[uU](?=[a-z])"
)


# Names that say no more than the type does, or what no noun stands behind.
_STANDING_IN = {
    **dict.fromkeys(("who", "what", "which", "by whom", "one", "kind", "state"), "{}"),
    **dict.fromkeys(("on", "at", "to", "of", "from", "with", "by", "for", "in", "against"), "{}"),
    "whom": "other {}",
    "now": "present {}",
    "acting": "acting {}",
}
_AMOUNTS = {
    **dict.fromkeys(("there", "there is"), "number there"),
    "left": "rest",
    **{"much": "amount", "many": "number", "few": "number", "how many": "number"},
    "most": "number allowed",
    "take": "number to take",
}


def is_state(name: str) -> bool:
    """Does a name say how something is by now: `settled`, `told`, `ready`?"""
    words = spaced(name)
    return bool(re.fullmatch("done|ready|told|over|wanted", words)) or (
        _BARE.fullmatch(words) is not None and _PLACES.fullmatch(words) is None
    )


# What says more about a noun that stands before it.
_BEHIND_NOUN = re.compile(
    r"(?<=\w) (?:of|that|who|whose|in|on|for|still|not|to|with|before|from|so|there|paid|below) "
)


def is_several(name: str) -> bool:
    """Is a name a plural: `points`, `the pips`?"""
    if name.startswith(("many_", "many ")):
        return False  # it is called the number of them
    head = _BEHIND_NOUN.split(name)[0]
    return re.search(r"[a-z][^\Wsui]s$|\bdice$", head) is not None


def is_amount(name: str) -> bool:
    """Does a name of a number say no more than that it is one?"""
    return spaced(name) in _AMOUNTS


NUMBER = "number"
TEXT = "text"
"""The nouns of what is only a number or a text."""


def says_nothing(name: str, of_thing: bool) -> bool:
    """Does a name say no more than the type does, so that two of the type need other words?"""
    return _STANDING_IN.get(name) == "{}" or (of_thing and _asks_or_does(spaced(name)))


def _asks_or_does(words: str) -> bool:
    """Is a name a question or a verb, `how bad` or `shows`, which no article can stand before?"""
    return bool(re.fullmatch(r"(?:how|what|which|who|whom) .*|[a-z]+[^s]s", words))


def called(name: str, noun: str) -> str:
    """The words for a thing chosen as NAME: `second` of a piece is the `second piece`."""
    words = spaced(name)
    if words == noun.lower():
        return noun
    if words in _AMOUNTS and not (noun and words in _STANDING_IN):
        return _AMOUNTS[words]
    if noun == TEXT:
        return "answer" if _asks_or_does(words) else words
    if noun == NUMBER:
        return _called_as_number(words)
    return _called_after(words, noun) if noun else words


def _called_as_number(words: str) -> str:
    """`hours` for how many there are is the `number of hours`; `given` is the `amount given`."""
    if words.startswith("many "):
        return f"number of {words.removeprefix('many ')}"
    return f"amount {words}" if _DONE_WITH.fullmatch(words) else words


def _called_after(words: str, noun: str) -> str:
    if words in _STANDING_IN:
        return _STANDING_IN[words].format(noun)
    if _asks_or_does(words) and noun[-1] != "s":
        return noun
    if _PLACE.fullmatch(words):
        return f"{noun} {words}"
    other = words.removeprefix("other ")
    if other in _STANDING_IN:
        return f"other {_STANDING_IN[other].format(noun)}".replace("other other", "other")
    if noun.endswith("s") and re.fullmatch("[a-z]{3,}ing", words):
        return f"{words} {noun}"
    bare = _BARE.fullmatch(_PARTICLE.sub("", words).rpartition(" ")[2])
    if bare and noun not in words.split():
        return f"{words} {noun}"
    return words


def singular(words: str) -> str:
    """The last word in the singular, as far as its end tells: `leaders` as `leader`."""
    if words.endswith("dice"):
        return f"{words[:-4]}die"
    return words[:-1] if re.search(r"[a-z]{2}[^s]s$", words) else words


def plural(words: str) -> str:
    """The last word in the plural: `pip` as `pips`."""
    return words if words.endswith("s") else f"{words}s"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def constant(value: object) -> str:
    """A value that is written in the text itself."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return listed([constant(one).replace("_", " ") for one in value], "or") or "nothing"
    return str(value)


def times(number: int) -> str:
    """`once`, `twice`, `three times`."""
    return {1: "once", 2: "twice"}.get(number) or f"{count(number)} times"


def count(number: int) -> str:
    """A small number in letters, a large one in digits."""
    return COUNTS[number] if 0 < number < len(COUNTS) else str(number)


def numbers_in(text: str) -> set[int]:
    """Every number in a text, in digits or letters."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    return {int(word) for word in words if word.isdigit()} | {
        _DIGITS[word] for word in words if word in _DIGITS
    }


_LONGER = {"minute": (60, "hour"), "hour": (24, "day")}


def lasting(number: int, unit: str) -> str:
    """A time in the longest unit that it is a whole number of: 1440 of `minute` as `a day`."""
    while unit in _LONGER and number % _LONGER[unit][0] == 0:
        number, unit = number // _LONGER[unit][0], _LONGER[unit][1]
    if number == 1:
        return "an hour" if unit == "hour" else with_article(unit)
    return f"{number} {plural(unit)}"


def capital(text: str) -> str:
    """The text with a capital at its head, behind a bracket if one stands there."""
    at = text.startswith("(") and text[1:2].islower() and not re.match(r"\([a-z]+\)", text)
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def sentence(text: str) -> str:
    """The text as a sentence: a capital first, a full stop last."""
    text = text.strip()
    return capital(text) if text.endswith((".", "!", "?", ":", '."')) else f"{capital(text)}."


def third_person(verb: str) -> str:
    """`put` as `puts`, `pass` as `passes`, `carry` as `carries`."""
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


_PARTICIPLES = {
    **{"begin": "begun", "break": "broken", "bring": "brought", "burn": "burnt", "buy": "bought"},
    **{"cast": "cast", "choose": "chosen", "cut": "cut", "deal": "dealt", "do": "done"},
    **{"draw": "drawn", "drive": "driven", "find": "found", "forget": "forgotten"},
    **{"forgive": "forgiven", "get": "got", "give": "given", "hide": "hidden", "hit": "hit"},
    **{"hold": "held", "hurt": "hurt", "keep": "kept", "know": "known", "lay": "laid"},
    **{"leave": "left", "lend": "lent", "lose": "lost", "make": "made", "pay": "paid"},
    **{"put": "put", "send": "sent", "set": "set", "shake": "shaken", "show": "shown"},
    **{"shut": "shut", "spend": "spent", "split": "split", "steal": "stolen", "strike": "struck"},
    **{"take": "taken", "tear": "torn", "tell": "told", "throw": "thrown", "write": "written"},
}


def participle(verb: str) -> str:
    """`move` as `moved`, `take` as `taken`."""
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    # A short word doubles its last letter: `drop` as `dropped`.
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb)
    return f"{verb}{verb[-1]}ed" if short else f"{verb}ed"


def plain_verb(verb: str) -> str:
    """`puts` as `put`: what `you` do."""
    if verb in _THIRD_PERSON:
        return _THIRD_PERSON[verb]
    if re.search(r"[a-z][^aeiou]ies$", verb):
        return f"{verb[:-3]}y"
    if re.search(r"(ss|x|z|ch|sh|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if re.search(r"[^s]s$", verb) else verb


ROUNDED = {"down": ", rounded down", "up": ", rounded up", "nearest": ", rounded to the nearest"}


_ACTING = (
    *("lie", "hide", "want", "need", "know", "belong", "misfire", "carry", "wear", "see", "suffer"),
    *("lack", "suit", "bring", "last", "wait", "take", "work", "matter", "help", "hinder"),
    *("refuse", "deal", "apply", "strike", "agree", "accept", "approve", "notice", "resist", "let"),
    "succeed",
)
_VERBS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bdoes not have\b", "has"),
    (r"\bdoes not (?!have\b)([a-z]+)\b", lambda found: third_person(found[1])),
    (r"\bis not\b", "is"),
    (r"\bare not\b", "are"),
    (r"\bis\b", "is not"),
    (r"\bwas\b", "was not"),
    (r"\bwere\b", "were not"),
    (r"\bare\b", "are not"),
    (r"\bcan(?! not)\b", "cannot"),
    (r"\bmay(?! not)\b", "may not"),
    (r"\bmust\b", "need not"),
    (r"\bhas been\b", "has not been"),
    (r"\bhave been\b", "have not been"),
    *((rf"\b{third_person(verb)}\b", f"does not {verb}") for verb in _ACTING),
    (r"\bholds\b", "does not hold"),
    (r"\bstands\b", "does not stand"),
    (r"\bhas no\b", "has"),
    (r"\bhave no\b", "have"),
    (r"\bhas (?=(?:[a-z]{3,}ed|had)\b)", "has not "),
    (r"\bhave (?=(?:[a-z]{3,}ed|had)\b)", "have not "),
    (r"\bhas (a|an)\b", "has no"),
    (r"\bhave (a|an)\b", "have no"),
    (r"\bhas\b", "does not have"),
    (r"\bhave\b", "do not have"),
    (r"\bcomes\b", "does not come"),
    (r"\bsucceeded\b", "did not succeed"),
)


_UNSAFE = r"\b(?:that|which|who|whose|if|where|or|nobody|nothing|no)\b|[,']"


def denied(english: str, doers: Collection[str] = ()) -> str | None:
    """The opposite of a simple statement; None if it is not simple enough to be turned safely.

    It may have holes; one of the `doers` is somebody who does what the verb behind it says.
    """
    return _denied_of_number(english) or _denied_verb(english, doers)


def _denied_of_number(text: str) -> str | None:
    """The opposite of what begins with how many: `not every die has been used`."""
    if re.match(r"no [a-z]", text):
        return with_article(text[3:])
    if there := re.fullmatch(r"there (is|are) no (.*)", text):
        return f"there {there[1]} {with_article(there[2]) if there[1] == 'is' else there[2]}"
    if text.startswith("more than "):
        return f"no {text}"
    if text.startswith("something else "):
        return f"nothing{text.removeprefix('something')}"
    if text.startswith(("every ", "each of ", "only ")):
        return f"not {text}"
    return None


def _denied_verb(text: str, doers: Collection[str]) -> str | None:
    plain = _HOLES.sub(lambda hole: "#" * len(hole[0]), text)
    searched = [(re.search(verb, plain), number) for number, (verb, _) in enumerate(_VERBS)]
    found = [(match.start(), number) for match, number in searched if match]
    does = _DOES.match(text)
    if does is not None and does[1] in doers and does[2] not in _NO_DOING:
        found.append((does.start(2), len(_VERBS)))
    if not found:
        return None
    at, number = min(found)
    head = text[:at]
    if re.search(_UNSAFE, plain[:at]) or re.search(r", (or|and) ", plain):
        return None
    if does is not None and number == len(_VERBS):
        return f"{head}does not {plain_verb(does[2])}{text[does.end() :]}"
    verb, opposite = _VERBS[number]
    return head + re.sub(verb, opposite, text[at:], count=1)


_HOLES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
# Somebody, and what they do.
_DOES = re.compile(r"\{(\w+)\} (?:also |alone |always |still )?([a-z]+[^s]s)\b")
_NO_DOING = ("plus", "minus", "less", "times")


def is_noun(gloss: str) -> bool:
    """Is a gloss a thing (`a Move`), not an act or a statement?"""
    return bool(re.match(r"(a|an) ", gloss)) and len(gloss.split()) <= 4 and "," not in gloss


def is_statement(gloss: str) -> bool:
    """Is a gloss a whole statement (`the turn passes on`), not something to do (`turn a piece`)?"""
    first = gloss.split(" ")[0].rstrip(",").lower()
    return not is_noun(gloss) and _FIRST_WORDS_OF_STATEMENTS.fullmatch(first) is not None


def once(said: str, tail: str) -> str:
    """What stands behind a hole, without the noun that it begins with: `the mark of the die`."""
    again = re.match(r" ([a-z]{3,})\b", tail)
    told = again is not None and re.match(
        rf"(?:the|its|your) (?:(?:sort of )?{again[1]} (?:of|in|that)|number of {again[1]})\b", said
    )
    return tail[again.end() :] if again is not None and told else tail


# What links a hole of a template to the words behind it, where those are no noun of its.
_LINKS = "of|from|to|by|in|on|for|and|or|against|with|at|as|than|if|when|but|into|onto|over|under"


def begins_with_noun(tail: str) -> bool:
    """Does the noun of a hole stand behind it, as in `{colour} dice`?"""
    return re.match(rf" (?!(?:{_LINKS})\b)\w", tail) is not None


SingularOf = Callable[[str], str]
"""The word for one of several things that a game knows; empty for any other word."""

PRONOUNS = {"it": "its", "you": "your"}
# What begins a phrase before which no other article can stand.
_DETERMINERS = ("the", "your", "its", "that", "a", "an", "every")
_LEADING = r"(?:the|of|to|from|on|in|by|with|that|and|a|an|plus|minus|times) "
# Before a hole: the article of what fills it, what it owns, and a question about it.
_ARTICLE = re.compile(r"(?<![\w'’-])(the|an?|some|your|its) $", re.IGNORECASE)
_OWNED = re.compile(rf"\bthe ((?:(?!{_LEADING})[\w-]+ ){{0,2}}[\w-]+) of $", re.IGNORECASE)
_OF = re.compile(r"(?<! front)(?<! ahead)(?<! instead)(?<! because)(?<! out)(?<! top) of $")
_ASKED = re.compile(r"\b(has|does|is) $", re.IGNORECASE)
# Behind a hole: a verb that agrees with it, and the things that it counts.
_VERB = re.compile(r" (?:(?:alone|also|only|never|always|then|still|no longer) )?([a-z]+s)\b")
_COUNTED = re.compile(r" (?:(more|fewer|next|other|waiting|remaining) )?((?:[a-z]+ )*?[a-z]+)\b")
_TIMES = re.compile(r" times(?= (?:\(|as |the |its |your |their |[A-Z]))")
NO_VERBS = ("as", "this", "its", "us", "plus", "minus", "less", "times")
_SAID_AGAIN = ("that", "had", "is", "it", "you")


def nothing_counted(_: str) -> str:
    """The singular of no word."""
    return ""


class Fitted(NamedTuple):
    """The words of a hole between those before and behind it."""

    before: str
    words: str
    behind: str


def fitted(before: str, words: str, behind: str, singular_of: SingularOf) -> Fitted:
    """A hole that is filled; `singular_of` tells things from verbs."""
    if words in PRONOUNS:
        return _of_pronoun(before, words, behind, singular_of)
    before, words = led(_without_echo(before, words), words)
    if words == "1":
        behind = _of_one(before, behind, singular_of)
    elif words == "2" and not before.endswith("most ") and (found := _TIMES.match(behind)):
        words, behind = "twice", behind[found.end() :]
    return Fitted(before, words, unrepeated(words, behind))


def _of_pronoun(before: str, words: str, behind: str, singular_of: SingularOf) -> Fitted:
    """`your hand` for the hand of `you`, `its owner` for the owner of `it`, and `you have`."""
    before = _ARTICLE.sub("", before)
    if not behind.startswith(" and "):
        if owned := _OWNED.search(before):
            return Fitted(before[: owned.start()], f"{PRONOUNS[words]} {owned[1]}", behind)
        if words == "you" and _OF.search(before):
            return Fitted(before, "yours", behind)
    if words == "you":
        before = _ASKED.sub(lambda found: f"{_asked(found[1])} ", before)
        behind = agreeing(behind, singular_of)
    return Fitted(before, words, behind)


def _asked(verb: str) -> str:
    plain = plain_verb(verb.lower())
    return capital(plain) if verb[0].isupper() else plain


def agreeing(behind: str, singular_of: SingularOf = nothing_counted) -> str:
    """What stands behind `you`, with the verb that it begins with: ` has a hat` as ` have a hat`."""
    verb = _VERB.match(behind)
    if verb is None or verb[1] in NO_VERBS or singular_of(verb[1]):
        return behind
    return behind[: verb.start(1)] + plain_verb(verb[1]) + behind[verb.end() :]


def led(before: str, words: str) -> tuple[str, str]:
    """What leads to a phrase, and the phrase, with one article for both of them."""
    article = _ARTICLE.search(before)
    if article is None or not words:
        return before, words
    first, _, rest = words.partition(" ")
    own = article[1].lower()
    if own in ("some", "your", "its"):
        stays = own == "some" and first == "the"
        return before, rest if first in ("a", "an", "the") and not stays else words
    if first in _DETERMINERS:
        return before[: article.start()], words
    if own == "a" and words[0].islower():
        return before[: article.start(1)], with_article(words)
    return before, words


def _of_one(before: str, behind: str, singular_of: SingularOf) -> str:
    """What stands behind a 1, where it says what is counted: ` cards` as ` card`."""
    things = _COUNTED.match(behind)
    if things is None or before.endswith(("than ", "plus ", "minus ")):
        return behind
    how, words = things.groups()
    several = next((one for one in _heads(words) if singular_of(one) or one in SINGULAR), "")
    if not several and how in ("more", "fewer"):
        several = words.partition(" ")[0]
    return behind.replace(
        several, singular_of(several) or SINGULAR.get(several) or singular(several), 1
    )


def _heads(words: str) -> list[str]:
    """The beginnings of some words, the longest first."""
    parts = words.split(" ")
    return [" ".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _without_echo(before: str, words: str) -> str:
    """What leads to a phrase, without the words that this begins with: `under the name the name`."""
    for many in range(len(said := words.removeprefix("the ").split(" ")), 0, -1):
        again = f" {' '.join(said[:many])} "
        if len(again) > 4 and said[0] not in _SAID_AGAIN and before.endswith(again):
            return before[: 1 - len(again)]
    return before


def unrepeated(words: str, behind: str) -> str:
    """What stands behind a phrase, without the words that this has ended with: `the rain rain`."""
    if not behind.startswith(" "):
        return behind
    said, tail = words.split(" "), behind[1:].split(" ")
    for many in range(min(len(said), len(tail)), 0, -1):
        again = " ".join(said[-many:])
        rest = behind[1 + len(again) :]
        plain = said[-many] not in _SAID_AGAIN and (len(said[-1]) > 2 or again.isupper())
        if plain and behind[1:].startswith(again) and not rest[:1].isalnum():
            return rest
    return behind

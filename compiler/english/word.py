"""English words: articles, lists, numbers, verbs and their negation. Nothing here depends on a game."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_DIGITS = {
    **{COUNTS[number]: number for number in range(1, 13)},
    **{"once": 1, "twice": 2, "thrice": 3},
}
# The words that end a noun phrase, or introduce what stands after its noun.
LINKS = frozenset(
    (
        *("a", "against", "an", "and", "are", "as", "at", "back", "besides", "beside", "but", "by"),
        *(
            "can",
            "comes",
            "could",
            "for",
            "from",
            "has",
            "if",
            "in",
            "into",
            "is",
            "left",
            "less",
            "may",
        ),
        *("minus", "more", "must", "of", "off", "on", "onto", "or", "out", "over", "plus", "so"),
        *("than", "that", "the", "then", "times", "to", "under", "until", "up", "was", "when"),
        *("where", "which", "while", "who", "whom", "whose", "with", "without"),
    )
)
_NO_NOUNS_BEHIND = r"(?!(?:of|that|who|whose|which|to|from|and|or|in) )"
# A possession of one owner, without an article: `reach of {who}`.
OWNED_BY = re.compile(
    r"(?!(?:the|a|an|no|every|each|any|some|one|what|how|whoever|whether) )"
    rf"((?:{_NO_NOUNS_BEHIND}[\w'{{}}-]+ )*?[\w'{{}}-]+) of \{{(\w+)\}}(?! and )"
)
# The noun that a number counts: ` lamps`, ` {hue} lamps`.
THINGS = re.compile(
    r" (?:\{(?P<option>\w+)\} )?"
    r"(?!(?:as|less|is|has|does|was|comes|goes|counts|lies|returns|brings)\b)"
    r"(?P<things>(?:[a-z]+ss )?[a-z]*[^s\W]s|dice)\b"
)
# The name of a field that is a verb: `dwells at`; or a participle with its agent: `cursed by`.
DONE_AT = re.compile(r"[a-z]+[^s]s (?:at|by|in|on|to|with)")
DONE_BY = re.compile(r"([a-z]+ed|brought|held|kept|laid|left|lent|made|put|set) by")
# A list by what somebody may do with its things: `the pieces {who} can target`.
DONE_TO = re.compile(
    r"(?:the )?\w+ (?:whom |that )?\{(?P<doer>\w+)\} (?P<verb>(?:can|may|must|is) [a-z ]+)"
)
ROUNDED = {"down": ", rounded down", "up": ", rounded up", "nearest": ", rounded to the nearest"}


def spaced(name: str) -> str:
    """A name of the effect language as words: `wide_gate` as `wide gate`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")
    return " ".join(parted.split()).lower()


# A capital letter in an abbreviation is pronounced by its name: `an MP`, `a UFO`.
_SOUNDS_LIKE_A_VOWEL = re.compile(
    r"[AEFHILMNORSX](?![a-z])|[aeio]|[AEIO](?=[a-z])|(?!us[aeiou]|uni(?![mn])|eu)[uU](?=[a-z])"
)


def with_article(noun: str) -> str:
    """`piece` as `a piece`, `open end` as `an open end`, `other piece` as `another piece`."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if _SOUNDS_LIKE_A_VOWEL.match(noun) else 'a'} {noun}"


# ------------------------------------------------------------------------------ names of variables

NUMBER = "number"
TEXT = "text"
"""The nouns of plain numbers and texts."""
# Names as generic as their type, or that take no noun after them.
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
# Adjectives that a choice may be named after, which need a noun. The first select a thing, the second
# describe its state.
_WHICH = "first|second|third|fourth|last|next|other|new|old|left|right"
_HOW = re.compile(
    r"[a-z]{2,}ed|larger|smaller|higher|lower|upheld|"
    "bound|bought|caught|chosen|drawn|fallen|found|given|held|hidden|hurt|kept|laid|lent|lost|"
    "paid|sent|shown|stolen|struck|taken|thrown|torn|worn|"
    "alive|asleep|awake|broken|dead|free|gone|grown|rewritten|waiting|written"
)
_PARTICLE = re.compile(r"(?<=\w) (?:away|back|down|for|off|out|up)$")
# A name for a location comes after the noun: `characters in touch`.
_PLACE = re.compile(
    "ahead|behind|besides|inside|outside|under way|(?:in|inside|near|on|under|within) [a-z ]+"
)
# A participle that an amount may be named after: `given`, `drawn off`.
_DONE_WITH = re.compile(
    r"(?:[a-z]+[^e]ed|bought|burnt|chosen|drawn|given|held|kept|laid|lent|lost|paid|sent|spent|stolen|"
    r"struck|taken|thrown|written)(?: (?:away|back|by|for|off|out|up))?"
)
# The words that introduce a modifier after its noun.
_BEHIND_NOUN = re.compile(
    r"(?<=\w) (?:of|that|who|whose|in|on|for|still|not|to|with|before|from|so|there|paid|below) "
)


def is_state(name: str) -> bool:
    """Whether a name is a state: `settled`, `told`, `ready`."""
    words = spaced(name)
    return bool(re.fullmatch("done|ready|told|over|wanted", words) or _HOW.fullmatch(words))


def is_several(name: str) -> bool:
    """Whether a name is a plural: `points`, `the pips`."""
    if name.startswith(("many_", "many ")):
        return False  # it is rendered as `number of ...`
    head = _BEHIND_NOUN.split(name)[0]
    return re.search(r"[a-z][^\Wsui]s$|\bdice$", head) is not None


def is_amount(name: str) -> bool:
    """Whether the name of a number is generic."""
    return spaced(name) in _AMOUNTS


def says_nothing(name: str, of_thing: bool) -> bool:
    """Whether a name is as generic as its type, so that two of the type need other words."""
    return _STANDING_IN.get(name) == "{}" or (of_thing and _asks_or_does(spaced(name)))


def _asks_or_does(words: str) -> bool:
    """Whether a name is a question or a verb, `how bad` or `shows`, which takes no article."""
    return bool(re.fullmatch(r"(?:how|what|which|who|whom) .*|[a-z]+[^s]s", words))


def called(name: str, noun: str) -> str:
    """The words for a variable, from its name and a noun: `second piece`."""
    words = spaced(name)
    if words == noun.lower() or not noun:
        return noun or _AMOUNTS.get(words, words)
    if words in _AMOUNTS and words not in _STANDING_IN:
        return _AMOUNTS[words]
    if noun == TEXT:
        return "answer" if _asks_or_does(words) else words
    return _called_amount(words) if noun == NUMBER else _called_after(words, noun)


def _called_amount(words: str) -> str:
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
    return f"{words} {noun}" if _is_adjective(words, noun) else words


def _is_adjective(words: str, noun: str) -> bool:
    """Whether a name is an adjective or participle, which needs a noun after it."""
    if noun.endswith("s") and re.fullmatch("[a-z]{3,}ing", words):
        return True
    last = _PARTICLE.sub("", words).rpartition(" ")[2]
    bare = re.fullmatch(_WHICH, last) or _HOW.fullmatch(last)
    return bare is not None and noun not in words.split()


# ------------------------------------------------------------------------------- numbers and lists


def singular(words: str) -> str:
    """The singular of the last word, judged by its ending: `leaders` as `leader`."""
    if words.endswith("dice"):
        return f"{words[:-4]}die"
    return words[:-1] if re.search(r"[a-z]{2}[^s]s$", words) else words


def plural(words: str) -> str:
    """The plural of the last word: `pip` as `pips`."""
    return words if words.endswith("s") else f"{words}s"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def constant(value: object) -> str:
    """A constant in words."""
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
    """The numbers in a text, in digits or letters."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    return {int(word) for word in words if word.isdigit()} | {
        _DIGITS[word] for word in words if word in _DIGITS
    }


_LONGER = {"minute": (60, "hour"), "hour": (24, "day")}


def lasting(number: int, unit: str) -> str:
    """A duration in the longest unit that divides it: 1440 of `minute` as `a day`."""
    while unit in _LONGER and number % _LONGER[unit][0] == 0:
        number, unit = number // _LONGER[unit][0], _LONGER[unit][1]
    if number == 1:
        return "an hour" if unit == "hour" else with_article(unit)
    return f"{number} {plural(unit)}"


def capital(text: str) -> str:
    """The text with a capital at its start, after an opening bracket if it has one."""
    at = text.startswith("(") and text[1:2].islower() and not re.match(r"\([a-z]+\)", text)
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def sentence(text: str) -> str:
    """The text as a sentence: a capital first, a full stop last."""
    text = text.strip()
    return capital(text) if text.endswith((".", "!", "?", ":", '."', ".“")) else f"{capital(text)}."


# ------------------------------------------------------------------------------------------- verbs

_PLAIN = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}
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
_ACTING = (
    *("lie", "hide", "want", "need", "know", "belong", "misfire", "carry", "wear", "see", "suffer"),
    *("lack", "suit", "bring", "last", "wait", "take", "work", "matter", "help", "hinder"),
    *("refuse", "deal", "apply", "strike", "agree", "accept", "approve", "notice", "resist", "let"),
    *("succeed", "hold", "stand", "come"),
)


def third_person(verb: str) -> str:
    """`put` as `puts`, `pass` as `passes`, `carry` as `carries`."""
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def participle(verb: str) -> str:
    """`move` as `moved`, `take` as `taken`."""
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    # A short verb doubles its last letter: `drop` as `dropped`.
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb)
    return f"{verb}{verb[-1]}ed" if short else f"{verb}ed"


def plain_verb(verb: str) -> str:
    """`puts` as `put`: after `you`."""
    if verb in _PLAIN:
        return _PLAIN[verb]
    if re.search(r"[a-z][^aeiou]ies$", verb):
        return f"{verb[:-3]}y"
    if re.search(r"(ss|x|z|ch|sh|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if re.search(r"[^s]s$", verb) else verb


_OPPOSITES = {
    **{"does not have": "has", "is not": "is", "are not": "are", "is": "is not", "was": "was not"},
    **{"were": "were not", "are": "are not", "can": "cannot", "may": "may not"},
    **{"must": "need not", "has been": "has not been", "have been": "have not been"},
    **{third_person(verb): f"does not {verb}" for verb in _ACTING},
    **{"has no": "has", "have no": "have", "has an": "has no", "has a": "has no"},
    **{"have an": "have no", "have a": "have no", "has": "does not have", "have": "do not have"},
    "succeeded": "did not succeed",
}
_VERB = re.compile(
    r"\b(?:does not (?!have\b)(?P<plain>[a-z]+)|(?P<perfect>has|have)(?= (?:[a-z]{3,}ed|had)\b)"
    rf"|(?P<verb>{'|'.join(sorted(_OPPOSITES, key=len, reverse=True))})(?<!can)(?<!may)"
    r"|(?P<modal>can|may)(?! not))\b"
)
_UNSAFE = r"\b(?:that|which|who|whose|if|where|or|nobody|nothing|no)\b|[,']"
_HOLES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
# A hole for a person, and the verb after it.
_DOES = re.compile(
    r"\{(\w+)\} (?:also |alone |always |still )?(?!(?:plus|minus|less|times)\b)([a-z]+[^s]s)\b"
)


def _denied_by_opening(english: str) -> str:
    """The negation of a statement with `no`, `more than`, `every` or the like; else empty."""
    if re.match(r"no [a-z]", english):
        return with_article(english[3:])
    if there := re.fullmatch(r"there (is|are) no (.*)", english):
        return f"there {there[1]} {with_article(there[2]) if there[1] == 'is' else there[2]}"
    if english.startswith("something else "):
        return f"nothing{english.removeprefix('something')}"
    if english.startswith("more than "):
        return f"no {english}"
    # `not every die has been used`
    return f"not {english}" if english.startswith(("every ", "each of ", "only ")) else ""


def _opposite(verb: re.Match[str]) -> str:
    if verb["plain"]:
        return third_person(verb["plain"])
    return f"{verb[0]} not" if verb["perfect"] else _OPPOSITES[verb[0]]


def denied(english: str, doers: Collection[str] = ()) -> str | None:
    """The negation of a simple statement; None if it is too complex to be negated safely.

    It may have holes; `doers` are the holes that can be the subject of the verb after them.
    """
    if said := _denied_by_opening(english):
        return said
    plain = _HOLES.sub(lambda hole: "#" * len(hole[0]), english)
    verb, does = _VERB.search(plain), _DOES.match(english)
    if does is not None and does[1] in doers and not (verb and verb.start() <= does.start(2)):
        at, end, opposite = does.start(2), does.end(), f"does not {plain_verb(does[2])}"
    elif verb is not None:
        at, end, opposite = verb.start(), verb.end(), _opposite(verb)
    else:
        return None
    if re.search(_UNSAFE, plain[:at]) or re.search(r", (or|and) ", plain):
        return None
    return english[:at] + opposite + english[end:]


# ------------------------------------------------------------------------ what the words of a gloss are

_FIRST_WORDS_OF_STATEMENTS = re.compile(
    "an?|the|your|its|their|his|her|every|each|all|no|nobody|nothing|somebody|everybody|everyone|"
    "if|when|while|until|after|before|from|with|without|at|in|on|for|of|once|either|only|"
    "there|time|it|he|she|they|you|then|what|whoever|whatever|those|others|one|any|some|something|"
    r"[\d(].*"  # an amount: `2d10 of it are lost`
)


def is_noun(gloss: str) -> bool:
    """Whether a gloss is a noun: `a Move`."""
    return bool(re.match(r"(a|an) ", gloss)) and len(gloss.split()) <= 4 and "," not in gloss


def is_statement(gloss: str) -> bool:
    """Whether a gloss is a statement (`the turn passes on`), not an action (`turn a piece`)."""
    first = gloss.split(" ")[0].rstrip(",").lower()
    return not is_noun(gloss) and _FIRST_WORDS_OF_STATEMENTS.fullmatch(first) is not None


# A plural noun phrase: `the coins in the bowl`.
_PLURAL = re.compile(
    r"(?:the|your) (?:(?!(?:of|for|in|that|to|which|who|whose|plus|minus|times)\b)[\w'-]+ )*?"
    r"(?:[a-z]+[^sui\W]s|dice)(?= (?:against|as|at|before|beside|bought|by|for|in|left|of|on|so|that|"
    r"to|with|you)\b|$)"
)


def is_plural(phrase: str) -> bool:
    """Whether a phrase is a plural: `the coins in the bowl`."""
    return _PLURAL.match(phrase) is not None

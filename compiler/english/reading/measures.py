"""The facts of a sentence on directions, times, limits and changes of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.compiler.english.reading.facts import AT, EARLY, LATE, NOT, Fact
from ruleloom.compiler.english.reading.lexicon import (
    GET,
    LARGEST,
    LESS,
    LOSE,
    LOWERS,
    MORE,
    POINTS,
    RAISES,
    SMALLEST,
    WAYS,
    word_set,
)
from ruleloom.compiler.english.reading.sentence import ReadSentence, Verb


def measures(of: ReadSentence) -> Iterator[Fact]:
    """All these facts of a sentence."""
    for at in range(len(of.words)):
        yield from _way(of, at)
        yield from _time(of, at)
        yield from _begun(of, at)
        yield from _limit(of, at)
        yield from _extreme(of, at)
        yield from _comparison(of, at)
        yield from _change(of, at)
    yield from _gains(of)


def _way(of: ReadSentence, at: int) -> Iterator[Fact]:
    """A direction: `south`, or `S` behind a verb of facing."""
    point = POINTS.get(of.words[at].text) if of.text(at - 1) in _BEFORE_POINT else None
    axis, value = WAYS.get(point or of.text(at), ("", ""))
    if axis == "side" and of.text(at - 1) not in _BEFORE_SIDE and of.text(at + 1) != "neighbour":
        return
    if axis == "end of a pile" and not re.search(r"\b(?:pile|deck|cards?)\b", of.said):
        return
    if axis:
        yield Fact(axis, value, frozenset(), of.quoted(at, at + 1))


def _time(of: ReadSentence, at: int) -> Iterator[Fact]:
    """Before or after what, at the start or the end of what."""
    words = of.begins(at, _TIMES)
    start = end = at + len(words.split())
    while words and end < min(len(of.words), start + 8) and of.text(end) not in (",", "("):
        end += 1
    value = _moment(of, words, start, end) if words else ""
    about = of.content(start, end) - _TIMELESS
    if value and about:
        yield Fact("time", value, about, of.quoted(at, end))


def _moment(of: ReadSentence, words: str, start: int, end: int) -> str:
    """Before or after, by the word that says when and what is said of the event."""
    lemmas = {one.lemma for one in of.words[start:end]}
    over = bool(lemmas & {"end", "over"})
    value = _TIMES[words]
    if words == "once" and of.text(start) in ("in", "per", "a", "an", "each", "every"):
        return ""
    if value != AT:
        return "" if value == EARLY and over else value
    done = {of.text(one) for one in range(start, end)} & {"has", "have"}
    return EARLY if "begin" in lemmas else LATE if over or done else ""


def _begun(of: ReadSentence, at: int) -> Iterator[Fact]:
    """`each round begins with ...`, `whoever ends their turn`."""
    value = {"begin": EARLY, "start": EARLY, "end": LATE}.get(
        of.lexicon.forms.get(of.text(at), ""), ""
    )
    phrase = next((one for one in of.phrases if at in (one.start - 1, one.end)), None)
    if value and phrase is not None and of.text(at - 1) not in ("the", "from", "and"):
        about = frozenset((phrase.head,)) - _TIMELESS
        if about:
            yield Fact(
                "time", value, about, of.quoted(min(at, phrase.start), max(at + 1, phrase.end))
            )


def _limit(of: ReadSentence, at: int) -> Iterator[Fact]:
    """`at least 3`: up or down from a number."""
    words = of.begins(at, _LIMITS)
    behind = at + len(words.split())
    number = of.number(behind if words else at)
    sign, shift, end = *_LIMITS.get(words, (0, 0)), behind + 1
    if not words:
        end = next((one for one in (at + 1, at + 2, at + 3) if of.text(one, 2) in _BEHIND), at) + 2
        sign = _BEHIND.get(of.text(end - 2, 2), 0)
    if number is None or not sign or of.text(at - 1) == "no":
        return
    start, stop = of.stretch(at)
    before = {of.text(one) for one in range(start, at)}
    if before & {"until", "unless", "not", "never"}:
        return
    yield Fact(
        "limit", (sign, number + shift), of.content(start, stop), of.quoted(at, end), str(number)
    )


def _extreme(of: ReadSentence, at: int) -> Iterator[Fact]:
    """`the largest piece`."""
    word = of.text(at)
    value = "largest" if word in LARGEST else "smallest" if word in SMALLEST else ""
    if value and of.text(at - 1) in ("the", "with", "whose", "your") and of.text(at - 2) != "at":
        yield Fact("extreme", value, of.content(at + 1, at + 3), of.quoted(at, at + 2))


def _comparison(of: ReadSentence, at: int) -> Iterator[Fact]:
    """`a higher score than you`: more or less, from the point of view of others than you."""
    value = _sign(of.text(at))
    than = next((one for one in range(at + 1, at + 5) if of.text(one) == "than"), 0)
    if not value or not than or of.number(than + 1) is not None:
        return
    start, _ = of.stretch(at)
    left = _YOU & {of.text(one) for one in range(start, at)}
    right = _YOU & {of.text(one) for one in range(than, than + 5)}
    if bool(left) != bool(right):
        words = of.quoted(at, than + 1)
        yield Fact("than", -value if left else value, of.content(start, than), words)


def _change(of: ReadSentence, at: int) -> Iterator[Fact]:
    """How much something is higher or lower."""
    sign, number, end = _signed(of, at) or _by(of, at) or _higher(of, at) or (0, None, at)
    about = of.content(*of.stretch(at))
    if sign and about.isdisjoint(_LOSSES) and (about := about - _COUNTED):  # more of a loss is less
        yield Fact("change", (sign, number), about, of.quoted(at, end))


_PLACED = word_set("above below under over than at from to")
_Change = tuple[int, int | None, int]
"""Higher (1) or lower (-1), by how much, and where its words end."""


def _signed(of: ReadSentence, at: int) -> _Change | None:
    """`+2 ...`, but not `above -25`, which is a place on a scale."""
    sign, before = {"+": 1, "-": -1}.get(of.text(at)), of.text(at - 1)
    if sign is None or of.number(at + 1) is None or before.isdigit() or before in _PLACED:
        return None
    return sign, of.number(at + 1), at + 2


def _by(of: ReadSentence, at: int) -> _Change | None:
    """`higher by 3`, `higher by a quarter`."""
    number = _amount(of, at + 2)
    counted = number is not None or _is_part(of, at + 2) or _is_part(of, at + 3)
    by = _sign(of.text(at)) and of.text(at + 1) == "by" and counted
    return (_sign(of.text(at)), number, at + 3) if by else None


def _higher(of: ReadSentence, at: int) -> _Change | None:
    """`3 higher`, `one die more`, `2d6 more`."""
    number = _amount(of, at)
    end = next((one for one in (at + 2, at + 3) if _sign(of.text(one - 1))), 0)
    compared = of.text(end) == "than" or of.text(at - 1) in ("than", "least", "most")
    if compared or not end or (number is None and not _is_part(of, at)):
        return None
    return _sign(of.text(end - 1)), number, end


def _is_part(of: ReadSentence, at: int) -> bool:
    return _PARTS.match(of.text(at)) is not None


def _amount(of: ReadSentence, at: int) -> int | None:
    noun = any(one.lemma in of.lexicon.nouns for one in of.words[at + 1 : at + 3])
    return 1 if noun and of.text(at) in ("a", "an") else of.number(at)


def _gains(of: ReadSentence) -> Iterator[Fact]:
    """How much a verb raises or lowers something, or gets or loses of it."""
    for verb in of.verbs:
        start, end = of.stretch(verb.at)
        sign, plain = _sign_of(of, verb), of.lexicon.forms.get(of.text(verb.at))
        places = [*range(verb.at + 1, end), *(range(start, verb.at) if verb.passive else ())]
        number = next((one for at in places if (one := _amount(of, at)) is not None), None)
        part = any(_is_part(of, at) for at in places)
        if sign and (number is not None or part) and verb.modal != NOT:
            first = verb.at + 1 if plain in (*RAISES, *LOWERS, "take") else start
            about = of.content(first, end) - _COUNTED - {*of.lexicon.forms}
            words = of.quoted(start if verb.passive else verb.at, end)
            yield Fact("change", (sign, None if part else number), about, words)


def _sign_of(of: ReadSentence, verb: Verb) -> int:
    """Whether a verb raises (1) or lowers (-1)."""
    plain = of.lexicon.forms.get(of.text(verb.at), "")
    if plain in RAISES or plain in LOWERS:
        return 1 if plain in RAISES else -1
    if plain == "take" and (of.text(verb.at + 2) == "from" or re.search(r"\bfrom your\b", of.said)):
        return -1
    return {GET: 1, LOSE: -1}.get(of.does(verb), 0)


def _sign(word: str) -> int:
    return 1 if word in MORE else -1 if word in LESS else 0


_LOSSES = frozenset(("lose", "cost", "penalty", "price", "loss"))
_PARTS = re.compile(r"half|third|quarter|\d+d\d+|\d+/\d+")
_BEFORE_POINT = ("face", "faces", "facing", "spaces", "space", "way")
_BEFORE_SIDE = ("your", "the", "their", "his", "her", "to", "its", "on")
_TIMES = {
    "before": EARLY,
    "at the start of": EARLY,
    "at the beginning of": EARLY,
    "after": LATE,
    "at the end of": LATE,
    "when": AT,
    "whenever": AT,
    "once": AT,
}
_TIMELESS = word_set("begin end over have player each time")
_LIMITS = {
    "at least": (1, 0),
    "no fewer than": (1, 0),
    "no less than": (1, 0),
    "more than": (1, 1),
    "at most": (-1, 0),
    "no more than": (-1, 0),
    "not more than": (-1, 0),
    **dict.fromkeys(("never fewer than", "never less than"), (1, 0)),
    "never more than": (-1, 0),
    "fewer than": (-1, -1),
    "less than": (-1, -1),
}
_BEHIND = {"or more": 1, "or fewer": -1, "or less": -1}
_YOU = {"you", "your", "yours"}
_COUNTED = word_set(
    "die point extra player character amount number higher lower better worse take add"
)

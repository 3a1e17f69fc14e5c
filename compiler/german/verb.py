"""German verbs: what is to be done, and the forms of one who does it.

A verb phrase stands in the infinitive, as in a dictionary, with `!` behind each verb and its prefix apart:
`eine Handkarte ab-legen! und ihre Kraft nutzen!`. A clause stands as a main clause, its finite verb and what
closes the clause between asterisks: `{piece:nom} *kann* auf {spot:akk} *zielen*`, `du *scheidest* *aus-*`.
"""

from __future__ import annotations

import re

from ruleloom.compiler.english.clause_tree import Unspoken
from ruleloom.runtime.dataclass import Frozen

THIRD, SECOND, MANY = "er", "du", "sie"
"""The persons of a subject: somebody, the reader, several."""
_IMPERATIVES = {
    **{"nehmen": "nimm", "geben": "gib", "werfen": "wirf", "lesen": "lies", "sehen": "sieh"},
    **{"treffen": "triff", "sprechen": "sprich", "brechen": "brich", "helfen": "hilf"},
    **{"tun": "tu", "lassen": "lass", "kommen": "komm", "vergessen": "vergiss", "sein": "sei"},
}
# The third person, with the second person and the plural where a rule does not give them.
_FINITE = {
    **{"ist": ("bist", "sind"), "hat": ("hast", "haben"), "wird": ("wirst", "werden")},
    **{"kann": ("kannst", "können"), "darf": ("darfst", "dürfen"), "muss": ("musst", "müssen")},
    **{"soll": ("sollst", "sollen"), "will": ("willst", "wollen"), "tut": ("tust", "tun")},
    **{"nimmt": ("nimmst", "nehmen"), "gibt": ("gibst", "geben"), "fällt": ("fällst", "fallen")},
    **{"hält": ("hältst", "halten"), "lässt": ("lässt", "lassen"), "liegt": ("liegst", "liegen")},
    **{"trägt": ("trägst", "tragen"), "verliert": ("verlierst", "verlieren")},
    **{"verlässt": ("verlässt", "verlassen"), "wächst": ("wächst", "wachsen")},
    **{"könnte": ("könntest", "könnten"), "würde": ("würdest", "würden")},
    **{"wurde": ("wurdest", "wurden"), "besitzt": ("besitzt", "besitzen")},
}
# The third person of infinitives whose stem has another vowel there.
_VOWELS = {
    **{"halten": "hält", "lassen": "lässt", "fallen": "fällt", "tragen": "trägt"},
    **{"laden": "lädt", "raten": "rät", "schlagen": "schlägt", "laufen": "läuft"},
    **{"fangen": "fängt", "stoßen": "stößt", "schlafen": "schläft", "wachsen": "wächst"},
    **{"tun": "tut", "haben": "hat", "werden": "wird", "sein": "ist"},
}
_IRREGULAR = {*_VOWELS, *_IMPERATIVES}
_PREFIXES = ("über", "unter", "wider", "ver", "zer", "ent", "er", "be", "ge")
_ACT = re.compile(r"(?<![\w-])([\w-]+)!")
_MARK = re.compile(r"\*([^*]+)\*")


def imperative(infinitive: str) -> str:
    """What somebody is told to do: `legen` as `lege`, `nehmen` as `nimm`."""
    if infinitive in _IMPERATIVES:
        return _IMPERATIVES[infinitive]
    for base, told in _IMPERATIVES.items():
        if infinitive.endswith(base) and infinitive[: -len(base)] in ("über", "ver", "be", "ent"):
            return infinitive.removesuffix(base) + told
    if infinitive.endswith("eln"):
        return f"{infinitive[:-3]}le"
    if infinitive.endswith("ern"):
        return f"{infinitive[:-1]}e"
    return f"{infinitive.removesuffix('en')}e"


def third(infinitive: str) -> str:
    """What somebody does: `legen` as `legt`, `nehmen` as `nimmt`."""
    led = (one for one in _PREFIXES if infinitive.startswith(one))
    prefix = next((one for one in led if infinitive.removeprefix(one) in _IRREGULAR), "")
    verb = infinitive.removeprefix(prefix)
    if verb in _VOWELS:
        return prefix + _VOWELS[verb]
    if verb in _IMPERATIVES and not _IMPERATIVES[verb].endswith(("komm", "lass", "sei", "tu")):
        return f"{prefix}{_IMPERATIVES[verb]}t"
    stem = infinitive.removesuffix("n").removesuffix("e")
    return f"{stem}et" if stem.endswith(("d", "t")) else f"{stem}t"


def finite(verb: str, person: str) -> str:
    """A verb of the third person, in the person of its subject."""
    if person == THIRD or verb.endswith("en"):
        return verb  # two subjects have the verb that their author gave them
    if verb in _FINITE:
        return _FINITE[verb][person == MANY]
    stem = verb.removesuffix("t")
    if stem == verb:
        raise Unspoken(f"{verb} ({person})")
    if person == SECOND:
        return f"{stem}t" if stem.endswith(("s", "ß", "z", "x")) else f"{stem}st"
    return f"{stem}n" if stem.endswith("e") else f"{stem}en"


def is_act(text: str) -> bool:
    """Whether a text is a verb phrase."""
    return _ACT.search(text) is not None


def to_do(text: str) -> str:
    """A verb phrase as an infinitive: `eine Handkarte ablegen und ihre Kraft nutzen`."""
    return _ACT.sub(lambda act: act[1].replace("-", ""), text)


def done_by(text: str, subject: str, person: str) -> str:
    """A verb phrase as a clause with a subject, its verbs last: `der Spieler eine Handkarte ablegt`."""

    def told(act: re.Match[str]) -> str:
        prefix, _, verb = act[1].rpartition("-")
        return prefix + finite(third(verb), person)

    return f"{subject} {_ACT.sub(told, text)}"


def commanded(text: str) -> str:
    """A verb phrase as a command: `lege eine Handkarte ab und nutze ihre Kraft`."""
    said, end = "", 0
    for act in _ACT.finditer(text):
        before = text[end : act.start()]
        link = re.match(r"(?:,? (?:und dann|oder dann|und|oder|dann) |; (?:dann )?)?", before)
        head = link[0] if link is not None and said else ""
        if said and not head:
            raise Unspoken(text)  # what stands behind a verb would come before the next one
        prefix, _, verb = act[1].rpartition("-")
        parts = (imperative(verb), before[len(head) :].strip(), prefix)
        said += head + " ".join(filter(None, parts))
        end = act.end()
    if not said:
        raise Unspoken(text)
    return said + text[end:]


class Clause(Frozen):
    """A clause by its fields: what stands before the verb, the finite verb, what stands between it and what
    closes the clause (a prefix, an infinitive, a participle), and what is put behind. `mark` is the
    cross-reference at its end."""

    front: str
    verb: str
    middle: str = ""
    close: str = ""
    behind: str = ""
    mark: str = ""

    @classmethod
    def read(cls, text: str) -> Clause:
        """A clause as it is written. Raises Unspoken for one without a marked verb."""
        front, *rest = _MARK.split(text)
        if len(rest) == 2:
            middle, comma, behind = rest[1].partition(", ")
            return cls(front.strip(), rest[0], middle.strip(), "", comma + behind)
        if len(rest) != 4:
            raise Unspoken(text)
        verb, middle, close, behind = rest
        return cls(front.strip(), verb, middle.strip(), close, behind.rstrip())

    @property
    def main(self) -> str:
        """The clause by itself: `der Stein liegt auf dem Tisch`."""
        return self._told(self.front, self.verb, self.middle, self.close.removesuffix("-"))

    @property
    def inverted(self) -> str:
        """The clause with its verb first, as a condition or behind one: `liegt der Stein auf dem Tisch`."""
        return self._told(self.verb, self.front, self.middle, self.close.removesuffix("-"))

    @property
    def last(self) -> str:
        """The clause with its verb last, behind a conjunction: `der Stein auf dem Tisch liegt`."""
        end = f"{self.close} {self.verb}".strip().replace("- ", "")
        return self._told(self.front, self.middle, end)

    def _told(self, *parts: str) -> str:
        return " ".join(filter(None, parts)) + self.behind + self.mark

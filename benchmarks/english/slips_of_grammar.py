"""What is wrong in any rules text, whatever it is about: in goes a text, out come its faults."""

from __future__ import annotations

import re

_ONE = "die|card|piece|pip|point|trait|round|wound|box|space|territory|follower|action"
_MANY = "dice|cards|pieces|pips|points|traits|rounds|wounds|boxes|spaces|followers|actions"
_BARE = "have|are|do|take|lose|run|show|stand|get|gain|draw|make|hold|own|suffer|hit"
_WITH_S = "has|is|does|was|loses|gets|takes|draws|discards|chooses|pays|rolls"
_SINGULAR = r"he|she|it|somebody|everybody|nobody|whoever(?!'s)|(?<!of )(?<!and )the (?:target|bearer|caster)"
_COMPARED = "more|less|fewer|larger|smaller|longer|only|worse|better"
_SLIPS = {
    "an inner name": (
        r"\b[a-z]+_[a-z_]+\b",
        r"\(none\)|\bNdN\b",
        r"'s (?:has|carried|wound|dents|its \w+) for\b",
        r"\b(?:mana in|until|spent|has|aimed) of (?:the|every)\b",
        r"\bwhose [a-z ]+ is ?[:;,.]",
        r"\b(?:whom it is aimed at|whose count it is)\b",
    ),
    "a for an": (
        r"\b[Aa] (?!one|once|uni|us[aeu]|eu)[aeiouAEIO]\w*",
        r"\b[Aa] (?:8|11|18|NPC|MI|MR)\b",
    ),
    "an for a": (r"\b[Aa]n (?!hour|honest|heir|honour)[bcdfghjklmnpqrstvwxyz]\w*",),
    "what its author wrote for the machine": (
        r"\b\w+\([a-z]",
        r"\bEffect: |!=|>=|<=",
    ),
    "a condition without words": (
        r"\b(?:is|are|=) (?:something|nothing)\b",
        r"(?<!there )\bis none\b(?! of)",
    ),
    "yes or no for a condition": (
        r"(?<!the answer )\b(?:is|are) (?:yes|no)(?=[,.;:)]|$| and | or )",
        r": (?:yes|no)(?=[,.;)])",
    ),
    "a slot that was not filled": (
        r"[{}]",
        r"\bthe (?:much|many|faces|given)(?=[,.;: )]|$)(?! (?:of|dice|points))",
        r"\bthe most(?=[,.;:)]| (?:is|and|EI|PI|MI)\b)",
        r"\bthe (?:what|who|which|whom)(?:'s|(?= is\b|[.,;]))|\bany which\b|\byour step\b",
    ),
    "a word twice": (r"\b(?!that\b|had\b|her\b|round\b)((?i:[a-z]+)) (?i:\1)\b",),
    "a word that is none": (
        r"\b(?:thes|ofs|ands|ors|fors|bys|its's|youself)\b",
        r"\b[Ss]omebody (?:ones|alls|each|does this|draw|bashing)\b",
    ),
    "a verb that does not agree": (
        r"\bthere does not\b|\bthere (?:are|is) all\b|\bthe all\b",
        r"\bthat are [^.;:]{1,60} and that is\b|\b(?:the|a) those\b|\b[Ff]or every first\b",
        r"\b[Aa] (?:colour|given) (?:dice|traits)\b",
        rf"(?<!plays )(?<!for )\b[Yy]ou (?:{_WITH_S})\b",
        r"\b[Tt](?:hey|hese|hose) (?:is|has|was|does)\b",
        rf"\b(?i:{_SINGULAR}) (?:have|are|do|lose|gain)\b",
        rf"\b(?:[Aa]n?|[Ee]ach|[Ee]very) (?!few )(?:\w+ )?[a-z]+[^s\W] that (?:{_BARE})\b",
    ),
    "a number that does not agree": (
        rf"(?<![\d/.-])\b(?:1|[Oo]ne|a) (?:{_MANY})\b(?! (?:that|which))",
        rf"(?<![\d/.-])\b(?:[2-9]|[1-9]\d|two|three|four|five|six) (?:{_ONE})\b(?!-)",
    ),
    "a double denial": (
        rf"\bnot (?:not|no|nobody|nothing|never)\b(?! (?:{_COMPARED}))",
        r"\b[Uu]nless \w+ (?:is|are) not\b",
    ),
    "a sign out of place": (
        r" [,.;:](?!\w)",
        r"\.\.(?!\.)|,,|;\.",
        r"\b(?:the|a|an|and|or)[,.;)]",
        r"^[.,;:]",
    ),
    "a field without words": (
        r"\b(?:own|new) ones\b",
        r"\b(?:Aim|Step of): of\b|: from \d+, to\b",
        r"\b(?:black|red|blue) (?:either|writes|strikes)\b",
    ),
    "an otherwise that could go with either": (r"\bIf [^.:;]+, if [^.:;]+\. Otherwise\b",),
    "a verb is missing": (r"\b(?:about to|would|may not|cannot) (?:a|an|the)\b",),
}
_PATTERNS = [
    (name, re.compile(pattern, re.MULTILINE))
    for name, patterns in _SLIPS.items()
    for pattern in patterns
]
# The letters and numbers of lists, which are no words.
_MARKERS = re.compile(r"^\s*(\d+|[a-z]|[ivx]+)\. |\(([a-z]|[ivx]+)\) ", re.MULTILINE)
_VAGUE = re.compile(r"(?<!inside )\b(somebody|someone|something)\b(?! else)", re.IGNORECASE)
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))


def slips(text: str, named: bool) -> list[str]:
    """What is wrong, each with the words; `named` says that nobody and nothing is left unnamed."""
    if not text.strip():
        return ["nothing is said"]
    text = _MARKERS.sub("", text)
    found = [
        f"{name}: “{_around(text, match)}”"
        for name, pattern in _PATTERNS
        for match in pattern.finditer(text)
    ]
    if named:
        found += [f"not named: “{_around(text, match)}”" for match in _VAGUE.finditer(text)]
    found += [f"{a}{b} do not match" for a, b in _PAIRS if text.count(a) != text.count(b)]
    return found


def _around(text: str, match: re.Match[str]) -> str:
    """A match with a few words on either side."""
    before = text[: match.start()].split("\n")[-1].split()[-3:]
    after = text[match.end() :].split("\n")[0].split()[:3]
    return " ".join((*before, match[0].strip(), *after))

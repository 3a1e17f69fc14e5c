"""Syntax errors in an author's words: the token found, the tokens expected, the text to type.

The parser knows only that a token does not fit. Known mistakes are tried first, from the special to the
general; for any other the accepted tokens are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile

from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, nearest, quoted_list
from ruleloom.compiler.syntax.ast import ROUNDINGS
from ruleloom.compiler.syntax.lexer import (
    DASHED,
    LAYOUT,
    LEVELS,
    RESERVED,
    SLIPS,
    EffectSyntaxError,
    Tok,
    Unclosed,
    odd_line,
    odd_one_above,
    open_brackets,
)
from ruleloom.runtime.dataclass import Frozen

FORMS: dict[str, str] = SLIPS["forms"]
"""The form of each statement, by its first word: the default help."""

# The whole content of each field.
FIELDS: dict[str, str] = SLIPS["fields"]

CHOOSE_ONE = 'write `choose one:`, or `choose one named menu by player "question":`'

# The mark of the usual way.
MARK = "usual"

ABILITIES = ("modify", "passive", "when", "instead", "restrict")

# Fractions and multiples of a number in plain English.
_SHARES = {"half": "2", "third": "3", "quarter": "4", "double": "2", "twice": "2"}

# Words of other languages at the start of a statement, and the right ones.
_FOREIGN: dict[str, str] = SLIPS["foreign"]

_VALUE = {"NAME", "NUMBER", "STRING", "DICE", "YES", "NO", "NONE", "NOT", "ALLOWED", "LPAR"}
_VALUE |= {"LSQB", "MINUS", "COUNT", "EXISTS", "EVERY", "THOSE", "SUM", "HIGHEST", "LOWEST"}
_PLAIN: dict[str, str] = SLIPS["tokens"]
_ENDS: dict[str, str] = SLIPS["ends"]
_MOST_LISTED = 8
# Tokens that need another one: the message for them alone, and the form to write.
_ONLY_WITH: dict[str, tuple[str, str]] = SLIPS["alone"]


class _Place(Frozen):
    """The token at which the parser failed, with its context."""

    text: str
    token: Tok
    tokens: list[Tok]
    index: int
    accepted: frozenset[str]
    fixed: Mapping[str, str]

    @property
    def line(self) -> int:
        """The index of the first token of the line."""
        layout = (at + 1 for at in range(self.index) if self.tokens[at].type in LAYOUT)
        return max(layout, default=0)

    @property
    def head(self) -> Tok:
        return self.tokens[self.line]


_Looks = tuple[Callable[[_Place], EffectSyntaxError | None], ...]


def explain(
    text: str,
    tokens: list[Tok],
    token: Tok,
    accepted: frozenset[str],
    start: str,
    fixed: Mapping[str, str],
) -> EffectSyntaxError:
    """Return the error at a token that does not fit; `accepted` are the kinds that would."""
    if token.type == "$END":
        token = Tok("END", "", (len(text), len(text)))
        tokens = [*tokens, token]
    if token.type == "MISTAKE":
        return token.value  # type: ignore[no-any-return]
    last = tokens[-1]
    if isinstance(last.value, Unclosed) and "\n" in text[last.span[0] : token.span[0]]:
        return last.value
    index = next(at for at, other in enumerate(tokens) if other is token)
    place = _Place(text, token, tokens, index, accepted, fixed)
    looks = _LOOKS_BY_START.get(start, (_several_lines,))
    if start == "abilities" and _answers(tokens[: place.line]):
        looks = _BLOCK_LOOKS
    looks = (_dashed, _rounding, _share, _misplaced_mark, *looks)
    found = next((found for look in looks if (found := look(place))), None) or _general(place)
    if start in FIELDS and (found.help is None or found.help in FORMS.values()):
        found.help = FIELDS[start]
    return found


def _misplaced_mark(place: _Place) -> EffectSyntaxError | None:
    """`usual` of a way or an `optional` that does not stand before the colon."""
    mark = place.token if place.token.value == MARK else place.tokens[place.index - 1]
    ways = ("STRING", "OPTIONAL", "CHOOSE")
    if mark.value != MARK or not (place.head is mark or place.head.type in ways):
        return None
    message = f"`{MARK}` marks a way, or an `optional`, and stands at its end"
    help = f'write `"label" when condition {MARK}:` or `optional "label" {MARK}:`'
    return EffectSyntaxError(mark.span, message, help)


def _answers(tokens: list[Tok]) -> bool:
    """Whether the line after these tokens is in the block of a `when` or `instead`."""
    heads: list[str] = []
    head = ""
    fresh = True
    for token in tokens:
        if token.type == "INDENT":
            heads.append(head)
        elif token.type == "DEDENT":
            heads.pop()
        elif token.type != "NEWLINE" and fresh:
            head = str(token.value)
        fresh = token.type in LAYOUT
    return "when" in heads or "instead" in heads


def _ability_start(place: _Place) -> EffectSyntaxError | None:
    """A line of abilities that begins with neither their words nor a keyword."""
    head, token = place.head, place.token
    word = str(head.value)
    if place.index == place.line:
        if token.type == "END" or token.type in LAYOUT:
            return None
        message = f"abilities cannot begin with {_shown(token)}"
    elif place.index == place.line + 1 and head.type == "NAME" and token.value != "(":
        close = ["when"] if word == "whenever" else nearest(word, ABILITIES, 1)
        message = f"`{word}` is no ability"
        if close:
            return EffectSyntaxError(head.span, message, Suggestion(word, close[0]))
    else:
        return None
    help = "begin with `modify`, `restrict`, `when`, `instead of`, `passive where`, or with a "
    return EffectSyntaxError(head.span, message, f"{help}keyword and `(`")


def _dashed(place: _Place) -> EffectSyntaxError | None:
    """A name with dashes, like an id."""
    for found in DASHED.finditer(place.text):
        if found.start() < place.token.span[0] < found.end():
            message = f"`{found[0]}` is no name here: texts write `_` for `-`"
            help = Suggestion(found[0], found[0].replace("-", "_"))
            return EffectSyntaxError(found.span(), message, help)
    return None


def _rounding(place: _Place) -> EffectSyntaxError | None:
    """A rounding without a direction."""
    token = place.token
    if token.value not in ("rounded", "round") or not token.span[0] or "NAME" in place.accepted:
        return None
    help = f"write {quoted_list(ROUNDINGS, 'or')}"
    return EffectSyntaxError(token.span, f"`{token.value}` needs a direction", help)


def _share(place: _Place) -> EffectSyntaxError | None:
    """A fraction or multiple in plain English: `half damage`, `1/2 of damage`."""
    tokens, at = place.tokens, place.index
    said = str(tokens[at - 1].value) if at > place.line else ""
    by = _SHARES.get(said) or said.removeprefix("1/")
    at += place.token.value == "of"
    if not by.isdecimal() or tokens[at].type != "NAME" or not (said in _SHARES or "1/" in said):
        return None
    words = tokens[at].value
    if tokens[at + 1].type == "LPAR":
        words += "(...)"
    help = f"write `{words} div {by} rounded down` or `{words} div {by} rounded up`"
    if said in ("double", "twice"):
        help = f"write `{words} * {by}`"
    span = (tokens[place.index - 1].span[0], tokens[at].span[1])
    return EffectSyntaxError(span, f"`{place.text[slice(*span)]}` is not written like this", help)


def _empty(place: _Place) -> EffectSyntaxError | None:
    if place.token.type == "END" and place.index == 0:
        message = "an effect needs a statement"
        return EffectSyntaxError((0, 0), message, "write `stop` to do nothing")
    return None


def _layout(place: _Place) -> EffectSyntaxError | None:
    """A missing or unexpected block."""
    if place.token.type == "INDENT":
        inner = place.tokens[place.index + 1]
        odd = odd_one_above(place.text, inner.span[0])
        if odd is not None:
            return odd_line(odd)
        message = "this line is indented deeper than the one above"
        help = "begin it below the line above, or end that line with `:`"
        return EffectSyntaxError(inner.span, message, help)
    if place.accepted == {"INDENT"}:
        colon = place.tokens[place.index - 2]
        span = colon.span if place.token.type in ("END", "DEDENT") else place.token.span
        message = "an indented block is missing after `:`"
        return EffectSyntaxError(span, message, "indent the lines that belong to it by four spaces")
    return None


def _first_word(place: _Place) -> EffectSyntaxError | None:
    """A line that begins no statement."""
    head, token = place.head, place.token
    if place.index == place.line:
        return _wrong_start(place)
    if head.type != "NAME" or place.index != place.line + 1:
        return None
    word = head.value
    if word in ABILITIES:
        help = "abilities stand below one another in `abilities:`"
        return EffectSyntaxError(head.span, f"`{word}` is an ability, not a statement", help)
    if token.type == "COLON" and word not in _FOREIGN:
        help = "to begin another field here, line it up with the field above the effect"
        return EffectSyntaxError(head.span, f"`{word}:` is not a statement", help)
    meant = _statement_meant(word, token)
    if meant is not None:
        return EffectSyntaxError(head.span, f"`{word}` is not a statement", meant)
    if token.value == "=":
        help = f"write `let {word} = ...`, or `set` to change it"
        return EffectSyntaxError(token.span, f"`{word} = ...` is not a statement", help)
    if token.type in ("NEWLINE", "NAME", "GIVING"):
        help = f"an operation has parentheses: `{word}()`; a power is used with `use {word}`"
        return EffectSyntaxError(head.span, f"`{word}` is not a statement", help)
    message = f"expected `(` after the operation `{word}`, found {_shown(token)}"
    return EffectSyntaxError(token.span, message, f"write `{word}(...)`")


def _statement_meant(word: str, token: Tok) -> str | None:
    """Return the help for a word of another language, or a misspelt one."""
    if word in _FOREIGN:
        return f"write `{_FOREIGN[word]}`"
    if len(word) > 3:
        close = nearest(word, FORMS, 1)
    else:  # nearly every word of three letters is near another one
        close = [form for form in FORMS if form == word.lower()]
    return Suggestion(word, close[0]) if close and token.value != "=" else None


def _wrong_start(place: _Place) -> EffectSyntaxError | None:
    token = place.token
    if token.type in ("ELSE", "ELIF"):
        help = "put it at the level of its `if`, after its block"
        return EffectSyntaxError(token.span, f"`{token.value}` has no `if` above it", help)
    if place.accepted <= {"STRING", "DEDENT"}:
        message = f"expected the label of a mode, found {_shown(token)}"
        help = 'each mode is written `"label":` and an indented block'
        return EffectSyntaxError(token.span, message, help)
    if place.accepted <= {"USE", "DEDENT"}:
        message = f"expected `use`, found {_shown(token)}"
        return EffectSyntaxError(token.span, message, "`combinable` holds only lines of `use`")
    if token.type == "STRING":
        help = "write `say` before it; modes stand under `choose one:`"
        return EffectSyntaxError(token.span, "a text alone is not a statement", help)
    if token.type in ("END", "DEDENT", "NEWLINE"):
        return None
    help = "begin with a word such as `choose`, `let`, `use`, `if`, or with an operation"
    if token.type == "WHEN":
        help = "write `if condition:`; `when` answers events, in `abilities:`"
    return EffectSyntaxError(token.span, f"a statement cannot begin with {_shown(token)}", help)


def _else_if(place: _Place) -> EffectSyntaxError | None:
    before, token = place.tokens[max(place.index - 1, 0)], place.token
    if (before.type, token.type) != ("ELSE", "IF") or "COLON" not in place.accepted:
        return None
    span = (before.span[0], token.span[1])
    return EffectSyntaxError(span, "`else if` is one word here", "write `elif`")


def _those_meant(place: _Place) -> EffectSyntaxError | None:
    """`for each x in xs where c:`: the condition belongs in a list."""
    words = place.tokens[place.line : place.index]
    if place.token.type != "WHERE" or "COLON" not in place.accepted or words[0].type != "FOR":
        return None
    depth, name, begin = 0, words[2].value, words[4].span[0]
    line = takewhile(lambda one: one.type not in LAYOUT, place.tokens[place.index :])
    for token, after in zip(line, place.tokens[place.index + 1 :], strict=False):
        depth += (token.type in ("LPAR", "LSQB")) - (token.type in ("RPAR", "RSQB"))
        in_order = token.type in ("ORDERED", "ONE") and after.type == "BY"
        if (token.type == "COLON" or in_order) and not depth:
            listed = place.text[begin : token.span[0]].strip()
            those = f"those({name}: {listed})"
            order = " " * in_order + place.text[token.span[0] :].partition(":")[0]
            help = Suggestion(listed, those, f"write `for each {name} in {those}{order}:`")
            message = "a loop has no `where` of its own: its list has one"
            return EffectSyntaxError((begin, begin + len(listed)), message, help)
    return None


def _no_colon(place: _Place) -> EffectSyntaxError | None:
    if place.token.type == "NEWLINE" and "COLON" in place.accepted:
        last = place.tokens[place.index - 1].span[1]
        message = "expected `:` at the end of this line"
        return EffectSyntaxError((last - 1, last), message, "add `:`")
    return None


def _where_meant(place: _Place) -> EffectSyntaxError | None:
    """`modify x(self) by 5 if condition`: the condition belongs in `where`."""
    if place.head.value != "modify" or "ELSE" not in place.accepted:
        return None
    behind = takewhile(lambda one: one.type not in LAYOUT, place.tokens[place.index :])
    before = [one for one in place.tokens[place.line : place.index] if one.type == "IF"]
    if not before or any(one.type == "ELSE" for one in behind):
        return None
    help = "write `where` for a condition, or say what it is otherwise: `5 if condition else 0`"
    return EffectSyntaxError(before[-1].span, "`if` goes only with `else` here", help)


def _several_lines(place: _Place) -> EffectSyntaxError | None:
    """An expression, besides effects, on several lines."""
    if place.line:
        help = "put parentheses around what goes over several lines"
        return EffectSyntaxError(place.token.span, "this belongs on one line", help)
    return None


_BLOCK_LOOKS: _Looks = (_empty, _layout, _first_word, _else_if, _those_meant, _no_colon)
_LOOKS_BY_START: dict[str, _Looks] = {
    "block": _BLOCK_LOOKS,
    "abilities": (_layout, _ability_start, _where_meant, _no_colon),
}


def _behind_it(place: _Place) -> str | None:
    """The help for statements run together: two acts on a line, or one of them twice."""
    done = place.tokens[place.line].type in ("USE", "NAME") and "NEWLINE" in place.accepted
    if done and place.token.value in ("then", "and"):
        return "put the next thing on a line of its own"
    if done and place.token.value in ("twice", "again"):
        return "write `repeat 2 times:` and the line below it, indented"
    if place.token.value == "times" and place.head.value not in ("modify", "repeat", "in"):
        return "write `*` to multiply: `times` goes with `modify`, `repeat` and `in`"
    words = [one.value for one in place.tokens[place.line : place.line + 3]]
    article = words[1] if words[:1] == ["choose"] and words[2:] not in ([], ["from"]) else ""
    if article in ("a", "an", "the"):
        return f"leave out `{article}`: a choice is written `choose x from list`"
    return None


def _usual_form(place: _Place) -> str | None:
    """The form of the statement that begins like this line."""
    line = place.tokens[place.line : place.index]
    colons = [at for at, one in enumerate(line[:-1], place.line + 1) if one.type == "COLON"]
    start = colons[-1] if colons else place.line
    first = [one.value for one in place.tokens[start : start + 2]]
    return CHOOSE_ONE if first == ["choose", "one"] else FORMS.get(first[0])


def _general(place: _Place) -> EffectSyntaxError:
    token = place.token
    span, help = token.span, _behind_it(place) or _usual_form(place)
    if token.type == "NEWLINE":
        last = place.tokens[place.index - 1].span[1] if place.index else 0
        span = (last, last)
    if token.type in _ONLY_WITH:
        message, form = _ONLY_WITH[token.type]
        return EffectSyntaxError(span, message.format(token.value), form)
    if "NAME" in place.accepted and "NUMBER" not in place.accepted and token.value in RESERVED:
        message = f"expected a name, found `{token.value}`, which is a word of the language"
        return EffectSyntaxError(span, message, help or "choose another name")
    message = f"expected {_expected(place)}, found {_shown(token)}"
    return EffectSyntaxError(span, message, _likely_slip(place) or help)


def _likely_slip(place: _Place) -> Suggestion | str | None:
    """The help for a word or a colon that is probably a slip."""
    token = place.token
    if token.type == "NAME" and len(token.value) > 2:
        words = {place.fixed.get(name, "") for name in place.accepted}
        return did_you_mean(token.value, sorted(filter(str.isidentifier, words)))
    if token.type == "COLON" and "RPAR" in place.accepted:
        opened = open_brackets(place.tokens[: place.index])
        if not opened or opened[-1] < place.line:
            return None
        before = place.tokens[opened[-1] - 1]
        behind = f" behind `{before.value}`" if str(before.value).isidentifier() else ""
        return f"write `)` for the `(`{behind} before the `:`"
    return None


def _expected(place: _Place) -> str:
    """List the accepted tokens: words first, then marks, then kinds without a fixed text."""
    if {"LET", "IF"} <= place.accepted:
        return "a statement"
    kinds, rest = _kinds_expected(place)
    words = [f"`{place.fixed[name]}`" for name in rest if name in place.fixed]
    words.sort(key=lambda word: (not word[1].isalpha(), word))
    kinds += [_PLAIN[name] for name in sorted(rest) if name in _PLAIN and name != "NAME"]
    listed = [*words, *kinds][:_MOST_LISTED]
    if not listed:
        return "something else"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def _kinds_expected(place: _Place) -> tuple[list[str], set[str]]:
    """Return the accepted kinds of things, and the accepted terminals of no such kind."""
    rest = set(place.accepted)
    kinds: list[str] = []
    if "RPAR" in rest:
        rest -= {"LPAR", "COLON"}
    if "NUMBER" in rest:
        kinds.append("a value")
        rest -= _VALUE
    if "NAME" in place.accepted:  # then soft keywords fit only as names
        rest = {name for name in rest if place.fixed.get(name) in {*RESERVED, ")", "]", ","}}
        kinds = kinds or ["a name"]
    if "LESSTHAN" in rest:
        rest -= {name for name in rest if place.fixed.get(name) in LEVELS} | {"IF"}
        kinds.append("an operator")
    return kinds, rest


def _shown(token: Tok) -> str:
    if token.type in _ENDS:
        return _ENDS[token.type]
    if token.type == "STRING":
        return "a text"
    return f"`{token.value[:40]}`"

"""What the help of a finding offers is typed in where it stands: the finding is gone, no new error
comes, and where the message says what the text then means, it means that."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.diagnostics.report import Diagnostic
from tests.compiler.test_cases import CASES, found_in
from tests.laws.offered import offer
from tests.runtime.test_stats import program_with, vigour
from tests.support.check_layer import run_check
from tests.support.expect import LAYERS, Example
from tests.support.orchard_items import abilities, listed

EXAMPLES = [
    *((layer, case.name, case.source) for layer, case in CASES),
    *(
        (code.layer, name, code.bad)
        for name, code in codes().items()
        if code.layer in LAYERS and not isinstance(code.bad, bytes)
    ),
]
SOUND = [
    *(case.source for layer, case in CASES if layer == "check" and not case.expected),
    *(
        code.good
        for code in codes().values()
        if LAYERS.get(code.layer) is run_check and isinstance(code.good, str)
    ),
]
WORD = re.compile(r"[a-z_]+|\d+")


def is_there(found: Diagnostic, after: list[Diagnostic]) -> bool:
    """Is it still found, on its line?"""
    same = (found.code, found.message, found.place.line)
    return any((one.code, one.message, one.place.line) == same for one in after)


def errors(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    """The errors, by code and message."""
    return Counter((one.code, one.message) for one in found if one.severity == "error")


def retyped(example: Example, found: Diagnostic) -> tuple[Example, bool] | None:
    """An example after the rewrite that a finding in it offers, and whether that is a guess."""
    if isinstance(example, str):
        return offer(example, found)
    assert not isinstance(example, bytes)
    path = next((one for one in example if found.place.path.endswith(one)), "")
    made = offer(example[path], found) if path else None
    return ({**example, path: made.after}, made.is_guess) if made is not None else None


@pytest.mark.parametrize(("layer", "name", "text"), EXAMPLES, ids=[one[1] for one in EXAMPLES])
def test_an_offered_rewrite_mends_what_it_is_offered_for(layer: str, name: str, text: Example):
    found = found_in(layer, text) if isinstance(text, str) else LAYERS[layer](text)
    for one in found:
        made = retyped(text, one)
        if made is not None:
            whole, is_guess = made
            after = LAYERS[layer](whole)
            assert not is_there(one, after), f"{one.message}: {one.help}"
            # Several mistakes hide one another, and what a novice writes has several.
            if len(found) == 1 and layer not in GAMES and not is_guess:
                assert errors(after) == Counter(), f"{one.message}: {one.help}"


def test_there_are_rewrites_of_most_sorts():
    texts = [(layer, text) for layer, _, text in EXAMPLES if isinstance(text, str)]
    offering = {
        one.code for layer, text in texts for one in found_in(layer, text) if offer(text, one)
    }
    assert len(offering) >= 30


@st.composite
def variants(draw: st.DrawFn) -> str:
    """A sound text with one word changed."""
    text = draw(st.sampled_from(SOUND))
    words = list(WORD.finditer(text))
    at = draw(st.sampled_from(words))
    word, other = at[0], draw(st.sampled_from(words))[0]
    forms = [
        other,
        word[:-1],
        f"[{word}]",
        f"{word}({other})",
        f"{word} * 1/2",
        "1/2",
        "none",
        "me",
    ]
    return text[: at.start()] + draw(st.sampled_from(forms)) + text[at.end() :]


@settings(max_examples=150)
@given(variants())
def test_an_offered_rewrite_can_be_typed_in_anywhere(text: str):
    for one in run_check(text):
        made = offer(text, one)
        if made is not None:
            after = run_check(made.after)
            assert not is_there(one, after), f"{one.message}: {one.help}"
            unreadable = {
                new.code for new in after if codes()[new.code].layer in ("yaml", "syntax")
            }
            assert unreadable <= {one.code}, f"{one.message}: {one.help}"


@pytest.mark.parametrize(("part", "value"), [("1/2", 2), ("1/3", 1), ("2/3", 3)])
def test_what_is_offered_for_a_part_is_that_part(part: str, value: int):
    lines = ("modify vigour(self) by 4", f"modify vigour(self) times {part}")
    text = listed(abilities(*lines))
    [found] = run_check(text)
    made = offer(text, found)
    assert made is not None
    rounded = re.search(r"times .*", made.after)
    assert rounded is not None
    assert vigour(program_with(lines[0], f"modify vigour(self) {rounded[0]}")) == value

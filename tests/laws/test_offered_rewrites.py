"""What the help of a finding offers is typed in where it stands: the finding is gone, no new error
comes, and where the message says what the text then means, it means that."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.codes import codes
from tests.compiler.test_cases import CASES
from tests.laws.offered import hold_rewrites, is_there, offer
from tests.runtime.test_stats import program_with, vigour
from tests.support.check_layer import run_check
from tests.support.expect import LAYERS, Example
from tests.support.orchard_items import abilities, listed

EXAMPLES = [
    (code.layer, name, code.bad)
    for name, code in codes().items()
    if code.layer in LAYERS and not isinstance(code.bad, bytes)
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


@pytest.mark.parametrize(("layer", "name", "text"), EXAMPLES, ids=[one[1] for one in EXAMPLES])
def test_an_offered_rewrite_mends_what_it_is_offered_for(layer: str, name: str, text: Example):
    """So it is of the cases under tests/cases, whose own test says so of each."""
    hold_rewrites(layer, text, LAYERS[layer](text))


def test_there_are_rewrites_of_most_sorts():
    texts = [(layer, text) for layer, _, text in EXAMPLES if isinstance(text, str)]
    texts += [(layer, case.source) for layer, case in CASES if layer not in GAMES]
    offering: set[str] = set()
    for layer, text in texts:
        offering |= {one.code for one in LAYERS[layer](text) if offer(text, one)}
        if len(offering) >= 30:
            return
    raise AssertionError(offering)


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

"""`docs/llm.md` is what its script writes, and short enough to be read whole; `test_docs.py` runs it."""

from __future__ import annotations

import pytest

from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.scaffold.starters import games, kinds
from tests.docs.llm_page import COMMON_CODES, PAGE, PRINTED, page

MOST_WORDS = 12_000


@pytest.fixture(scope="module")
def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_is_written(text: str, request: pytest.FixtureRequest):
    made = page()
    if request.config.getoption("--reset"):
        PAGE.write_text(made, encoding="utf-8", newline="\n")
    else:
        assert made == text, "run `python -m tests.docs.llm_page` and read `git diff`"


def test_the_page_is_short(text: str):
    assert len(text.split()) < MOST_WORDS


def test_each_kind_has_an_example(text: str):
    for game in games():
        for kind in set(kinds(game)) - set(PRINTED):
            own = f"<!-- file: my-{game}/{kind}.yaml -->"
            assert own in text or (kind in COMMON_KINDS and f"kind: {kind}\n" in text), kind


def test_each_code_has_its_mend(text: str):
    for code in COMMON_CODES:
        assert f"- `{code}`: " in text

"""Every code shows a mistake, reported as that code alone, and the same file mended, which is
silent."""

from __future__ import annotations

import pytest

from ruleloom.compiler.diagnostics.codes import PAGES, codes, codes_on
from tests.support.expect import LAYERS, TESTS, read_cases

# What a case file cannot hold: it is text, holds a comment with the mark, and is parted at `---`.
WITHOUT_CASE = frozenset(
    {
        "not-utf8",
        "control-character",
        "second-document",
        "directive",
        "empty-file",
        "nested-too-deep",
    }
)

# Codes whose layer runs in a test of its own, or whose examples are sentences (`described`).
RUNNABLE = sorted(name for name, code in codes().items() if code.layer in LAYERS)


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_bad_example_reports_this_code_alone(name: str):
    code = codes()[name]
    assert {found.code for found in LAYERS[code.layer](code.bad)} == {name}


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_bad_example_makes_one_message(name: str):
    code = codes()[name]
    assert len(LAYERS[code.layer](code.bad)) == 1


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_good_example_is_silent(name: str):
    code = codes()[name]
    assert LAYERS[code.layer](code.good) == []


def test_every_code_has_a_layer_that_exists():
    unknown = {
        name: code.layer
        for name, code in codes().items()
        if code.layer not in {*LAYERS, "described"}
    }
    assert not unknown, f"write these layers into LAYERS in tests/support/expect.py: {unknown}"


def test_every_code_of_a_layer_with_cases_has_a_case():
    folders = {path.name for path in (TESTS / "cases").iterdir()}
    cases = [case for path in (TESTS / "cases").rglob("*.yaml") for case in read_cases(path)]
    shown = {mark.code for case in cases for mark in case.expected}
    missing = [
        name
        for name in RUNNABLE
        if codes()[name].layer in folders and name not in shown | WITHOUT_CASE
    ]
    assert not missing, f"write a case under tests/cases for {missing}"


@pytest.mark.parametrize("name", sorted(codes()))
def test_titles_and_reasons_are_written_in_our_voice(name: str):
    code = codes()[name]
    assert code.title[0].islower() or not code.title[0].isalpha()
    assert not code.title.endswith(".")
    assert code.why.endswith((".", "?"))
    assert name == name.lower()
    assert " " not in name


def test_no_code_stands_on_two_pages():
    pages = [page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")]
    names = [name for page in pages for name, _ in codes_on(page)]
    assert len(names) == len(set(names))


def test_a_page_tells_its_codes_with_their_examples():
    page = """# A page

## game inn

```yaml inn/pack.yaml
id: inn
```

## slip

*pack*: a word is misspelt

Nobody knows
what is meant.

Game: inn

```yaml inn/more.yaml
id: «a⟨00a0⟩¦b»
```
"""
    [(name, code)] = codes_on(page)
    assert (name, code.layer, code.title) == ("slip", "pack", "a word is misspelt")
    assert code.why == "Nobody knows what is meant."
    game = {"inn/pack.yaml": "id: inn\n"}
    assert code.bad == {**game, "inn/more.yaml": "id: a\xa0\n"}
    assert code.good == {**game, "inn/more.yaml": "id: b\n"}

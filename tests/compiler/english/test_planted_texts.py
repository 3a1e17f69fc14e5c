"""Card texts with one word turned into its opposite are found; right texts, and generated ones, are not blamed."""

from __future__ import annotations

import pytest

from benchmarks.planted_texts.__main__ import blames
from benchmarks.planted_texts.corpus import Planted, generated, written_by_hand
from benchmarks.planted_texts.mutations import slips

LEAST = 0.8
"""The part of wrong texts that is found."""


@pytest.fixture(scope="module")
def tuned(tmp_path_factory) -> list[Planted]:
    return written_by_hand("tuned.yaml", tmp_path_factory.mktemp("tuned"))


@pytest.fixture(scope="module")
def held_out(tmp_path_factory) -> list[Planted]:
    return written_by_hand("held_out.yaml", tmp_path_factory.mktemp("held_out"))


def test_right_texts_are_not_blamed(tuned, held_out):
    assert [one.sides.item.id for one in (*tuned, *held_out) if blames(one)] == []


@pytest.mark.parametrize("half", ["tuned", "held_out"])
def test_slips_written_by_hand_are_found(half, request):
    wrong = [(one, text) for one in request.getfixturevalue(half) for _, text in one.wrong]
    found = [one for one, text in wrong if one.found(text)]
    assert len(found) >= LEAST * len(wrong)


def test_slips_made_of_right_texts_are_found(tuned):
    wrong = [(one, text) for one in tuned for right in one.right for _, text in slips(right)]
    found = [one for one, text in wrong if one.found(text)]
    assert len(found) >= LEAST * len(wrong)


def test_generated_english_does_not_contradict_its_rules():
    texts = list(generated(["gnostica", "monotheism"]))
    assert len(texts) > 200
    assert {
        one.sides.item.id: found for one in texts if (found := one.contradicted(one.right[0]))
    } == {}


def test_each_slip_changes_one_place():
    assert {*slips("You may turn one of your pieces north.")} == {
        ("may", "You must turn one of your pieces north."),
        ("whose", "You may turn an enemy's piece north."),
        ("all", "You may turn all your pieces north."),
        ("way", "You may turn one of your pieces south."),
    }

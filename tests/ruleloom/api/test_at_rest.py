"""A program that is linked without anything to play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program


@pytest.fixture(scope="module")
def moonstone() -> Program:
    program = compile_paths(["moonstone"], scenarios=False).program
    assert program is not None
    return program


def test_a_program_is_linked_once_for_the_same_settings(moonstone: Program):
    linked, world = at_rest(moonstone)
    assert at_rest(moonstone)[0] is linked
    assert at_rest(moonstone)[1] is world
    assert at_rest(replace(moonstone))[0] is not linked


def test_other_settings_are_other_numbers(moonstone: Program):
    switch = next(one for one in moonstone.settings if one.type == "Bool")
    chosen = at_rest(moonstone, {switch.name: not switch.value})[0]
    assert chosen is not at_rest(moonstone)[0]
    assert chosen.settings[switch.name] is not switch.value
    assert at_rest(moonstone)[0].settings[switch.name] is switch.value


def test_a_setting_that_is_none_is_refused_each_time(moonstone: Program):
    for _ in range(2):
        with pytest.raises(Refused):
            at_rest(moonstone, {"no_such_setting": 1})

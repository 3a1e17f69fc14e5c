"""Settings that are fractions: in their pack, in manifests and patches, in a game, in saves."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.link.link_game import link_game, settings_of
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import sealed
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import OutOfRange, Refused
from ruleloom.runtime.program.program import Program, Setting
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import NOTHING, compile_case, game_files, schemas
from tests.support.command import call
from tests.support.orchard_driver import bind
from tests.support.pack_examples import manifest, write

SHARE = "- {{kind: setting, id: share, value: {}, {}english: the share of a picker}}\n"
USE = '- {kind: measure, id: cut, gives: Fraction, is: "share * day", english: the cut}\n'


def with_share(value: str, more: str = "") -> CompileResult:
    """The orchard with a setting, and a measure that reads it."""
    return compile_case(SHARE.format(value, more) + USE, texts=True)


def errors(result: CompileResult) -> list[str]:
    return [f"{one.code}: {one.message}" for one in result.diagnostics if one.severity == "error"]


def program(value: str = "1/4", more: str = "min: 0, max: 1, ") -> Program:
    found = with_share(value, more)
    assert found.program is not None, errors(found)
    return found.program


def setting(made: Program) -> Setting:
    return next(one for one in made.settings if one.name == "share")


@pytest.mark.parametrize(
    ("written", "value"),
    [("1/4", Fraction(1, 4)), ("0.25", Fraction(1, 4)), ("2/8", Fraction(1, 4)), ("-1/3", Fraction(-1, 3)),
     ("4/2", 2), ("1.0", 1)],
)  # fmt: skip
def test_a_setting_is_any_exact_number(written: str, value: Any):
    made = program(written, "")
    assert (setting(made).type, setting(made).value) == ("Fraction", value)
    assert (setting(made).low, setting(made).high) == (value, value)
    assert program_of(json.loads(json.dumps(program_data(made)))) == made
    check_program(made)


def test_the_type_says_that_a_whole_number_may_become_a_fraction():
    made = program("1", "type: Fraction, min: 0, max: 2, ")
    assert (setting(made).type, setting(made).value) == ("Fraction", 1)
    assert settings_of(made, {"share": "1/2"})["share"] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("value", "more", "said"),
    [
        ("1/4", "max: 0, ", "out-of-bounds: 1/4 is not within `min` and `max`"),
        ("0.25", "min: 1, ", "out-of-bounds: 1/4 is not within `min` and `max`"),
        (
            "1/0",
            "type: Fraction, ",
            "type-mismatch: the value of `share` must be a number such as `3`, `1/2`",
        ),
        ('"1/4"', "type: Fraction, ", "type-mismatch: the value of `share` must be a number"),
        ("yes", "type: Fraction, ", "type-mismatch: the value of `share` must be a number"),
        ("1/4", "type: Int, ", "type-mismatch: the value of `share` must be a number"),
    ],
)
def test_what_is_no_such_number_is_refused(value: str, more: str, said: str):
    assert errors(with_share(value, more))[0].startswith(said)


def test_a_fraction_in_quotes_is_a_text():
    (found,) = errors(with_share('"1/4"'))
    assert "type-mismatch: `share` is a text" in found


def test_a_setting_is_no_whole_number():
    text = (
        SHARE.format("1/4", "")
        + '- {kind: measure, id: cut, gives: Int, is: "share * day", english: x}\n'
    )
    (found,) = errors(compile_case(text))
    assert "`share * day` may be a fraction" in found


def test_a_loop_knows_how_far_a_fraction_goes():
    power = "- kind: power\n  id: tried\n  gloss: x\n  effect: |\n    repeat {} times: use walk\n"
    share = SHARE.format("1/4", "min: 0, max: 1, ")
    assert errors(compile_case(share + power.format("(share * most) div 1"))) == []
    (found,) = errors(compile_case(share + power.format("(share * day) div 1")))
    assert found.startswith("unbounded")


# ---------------------------------------------------------------------------- what somebody chooses


@pytest.mark.parametrize(
    ("chosen", "value"),
    [("1/3", Fraction(1, 3)), ("0.5", Fraction(1, 2)), ("1", 1), (1, 1), (Fraction(2, 3), Fraction(2, 3)),
     (Fraction(1), 1)],
)  # fmt: skip
def test_a_game_is_played_by_another_fraction(chosen: Any, value: Any):
    found = settings_of(program(), {"share": chosen})["share"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("x", "`share` is a number such as 3 or 1/2, and `x` is none"),
        ("1/0", "`share` is a number such as 3 or 1/2, and `1/0` is none"),
        (True, "`share` is a number such as 3 or 1/2, and `True` is none"),
        (0.25, "`share` is a number such as 3 or 1/2, and `0.25` is none"),
        (None, "`share` is a number such as 3 or 1/2, and `None` is none"),
        ("5/4", "`share` is a number from 0 to 1, not 5/4"),
        ("-1/4", "`share` is a number from 0 to 1, not -1/4"),
    ],
)
def test_what_a_game_cannot_be_played_by(chosen: Any, said: str):
    with pytest.raises(Refused) as caught:
        settings_of(program(), {"share": chosen})
    assert caught.value.reason == said


def test_all_numbers_beyond_their_limits_are_told():
    with pytest.raises(OutOfRange) as caught:
        settings_of(program(), {"share": "5/4", "most": 1_000_000})
    first, second = caught.value.reason.split("; ")
    assert first == "`share` is a number from 0 to 1, not 5/4"
    assert second.startswith("`most` is a number from ")


def test_a_whole_number_stays_one():
    with pytest.raises(Refused, match="`most` is a whole number, and `1/4` is none"):
        settings_of(program(), {"most": "1/4"})
    with pytest.raises(Refused, match="`share` is 1/4: its pack gives it no `min` and `max`"):
        settings_of(program("1/4", ""), {"share": "1/2"})


# ---------------------------------------------------------------------------------- saves


def game(**chosen: Any) -> Game:
    return new_game(link_game(program(), bind, ("ann", "bob"), chosen), 3)


def test_a_save_keeps_the_fraction():
    for chosen in ({}, {"share": "1/3"}, {"share": 1}):
        now = game(**chosen)
        found = loaded("\n".join(saved_lines(now)), lambda _: bind).game
        assert found.linked.settings == now.linked.settings
        assert found.state == now.state


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"ratio": [5, 4]}, "`share` is a number from 0 to 1, not 5/4"),
        ({"ratio": [2, 8]}, "the setting `share` has a value of the wrong kind"),
        ({"ratio": [1, 0]}, "the setting `share` has a value of the wrong kind"),
        ({"ratio": [1, 2**53]}, "the setting `share` has a value of the wrong kind"),
        ({"ratio": ["1", 4]}, "the setting `share` has a value of the wrong kind"),
        ({"ratio": [1, 4], "more": 1}, "the setting `share` has a value of the wrong kind"),
        ({}, "the setting `share` has a value of the wrong kind"),
        ([1, 4], "the setting `share` has a value of the wrong kind"),
        ("1/4", "the setting `share` has a value of the wrong kind"),
        (True, "the setting `share` has a value of the wrong kind"),
        (None, "the setting `share` has a value of the wrong kind"),
        (2**53, "the setting `share` is beyond 2^53"),
    ],
)
def test_a_hostile_setting_is_refused(value: Any, said: str):
    lines = saved_lines(game())
    header = json.loads(lines[0])
    header.pop("crc")
    header["settings"]["share"] = value
    with pytest.raises(SaveError) as caught:
        loaded("\n".join([sealed(header), *lines[1:]]), lambda _: bind)
    assert said in str(caught.value)


@pytest.mark.parametrize("bound", ["0", True, [0], {"map": []}])
def test_a_hostile_bound_is_refused(bound: Any):
    data = program_data(program())
    at = next(place for place, one in enumerate(data["settings"]) if one["name"] == "share")
    data["settings"][at]["low"] = bound
    with pytest.raises(SaveError, match="a bound of it is no number"):
        check_program(program_of(data))


def test_a_hostile_fraction_for_a_whole_number_is_refused():
    lines = saved_lines(game())
    header = json.loads(lines[0])
    header.pop("crc")
    header["settings"]["most"] = {"ratio": [1, 2]}
    with pytest.raises(SaveError, match="the setting `most` has a value of the wrong kind"):
        loaded("\n".join([sealed(header), *lines[1:]]), lambda _: bind)


# ---------------------------------------------------------------------------- manifests and patches


def with_pack(folder: Path, *lines: str, own: str = "1/4", more: str = "min: 0, max: 1, ",
              files: dict[str, str] | None = None) -> CompileResult:  # fmt: skip
    """The orchard with the setting, and a pack beside it."""
    share = SHARE.format(own, more) + ("" if own == "sunny" else USE)
    orchard = {
        f"orchard/{name}": text for name, text in {**game_files(), "zz_share.yaml": share}.items()
    }
    house = {"house/pack.yaml": manifest("house", *lines, game="orchard")}
    write(folder, {**orchard, **house, **(files or {})})
    names = sorted({name.partition("/")[0] for name in {**orchard, **house, **(files or {})}})
    return compile_paths([folder / name for name in names], builtin=NOTHING, schemas=schemas())


@pytest.mark.parametrize(
    ("written", "value"), [("1/3", Fraction(1, 3)), ("0.5", Fraction(1, 2)), ("1", 1), ("0", 0)]
)
def test_a_manifest_sets_a_fraction(tmp_path: Path, written: str, value: Any):
    found = with_pack(tmp_path, f"settings: {{share: {written}}}")
    assert found.program is not None, errors(found)
    assert (setting(found.program).type, setting(found.program).value) == ("Fraction", value)
    assert settings_of(found.program, {"share": "1/2"})["share"] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("own", "line", "said"),
    [
        ("1/4", "settings: {share: 5/4}", "out-of-bounds: 5/4 is not within `min` and `max`"),
        ("1/4", "settings: {share: '1/3'}", "type-mismatch: the value of `share` must be a number"),
        ("1/4", "settings: {share: much}", "type-mismatch: the value of `share` must be a number"),
        ("1/4", "settings: {share: yes}", "type-mismatch: the value of `share` must be a number"),
        ("1/4", "settings: {most: 1/2}", "type-mismatch: the value of `most` must be a number"),
        ("sunny", "settings: {share: 1/2}", "type-mismatch: the value of `share` must be a text"),
    ],
)
def test_what_a_manifest_cannot_set(tmp_path: Path, own: str, line: str, said: str):
    more = "min: 0, max: 1, " if own != "sunny" else ""
    assert errors(with_pack(tmp_path, line, own=own, more=more)) == [said]


def test_manifests_agree_on_a_number_however_it_is_written(tmp_path: Path):
    other = {"inn/pack.yaml": manifest("inn", "settings: {share: 1/2}", game="orchard")}
    assert errors(with_pack(tmp_path, "settings: {share: 0.5}", files=other)) == []
    (found,) = errors(with_pack(tmp_path, "settings: {share: 0.75}", files=other))
    assert found.startswith("setting-conflict")


@pytest.mark.parametrize(
    ("written", "value"), [("1/3", Fraction(1, 3)), ("1", 1), ("0.125", Fraction(1, 8))]
)
def test_a_patch_sets_a_fraction(tmp_path: Path, written: str, value: Any):
    patch = f"kind: patch\nid: more\ntarget: orchard:setting/share\nset: {{value: {written}}}\n"
    found = with_pack(tmp_path, files={"house/more.yaml": patch})
    assert found.program is not None, errors(found)
    assert (setting(found.program).type, setting(found.program).value) == ("Fraction", value)


@pytest.mark.parametrize(
    ("target", "value", "said"),
    [
        (
            "share",
            "much",
            "patch-type: `value` of `orchard:setting/share` is a number, and `much` is none",
        ),
        (
            "most",
            "1/2",
            "patch-type: `value` of `orchard:setting/most` is a number, and `1/2` is none",
        ),
    ],
)
def test_what_a_patch_cannot_set(tmp_path: Path, target: str, value: str, said: str):
    patch = f"kind: patch\nid: more\ntarget: orchard:setting/{target}\nset: {{value: {value}}}\n"
    assert errors(with_pack(tmp_path, files={"house/more.yaml": patch})) == [said]


# ---------------------------------------------------------------------------------- told and typed


def test_a_fraction_is_told_as_one():
    texts = dict(program("0.25").texts)
    assert texts["orchard:setting/share"] == "The share of a picker: 1/4."
    assert texts["orchard:measure/cut"] == "The cut: 1/4 times the day."


def test_a_fraction_is_typed_on_the_command_line():
    done = call(
        "play", "gnostica", "--players", "random,random", "--seed", "1", "--set", "space_limit=1/2"
    )
    assert done.code == 2
    assert "`space_limit` is a whole number, and `1/2` is none" in done.err
    done = call("play", "gnostica", "--players", "random,random", "--seed", "1", "--set", "space_limit=4",
                "--turn-limit", "1")  # fmt: skip
    assert done.code == 0

"""Steps: lines of several packs woven into one text, where each of them stands, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.analysis.yaml_cursor import formatted
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_block, read_steps
from ruleloom.compiler.yaml.source_map import effect_text
from tests.conftest import ROOT
from tests.support.pack_examples import GAME, fingerprint, manifest, read, write

DINE = """\
kind: fusion
id: dine
parts: [walk, run]
gloss: dinner is served
effect: |
  let dishes = 3
  step serve:
      bring(dishes)
      step taste: sip()  # first of all
  if dishes > 1:
      step pay:
          take_coin(1)
"""
VOCABULARY = """\
kind: vocabulary
game: inn
operations:
  take_coin: {params: {many: Int}, changes: [Guest.purse], english: pay, log: paid}
queries:
  rich: {params: {who: Player}, result: Bool, reads: [Guest.purse], english: rich}
"""


def packs_of(*patches: str, dine: str = DINE) -> dict[str, str]:
    """The game with its dinner, and a pack `p0`, `p1`, ... for each patch of it."""
    files = {**GAME, "inn/vocabulary.yaml": VOCABULARY, "inn/dine.yaml": dine}
    for number, text in enumerate(patches):
        files[f"p{number}/pack.yaml"] = manifest(f"p{number}")
        head = f"kind: patch\nid: x{number}\ntarget: inn:fusion/dine\n"
        files[f"p{number}/patch.yaml"] = head + text
    return files


def apply(folder: Path, *patches: str):
    """The effect as patched, its node, the history of the effect, and all findings."""
    write(folder, packs_of(*patches))
    content, found = read(folder)
    assert content is not None
    node = next(item for item in content.by_kind("fusion") if item.name == "dine").fields["effect"]
    return node, content.history.get(("inn:fusion/dine", "effect"), ()), found


def woven(folder: Path, *patches: str) -> str:
    """The effect of sound patches."""
    node, _, found = apply(folder, *patches)
    assert found == []
    return node.value


def refused(folder: Path, *patches: str) -> list[tuple[str, str, int]]:
    """The findings: code, file and line of each."""
    _, _, found = apply(folder, *patches)
    return [(one.code, Path(one.place.path).parent.name, one.place.line) for one in found]


# ------------------------------------------------------------------ the name of a step


def test_a_name_changes_nothing():
    named = "step a:\n    let x = 1\n    step b: f(x)\nif x = 1:\n    step c:\n        g()\nh()\n"
    assert parse_block(named) == parse_block("let x = 1\nf(x)\nif x = 1:\n    g()\nh()\n")


def test_step_stays_a_name_elsewhere():
    text = "let step = 1\nstep(step, step: 2)\nstep step: use step\n"
    assert [step.name for step in read_steps(text)] == ["step"]
    assert format_text(text) == text


def test_a_step_keeps_its_name_when_formatted():
    text = "step  pay :\n  a( )\n\n  step  b : c()  # why\n# end\n"
    tidy = "step pay:\n    a()\n\n    step b: c()  # why\n# end\n"
    assert format_text(text) == tidy == format_text(tidy)


def test_two_steps_of_one_name():
    with pytest.raises(EffectSyntaxError) as error:
        parse_block("step a: f()\nif x:\n    step a: g()\n")
    assert (error.value.code, error.value.span) == ("name-clash", (27, 28))


@pytest.mark.parametrize("text", ["step:\n    a()", "step pay", "step 3: a()", "step if: a()"])
def test_a_step_needs_a_name_and_a_block(text):
    with pytest.raises(EffectSyntaxError):
        parse_block(text)


# ------------------------------------------------------------------ each operation


@pytest.mark.parametrize(
    ("patch", "lines"),
    [
        ("before-step: {serve: lay_table()}", "lay_table()\nstep serve:"),
        ("before-step:\n  taste: |\n    smell()\n    nod()\n", "    smell()\n    nod()\n    step taste: sip()"),
        ("after-step: {taste: nod()}", "sip()  # first of all\n    nod()\nif"),
        ("after-step: {pay: bow()}", "        take_coin(1)\n    bow()\n"),
        ("replace-step: {taste: gulp()}", "    step taste:\n        gulp()\nif"),
        ("replace-step:\n  pay: |\n    if rich(me):\n      tip()\n", ":\n        if rich(me):\n          tip()\n"),
        ("remove-step: [serve]", "let dishes = 3\nif dishes"),
        ("remove-step: [taste]", "    bring(dishes)\nif dishes"),
        ("remove-step: [pay]\nafter-step: {pay: bow()}", "if dishes > 1:\n    bow()\n"),
        ("remove-step: [taste]\nreplace-step: {pay: bow()}", "    step pay:\n        bow()\n"),
    ],
)  # fmt: skip
def test_each_operation(tmp_path, patch, lines):
    assert lines in woven(tmp_path, patch)


def test_every_line_keeps_its_place(tmp_path):
    node, history, found = apply(
        tmp_path,
        "before-step:\n  pay: |\n    # a comment\n    if dishes > 2:\n      bow()\n",
        "after-step: {pay: nod()}\n",
    )
    assert found == []
    written = effect_text(node.source, node, Report())
    assert written is not None

    def place(words: str) -> tuple[str, int, int, int]:
        start = written.text.index(words)
        at = written.place_of((start, start + len(words)))
        return Path(at.path).parent.name, at.line, at.column, at.end_column

    assert place("sip()") == ("inn", 9, 19, 24)
    assert place("if dishes > 2") == ("p0", 7, 5, 18)
    assert place("bow()") == ("p0", 8, 7, 12)
    assert place("take_coin") == ("inn", 12, 11, 20)
    assert place("nod()") == ("p1", 4, 19, 24)
    # Of a stretch of several files, the part in the first one.
    start = written.text.index("take_coin")
    at = written.place_of((start, len(written.text)))
    assert (Path(at.path).parent.name, at.line, at.end_line) == ("inn", 12, 12)
    steps = [(one.by, one.op, one.line, one.amount) for one in history]
    assert steps[1] == ("p1:patch/x1", "after-step", 4, {"pay": "nod()"})
    assert [one[:3] for one in steps[:1]] == [("p0:patch/x0", "before-step", 5)]


# ------------------------------------------------------------------ several packs


def test_lines_that_do_not_touch_stand_in_the_fixed_order(tmp_path):
    text = woven(tmp_path, "before-step: {pay: bow()}", "before-step: {pay: nod()}")
    assert "    bow()\n    nod()\n    step pay:" in text


def test_after_settles_the_order(tmp_path):
    first = "before-step: {pay: let coins = 2}\nafter: [x1]\n"
    text = woven(tmp_path, first, 'before-step: {pay: say "coins"}')
    assert text.index("say") < text.index("let coins")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("before-step: {pay: stop}", "before-step: {pay: nod()}"),
        ("after-step: {pay: let coins = 2}", "after-step: {pay: drop(coins)}"),
        ("after-step: {pay: set coins = 2}", 'after-step:\n  pay: say "{coins}"\n'),
        ("after-step: {pay: take_coin(2)}", "after-step:\n  pay: |\n    if rich(me): nod()\n"),
        ("replace-step: {pay: nod()}", "replace-step: {pay: bow()}"),
        ("replace-step: {pay: nod()}", "remove-step: [pay]"),
    ],
)
def test_a_conflict_is_told_at_both_places_and_after_settles_it(tmp_path, first, second):
    if "remove" in second:  # else nothing is left of the block
        second += "\nafter-step: {pay: nod()}"
    _, _, [found] = apply(tmp_path / "apart", first, second)
    assert (found.code, Path(found.place.path).parent.name) == ("patch-conflict", "p1")
    assert Path(found.notes[0].place.path).parent.name == "p0"
    assert found.help == "write `after: [p0:patch/x0]` in `x1`, or the other way round"
    woven(tmp_path / "settled", first, f"{second}\nafter: [p0:patch/x0]\n")


def test_replacing_goes_with_lines_beside(tmp_path):
    beside = "before-step: {pay: bow()}\nafter-step: {pay: nod()}"
    text = woven(tmp_path, beside, "replace-step: {pay: smile()}")
    assert "    bow()\n    step pay:\n        smile()\n    nod()\n" in text


def test_packs_may_say_the_same(tmp_path):
    same = "replace-step: {taste: gulp()}"
    assert woven(tmp_path, same, same).count("gulp") == 1


def test_a_pack_may_hook_into_what_another_brings(tmp_path):
    lines = "before-step:\n  pay: |\n    step haggle: shout()\n"
    assert "    bow()\n    step haggle" in woven(tmp_path, lines, "before-step: {haggle: bow()}")


def test_steps_are_looked_up_in_a_text_given_anew(tmp_path):
    whole = "replace-effect: |\n  step pay: take_coin(2)\n  smile()\n"
    assert woven(tmp_path / "a", whole, "after-step: {pay: bow()}").endswith("bow()\nsmile()\n")
    _, _, [found] = apply(tmp_path / "b", whole, "after-step: {serve: bow()}")
    assert (found.code, found.notes[0].message) == (
        "patch-matches-nothing",
        "`p0:patch/x0` gives the whole text anew",
    )


def test_a_text_given_anew_afterwards_has_the_last_word(tmp_path):
    whole = "replace-effect: |\n  smile()\nafter: [x1]\n"
    assert woven(tmp_path, whole, "after-step: {serve: bow()}") == "smile()\n"


def test_the_order_of_packs_never_matters(tmp_path):
    files = packs_of("before-step: {pay: bow()}", "before-step: {pay: nod()}")
    write(tmp_path, files)
    folders = [tmp_path / name for name in ("inn", "p0", "p1")]
    assert fingerprint(read(*folders)[0]) == fingerprint(read(*folders[::-1])[0])


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("patches", "expected"),
    [
        (["before-step: {pai: bow()}"], [("patch-matches-nothing", "p0", 4)]),
        (["remove-step: [dance]"], [("patch-matches-nothing", "p0", 4)]),
        (["before-step: {pay: bow(}"], [("syntax", "p0", 4)]),
        (["before-step:\n  pay: |\n    if x:\n    bow()\n"], [("syntax", "p0", 7)]),
        (["before-step:\n  pay: >-\n    bow()\n"], [("unmappable-text", "p0", 5)]),
        (["remove-step: [pay]"], [("bad-patch", "p0", 4)]),
        (["replace-step: {pay: bow()}\nremove-step: [pay]"], [("bad-patch", "p0", 5)]),
        (["remove-step: [serve, taste]"], []),
        (["remove-step: [serve]\nafter-step: {taste: bow()}"], [("bad-patch", "p0", 5)]),
        (["remove-step: [serve]", "after-step: {taste: bow()}"], [("patch-conflict", "p1", 4)]),
        (["remove-step: [serve]\nafter: [x1]", "after-step: {taste: bow()}"], []),
        (["replace-effect: stop\nbefore-step: {pay: bow()}"], [("bad-patch", "p0", 5)]),
        (["disable: true\nbefore-step: {pay: bow()}"], [("bad-patch", "p0", 4)]),
        (["after-step:\n  pay: |\n    step serve: bow()\n"], [("name-clash", "p0", 6)]),
        (["before-step: {dance: bow()}\noptional: target"], []),
        (["before-step: {}"], [("wrong-count", "p0", 4)]),
        (["replace-step:\n  pay: |\n    take_coin(1)\n"], [("changes-nothing", "p0", 5)]),
    ],
)
def test_what_is_refused(tmp_path, patches, expected):
    assert refused(tmp_path, *patches) == expected


def test_a_missing_step_is_answered_with_those_there_are(tmp_path):
    _, _, [found] = apply(tmp_path, "before-step: {pai: bow()}")
    assert str(found.help) == "did you mean `pay`?"
    _, _, [found] = apply(tmp_path, "before-step: {dance_about: bow()}")
    assert found.help == "there are `serve`, `taste` and `pay`"


def test_a_class_of_items(tmp_path):
    files = packs_of()
    files["p0/pack.yaml"] = manifest("p0")
    files["p0/patch.yaml"] = "kind: patch\nid: all\nevery: fusion\nbefore-step: {pay: bow()}\n"
    write(tmp_path, files)
    _, [found] = read(tmp_path)
    assert found.code == "patch-matches-nothing"
    assert "`inn:fusion/friends` has no step `pay`" in found.message


# ------------------------------------------------------------------ the smaller patch

LONG = """\
kind: fusion
id: dine
parts: [walk, run]
gloss: dinner is served
effect: |
  a()
  b()
  step serve:
      c()
      d()
  if x:
      step pay: e()
      f()
"""
PLAIN = "  a()\n  b()\n  c()\n  d()\n  if x:\n      e()\n      f()\n"


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ("  c()", "  n()\n  c()", "before-step: {serve: ...}"),
        ("  if", "  n()\n  if", "after-step: {serve: ...}"),
        ("  d()\n", "", "replace-step: {serve: ...}"),
        ("      e()\n", "", "remove-step: [pay]"),
        ("      e()", "      e(1)", "replace-step: {pay: ...}"),
        ("  a()", "  n()\n  a()", None),
        ("      f()", "      g()", None),
        ("  c()", "  n()\n  n()\n  n()\n  n()\n  c()", None),
    ],
)
def test_a_whole_text_where_a_step_would_do(tmp_path, old, new, patch):
    text = "replace-effect: |\n" + PLAIN.replace(old, new)
    write(tmp_path, packs_of(text, dine=LONG))
    found = read(tmp_path)[1]
    assert [one.code for one in found] == (["smaller-patch"] if patch else [])
    assert all(one.help == f"`{patch}` can say it without the rest" for one in found)


# ------------------------------------------------------------------ in a game


def test_a_mistake_in_a_line_is_told_where_it_was_written(tmp_path):
    lines = "  act: |\n    let actor = me\n    shout(actor)\n"
    patch = f"kind: patch\nid: x\ntarget: gnostica:flow/turn\nafter-step:\n{lines}"
    write(tmp_path, {"h/pack.yaml": manifest("h", game="gnostica"), "h/x.yaml": patch})
    found = compile_paths([tmp_path / "h"]).diagnostics
    [error] = [one for one in found if one.severity == "error"]
    assert (Path(error.place.path).name, error.place.line, error.place.column) == ("x.yaml", 7, 5)


def test_a_row_says_which_pack_brought_it(tmp_path):
    patch = "kind: patch\nid: x\ntarget: gnostica:flow/turn\nafter-step:\n"
    patch += '  act: |\n    if me = seat(1):\n      say "again"\n'
    write(tmp_path, {"h/pack.yaml": manifest("h", game="gnostica"), "h/x.yaml": patch})
    done = compile_paths([tmp_path / "h"])
    assert not done.diagnostics
    assert done.program is not None
    rows = next(one for one in done.program.routines if one.id.endswith("flow/turn")).rows
    origins = {
        (one.origin.pack, one.origin.path, one.origin.line, one.origin.column) for one in rows
    }
    assert {one for one in origins if one[0] == "h"} == {
        ("h", "x.yaml", 6, 8),
        ("h", "x.yaml", 6, 5),
        ("h", "x.yaml", 7, 7),
    }
    assert any(one[0] == "gnostica" for one in origins)


def test_lines_of_a_patch_are_formatted(tmp_path):
    store = schemas_of(ROOT / "schemas", None)
    text = "kind: patch\nid: x\ntarget: a:b/c\nafter-step:\n  act: |\n    act( )\n    if x :\n      y( )\n"
    tidy = "act()\n    if x:\n        y()\n"
    assert formatted(Source("x.yaml", text), store, Report()).endswith(tidy)

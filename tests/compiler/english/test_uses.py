"""The use of a power in words: what it is given, and parts that depend on a value, here and in logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.program.texts import settled
from tests.compiler.english.test_texts import GAME, begun
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

ITEMS = """\
- kind: power
  id: nap
  takes: "who: Player, days: Int = 1, loud: Bool = no"
  words: {loud: "it is heard"}
  gloss: "{who} sleeps {days? for {days} days} {loud? aloud | in silence}"
  effect: |
    set day = day + days
    if loud: say "snore"
- kind: power
  id: gather
  takes: "who: Player, much: Int, of: Fruit? = none, all_of_it: Bool = no"
  gloss: "gather what lies there"
  effect: |
    if all_of_it: set day = day + much
- kind: power
  id: harvest
  takes: "step: Int = 1"
  gloss: "a Harvest"
  effect: |
    set day = day + step
- kind: power
  id: throw
  takes: "many: Int, faces: Int"
  gives: "fell: Bool"
  words: {fell: "something falls down"}
  gloss: "throw {many}d{faces}"
  effect: |
    let fell = no
    roll thrown = many d faces
    if thrown > 3: set fell = yes
"""


def said(folder: Path, *lines: str) -> str:
    """The paragraph of a flow that begins with these lines."""
    turn = "".join(f"    {line}\n" for line in (*lines, 'finish drawn "over"'))
    text = GAME.replace("TURN\n", turn) + ITEMS
    pack = {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text}
    write(folder, pack)
    result = compile_paths(folder / "orchard", builtin=NOTHING, schemas=schemas(), texts=True)
    assert result.program is not None, result.diagnostics
    return dict(result.program.texts)["orchard:flow/turn"].split("\n")[0]


@pytest.mark.parametrize(
    ("use", "text"),
    [
        ("use nap(me)", "You sleep in silence."),
        ("use nap(me, 3)", "You sleep for 3 days in silence."),
        ("use nap(me, 1, yes)", "You sleep aloud."),
        ("use nap(me, loud: day > 2)", "You sleep aloud if the day is more than 2, otherwise in"),
        ("use gather(me, 2)", "Gather what lies there (who: you; much: 2)."),
        (
            "use gather(me, 2, pear, yes)",
            "Gather what lies there (who: you; much: 2; of: pear; all of it).",
        ),
        ("use harvest", "Use a Harvest."),
        ("use harvest(2)", "Use a Harvest, with a step of 2."),
        ("use throw(5, 10)", "Throw 5d10."),
        ("use throw(5, 1)", "Throw 5."),
        ("use throw(day, 6)", "Throw as many dice as the day, each of 6 sides."),
    ],
)
def test_a_use_tells_what_it_gives(tmp_path: Path, use: str, text: str):
    assert said(tmp_path, use).startswith(text)


def test_a_result_that_is_yes_or_no_is_asked_for_in_its_own_words(tmp_path: Path):
    text = said(tmp_path, "use throw(1, 6) giving down", 'if not down: say "it stays"')
    assert text.startswith("Throw 1d6. Unless something falls down, say:")


def test_words_are_for_yes_and_no_alone(tmp_path: Path):
    text = GAME.replace("TURN\n", '    finish drawn "over"\n')
    power = "- {kind: power, id: p, takes: 'n: Int', gloss: p, effect: stop, words: {WORD: x}}\n"
    for word, message in (("n", "is never yes or no"), ("m", "`p` has no `m` to put into words")):
        pack = {"orchard/pack.yaml": manifest("orchard", game="orchard")}
        pack["orchard/game.yaml"] = text + power.replace("WORD", word)
        write(tmp_path, pack)
        found = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
        assert any(message in one.message for one in found.diagnostics), found.diagnostics


# ---------------------------------------------------------------------------------- the log


def test_the_log_reads_differently_for_none_and_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    parts = '"{who} pays {price? {price} | nothing} {back? back} {to? to {to}}"'
    game = GAME.replace("params: {who: Player, price: Int}", PARAMS).replace(
        '      log: "{who} pays {price}"', f"      log: {parts}"
    )
    monkeypatch.setattr("tests.compiler.english.test_texts.GAME", game)
    turn = "pay(me, 2, yes, me)\npay(me, 0, no, none)\n" + 'finish drawn "over"\n'
    lines = log((played := begun(tmp_path, turn)).linked, played.events)
    assert "Ann pays 2 back to Ann" in lines
    assert "Ann pays nothing" in lines


PARAMS = 'params: {who: Player, price: Int, back: Bool, to: "Player?"}'


def test_a_part_that_is_left_out_leaves_no_gap():
    assert settled("a {x? b} c", lambda part: part.otherwise) == "a c"
    assert settled("a {x? b | d} c", lambda part: part.otherwise) == "a d c"
    assert settled("a {x? b}", lambda part: "") == "a"
    assert settled("a {x?, b}, c", lambda part: part.given) == "a , b, c"
    assert settled("{a {x? b", lambda part: "") == "{a {x? b"
    assert len(settled("{x?" + "{}" * 20_000, lambda part: "")) == 40_003

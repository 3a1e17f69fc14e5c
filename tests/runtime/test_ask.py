"""Texts that people write: what may be written, how far one can look past them, and things that are
named by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import text_for
from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult, compile_paths, load
from ruleloom.compiler.source.file import Source
from ruleloom.odds.question import Policies, Uniform, ask, read_rule
from ruleloom.odds.tables import odds
from ruleloom.runtime.games import driver_of as bind_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.ask import LONGEST_TEXT
from ruleloom.runtime.machine.labels import LONGEST_SHOWN
from ruleloom.runtime.machine.registers import Suspension
from ruleloom.runtime.machine.step import answer
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, moments, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import sealed
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.steps.attempts import Attempts
from ruleloom.table.numbered_list import command_in
from ruleloom.table.questions import ALONE, AnswerNotUnderstood, forced, parse_answer
from tests.support.check_layer import NOTHING, schemas
from tests.support.command import call
from tests.support.pack_examples import manifest, write

FAIR = """\
- kind: vocabulary
  game: orchard
  entities:
    Player: {noun: [player, players], max: 4}
    Fruit:
      noun: [fruit, fruits]
      max: 3
      records: [fruit]
      named_by: name
      fields: {name: {type: Text}, taste: {type: Text?}}
  kinds: {fruit: {makes: Fruit}}
  scope:
    me: {type: Player, life: game, english: you}
  queries:
    seat_after: {params: {player: Player}, result: Player, reads: [], english: "the player after {player}"}
  operations:
    call:
      params: {what: Fruit, words: Text}
      sets: {name(what): words}
      english: "call {what} {words}"
      log: "{what} is called {words}"
    savour:
      params: {what: Fruit, words: Text?}
      sets: {taste(what): words}
      english: "say how {what} tastes"
      log: "{me} tastes {what}"
- {kind: fruit, id: plum, title: A Plum}
- {kind: fruit, id: pear, title: A Pear}
- kind: flow
  id: set_up
  effect: say "it begins"
- kind: flow
  id: turn
  effect: |
"""
NAMED = """\
choose one_fruit from Fruit
ask me for text called "What is {one_fruit} called?"
call(one_fruit, words: called)
say "{me} has named {one_fruit}"
ask seat_after(me) for text how or none "How does {one_fruit} taste?"
savour(one_fruit, how)
set me = seat_after(me)
"""


def compiled(folder: Path, turn: str, text: str = FAIR) -> CompileResult:
    """The fair with this turn."""
    body = "".join(f"    {line}\n" for line in turn.strip("\n").split("\n"))
    write(
        folder,
        {
            "orchard/pack.yaml": manifest("orchard", game="orchard"),
            "orchard/game.yaml": text + body,
        },
    )
    return compile_paths(folder / "orchard", builtin=NOTHING, schemas=schemas())


def begun(folder: Path, turn: str) -> Game:
    """The first prompt of a fair with this turn."""
    result = compiled(folder, turn)
    assert result.program is not None, result.diagnostics
    check_program(program_of(program_data(result.program)))
    return new_game(link_game(result.program, driver_of(result.program), ("Ann", "Ben")), seed=1)


def answered(game: Game, *keys: str) -> Game:
    for key in keys:
        game = game.answer(game.prompt.id, key)
    return game


def codes(folder: Path, turn: str) -> list[str]:
    return [one.code for one in compiled(folder, turn).diagnostics]


# ---------------------------------------------------------------------------------- the prompt


def test_a_text_is_asked_for_and_everybody_reads_it(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum")
    prompt = game.prompt
    assert (prompt.kind, prompt.player, prompt.name) == ("text", 0, "called")
    assert prompt.text == "What is A Plum called?"
    assert (prompt.least, prompt.most, prompt.options) == (1, LONGEST_TEXT, ())
    after = answered(game, "  Old Tom ")
    assert after.entries[-1].keys == ("Old Tom",)
    for viewer in (None, 0, 1):
        told = log(after.linked, after.events, viewer)
        assert told[0] == 'Ann: "Old Tom"'


def test_who_need_not_write_may_give_nothing(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum", "Old Tom")
    assert (game.prompt.player, game.prompt.least) == (1, 0)
    assert [(one.key, one.value) for one in game.prompt.options] == [("", None)]
    taste = game.linked.layout.index["Fruit.taste"]
    assert answered(game, "").state.world[taste] == (None, None)
    assert answered(game, "none").state.world[taste] == ("none", None)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "nothing was written"),
        (" \t ", "nothing was written"),
        ("a\x1b[31mb", r"the character \\u001b at place 2"),
        ("a\nb", r"\\u000a at place 2"),
        ("a\u202eb", r"\\u202e at place 2"),
        ("a\u009bb", r"\\u009b at place 2"),
        ("a\u200bb", r"\\u200b at place 2"),
        ("a\ud800", r"\\ud800 at place 2"),
        ("e" + "\u0301" * 9, "more than 8 marks"),
        ("x" * (LONGEST_TEXT + 1), "1 to 2,000 characters, and this one has 2,001"),
    ],
)
def test_what_nobody_may_write_is_refused_with_the_reason(tmp_path: Path, typed: str, reason: str):
    game = answered(begun(tmp_path, NAMED), "plum")
    with pytest.raises(Refused, match=reason):
        answered(game, typed)


@pytest.mark.parametrize(
    "typed", ["x" * LONGEST_TEXT, "<b>&amp;</b>", "{me} [red]", "שלום 🙋\u200d♀️", "none", "2"]
)
def test_any_other_text_is_kept_as_it_is(tmp_path: Path, typed: str):
    game = answered(begun(tmp_path, NAMED), "plum", typed)
    assert game.state.world[game.linked.layout.index["Fruit.name"]] == (typed, "")


def test_one_text_is_asked_for(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum")
    with pytest.raises(Refused, match="one text is asked for"):
        game.answer(game.prompt.id, ["a", "b"])
    with pytest.raises(Refused, match="not on offer"):
        game.choose(3)


def test_a_default_is_offered(tmp_path: Path):
    game = begun(tmp_path, 'ask me for text motto default "no motto"\nsay "{motto}"')
    assert (game.prompt.default, game.prompt.text) == (("no motto",), "write motto")


# ------------------------------------------------------------------------------- undo, saves, views


def test_a_text_can_be_taken_back_until_another_player_is_asked(tmp_path: Path):
    game = begun(
        tmp_path,
        'ask me for text one\nchoose n from [1, 2]\nsay "{one} {n}"\nset me = seat_after(me)',
    )
    after = answered(game, "a slip")
    assert after.undo().prompt == game.prompt
    with pytest.raises(Refused, match="nothing to take back"):
        answered(after, "1").undo()


def test_a_save_keeps_what_was_written(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum", 'Old "Tom"', "", "pear")
    text = "\n".join(saved_lines(game)) + "\n"
    again = loaded(text, bind_of).game
    assert (again.state, again.entries) == (game.state, game.entries)
    assert [one.entry.keys for one in moments(again)] == [
        ("plum",),
        ('Old "Tom"',),
        ("",),
        ("pear",),
    ]


def test_a_save_with_a_text_that_nobody_may_write_is_refused(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum", "Old Tom")
    lines = saved_lines(game)
    entry = next(number for number, line in enumerate(lines) if "Old Tom" in line)
    data = {"n": 1, "by": "Ann", "keys": ["Old\u202eTom"]}
    assert json.loads(lines[entry])["keys"] == ["Old Tom"]
    lines[entry] = sealed(data)
    with pytest.raises(SaveError, match="cannot be seen"):
        loaded("\n".join(lines) + "\n", bind_of)


def test_every_player_sees_the_text_in_a_view(tmp_path: Path):
    game = answered(begun(tmp_path, NAMED), "plum", "Old Tom", "sweet")
    for player in (0, 1):
        assert "Old Tom" in json.dumps(view(game, player))


# ---------------------------------------------------------------------------------- names


def test_a_thing_is_called_by_the_name_that_people_gave_it(tmp_path: Path):
    game = begun(tmp_path, NAMED)
    assert [one.label for one in game.prompt.options] == ["A Plum", "A Pear"]
    game = answered(game, "plum", "Old Tom")
    assert 'Ann has named "Old Tom"' in log(game.linked, game.events)
    assert game.prompt.text == 'How does "Old Tom" taste?'
    game = answered(game, "")
    assert [(one.key, one.label) for one in game.prompt.options] == [
        ("plum", "Old Tom"),
        ("pear", "A Pear"),
    ]
    twins = answered(game, "pear", "Old Tom", "")
    assert [one.label for one in twins.prompt.options] == ["Old Tom", "Old Tom#2"]
    long = answered(game, "pear", "x" * 200, "")
    assert len(long.prompt.options[1].label) == LONGEST_SHOWN


@pytest.mark.parametrize(
    ("named_by", "code"),
    [("nam", "unknown-name"), ("tastes", "unknown-name"), ("ripe", "unknown-name")],
)
def test_a_name_is_a_text_that_can_change(tmp_path: Path, named_by: str, code: str):
    text = FAIR.replace("named_by: name", f"named_by: {named_by}").replace(
        "taste: {", "ripe: {type: Bool}, taste: {"
    )
    found = compiled(tmp_path, NAMED, text).diagnostics
    assert code in [one.code for one in found]


# ---------------------------------------------------------------------------------- looking ahead


def test_an_ensure_behind_a_text_is_looked_ahead_to(tmp_path: Path):
    turn = """\
optional "write":
    choose n from [1, 2, 3]
    ask me for text story
    ensure n < 3 "three is too many"
    say "{story} {n}"
set me = seat_after(me)
"""
    game = answered(begun(tmp_path, turn), "do")
    assert [one.key for one in game.prompt.options] == ["1", "2"]
    assert [(one.key, one.reason) for one in game.refusals] == [("3", "three is too many")]


def test_a_text_that_leads_nowhere_is_refused_and_others_are_not(tmp_path: Path):
    turn = """\
optional "write":
    ask me for text story
    ensure story != "nothing" "say something, not {story}"
    say "{story}"
set me = seat_after(me)
"""
    game = answered(begun(tmp_path, turn), "do")
    with pytest.raises(Refused, match="say something, not nothing"):
        answered(game, "nothing")
    assert not answered(game, "everything").node.writes


def test_the_one_text_that_fits_is_found_before_it_is_asked_for(tmp_path: Path):
    turn = """\
optional "speak":
    ask me for text word
    ensure word = "sesame" "the door stays shut"
    finish won by me "the door opens"
optional "shout":
    ask me for text word
    ensure word = "a " "nobody can write this"
    finish won by me "it cannot be"
set me = seat_after(me)
"""
    game = begun(tmp_path, turn)
    assert [one.key for one in game.prompt.options] == ["do", "skip"]
    with pytest.raises(Refused, match="the door stays shut"):
        answered(game, "do", "please")
    assert answered(game, "do", "sesame").over
    shout = answered(game, "skip")
    assert [one.key for one in shout.prompt.options] == ["skip"]


def test_a_text_must_differ_from_what_stands_on_the_table(tmp_path: Path):
    turn = """\
choose one_fruit from Fruit
ask me for text called
ensure not exists(other: Fruit where other != one_fruit and name(other) = called) "another has this name"
call(one_fruit, called)
set me = seat_after(me)
"""
    game = answered(begun(tmp_path, turn), "plum", "...", "pear")
    with pytest.raises(Refused, match="another has this name"):
        answered(game, "...")
    assert answered(game, "....").prompt.name == "one_fruit"


ECHO = """\
ask me for text first
ask me for text second
choose n from 1 .. 3
ask me for text third
ensure {} "no"
"""


@pytest.mark.parametrize(
    ("condition", "texts", "fits"),
    [
        ("third = first", ("ivy", "oak", "1", "ivy"), True),
        ("third = first", ("ivy", "oak", "1", "oak"), False),
        ("third = first", ("ivy", "ivy", "1", "ivy"), True),
        ("third = first", ("...", "....", "1", "..."), True),
        ("third = second", ("ivy", "oak", "1", "ivy"), False),
        ("third != first and third != second", ("ivy", "oak", "1", "elm"), True),
        ("third != first and third != second", ("ivy", "oak", "1", "oak"), False),
        ("n < 3 and third != second", ("ivy", "oak", "3", "elm"), False),
    ],
)
def test_what_is_known_of_one_new_text_holds_for_another(
    tmp_path: Path, condition: str, texts: tuple[str, ...], fits: bool
):
    """Look-ahead is not repeated for a new text; which texts fit is still told exactly."""
    game = begun(tmp_path, ECHO.format(condition))
    try:
        answered(game, *texts)
        went = True
    except Refused:
        went = False
    assert went == fits


def test_no_text_of_many_is_looked_past_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Twelve texts in a row cost a run or two each, not one for every text that is still to
    come."""
    asks = "".join(f"ask me for text t{number}\n" for number in range(12))
    game = begun(tmp_path, f'{asks}ensure t11 != "no" "no"')
    runs: list[Any] = []

    def counting(*given: Any, **more: Any) -> Suspension:
        runs.append(given)
        return answer(*given, **more)

    monkeypatch.setattr("ruleloom.runtime.search.node.answer", counting)
    answered(game, *(f"text {number}" for number in range(12)))
    assert len(runs) <= 5 * 12


def test_nobody_looks_past_what_another_writes(tmp_path: Path):
    turn = 'ask seat_after(me) for text reply\nensure reply != "no" "no"'
    assert "ensure-after-barrier" in codes(tmp_path, turn)
    assert "ensure-after-barrier" not in codes(tmp_path, turn.replace("seat_after(me)", "me"))


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        ("ask 3 for text story", "type-mismatch"),
        ("ask me for text story\nlet n = story + 1", "type-mismatch"),
        ("ask me for text story or none\ncall(plum, story)", "may-be-none"),
        ("ask me for text me", "name-clash"),
        ("ask me for text story by me", "syntax"),
        ("ask me for text story where yes", "syntax"),
        ("ask me for story", "syntax"),
        ("ask for text story", "syntax"),
        ("ask me for text story default 3", "type-mismatch"),
    ],
)
def test_what_is_asked_wrongly_is_refused(tmp_path: Path, turn: str, code: str):
    assert code in codes(tmp_path, turn)


# ---------------------------------------------------------------------------------- at the table


@pytest.mark.parametrize(
    ("line", "command", "key"),
    [
        ("quit", "quit", "quit"),
        ("Why Not", "Why Not", "Why Not"),
        ("? plum", "? plum", "? plum"),
        ("/save here", "save here", "/save here"),
        ("save the queen", None, "save the queen"),
        ("why are you here", None, "why are you here"),
        ("say quit", None, "quit"),
        (" say  so ", None, "so"),
        ("2", None, "2"),
        ("none", None, "none"),
    ],
)
def test_a_line_is_the_text_unless_it_can_only_be_a_command(
    tmp_path: Path, line: str, command: str | None, key: str
):
    prompt = answered(begun(tmp_path, NAMED), "plum").prompt
    assert command_in(line, prompt.kind == "text", ALONE) == command
    assert parse_answer(line, prompt) == (key,)


def test_an_empty_line_is_nothing_or_what_is_usual(tmp_path: Path):
    game = answered(begun(tmp_path / "one", NAMED), "plum")
    with pytest.raises(AnswerNotUnderstood, match="write something"):
        parse_answer("", game.prompt)
    assert parse_answer("", answered(game, "Old Tom").prompt) == ("",)
    usual = begun(tmp_path / "two", 'ask me for text motto default "no motto"\nsay "{motto}"')
    assert parse_answer("", usual.prompt) == ("no motto",)
    assert forced(usual.prompt) is None


def test_people_write_and_look_around_at_the_table(tmp_path: Path):
    # Shipped schemas know no fruit, so this game has none that items make.
    text = FAIR.replace("  kinds: {fruit: {makes: Fruit}}\n", "").replace(
        "      records: [fruit]\n", ""
    )
    text = "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("- {kind: fruit")
    )
    body = '    ask me for text story "What now?"\n    say "so: {story}"\n    set me = seat_after(me)\n'
    write(
        tmp_path,
        {
            "orchard/pack.yaml": manifest("orchard", game="orchard"),
            "orchard/game.yaml": text + body,
        },
    )
    typed = "\nboard\nx\x1b[2Jy\n[red]Old <b>Tom</b>[/red]\n\nlog\nquit\n"
    done = call(
        "play", tmp_path / "orchard", "--players", "Ann=human,Ben=human", "--seed", "1", typed=typed
    )
    assert "\x1b[2J" not in done.out
    assert r"the character \u001b at place 2 cannot be seen" in done.out
    assert 'Ann: so: "[red]Old <b>Tom</b>[/red]"\n' in done.out
    assert done.out.count("your own words, 1 to 2,000 characters") == 2


# ------------------------------------------------------------------------------- scenarios and odds


CASES = """\
cases:
  - id: told
    given: {}
    when:
      - {do: "ask me for text story\\nask me for text more or none\\nif more is none: say \\"{story}\\"",
         answers: {story: "It rained.", more: none}}
    then: {log: [It rained.]}
  - id: silent
    given: {}
    when: [{do: ask me for text story, answers: {}}]
    then: {log: ["..."]}
  - id: hidden
    given: {}
    when: [{do: ask me for text story, answers: {story: ""}}]
    then: {legal: false, reason: "this takes a text, and nothing was written"}
"""


def test_a_case_says_the_text(tmp_path: Path):
    compiled(tmp_path, NAMED)
    content = load([tmp_path / "orchard"], Report(), NOTHING, schemas())
    cases = read_cases(Source("cases.yaml", CASES), Report())
    assert content is not None
    assert cases is not None
    attempts = Attempts.of(content, cases, drivers=bind_of)
    told, silent, hidden = (attempts.run(case, {}) for case in cases)
    assert told.status == PASSED, told.message
    assert silent.status == PASSED, silent.message
    assert hidden.status == PASSED, hidden.message


def test_odds_say_that_some_text_stood_for_all(tmp_path: Path):
    compiled(tmp_path, NAMED)
    content = load([tmp_path / "orchard"], Report(), NOTHING, schemas())
    assert content is not None
    question = ask(
        content, 'ask me for text story\nroll x = 1d6\nlet y = 1 if story = "a" else 2', ["x", "y"]
    )
    found = odds(question, Policies(question, {}, Uniform(), 1_000), 1)
    assert found.written == ("story",)
    assert [one.value for one in found.tables[1].lines] == ["2"]
    said = odds(question, Policies(question, {"story": read_rule("a")}, Uniform(), 1_000), 1)
    assert said.written == ()
    assert [one.value for one in said.tables[1].lines] == ["1"]


# ---------------------------------------------------------------------------------- bots


@pytest.mark.parametrize(
    ("called", "text"),
    [
        ("name", "Ara (bot)"),
        ("trait", "stubborn (bot)"),
        (
            "tale",
            "A bot tells the tale: it began quietly, the river rose, and nothing was as before.",
        ),
    ],
)
def test_a_bot_writes_names_traits_and_tales(called: str, text: str):
    assert text_for(called, lambda n: 0) == text


@pytest.mark.parametrize("kind", ["random", "steady"])
def test_a_bot_says_that_it_is_one(tmp_path: Path, kind: str):
    game = answered(begun(tmp_path, NAMED), "plum")
    bot = make_bot(kind, game.linked, 1, 0)
    text = bot.answer(game.node, 0)
    assert text.endswith("(bot)")
    assert game.choose(text).state == answered(game, text).state

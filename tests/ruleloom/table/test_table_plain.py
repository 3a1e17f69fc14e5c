"""The table of any game: what is drawn, `why` and `correct` at a question, campaigns and scenes,
the steady bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.bots.bot import SteadyBot
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.search.options import Option
from ruleloom.table.canvas import Look, seen_width
from ruleloom.table.drawing import PlainTable
from ruleloom.table.loop import play
from ruleloom.table.narration import NarrationPage, Notes
from ruleloom.table.questions import number_range_text
from tests.ruleloom.table.test_shared_screen import seated
from tests.runtime.test_corrections import any_things, new_orchard, same
from tests.runtime.test_dice import begun
from tests.support.check_layer import schemas
from tests.support.command import call
from tests.support.evening import start
from tests.support.quarrel_table import QUARREL, quarrel, ruleloom

MILL = ("--campaign", QUARREL / "campaign", "--scene", "mill")
TWO = ("--players", "Ann=human,steady", "--seed", "3")


def told(out: str) -> str:
    """What was printed, with every run of blanks and breaks as one blank."""
    return " ".join(out.split())


def quarrel_game(seed: int = 3) -> Game:
    result = compile_paths([QUARREL / "game", QUARREL / "campaign"], schemas=schemas(QUARREL))
    assert result.program is not None
    return new_game(link_game(result.program, driver_of(result.program), ("Ann", "Ben")), seed)


# ---------------------------------------------------------------------------------- drawn


def rows(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_things_are_drawn_with_their_fields():
    game = quarrel_game()
    game = game.correct("breath", "bo", 7, reason="x").correct(
        "wounds", "bo", 2, key="burning", reason="x"
    )
    game = game.correct("foe", "cy", "ann", reason="x").correct("out", "cy", True, reason="x")
    lines = PlainTable(game.linked, Look(plain=True)).board(game.state)
    assert rows(lines) == [
        ["Heroes", "breath", "out", "wounds", "foe"],
        ["Ann", "the", "Bold", "20"],
        ["Bo", "7", "burning", "2"],
        ["Cy", "20", "yes", "Ann", "the", "Bold"],
        ["Dee", "20"],
    ]
    assert all(line.isascii() for line in lines)


def test_of_many_things_only_those_that_have_changed(tmp_path: Path):
    people = "".join(f"- {{kind: hero, id: extra{n}, title: Extra {n}}}\n" for n in range(20))
    game = crowd(tmp_path, people)
    table = PlainTable(game.linked, Look())
    assert table.board(game.state) == []
    after = game.correct("breath", "extra7", 3, reason="x")
    assert [row[:3] for row in rows(table.board(after.state))[1:]] == [["Extra", "7", "3"]]


def crowd(folder: Path, people: str) -> Game:
    path = folder / "people.yaml"
    path.write_text(people, encoding="utf-8")
    result = compile_paths([QUARREL / "game"], schemas=schemas(QUARREL), loose=[path])
    assert result.program is not None, result.diagnostics
    return new_game(link_game(result.program, driver_of(result.program), ("Ann", "Ben")), 1)


def test_zones_are_shown_to_whoever_sees_them():
    game = start(1, ("A", "B"))
    table = PlainTable(game.linked, Look())
    seats = ["human", "random"]
    mine, theirs, nobody = (
        [line.strip() for line in table.status(game.state, seats, viewer)]
        for viewer in (0, 1, None)
    )
    titles = game.linked.layout.titles["Fruit"]
    hand = game.state.world[game.linked.layout.index["hand"]]
    held = ", ".join(titles[card] for card in hand[0])
    assert f"hand of A: {held}" in mine
    assert "hand of A: 3 fruits" in theirs
    assert "hand of A: 3 fruits" in nobody
    assert not any(title in line for line in nobody for title in titles)
    assert [line.strip() for line in table.hand(game.state, 0)] == [f"hand of A: {held}"]
    assert any(line.startswith("heap: ") and line.endswith(" fruits") for line in mine)


def test_what_changes_is_drawn_again():
    game = new_orchard(4)
    table = PlainTable(game.linked, Look())
    larger = game.correct("size", "basket0", 2, reason="x").state
    (change,) = table.changes(game.state, larger, None)
    assert change.endswith(": size 2")
    assert table.changes(game.state, larger, None, "its size is 2 now") == []
    assert table.changes(game.state, larger, None, "2 baskets are counted") == [change]
    assert table.changes(game.state, game.correct("me", None, "B", reason="x").state, None) == []


def test_of_a_table_drawn_anew_only_what_is_new_is_drawn():
    game = quarrel_game()
    table = PlainTable(game.linked, Look(plain=True))
    assert table.redrawn(game.state, game.state, None) == []
    after = game.correct("breath", "bo", 7, reason="x")
    new = table.redrawn(game.state, after.state, None)
    assert new == [line for line in table.board(after.state) if line]
    again = after.correct("breath", "bo", 6, reason="x")
    assert rows(table.redrawn(after.state, again.state, None))[0] == ["Heroes", "breath"]


def test_where_one_player_leads_the_log_says_who_answered():
    effect = (
        'for each other in players:\n    choose number from 1 .. 3 by other\n    say "so it is"\n'
    )
    game = begun(effect, 1).choose(2)
    for whose, heading in ((None, "turn 1, bob"), ("ann", "turn 1, ann")):
        notes = Notes(game.linked, None)
        notes.pages.append(NarrationPage("turn 1", whose))
        notes.see(game.choose(2), game)
        assert notes.last(1)[0].startswith(f"{heading}: so it is")


def test_what_was_told_is_not_drawn_again():
    """A number is told only where it stands behind its heading; what is cleared away needs no
    words of its own."""
    game = quarrel_game()
    table = PlainTable(game.linked, Look())
    tired = game.correct("breath", "cy", 5, reason="x").correct("out", "cy", True, reason="x")
    drawn = ["    Cy: breath 5, out"]
    assert table.changes(game.state, tired.state, None, "Bo strikes Cy for 5") == drawn
    assert table.changes(game.state, tired.state, None, "Cy is out; breath 5 is left") == []
    back = tired.correct("out", "cy", False, reason="x")
    assert table.changes(tired.state, back.state, None, "Bo comes") == ["    Cy: out none"]
    assert table.changes(tired.state, back.state, None, "Cy comes back") == []
    spent = tired.correct("breath", "cy", 0, reason="x")
    assert table.changes(tired.state, spent.state, None, "Cy falls") == ["    Cy: breath 0"]


def test_what_somebody_wrote_is_logged_once(monkeypatch: pytest.MonkeyPatch):
    effect = 'ask me for text name "What is it called?"\nsay "it is called {name}"\n'
    effect += 'ask me for text word "What do you say?"\nset day = 2\n'
    screen = seated(begun(effect, 1), monkeypatch, "Ember", "Hail", "none")
    play(screen, {})
    said = "; ".join(one.text for page in screen.notes.pages for one in page.lines)
    assert 'ann: "Ember"' not in said
    assert 'it is called "Ember"' in said
    assert 'ann: "Hail"' in said


def test_it_fits_the_screen():
    game = quarrel_game()
    for name in any_things(game, "Hero"):
        game = game.correct("foe", name, "ann", reason="x").correct("out", name, True, reason="x")
        game = game.correct("wounds", name, 3, key="bleeding", reason="x")
        game = game.correct("wounds", name, 3, key="burning", reason="x")
    for width in (40, 80):
        lines = PlainTable(game.linked, Look(width=width)).board(game.state)
        assert max(map(seen_width, lines)) <= width


def test_what_is_too_wide_is_drawn_in_two_lists():
    game = quarrel_game()
    game = game.correct("wounds", "bo", 2, key="burning", reason="x").correct(
        "foe", "cy", "ann", reason="x"
    )
    lines = PlainTable(game.linked, Look(width=30)).board(game.state)
    assert [row for row in rows(lines) if row[:1] == ["Heroes"]] == [
        ["Heroes", "wounds"],
        ["Heroes", "foe"],
    ]
    assert ["Bo", "burning", "2"] in rows(lines)
    assert ["Cy", "Ann", "the", "Bold"] in rows(lines)
    # Breath is as it was in the beginning, so there is no room for it.
    assert not any("breath" in line for line in lines)


def test_variables_that_are_as_they_were_are_not_shown():
    game = quarrel_game()
    table = PlainTable(game.linked, Look())
    assert table.status(game.state, ["human", "human"], None, [1]) == [
        "    Ann (human)",
        "    Ben (human)  <- to act",
    ]
    after = game.correct("round", None, 2, reason="x").correct(
        "there", None, ["ann", "bo"], reason="x"
    )
    assert (
        table.status(after.state, ["human", "human"], None)[0]
        == "    who is there: Ann the Bold, Bo;  round: 2"
    )


def test_an_abbreviation_is_written_as_the_rules_write_it():
    game = quarrel_game()
    known = game.linked.program.functions
    more = replace(known[0], id="quarrel:stat/max_BREATH")
    program = replace(game.linked.program, functions=(*known, more))
    game = new_game(link_game(program, driver_of(program), ("Ann", "Ben")), 1)
    after = game.correct("breath", "bo", 1, reason="x")
    assert log(after.linked, after.events)[0] == "the GM sets BREATH of Bo to 1 (x)"
    assert PlainTable(after.linked, Look()).board(after.state)[0].split() == ["Heroes", "BREATH"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (range(1, 1001), "a number from 1 to 1000"),
        (range(0, 101, 5), "a number from 0 to 100, in steps of 5"),
        ((1, 4, 9), "1, 4, 9"),
        ((*range(1, 50), 60), ", ".join(map(str, range(1, 41))) + ", ..."),
    ],
)
def test_many_numbers_are_told_in_few_words(keys: Sequence[int], words: str):
    assert number_range_text([Option(str(key), str(key), key) for key in keys]) == words


def test_names_are_no_markup(tmp_path: Path):
    game = crowd(tmp_path, '- {kind: hero, id: evil, title: "[bold]x[/bold] :fire:"}\n')
    lines = PlainTable(game.linked, Look()).board(game.state)
    assert any("[bold]x[/bold] :fire:" in line for line in lines)


# ---------------------------------------------------------------------------------- at a question


def test_correct_and_why_at_a_question():
    typed = (
        "1\n\ncorrect breath(dee) = 30 because mistyped\nwhy breath(Dee)\nundo\nwhy breath(dee)\n"
    )
    done = quarrel(*TWO, *MILL, typed=typed)
    assert done.code == 0, done.err
    before, _, after = done.out.partition("(taken back)")
    assert "the GM sets breath of Dee to 30 (mistyped)" in told(before)
    assert (
        "breath of Dee = 30 to begin with 20 Ann the Bold strikes Dee for 9 -9 -> 11 rules.yaml:15 "
        in told(before)
    )
    assert "the GM sets breath of Dee to 30 (mistyped) set to 30" in told(before)
    assert "breath of Dee = 11" in after
    assert "mistyped" not in after


def test_a_rule_that_always_holds_is_named():
    typed = (
        "correct there = ann, bo, cy because Cy comes along\n"
        "correct breath(bo) = 0 because he fainted\nwhy out(bo)\n"
    )
    done = quarrel(*TWO, "--scene", "bridge", typed=typed)
    assert (
        "out of Bo = yes to begin with no Bo falls (by a rule that always holds) set to yes"
        in told(done.out)
    )


def test_why_tells_numbers_of_the_rules():
    done = quarrel(*TWO, *MILL, typed="why force(dee)\nwhy FORCE(Ann the Bold)\nwhy round\n")
    assert "the force of Dee = 4 skill of Dee 4 long-summer/people.yaml:1" in told(done.out)
    assert "the force of Ann the Bold = 3" in told(done.out)
    assert "round = 1 to begin with 0 Ann has answered: Which scene is played? +1 -> 1" in told(
        done.out
    )


def test_why_tells_where_a_pack_has_changed_a_number(tmp_path: Path):
    manifest = "kind: pack\nid: house\nversion: 1.0.0\ngame: quarrel\nedition: 1\n"
    patch = "kind: patch\nid: strong\ntarget: quarrel:stat/force\nset: {is: skill(who) + 3}\n"
    (tmp_path / "pack.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "patch.yaml").write_text(patch, encoding="utf-8")
    done = quarrel(*TWO, *MILL, "--pack", tmp_path, typed="why force(dee)\n")
    assert "the force of Dee = 7" in told(done.out)
    assert "by the rule +3 house/patch.yaml:4" in told(done.out)


def test_variables_of_the_game_are_set_right():
    done = quarrel(*TWO, *MILL, typed="correct there = ann, dee, cy because Cy comes along\n")
    assert "the GM sets there to Ann the Bold, Dee, Cy (Cy comes along)" in told(done.out)
    assert done.out.rpartition("Who strikes?")[2].count("Cy") == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("correct breath(dee) = 30", "write it as: correct FIELD(NAME) = VALUE because REASON"),
        ("correct breath(dee) = 99 because x", "`breath` is a number from 0 to 40, not 99"),
        ("correct breath(dee) = many because x", "`many` is not a whole number"),
        (
            "correct breath = 3 because x",
            "`breath` is a field: say of which thing, as in `breath(NAME)`",
        ),
        ("correct breath(dora) = 3 because x", "no hero `dora` is there; there is `ann`, `bo`"),
        ("correct skill(dee) = 3 because x", "`skill` is printed and never changes"),
        (
            "correct wounds(dee) = 3 because x",
            "`wounds` has several entries: say which; there is `bleeding`",
        ),
        (f"correct round = 3 because {'x' * 501}", "a text of 1 to 500 characters"),
        ("correct a b c", "write it as: correct FIELD(NAME)"),
        ("correct (dee) = 3 because x", "is no name"),
        ("why breth(dee)", "there is no field, variable or number `breth`; did you mean `breath`?"),
        ("why breath(dora)", "no hero `dora` is there"),
        ("why force", "`force` is asked as force(who)"),
        ("why force(dora)", "`dora` is not the name of a hero"),
        ("why skill(dee)", "`skill` is printed and never changes"),
        ("why (", "is no name"),
    ],
)
def test_what_cannot_be_meant_is_said(line: str, answer: str):
    done = quarrel(*TWO, *MILL, typed=f"{line}\n")
    assert answer in told(done.out)
    assert (done.code, done.err) == (0, "")


def test_corrections_at_the_table_of_another_game():
    typed = "why score(Ann)\ncorrect facing(A1N@0/0) = up because bumped\n"
    words = ("play", "gnostica", "--players", "Ann=human,random", "--seed", "11")
    done = call(*words, "--switch", "first_player=by_agreement", typed="1\n" + typed)
    assert "no piece `A1N@0/0` is there" in done.out
    assert "the score of Ann = 0" in told(done.out)


def test_a_kept_game_brings_its_corrections_back(tmp_path: Path):
    path = tmp_path / "game.save"
    quarrel(*TWO, *MILL, "--save", path, typed="correct breath(dee) = 31 because mistyped\n")
    again = ruleloom("play", "--resume", path, typed="why breath(dee)\nundo\nwhy breath(dee)\n")
    assert "breath of Dee = 31" in again.out
    assert "breath of Dee = 20" in again.out.partition("(taken back)")[2]


def test_real_dice_and_commands():
    typed = "1\n\ncorrect round = 7 because late\nundo\n4\n"
    done = quarrel("--players", "Ann=human,steady", "--real-dice", *MILL, typed=typed)
    assert done.out.count("Roll 1d6") == 3
    assert "the GM sets round to 7 (late)" in told(done.out)
    assert "Ann the Bold strikes Dee for 10" in told(done.out)


# ----------------------------------------------------------------------------- campaigns and scenes


def test_a_scene_of_the_campaign_is_played_without_being_asked():
    done = quarrel(*TWO, *MILL)
    assert "Which scene is played? The Mill" in told(done.out)
    assert "there: Ann the Bold, Dee" in done.out
    asked = quarrel(*TWO, *MILL[:2])
    assert asked.out.rstrip().rpartition("Which scene is played?")[2].split()[:6] == [
        "1",
        "The",
        "Bridge",
        "2",
        "The",
        "Mill",
    ]


def test_a_scene_in_a_file_of_its_own(tmp_path: Path):
    scene = tmp_path / "my scene.yaml"
    scene.write_text(
        "- {kind: hero, id: eve, title: Eve, skill: 9}\n"
        "- {kind: scene, id: lane, title: The Lane, heroes: [eve, bo]}\n",
        encoding="utf-8",
    )
    save = tmp_path / "game.save"
    done = quarrel(*TWO, "--scene", scene, "--save", save)
    assert "Which scene is played? The Lane" in told(done.out)
    assert "there: Eve, Bo" in done.out
    again = ruleloom("play", "--resume", save)
    assert again.code == 0
    assert "there: Eve, Bo" in again.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--scene", "brigde"), "there is no scene `brigde`; expected `bridge`"),
        ((*MILL[:2], "--scene", "mil"), "did you mean `mill`?"),
        (("--scene", "none.yaml"), "none.yaml"),
        (("--scene", QUARREL / "game" / "rules.yaml"), "defines no scene, and one is needed"),
        (
            ("--campaign", QUARREL / "nowhere"),
            "there is no file, folder or shipped pack of this name",
        ),
    ],
)
def test_a_scene_that_is_not_there(words: tuple[str, ...], message: str):
    done = quarrel(*TWO, *words)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_file_with_mistakes_is_shown(tmp_path: Path):
    scene = tmp_path / "lane.yaml"
    scene.write_text("kind: scene\nid: lane\nheroes: [nobody]\n", encoding="utf-8")
    done = quarrel(*TWO, "--scene", scene)
    assert done.code == 2
    assert "lane.yaml:3:" in done.err
    assert "nobody" in done.err


def test_a_game_without_scenes_says_so():
    done = call("play", "gnostica", "--scene", "x", "--players", "random,random")
    assert (done.code, "set-up of Gnostica asks for no scene" in done.err) == (2, True)
    resumed = call("play", "--resume", "x.save", "--scene", "x")
    assert (resumed.code, "brings its own" in resumed.err) == (2, True)


def test_a_file_with_two_scenes_wants_a_name(tmp_path: Path):
    scene = tmp_path / "two.yaml"
    scene.write_text(
        "".join(f"- {{kind: scene, id: s{n}, heroes: [ann, bo]}}\n" for n in (1, 2)),
        encoding="utf-8",
    )
    done = quarrel(*TWO, "--scene", scene)
    assert "defines 2 scenes, and one is needed" in done.err


# ---------------------------------------------------------------------------------- bots


def test_bots_play_any_game_unattended():
    done = quarrel("--players", "random,steady", "--seed", "3", *MILL)
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("The game is over after ")
    short = quarrel("--players", "random,steady", "--seed", "3", "--turn-limit", "2", *MILL)
    assert short.out.splitlines()[-1] == "Unfinished after 2 turns: nobody has won."
    again = call(
        "play", "gnostica", "--players", "steady,random", "--seed", "3", "--turn-limit", "6"
    )
    assert again.code == 0


def test_the_steady_bot_takes_what_is_usual_or_first():
    game, bot = quarrel_game(), SteadyBot()
    taken = {}
    while "with fire" not in taken:
        prompt = game.prompt
        value = bot.answer(game.node, 0)
        option = next(option for option in prompt.options if option.value == value)
        taken[prompt.name or prompt.options[0].label] = option.key
        game = game.answer(prompt.id, option.key)
    assert taken == {
        "scene": "bridge",
        "who": "ann",
        "whom": "bo",
        "much": "3",
        "with fire": "skip",
    }


def test_the_steady_bot_is_always_the_same():
    one, two = (play_steady(start(7, ("A", "B")), 40) for _ in range(2))
    same(one, two)


def play_steady(game: Game, answers: int) -> Game:
    bot = SteadyBot()
    for _ in range(answers):
        if game.over:
            break
        prompt = game.prompts[0]
        player = prompt.player if prompt.player is not None else 0
        value = bot.answer(game.node, player)
        keys = {option.value: option.key for option in prompt.options}
        values = value if isinstance(value, tuple) and game.node.takes_sets else (value,)
        game = game.answer(prompt.id, [keys[one] for one in values])
    return game

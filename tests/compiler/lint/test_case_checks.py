"""Cases held against their game: their form, and the names and values in them."""

from __future__ import annotations

import pytest

from ruleloom.compiler.cases.case_file import ABOUT_THINGS
from ruleloom.compiler.pipeline import compile_paths
from tests.support.inn import CASES, INN
from tests.support.pack_examples import NO_PACKS, manifest, write

SOUND = """\
  - id: supper
    clauses: [inn.supper]
    given:
      players: [Ann, Bob]
      me: Bob
      settings: {least_players: 2}
      state: {Bob: {purse: 7, ate(soup): 1}}
    when:
      - do: use dine(soup)
        answers: {much: 3, luck: 4, "pay for {what}": yes, pay twice: no}
    then:
      numbers: {Bob: {purse: 4, ate(soup): 1}}
      whom: {much: Bob}
      offers: {much: [1 .. 5]}
      done: {pay: 1}
      log: [Bob pays 3]
"""


def told(folder, text):
    """What is said of a file of cases: code, place, message and help."""
    write(folder, INN | {"inn/cases.yaml": CASES + text})
    result = compile_paths([folder / "inn"], builtin=NO_PACKS)
    assert result.program is not None or not text
    return [
        (one.code, one.place.line, one.place.column, one.message, str(one.help))
        for one in result.diagnostics
        if one.severity == "error"
    ]


def test_what_nothing_asks_for_is_told_with_what_the_powers_of_the_step_ask(tmp_path):
    ways = [f"way_{n}" for n in range(9)]
    asking = "".join(f"    choose {way} from 1 .. 2\n" for way in ways)
    told_ways = " ".join(f"{{{way}}}" for way in ways)
    power = f"- kind: power\n  id: wander\n  gloss: wander\n  effect: |\n{asking}    say '{told_ways}'\n"
    game = {**INN, "inn/wander.yaml": power.replace("'", '"')}
    case = "  - id: lost\n    when: [{do: use wander, answers: {path: 1}}]\n    then: {numbers: {price: 2}}\n"
    write(tmp_path, game | {"inn/cases.yaml": CASES + case})
    found = compile_paths([tmp_path / "inn"], builtin=NO_PACKS).diagnostics
    [help] = [str(one.help) for one in found if "nothing asks for `path`" in one.message]
    assert help.startswith("asked for here: `way_0`, `way_1`")


def test_a_sound_case_is_silent(tmp_path):
    assert told(tmp_path, SOUND) == []


@pytest.mark.parametrize(
    ("wrong", "right", "says", "help"),
    [
        ("claues", "clauses", "a case has no `claues`", "`clauses`"),
        ("gvien", "given", "a case has no `gvien`", "`given`"),
        ("playres: [", "players: [", "`playres`", "`players`"),
        (
            "least_plyaers",
            "least_players",
            "no switch or setting `least_plyaers`",
            "`least_players`",
        ),
        ("me: Bbo", "me: Bob", "there is no player `Bbo` here", "`Bob`"),
        ("{Bbo: {purse: 7", "{Bob: {purse: 7", "no thing or player `Bbo`", "`Bob`"),
        ("{purze: 7", "{purse: 7", "`Bob` has no field `purze`", "`purse`"),
        ("purse: much, ate(soup)", "purse: 7, ate(soup)", "a whole number is wanted", "in digits"),
        ("purse: 700, ate(soup)", "purse: 7, ate(soup)", "lies between 0 and 99", "None"),
        ("purse: [7], ate(soup)", "purse: 7, ate(soup)", "no list", "write `7`, without brackets"),
        ("ate(soop): 1}}\n    when", "ate(soup): 1}}\n    when", "no meal `soop`", "`soup`"),
        ("do: use dnie", "do: use dine", "there is no power `dnie`", "`dine`"),
        ("dine(soop)", "dine(soup)", "there is no `soop` here", "`soup`"),
        ("dine(soup, 1)", "dine(soup)", "takes 1 argument, but 2 are given", "`dine(what)`"),
        ("dine(soup\n", "dine(soup)\n", "", "add `)`"),
        ("answres", "answers", "`answres` is not a field", "`answers`"),
        ("{muhc: 3", "{much: 3", "nothing asks for `muhc`", "`much`"),
        ("{much: three", "{much: 3", "a whole number is wanted", "write it in digits"),
        (
            "pay twice: [[no]]",
            "pay twice: no",
            "one answer to `pay twice` is wanted here, and no list",
            "None",
        ),
        ("pay twcie: no", "pay twice: no", "nothing asks for `pay twcie`", "`pay twice`"),
        ("numbres", "numbers", "`numbres` is not a field", "`numbers`"),
        ("{Bbo: {purse: 4", "{Bob: {purse: 4", "no thing or player `Bbo`", "`Bob`"),
        ("{Bob: {purs: 4", "{Bob: {purse: 4", "measure or field `purs`", "`purse`"),
        ("purse: four", "purse: 4", "and not `four`", "write it in digits"),
        ("whom: {much: Bbo", "whom: {much: Bob", "there is no player `Bbo`", "`Bob`"),
        ("whom: {muhc: Bob", "whom: {much: Bob", "nothing asks for `muhc`", "`much`"),
        ("offers: {much: 1 .. 5", "offers: {much: [1 .. 5]", "", ""),
        ("done: {pya: 1", "done: {pay: 1", "there is no operation `pya`", "`pay`"),
        ("log: Bob pays 3", "log: [Bob pays 3]", "", ""),
        ("[Bob pasy 3]", "[Bob pays 3]", "nothing in the game says `pasy` in the log", "`pay`"),
        (
            "[Bob pays pays 3]",
            "[Bob pays 3]",
            "the log can never say `Bob pays pays 3`",
            "`{} pays {}`",
        ),
    ],
)
def test_a_slip_in_a_case_is_told_where_it_is(tmp_path, wrong, right, says, help):
    assert SOUND.count(right) == 1
    text = SOUND.replace(right, wrong)
    [(_, line, column, message, meant)] = told(tmp_path, text)
    assert says in message
    assert help in meant
    at = CASES.count("\n") + SOUND[: SOUND.index(right)].count("\n") + 1
    assert line == at
    written = (CASES + text).splitlines()[line - 1]
    assert column >= min(written.find(wrong.split("\n")[0]) + 1, len(written))


@pytest.mark.parametrize(
    ("case", "line", "message", "help"),
    [
        (
            "id: a\n    given:\n    things: {}\n    then: {}",
            5,
            "a case has no `things`",
            "further in than `given:`",
        ),
        (
            "id: a\n    givne: {}\n    when: []\n    then: {}",
            4,
            "a case has no `givne`",
            "did you mean `given`?",
        ),
        ("id: a\n    given: {things: {}}", 3, "a case needs `then`", "add `then:`"),
        ("id: a\n    given: {thing: {}}\n    then: {}", 3, "a case needs `when`", "add `when:`"),
        ("id: a\n    then: {numbers: {}}", 3, "a case needs `when`", ABOUT_THINGS),
        ("when: []\n    then: {}", 3, "a case needs `id`", "add `id:`"),
        ("id: a\n    given: {things: {}, then: {}}", 3, "a case needs `then`", "add `then:`"),
        (
            "id: a\n    given:\n      things: {}\n      stat: {}\n    when: [{do: x}]\n    then: {}",
            6,
            "`stat` is not a field of `given`",
            "did you mean `state`?",
        ),
    ],
)
def test_a_case_that_cannot_be_read_is_told_by_the_check(tmp_path, case, line, message, help):
    found = told(tmp_path, f"  - {case}\n")[0]
    assert (found[1], found[0] in ("unreadable-case", "unknown-field")) == (line, True)
    assert message in found[3]
    assert help in found[4]


def test_a_line_that_slipped_in_the_text_of_a_case_is_told_by_the_check(tmp_path):
    text = "do: |\n          pay(me, 1)\n            pay(me, 2)"
    case = f"id: a\n    given: {{}}\n    when:\n      - {text}\n    then: {{numbers: {{A: {{purse: 0}}}}}}"
    refused = case.replace("numbers: {A: {purse: 0}}", "refused: x").replace("id: a", "id: b")
    found = told(tmp_path, f"  - {case}\n  - {refused}\n")
    assert [one[:3] for one in found] == [("syntax", 8, 13)]
    tabs = case.replace("            pay(me, 2)", " " * 11 + chr(9) + "pay(me, 2)")
    assert [one[:2] for one in told(tmp_path, f"  - {tabs}\n")] == [("tab", 8)]


def test_a_name_that_a_text_gives_is_known_afterwards(tmp_path):
    text = """\
  - id: own-names
    when:
      - do: |
          let more = 2
          choose how_many from 1 .. more "How many?"
          optional "pay": pay(me, how_many)
        answers: {how_many: 2, pay: no}
    then: {unasked: [much], numbers: {A: {purse: 0}}}
"""
    assert told(tmp_path, text) == []


def test_the_question_of_a_named_choice_leads_to_the_name(tmp_path):
    case = (
        "{id: a, when: [{do: turn, answers: {Who is healed?: none}}], then: {done: {hurt_mind: 0}}}"
    )
    write(tmp_path, {"bees/pack.yaml": manifest("bees", game="moonstone")})
    write(tmp_path, {"bees/cases.yaml": f"{CASES}  - {case}\n"})
    found = compile_paths([tmp_path / "bees"], reasons=False).diagnostics
    assert [(one.message, one.help) for one in found] == [
        ("nothing asks for `Who is healed?`", "this question is answered as `healed`")
    ]


@pytest.mark.parametrize("unasked", ["mcuh", "pay for {waht}", "pay for {me}", "sign"])
def test_what_nothing_can_ask_is_no_claim(tmp_path, unasked):
    text = f"  - {{id: a, when: [{{do: stop}}], then: {{unasked: ['{unasked}']}}}}\n"
    assert [one[0] for one in told(tmp_path, text)] == ["idle-claim"]


def test_a_slip_in_the_abilities_of_a_thing_is_told_where_it_is(tmp_path):
    abilities = "modify EX(self) by 10"
    thing = f"{{kind: advantage, rating: II, text: hums, abilities: '{abilities}'}}"
    cases = f"  - {{id: a, given: {{things: {{hum: {thing}}}}}, then: {{legal: true}}}}\n"
    write(tmp_path, {"bees/pack.yaml": manifest("bees", game="moonstone")})
    write(tmp_path, {"bees/cases.yaml": CASES + cases})
    [found] = compile_paths([tmp_path / "bees"], reasons=False).diagnostics
    assert (found.message, found.help) == (
        "there is no stat `EX`",
        "did you mean `ER`?",
    )
    assert (found.place.line, found.place.column) == (
        3,
        (CASES + cases).splitlines()[2].index("EX") + 1,
    )


STEP = """\
        then:
          numbers: {Bob: {purse: 4}}
          log: [rolls 4 for luck, Bob pays 7]
          unlogged: [a song]
          sees: {Ann: {log: [pays]}}
"""


def test_claims_of_a_step_are_held_against_the_game_too(tmp_path):
    at = SOUND.index("    then:")
    text = SOUND[:at] + STEP + SOUND[at:]
    assert told(tmp_path, text) == []
    slips = {
        "rolls 4 for luck": ("rolls 4 for lukc", "says `lukc` in the log"),
        "a song": ("a sogn", "says `sogn` in the log"),
        "log: [pays]": ("log: [pasy]", "says `pasy` in the log"),
        "purse: 4}}\n          log": ("purze: 4}}\n          log", "`purze`"),
        "Ann: {log": ("Anm: {log", "there is no player `Anm`"),
        "unlogged:": ("unlogd:", "`unlogd` is not a field"),
    }
    for right, (wrong, says) in slips.items():
        assert text.count(right) == 1
        [(_, _, _, message, _)] = told(tmp_path, text.replace(right, wrong))
        assert says in message


def test_the_log_may_say_what_stands_in_texts_of_the_case_and_its_names(tmp_path):
    lines = """\
  - id: own-words
    given: {players: [Ann, Bob], state: {Ann: {purse: 9}}}
    when:
      - do: |
          say "the bell tolls {purse(me)} times"
          roll thunder = 1d6
        answers: {thunder: 2}
    then: {log: [the bell tolls 9 times, rolls 2 for thunder]}
"""
    assert told(tmp_path, lines) == []
    [(code, *_, message, help)] = told(tmp_path, lines.replace("[the bell t", "[the bll t"))
    assert (code, "`bll`" in message, "`bell`" in help) == ("idle-claim", True, True)
    single = lines.replace("tolls {purse(me)} times", "has {purse(me)} gongs left")
    [(code, *_, help)] = told(
        tmp_path, single.replace("[the bell tolls 9 times", "[has 1 gong left")
    )
    assert (code, help) == ("idle-claim", "`counted: {gongs: gong}` in an extension")


ALIKE = """\
  - {id: poorer, title: A poor guest, like: supper, given: {state: {Bob: {purse: 6}}}, then: {numbers: {Bob: {purse: 3, ate(soup): 1}}}}
"""


def test_a_case_begins_from_another(tmp_path):
    assert told(tmp_path, SOUND + ALIKE) == []
    [(_, line, _, message, help)] = told(tmp_path, SOUND + ALIKE.replace("purse: 6", "purze: 6"))
    assert (line, "`purze`" in message, help) == (19, True, "did you mean `purse`?")
    # What is wrong with what they share is told once.
    [(_, line, _, message, _)] = told(tmp_path, SOUND.replace("purse: 7", "purze: 7") + ALIKE)
    assert (line, "`purze`" in message) == (9, True)


def test_a_list_where_a_name_is_wanted_is_told_as_written(tmp_path):
    case = "  - {id: a, given: {board: [std]}, when: [{end: turn}], then: {turn: B}}\n"
    write(tmp_path, {"owls/pack.yaml": manifest("owls", game="gnostica")})
    write(tmp_path, {"owls/cases.yaml": CASES + case})
    [found] = compile_paths([tmp_path / "owls"], reasons=False).diagnostics
    assert found.message == "there is no table `[std]`"


@pytest.mark.parametrize(
    ("like", "says", "help"),
    [
        ("super", "no case of this file is called `super`", "did you mean `supper`?"),
        ("poorer", "`poorer` begins from this case itself", "let one of them say"),
        ("[supper]", "the id of another case is wanted here", "None"),
    ],
)
def test_a_case_begins_from_a_case_that_is_there(tmp_path, like, says, help):
    text = SOUND + ALIKE.replace("like: supper", f"like: {like}")
    [(_, line, _, message, meant)] = told(tmp_path, text)
    assert (line, says in message, help in meant) == (19, True, True)


OWN = """\
  - id: own
    given: {{players: [Ann, Bob]}}
    when:
      - do: |
          {}
        answers: {{{}}}
    then: {{log: [hm]}}
"""


def asked(folder, do, answers):
    """What is said of the answers to what a step's own text asks: place, message and help."""
    lines = [*do.split("; "), 'say "hm"']
    text = OWN.format("\n          ".join(lines), answers)
    line = CASES.count("\n") + text[: text.index("answers:")].count("\n") + 1
    found = told(folder, text)
    assert all(one[1] == line for one in found)
    return [(column - len("        answers: {"), *rest) for _, _, column, *rest in found]


@pytest.mark.parametrize(
    ("do", "answers", "at", "says", "help"),
    [
        ("choose dish from Meal", "dish: soop", 7, "no meal `soop`", "`soup`"),
        ("choose dish from [soup, pie]", "dish: pei", 7, "no meal `pei`", "`pie`"),
        ("choose who from players", "who: Bbo", 6, "no player `Bbo`", "`Bob`"),
        ("choose who from players where purse(who) > 0", "who: Anm", 6, "`Anm`", "`Ann`"),
        ("choose up to 2 who from players", "who: [Ann, Bbo]", 12, "no player `Bbo`", "`Bob`"),
        ("choose k from 1 .. 3", "k: two", 4, "a whole number is wanted", "in digits"),
        ("choose k from those(n: 1 .. 3 where n > 1)", "k: x", 4, "a whole number", ""),
        ("choose k from [1] + [3]", "k: x", 4, "a whole number", ""),
        ("roll k = 1d6", "k: six", 4, "a whole number is wanted", ""),
        ("draw dish from Meal", "dish: soop", 7, "no meal `soop`", "`soup`"),
        ("choose who from players; choose next from [who]", "who: Ann, next: Bbo", 17, "`Bbo`", "`Bob`"),
        ("each p in players secretly choose k from Meal", "k: {Ann: pie, Bob: soop}", 20, "`soop`", "`soup`"),
        ("choose who from players or none", "who: Bbo", 6, "no player `Bbo`", "`Bob`"),
    ],
)  # fmt: skip
def test_an_answer_to_what_a_step_itself_asks_is_held_against_it(
    tmp_path, do, answers, at, says, help
):
    [(column, message, meant)] = asked(tmp_path, do, answers)
    assert column == at
    assert says in message
    assert help in meant


@pytest.mark.parametrize(
    ("do", "answers"),
    [
        ("choose dish from Meal", "dish: soup"),
        ("choose who from players or none", "who: none"),
        ("choose up to 2 who from players", "who: [Ann, Bob]"),
        ("choose k from 1 .. 3", "k: 2"),
        ("ask me for text k", "k: anything at all"),
        ("each p in players secretly choose k from Meal", "k: {Ann: pie, Bob: soup}"),
        # Of a list whose things are not plain to see, any answer may be one.
        ("let dishes = [soup] if purse(me) > 0 else [pie]; choose k from dishes", "k: soup"),
    ],
)
def test_a_right_answer_to_what_a_step_itself_asks_is_silent(tmp_path, do, answers):
    assert asked(tmp_path, do, answers) == []

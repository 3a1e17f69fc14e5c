"""A mistake stands in the pack that brings it, with a note where it shows in another one's text."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import Compiler, compile_paths

GAME = """
- kind: vocabulary
  game: tarts
  entities: {Player: {noun: [player, players], max: 2, fields: {eaten: {type: Int, min: 0, max: 9}}}}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    eat: {params: {who: Player}, sets: {eaten(who): eaten(who) + 1}, english: "{who} eats", log: "{who} eats"}
- {kind: setting, id: most, value: 3, english: the most}
- {kind: measure, id: left, takes: "who: Player", gives: Int, is: "most - eaten(who)", english: "what {who} has left"}
- {kind: power, id: nibble, gloss: nibble, effect: eat(me)}
- {kind: power, id: bite, gloss: bite, effect: eat(me)}
- {kind: flow, id: set_up, effect: use nibble}
- kind: power
  id: pick
  words: {hunger: "how hungry {me} is", plate: the plate}
  gives: "plate: Int"
  gloss: pick
  effect: |
    let hunger = left(me)
    let plate = hunger + 1
- kind: flow
  id: turn
  effect: |
    if left(me) > 0: use nibble
    use pick giving wanted
    if wanted > 1: use bite
"""
LIBRARY = """
- {kind: stat, id: greed, takes: "who: Player", is: "eaten(who)", english: "how greedy {who} is"}
- {kind: measure, id: odd, takes: "n: Int", gives: Bool, is: "count(k: 1 .. 9999 where k mod 7 = n) > 3", english: "{n} is odd"}
- kind: power
  id: gorge
  gloss: gorge
  effect: |
    choose n from 1 .. greed(me) where odd(n) "How many?"
    if n > 2: eat(me)
- {kind: patch, id: more, target: flow/turn, append: {effect: use gorge}}
"""
MANIFEST = "kind: pack\nid: {id}\nversion: 1.2.0\ngame: tarts\nedition: 1\n"
Told = tuple[str, str, int, str | None]


def compiled(folder: Path, **packs: str) -> list[Diagnostic]:
    """What is found in packs with these items; a first line that is a map is what a pack requires."""
    for id, text in packs.items():
        (folder / id).mkdir()
        first, _, rest = text.partition("\n")
        manifest, items = MANIFEST.format(id=id), text
        if first.startswith("{") and "kind" not in first:
            manifest, items = f"{manifest}requires: {first}\n", rest
        (folder / id / "pack.yaml").write_text(manifest, encoding="utf-8")
        (folder / id / "items.yaml").write_text(items, encoding="utf-8")
    return list(compile_paths([folder / id for id in packs]).diagnostics)


def told(found: list[Diagnostic], folder: Path) -> list[Told]:
    """Each finding as its code, its file, its line and its help."""
    return [
        (
            one.code,
            Path(one.place.path).relative_to(folder).as_posix(),
            one.place.line,
            None if one.help is None else str(one.help),
        )
        for one in found
    ]


BROUGHT: dict[str, tuple[str, list[tuple[str, int, str | None]]]] = {
    "disabled": (
        "- {kind: patch, id: no-more, target: power/nibble, disable: true}\n",
        [("unknown-power", 1, "patch what uses `tarts:power/nibble`, too")],
    ),
    "disabled, beside another one": (
        "- {kind: patch, id: no-pick, target: power/pick, disable: true}\n"
        "- {kind: patch, id: no-more, target: power/nibble, disable: true}\n",
        [
            ("unknown-power", 1, "patch what uses `tarts:power/pick`, too"),
            ("unknown-power", 2, "patch what uses `tarts:power/nibble`, too"),
        ],
    ),
    "another field of the item": (
        '- {kind: patch, id: by-name, target: measure/left, set: {takes: "one: Player"}}\n',
        [("unknown-name", 1, "keep `who` in the new text, as what it replaces has it")],
    ),
    "a text that lacks a name": (
        "- kind: patch\n  id: plain\n  target: power/pick\n  replace-effect: let plate = left(me)\n",
        [("unknown-name", 4, "keep `hunger` in the new text, as what it replaces has it")],
    ),
    "what other texts give": (
        '- {kind: patch, id: of, target: power/bite, set: {takes: "n: Int"}}\n',
        [("missing-argument", 1, "patch what uses `tarts:power/bite`, too")],
    ),
    "a name that is taken": (
        '- {kind: measure, id: hunger, gives: Int, is: "3", english: "hunger"}\n',
        [("name-clash", 1, "another name")],
    ),
    "a result that nothing reads": (
        "- kind: patch\n  id: two\n  target: flow/turn\n  replace-effect: use nibble\n"
        "- {kind: patch, id: three, target: power/pick, optional: target, set: {gives: 'hunger: Int'}}\n",
        [("unused-name", 5, "keep `plate` in the new text, as what it replaces has it")],
    ),
}


@pytest.mark.parametrize("place", [1, 2, 3])
def test_where_nothing_is_named_the_items_are_tried_out(tmp_path: Path, place: int):
    spare = "- {kind: measure, id: NAME, gives: Int, is: '1', english: one}\n"
    items = [spare.replace("NAME", "odd"), spare.replace("NAME", "even")]
    items.insert(
        place - 1,
        "- {kind: trigger, id: rubble, event: raze(at), timing: immediately, gloss: rubble, effect: "
        "use random_player}\n",
    )
    manifest = MANIFEST.format(id="house").replace("game: tarts", "game: gnostica")
    (tmp_path / "pack.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "items.yaml").write_text("".join(items), encoding="utf-8")
    errors = [one for one in compile_paths(tmp_path).diagnostics if one.severity == "error"]
    assert told(errors, tmp_path) == [("ensure-after-barrier", "items.yaml", place, None)]


@pytest.mark.parametrize("case", BROUGHT)
def test_what_a_pack_brings_to_the_game_stands_in_that_pack(tmp_path: Path, case: str):
    text, wanted = BROUGHT[case]
    found = compiled(tmp_path, tarts=GAME, house=text)
    assert told(found, tmp_path) == [
        (code, "house/items.yaml", line, help) for code, line, help in wanted
    ]
    for one in found:
        assert Path(one.notes[0].place.path).parent.name == "tarts"


def test_each_place_where_one_mistake_shows_is_noted(tmp_path: Path):
    text, _ = BROUGHT["disabled"]
    (found,) = compiled(tmp_path, tarts=GAME, house=text)
    assert [note.place.line for note in found.notes] == [12, 24]


def test_what_stands_in_the_patch_itself_needs_no_note(tmp_path: Path):
    patch = '- {kind: patch, id: slip, target: measure/left, set: {is: "mst - eaten(who)"}}\n'
    (found,) = compiled(tmp_path, tarts=GAME, house=patch)
    assert told([found], tmp_path) == [
        ("unknown-name", "house/items.yaml", 1, "did you mean `most`?")
    ]
    assert found.notes == ()


def test_a_mistake_of_the_game_stays_there_although_a_pack_patches_its_item(tmp_path: Path):
    broken = GAME.replace("let hunger = left(me)", "let hunger = lft(me)")
    patch = "- {kind: patch, id: word, target: power/pick, set: {gloss: take}}\n"
    found = compiled(tmp_path, tarts=broken, house=patch)
    assert ("unknown-name", "tarts/items.yaml", 19, "did you mean `left`?") in told(found, tmp_path)


def test_of_two_packs_the_one_that_brings_it_is_told(tmp_path: Path):
    text, _ = BROUGHT["a text that lacks a name"]
    word = "- {kind: patch, id: word, target: power/pick, set: {gloss: take}}\n"
    found = compiled(
        tmp_path, tarts=GAME, attic=word, house=text, yard=word.replace("take", "grab")
    )
    assert {one[1] for one in told(found, tmp_path) if one[0] == "unknown-name"} == {
        "house/items.yaml"
    }


def test_a_pack_that_patches_the_item_is_not_told_of_what_another_one_brings(tmp_path: Path):
    text, _ = BROUGHT["what other texts give"]
    more = "- {kind: patch, id: more, target: flow/turn, append: {effect: use nibble}}\n"
    found = compiled(tmp_path, tarts=GAME, attic=more, house=text)
    places = [(one[0], one[1]) for one in told(found, tmp_path) if one[0] == "missing-argument"]
    assert places == [("missing-argument", "house/items.yaml")]


@pytest.mark.parametrize(
    ("requires", "note"),
    [
        ("", "here, in `tarts` 1.2.0; since which version is not known"),
        (
            '{tarts: ">=1.0"}\n',
            "here, in `tarts` 1.2.0; `house` also accepts 1.0, which may differ",
        ),
        (
            '{tarts: "^1.1"}\n',
            "here, in `tarts` 1.2.0; `house` also accepts 1.1, which may differ",
        ),
        ('{tarts: "==1.2.0"}\n', "here, in `tarts` 1.2.0"),
        ('{tarts: "<2"}\n', "here, in `tarts` 1.2.0; since which version is not known"),
    ],
)
def test_the_note_says_what_is_known_of_the_version(tmp_path: Path, requires: str, note: str):
    text, _ = BROUGHT["disabled"]
    (found,) = compiled(tmp_path, tarts=GAME, house=requires + text)
    assert found.notes[0].message == note


TOP = """{shelf: "*"}
- kind: extension
  id: appetite
  extends: {Player: {fields: {thirst: {type: Int, initial: 0, at_table: true, english: "the thirst of {it}"}}}}
- {kind: rule, id: sated, takes: "who: Player", holds: "greed(who) < 3", english: "{who} is sated"}
- {kind: standing, id: thirsty, for: Player, abilities: 'modify greed(self) by HOW'}
"""


@pytest.mark.parametrize(
    ("how", "is_refused"), [("thirst(self)", True), ("lowest([thirst(self), 9])", False)]
)
def test_too_much_work_names_what_has_no_bound_in_the_pack_that_takes_it_away(
    tmp_path: Path, how: str, is_refused: bool
):
    found = compiled(tmp_path, tarts=GAME, shelf=LIBRARY, top=TOP.replace("HOW", how))
    errors = [one for one in found if one.severity == "error"]
    assert (
        told(errors, tmp_path)
        == [("too-much-work", "top/items.yaml", 5, 'give the stat `greed` a bound: `most: "10"`')]
        * is_refused
    )
    assert all("`greed` has no bound" in one.message for one in errors)


def test_of_two_mistakes_in_one_line_each_stands_where_it_was_made(tmp_path: Path):
    shelf = (
        "- {kind: measure, id: low, takes: 'n: Int', gives: Int, is: n, english: low}\n"
        "- {kind: measure, id: high, takes: 'n: Int', gives: Int, is: n, english: high}\n"
        "- {kind: measure, id: mid, gives: Int, is: low(1) + high(2), english: mid}\n"
    )
    house = "{shelf: '*'}\n" + "".join(
        f"- {{kind: patch, id: {id}, target: 'shelf:measure/{id}', set: {{takes: 'n: Int, m: Int'}}}}\n"
        for id in ("low", "high")
    )
    found = compiled(tmp_path, tarts=GAME, shelf=shelf, house=house)
    missing = [one for one in told(found, tmp_path) if one[0] == "missing-argument"]
    assert [one[1:3] for one in missing] == [("house/items.yaml", 1), ("house/items.yaml", 2)]


def test_many_mistakes_of_one_pack_are_placed_by_a_few_compilations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made, runs = Compiler._made, count()
    monkeypatch.setattr(Compiler, "_made", lambda *args: (next(runs), made(*args))[1])
    called = "- {{kind: measure, id: m{n}, takes: 'n: Int', gives: Int, is: n, english: low}}\n"
    asks = "- {{kind: measure, id: u{n}, gives: Int, is: m{n}(m{m}(1)), english: mid}}\n"
    shelf = "".join(called.format(n=n) + asks.format(n=n, m=(n + 1) % 16) for n in range(16))
    patch = "- {{kind: patch, id: p{n}, target: 'shelf:measure/m{n}', set: {{takes: 'n: Int, m: Int'}}}}\n"
    house = "{shelf: '*'}\n" + "".join(patch.format(n=n) for n in range(16))
    found = compiled(tmp_path, tarts=GAME, shelf=shelf, house=house)
    missing = [one for one in told(found, tmp_path) if one[0] == "missing-argument"]
    assert [one[1:3] for one in missing] == [("house/items.yaml", n) for n in range(1, 17)]
    # As written, without the house, and for each binary digit of a number up to 16.
    assert next(runs) == 1 + 1 + 5


def test_what_nothing_uses_is_told_of_itself_though_others_are_like_it(tmp_path: Path):
    house = (
        "- {kind: power, id: sip, gloss: sip, effect: eat(me)}\n"
        "- {kind: power, id: gulp, like: sip}\n"
        "- {kind: patch, id: more, target: flow/turn, append: {effect: use gulp}}\n"
    )
    found = compiled(tmp_path, tarts=GAME, house=house)
    assert told(found, tmp_path) == [("unused-item", "house/items.yaml", 1, None)]

"""Patches: what each operation does, what it refuses, and that the order of packs never matters."""

from __future__ import annotations

import json
import tempfile
from fractions import Fraction
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.patch.apply import MAX_PATCHES
from ruleloom.compiler.patch.select import FIXED_FIELDS, FIXED_KINDS
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.source_map import effect_text
from tests.support.pack_examples import GAME, fingerprint, manifest, read, write

# What a pack may do to the setting `guests` (4 at first) or the fusion `friends` (clauses walk and
# run).
GUESTS = "inn:setting/guests"
FRIENDS = "inn:fusion/friends"


def patch(id: str, target: str, *lines: str) -> str:
    """Return the text of a patch."""
    return f"kind: patch\nid: {id}\ntarget: {target}\n" + "".join(f"{line}\n" for line in lines)


def packs_of(*patches: str) -> dict[str, str]:
    """Return the game, and a pack `p0`, `p1`, ... for each patch."""
    files = dict(GAME)
    for number, text in enumerate(patches):
        files[f"p{number}/pack.yaml"] = manifest(f"p{number}")
        files[f"p{number}/patch.yaml"] = text
    return files


def apply(folder: Path, *patches: str):
    """Write a pack a patch and read all."""
    write(folder, packs_of(*patches))
    return read(folder)


def value_of(content: Content | None, id: str, field: str):
    """Return the plain value of a field of an item."""
    assert content is not None
    [item] = [item for item in content.items if item.id == id]
    return item.data(field)


# ------------------------------------------------------------------------------ one patch


def test_no_patch_changes_nothing(tmp_path):
    content, found = apply(tmp_path)
    assert found == []
    assert content.history == {}
    assert value_of(content, GUESTS, "value") == 4


@pytest.mark.parametrize(
    ("target", "line", "field", "becomes"),
    [
        (GUESTS, "set: {value: 7}", "value", 7),
        (GUESTS, "set: {english: text}", "english", "text"),
        (GUESTS, "set: {min: 2}", "min", 2),
        ("setting/guests", "set: {value: 7}", "value", 7),
        (GUESTS, "add: {value: 2}", "value", 6),
        (GUESTS, "add: {value: -5}", "value", -1),
        (GUESTS, "scale: {value: 3}", "value", 12),
        (GUESTS, "scale: {value: 0}", "value", 0),
        (GUESTS, 'scale: {value: "3/2"}', "value", 6),
        (GUESTS, "scale: {value: 1/4}", "value", 1),
        (GUESTS, "scale: {value: 1/3 rounded down}", "value", 1),
        (GUESTS, "scale: {value: 1/3 rounded up}", "value", 2),
        (GUESTS, "scale: {value: 5/8 rounded nearest}", "value", 3),
        (FRIENDS, "append: {clauses: [swim, walk]}", "clauses", ["walk", "run", "swim", "walk"]),
        (FRIENDS, "remove: {clauses: [walk]}", "clauses", ["run"]),
        (FRIENDS, "replace-effect: say 1", "effect", "say 1"),
        (FRIENDS, "set: {effect: say 1}", "effect", "say 1"),
    ],
)
def test_each_operation(tmp_path, target, line, field, becomes):
    content, found = apply(tmp_path, patch("one", target, line))
    assert found == []
    id = target if ":" in target else f"inn:{target}"
    assert value_of(content, id, field) == becomes


def test_the_history_says_who_changed_what_where(tmp_path):
    content, found = apply(tmp_path, patch("one", GUESTS, "set: {value: 7, max: 9}"))
    assert found == []
    [change] = content.history[GUESTS, "value"]
    assert (change.pack, change.line, change.op, change.old, change.new) == ("p0", 4, "set", 4, 7)
    assert change.path.endswith("p0/patch.yaml")
    assert content.history[GUESTS, "max"][0].old is None
    [item] = [item for item in content.items if item.id == GUESTS]
    assert (GUESTS, "english") not in content.history
    assert item.fields["value"].source.path.endswith("p0/patch.yaml")
    assert item.fields["english"].source.path.endswith("inn/settings.yaml")
    assert content.origin(item.fields["value"].place).pack == "p0"


def test_a_replaced_effect_keeps_its_places(tmp_path):
    content, found = apply(
        tmp_path, patch("one", FRIENDS, "replace-effect: |", '  say "hello"', "  stop")
    )
    assert found == []
    [item] = content.by_kind("fusion")
    node = item.fields["effect"]
    text = effect_text(node.source, node, Report())
    assert text is not None
    assert text.text.startswith('say "hello"\nstop')
    assert (text.place_of((12, 16)).line, text.place_of((12, 16)).column) == (6, 3)


def test_disabled_items_are_gone_and_remembered(tmp_path):
    content, found = apply(tmp_path, patch("one", FRIENDS, "disable: true"))
    assert found == []
    assert not content.by_kind("fusion")
    assert [item.id for item in content.disabled] == [FRIENDS]
    assert content.history[FRIENDS, ""][0].op == "disable"


@pytest.mark.parametrize(
    ("target", "lines", "code", "line"),
    [
        ("inn:setting/guest", ["set: {value: 1}"], "patch-matches-nothing", 3),
        ("inn:settin/guests", ["set: {value: 1}"], "patch-matches-nothing", 3),
        ("out:setting/guests", ["set: {value: 1}"], "patch-matches-nothing", 3),
        ("setting", ["set: {value: 1}"], "wrong-form", 3),
        ("inn:pack/inn", ["set: {version: 2.0.0}"], "bad-patch", 3),
        ("inn:patch/one", ["set: {target: a/b}"], "bad-patch", 3),
        (GUESTS, [], "bad-patch", 2),
        (GUESTS, ["set: {value: 1}", "disable: true"], "bad-patch", 5),
        (GUESTS, ["set: {value: 1}", "add: {value: 1}"], "bad-patch", 5),
        (GUESTS, ["set: {id: other}"], "bad-patch", 4),
        (GUESTS, ["set: {valu: 1}"], "patch-unknown-field", 4),
        (GUESTS, ["replace-effect: stop"], "patch-unknown-field", 4),
        (GUESTS, ["set:", "  value: [1]"], "wrong-type", 5),
        (GUESTS, ["set:", "  english: 3"], "wrong-type", 5),
        (GUESTS, ["add: {english: 3}"], "patch-type", 4),
        (GUESTS, ["add: {max: 3}"], "patch-type", 4),
        (GUESTS, ["add: {value: 1/2}"], "patch-number", 4),
        (GUESTS, ["add: {value: half}"], "wrong-form", 4),
        (GUESTS, ["append: {value: [3]}"], "patch-type", 4),
        (GUESTS, ["set: {value: four}"], "patch-type", 4),
        (GUESTS, ["set: {value: true}"], "patch-type", 4),
        (GUESTS, ['scale: {value: "1/3"}'], "patch-number", 4),
        (GUESTS, ["scale: {value: 1/0}"], "wrong-form", 4),
        (GUESTS, ["set: {min: 9000000}"], "out-of-range", 4),
        (FRIENDS, ["append:", "  clauses:", "    - 3"], "wrong-type", 6),
        (FRIENDS, ["remove: {clauses: [wlk]}"], "patch-matches-nothing", 4),
        (FRIENDS, ["disable: false"], "not-a-choice", 4),
        (FRIENDS, ["scale: {effect: 2}"], "patch-type", 4),
        (FRIENDS, ["append: {effect: [stop]}"], "wrong-type", 4),
        (FRIENDS, ["append: {effect: while}"], "syntax", 4),
        (FRIENDS, ["append: {effect: stop}", "replace-effect: stop"], "bad-patch", 4),
        (GUESTS, ["append: {effect: stop}"], "patch-matches-nothing", 4),
        (FRIENDS, ["set: {effect.key: 1}"], "patch-unknown-field", 4),
        (GUESTS, ["set: {rows.key: 1}"], "patch-unknown-field", 4),
    ],
)
def test_what_a_patch_may_not_do(tmp_path, target, lines, code, line):
    content, found = apply(tmp_path, patch("one", target, *lines))
    assert [one.code for one in found] == [code], found
    assert found[0].place.path.endswith("p0/patch.yaml")
    assert found[0].place.line == line
    assert value_of(content, GUESTS, "value") == 4, "the item stays as it was"
    assert content.history == {}


@pytest.mark.parametrize(
    ("target", "help"),
    [
        ("inn:setting/gusts", GUESTS),
        ("setting/gusts", GUESTS),
        ("out:setting/guests", GUESTS),
        ("inn:power/friends", FRIENDS),
    ],
)
def test_the_nearest_target_is_offered(tmp_path, target, help):
    _, found = apply(tmp_path, patch("one", target, "set: {value: 1}"))
    assert found[0].help == f"did you mean `{help}`?"


def test_what_stands_below_the_next_dash_is_told_there_alone(tmp_path):
    fallen = f"- kind: patch\n  id: one\n  target: {GUESTS}\n"
    other = "- kind: setting\n  set: {value: 7}\n  id: hosts\n  value: 1\n  english: the hosts\n"
    _, found = apply(tmp_path, fallen + other)
    assert [(one.code, one.place.line) for one in found] == [("unknown-field", 5)]


def test_an_optional_patch_may_match_nothing(tmp_path):
    _, found = apply(
        tmp_path, patch("one", "inn:setting/gone", "set: {value: 1}", "optional: true")
    )
    assert found == []


def test_a_patch_of_a_broken_item_is_silent(tmp_path):
    files = packs_of(patch("one", "inn:setting/rooms", "set: {value: 1}"))
    write(tmp_path, files | {"inn/rooms.yaml": "kind: setting\nid: rooms\nvalue: 3\n"})
    assert [one.code for one in read(tmp_path)[1]] == ["missing-field"]


# ------------------------------------------------------------------------------ two patches


@pytest.mark.parametrize(
    ("target", "first", "second", "field", "becomes"),
    [
        (GUESTS, "add: {value: 2}", "add: {value: 3}", "value", 9),
        (GUESTS, "scale: {value: 1/3}", "scale: {value: 3}", "value", 4),
        (GUESTS, "scale: {value: 2/3 rounded up}", "scale: {value: 2/3 rounded up}", "value", 2),
        (GUESTS, "set: {value: 7}", "set: {value: 7}", "value", 7),
        (GUESTS, "set: {value: 7}", "set: {max: 9}", "max", 9),
        (
            FRIENDS,
            "append: {clauses: [swim]}",
            "append: {clauses: [fly]}",
            "clauses",
            ["walk", "run", "swim", "fly"],
        ),
        (
            FRIENDS,
            "append: {clauses: [swim]}",
            "append: {clauses: [swim]}",
            "clauses",
            ["walk", "run", "swim"],
        ),
        (
            FRIENDS,
            "append: {clauses: [swim]}",
            "remove: {clauses: [run]}",
            "clauses",
            ["walk", "swim"],
        ),
        (FRIENDS, "replace-effect: say 1", "set: {effect: say 1}", "effect", "say 1"),
    ],
)
def test_pairs_that_agree(tmp_path, target, first, second, field, becomes):
    content, found = apply(tmp_path, patch("one", target, first), patch("two", target, second))
    assert found == []
    assert value_of(content, target, field) == becomes


@pytest.mark.parametrize(
    ("target", "first", "second", "outcomes"),
    [
        (GUESTS, "set: {value: 5}", "set: {value: 6}", ("`6`", "`5`")),
        (GUESTS, "set: {value: 5}", "add: {value: 1}", ("`6`", "`5`")),
        (GUESTS, "add: {value: 1}", "scale: {value: 2}", ("`10`", "`9`")),
        (GUESTS, "scale: {value: 1/3 rounded up}", "scale: {value: 2}", ("`4`", "`3`")),
        (
            FRIENDS,
            "append: {clauses: [swim]}",
            "remove: {clauses: [swim]}",
            ("[`walk`, `run`]", "nothing ("),
        ),
        (FRIENDS, "replace-effect: say 1", "replace-effect: say 2", ("`say 2`", "`say 1`")),
    ],
)
def test_pairs_that_do_not_agree_show_both_outcomes(tmp_path, target, first, second, outcomes):
    content, found = apply(tmp_path, patch("one", target, first), patch("two", target, second))
    assert [one.code for one in found] == ["patch-conflict"]
    assert f"then `p1:patch/two` gives {outcomes[0]}" in found[0].message
    assert f"the other way round gives {outcomes[1]}" in found[0].message
    assert found[0].place.path.endswith("p1/patch.yaml")
    assert found[0].place.line == 4
    assert found[0].notes[0].place.path.endswith("p0/patch.yaml")
    assert "after: [p0:patch/one]" in found[0].help
    assert content.history == {}


@pytest.mark.parametrize("name", ["one", "patch/one", "p0:one", "p0:patch/one"])
def test_after_decides(tmp_path, name):
    content, found = apply(
        tmp_path,
        patch("one", GUESTS, "add: {value: 1}"),
        patch("two", GUESTS, "scale: {value: 2}", f"after: [{name}]"),
    )
    assert found == []
    assert value_of(content, GUESTS, "value") == 10
    assert [(step.op, step.old, step.new) for step in content.history[GUESTS, "value"]] == [
        ("add", 4, 5),
        ("scale", 5, 10),
    ]


def test_after_decides_the_other_way_and_over_a_third(tmp_path):
    content, found = apply(
        tmp_path,
        patch("one", GUESTS, "add: {value: 1}", "after: [mid]"),
        patch("two", GUESTS, "scale: {value: 2}"),
        patch("mid", FRIENDS, "append: {clauses: [swim]}", "after: [two]"),
    )
    assert found == []
    assert value_of(content, GUESTS, "value") == 9


def test_a_number_need_only_be_whole_in_the_end(tmp_path):
    content, found = apply(
        tmp_path,
        patch("one", GUESTS, "scale: {value: 1/8}"),
        patch("two", GUESTS, "scale: {value: 16}", "after: [one]"),
    )
    assert found == []
    assert value_of(content, GUESTS, "value") == 8
    assert content.history[GUESTS, "value"][0].new == "1/2"


def test_requiring_a_pack_orders_nothing(tmp_path):
    files = packs_of(
        patch("one", GUESTS, "set: {value: 5}"), patch("two", GUESTS, "set: {value: 6}")
    )
    write(tmp_path, files | {"p1/pack.yaml": manifest("p1", "requires: {p0: '*'}")})
    assert [one.code for one in read(tmp_path)[1]] == ["patch-conflict"]


def test_patches_of_one_pack_are_held_to_the_same(tmp_path):
    both = "\n".join(
        f"- {{kind: patch, id: {id}, target: {GUESTS}, set: {{value: {value}}}}}"
        for id, value in (("a", 1), ("b", 2))
    )
    _, found = apply(tmp_path, both)
    assert [one.code for one in found] == ["patch-conflict"]


@pytest.mark.parametrize(
    ("first", "second", "found_codes"),
    [
        (["disable: true"], ["disable: true"], []),
        (["disable: true"], ["set: {value: 5}"], ["patch-conflict"]),
        (["disable: true"], ["set: {value: 5}", "optional: true"], []),
        (["disable: true", "after: [two]"], ["set: {value: 5}"], []),
        (["disable: true"], ["set: {value: 5}", "after: [one]"], ["patch-matches-nothing"]),
    ],
)
def test_disabling_what_another_changes(tmp_path, first, second, found_codes):
    content, found = apply(tmp_path, patch("one", GUESTS, *first), patch("two", GUESTS, *second))
    assert [one.code for one in found] == found_codes
    assert [item.id for item in content.disabled] == [GUESTS]


def test_a_circle_of_afters(tmp_path):
    content, found = apply(
        tmp_path,
        patch("a", GUESTS, "add: {value: 1}", "after: [b]"),
        patch("b", GUESTS, "add: {value: 1}", "after: [c]"),
        patch("c", GUESTS, "add: {value: 1}", "after: [a]"),
        patch("d", GUESTS, "add: {value: 8}"),
    )
    assert [one.message for one in found] == [
        "patches come after each other in a circle: a -> b -> c -> a"
    ]
    assert value_of(content, GUESTS, "value") == 12


def test_after_a_patch_that_is_not_there(tmp_path):
    _, found = apply(
        tmp_path,
        patch("one", GUESTS, "add: {value: 1}"),
        patch("two", GUESTS, "add: {value: 1}", "after: [onne]"),
    )
    assert [(one.code, one.help) for one in found] == [
        ("unknown-patch", "did you mean `p0:patch/one`?")
    ]


def test_there_is_a_most_of_patches(tmp_path):
    line = "- {{kind: patch, id: p{}, target: setting/guests, add: {{value: 1}}, after: [p{}]}}\n"
    head = f"- {{kind: patch, id: p0, target: {GUESTS}, add: {{value: 1}}}}\n"
    many = head + "".join(line.format(n, n - 1) for n in range(1, MAX_PATCHES))
    content, found = apply(tmp_path, many)
    assert found == []
    assert value_of(content, GUESTS, "value") == 4 + MAX_PATCHES
    _, found = apply(tmp_path, many + line.format(MAX_PATCHES, 0))
    assert [one.code for one in found] == ["too-many-patches"]


# ------------------------------------------------------------------------------ order

EDITS = st.one_of(
    st.integers(-3, 9).map(lambda n: (GUESTS, f"set: {{value: {n}}}")),
    st.integers(-3, 9).map(lambda n: (GUESTS, f"add: {{value: {n}}}")),
    st.sampled_from(["2", "3", "1/2", "3/2"]).map(
        lambda f: (GUESTS, f'scale: {{value: "{f}"}}' if "/" in f else f"scale: {{value: {f}}}")
    ),
    st.lists(st.sampled_from(["swim", "fly"]), min_size=1, max_size=2).map(
        lambda clauses: (FRIENDS, f"append: {{clauses: [{', '.join(clauses)}]}}")
    ),
    st.sampled_from(["walk", "run", "swim"]).map(
        lambda part: (FRIENDS, f"remove: {{clauses: [{part}]}}")
    ),
    st.sampled_from(["stop", "say 1"]).map(lambda text: (FRIENDS, f"replace-effect: {text}")),
    st.just((FRIENDS, "disable: true")),
)


PLANS = st.lists(
    st.tuples(EDITS, st.sets(st.integers(0, 3)), st.booleans()), min_size=2, max_size=4
)


@given(PLANS, st.permutations(range(5)))
def test_the_order_of_packs_never_matters(plan, shuffled):
    texts = []
    for number, ((target, line), after, optional) in enumerate(plan):
        others = sorted(other for other in after if other < len(plan) and other != number)
        lines = [line] + ([f"after: [{', '.join(f'patch{o}' for o in others)}]"] if others else [])
        lines += ["optional: true"] if optional else []
        texts.append(patch(f"patch{number}", target, *lines))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, packs_of(*texts))
        outcomes = set()
        names = [*(f"p{number}" for number in range(len(plan))), "inn"]
        for order in (
            names,
            names[::-1],
            [names[number] for number in shuffled if number < len(names)],
        ):
            content, found = read(*(folder / pack for pack in order))
            outcomes.add((fingerprint(content), tuple(found)))
    assert len(outcomes) == 1


@given(st.lists(st.tuples(st.sampled_from(["add", "scale", "set"]), st.integers(1, 5)), max_size=5))
def test_a_chain_of_edits_is_plain_arithmetic(chain):
    value = Fraction(4)
    texts = []
    for number, (op, by) in enumerate(chain):
        value = {"add": value + by, "scale": value * by, "set": Fraction(by)}[op]
        lines = [f"{op}: {{value: {by}}}"] + ([f"after: [patch{number - 1}]"] if number else [])
        texts.append(patch(f"patch{number}", GUESTS, *lines))
    with tempfile.TemporaryDirectory() as name:
        content, found = apply(Path(name), *texts)
    idle = sum(step == ("scale", 1) for step in chain) + (chain == [("set", 4)])
    assert [one.code for one in found] == ["changes-nothing"] * idle
    assert value_of(content, GUESTS, "value") == value


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["set: {value: 4}"], "`value` is `4` already, so this changes nothing"),
        (["add: {value: 0}"], "`add` of `0` leaves `value` as it is"),
        (["scale: {value: 1}"], "`scale` of `1` leaves `value` as it is"),
        (["add: {value: 1}"], None),
        (["set: {value: 5}"], None),
        (["set: {value: 4, min: 2}"], "`value` is `4` already, so this changes nothing"),
    ],
)
def test_what_changes_nothing_is_told(tmp_path, lines, told):
    _, found = apply(tmp_path, patch("one", GUESTS, *lines))
    assert [one.message for one in found] == ([told] if told else [])


def test_what_two_packs_set_alike_is_no_slip(tmp_path):
    _, found = apply(tmp_path, *(patch(id, GUESTS, "set: {value: 5}") for id in ("one", "other")))
    assert found == []
    # What one sets back is a change of what the other has set.
    back = patch("other", GUESTS, "set: {value: 4}", "after: [one]")
    _, found = apply(tmp_path / "back", patch("one", GUESTS, "set: {value: 5}"), back)
    assert found == []


def test_an_effect_that_is_there_already_is_told(tmp_path):
    _, found = apply(tmp_path, patch("one", FRIENDS, "replace-effect: |", "  stop"))
    assert [one.message for one in found] == ["`effect` is `stop` already, so this changes nothing"]


HERO = """\
- {kind: character, id: anna, title: Anna, start: {Str: 12}}
- {kind: fate, id: cups, title: Cups, outcome: dies, numbers: {from: 1, to: 14}, text: a suit}
"""


def of_hero(folder: Path, target: str, *lines: str):
    """Patch the hero of a game with maps: of keys that authors choose, and of fixed ones."""
    files = {"p/pack.yaml": manifest("p", game="moonstone"), "p/hero.yaml": HERO}
    write(folder, {**files, "p/patch.yaml": patch("one", f"p:{target}", *lines)})
    return read(folder / "p", builtin=BUILTIN)


@pytest.mark.parametrize(
    ("target", "line", "field", "becomes"),
    [
        ("character/anna", "set: {start.End: 14}", "start", {"Str": 12, "End": 14}),
        ("character/anna", "add: {start.Str: 1}", "start", {"Str": 13}),
        ("character/anna", "set: {skills.dodging: 2}", "skills", {"dodging": 2}),
        (
            "character/anna",
            "set: {skills.dodging: 2, skills.running: 1}",
            "skills",
            {"dodging": 2, "running": 1},
        ),
        ("fate/cups", "set: {numbers.to: 10}", "numbers", {"from": 1, "to": 10}),
    ],
)
def test_one_key_of_a_map_is_changed(tmp_path, target, line, field, becomes):
    content, found = of_hero(tmp_path, target, line)
    assert found == []
    assert value_of(content, f"p:{target}", field) == becomes


@pytest.mark.parametrize(
    ("target", "line", "told"),
    [
        (
            "character/anna",
            "add: {skills.dodging: 2}",
            "`add` works on a number, and `skills.dodging` has no value yet",
        ),
        (
            "character/anna",
            "remove: {skills: [dodging]}",
            "`remove` works on a list, and `skills` has no value yet",
        ),
        (
            "character/anna",
            "set: {start.Str.more: 2}",
            "a patch changes one key of a map, and `Str.more` is within one",
        ),
        ("character/anna", "set: {start.Strength: 2}", "Strength"),
        ("fate/cups", "set: {numbers.most: 10}", "`most` is not a field of `numbers`"),
        ("fate/cups", "set: {text.most: 10}", "`fate` has no field `text.most`"),
    ],
)
def test_a_key_that_cannot_be_changed_is_told_in_the_patch(tmp_path, target, line, told):
    _, found = of_hero(tmp_path, target, line)
    assert [one.place.path[-10:] for one in found] == ["patch.yaml"]
    assert told in found[0].message


def test_what_is_appended_to_an_effect_stands_at_its_end(tmp_path):
    folder, append = tmp_path / "one", "append: {effect: use walk}"
    content, found = apply(
        folder,
        patch("one", FRIENDS, append),
        patch("other", FRIENDS, "append:", "  effect: |", "    use run"),
    )
    assert found == []
    before = value_of(apply(tmp_path / "none")[0], FRIENDS, "effect").rstrip("\n")
    assert value_of(content, FRIENDS, "effect").rstrip("\n") == f"{before}\nuse walk\nuse run"
    told = [(one.op, one.by, one.amount) for one in content.history[FRIENDS, "effect"]]
    assert told == [
        ("append", "p0:patch/one", "use walk"),
        ("append", "p1:patch/other", "use run\n"),
    ]
    # A text that is given anew has them too, unless it says that it comes later.
    anew = patch("anew", FRIENDS, "replace-effect: stop")
    assert (
        value_of(
            apply(tmp_path / "anew", anew, patch("one", FRIENDS, append))[0], FRIENDS, "effect"
        )
        == "stop\nuse walk\n"
    )
    later = patch("anew", FRIENDS, "replace-effect: stop", "after: [one]")
    assert (
        value_of(
            apply(tmp_path / "later", patch("one", FRIENDS, append), later)[0], FRIENDS, "effect"
        )
        == "stop"
    )


def test_appended_lines_that_end_it_leave_no_order_open(tmp_path):
    texts = [
        patch(id, FRIENDS, f"append: {{effect: {line}}}")
        for id, line in (("one", "stop"), ("other", "use run"))
    ]
    _, found = apply(tmp_path, *texts)
    assert [one.code for one in found] == ["patch-conflict"]
    assert (
        "put lines after the whole text, and those of `p0:patch/one` may end it there"
        in found[0].message
    )


def test_a_row_whose_name_cannot_be_is_told_in_the_patch(tmp_path):
    rows = "kind: patch\nid: more\nevery: notation\nset: {steps.option.x: {y: z}}\n"
    head = "kind: pack\nid: more\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
    write(tmp_path, {"more/pack.yaml": head, "more/patch.yaml": rows})
    found = compile_paths([tmp_path / "more"]).diagnostics
    assert {one.place.path[-15:] for one in found} == {"more/patch.yaml"}
    assert {one.place.line for one in found} == {4}


# ------------------------------------------------------------------ whatever can be declared


def same_again(item: Item) -> str:
    """A patch of the first field of an item, which sets what it has already."""
    key, node = next(one for one in item.fields.items() if one[0] not in FIXED_FIELDS)
    value = json.dumps(to_data(node))
    if "\n" in (node.text or ""):  # a text of several lines stands as a block
        value = "|\n" + indent(node.text or "", " " * 6)
    return f"- kind: patch\n  id: NAME\n  target: {item.id}\n  set:\n    {key}: {value}\n"


@pytest.mark.parametrize("game", GAMES)
def test_every_item_of_a_game_can_be_patched(game: str, tmp_path: Path):
    """Abbreviations in capitals (`stat/max_MI`) and clauses with dots among them."""
    content = load([game], Report(), scenarios=False)
    assert content is not None
    items = [item for item in content.items if item.kind not in FIXED_KINDS]
    patches = enumerate(map(same_again, items))
    text = "".join(patch.replace("NAME", f"p{number}", 1) for number, patch in patches)
    write(tmp_path, {"all/pack.yaml": manifest("all", game=game), "all/all.yaml": text})
    report = Report()
    load([tmp_path / "all"], report, scenarios=False)
    # Each has found its item: what it sets is so already.
    lines = {one.place.line for one in report.found if one.code == "changes-nothing"}
    assert len(lines) == len(items)
    assert not report.has_errors


def test_an_item_with_capitals_or_dots_can_be_changed_and_exempt(tmp_path: Path):
    head = manifest("storm", game="moonstone")
    one = patch("more", "moonstone:stat/max_MI", 'set: {english: "the most magic of {who}"}')
    words = "kind: patch\nid: said\nevery: clause\nexcept: [moonstone.buy.pr]\nset: {page: 1}\n"
    stats = "kind: patch\nid: many\nevery: stat\nexcept: [max_MI]\nset: {clauses: []}\n"
    files = {"pack.yaml": head, "a.yaml": one, "b.yaml": words, "c.yaml": stats}
    write(tmp_path, {f"storm/{name}": text for name, text in files.items()})
    content = compile_paths([tmp_path / "storm"]).content
    assert content is not None
    items = {item.id: item for item in content.items}
    changed = items["moonstone:stat/max_MI"]
    assert changed.fields["english"].text == "the most magic of {who}"
    assert "clauses" in changed.fields
    assert items["moonstone:stat/max_PI"].fields["clauses"].items == []
    assert items["moonstone:clause/moonstone.buy.pr"].fields.get("page") is None
    assert items["moonstone:clause/moonstone.adv.spell"].fields["page"].value == 1

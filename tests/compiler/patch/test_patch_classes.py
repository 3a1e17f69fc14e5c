"""Patches for a class of items: whom a condition means, what it refuses, and what others do to the
class."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.patch import apply, select
from tests.support.command import call
from tests.support.patch_packs import errors, put, read, tried, values

MUSKET = "{kind: weapon, id: musket, title: Musket, price: 8, damage: 5, sort: gun, tags: [loud]}\n"


def patch(id: str, *lines: str) -> str:
    return f"kind: patch\nid: {id}\n" + "".join(f"{line}\n" for line in lines)


def every(where: str, does: str = "add: {damage: 1}", *more: str) -> str:
    return patch("one", "every: weapon", *([f"where: {where}"] if where else []), *more, does)


def met(where: str, *more: str) -> set[str]:
    """The weapons that a condition means, with a musket of another pack beside those of the
    game."""
    content, found = tried({"p": every(where, "add: {damage: 1}", *more), "q": MUSKET})
    assert found == []
    assert content is not None
    return {id.partition("/")[2] for id, _ in content.history}


@pytest.mark.parametrize(
    ("where", "does", "codes"),
    [
        ("price >= 0", "add: {damage: 1}", ["same-for-all"]),
        ("", "add: {damage: 1}", []),  # it says itself that all are meant
        ("sort = gun", "set: {sort: gun}", ["changes-nothing"]),
        ("price < 10", "set: {sort: gun}", []),  # some of them are none yet
        ("sort = gun", "add: {damage: 0}", ["changes-nothing"]),
    ],
)
def test_what_picks_nothing_out_or_changes_nothing_is_told(where: str, does: str, codes: list[str]):
    _, found = tried({"p": every(where, does)})
    assert [one.code for one in found] == codes


def test_a_kind_that_is_missing_is_told_with_the_first_patch_that_names_it():
    targets = ["every: gizmo", "every: gizmo", "target: gizmo/wheel", "every: gadget"]
    text = "".join(
        f"- {{kind: patch, id: patch{number}, {target}, add: {{damage: 1}}}}\n"
        for number, target in enumerate(targets)
    )
    _, found = tried({"p": text})
    assert [one.message for one in found] == [
        "there is no kind `gizmo` to change",
        "there is no kind `gadget` to change",
    ]


GUNS = {"carbine", "pistol", "cannon", "musket"}


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("", {"dagger", "sword", "long-bow", *GUNS}),
        ("sort = gun", GUNS),
        ("gun = sort", GUNS),
        ("sort != gun", {"dagger", "sword", "long-bow"}),
        ("sort in [blade, bow]", {"dagger", "sword", "long-bow"}),
        ("sort not in [blade, bow]", GUNS),
        ("not (sort = gun)", {"dagger", "sword", "long-bow"}),
        ("sort = gun and price < 10 or heavy", {"pistol", "cannon", "musket"}),
        ("heavy", {"cannon"}),
        ("not heavy and sort = gun", GUNS - {"cannon"}),
        ("heavy = no and sort = gun", GUNS - {"cannon"}),  # the default counts
        ("loud in tags", GUNS),
        ("tags is none", {"dagger", "long-bow"}),
        ("noble not in tags and sort = blade", {"dagger"}),
        ("count(tags) = 2", {"pistol"}),
        ("weight = 1/2", {"dagger", "pistol", "musket"}),
        ("weight = 1/2 and maker is none", {"pistol", "musket"}),
        ("weight > 1", {"sword", "carbine", "cannon"}),
        ("price - damage >= 5", {"sword", "carbine", "cannon"}),
        ("price >= 2 * damage and price < 10", {"dagger", "sword", "long-bow", "pistol"}),
        ("-damage > -2", {"dagger"}),
        ("reach(gun) = 2", {"pistol"}),
        (
            "maker = old_forge",
            {"dagger", "carbine"},
        ),  # one writes the name in full, the other does not
        ('maker = "old-forge"', {"dagger", "carbine"}),
        ('title = "Long bow"', {"long-bow"}),
        ("id in [long_bow, musket]", {"long-bow", "musket"}),
        ("pack = q", {"musket"}),
    ],
)
def test_whom_a_condition_means(where: str, names: set[str]):
    assert met(where) == names


def test_exemptions():
    assert met("sort = gun", "except: [cannon, q:weapon/musket]") == {"carbine", "pistol"}


@pytest.mark.parametrize(
    ("text", "code", "at", "said", "help"),
    [
        (every("sort = beam"), "patch-matches-nothing", (4, 8), "none of the 6 in these packs is like that", None),
        (every("sort = lazer"), "patch-matches-nothing", (4, 15), "no `weapon` has `lazer` in its `sort`",
         "expected one of `beam`, `blade`, `bow`, `gun`"),
        (every("sort != gum"), "patch-matches-nothing", (4, 16), "no `weapon` has `gum` in", "did you mean `gun`?"),
        (every("loudd in tags"), "patch-matches-nothing", (4, 8), "no `weapon` has `loudd`", "did you mean `loud`?"),
        (every("prise > 3"), "patch-unknown-field", (4, 8), "no field `prise`", "did you mean `price`?"),
        (every("srot = gun"), "patch-unknown-field", (4, 8), "no field `srot`", "did you mean `sort`?"),
        (every("sort = gun and price"), "patch-query", (4, 23), "this is a number, `10`, neither", "compare it"),
        (every("sort > 3"), "patch-query", (4, 8), "`>` compares numbers, and this is a word, `blade`", None),
        (every("price = sort"), "patch-query", (4, 8), "compares a number, `2` with a word, `blade`", None),
        (every("price + sort > 3"), "patch-query", (4, 8), "this calculates with", None),
        (every("gun in sort"), "patch-query", (4, 15), "`in` looks into a list", "write `=`"),
        (every("count(price) > 1"), "patch-query", (4, 14), "no list", None),
        (every("price div 2 = 1"), "patch-query", (4, 8), "no printed field", "such as"),
        (every("price"), "patch-query", (4, 8), "neither true nor false", None),
        (every("3 + 1"), "patch-query", (4, 8), "no condition", "such as"),
        (every("price >"), "syntax", (4, 15), "expected a value", None),
        (every(">\n  price > 1\n  and heavy"), "unmappable-text", (4, 8), "", None),
        (every("sort = gun", "add: {damage: 1}", "except: [canon]"), "patch-matches-nothing", (5, 10),
         "there is no `canon` to be exempt", "did you mean `quarrel:weapon/cannon`?"),
        (every("sort = gun", "add: {damage: 1}", "except: [sword]"), "patch-matches-nothing", (5, 10),
         "is not of this class anyway", "take it out"),
        (every("sort = gun", "add: {damage: 1}", "except: [maker/old-forge]"), "patch-matches-nothing", (5, 10),
         "is no `weapon`", "take it out"),
        (every("sort = gun", "add: {damage: 1}", "except: [cannon, weapon/cannon]"), "bad-patch", (5, 18),
         "stands here twice", None),
        (every("heavy", "add: {damage: 1}", "except: [cannon]"), "patch-matches-nothing", (5, 9),
         "every `weapon` of this class is exempt", None),
        (patch("one", "every: weapn", "add: {damage: 1}"), "patch-matches-nothing", (3, 8), "there is no kind `weapn`",
         "did you mean `weapon`?"),
        (patch("one", "every: power", "set: {gloss: x}"), "patch-matches-nothing", (3, 8), "no `power` in", None),
        (patch("one", "every: patch", "set: {english: x}"), "patch-matches-nothing", (3, 8), "no kind `patch`", None),
        (patch("one", "every: weapon", "target: weapon/sword", "add: {damage: 1}"), "bad-patch", (3, 1),
         "this patch has one `target`", None),
        (patch("one", "target: weapon/sword", "where: heavy", "add: {damage: 1}"), "bad-patch", (4, 1),
         "`where` is", None),
        (patch("one", "add: {damage: 1}"), "bad-patch", (2, 5), "does not say what it changes", "`every:`"),
        (patch("one", "every: vocabulary", "disable: true"), "bad-patch", (4, 1), "every game needs", None),
        (every("", "set: {renamed_from: x}"), "bad-patch", (4, 7), "`renamed_from` of an item never changes", None),
        (every("", "add: {tags: 1}"), "patch-type", (4, 7), "(in `quarrel:weapon/dagger` and 5 more)", None),
        (every("", "scale: {price: 1/7}"), "patch-number", (4, 16), "(in `quarrel:weapon/dagger` and 4 more)", None),
        (every("", "set: {price: 5000}"), "out-of-range", (4, 14), "", None),
        (every("", "set: {sort: 3}"), "wrong-type", (4, 13), "", None),
    ],
)  # fmt: skip
def test_what_a_class_cannot_be(
    text: str, code: str, at: tuple[int, int], said: str, help: str | None
):
    _, found = tried({"p": text})
    assert [one.code for one in found] == [code], found
    assert (found[0].place.line, found[0].place.column) == at
    assert said in found[0].message
    assert help is None or help in str(found[0].help)


def test_each_part_of_a_condition_is_counted():
    _, [found] = tried({"p": every("sort = gun and damage > 40 and not heavy")})
    assert [note.message for note in found.notes] == [
        "`sort = gun` holds for 3 of them",
        "`damage > 40` holds for none of them",
        "`not heavy` holds for 5 of them",
    ]


@pytest.mark.parametrize("where", ["sort = beam", "sort = lazer", "sort = gun and damage > 40"])
def test_an_optional_class_may_be_empty(where: str):
    for word in ("true", "target"):
        assert tried({"p": every(where, "add: {damage: 1}", f"optional: {word}")})[1] == []
    assert errors(tried({"p": every(where, "add: {damage: 1}", "optional: after")})[1])


def test_an_optional_patch_may_exempt_nothing():
    content, found = tried(
        {"p": every("sort = gun", "add: {damage: 1}", "except: [laser]", "optional: target")}
    )
    assert found == []
    assert values(content, "damage")["pistol"] == 4


def test_a_broken_item_keeps_the_class_quiet():
    broken = "{kind: weapon, id: laser, title: Laser, price: much, damage: 3, sort: beam}\n"
    assert errors(tried({"p": every("sort = beam"), "q": broken})[1]) == ["wrong-type"]


# ----------------------------------------------------------------------------- beside other patches


def test_a_class_is_asked_of_what_is_printed():
    other = patch("other", "target: weapon/sword", "set: {price: 12}")
    content, found = tried({"p": every("price >= 10"), "q": other})
    assert values(content, "damage")["sword"] == 4
    [told] = found
    assert (told.severity, told.code) == ("warning", "class-as-printed")
    assert told.message == (
        "`quarrel:weapon/sword` is not in this class as printed, and would be after other patches"
    )
    assert told.notes[0].message == "`q:patch/other` changes `price` here"
    assert (
        tried({"p": every("price >= 10", "add: {damage: 1}", "except: [sword]"), "q": other})[1]
        == []
    )


def test_a_class_that_an_item_would_leave():
    other = patch("other", "target: weapon/carbine", "set: {price: 5}")
    content, found = tried({"p": every("price >= 10"), "q": other})
    assert values(content, "damage")["carbine"] == 6
    assert [one.code for one in found] == ["class-as-printed"]
    content, found = tried(
        {"p": every("price >= 10", "add: {damage: 1}", "except: [carbine]"), "q": other}
    )
    assert values(content, "damage")["carbine"] == 5
    assert found == []


def test_what_a_patch_does_to_its_own_class_is_no_news():
    assert tried({"p": every("price < 10", "add: {price: 50}")})[1] == []


def test_a_class_leaves_out_what_is_disabled():
    gone = patch("gone", "target: weapon/cannon", "disable: true")
    content, found = tried({"p": every("sort = gun"), "q": gone})
    assert found == []
    assert content is not None
    assert [item.name for item in content.disabled] == ["cannon"]
    content, found = tried({"p": every("heavy"), "q": gone})
    assert [one.code for one in found] == ["patch-matches-nothing"]
    assert "disable every item" in found[0].message
    assert tried({"p": every("heavy", "add: {damage: 1}", "optional: target"), "q": gone})[1] == []


def test_a_class_is_disabled():
    content, found = tried({"p": every("sort = gun", "disable: true", "except: [pistol]")})
    assert found == []
    assert content is not None
    assert {item.name for item in content.disabled} == {"carbine", "cannon"}


def test_two_patches_are_told_of_once_however_much_they_change():
    a = patch("a", "every: weapon", "where: sort = gun", "set: {price: 5, damage: 2}")
    b = patch("b", "every: weapon", "where: loud in tags", "set: {price: 6}", "add: {damage: 1}")
    _, found = tried({"p": a, "q": b})
    assert errors(found) == ["patch-conflict"]
    [conflict] = [one for one in found if one.code == "patch-conflict"]
    assert "two patches of `price` in `quarrel:weapon/carbine`" in conflict.message
    assert [note.message.partition(":")[0] for note in conflict.notes] == [
        "`p",
        "`damage` too",
        "likewise in `quarrel",
        "likewise in `quarrel",
    ]


# ---------------------------------------------------------------------------------- settled, merged


PRICES = (("a", "set: {price: 5}"), ("b", "set: {price: 8}"), ("c", "add: {price: 2}"))


def merged(*last: str, packs: int = 3) -> tuple[object, list[str]]:
    texts = {id: patch(id, "target: weapon/carbine", does) for id, does in PRICES[:packs]}
    content, found = tried(
        {**texts, "d": patch("d", "target: weapon/carbine", *last)} if last else texts
    )
    return values(content, "price")["carbine"], errors(found)


@pytest.mark.parametrize(
    ("lines", "packs", "becomes"),
    [
        (("merge: {price: highest}",), 2, 8),
        (("merge: {price: lowest}",), 2, 5),
        (("merge: {price: highest}",), 3, 10),  # 8, and then 2 more
        (("merge: {price: lowest}",), 3, 5),
        (("set: {price: 1}", "after: [a, b]"), 2, 1),
        (("set: {price: 1}", "after: [a, b, c]"), 3, 1),
        (
            ("add: {price: 1}", "after: [a, b]", "merge: {price: highest}"),
            2,
            None,
        ),  # it speaks for itself only
        (("set: {price: 20}", "merge: {price: highest}"), 0, 20),
    ],
)
def test_what_does_not_fit_is_settled_or_merged(
    lines: tuple[str, ...], packs: int, becomes: int | None
):
    price, wrong = merged(*lines, packs=packs)
    assert (price, wrong) == ((10, ["patch-conflict"]) if becomes is None else (becomes, []))


def test_a_patch_merges_its_own_changes():
    content, found = tried({
        "p": patch("p", "target: weapon/pistol", "set: {tags: [small, gilt]}", "merge: {tags: all}"),
        "q": patch("q", "target: weapon/pistol", "append: {tags: [rare]}"),
        "r": patch("r", "target: weapon/pistol", "remove: {tags: [loud]}", "optional: true", "after: [p]"),
    })  # fmt: skip
    # `remove` finds nothing to remove behind `set`, so nothing is merged, and that is said.
    assert errors(found) == ["patch-matches-nothing"]
    content, found = tried({
        "p": patch("p", "target: weapon/pistol", "set: {tags: [small, gilt]}", "merge: {tags: all}"),
        "q": patch("q", "target: weapon/pistol", "append: {tags: [rare]}"),
    })  # fmt: skip
    assert found == []
    assert set(values(content, "tags")["pistol"]) == {"small", "gilt", "rare"}  # type: ignore[call-overload]


def test_what_lists_have_in_common():
    content, found = tried({
        "p": patch("p", "target: weapon/pistol", "set: {tags: [small, gilt]}"),
        "q": patch("q", "target: weapon/pistol", "set: {tags: [gilt, rare]}"),
        "r": patch("r", "target: weapon/pistol", "merge: {tags: common}"),
    })  # fmt: skip
    assert found == []
    assert values(content, "tags")["pistol"] == ["gilt"]


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        (
            ("merge: {title: highest}", "set: {title: Gun}"),
            "patch-type",
            "merges numbers, and `title` is not one",
        ),
        (
            ("merge: {price: all}", "set: {price: 9}"),
            "patch-type",
            "`all` merges lists, and `price` is not one",
        ),
        (("merge: {prize: highest}",), "patch-unknown-field", "no field `prize`"),
        (("merge: {price: mean}",), "not-a-choice", "mean"),
        (
            ("merge: {weight: highest}",),
            "patch-matches-nothing",
            "no two patches of this need to be merged",
        ),
        (("merge: {price: highest}", "disable: true"), "bad-patch", "changes nothing else"),
    ],
)
def test_what_cannot_be_merged(lines: tuple[str, ...], code: str, said: str):
    other = patch("other", "target: weapon/carbine", "set: {title: Rifle, price: 11}")
    _, found = tried({"p": patch("one", "target: weapon/carbine", *lines), "q": other})
    assert code in errors(found)
    assert any(said in one.message for one in found)


def test_two_that_merge_differently():
    a = patch("a", "target: weapon/carbine", "set: {price: 5}", "merge: {price: highest}")
    b = patch("b", "target: weapon/carbine", "set: {price: 8}", "merge: {price: lowest}")
    _, [found] = tried({"p": a, "q": b})
    assert (found.code, found.message) == (
        "patch-conflict",
        "`price` is merged as `lowest` here, and as `highest` by `p:patch/a`",
    )


def test_merging_has_an_end():
    texts = {
        f"p{n}": patch(f"p{n}", "target: weapon/carbine", f"set: {{price: {n}}}") for n in range(7)
    }
    one = patch("all", "target: weapon/carbine", "merge: {price: highest}")
    _, [found] = tried({**texts, "q": one})
    assert (found.code, found.help) == ("patch-conflict", "say `after:` in some of them")


@pytest.mark.parametrize(("module", "name"), [(apply, "MAX_CHANGES"), (select, "MAX_ASKED")])
def test_there_is_an_end_to_classes(module: object, name: str, monkeypatch: pytest.MonkeyPatch):
    text = "\n".join(
        f"- {{kind: patch, id: p{n}, every: weapon, add: {{price: 1}}}}" for n in range(4)
    )
    monkeypatch.setattr(module, name, 24)
    assert tried({"p": text})[1] == []
    monkeypatch.setattr(module, name, 23)
    _, [found] = tried({"p": text})
    assert found.code == "too-many-patches"


# ---------------------------------------------------------------------------------- why


GNOSTICA = "kind: pack\nid: {}\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    a = patch("a", "target: setting/space_limit", "add: {value: 2}")
    b = patch("b", "target: setting/space_limit", "scale: {value: 2}", "after: [a]")
    c = patch("c", "every: major", "where: id = sun", "append: {clauses: [house.sun]}")
    d = patch("d", "target: major/hanged-man", "disable: true")
    for folder in put(tmp_path, {"p": a, "q": b, "r": c, "s": d}):
        (folder / "pack.yaml").write_text(GNOSTICA.format(folder.name))
    monkeypatch.chdir(tmp_path)
    return tmp_path


PACKS = ("--pack", "p", "--pack", "q", "--pack", "r", "--pack", "s")


@pytest.mark.parametrize(
    "name", ["gnostica:setting/space_limit", "setting/space_limit", "space_limit"]
)
def test_why_a_field_is_what_it_is(name: str, tables: Path):
    done = call("why", f"{name}.value", *PACKS)
    assert (done.code, done.err) == (0, "")
    head, printed, *steps = done.out.splitlines()
    assert head == "gnostica:setting/space_limit.value = 10"
    assert printed.split()[:3] == ["as", "printed", "3"]
    assert [line.split() for line in steps] == [
        ["p:patch/a", "+2", "->", "5", "p/items.yaml:4"],
        ["q:patch/b", "x", "2", "->", "10", "q/items.yaml:4"],
    ]
    assert call("why", "p", f"{name}.value", *PACKS[2:]).out == done.out


def test_why_of_a_whole_item(tables: Path):
    out = call("why", "gnostica", "major/sun", *PACKS).out
    assert "gnostica:major/sun.clauses = " in out
    assert "r:patch/c" in out
    assert (
        call("why", "gnostica", "major/moon", *PACKS).out == "no patch changes any of its fields\n"
    )
    gone = call("why", "gnostica", "hanged-man", *PACKS[6:]).err
    assert "there is no stat, measure, rule or table" in gone
    assert call("why", "major/hanged-man", *PACKS).out == (
        "gnostica:major/hanged-man is out of the game, disabled by\n  s:patch/d  s/items.yaml:2\n"
    )


@pytest.mark.parametrize(
    ("words", "said", "help"),
    [
        (
            ("setting/space_limt.value", "--pack", "p"),
            "no item `setting/space_limt`",
            "`setting/space_limit`",
        ),
        (
            ("setting/space_limit.valu", "--pack", "p"),
            "has no field `valu`",
            "did you mean `value`?",
        ),
        (
            ("setting/space_limit.value",),
            "which pack is `setting/space_limit.value` in?",
            "--pack DIR",
        ),
        (("p",), "what number?", 'write its name behind the file: "p PR"'),
    ],
)
def test_why_is_asked_wrongly(words: tuple[str, ...], said: str, help: str, tables: Path):
    done = call("why", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert help in done.err


def test_why_of_packs_that_do_not_fit(tables: Path):
    put(tables, {"t": patch("t", "target: setting/space_limit", "set: {value: 1}")})
    (tables / "t" / "pack.yaml").write_text(GNOSTICA.format("t"))
    done = call("why", "setting/space_limit.value", "--pack", "p", "--pack", "t")
    assert done.code == 1
    assert "error[patch-conflict]" in done.out


def test_why_as_data(tables: Path):
    out = call("why", "setting/space_limit.value", "--pack", "p", "--format", "json").out
    assert '"printed": 3' in out
    assert '"by": "p:patch/a"' in out


def test_fractions_are_added_and_scaled(tmp_path: Path):
    text = "- {kind: patch, id: a, target: setting/discount, add: {value: -1/8}}\n"
    text += "- {kind: patch, id: b, target: setting/discount, scale: {value: 1.5}, after: [a]}\n"
    content, found = read(*put(tmp_path, {"p": text}))
    assert found == []
    assert values(content, "value", "setting")["discount"] == "3/16"

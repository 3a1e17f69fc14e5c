"""Packs: how they are found, what they require, what may lie in their folders, and what is read
from them."""

from __future__ import annotations

import os
import shutil
from itertools import permutations
from pathlib import Path

import pytest

from ruleloom.compiler.packs import walk
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.manifest import RangeError, allows, read_range, read_version
from tests.support.pack_examples import GAME, fingerprint, manifest, read, setting, write
from tests.support.stopwatch import within


def codes(found) -> list[str]:
    """Return the codes of diagnostics."""
    return [one.code for one in found]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a folder with the invented game in it."""
    write(tmp_path, GAME)
    return tmp_path


# ------------------------------------------------------------------------------ finding packs


@pytest.mark.parametrize("argument", ["inn", "inn/settings.yaml", "inn/pack.yaml", "."])
def test_a_pack_is_named_by_its_folder_a_file_in_it_or_a_folder_above(game, argument, monkeypatch):
    monkeypatch.chdir(game)
    content, found = read(Path(argument))
    assert found == []
    assert content is not None
    assert [item.id for item in content.items] == [
        "inn:fusion/friends",
        "inn:setting/guests",
        "inn:setting/beds",
        "inn:vocabulary/vocabulary",
    ]
    assert content.packs[0].manifest.data("game") == "inn"
    assert "inn/settings.yaml" in content.sources


def test_from_inside_the_folder_files_go_by_their_own_names(game, monkeypatch):
    monkeypatch.chdir(game / "inn")
    content, found = read(Path("settings.yaml"))
    assert found == []
    assert set(content.sources) == {"friends.yaml", "pack.yaml", "settings.yaml", "vocabulary.yaml"}
    place = content.by_kind("setting")[1].place
    assert (place.path, place.line) == ("settings.yaml", 2)
    assert content.origin(place).path == "settings.yaml"


def test_the_same_pack_named_twice_is_read_once(game):
    content, found = read(game / "inn", game / "inn" / "settings.yaml", game)
    assert found == []
    assert len(content.packs) == 1


def test_a_shipped_pack_goes_by_its_id(game, tmp_path):
    content, found = read(Path("inn"), builtin=game)
    assert found == []
    assert content.game == "inn"


def test_a_required_pack_is_pulled_in_from_the_shipped_ones(game, tmp_path):
    shipped = tmp_path / "shipped"
    shutil.move(game / "inn", shipped / "inn")
    write(tmp_path, {"house/pack.yaml": manifest("house", "requires: {inn: ^1.0}")})
    content, found = read(tmp_path / "house", builtin=shipped)
    assert found == []
    assert [pack.id for pack in content.packs] == ["inn", "house"]
    assert content.packs[1].needs == ("inn",)
    assert content.packs[1].manifest.data("requires") == {"inn": "^1.0"}


def test_files_of_a_shipped_pack_are_shown_in_short(game, tmp_path, monkeypatch):
    """From elsewhere by the pack's id; from above by the way there; and in full beside a folder of
    that name."""
    shipped, away = tmp_path / "shipped", tmp_path / "away"
    shutil.move(game / "inn", shipped / "inn")
    away.mkdir()
    monkeypatch.chdir(away)
    assert "inn/settings.yaml" in read(Path("inn"), builtin=shipped)[0].sources
    (away / "inn").mkdir()
    assert (
        f"{shipped.as_posix()}/inn/settings.yaml" in read(Path("inn"), builtin=shipped)[0].sources
    )
    monkeypatch.chdir(tmp_path)
    assert "shipped/inn/settings.yaml" in read(Path("inn"), builtin=shipped)[0].sources


def test_every_shipped_pack_lies_in_a_folder_of_its_name():
    for path in BUILTIN.glob("*/pack.yaml"):
        assert f"\nid: {path.parent.name}\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "argument", "code", "words"),
    [
        ({}, "nothing-here", "no-such-path", "no file, folder or shipped pack"),
        ({"empty/x": ""}, "empty/y.yaml", "no-such-path", "no file"),
        ({"notes.txt": "hello"}, "notes.txt", "no-pack", "not YAML"),
        ({"some/cards.yaml": setting("beds")}, "some", "no-pack", "no `pack.yaml`"),
        ({"some/cards.yaml": setting("beds")}, "some/cards.yaml", "no-pack", "lies in no pack"),
        ({"some/pack.yml": manifest("inn")}, "some", "no-pack", "a manifest is called `pack.yaml`"),
    ],
)
def test_what_is_no_pack_is_said_plainly(tmp_path, files, argument, code, words):
    write(tmp_path, files)
    content, found = read(tmp_path / argument)
    assert content is None
    assert codes(found) == [code]
    assert words in found[0].message
    if code == "no-pack":
        assert "kind: pack" in str(found[0].help)


def test_an_empty_folder_is_called_empty(tmp_path):
    assert "empty" in read(tmp_path)[1][0].message


def test_a_misspelt_shipped_pack_is_recognised(game):
    _, found = read(Path("in"), builtin=game)
    assert found[0].help == "did you mean `inn`?"


def test_a_binary_file_is_refused(game, tmp_path):
    (game / "inn" / "cards.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    content, found = read(game / "inn")
    assert codes(found) == ["not-utf8"]
    assert content.complete is False
    alone = tmp_path / "alone" / "cards.yaml"
    alone.parent.mkdir()
    alone.write_bytes(b"\0\0\0")
    assert codes(read(alone)[1]) == ["control-character"]


def test_nothing_named_is_nothing_read():
    assert read() == (None, [])


# ------------------------------------------------------------------------------ manifests


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-manifest"),
        ("# nothing\n", "bad-manifest"),
        ("- 1\n", "bad-manifest"),
        ("[" * 100, "nested-too-deep"),
        ("kind: pack\n", "missing-field"),
        (manifest("inn", "colour: red"), "unknown-field"),
        (manifest("Inn"), "bad-id"),
        (manifest("inn", version="1"), "wrong-type"),
        (manifest("inn", version="one"), "bad-version"),
        (manifest("inn", version="1." * 40 + "0" * 60), "too-long"),
        (manifest("inn", "requires: {inn: '*'}"), "pack-cycle"),
    ],
)
def test_a_bad_manifest_is_told_once_and_nothing_else_is(tmp_path, text, code):
    write(tmp_path, GAME | {"inn/pack.yaml": text, "inn/broken.yaml": "kind: nonsense\n"})
    content, found = read(tmp_path)
    assert content is None
    assert set(codes(found)) == {code}


def test_a_slip_in_the_kind_of_a_manifest_is_told_as_one(game):
    write(game, {"inn/pack.yaml": manifest("inn").replace("kind: pack", "kind: pcak")})
    _, found = read(game)
    assert [(one.code, one.place.line, one.help) for one in found] == [
        ("bad-manifest", 1, "did you mean `pack`?")
    ]


def test_a_field_of_the_manifest_below_switches_is_told_where_it_belongs(game):
    text = manifest("house", "switches:\n  rain: wet\n  authors: [somebody]")
    write(game, {"house/pack.yaml": text})
    _, found = read(game)
    [one] = found
    assert one.code == "bad-indentation"
    message = "`authors` does not belong below `switches`, but further left"
    assert one.message == message
    line = 1 + text.splitlines().index("  authors: [somebody]")
    assert (one.place.line, one.place.column, one.help) == (line, 3, "indent it less")


def test_manifests_are_checked_before_content(game):
    write(
        game,
        {
            "inn/broken.yaml": "kind: nonsense\n",
            "house/pack.yaml": manifest("house", "requires: {in: '*'}"),
        },
    )
    _, found = read(game)
    assert codes(found) == ["missing-pack"]
    assert found[0].help == "did you mean `inn`?"


def test_a_wrong_version_shows_both(game):
    write(game, {"house/pack.yaml": manifest("house", "requires: {inn: '>=1.1'}")})
    _, found = read(game)
    assert found[0].message == "`inn` is wanted in version `>=1.1`, and version 1.0.0 is found"
    assert found[0].place.line == 6
    assert found[0].notes[0].place.path.endswith("inn/pack.yaml")


def test_a_circle_is_told_once_with_its_path(game):
    for id, other in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")):
        write(game, {f"{id}/pack.yaml": manifest(id, f"requires: {{{other}: '*'}}")})
    _, found = read(game)
    assert [one.message for one in found] == [
        "packs require each other in a circle: a -> b -> c -> a"
    ]
    assert len(found[0].notes) == 2


def test_a_pack_for_a_pack_that_is_no_game(game):
    write(
        game,
        {
            "house/pack.yaml": manifest("house"),
            "roof/pack.yaml": manifest("roof", game="house"),
        },
    )
    _, found = read(game)
    assert [(one.code, one.help) for one in found] == [("unknown-game", "write `game: inn`")]


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        (">=1.0", "1.0 1.0.0 2.5 2.0.0-rc.1", "0.9 1.0.0-beta.1"),
        (">=1.0,<2", "1.9.9", "2.0 2.0.0-rc.1"),
        ("==1.2.*", "1.2.0 1.2.9", "1.3"),
        ("~=1.2", "1.2 1.9", "2.0 1.1"),
        ("^1.2", "1.2.0 1.9.9", "1.1.9 2.0.0"),
        ("^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4 0.0.2"),
        ("^0", "0.0.1 0.9", "1.0"),
        ("^0.0", "0.0.9", "0.1"),
        ("~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"),
        ("~1.2", "1.2.0", "1.3.0"),
        ("~1", "1.0 1.9", "2.0"),
        ("^1.2, !=1.3.0", "1.2 1.4", "1.3.0"),
        ("*", "0.0.1 9.9", ""),
    ],
)
def test_ranges(text, yes, no):
    def fits(version: str) -> bool:
        read_as = read_version(version)
        assert read_as is not None
        return allows(read_range(text), read_as)

    assert all(fits(version) for version in yes.split())
    assert not any(fits(version) for version in no.split())


@pytest.mark.parametrize(
    "text", ["", "1.0", "=1.0", "===1.0", "^x", ">=", "latest", ">=1.0 <2.0", "1.x", "9" * 200, ","]
)
def test_what_is_no_range_comes_with_advice(text):
    with pytest.raises(RangeError) as caught:
        read_range(text)
    assert "`" in caught.value.help


def test_versions_of_absurd_length_are_none():
    assert read_version("9" * 5000) is None
    assert read_version("1." * 5000) is None


# ------------------------------------------------------------------------------ content


def test_the_order_of_packs_and_files_never_matters(game):
    for id, other in (("zoo", "inn"), ("attic", "zoo"), ("barn", "inn")):
        write(
            game,
            {
                f"{id}/pack.yaml": manifest(id, f"requires: {{{other}: '*'}}"),
                f"{id}/more.yaml": setting(f"{id}_seats"),
            },
        )
    prints = set()
    for order in permutations(["inn", "zoo", "attic", "barn"]):
        content, found = read(*(game / name for name in order))
        assert found == []
        assert [pack.id for pack in content.packs] == ["inn", "barn", "zoo", "attic"]
        prints.add(fingerprint(content))
    assert len(prints) == 1


def test_the_hash_covers_names_and_texts_and_nothing_else(game):
    def hash() -> str:
        return read(game / "inn")[0].packs[0].hash

    first = hash()
    assert len(first) == 64
    (game / "inn" / "README.md").write_text("hello")
    (game / "inn" / "old.yaml.bak").write_text("[[[")
    (game / "inn" / ".draft").mkdir()
    (game / "inn" / ".draft" / "cards.yaml").write_text("[[[")
    assert hash() == first
    text = (game / "inn" / "settings.yaml").read_bytes()
    (game / "inn" / "settings.yaml").write_bytes(text.replace(b"\n", b"\r\n"))
    assert hash() == first, "line ends that a checkout may change do not count"
    (game / "inn" / "settings.yaml").write_bytes(text + b"# more\n")
    second = hash()
    (game / "inn" / "settings.yaml").rename(game / "inn" / "sittings.yaml")
    assert len({first, second, hash()}) == 3


def test_a_broken_item_leaves_its_neighbours_and_poisons_its_name(game):
    bad = "- {kind: setting, id: big-rooms, value: 3}\n" + setting("small_rooms")
    write(
        game,
        {"inn/rooms.yaml": bad, "inn/torn.yaml": "- kind: setting\n  id: cellar-key\n  value: [\n"},
    )
    content, found = read(game)
    assert "missing-field" in codes(found)
    assert {item.name for item in content.by_kind("setting")} == {"guests", "beds", "small_rooms"}
    assert content.poisoned.names >= {"big_rooms", "cellar_key"}
    assert "setting" in content.poisoned.kinds
    assert not content.poisoned.names & {"small_rooms", "guests"}
    assert "power" not in content.poisoned.kinds
    assert not content.poisoned.anything
    assert content.complete is False


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("kind: seting\nid: x\n", "unknown-kind"),
        ("kind: []\n", "wrong-type"),
        ("- kind: [pack]\n", "wrong-type"),
        ("id: x\n", "missing-kind"),
        ("just words\n", "not-an-item"),
    ],
)
def test_what_is_no_item_of_a_known_kind_is_an_error(game, text, code):
    write(game, {"inn/x.yaml": text})
    assert codes(read(game)[1]) == [code]


def test_a_second_item_of_a_name_is_shown_with_the_first(game):
    write(game, {"inn/more.yaml": setting("beds")})
    content, found = read(game)
    assert codes(found) == ["duplicate-id"]
    assert found[0].place.path.endswith("inn/settings.yaml")
    assert found[0].notes[0].place.path.endswith("inn/more.yaml")
    assert len(content.by_kind("setting")) == 2


def test_scenarios_are_set_aside(game):
    write(
        game,
        {
            "inn/scenarios/a.yaml": "kind: scenarios\ncases: []\n",
            "inn/scenarios/b.yaml": "- {id: a.b, rule: words, example: {when: words}}\n- {id: a.c}\n",
            "inn/scenarios/c.yaml": "cases: []\n",
            "inn/wrong.yaml": "- kind: scenarios\n  cases: []\n",
        },
    )
    content, found = read(game)
    assert codes(found) == ["misplaced-item"]
    assert [content.files[path][1] for path in content.scenarios] == [
        f"scenarios/{x}.yaml" for x in "abc"
    ]


def test_switches_of_packs(game):
    menu = "kind: switch\nid: supper\noptions: {early: six, late: nine}\ndefault: early\nenglish: when\n"
    write(
        game,
        {
            "inn/supper.yaml": menu,
            "a/pack.yaml": manifest("a", "switches: {supper: late}"),
            "b/pack.yaml": manifest("b", "switches: {supper: early}"),
        },
    )
    content, found = read(game / "inn", game / "a")
    assert (found, content.switches) == ([], {"supper": "late"})
    assert codes(read(game)[1]) == ["switch-conflict"]
    write(
        game,
        {"c/pack.yaml": manifest("c", "switches: {supper: late}", "requires: {a: '*', b: '*'}")},
    )
    content, found = read(game)
    assert (found, content.switches) == ([], {"supper": "late"})


def values(content) -> dict[str, object]:
    return {item.name: item.data("value") for item in content.by_kind("setting")}


def test_settings_of_packs(game):
    write(
        game,
        {
            "a/pack.yaml": manifest("a", "settings: {guests: 7}"),
            "b/pack.yaml": manifest("b", "settings: {guests: 8}"),
        },
    )
    content, found = read(game / "inn", game / "a")
    assert (found, values(content)) == ([], {"guests": 7, "beds": 6})
    [conflict] = read(game)[1]
    assert (conflict.code, conflict.place.path[-11:], conflict.place.line) == (
        "setting-conflict",
        "b/pack.yaml",
        6,
    )
    assert conflict.notes[0].place.path.endswith("a/pack.yaml")
    write(
        game, {"c/pack.yaml": manifest("c", "settings: {guests: 9}", "requires: {a: '*', b: '*'}")}
    )
    content, found = read(game)
    assert (found, values(content)["guests"]) == ([], 9)


def test_a_setting_of_a_pack_stands_whatever_patches_do(game):
    patch = "kind: patch\nid: more\ntarget: setting/guests\nadd: {value: 1}\n"
    write(game, {"a/pack.yaml": manifest("a", "settings: {guests: 7}"), "a/more.yaml": patch})
    content, found = read(game)
    assert (found, values(content)["guests"]) == ([], 7)
    steps = content.history["inn:setting/guests", "value"]
    assert [(step.op, step.old, step.new, step.pack) for step in steps] == [
        ("add", 4, 5, "a"),
        ("settings", 5, 7, "a"),
    ]
    assert fingerprint(content) != fingerprint(read(game / "inn")[0])


def test_a_slip_in_a_setting_of_a_pack_is_told_where_it_stands(game):
    write(game, {"a/pack.yaml": manifest("a", "settings: {gests: 7}")})
    [slip] = read(game)[1]
    assert (slip.code, slip.help) == ("unknown-setting", "did you mean `guests`?")
    assert (slip.place.line, slip.place.column, slip.place.end_column) == (6, 12, 17)
    write(game, {"a/pack.yaml": manifest("a", "settings: {guests: true}")})
    [slip] = read(game)[1]
    assert (slip.code, slip.message) == ("type-mismatch", "the value of `guests` must be a number")
    assert (slip.place.line, slip.place.column) == (6, 20)


# ------------------------------------------------------------------------------ hostile folders


def test_links_are_never_followed(game, tmp_path):
    inn = game / "inn"
    (inn / "loop").symlink_to(inn, target_is_directory=True)
    (inn / "out").symlink_to("/", target_is_directory=True)
    (inn / "device.yaml").symlink_to("/dev/zero")
    (inn / "gone.yaml").symlink_to(inn / "nothing")
    (inn / "beside.yaml").symlink_to(inn / "settings.yaml")
    (inn / "picture.png").symlink_to("/dev/zero")
    _, found = read(game)
    assert set(codes(found)) == {"unreadable-file"}
    assert [Path(one.place.path).name for one in found] == [
        "beside.yaml",
        "device.yaml",
        "gone.yaml",
        "loop",
        "out",
    ]


def test_the_lock_of_a_file_that_emacs_changes_is_left_alone(game):
    (game / "inn" / ".#settings.yaml").symlink_to("somebody@somewhere.1234:1")
    assert codes(read(game)[1]) == []


def test_a_pipe_does_not_wait(game):
    os.mkfifo(game / "inn" / "pipe.yaml")
    os.mkfifo(game / "inn" / "pipe.txt")
    assert codes(read(game)[1]) == ["unreadable-file"]
    assert codes(read(game / "inn" / "pipe.txt")[1]) == ["no-pack"]


def test_names_that_are_no_text(game):
    for name in (b"caf\xe9/a\xff.yaml", b"new\nline.yaml"):
        path = game / "inn" / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text("kind: nonsense\n")
    content, found = read(game)
    assert codes(found) == ["unknown-kind", "unknown-kind"]
    assert {content.files[one.place.path][1] for one in found} == {
        "caf\\xe9/a\\xff.yaml",
        "new\nline.yaml",
    }
    assert len(content.packs[0].hash) == 64


def test_code_in_a_pack_is_never_run(game):
    for name in ("conftest.py", "sitecustomize.py", "yaml.py", "__init__.py"):
        write(game, {f"inn/{name}": "raise SystemExit('run')\n"})
    assert read(game)[1] == []


def test_a_path_with_a_zero_byte():
    assert codes(read(Path("a\0b"))[1]) == ["no-such-path"]


def test_a_manifest_that_is_a_link_or_a_folder(tmp_path):
    write(tmp_path, {"real.txt": manifest("inn"), "b/pack.yaml/x.txt": ""})
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "pack.yaml").symlink_to(tmp_path / "real.txt")
    assert codes(read(tmp_path / "a")[1]) == ["unreadable-file"]
    assert codes(read(tmp_path / "b")[1]) == ["no-pack"]


def test_many_files_are_walked_quickly_and_more_than_the_cap_refused(game, monkeypatch):
    folder = game / "inn" / "many"
    folder.mkdir()
    for number in range(2_000):
        (folder / f"{number}.txt").touch()
    with within(0.4):
        assert read(game)[1] == []
    there = sum(1 for _ in (game / "inn").rglob("*"))
    monkeypatch.setattr(walk, "MAX_FILES", there)
    assert read(game)[1] == []
    monkeypatch.setattr(walk, "MAX_FILES", there - 1)
    assert codes(read(game)[1]) == ["pack-too-big"]


def test_too_many_bytes_are_refused_before_they_are_read(game):
    for number in range(40):
        with (game / "inn" / f"{number}.yaml").open("wb") as file:
            file.truncate(2 * 1024 * 1024)
    with within(1):
        assert codes(read(game)[1]) == ["pack-too-big"]


def test_deep_folders(game):
    path = game / "inn"
    for _ in range(300):
        path = path / "d"
        path.mkdir()
    (path / "x.yaml").write_text("kind: nonsense\n")
    assert codes(read(game)[1]) == ["unknown-kind"]


def test_reading_writes_nothing(game):
    before = sorted((path, path.stat().st_mtime_ns) for path in game.rglob("*"))
    read(game)
    assert sorted((path, path.stat().st_mtime_ns) for path in game.rglob("*")) == before


def test_a_thousand_small_files(game):
    for number in range(1_000):
        (game / "inn" / f"item{number:04}.yaml").write_text(
            setting(f"item_{number}").removeprefix("- ")
        )
    with within(1.5):
        content, found = read(game)
    assert found == []
    assert len(content.items) == 1_004

"""What an editor asks about sound packs: meanings, uses, renaming, actions, hints, colours, odds."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from lsprotocol.types import CodeLens, Hover, MarkupContent

from ruleloom.compiler.analysis.yaml_cursor import edited
from ruleloom.editor.annotations import NAME_CLAIM, document_symbols, effect_tokens, hints, lenses
from ruleloom.editor.code_actions import actions
from ruleloom.editor.navigation import RenameRefused, definitions, hover, references, rename
from ruleloom.editor.project import PackGroup, Project, Workspace, game_of_text, reference_of
from ruleloom.editor.scenario_runs import named_claim, new_case, run_cases
from ruleloom.reference.reference_pages import site_of
from ruleloom.runtime.program.faults import Refused
from tests.conftest import ROOT
from tests.support.lsp_client import EDITING

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
GALE = """\
- kind: major
  id: gale
  title: Gale
  number: 39
  effect: |
    choose minion from minions
    roll wind = 3d6
    if wind >= 12: face(minion, up)
"""

LEDGER = """\
- kind: clause
  id: gale.roll
  words: "A gale turns a minion up on 12 or more"
"""


def opened(name: str, text: str) -> tuple[Workspace, Project, str]:
    """The example pack in an editor, with one more file that nobody has saved."""
    workspace = Workspace(EDITING)
    path = os.path.realpath(RIVER / name)
    workspace.texts[path] = text
    group = workspace.group_of(path)
    assert group == PackGroup((os.path.realpath(RIVER),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    return workspace, Project(snapshot, group, workspace.texts), path


def told(project: Project, path: str, words: str) -> str:
    """What hover tells at the `|` in some words."""
    found = hover(project, path, at(project, path, words))
    return markdown_of(found) if found is not None else ""


def markdown_of(found: Hover) -> str:
    """The text of a hover."""
    assert isinstance(found.contents, MarkupContent)
    return found.contents.value


def titles(found: Iterable[CodeLens]) -> list[str]:
    """What some lines above items say."""
    return [one.command.title for one in found if one.command is not None]


def at(project: Project, path: str, words: str) -> int:
    before, _, after = words.partition("|")
    return project.text(path).index(before + after) + len(before)


def test_a_new_file_that_was_never_right_is_known_by_its_name():
    """Packs are sound before it is there; its first mistake has a place, and can be mended."""
    workspace, _, _ = opened("cards.yaml", (RIVER / "cards.yaml").read_text(encoding="utf-8"))
    path = os.path.realpath(RIVER / "gale.yaml")
    workspace.texts[path] = GALE.replace("face(", "fce(")
    group = workspace.group_of(path)
    assert group is not None
    snapshot = workspace.check(group)
    assert snapshot is not None
    (found,) = snapshot.findings
    assert found.message.startswith("there is no operation `fce`")
    assert snapshot.real_path(found.place.path) == path
    assert snapshot.shown[path] == found.place.path
    project = Project(snapshot, group, workspace.texts)
    mending = actions(project, path, 0, 0, snapshot.findings)
    assert [one.title for one in mending[:2]] == ["write `face`", "apply all fixes of one word in this file"]  # fmt: skip


def test_hover_tells_exact_odds():
    _, project, path = opened("gale.yaml", GALE)
    dice = told(project, path, "wind = 3|d6")
    assert dice.startswith("`3d6`, 10 1/2 on average")
    assert "     10   12.5%" in dice
    condition = told(project, path, "wind |>= 12")
    assert "yes   37.5%" in condition
    assert "no   62.5%" in condition


def test_hover_tells_types_fields_and_kinds():
    _, project, path = opened("gale.yaml", GALE)
    assert "type `Piece`" in told(project, path, "face(min|ion")
    assert "**number**" in told(project, path, "num|ber: 39")
    assert "operation face(piece: Piece, way: Facing)" in told(project, path, "fa|ce(minion")


def test_hints_say_averages_and_who_is_asked():
    _, project, path = opened("gale.yaml", GALE)
    found = [one.label for one in hints(project, path, 0, len(GALE))]
    assert found == [" (me)", " average 10 1/2"]


def test_colours_follow_meanings():
    _, project, path = opened("gale.yaml", GALE)
    found = {GALE[one.start : one.end]: one.name for one in effect_tokens(project.names(path))}
    assert found["choose"] == "keyword"
    assert found["wind"] == "variable"
    assert found["face"] == "function"
    assert found["up"] == "enumMember"
    assert found["3d6"] == "number"


def test_names_lead_to_their_declarations_and_back():
    _, project, path = opened("gale.yaml", GALE)
    (spot,) = definitions(project, path, at(project, path, "if wi|nd"))
    assert GALE[spot.start : spot.end] == "wind"
    assert spot.start == GALE.index("wind = 3d6")
    (spot,) = definitions(project, path, at(project, path, "fa|ce(minion"))
    assert spot.path.endswith("gnostica/vocabulary.yaml")
    assert len(references(project, path, at(project, path, "roll wi|nd"))) == 2


def test_a_variable_is_renamed_in_its_text_alone():
    workspace, project, path = opened("gale.yaml", GALE)
    edits = rename(workspace, project, path, at(project, path, "roll wi|nd"), "gust")
    assert edited(GALE, list(edits[path])) == GALE.replace("wind", "gust")


def test_an_item_is_renamed_in_the_one_that_is_like_it():
    text = f"{GALE}- {{kind: major, id: squall, title: Squall, number: 40, like: gale}}\n"
    workspace, project, path = opened("gale.yaml", text)
    assert not project.snapshot.result.diagnostics
    (spot,) = definitions(project, path, at(project, path, "like: ga|le"))
    assert text[spot.start : spot.end] == "gale"
    edits = rename(workspace, project, path, at(project, path, "id: ga|le"), "storm")
    changed = edited(text, list(edits[path]))
    assert "like: storm" in changed
    assert "renamed_from: gale" in changed


def test_names_in_what_differs_and_in_a_family_are_known_and_no_member_is_renamed():
    text = (
        f"{GALE}- kind: major\n  id: squall\n  title: Squall\n  number: 40\n  like: gale\n"
        "  but:\n    append: {effect: use power of south_wind}\n"
        "- kind: major\n  id: <each>-wind\n  title: <Each>\n  number: <n>\n"
        "  for: {north: {n: 41}, south: {n: 42}}\n  effect: use power of gale\n"
        "- {kind: major, id: calm, title: Calm, number: 43, effect: use power of north_wind}\n"
    )
    workspace, project, path = opened("gale.yaml", text)
    assert not project.snapshot.result.diagnostics
    for name in ("power of north|_wind", "power of south|_wind"):
        (spot,) = definitions(project, path, at(project, path, name))
        assert text[spot.start : spot.end] == name.split()[-1].split("|")[0]
        with pytest.raises(RenameRefused, match="of a family"):
            rename(workspace, project, path, at(project, path, name), "gust")
    edits = rename(workspace, project, path, at(project, path, "like: ga|le"), "storm")
    assert edited(text, list(edits[path])).count("use power of storm") == 1


def test_what_would_break_something_is_not_renamed():
    workspace, project, path = opened("gale.yaml", GALE)
    place = at(project, path, "roll wi|nd")
    with pytest.raises(RenameRefused, match="already means something"):
        rename(workspace, project, path, place, "minion")
    with pytest.raises(RenameRefused, match="declared in a vocabulary"):
        rename(workspace, project, path, at(project, path, "fa|ce(minion"), "look_at")
    with pytest.raises(RenameRefused, match="a word of the language"):
        rename(workspace, project, path, place, "choose")


def test_a_clause_is_renamed_to_what_a_clause_can_be_called():
    text = f"{LEDGER}{GALE}"
    workspace, project, path = opened("gale.yaml", text)
    assert not project.snapshot.result.diagnostics
    place = at(project, path, "id: gale.ro|ll")
    with pytest.raises(RenameRefused, match="`gust_roll` cannot be an id of kind clause"):
        rename(workspace, project, path, place, "gust_roll")
    edits = rename(workspace, project, path, place, "gale.throw")
    kept = "id: gale.throw\n  renamed_from: gale.roll\n"
    assert edited(text, list(edits[path])) == text.replace("id: gale.roll\n", kept)


def homebrew_on(folder: Path, name: str, needed: str, text: str) -> str:
    """A pack of one file that requires another one; the path of the file."""
    (folder / name).mkdir()
    (folder / name / "pack.yaml").write_text(
        f"kind: pack\nid: {name}\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
        f'requires: {{{needed}: ">=0.1"}}\n'
    )
    (folder / name / "gale.yaml").write_text(text)
    return os.path.realpath(folder / name / "gale.yaml")


def test_an_item_is_renamed_in_all_packs_that_are_checked_with_its_own(tmp_path):
    shutil.copytree(RIVER, tmp_path / "river-folk")
    text = GALE.replace("face(minion, up)", "use cross")
    gales = [homebrew_on(tmp_path, name, "river-folk", text) for name in ("on-top", "elsewhere")]
    (tmp_path / "ruleloom.toml").write_text(
        '[[together]]\npacks = ["river-folk", "on-top"]\n'
        '[[together]]\npacks = ["river-folk", "elsewhere"]\n'
    )
    workspace = Workspace(EDITING)
    cards = os.path.realpath(tmp_path / "river-folk" / "cards.yaml")
    workspace.texts[cards] = Path(cards).read_text(encoding="utf-8")
    group = workspace.group_of(cards)
    assert group is not None
    assert len(group.packs) == 2
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert snapshot.kept.program is not None
    project = Project(snapshot, group, workspace.texts)
    edits = rename(workspace, project, cards, at(project, cards, "id: cr|oss"), "ford")
    for gale in gales:
        assert edited(text, list(edits[gale])) == text.replace("use cross", "use ford")
    assert "id: ford\n  renamed_from: cross" in edited(project.text(cards), list(edits[cards]))


def test_a_name_that_another_pack_has_is_not_given(tmp_path):
    shutil.copytree(RIVER, tmp_path / "river-folk")
    nap = '- kind: power\n  id: nap\n  gloss: "a nap"\n  effect: say "zzz"\n'
    homebrew_on(tmp_path, "on-top", "river-folk", GALE)
    homebrew_on(tmp_path, "elsewhere", "river-folk", nap)
    (tmp_path / "ruleloom.toml").write_text(
        '[[together]]\npacks = ["river-folk", "on-top"]\n'
        '[[together]]\npacks = ["river-folk", "elsewhere"]\n'
    )
    workspace = Workspace(EDITING)
    cards = os.path.realpath(tmp_path / "river-folk" / "cards.yaml")
    group = workspace.group_of(cards)
    assert group is not None
    snapshot = workspace.check(group)
    assert snapshot is not None
    project = Project(snapshot, group, workspace.texts)
    with pytest.raises(RenameRefused, match="that would break something"):
        rename(workspace, project, cards, at(project, cards, "id: cr|oss"), "nap")


def test_a_missing_field_can_be_added():
    text = '- kind: power\n  id: nap\n  gloss: "a nap"\n'
    _, project, path = opened("nap.yaml", text)
    assert [one.code for one in project.snapshot.findings] == ["missing-field"]
    found = actions(project, path, 2, 2, [])
    (action,) = [one for one in found if one.title == "add the missing field `effect`"]
    assert edited(text, list(action.edits[path])) == f"{text}  effect: |\n    stop\n"
    like = f"{text}  like: nip\n"
    _, project, path = opened("nap.yaml", like)
    titles = [one.title for one in actions(project, path, 2, 2, [])]
    assert "add the missing field `effect`" not in titles


def test_a_scenario_is_written_from_what_an_item_does():
    text = '- kind: power\n  id: nap\n  gloss: "a nap"\n  effect: |\n    say "zzz"\n'
    workspace, project, path = opened("nap.yaml", text)
    found = actions(project, path, 2, 2, [])
    assert "write a scenario for this" in [one.title for one in found]
    result = workspace.compiled(project.group, reasons=True)
    ((cases, many),) = new_case(project, result, "river-folk:power/nap").items()
    assert cases.endswith("scenarios.yaml")
    written = edited(project.text(cases), list(many))
    assert written.endswith(
        '  - id: nap-as-it-is\n    when: [{do: "use nap"}]\n    then:\n      log:\n        - zzz\n'
    )
    workspace.texts[cases] = written
    result = workspace.compiled(project.group, reasons=True)
    (ran,) = run_cases(project, result, cases, "nap-as-it-is")
    assert ran.passed


def test_claims_on_words_are_told_and_get_their_names():
    case = """\
kind: scenarios
cases:
  - id: no-territory
    given: {pieces: [A1E@0/1], hands: {A: [move2]}}
    when: [{option: activate, at: 2/2}]
    then: {legal: false, reason: "you have a piece on"}
  - id: menu
    when: [{do: use take_option(yes)}]
    then: {asked: {name: "What do you do this turn?"}}
"""
    workspace, project, path = opened("words.yaml", case)
    found = [one for one in project.snapshot.findings if one.place.path.endswith("words.yaml")]
    assert [(one.severity, one.place.line) for one in found] == [("info", 6), ("info", 9)]
    mends = {one.title: one for one in actions(project, path, 0, 0, found)}
    (edit,) = mends["write `turn_menu`"].edits[path]
    assert edited(case, [edit]) == case.replace("What do you do this turn?", "turn_menu")
    command, (_, start) = mends["write its name"].command or ("", ("", 0))
    assert command == NAME_CLAIM
    result = workspace.compiled(project.group, reasons=True)
    ((file, edits),) = named_claim(project, result, path, int(str(start))).items()
    assert file == path
    named = case.replace('reason: "you have a piece on"', "because: on_space")
    assert edited(case, edits) == named


def test_a_scenario_tells_a_power_what_it_needs():
    text = """\
- kind: power
  id: greet
  takes: "who: Player, times: Int"
  gloss: "greet {who} {times} times"
  effect: |
    ensure times >= 1 "never is rude"
    say "hello, {times} times"
"""
    workspace, project, _ = opened("greet.yaml", text)
    result = workspace.compiled(project.group, reasons=True)
    ((cases, many),) = new_case(project, result, "river-folk:power/greet").items()
    written = edited(project.text(cases), list(many))
    assert 'when: [{do: "use greet(me, 1)"}]' in written
    assert written.endswith('        - "hello, 1 time"\n')


def test_a_failing_case_is_marked_at_its_first_wrong_claim():
    text = (
        'kind: scenarios\ncases:\n  - id: naps\n    when: [{do: "say \\"zzz\\""}]\n'
        "    then: {numbers: {score(A): 3}}\n"
    )
    workspace, project, path = opened("naps.yaml", text)
    result = workspace.compiled(project.group, reasons=True)
    (ran,) = run_cases(project, result, path, "naps")
    assert not ran.passed
    assert ran.message == "score(A): wanted 3, found 0"
    assert text[ran.start : ran.end] == "score(A): 3"
    workspace.texts[path] = text.replace("say", "sai")
    broken = workspace.compiled(project.group, reasons=True)
    with pytest.raises(Refused):
        run_cases(project, broken, path + "x", "naps")


def test_lenses_stand_above_items_and_cases():
    _, project, path = opened("gale.yaml", GALE)
    assert titles(lenses(project, path)) == ["explain", "no uses"]
    cards = os.path.realpath(RIVER / "cards.yaml")
    assert "2 uses" in titles(lenses(project, cards))
    cases = os.path.realpath(RIVER / "scenarios.yaml")
    found = titles(lenses(project, cases))
    assert found[:3] == ["run all scenarios", "run", "step by step"]


def test_the_outline_lists_items():
    _, project, path = opened("gale.yaml", GALE)
    (one,) = document_symbols(project, path)
    assert (one.name, one.detail) == ("gale", "major Gale")


def test_a_pack_in_a_zip_is_read_and_never_changed(tmp_path):
    folder = tmp_path / "zips"
    folder.mkdir()
    archive = folder / "river-folk.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(RIVER.rglob("*.yaml")):
            file.write(path, path.relative_to(RIVER).as_posix())
    workspace, group = Workspace(EDITING), PackGroup((str(archive),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    project = Project(snapshot, group, workspace.texts)
    cards = next(path for path in project.paths if path.endswith("!/cards.yaml"))
    assert "measure afoot" in told(project, cards, "= afo|ot(me)")
    assert not project.is_writable(cards)
    assert actions(project, cards, 0, 0, []) == []
    with pytest.raises(RenameRefused):
        rename(workspace, project, cards, at(project, cards, "id: cr|oss"), "ford")


def test_a_file_in_no_pack_gets_help_for_its_kind(tmp_path):
    assert game_of_text("- kind: major\n  id: x\n") == "gnostica"
    assert game_of_text("- kind: spell\n") == "moonstone"
    assert game_of_text("hello: world\n") is None
    path = os.path.realpath(tmp_path / "loose.yaml")
    workspace = Workspace(EDITING, {path: GALE.replace("face", "fase")})
    group = workspace.group_of(path)
    assert group == PackGroup(("gnostica",), (path,))
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert [one.code for one in snapshot.findings] == ["unknown-operation"]
    assert not list(tmp_path.iterdir())


def homebrew(tmp_path: Path, game: str, text: str, **more: str) -> tuple[Project, str]:
    """A pack of one file for a game, in an editor."""
    folder = tmp_path / "homebrew"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        f"kind: pack\nid: homebrew\nversion: 1.0.0\ngame: {game}\nedition: 1\n"
    )
    path = os.path.realpath(folder / "items.yaml")
    Path(path).write_text(text)
    for name, written in more.items():
        (folder / f"{name}.yaml").write_text(written)
    workspace, group = Workspace(EDITING), PackGroup((os.path.realpath(folder),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert snapshot.kept.program is not None
    return Project(snapshot, group, workspace.texts), path


def test_hover_tells_the_parts_of_a_number(tmp_path):
    text = """\
- kind: advantage
  id: steady
  title: Steady
  rating: I
  text: "You are quicker."
  abilities: modify Init(self) by 2 as "steady"
- kind: character
  id: tova
  title: Tova
  start: {Agl: 14}
  gifts: [steady]
  text: "A ferrywoman."
"""
    project, path = homebrew(tmp_path, "moonstone", text)
    found = told(project, path, "modify In|it(self)")
    print(found)
    assert "Tova" in found
    assert "steady" in found


def test_hover_tells_the_line_of_a_patched_row(tmp_path):
    text = """\
- kind: table
  id: fares
  by: Bool
  gives: Int
  rows: {yes: 3, no: 5}
  english: "the fare by {by}"
- kind: measure
  id: fare
  gives: Int
  english: "the fare"
  is: fares(yes) + 1
"""
    patch = "kind: patch\nid: dear\ntarget: homebrew:table/fares\nset: {rows.yes: 7}\n"
    project, path = homebrew(tmp_path, "gnostica", text, patch=patch)
    found = told(project, path, "id: fa|re\n")
    (line,) = [one for one in found.splitlines() if "the fare by" in one]
    assert line.endswith("patch.yaml:4")


def test_hover_over_a_field_tells_what_patches_have_made_of_it(tmp_path):
    text = """\
- kind: setting
  id: far
  value: 3
  english: "how far people jump"
- kind: measure
  id: jump
  gives: Int
  english: "the jump"
  is: far
"""
    patch = "kind: patch\nid: further\ntarget: homebrew:setting/far\nset: {value: 5}\n"
    project, path = homebrew(tmp_path, "gnostica", text, patch=patch)
    found = told(project, path, "val|ue: 3")
    assert "as printed: 3\nby homebrew:patch/further: 5" in found


def test_an_item_that_yaml_misread_is_refused_each_time():
    nap = '- kind: power\n  id: nap\n  gloss: "a nap"\n  effect": |\n    say "zzz"\n'
    workspace, project, _ = opened("nap.yaml", nap)
    again = workspace.check(project.group)
    assert again is not None
    assert [one.code for one in project.snapshot.findings] == ["unopened-quote"]
    assert again.findings == project.snapshot.findings


def test_names_link_to_the_reference(tmp_path):
    (tmp_path / "ruleloom.toml").write_text('reference = "https://rules.example/river"\n')
    assert reference_of(str(tmp_path / "pack")) == "https://rules.example/river"
    _, project, path = opened("gale.yaml", GALE)
    assert project.snapshot.kept.program is not None
    site = site_of(project.snapshot.kept.content, project.snapshot.kept.program)
    for words in ("id: ga|le", "fa|ce(minion", "from min|ions"):
        place = at(project, path, words)
        found = hover(project, path, place, site="https://rules.example/river")
        assert found is not None
        link = markdown_of(found).rpartition("(")[2].rstrip(")")
        page, _, anchor = link.removeprefix("https://rules.example/river/").partition("#")
        assert f'id="{anchor}"' in site[page], link

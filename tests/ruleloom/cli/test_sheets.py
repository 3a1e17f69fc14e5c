"""Sheets: what stands on them, that they are safe whatever a pack says, and what `ruleloom sheet`
does."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.sheet import blank_pages, pages_of
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.printed import sheet_html, sheet_markdown
from ruleloom.runtime.explain.sheet_pages import EMPTY_LINES, Block, SheetLine, SheetPage
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.program_json import program_of, program_text
from ruleloom.runtime.program.verify import check_program
from tests.conftest import ROOT
from tests.support.check_layer import compile_case, run_check
from tests.support.command import call
from tests.support.orchard_driver import bind
from tests.support.pack_examples import write

HEROES = ROOT / "tests" / "support" / "heroes"

LABEL = """\
- kind: sheet
  id: label
  of: "one: Fruit"
  title: "{one}, {weight(one)}"
  sections:
    - title: "About {one}"
      rows:
        - {label: weight, value: "{weight(one)} of {most}", blank: true}
        - {label: half, value: "weight(one) * 1/2", note: "weight(one) > most"}
        - {label: dye, value: dye(one), where: "dye(one) is not none"}
        - {label: no dye, value: dye(one), where: "dye(one) is none"}
    - title: Heavier
      each: "other: Fruit where weight(other) > weight(one)"
      rows: [{label: "{other}", value: "weight(other) - weight(one)"}]
    - title: Nothing
      rows: [{label: never, where: "weight(one) > 999"}]
"""
FRUIT = """\
- {kind: fruit, id: melon, title: A melon, weight: 700, tint: green}
- {kind: fruit, id: water-melon, title: A water melon, weight: 701, tint: green, dye: red}
"""


def pages(text: str, *names: str) -> list[SheetPage]:
    result = compile_case(text)
    assert result.program is not None, result.diagnostics
    assert result.content is not None
    return pages_of(result.program, result.content, names)


def line(
    label: str, value: str = "", note: str = "", text: str = "", blank: bool = False
) -> SheetLine:
    return SheetLine(label, value, note, text, blank)


def test_what_stands_on_a_page():
    [page] = pages(LABEL + FRUIT, "melon")
    about = (line("weight", "700 of 3", blank=True), line("half", "350", "yes"), line("no dye"))
    heavier = (line("A water melon", "1"),)
    blocks = (Block("About A melon", (), False, about), Block("Heavier", (), False, heavier))
    assert page == SheetPage("A melon, 700", "", blocks)


def test_a_section_without_a_line_is_left_out():
    [page] = pages(LABEL + FRUIT, "water-melon")
    assert [block.title for block in page.blocks] == ["About A water melon"]
    assert page.blocks[0].lines[1:] == (line("half", "350 1/2", "yes"), line("dye", "red"))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(202, 5), "40 2/5"),
        (Fraction(-1, 2), "-1/2"),
        (Fraction(-7, 2), "-3 1/2"),
        (Fraction(0), "0"),
        (Fraction(-4), "-4"),
    ],
)
def test_fractions_are_written_as_people_write_them(value: Fraction, written: str):
    assert number_text(value) == written


def test_each_thing_has_a_page_and_can_be_named_by_id_or_title():
    assert len(pages(LABEL + FRUIT)) > 2
    titles = ["A melon, 700", "A water melon, 701"]
    assert [page.title for page in pages(LABEL + FRUIT, "water_melon", "a MELON")] == titles
    with pytest.raises(WrongUse, match="nothing that has a sheet is called `melonn`") as fault:
        pages(LABEL + FRUIT, "melonn")
    assert fault.value.help == "did you mean `melon`?"


def test_what_only_a_game_in_play_could_say_is_refused():
    with pytest.raises(WrongUse, match="label needs something that exists only in a game in play"):
        pages(
            LABEL.replace('value: "weight(one) * 1/2"', 'value: "highest(score(p) for p: players)"')
        )
    with pytest.raises(WrongUse, match="this game has no sheet"):
        pages(FRUIT)


def test_a_program_with_sheets_is_played_and_read_back_as_it_was():
    program = compile_case(LABEL + FRUIT).program
    assert program is not None
    assert new_game(link_game(program, bind, ("ann", "bob")), 1).prompts
    again = program_of(read_json(program_text(program)))
    check_program(again)
    assert again == program
    assert len(again.sheets) == 1


def test_what_a_sheet_uses_is_used():
    measure = '- {kind: measure, id: burden, takes: "one: Fruit", gives: Int, is: "weight(one)", english: burden}\n'
    setting = "- {kind: setting, id: extra, value: 4, english: extra}\n"
    assert [one.code for one in run_check(LABEL + measure + setting)] == ["unused-item"] * 2
    used = LABEL.replace("{weight(one)} of {most}", "{burden(one)} of {extra}")
    assert run_check(used + measure + setting) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{one}, {weight(one)}", "{one}, {wait(one)}", "wait"),
        ("{weight(one)} of {most}", "{weight(one)} of {mist + 1}", "mist"),
        ("weight(other) > weight(one)", "weight(other) > wait(one)", "wait"),
        ("other: Fruit where", "other: Froot where", "Froot"),
        ("weight(one) > 999", "wait(one) > 999", "wait"),
    ],
)
def test_a_mistake_is_told_exactly_where_it_stands(old: str, new: str, words: str):
    text = LABEL.replace(old, new)
    [found] = run_check(text)
    place = found.place
    assert found.code == "unknown-name"
    assert text.splitlines()[place.line - 1][place.column - 1 : place.end_column - 1] == words


# ---------------------------------------------------------------------------------- heroes on paper


def heroes() -> CompileResult:
    return compile_paths([HEROES])


def test_a_hero_as_markdown_and_html(golden):
    result = heroes()
    assert [found.code for found in result.diagnostics] == []
    assert result.program is not None
    assert result.content is not None
    found = pages_of(result.program, result.content, ["sela"])
    golden("sheets/sela.md", sheet_markdown(found))
    golden("sheets/sela.html", sheet_html(found))


def test_points_and_dice_of_a_hero():
    result = heroes()
    assert result.program is not None
    assert result.content is not None
    [page] = pages_of(result.program, result.content, ["orrin"])
    said = {block.title: {one.label: one.value for one in block.lines} for block in page.blocks}
    assert said["Character value"] == {"CV": "8 Ad", "allowance": "40 Ad", "left": "32 Ad"}
    assert said["Raw scores"]["Str"] == "17"
    assert said["Integrities"]["melee"] == "+2d20"
    assert said["Weapons"] == {"Cudgel": "1d10 + 2d20"}
    assert "Advantages" not in said


def test_a_patched_text_is_the_one_that_is_printed(tmp_path: Path):
    files = {path.name: path.read_text(encoding="utf-8") for path in HEROES.glob("*.yaml")}
    write(tmp_path / "heroes", files)
    more = "kind: pack\nid: more\nversion: 1.0.0\ngame: moonstone\nedition: 1\nrequires: {heroes: ^1.0}\n"
    patch = (
        "{kind: patch, id: eyes, target: heroes:advantage/lamp-eyes, set: {text: Sees in fog.}}\n"
    )
    write(tmp_path / "more", {"pack.yaml": more, "patch.yaml": patch})
    done = call(
        "sheet", tmp_path / "more", tmp_path / "heroes", "--of", "sela", "--format", "markdown"
    )
    assert done.code == 0, done.err
    assert "  Sees in fog.\n" in done.out
    assert "starlight" not in done.out


def test_another_pack_adds_a_section_and_is_told_of_mistakes_in_its_own_file(tmp_path: Path):
    files = {path.name: path.read_text(encoding="utf-8") for path in HEROES.glob("*.yaml")}
    patch = """\
kind: patch
id: burdens
target: moonstone:sheet/character-sheet
append:
  sections:
    - title: Burdens
      rows: [{label: carried, value: "count(weapons(who)) + count(gear(who))"}]
"""
    write(tmp_path, {**files, "patch.yaml": patch})
    done = call("sheet", tmp_path, "--of", "sela", "--format", "markdown")
    assert done.code == 0, done.err
    assert done.out.endswith("## Burdens\n\n|  |  |\n| --- | --: |\n| carried | 3 |\n")
    write(tmp_path, {"patch.yaml": patch.replace("gear(", "geer(")})
    [found] = compile_paths([tmp_path]).diagnostics
    assert (found.code, Path(found.place.path).name, found.place.line) == (
        "unknown-name",
        "patch.yaml",
        7,
    )
    assert patch.splitlines()[6][found.place.column - 1 :].startswith("gear(who)")


def test_without_energy_there_are_no_boxes_for_it(tmp_path: Path):
    files = {path.name: path.read_text(encoding="utf-8") for path in HEROES.glob("*.yaml")}
    patch = "{kind: patch, id: no-ei, target: moonstone:setting/omit_ei, set: {value: true}}\n"
    write(tmp_path / "heroes", {**files, "patch.yaml": patch})
    done = call("sheet", tmp_path / "heroes", "--of", "sela", "--format", "markdown")
    assert done.code == 0, done.err
    assert "| PI | 100 ☐ |" in done.out
    assert "| EI |" not in done.out
    assert "| ER |" not in done.out


# ---------------------------------------------------------------------------------- hostile packs

HOSTILE = (
    "<script>alert(1)</script> {{ 7*7 }} {% raw %} | `x` [a](javascript:b) *b* <!-- \u202e "
    "www.evil.test a@b.test"
)


def hostile_page() -> SheetPage:
    one = SheetLine(
        HOSTILE, HOSTILE, HOSTILE, HOSTILE + "\n# head\n- item\n1. one\n---\n    code", True
    )
    bare = SheetLine(HOSTILE, HOSTILE, HOSTILE, "", False)
    headings = (HOSTILE, HOSTILE, HOSTILE)
    blocks = (
        Block(HOSTILE, headings, True, (bare,)),
        Block(HOSTILE, headings, False, (bare, bare)),
        Block(HOSTILE, (), False, (one,)),
    )
    return SheetPage(HOSTILE, HOSTILE, blocks)


class Tags(HTMLParser):
    """Gathers the tags, attributes and words of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.comments = 0
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_comment(self, data: str) -> None:
        self.comments += 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_nothing_of_a_pack_is_html():
    text = sheet_html([hostile_page()])
    tags = Tags()
    tags.feed(text)
    assert tags.tags <= {
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "article",
            "header",
            "section",
            "h1",
            "h2",
            "div",
        ),
        *("span", "p", "table", "thead", "tbody", "tr", "th", "td"),
    }
    assert tags.attributes <= {"class", "lang", "charset", "name", "content", "id"}
    assert tags.comments == 0
    assert "\u202e" not in text
    shown = HOSTILE.replace("\u202e", "\\u202e")
    assert sum(shown in word for word in tags.words) >= 15


def test_a_sheet_needs_nothing_from_elsewhere():
    text = sheet_html([hostile_page()])
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in text


def test_nothing_of_a_pack_is_markdown():
    text = sheet_markdown([hostile_page()])
    shown = (
        "\\<script\\>alert(1)\\</script\\> \\{\\{ 7\\*7 \\}\\} \\{% raw %\\} \\| \\`x\\` "
        "\\[a\\](javascript\\:b) "
        "\\*b\\* \\<!-- \\\\u202e www\\.evil.test a\\@b.test"
    )
    lines = text.splitlines()
    assert lines[0] == f"# {shown}"
    assert lines[2] == f"*{shown}*"
    assert f"| {shown} | {shown} | {shown} |" in lines
    assert lines[-11:] == [
        *(
            "  " + shown,
            "",
            "  \\# head",
            "",
            "  \\- item",
            "",
            "  1\\. one",
            "",
            "  \\---",
            "",
            "  code",
        ),
    ]


def test_a_name_of_a_hero_cannot_break_out(tmp_path: Path):
    files = {path.name: path.read_text(encoding="utf-8") for path in HEROES.glob("*.yaml")}
    files["heroes.yaml"] = files["heroes.yaml"].replace(
        "Sela Marrow", "'</title><script>{{ 7*7 }}</script>'"
    )
    write(tmp_path, files)
    done = call("sheet", tmp_path, "--of", "sela")
    assert done.code == 0
    assert "<script" not in done.out
    assert "&lt;/title&gt;&lt;script&gt;{{ 7*7 }}" in done.out


# ---------------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("name", "begins"),
    [("people.md", "# "), ("people.html", "<!doctype html>"), ("people", "<!doctype html>")],
)
def test_a_file_is_written_as_its_name_ends(tmp_path: Path, name: str, begins: str):
    target = tmp_path / name
    assert call("sheet", HEROES, "--of", "Orrin of the Mill", "-o", target).code == 0
    assert target.read_text(encoding="utf-8").startswith(begins)


def test_the_command_writes_all_sheets_into_one_file(tmp_path: Path):
    target = tmp_path / "all.html"
    done = call("sheet", HEROES, "-o", target)
    assert (done.code, done.out) == (0, f"wrote {target}: 2 sheets\n")
    text = target.read_text(encoding="utf-8")
    assert text.count('<article class="sheet">') == 2
    assert ".sheet + .sheet { break-before: page; }" in text
    assert "<title>Sela Marrow, Orrin of the Mill</title>" in text


def test_the_command_writes_to_the_screen_and_only_what_is_asked_for():
    done = call("sheet", HEROES, "--format", "markdown", "--of", "Orrin of the Mill")
    assert done.code == 0
    assert done.out.startswith("# Orrin of the Mill\n")
    assert "Sela" not in done.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((HEROES, "--of", "nobody"), 2, "nothing that has a sheet is called `nobody`"),
        (("gnostica",), 2, "this game has no sheet"),
        (("moonstone",), 2, "nothing in these packs has a sheet"),
        ((HEROES, "-o", HEROES), 2, "cannot be written: it is a folder"),
        ((HEROES, "--format", "pdf"), 2, "'pdf' is not one of 'html', 'markdown'"),
    ],
)
def test_what_the_command_refuses(words: tuple[str | Path, ...], code: int, said: str):
    done = call("sheet", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_mistakes_in_packs_come_first(tmp_path: Path):
    files = {path.name: path.read_text(encoding="utf-8") for path in HEROES.glob("*.yaml")}
    files["heroes.yaml"] = files["heroes.yaml"].replace("light-sleep", "light-slep")
    write(tmp_path, files)
    target = tmp_path / "all.html"
    done = call("sheet", tmp_path, "-o", target)
    assert (done.code, done.out) == (1, "")
    assert "light-slep" in done.err
    assert not target.exists()


def test_a_form_prints_what_is_so_of_everybody_and_leaves_room_for_the_rest():
    result = compile_case(LABEL + FRUIT)
    assert result.program is not None
    assert result.content is not None
    (page,) = blank_pages(result.program, result.content)
    assert page.title == ""
    about, heavier = page.blocks
    assert [(line.label, line.value, line.blank) for line in about.lines] == [
        ("weight", "", True),
        ("half", "", True),
    ]
    assert len(heavier.lines) == EMPTY_LINES
    assert all(line == SheetLine("", "", "", "", blank=True) for line in heavier.lines)


@pytest.mark.parametrize(
    ("game", "labels"), [("moonstone", "Int Wil Cha"), ("witchgates", "Academics")]
)
def test_forms_of_the_games_that_have_sheets(game: str, labels: str, tmp_path: Path):
    form = tmp_path / "form.html"
    assert call("sheet", game, "--blank", "-o", form).code == 0
    text = form.read_text()
    assert all(f">{label}<" in text for label in labels.split())

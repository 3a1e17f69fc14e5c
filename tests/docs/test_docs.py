"""What the pages under docs/ show is true: commands are run, effect texts and items compiled, lists
compared.

How a page is written:

- a block below `<!-- file: PATH -->` is written to that path of the page's folder, which begins as a copy
  of `rulesets/`;
- in a `console` block each line `$ ruleloom ...` is run there. What is shown beneath is the whole output,
  line by line; `...` stands for any number of lines, or, within a line, for anything. `# exit N` behind a
  command names its exit code, and `< FILE` what is typed;
- a `sh` block is not run; of `python -m MODULE ...`, which takes too long, it is looked at that there is such a
  module with such options;
- an `effect` block is the effect of a card, an `items` block a file of a pack, an `expr` block a list of
  expressions, one a line; all for Gnostica. Below `<!-- wrong: CODE -->` the block has to be refused with
  that code alone, otherwise it has to be clean.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import shutil
import sys
import typing
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from runpy import run_module

import pytest
import yaml

from ruleloom.api.linking import driver_of
from ruleloom.compiler.cases.case_words import GIVEN_TO_PLAY
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.locate import shipped_packs
from ruleloom.compiler.patch.patch_checks import OPERATIONS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import RESERVED
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Driver, Layout
from ruleloom.scenarios import claims
from ruleloom.scenarios.claims import OF_ANY
from tests.conftest import ROOT
from tests.support.check_layer import compile_files, game_files
from tests.support.command import Done, call
from tests.support.orchard_driver import bind

DOCS = ROOT / "docs"
PAGES = sorted(
    page.relative_to(DOCS).as_posix()
    for page in (*DOCS.glob("*.md"), DOCS / "games" / "witchgates.md")
)
MARK = re.compile(r"<!-- (file|wrong|skip): (.*?) -->")
EXIT = re.compile(r"\s+# exit (\d+)$")

MANIFEST = "kind: pack\nid: shown\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
# What the expressions on the pages speak of.
BEFORE_EXPRESSIONS = """\
choose piece from pieces_on_board
choose card from hand
choose spot from territories
"""


@dataclass
class Block:
    """A fenced block: its language, where it stands, the mark above it, and its lines."""

    language: str
    line: int
    mark: tuple[str, str] | None
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def wrong(self) -> str | None:
        return self.mark[1] if self.mark is not None and self.mark[0] == "wrong" else None


def blocks(page: str, *languages: str) -> list[Block]:
    """The blocks of a page, in order; of some languages only, if any are named."""
    found: list[Block] = []
    inside: Block | None = None
    above = ""
    for number, line in enumerate((DOCS / page).read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            if inside is None:
                mark = MARK.fullmatch(above.strip())
                inside = Block(line[3:].strip(), number, (mark[1], mark[2]) if mark else None)
            else:
                found.append(inside)
                inside = None
        elif inside is not None:
            inside.lines.append(line)
        above = line or above
    assert inside is None, f"{page}: a block is not closed"
    return [block for block in found if not languages or block.language in languages]


# ---------------------------------------------------------------------------------- commands


def commands(block: Block) -> Iterator[tuple[str, int, list[str]]]:
    """Each command of a block, with its exit code and the lines shown beneath."""
    shown: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            shown.append((line[2:], []))
        else:
            assert shown, f"line {block.line}: a console block begins with `$ `"
            shown[-1][1].append(line)
    for command, lines in shown:
        code = EXIT.search(command)
        yield EXIT.sub("", command), int(code[1]) if code else 0, lines


def run(command: str, folder: Path) -> Done:
    """Run a command of a page in its folder; what it writes to either stream comes out together."""
    command, _, typed = command.partition(" < ")
    words = shlex.split(command)
    assert words[0] == "ruleloom", f"only `ruleloom` is run here, not `{words[0]}`"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("NO_COLOR", "1")
        text = Path(typed.strip()).read_text(encoding="utf-8") if typed else ""
        return call(*words[1:], typed=text, together=True)


def pattern(lines: list[str]) -> re.Pattern[str]:
    """What the shown lines allow."""
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + r" *\n")
    return re.compile("".join(parts))


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page(page: str, tmp_path: Path):
    if "rulesets" in (DOCS / page).read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    for block in blocks(page):
        if block.mark is not None and block.mark[0] == "file":
            path = tmp_path / block.mark[1]
            assert path.resolve().is_relative_to(tmp_path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "console" and (block.mark is None or block.mark[0] != "skip"):
            for command, code, lines in commands(block):
                done = run(command, tmp_path)
                where = f"{page}:{block.line}: `{command}`"
                assert done.code == code, f"{where} ends with {done.code}:\n{done.out}"
                # A line left empty only parts paragraphs.
                output = re.sub(r"\n+", "\n", done.out.strip("\n") + "\n").lstrip("\n")
                wanted = pattern([line for line in lines if line])
                assert wanted.fullmatch(output), f"{where} does not print this, but:\n{done.out}"


LONG = [
    (page, line)
    for page in PAGES
    for block in blocks(page, "sh")
    for line in block.lines
    if line.startswith("python -m ")
]


@pytest.mark.parametrize(("page", "command"), LONG)
def test_the_long_commands_of_a_page_exist(page: str, command: str):
    words = shlex.split(command)
    wanted = {word for word in words[3:] if word.startswith("--")}
    assert wanted <= options_of(words[2]), f"{page}: `{command}`"


@cache
def options_of(module: str) -> set[str]:
    """The options that `python -m MODULE --help` lists."""
    said = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        patch.setattr(sys, "argv", [module, "--help"])
        # In this process, where what the module needs is loaded already, as Python warns.
        with (
            warnings.catch_warnings(action="ignore", category=RuntimeWarning),
            pytest.raises(SystemExit) as ended,
        ):
            run_module(module, run_name="__main__")
    assert not ended.value.code
    return set(re.findall(r"--[\w-]+", said.getvalue()))


def test_there_are_long_commands():
    assert len(LONG) >= 4


# -------------------------------------------------------------------------------- effects and items


def compiled(folder: Path, items: str) -> tuple[Diagnostic, ...]:
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "shown.yaml").write_text(items, encoding="utf-8")
    return compile_paths([folder]).diagnostics


def card(effect: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in effect.splitlines())
    return f"- kind: major\n  id: shown\n  title: Shown\n  number: 99\n  effect: |\n{lines}"


@cache
def shown_on(page: str) -> set[tuple[str, str | None]]:
    return {(block.text, block.wrong) for block in blocks(page, "items", "effect", "expr")}


def shown_items(page: str) -> list[tuple[Block, str]]:
    """What a page shows; what stands so in docs/language.md, of which docs/llm.md is made, is compiled there."""
    there = set() if page == "language.md" else shown_on("language.md")
    own = [
        one for one in blocks(page, "items", "effect", "expr") if (one.text, one.wrong) not in there
    ]
    found = [(block, block.text) for block in own if block.language == "items"]
    found += [(block, card(block.text)) for block in own if block.language == "effect"]
    for block in (one for one in own if one.language == "expr"):
        lets = "".join(f"let value_{i} = {line}\n" for i, line in enumerate(block.lines))
        found.append((block, card(BEFORE_EXPRESSIONS + lets)))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_effects_and_items_of_a_page(page: str, tmp_path: Path):
    for number, (block, items) in enumerate(shown_items(page)):
        found = compiled(tmp_path / f"pack{number}", items)
        where = f"{page}:{block.line}"
        if block.wrong is not None:
            assert [one.code for one in found] == [block.wrong], (
                where,
                [str(one) for one in found],
            )
        else:
            # That a name on a page is not used any further is no fault of the page.
            wrong = [str(one) for one in found if one.code not in ("unused-name", "unused-item")]
            assert not wrong, (where, wrong)


# ---------------------------------------------------------------------------------- complete lists


def classes_in(value: object) -> Iterator[type]:
    if isinstance(value, ast.SyntaxNode):
        yield type(value)
        for one in dataclasses.fields(value):
            yield from classes_in(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from classes_in(one)


def test_the_language_page_shows_every_form():
    shown: set[type] = set()
    for block in blocks("language.md", "effect", "expr"):
        if block.wrong is None:
            text = (
                block.text
                if block.language == "effect"
                else "".join(f"let v = {x}\n" for x in block.lines)
            )
            shown |= set(classes_in(parse_block(text)))
    for block in blocks("language.md", "yaml"):
        for item in yaml.safe_load(block.text):
            if isinstance(item, dict) and "effect" in item:
                shown |= set(classes_in(parse_block(item["effect"])))
    nobody_writes = {ast.IdleMoment, ast.RunOut}
    wanted = {*typing.get_args(ast.Stmt), *typing.get_args(ast.Expr)} - nobody_writes
    assert not {one.__name__ for one in wanted - shown}


def words_of(page: str) -> set[str]:
    """Every word that a page writes as code."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return {
        word for code in re.findall(r"`([^`\n]+)`", text) for word in re.split(r"[^\w-]+", code)
    }


def test_the_language_page_lists_every_reserved_word():
    assert words_of("language.md") >= RESERVED


def test_the_packs_page_names_every_kind_and_operation():
    words = words_of("packs.md")
    assert words >= set(COMMON_KINDS)
    assert words >= set(OPERATIONS)


def test_the_packs_page_names_every_menu_of_the_shipped_games():
    page = (ROOT / "docs" / "packs.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| (`.*_menu.*) \|$", page, re.MULTILINE))
    for game in ("Gnostica", "Monotheism", "Moonstone", "Witchgates"):
        files = sorted((ROOT / "rulesets" / game.lower()).glob("*.yaml"))
        texts = "".join(path.read_text(encoding="utf-8") for path in files)
        found = re.findall(r"choose one named (\w+)(?:\(([^)]*)\))?", texts)
        menus = [f"{name}({' '.join(taken.split())})" if taken else name for name, taken in found]
        assert sorted(re.findall(r"`([^`]*)`", rows[game])) == sorted(menus)


def test_the_scenarios_page_names_every_word_of_a_case():
    data = json.loads((ROOT / "schemas" / "notation.schema.json").read_text(encoding="utf-8"))
    words = words_of("scenarios.md")
    assert words >= {*claims.BUILT_IN, *claims.ENDS, *OF_ANY}
    assert words >= set(GIVEN_TO_PLAY)
    forms = json.loads((ROOT / "schemas" / "scenarios.schema.json").read_text(encoding="utf-8"))
    attempt, build = forms["$defs"]["attempt"], forms["$defs"]["build"]
    assert words >= {*build["properties"]["given"]["properties"]}
    assert words >= {*build["properties"]["then"]["properties"]}
    parts = [attempt["properties"][part] for part in ("given", "then")]
    parts += [attempt["properties"]["when"]["items"], parts[1]["properties"]["asked"]]
    assert words >= {name for part in parts for name in part["properties"]}
    assert words >= set(data["properties"])


def test_the_scenarios_page_lists_every_step_of_gnostica_with_its_keys():
    rows = [
        line
        for line in (DOCS / "scenarios.md").read_text(encoding="utf-8").splitlines()
        if "|" in line
    ]
    data = yaml.safe_load(
        (ROOT / "rulesets" / "gnostica" / "notation.yaml").read_text(encoding="utf-8")
    )
    for key, forms in data["steps"].items():
        for word, form in forms.items():
            step = "{bid: ...}" if word == "*" else word if "+" in word else f"{{{key}: {word}}}"
            row = next((row for row in rows if step in row), "")
            assert row, f"no row for {key}: {word}"
            wanted = {"minions"} if "+" in word else set(form.get("keys", ()))
            assert wanted <= set(re.findall(r"`(\w+)", row)), (step, wanted)


def test_the_vocabulary_page_names_every_field():
    data = json.loads((ROOT / "schemas" / "vocabulary.schema.json").read_text(encoding="utf-8"))

    def names(schema: object) -> Iterator[str]:
        if isinstance(schema, dict):
            yield from schema.get("properties", {})
            for inner in schema.values():
                yield from names(inner)

    missing = set(names(data)) - words_of("vocabulary.md")
    assert not missing


@pytest.mark.parametrize("page", [*PAGES, "../README.md", "../CONTRIBUTING.md"])
def test_links_lead_somewhere(page: str):
    text = (DOCS / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert ((DOCS / page).parent / link).exists(), f"{page}: {link}"


def test_the_index_lists_every_page():
    linked = set(re.findall(r"\]\(([^)]+\.md)\)", (DOCS / "README.md").read_text(encoding="utf-8")))
    assert set(PAGES) - {"README.md"} <= linked


def test_paths_in_the_recipes_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(
        r"`((?:rulesets|schemas|runtime|compiler|ruleloom|tests|docs)/[\w./-]*)`", text
    )
    assert paths
    real = [path.replace("GAME", "gnostica").replace("KIND", "major") for path in paths]
    missing = [path for path in real if not (ROOT / path).exists()]
    assert not missing


# ------------------------------------------------------------------------ the recipe for a new game


def orchard() -> Program:
    program = compile_files(game_files()).program
    assert program is not None
    return program


def test_the_small_game_of_the_recipe_is_played():
    game = new_game(link_game(orchard(), bind, ("A", "B"), {}), seed=1)
    for _ in range(30):
        prompt = game.prompt
        game = game.answer(prompt.id, prompt.options[0].key)
    assert game.serial >= 30


@pytest.mark.parametrize(("kind", "name"), [("operation", "carry"), ("query", "beside")])
def test_a_binding_that_is_missing_or_extra_is_named(kind: str, name: str):
    def changed(layout: Layout, more: bool) -> Driver:
        driver = bind(layout)
        tables = {"operation": dict(driver.operations), "query": dict(driver.queries)}
        if more:
            tables[kind][f"{name}_twice"] = tables[kind][name]
        else:
            del tables[kind][name]
        return dataclasses.replace(driver, operations=tables["operation"], queries=tables["query"])

    with pytest.raises(RuntimeFault, match=f"binds no {kind} {name}"):
        link_game(orchard(), lambda layout: changed(layout, False), ("A", "B"), {})
    with pytest.raises(RuntimeFault, match=f"binds an extra {kind} {name}_twice"):
        link_game(orchard(), lambda layout: changed(layout, True), ("A", "B"), {})


def test_every_shipped_game_that_says_how_it_is_played_has_a_driver():
    programs = [
        compile_paths(id, scenarios=False).program for id in shipped_packs(ROOT / "rulesets")
    ]
    played = [program for program in programs if program is not None and program.set_up]
    assert all(map(driver_of, played))
    assert set(DRIVERS) <= {program.game for program in played}
    assert all(programs)

"""The shape of the house: who may import whom, how long a thing may be, and which words stay out of where.

`ORDER` is the reading order. A newcomer reads it from the top and never meets a name that is explained
further down, because a module may import only from the lines above its own.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("compiler", "runtime", "ruleloom")

ORDER = """
    runtime.text
    runtime.values
    runtime.rows
    runtime.state
    runtime.dice
    runtime.files
    runtime.plain_json
    runtime.answers
    runtime.sheets
    runtime.reads
    runtime.program
    runtime.faults
    runtime.settings
    runtime.remembering
    runtime.operators
    runtime.by_field
    runtime.codegen
    runtime.open_dice
    runtime.prompts
    runtime.foreseen
    runtime.calm
    runtime.stretches
    runtime.liveness
    runtime.link
    runtime.open_codegen
    runtime.merging
    runtime.own_words
    runtime.likeness
    runtime.assigning
    runtime.naming
    runtime.restrictions
    runtime.corrections
    runtime.expression_words
    runtime.findings
    runtime.reckoning
    runtime.requirements
    runtime.sheet_pages
    runtime.expression_check
    runtime.program_json
    runtime.state_json
    runtime.row_check
    runtime.save_lines
    runtime.program_check
    runtime.run
    runtime.secrecy
    runtime.wording
    runtime.speaking
    runtime.chance
    runtime.telling
    runtime.stops
    runtime.fizzling
    runtime.prompting
    runtime.machine
    runtime.budget
    runtime.reopening
    runtime.node
    runtime.sampling
    runtime.asking
    runtime.game
    runtime.odds
    runtime.replay
    runtime.save_header
    runtime.journal
    runtime.view
    runtime.games.seats
    runtime.games.plain
    runtime.games.gnostica.geometry
    runtime.games.gnostica.table
    runtime.games.gnostica.operations
    runtime.games.gnostica.queries
    runtime.games.gnostica.tokens
    runtime.games.gnostica.driver
    runtime.games.gnostica
    runtime.games
    runtime

    compiler.forms
    compiler.code_tables
    compiler.source
    compiler.yaml_layout
    compiler.requires
    compiler.types
    compiler.scopes
    compiler.functions
    compiler.rows
    compiler.circles
    compiler.outlines
    compiler.costs
    compiler.english
    compiler.yaml_columns
    compiler.yaml_lines
    compiler.yaml_node
    compiler.yaml_scan
    compiler.yaml_words
    compiler.schema_hints
    compiler.schema_gate
    compiler.schema_store
    compiler.schema_errors
    compiler.code_tables.yaml
    compiler.code_tables.schema
    compiler.code_tables.effect
    compiler.code_tables.pack
    compiler.code_tables.archives
    compiler.code_tables.extensions
    compiler.code_tables.play
    compiler.code_tables.orchard
    compiler.code_tables.check_names
    compiler.code_tables.check_play
    compiler.code_tables.check_types
    compiler.code_tables.content
    compiler.code_tables.keeping_quiet
    compiler.code_tables.check
    compiler.code_tables.english
    compiler.codes
    compiler.diagnostics
    compiler.fixes
    compiler.fingerprints
    compiler.allowing
    compiler.yaml_tree
    compiler.effect_text
    compiler.zip_format
    compiler.archives
    compiler.pack_files
    compiler.content
    compiler.setting_sorts
    compiler.poison
    compiler.render_text
    compiler.render_sarif
    compiler.render
    compiler.schema_values
    compiler.pack_search
    compiler.schema_layout
    compiler.schema_words
    compiler.schema
    compiler.manifests
    compiler.extended_schemas
    compiler.schema_bounds
    compiler.extended_map
    compiler.driver_limits
    compiler.extensions
    compiler.effect.tree
    compiler.effect.holes
    compiler.effect.ability_tree
    compiler.effect.words
    compiler.effect.operators
    compiler.effect.indents
    compiler.effect.slips
    compiler.effect.lexer
    compiler.effect.layout
    compiler.effect.build_values
    compiler.effect.build_abilities
    compiler.effect.write
    compiler.effect.build
    compiler.effect.mistakes
    compiler.effect.grammar
    compiler.effect.tables
    compiler.effect.parse
    compiler.effect.format
    compiler.printed
    compiler.renames
    compiler.patch_edits
    compiler.patch_rows
    compiler.patch_query
    compiler.patch_targets
    compiler.patch_order
    compiler.patch_merge
    compiler.patch_conflicts
    compiler.patch_work
    compiler.patch_check
    compiler.patch_idle
    compiler.patch_classes
    compiler.patch_blame
    compiler.patches
    compiler.pack_choices
    compiler.case_fields
    compiler.packs
    compiler.old_names
    compiler.texts
    compiler.foresight
    compiler.variables
    compiler.belonging
    compiler.new_values
    compiler.symbols
    compiler.context
    compiler.declaring
    compiler.record_names
    compiler.record_values
    compiler.record_parts
    compiler.records
    compiler.wording
    compiler.intervals
    compiler.holding
    compiler.workload
    compiler.lint
    compiler.locals
    compiler.visibility
    compiler.spoken
    compiler.vocabulary
    compiler.needing
    compiler.printed_once
    compiler.vocabulary_parts
    compiler.wanted
    compiler.conditions
    compiler.calls
    compiler.changes
    compiler.check_aggregates
    compiler.vocabulary_calls
    compiler.tables
    compiler.check_names
    compiler.declarations
    compiler.keyword_bounds
    compiler.check_actions
    compiler.check_calls
    compiler.check_expr
    compiler.check_choices
    compiler.check_control
    compiler.check_modes
    compiler.check_stmt
    compiler.abilities
    compiler.bearing
    compiler.adding_up
    compiler.stats
    compiler.bodies
    compiler.assignments
    compiler.requirements
    compiler.sheets
    compiler.graphs
    compiler.notation
    compiler.standing
    compiler.reacting
    compiler.english.words
    compiler.english.folding
    compiler.english.glossary
    compiler.english.speaker
    compiler.english.groups
    compiler.english.reading
    compiler.english.reference
    compiler.english.phrases
    compiler.english.clauses
    compiler.english.conditions
    compiler.english.telling
    compiler.english.choosing
    compiler.english.doing
    compiler.english.entries
    compiler.english.pages
    compiler.english.statements
    compiler.english.modifying
    compiler.english.numbers
    compiler.english.rules_text
    compiler.english.comparing
    compiler.assemble
    compiler.idle
    compiler.lifting
    compiler.asking
    compiler.lower
    compiler.pipeline
    compiler

    ruleloom.chronicle
    ruleloom.cli
    ruleloom.bots
    ruleloom.scenarios
    ruleloom.table
    ruleloom.version
    ruleloom.measures
    ruleloom.facade
    ruleloom.requirements
    ruleloom.sheets.pages
    ruleloom.sheets.html
    ruleloom.sheets.markdown
    ruleloom.cache
    ruleloom.cache.findings
    ruleloom.cache.inputs
    ruleloom.cache.store
    ruleloom.cache.answers
    ruleloom.cli.main
    ruleloom.cli.output
    ruleloom.cli.faults
    ruleloom.cli.verbs
    ruleloom.cli.options
    ruleloom.cli.formatting
    ruleloom.cli.fmt
    ruleloom.cli.fixing
    ruleloom.cli.compiling
    ruleloom.cli.looking
    ruleloom.cli.baseline
    ruleloom.diff.revisions
    ruleloom.cli.changed
    ruleloom.cli.check
    ruleloom.cli.explain
    ruleloom.cli.asking
    ruleloom.cli.because
    ruleloom.cli.field_history
    ruleloom.cli.why
    ruleloom.cli.build
    ruleloom.cli.sheet
    ruleloom.bots.chance
    ruleloom.bots.gnostica
    ruleloom.bots.turns
    ruleloom.bots.answers
    ruleloom.bots.given
    ruleloom.bots.arena
    ruleloom.bots.narrating
    ruleloom.bots.random
    ruleloom.bots.search
    ruleloom.bots.steady
    ruleloom.bots.greedy
    ruleloom.bots.measured
    ruleloom.bots.make
    ruleloom.table.canvas
    ruleloom.table.gnostica
    ruleloom.table.standings
    ruleloom.table.plain
    ruleloom.table.boards
    ruleloom.table.words
    ruleloom.table.notes
    ruleloom.table.seats
    ruleloom.table.sitting
    ruleloom.table.asking
    ruleloom.table.history
    ruleloom.table.reasons
    ruleloom.table.commands
    ruleloom.table.loop
    ruleloom.__main__
    ruleloom.scenarios.cases
    ruleloom.scenarios.results
    ruleloom.scenarios.reviewed
    ruleloom.scenarios.running
    ruleloom.scenarios.notation
    ruleloom.scenarios.facts
    ruleloom.scenarios.refusing
    ruleloom.scenarios.stacked
    ruleloom.scenarios.position
    ruleloom.scenarios.search
    ruleloom.scenarios.claims
    ruleloom.scenarios.things
    ruleloom.scenarios.numbers
    ruleloom.scenarios.happened
    ruleloom.scenarios.laid_out
    ruleloom.scenarios.given
    ruleloom.scenarios.telling
    ruleloom.scenarios.builds
    ruleloom.scenarios.trying
    ruleloom.scenarios.answers
    ruleloom.scenarios.chances
    ruleloom.scenarios.attempts
    ruleloom.scenarios.runner
    ruleloom.scaffold
    ruleloom.scaffold.starters
    ruleloom.derive
    ruleloom.derive.writing
    ruleloom.derive.mutating
    ruleloom.derive.seeds
    ruleloom.derive.varying
    ruleloom.derive.walking
    ruleloom.derive.numbers
    ruleloom.derive.trials
    ruleloom.derive.boundaries
    ruleloom.derive.deriving
    ruleloom.cli.deriving
    ruleloom.odds
    ruleloom.odds.value_types
    ruleloom.odds.question
    ruleloom.odds.policies
    ruleloom.odds.tables
    ruleloom.cli.odds
    ruleloom.cli.series
    ruleloom.cli.testing
    ruleloom.cli.company
    ruleloom.cli.gathering
    ruleloom.cli.together
    ruleloom.cli.keeping
    ruleloom.cli.scenes
    ruleloom.cli.playing
    ruleloom.cli.test
    ruleloom.cli.play
    ruleloom.chronicle.chapters
    ruleloom.chronicle.markdown
    ruleloom.chronicle.html
    ruleloom.cli.replay
    ruleloom.diff
    ruleloom.diff.changes
    ruleloom.diff.words
    ruleloom.diff.sides
    ruleloom.diff.fields
    ruleloom.diff.items
    ruleloom.diff.numbers
    ruleloom.diff.compare
    ruleloom.diff.weights
    ruleloom.diff.report
    ruleloom.diff.data
    ruleloom.cli.diff
    ruleloom.scaffold.editor_schema
    ruleloom.scaffold.making
    ruleloom.cli.new
    ruleloom
""".split()  # noqa: SIM905

# All that the compiler may know of the runtime: the form of a program, its values, and safe text.
SHARED_WITH_COMPILER = {"runtime.program", "runtime.values", "runtime.text"}

# Modules that import inside a function, each with its reason. A cycle is no reason; start-up time may be one.
LATE_IMPORTS: dict[str, str] = {
    "compiler.effect.tables": "Lark takes 40 ms, and its tables are worked out beforehand",
    "compiler.lower": "the English takes 20 ms, and a mere check writes none",
    "ruleloom.cli.check": "what only some runs need (git, a baseline, fixes) takes longer than the cache to answer",
    "ruleloom.cli.compiling": "the machine takes 80 ms, and few packs have requirements",
    "ruleloom.cli.looking": "the compiler takes 200 ms, and an unchanged pack needs none",
    "compiler.schema": "the library that words schema errors takes 60 ms, and a clean pack needs no words",
    "ruleloom": "`ruleloom --version` must not wait for the compiler",
    "ruleloom.cli.main": "`ruleloom --version` must not wait for the command line library",
    "ruleloom.cli.verbs": "the dispatch of commands: each verb brings its own libraries",
}

LONGEST_MODULE = 400
LONGEST_FUNCTION = 60

# Words of one game, any case, also inside longer words. The compiler and the machine know no game.
GAME_WORDS = (
    *("gnostica", "moonstone", "monotheism", "witchgate"),
    *("arcana", "minion", "prophet", "pyramid", "stash", "tarot", "territor", "wasteland"),
    *("advantage", "armour", "dagger", "initiative", "supernature", "weapon", "wound"),
    *("cosmic", "deities", "deity", "ethos", "follower", "miracle"),
    *("captivat", "formulary", "knack", "metaspell", "splice"),
)

# Written in halves, so that this file does not hold what it looks for.
MACHINE_WORDS = re.compile(
    "|".join(
        [
            *("/wo" + "rk/", "/tm" + "p/", "/ro" + "ot/"),
            *("python" + "hosted", "://py" + r"pi\.", "py" + r"pi\.org"),
            *(r"registry\.np" + "mjs", r"deb\.deb" + "ian"),
        ]
    )
)

SKIPPED_FOLDERS = {"__pycache__", "build", "dist", "venv"}


def module_name(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    """Return the modules on disk. An `__init__.py` without a statement is no module to read."""
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {
        module_name(path): path
        for path in files
        if path.name != "__init__.py" or path.read_text(encoding="utf-8").strip()
    }


@cache
def tree_of(name: str) -> ast.Module:
    """Return the syntax tree of one of our modules."""
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def named_by(statement: ast.stmt, module: str) -> Iterator[str]:
    """Yield the full names of the modules that an import statement asks for."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        base = statement.module or ""
        if statement.level:
            package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
            steps = package.split(".")
            base = ".".join([*steps[: len(steps) - statement.level + 1], *filter(None, [base])])
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in modules() else base


@cache
def imports(module: str) -> frozenset[str]:
    """Return every module that one of ours imports, anywhere in its text."""
    return frozenset(name for node in ast.walk(tree_of(module)) for name in named_by(node, module))  # type: ignore[arg-type]


def own_imports(module: str) -> set[str]:
    """Return those imports that are ours."""
    return {name for name in imports(module) if name.split(".")[0] in PACKAGES} - {module}


def imports_late(module: str) -> bool:
    """Tell whether a module imports anything inside a function, by statement or by importlib."""
    for function in ast.walk(tree_of(module)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Import | ast.ImportFrom) or called in (
                    *("importlib.import_module", "import_module"),
                    "__import__",
                ):
                    return True
    return False


def in_machine_or_compiler(path: Path) -> bool:
    """Tell whether a file belongs to what must not know any game."""
    parts = path.relative_to(ROOT).parts
    return parts[0] == "compiler" or (parts[0] == "runtime" and parts[1] != "games")


def kept_files() -> list[Path]:
    """Return the files that git keeps or would take; without git, all but what tools leave behind."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        paths = [ROOT / name for name in found.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not is_left_behind(path)]
    return [path for path in paths if path.is_file()]


def is_left_behind(path: Path) -> bool:
    """Tell whether a path lies in a folder that tools make."""
    folders = path.relative_to(ROOT).parts[:-1]
    return any(
        name in SKIPPED_FOLDERS or name.endswith(".egg-info") or (name.startswith(".") and name != ".ci")
        for name in folders
    )


def test_every_module_is_listed():
    place = {name: index for index, name in enumerate(ORDER)}
    unlisted = []
    for name in sorted(set(modules()) - set(ORDER)):
        above = max(own_imports(name) & set(ORDER), key=lambda module: place[module], default=None)
        unlisted.append(f"{name} (below {above})" if above else name)
    assert not unlisted, (
        f"new modules: {', '.join(unlisted)}. Write each into ORDER at the top of "
        "tests/test_architecture.py, below everything it imports and above everything that imports it."
    )


def test_every_listed_module_exists():
    gone = [name for name in ORDER if name not in modules()]
    assert not gone, (
        f"ORDER in tests/test_architecture.py lists {', '.join(gone)}, and there is no such file. "
        "Take the lines out, or write the modules."
    )
    twice = sorted({name for name in ORDER if ORDER.count(name) > 1})
    assert not twice, f"ORDER lists {', '.join(twice)} twice"


def test_imports_point_up_the_list():
    place = {name: index for index, name in enumerate(ORDER)}
    wrong = [
        f"{module} imports {name}"
        for module in ORDER
        if module in modules()
        for name in sorted(own_imports(module))
        if name in place and place[name] > place[module]
    ]
    assert not wrong, (
        f"against the reading order: {'; '.join(wrong)}. If ORDER in tests/test_architecture.py tells the "
        "story wrongly, move a line. If the two need each other, look for a third module between them."
    )


def test_runtime_never_imports_the_compiler():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(own_imports(module))
        if module.split(".")[0] == "runtime" and name.split(".")[0] != "runtime"
    ]
    assert not wrong, f"the runtime ships alone: {'; '.join(wrong)}. What both need belongs into the runtime."


def test_compiler_knows_only_the_program_format():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(own_imports(module))
        if module.split(".")[0] == "compiler"
        and name.split(".")[0] != "compiler"
        and name not in SHARED_WITH_COMPILER
    ]
    allowed = ", ".join(sorted(SHARED_WITH_COMPILER))
    assert not wrong, f"{'; '.join(wrong)}. Outside itself the compiler may import only {allowed}."


def test_the_machine_imports_no_game():
    wrong = [
        f"{module} imports {name}"
        for module, path in modules().items()
        if in_machine_or_compiler(path)
        for name in sorted(own_imports(module))
        if name.startswith("runtime.games.")
    ]
    assert not wrong, (
        f"{'; '.join(wrong)}. A game is handed to the machine; the machine never asks for one by name."
    )


def test_runtime_needs_only_python():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        if module.split(".")[0] == "runtime"
        for name in sorted(imports(module) - own_imports(module))
        if name.split(".")[0] not in {*sys.stdlib_module_names, "runtime"}
    ]
    assert not wrong, f"{'; '.join(wrong)}. A bot that embeds a game needs no library beside Python."


def test_every_library_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[^a-z0-9-]", name.lower())[0] for name in project["dependencies"]}
    import_name = {"pyyaml": "yaml"}
    known = {import_name.get(name, name) for name in declared}
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(imports(module))
        if name.split(".")[0] not in {*sys.stdlib_module_names, *PACKAGES, *known}
    ]
    assert not wrong, (
        f"{'; '.join(wrong)}. Declare the library in `dependencies` of pyproject.toml, or do without it."
    )


def test_imports_stand_at_the_top():
    late = {module for module in modules() if imports_late(module)}
    new = sorted(late - set(LATE_IMPORTS))
    assert not new, (
        f"import inside a function: {', '.join(new)}. Move it to the top; if that makes a cycle, the cycle "
        "is the fault to mend. Only start-up time excuses it: then name module and reason in LATE_IMPORTS."
    )
    stale = sorted(set(LATE_IMPORTS) - late)
    assert not stale, f"LATE_IMPORTS names {', '.join(stale)}, which import nothing late. Take them out."


def test_no_import_for_type_checking_only():
    wrong = {
        module
        for module in modules()
        for node in ast.walk(tree_of(module))
        if (isinstance(node, ast.Name) and node.id == "TYPE_CHECKING")
        or (isinstance(node, ast.Attribute) and node.attr == "TYPE_CHECKING")
        or (isinstance(node, ast.alias) and node.name == "TYPE_CHECKING")
    }
    assert not wrong, (
        f"TYPE_CHECKING hides a cycle in {', '.join(sorted(wrong))}. Both sides want a third module."
    )


def test_modules_are_short():
    lengths = {
        module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in modules().items()
    }
    long = [f"{module} ({length} lines)" for module, length in lengths.items() if length > LONGEST_MODULE]
    assert not long, (
        f"over {LONGEST_MODULE} lines: {', '.join(long)}. It does two things; give each a module."
    )


def test_functions_are_short():
    long = []
    for module in modules():
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{module}.{node.name} ({length} lines, line {node.lineno})")
    assert not long, f"over {LONGEST_FUNCTION} lines: {', '.join(long)}. Name its parts and call them."


def test_every_module_says_what_it_is():
    silent = [module for module in modules() if not ast.get_docstring(tree_of(module))]
    assert not silent, (
        f"no docstring: {', '.join(silent)}. Say in a few lines what goes in, what comes out and what is "
        "refused."
    )


@pytest.mark.parametrize("suffix", [".py", ".lark", ".j2", ".json", ".yaml"])
def test_compiler_and_machine_name_no_game(suffix):
    pattern = re.compile("|".join(GAME_WORDS), re.IGNORECASE)
    names = names_of_vocabularies()
    wrong = []
    for path in kept_files():
        if (
            path.suffix != suffix
            or path.relative_to(ROOT).parts[0] not in PACKAGES
            or not in_machine_or_compiler(path)
        ):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = [*pattern.findall(line), *(word for word in re.findall(r"\w+", line) if word in names)]
            wrong += [f"{path.relative_to(ROOT)}:{number}: `{word}`" for word in found]
    assert not wrong, (
        "words of a game in the compiler or the machine:\n  "
        + "\n  ".join(wrong)
        + "\nWhat belongs to a game stands in rulesets/, schemas/GAME/ and runtime/games/GAME/; "
        "an example can invent its own game."
    )


def names_of_vocabularies() -> set[str]:
    """Return the compound names (`like_this`) that the shipped vocabularies give to what is theirs."""
    names: set[str] = set()
    for path in (ROOT / "rulesets").glob("*/vocabulary.yaml"):
        items = yaml.safe_load(path.read_text(encoding="utf-8"))
        for item in items if isinstance(items, list) else [items]:
            for part in ("zones", "queries", "operations"):
                names.update(name for name in item.get(part) or {} if "_" in name)
    return names


def test_no_file_names_a_machine():
    wrong = []
    for path in kept_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_WORDS.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not wrong, (
        "folders of one machine, or hosts of a package registry:\n  "
        + "\n  ".join(wrong)
        + "\nUse paths relative to the checkout, pytest's `tmp_path`, `mktemp`; pip knows where packages are."
    )

"""The shape of the house: who may import whom, how long a thing may be, and which words stay out of
where.

`ORDER` is the reading order. A newcomer reads it from the top and never meets a name that is
explained further down, because a module may import only from the lines above its own.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from radon.visitors import ComplexityVisitor

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("compiler", "runtime", "ruleloom")
INNER = ("compiler", "runtime")  # top folders that are imported as parts of `ruleloom`

# One line a step, in reading order: a package may import from itself and from the lines above it.
ORDER = """
    ruleloom.runtime.dataclass
    ruleloom.runtime.system
    ruleloom.runtime.program
    ruleloom.runtime.analysis
    ruleloom.runtime.link
    ruleloom.runtime.machine
    ruleloom.runtime.search
    ruleloom.runtime.play
    ruleloom.runtime.explain
    ruleloom.runtime.games

    ruleloom.compiler.types
    ruleloom.compiler.graph
    ruleloom.compiler.source
    ruleloom.compiler.diagnostics
    ruleloom.compiler.syntax
    ruleloom.compiler.yaml
    ruleloom.compiler.schema
    ruleloom.compiler.packs
    ruleloom.compiler.query
    ruleloom.compiler.resolve
    ruleloom.compiler.flow
    ruleloom.compiler.bounds
    ruleloom.compiler.check
    ruleloom.compiler.patch
    ruleloom.compiler.summary
    ruleloom.compiler.lower
    ruleloom.compiler.lint
    ruleloom.compiler.cases
    ruleloom.compiler.english
    ruleloom.compiler.german
    ruleloom.compiler.translation
    ruleloom.compiler.build
    ruleloom.compiler.load
    ruleloom.compiler.interface
    ruleloom.compiler.pipeline
    ruleloom.compiler.analysis

    ruleloom.store
    ruleloom.api
    ruleloom.bots
    ruleloom.scenes
    ruleloom.output
    ruleloom.building
    ruleloom.diff
    ruleloom.packing
    ruleloom.getting
    ruleloom.scaffold
    ruleloom.scenarios
    ruleloom.migrate
    ruleloom.upgrade
    ruleloom.table
    ruleloom.odds
    ruleloom.simulate
    ruleloom.reports
    ruleloom.printing
    ruleloom.reference
    ruleloom.export
    ruleloom.web
    ruleloom.editor
    ruleloom.workbench
    ruleloom.site
    ruleloom.cli
    ruleloom.__main__
""".split()  # noqa: SIM905

# All that the compiler may know of the runtime: the form of a program, with its values and safe
# text, what all classes of fields are made by, and what systems do differently.
SHARED_WITH_COMPILER = (
    "ruleloom.runtime.dataclass",
    "ruleloom.runtime.program",
    "ruleloom.runtime.system",
)

# What a tool may import of the compiler: the front door with cases and what finds packs with their versions,
# findings, the types of what an analysis holds.
FRONT_DOOR = (
    "ruleloom.compiler.analysis",
    "ruleloom.compiler.cases",
    "ruleloom.compiler.load",
    "ruleloom.compiler.pipeline",
    "ruleloom.compiler.packs.index_file",
    "ruleloom.compiler.packs.kept",
    "ruleloom.compiler.packs.locate",
    "ruleloom.compiler.packs.manifest",
    "ruleloom.compiler.packs.walk",
    "ruleloom.compiler.diagnostics",
    "ruleloom.compiler.packs.content",
    "ruleloom.compiler.packs.random_tables",
    "ruleloom.compiler.resolve.embedded",
    "ruleloom.compiler.resolve.symbols",
    "ruleloom.compiler.schema.registry",
    "ruleloom.compiler.source.file",
    "ruleloom.compiler.translation",
    "ruleloom.compiler.syntax.ast",
    "ruleloom.compiler.syntax.lexer",
    "ruleloom.compiler.syntax.tree",
    "ruleloom.compiler.types",
    "ruleloom.compiler.yaml.node",
)

# Modules that import inside a function, each with its reason. A cycle is no reason; start-up time
# may be one.
LATE_IMPORTS: dict[str, str] = {
    "ruleloom.site.worker": "before the snapshot, what only mistakes need is imported, too",
    "ruleloom.runtime.system": "what not every system has is asked for by name",
    "ruleloom.compiler.query.lazy_objects": "classes of kept objects are known by name only",
    "ruleloom.compiler.syntax.parser": "Lark takes 40 ms, and its tables are worked out beforehand",
    "ruleloom.compiler.build": "the English takes 20 ms, and a mere check writes none",
    "ruleloom.cli.check.check": "what only some runs need (git, a baseline, fixes) takes longer than the cache to answer",
    "ruleloom.api.ready": "the compiler takes 140 ms, and what is kept or came compiled needs none",
    "ruleloom.api.making": "the machine takes 80 ms, and few packs have requirements",
    "ruleloom.cli.why.why": "what reads and patches files takes 45 ms, and a number of kept rules needs none",
    "ruleloom.table.drawing": "what draws lists takes 15 ms, and a game may have a board of its own",
    "ruleloom.bots.bot": "templates take 15 ms, and most games ask for no texts",
    "ruleloom.cli.explain.explain": "the compiler takes 150 ms, and texts that are kept need none",
    "ruleloom.cli.play.play": "the compiler takes 150 ms, and few games are held to a lock",
    "ruleloom.cli.options": "the compiler takes 150 ms, and most games are read in English",
    "ruleloom.cli.play.start": "the compiler takes 150 ms, and a game that is kept compiled needs none",
    "ruleloom.compiler.schema.validate": "the library that words schema errors takes 60 ms, and a clean pack needs no words",
    "ruleloom": "`ruleloom --version` must not wait for the compiler",
    "ruleloom.cli.cards": "what an extra brings may not be installed",
    "ruleloom.cli.documents": "what an extra brings may not be installed",
    "ruleloom.cli.simulate.simulate": "what an extra brings may not be installed",
    "ruleloom.cli.main": "`ruleloom --version` must not wait for the command line library",
    "ruleloom.cli.verbs": "the dispatch of commands: each verb brings its own libraries",
}

# Packages and modules that only an extra of pyproject.toml makes complete, and its name.
EXTRAS: dict[str, str] = {
    "ruleloom.cli.mcp": "mcp",
    "ruleloom.editor": "lsp",
    "ruleloom.output.document_pdf": "pdf",
    "ruleloom.printing.pdf": "pdf",
    "ruleloom.simulate.dask_cluster": "dask",
    "ruleloom.site": "web",
    "ruleloom.web": "web",
    "ruleloom.workbench": "web",
}

LONGEST_MODULE = 600
MOST_MODULES = 16  # in one folder
MOST_ENTRIES = {
    "compiler": 20,
    "runtime": 10,
    "ruleloom": 16,
}  # besides links and what Python asks for
SMALL, MOST_SMALL = 40, 15  # lines of a small module, and how many may be that small
LONGEST_FUNCTION = 60
MOST_COMPLEX, MUCH, SHARE_OF_MUCH = 15, 10, 0.04  # radon's count of ways through a function

# Words of one game, any case, also inside longer words. The compiler and the machine know no game.
GAME_WORDS = (
    *("gnostica", "moonstone", "monotheism", "witchgate"),
    *("arcana", "minion", "prophet", "pyramid", "stash", "tarot", "territor", "wasteland"),
    *("advantage", "armour", "dagger", "initiative", "supernature", "weapon", "wound"),
    *("cosmic", "deities", "deity", "ethos", "follower", "miracle"),
    *("captivat", "formulary", "knack", "metaspell", "splice"),
)
# Kinds and things of the shipped games that are called by words of the language, of the rulebooks of
# any game or of those who write about it; all others belong to their game.
ANYBODYS_WORDS = {
    *("ability", "aim", "amount", "card", "cause", "character", "colour", "component", "condition"),
    *("consequence", "die", "doing", "effect", "explanation", "facing", "half", "load", "major"),
    *("opening", "phase", "piece", "player", "position", "rating", "role", "scene", "scope"),
    *("severity", "skill", "spell", "suit", "verdict", "working"),
}

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

SKIPPED_FOLDERS = {"__pycache__", "build", "dist", "venv", "node_modules"}


def module_name(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] in INNER:
        parts = ("ruleloom", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files_of(folder: str) -> list[Path]:
    """Return the Python files of a top folder, without those that it only links to."""
    found = sorted((ROOT / folder).rglob("*.py"))
    return [path for path in found if not any(above.is_symlink() for above in path.parents)]


@cache
def modules() -> dict[str, Path]:
    """Return the modules on disk. An `__init__.py` without a statement is no module to read."""
    files = [path for folder in FOLDERS for path in files_of(folder)]
    return {
        module_name(path): path
        for path in files
        if path.name != "__init__.py" or path.read_text(encoding="utf-8").strip()
    }


def package_of(module: str) -> str:
    """Return the line of `ORDER` that a module belongs to: itself, or the package that holds it."""
    steps = module.split(".")
    return ".".join(steps[: 3 if steps[1:2] and steps[1] in INNER else 2])


@cache
def tree_of(name: str) -> ast.Module:
    """Return the syntax tree of one of our modules."""
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


@cache
def nodes_of(name: str) -> tuple[ast.AST, ...]:
    """Return all nodes of that tree, which most tests here go through."""
    return tuple(ast.walk(tree_of(name)))


def named_by(statement: ast.stmt, module: str) -> Iterator[str]:
    """Yield the full names of the modules that an import statement asks for."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        base = statement.module or ""
        if statement.level:
            package = (
                module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
            )
            steps = package.split(".")
            base = ".".join([*steps[: len(steps) - statement.level + 1], *filter(None, [base])])
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in modules() else base


@cache
def imports(module: str) -> frozenset[str]:
    """Return every module that one of ours imports, anywhere in its text."""
    return frozenset(name for node in nodes_of(module) for name in named_by(node, module))  # type: ignore[arg-type]


def own_imports(module: str) -> set[str]:
    """Return those imports that are ours."""
    return {name for name in imports(module) if name.split(".")[0] == "ruleloom"} - {module}


IMPORTING = ("importlib.import_module", "import_module", "__import__")


def imports_late(module: str) -> bool:
    """Tell whether a module imports anything inside a function, by statement or by importlib."""
    for function in nodes_of(module):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    return True
                if isinstance(node, ast.Call) and ast.unparse(node.func) in IMPORTING:
                    return True
    return False


def in_machine_or_compiler(path: Path) -> bool:
    """Tell whether a file belongs to what must not know any game."""
    parts = path.relative_to(ROOT).parts
    return parts[0] == "compiler" or (parts[0] == "runtime" and parts[1] != "games")


def kept_files() -> list[Path]:
    """Return the files that git keeps or would take; without git, all but what tools leave
    behind."""
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
        name in SKIPPED_FOLDERS
        or name.endswith(".egg-info")
        or (name.startswith(".") and name != ".ci")
        for name in folders
    )


def test_every_package_is_listed():
    found = {package_of(name) for name in modules()} - {
        "ruleloom",
        "ruleloom.compiler",
        "ruleloom.runtime",
    }
    new, gone = sorted(found - set(ORDER)), sorted(set(ORDER) - found)
    assert not new, (
        f"new packages: {', '.join(new)}. Write each into ORDER at the top of "
        "tests/test_architecture.py, "
        "below everything it imports and above everything that imports it."
    )
    assert not gone, (
        f"ORDER in tests/test_architecture.py lists {', '.join(gone)}, which is not there"
    )
    assert len(ORDER) == len(set(ORDER)), "ORDER lists a package twice"


def test_imports_point_up_the_list():
    place = {name: index for index, name in enumerate(ORDER)}
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(own_imports(module))
        if place.get(package_of(name), -1) > place.get(package_of(module), len(ORDER))
    ]
    assert not wrong, (
        f"against the reading order: {'; '.join(wrong)}. If ORDER in tests/test_architecture.py tells "
        "the "
        "story wrongly, move a line. If the two need each other, look for a third package between them."
    )


def test_no_circle_inside_a_package():
    found, done = [], set[str]()

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            found.append(" -> ".join((*path[path.index(module) :], module)))
        elif module not in done:
            for name in sorted(own_imports(module) & set(modules())):
                visit(name, (*path, module))
            done.add(module)

    for module in modules():
        visit(module, ())
    assert not found, (
        f"modules that need each other: {'; '.join(found)}. Look for a third between them."
    )


def test_runtime_never_imports_the_compiler():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(own_imports(module))
        if module.startswith("ruleloom.runtime") and not name.startswith("ruleloom.runtime")
    ]
    assert not wrong, (
        f"the runtime ships alone: {'; '.join(wrong)}. What both need belongs into the runtime."
    )


def test_compiler_knows_only_the_program_format():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(own_imports(module))
        if module.startswith("ruleloom.compiler")
        and package_of(name) not in SHARED_WITH_COMPILER
        and not name.startswith("ruleloom.compiler")
    ]
    assert not wrong, (
        f"{'; '.join(wrong)}. Outside itself the compiler may import only "
        f"{' and '.join(SHARED_WITH_COMPILER)}."
    )


def test_tools_use_the_front_door():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        if not module.startswith(("ruleloom.compiler", "ruleloom.runtime"))
        for name in sorted(own_imports(module))
        if name.startswith("ruleloom.compiler.")
        and not any(f"{name}.".startswith(f"{one}.") for one in FRONT_DOOR)
    ]
    assert not wrong, (
        f"past the front door of the compiler: {'; '.join(wrong)}. Ask the analysis for the answer."
    )


def test_the_machine_imports_no_game():
    wrong = [
        f"{module} imports {name}"
        for module, path in modules().items()
        if in_machine_or_compiler(path)
        for name in sorted(own_imports(module))
        if name.startswith("ruleloom.runtime.games")
    ]
    assert not wrong, (
        f"{'; '.join(wrong)}. A game is handed to the machine; the machine never asks for one by name."
    )


def test_runtime_needs_only_python():
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        if module.startswith("ruleloom.runtime")
        for name in sorted(imports(module) - own_imports(module))
        if name.split(".")[0] not in sys.stdlib_module_names
    ]
    assert not wrong, (
        f"{'; '.join(wrong)}. A bot that embeds a game needs no library beside Python."
    )


def test_every_library_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    always = libraries_of(project["dependencies"])
    wrong = []
    for module in modules():
        extra = extra_of(module)
        known = always | libraries_of(project["optional-dependencies"][extra] if extra else [])
        wrong += [
            f"{module} imports {name}"
            for name in sorted(imports(module))
            if name.split(".")[0] not in {*sys.stdlib_module_names, "ruleloom", *known}
        ]
    assert not wrong, (
        f"{'; '.join(wrong)}. Declare the library in `dependencies` of pyproject.toml, or do without "
        "it; what not everybody needs is an extra, and its package stands in EXTRAS."
    )


def libraries_of(requirements: list[str]) -> set[str]:
    """Return the names under which the libraries of some requirements are imported."""
    import_name = {"fpdf2": "fpdf", "pillow": "PIL", "pyyaml": "yaml"}
    names = {re.split(r"[^a-z0-9-]", name.lower())[0] for name in requirements}
    return {import_name.get(name, name) for name in names}


def extra_of(module: str) -> str | None:
    """Return the extra whose libraries a module may import, if it belongs to one."""
    found = (EXTRAS[one] for one in EXTRAS if f"{module}.".startswith(f"{one}."))
    return next(found, None)


def test_imports_stand_at_the_top():
    late = {module for module in modules() if imports_late(module)}
    new = sorted(late - set(LATE_IMPORTS))
    assert not new, (
        f"import inside a function: {', '.join(new)}. Move it to the top; if that makes a cycle, the "
        "cycle "
        "is the fault to mend. Only start-up time excuses it: then name module and reason in "
        "LATE_IMPORTS."
    )
    stale = sorted(set(LATE_IMPORTS) - late)
    assert not stale, (
        f"LATE_IMPORTS names {', '.join(stale)}, which import nothing late. Take them out."
    )


# Where the type checker sees something else than Python does, and why that hides no cycle.
SEEN_BY_TYPE_CHECKER: dict[str, str] = {
    "ruleloom.runtime.dataclass": "type checkers know the decorator of the standard library only",
}


def test_no_import_for_type_checking_only():
    wrong = {
        module
        for module in modules()
        if module not in SEEN_BY_TYPE_CHECKER
        for node in nodes_of(module)
        if (isinstance(node, ast.Name) and node.id == "TYPE_CHECKING")
        or (isinstance(node, ast.Attribute) and node.attr == "TYPE_CHECKING")
        or (isinstance(node, ast.alias) and node.name == "TYPE_CHECKING")
    }
    assert not wrong, (
        f"TYPE_CHECKING hides a cycle in {', '.join(sorted(wrong))}. Both sides want a third module."
    )


def test_modules_are_short():
    lengths = {
        module: len(path.read_text(encoding="utf-8").splitlines())
        for module, path in modules().items()
    }
    long = [
        f"{module} ({length} lines)"
        for module, length in lengths.items()
        if length > LONGEST_MODULE
    ]
    assert not long, (
        f"over {LONGEST_MODULE} lines: {', '.join(long)}. It does two things; give each a module."
    )


def tell(title: str, rows: list[str]) -> None:
    """Print what is worth a look, below the results, without failing a test."""
    if rows:
        warnings.warn(f"{title}: {', '.join(rows)}", stacklevel=2)


def test_a_folder_shows_one_step():
    crowded = []
    for top, pattern in (
        *((top, "*.py") for top in (*FOLDERS, "benchmarks")),
        ("tests", "test_*.py"),
    ):
        for folder in sorted({path.parent for path in files_of(top)}):
            count = sum(1 for path in folder.glob(pattern) if path.name != "__init__.py")
            if count > MOST_MODULES:
                crowded.append(f"{folder.relative_to(ROOT)} ({count} modules)")
    tell(f"more than {MOST_MODULES} in a folder", crowded)


@pytest.mark.parametrize("top", MOST_ENTRIES)
def test_the_top_folders_show_the_architecture(top):
    entries = sorted(
        path.name
        for path in (ROOT / top).iterdir()
        if not path.name.startswith("__")
        and path.name not in SKIPPED_FOLDERS
        and path.suffix not in (".so", ".typed")
        and not path.is_symlink()
    )
    if len(entries) > MOST_ENTRIES[top]:
        tell(f"{top}/ shows {len(entries)} entries", entries)


@pytest.mark.parametrize("top", FOLDERS)
def test_no_module_has_the_name_of_another(top):
    stems = Counter(
        path.stem for path in files_of(top) if path.stem not in ("__init__", "__main__")
    )
    twice = [stem for stem, count in stems.items() if count > 1]
    assert not twice, f"modules of one name in {top}/: {', '.join(twice)}"


def test_no_class_has_the_name_of_another():
    found: dict[str, list[str]] = {}
    for module in modules():
        for node in tree_of(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    twice = [f"{name} ({', '.join(places)})" for name, places in found.items() if len(places) > 1]
    assert not twice, f"one name, two classes: {'; '.join(twice)}"


def test_few_modules_are_tiny():
    small = sorted(
        name
        for name, path in modules().items()
        if path.name not in ("__init__.py", "__main__.py")
        and len(path.read_text(encoding="utf-8").splitlines()) < SMALL
    )
    if len(small) > MOST_SMALL:
        tell(f"{len(small)} modules under {SMALL} lines", small)


def test_functions_are_short():
    long = []
    for module in modules():
        for node in nodes_of(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{module}.{node.name} ({length} lines, line {node.lineno})")
    assert not long, (
        f"over {LONGEST_FUNCTION} lines: {', '.join(long)}. Name its parts and call them."
    )


def test_functions_are_simple():
    found: list[tuple[int, str]] = []
    for module in modules():
        blocks = ComplexityVisitor.from_ast(tree_of(module)).blocks
        functions = [one for one in blocks if not hasattr(one, "methods")]
        found += [(one.complexity, f"{module}.{one.name}") for one in functions]
    complex_ = [f"{name} ({count})" for count, name in found if count > MOST_COMPLEX]
    assert not complex_, f"over {MOST_COMPLEX} ways through: {', '.join(complex_)}. Name its parts."
    much = sorted((name for count, name in found if count > MUCH))
    assert len(much) <= SHARE_OF_MUCH * len(found), (
        f"{len(much)} of {len(found)} functions have more than {MUCH} ways through: {', '.join(much)}"
    )


def test_every_module_says_what_it_is():
    silent = [module for module in modules() if not ast.get_docstring(tree_of(module))]
    assert not silent, (
        f"no docstring: {', '.join(silent)}. Say in a few lines what goes in, what comes out and what "
        "is "
        "refused."
    )


def test_compiler_and_machine_name_no_game():
    nouns = "|".join(sorted(nouns_of_vocabularies() - ANYBODYS_WORDS))
    pattern = re.compile(rf"{'|'.join(GAME_WORDS)}|\b(?:{nouns})s?\b", re.IGNORECASE)
    names = names_of_vocabularies()
    wrong = []
    for path in kept_files():
        if (
            path.suffix not in {".py", ".lark", ".j2", ".json", ".yaml"}
            or path.relative_to(ROOT).parts[0] not in FOLDERS
            or not in_machine_or_compiler(path)
        ):
            continue
        text = path.read_text(encoding="utf-8")
        if not pattern.search(text) and names.isdisjoint(re.findall(r"\w+", text)):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = [
                *pattern.findall(line),
                *(word for word in re.findall(r"\w+", line) if word in names),
            ]
            wrong += [f"{path.relative_to(ROOT)}:{number}: `{word}`" for word in found]
    assert not wrong, (
        "words of a game in the compiler or the machine:\n  "
        + "\n  ".join(wrong)
        + "\nWhat belongs to a game stands in rulesets/, schemas/GAME/ and runtime/games/GAME/; "
        "an example can invent its own game."
    )


def nouns_of_vocabularies() -> set[str]:
    """Return what the shipped vocabularies call their kinds, things and enums, in words."""
    words: set[str] = set()
    for path in (ROOT / "rulesets").glob("*/vocabulary.yaml"):
        items = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for item in items if isinstance(items, list) else [items]:
            for part in ("entities", "kinds", "enums"):
                names = (
                    re.sub(r"(?<=[a-z])(?=[A-Z])|-", " ", name) for name in item.get(part) or {}
                )
                words.update(name.lower() for name in names)
    return words


def names_of_vocabularies() -> set[str]:
    """Return the compound names (`like_this`) that the shipped vocabularies give to what is
    theirs."""
    names: set[str] = set()
    for path in (ROOT / "rulesets").glob("*/vocabulary.yaml"):
        items = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
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

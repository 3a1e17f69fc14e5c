"""Writes `docs/llm.md`, one page with all that is needed to write a pack, for whoever writes with a
language model: `python -m tests.docs.llm_page`.

It is put together from pages under `docs/` (tables, and of each paragraph that begins in bold its first
sentence and its example), the starters, the vocabularies and the diagnostic codes. `test_llm_page.py`
holds the page against what this writes; `test_docs.py` runs what it shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.pipeline import compile_paths, names_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.scaffold.starters import PACK, SCENARIOS, example, games, kinds
from ruleloom.scenarios.notation import Notation
from tests.conftest import ROOT

DOCS = ROOT / "docs"
PAGE = DOCS / "llm.md"
FIRST = "gnostica"  # its examples stand for the kinds that all games have
SHOWN = ("```effect", "```items", "```expr")
BOLD = re.compile(r"(\*\*.*?\*\*.*?\.)(?=\s|$)", re.DOTALL)
ANCHOR = re.compile(r"^<a[^\n]*\n")
LEFT_OUT = (
    *(
        "**What is shown",
        "**What is usual",
        "**For whom",
        "**Copies",
        "**How they read",
        "**In which order",
        "**A part of a stat",
    ),
    *("**What a moment stands for", "**The budget", "**Limits", "**Warnings", "**Several packs"),
)
PRINTED = (
    "layout",
    "picture",
    "sheet",
    "translation",
    "migration",
)  # how things are printed, translated and rewritten: no rule of a game, and their pages have it
WITHOUT = (
    "",
    "What the compiler sees to",
)  # sections of the language page: `check` tells these itself
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
COMMON_CODES = (
    *("syntax", "unknown-name", "type-mismatch", "may-be-none", "used-before-set", "unbounded"),
    *("missing-argument", "hidden-information", "dice-outside-roll", "not-self"),
    *("unknown-field", "wrong-type", "needs-quotes", "odd-hole"),
)

INTRODUCTION = """\
# All that is needed to write a pack

<!-- Written by `python -m tests.docs.llm_page`; change what it is made of, not this page. -->

For whoever writes a pack, a folder of YAML files that adds to a game or changes it: in short what
[packs.md](packs.md), [language.md](language.md) and [scenarios.md](scenarios.md) say.

How to work: `ruleloom new pack NAME --game GAME` and `ruleloom new KIND NAME --in PACK` write examples that work. After each
small change run `ruleloom check PACK`, mend what it finds, then `ruleloom test PACK`. Nothing is ignored in silence: a field,
name or claim that means nothing is an error. Never invent a name of a game: it is listed below, `ruleloom explain WORD` knows
it, or the pack declares it. `ruleloom places GAME` lists powers and menus. Compare what `ruleloom explain ITEM` says with what
was wanted.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION, "## A pack", *whole("packs", "The manifest", "Files and items")]
    parts += ["## The language", *in_short("language")]
    parts += ["## Patches", *in_short("packs", "Patches", examples=False)]
    parts += ["## Cases", *cases()]
    parts += ["## Common findings, and how to mend them", *findings()]
    for game in sorted(games(), key=lambda game: game != FIRST):
        parts += [*of_game(game)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


# ------------------------------------------------------------------------------- from other pages


def sections(name: str) -> dict[str, list[str]]:
    """The paragraphs of each section of a page, without links and anchors; a block of code is one paragraph."""
    found: dict[str, list[str]] = {"": []}
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for one in re.findall(r"^```[\s\S]*?^```$|(?:^(?!```).+\n?)+", text, re.MULTILINE):
        if one.startswith("## "):
            found[one[3:].strip()] = []
        else:
            found[list(found)[-1]].append(LINK.sub(r"\1", ANCHOR.sub("", one.rstrip("\n"))))
    return found


def whole(name: str, *titles: str) -> Iterator[str]:
    """Sections without their subsections and examples that are run."""
    for title in titles:
        for one in sections(name)[title]:
            if one.startswith("### "):
                break
            if not one.startswith(("```console", "<!--", "| kind")):
                yield one


def in_short(name: str, *titles: str, examples: bool = True) -> Iterator[str]:
    """Of sections, by default all: tables, and the first sentence of each paragraph that begins in bold, with
    the block of code behind it."""
    for title, paragraphs in sections(name).items():
        if title in WITHOUT or (titles and title not in titles):
            continue
        if not titles:
            yield f"### {title}"
        leading, wrong = True, ""
        for one in paragraphs:
            bold = None if one.startswith(LEFT_OUT) else BOLD.match(one)
            if one.startswith("<!-- wrong: ") and leading:
                wrong = f"{one}\n"
            elif one.startswith("```"):
                if leading and examples and one.startswith(SHOWN):
                    yield f"{wrong}{one}"
                leading, wrong = False, ""
            elif bold or one.startswith("|"):
                yield bold[1] if bold else one
                leading = bold is not None
            elif one.startswith(LEFT_OUT):
                leading = False


def cases() -> Iterator[str]:
    """How scenarios are written: the tables and lists of the three parts of a case."""
    found = sections("scenarios")
    yield found[""][-1]
    for title in ("`given`: the table", "`when`: the steps", "`then`: what holds", "Refusals"):
        yield f"### {title}"
        lists = [one for one in found[title] if one.startswith(("|", "- "))]
        yield from [found[title][0], *lists[:1]]


def findings() -> Iterator[str]:
    """The codes that those who begin meet most: what they mean, and the lines that mend the example."""
    for name in COMMON_CODES:
        code = codes()[name]
        yield f"- `{name}`: {code.title}. {code.why}{''.join(_mended(code.bad, code.good))}"


def _mended(bad: object, good: object) -> Iterator[str]:
    if not isinstance(bad, str) or not isinstance(good, str):
        return
    old, new = ([line.strip() for line in text.splitlines()] for text in (bad, good))
    wrong, right = [one for one in old if one not in new], [one for one in new if one not in old]
    if wrong and right:
        yield f" Wrong: `{' / '.join(wrong)}`; right: `{' / '.join(right)}`."


# ----------------------------------------------------------------------------------- of each game


def of_game(game: str) -> Iterator[str]:
    """A game's names and kinds, each kind with an example; the first game has those that are common."""
    result = compile_paths([game], scenarios=False, reasons=False)
    assert result.program is not None
    assert result.content is not None
    yield f"## {result.program.title}"
    yield "\n".join(_names(names_of(result.content), Notation(result.program)))
    own = [kind for kind in kinds(game) if kind not in COMMON_KINDS]
    shown = set(re.findall(r"kind: (\w+)", "".join(in_short("language"))))
    shared = [one for one in kinds(game) if one in COMMON_KINDS and one not in (*shown, *PRINTED)]
    yield from _file(game, PACK, example(game, PACK)[PACK])
    for kind in [*own, *(shared if game == FIRST else ())]:
        texts = example(game, kind)
        yield f"**`{kind}`**: {_about(game, kind)}"
        yield from _file(game, kind, texts[kind])
        if kind == own[0]:
            yield from _file(game, f"{kind}-{SCENARIOS}", texts[SCENARIOS])
    yield f"```console\n$ ruleloom test my-{game}\n...\n... passed, 0 failed, 0 not executable\n```"


def _about(game: str, kind: str) -> str:
    paths = (folder / f"{kind}.schema.json" for folder in (SCHEMAS / game, SCHEMAS))
    schema = json.loads(next(one for one in paths if one.is_file()).read_text(encoding="utf-8"))
    return str(schema["description"])


def _file(game: str, name: str, text: str) -> Iterator[str]:
    yield f"<!-- file: my-{game}/{name}.yaml -->\n```yaml\n{text.strip()}\n```"


def _names(symbols: Symbols, notation: Notation) -> Iterator[str]:
    operations = [
        f"{one.name}({', '.join(param.name for param in one.params)})"
        for one in symbols.operations.values()
        if one.kind == "operation"
    ]
    fields: dict[str, list[str]] = {}
    for name, owners in symbols.fields.items():
        for entity in owners:
            fields.setdefault(entity, []).append(name)
    yield _line("operations", operations)
    yield _line(
        "moments", (one.name for one in symbols.operations.values() if one.kind == "moment")
    )
    yield _line("queries and measures", (one.name for one in symbols.callables.values()))
    yield _line("variables", symbols.scope)
    yield _line("zones", symbols.zones)
    values = (f"{enum}: {' '.join(map(str, of_it))}" for enum, of_it in symbols.enums.items())
    yield _line("values", (one for one in values if not one.startswith("Stat:")))
    yield _line("fields", (f"{entity}: {' '.join(names)}" for entity, names in fields.items()))
    yield _line("`given:` of a case", notation.given)
    yield _line("`then:` of a case", notation.then)


def _line(title: str, names: Iterable[str]) -> str:
    listed = "; ".join(f"`{one}`" for one in names)
    return f"- {title}: {listed or 'none'}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")

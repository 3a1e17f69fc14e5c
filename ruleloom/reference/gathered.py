"""The data for all pages of a site, gathered once: items, names with their links, cases, hooks.

An item is on the page of its kind, with its full id as the anchor; any other name is on the page of its
sort, at `SORT-NAME`. So external links stay valid as long as the ids do, and a link to a name can be
made without building the site.

A text of a game (an effect, a case, a printed value) is split into pieces, and those that are names have
a link. Quoted words, comments, and names without a page are not linked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from textwrap import dedent
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.analysis.words import GameWord, Words, call_text, slug_of
from ruleloom.compiler.analysis.yaml_cursor import Node, nodes_of, step_names
from ruleloom.compiler.cases.case_file import Case, cases_in, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import KINDS_WITHOUT_ID, Content, Item
from ruleloom.compiler.pipeline import names_of
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.yaml.node import text_of, written
from ruleloom.runtime.program.expr import expressions_of, leading_to, walk
from ruleloom.runtime.program.program import Expr, Origin, Program
from ruleloom.runtime.program.values import Type

# The page of each sort of name.
PAGES: Final = {
    "operation": "events",
    "event": "events",
    "roll": "events",
    "menu": "events",
    "type": "words",
    "value": "words",
    "field": "words",
    "query": "words",
    "zone": "words",
    "variable": "words",
    "kind": "kinds",
    "prompt": "prompts",
    "clause": "clauses",
    "given": "cases",
    "step": "cases",
    "claim": "cases",
    "statement": "effects",
}
# The complement of the characters kept in anchors and links; any other is written by its code point.
PLAIN = re.compile(r"[^A-Za-z0-9:/._-]")
# The same for file names: lower case only, as some file systems ignore case.
PLAIN_IN_FILES = re.compile(r"[^a-z0-9.-]")


def spelled_out(text: str, strange: re.Pattern[str] = PLAIN) -> str:
    """A text as an anchor: `strange` characters become `_` and hex."""
    return strange.sub(lambda sign: f"_{ord(sign[0]):x}", text)


def anchor_of(sort: str, name: str) -> str:
    """The anchor of a name within its page."""
    return f"{sort}-{spelled_out(name)}"


def link_to(sort: str, name: str) -> str:
    """The page and anchor of a name other than an item."""
    return f"{PAGES[sort]}.html#{anchor_of(sort, name)}"


def page_of_kind(kind: str) -> str:
    """The page of all items of a kind."""
    return f"kind-{kind}.html"


def item_link(id: str) -> str:
    """The page and anchor of an item, by its id `pack:kind/name`."""
    return f"{page_of_kind(id.partition(':')[2].partition('/')[0])}#{spelled_out(id)}"


CLAUSE = ":clause/"
# The sort on the site for each table of meanings other than items.
SORTS = {"moment": "operation", "enum": "type"} | {
    sort: sort
    for sort in ("operation", "query", "type", "value", "field", "zone", "variable", "kind")
}


def link_of(meaning: Meaning) -> str:
    """The link to a meaning: its page and anchor; empty if it has none, such as a local variable."""
    name, sort = meaning.name, SORTS.get(meaning.table, "")
    if meaning.table == "item":
        is_clause = CLAUSE in name
        return link_to("clause", name.partition(CLAUSE)[2]) if is_clause else item_link(name)
    if sort == "field":  # on the site, fields are qualified by their owner
        return link_to(sort, name) if "." in name else ""
    return link_to(sort, name.rpartition(".")[2]) if sort else ""


def page_of_cases(pack: str, path: str) -> str:
    """The page of the cases of one file of a pack."""
    parts = [spelled_out(part, PLAIN_IN_FILES) for part in (pack, *path.split("/"))]
    return f"cases-{'~'.join(parts)}.html"


def case_link(pack: str, path: str, id: str) -> str:
    """The page and anchor of a case."""
    return f"{page_of_cases(pack, path)}#{anchor_of('case', id)}"


# Clauses have a page of their own; rules of migration are for packs of before.
NOT_ITEMS = frozenset({*KINDS_WITHOUT_ID, "pack", "clause", "migration"})
# In order of precedence: a comment, a quoted string, a prose field, the id of an item, and a word
# with the signs of its use or call.
TOKEN = re.compile(
    r"""(?<!\S)\#[^\n]*
    |"[^"\n]*"
    |\b(?:title|text|english|gloss|note|why|reason):\ *[^",{}\n]*
    |(?P<id>[a-z][a-z0-9_-]*:[a-z-]+/[A-Za-z0-9_-]+)
    |(?P<use>\buse\s+)?(?P<word>(?<![\w.\#-])[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)(?P<call>\()?
    """,
    re.VERBOSE,
)


class Piece(NamedTuple):
    """A segment of text and its link; empty for none."""

    text: str
    href: str = ""


PageRow = Mapping[str, Any]
"""The data of a row, for its page's template."""


class WordRow(SimpleNamespace):
    """The row of a name, with the attributes that the template of its sort reads."""


class KnownNames:
    """The links of all names of a game."""

    def __init__(self, content: Content, analysis: GameAnalysis) -> None:
        self.items = {item.id: item for item in content.items if item.kind not in NOT_ITEMS}
        words, symbols = analysis.words, analysis.symbols
        self.powers = _links(words.powers) | self._of_kinds("flow")
        self.called = {
            **_links(words.fields),
            **self.powers,
            **_links(words.events),
            **self._of_kinds("lasting"),
            **_links(words.keywords, words.numbers, words.operations),
        }
        types = (*symbols.enums, *symbols.entities)
        self.types = {name: link_to("type", name) for name in types}
        named: dict[str, dict[str, GameWord]] = defaultdict(dict)
        for word in words.values.values():
            named[word.sort][word.name] = word
        self.plain = {
            **_links(words.numbers, words.operations),
            **self.types,
            **self._of_kinds("bonus", "tag", "switch", "setting"),
            **_links(named["zone"], named["variable"]),
            **self._of_kinds(*symbols.kinds),
            **_links(*words.things.values(), *words.options.values()),
        }

    def _of_kinds(self, *kinds: str) -> dict[str, str]:
        items = (one for one in self.items.values() if one.kind in kinds)
        return {one.slug: item_link(one.id) for one in items}

    def pieces(self, text: str) -> list[Piece]:
        """A text with its names linked."""
        found: list[Piece] = []
        begun = 0
        for token in TOKEN.finditer(text):
            href, start, end = self._token(token)
            if href:
                found += [Piece(text[begun:start])] if start > begun else []
                found.append(Piece(text[start:end], href))
                begun = end
        return [*found, Piece(text[begun:])] if begun < len(text) else found

    def _token(self, token: re.Match[str]) -> tuple[str, int, int]:
        """The link of a token's name, empty without one, and its span."""
        if token["id"]:
            href = item_link(token["id"]) if token["id"] in self.items else ""
            return href, *token.span("id")
        word = token["word"]
        if not word:
            return "", 0, 0
        if token["use"]:
            href = self.powers.get(word, "")
        elif token["call"]:
            href = self.called.get(word, "")
        else:
            href = self.plain.get(slug_of(word), "")
        return href, *token.span("word")

    def typed(self, text: str) -> list[Piece]:
        """A text with the names of the game's types linked and nothing else."""
        parts = re.split(r"([A-Za-z][A-Za-z0-9]*)", text)
        return [Piece(part, self.types.get(part, "")) for part in parts if part]

    def signature(self, one: Signature) -> list[Piece]:
        """The signature of a callable, with its name and types linked."""
        whole, named = call_text(one), self.powers if one.kind == "power" else self.called
        sort = SORTS.get(one.kind, "")
        href = link_to(sort, one.name) if sort else named.get(one.name)
        return [Piece(one.name, href or ""), *self.typed(whole[len(one.name) :])]

    def value(self, data: Any) -> list[Piece]:
        """A plain value as YAML, with its names linked."""
        return self.pieces(written(data))


def _links(*tables: Words) -> dict[str, str]:
    """The links of the words that have one, by name; a later table wins."""
    links = ((word.name, _link(word)) for table in tables for word in table.values())
    return {name: link for name, link in links if link}


def _link(word: GameWord) -> str:
    if word.sort == "event":
        return link_to("event", word.name)
    return link_to("field", word.id) if word.sort.startswith("field ") else link_of(word.meaning)


class MenuHook(NamedTuple):
    """A menu that ways can extend: its parameters' names, and its own ways."""

    item: Item
    name: str
    told: str
    ways: tuple[str, ...]

    @property
    def called(self) -> str:
        """The menu's head as written."""
        return f"{self.name}({self.told})" if self.told else self.name


class RollHook(NamedTuple):
    """A roll that other items can answer: `dice` for separate dice, else a sum; the number of dice and
    their sides, if constant."""

    item: Item
    name: str
    dice: bool
    many: int | None = None
    sides: int | None = None


def rolls(nodes: Iterable[Node], settings: Mapping[str, object] | None = None) -> list[RollHook]:
    """The rolls of all texts by name, with their dice by these settings."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.RollStmt):
            dice = one.part.dice
            count, sides = (number_of(said, settings or {}) for said in (dice.count, dice.sides))
            found.append(RollHook(one.item, one.part.name.id, one.part.each, count, sides))
    return sorted(found, key=lambda roll: (roll.name, roll.item.id))


def number_of(said: int | ast.Expr, settings: Mapping[str, object]) -> int | None:
    """A literal's or setting's value; None if it varies."""
    value: object = said
    if isinstance(said, ast.NumberLiteral):
        value = said.value
    elif isinstance(said, ast.Name):
        value = settings.get(said.id)
    return value if isinstance(value, int) else None


def menus(nodes: Iterable[Node]) -> list[MenuHook]:
    """The menus of all texts, sorted by head."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.ChooseOneStmt) and one.part.menu is not None:
            told = ", ".join(name.id for name in one.part.menu.told)
            ways = tuple(mode.label.value for mode in one.part.modes)
            found.append(MenuHook(one.item, one.part.menu.name.id, told, ways))
    return sorted(found, key=lambda menu: menu.called)


def steps(content: Content) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each effect text with steps, by id, and their names in order."""
    for item in content.items:
        text = text_of(item.fields.get("effect"))
        names = step_names(text) if "step " in text else ()
        if names:
            yield item.id, names


class Limit(NamedTuple):
    """A stat or rule, the settings that it starts from, and the items and operations that it applies in."""

    item: Item
    settings: Sequence[str]
    applies_in: Sequence[Piece]

    @property
    def start(self) -> list[str]:
        """Its starting value and bounds, as written."""
        said = (("", "is"), ("at least ", "least"), ("at most ", "most"))
        texts = ((word, " ".join(str(self.item.data(of) or "").split())) for word, of in said)
        return [f"{word}`{text}`" for word, text in texts if text]


def limits(content: Content, program: Program, kind: str = "stat") -> list[Limit]:
    """The stats or rules of a game, in file order."""
    reads = _formulas_read(program)
    bounds = {one.id: (one.base, one.least, one.most) for one in program.stats}
    places = {
        one.name: Piece(one.name, link_to("operation", one.name)) for one in program.operations
    }
    for routine in program.routines:
        item = content.by_id.get(routine.id.partition("#")[0])
        if item is not None:
            places[routine.id] = Piece(item.name, item_link(item.id))
    found = []
    for item in content.by_kind(kind):
        met = leading_to([item.id], reads)
        settings = _named(filter(None, bounds.get(item.id, ())), ("setting",))
        found.append(
            Limit(
                item, sorted(settings), [*dict.fromkeys(places[id] for id in places if id in met)]
            )
        )
    return found


FORMULAS = ("function", "allowed")


def _formulas_read(program: Program) -> dict[str, set[str]]:
    """The formulas that each formula, routine and operation reads."""
    parts = (
        *((one.id, [one.body]) for one in program.functions),
        *((one.id, _expressions(one.rows)) for one in program.routines),
        *((one.name, _expressions([one])) for one in program.operations),
    )
    return {name: _named(exprs, FORMULAS) for name, exprs in parts}


def _expressions(parts: Iterable[object]) -> Iterator[Expr]:
    """The expressions of some parts of a program."""
    return (expr for part in parts for expr in expressions_of(part))


def _named(exprs: Iterable[Expr], forms: Collection[str]) -> set[str]:
    """The names in some expressions with one of these forms."""
    return {str(part[1]) for expr in exprs for part in walk(expr) if part[0] in forms}


def open_bounds(moment: Signature) -> list[str]:
    """The bounds of a moment's open value, in words."""
    bounds = (("at least", moment.open_least), ("at most", moment.open_most))
    return [f"{word} {bound[1]}" for word, bound in bounds if bound is not None]


# The shapes of cases, in teaching order.
SHAPES = ("steps", "attempt", "odds", "things", "refusal")


class CaseEntry(NamedTuple):
    """One case: its data, its link, its text with names linked, and its raw text."""

    case: Case
    href: str
    text: tuple[Piece, ...]
    raw: str

    @property
    def title(self) -> str:
        """The title, else the id as words."""
        return self.case.title or self.case.id.replace("-", " ").replace("_", " ")

    @property
    def shape(self) -> str:
        """The shape of the case; empty if it cannot be run."""
        if self.case.steps is None or self.case.fault:
            return ""
        if self.case.then.get("legal") is False:
            return "refusal" if self.case.steps else ""
        if self.case.texts:
            return "odds" if "odds" in self.case.then else "attempt"
        return "steps" if self.case.steps else "things"


class CaseFile(NamedTuple):
    """A file of cases and the page that shows it."""

    pack: str
    path: str
    page: str
    about: str
    cases: tuple[CaseEntry, ...]


def case_files(content: Content, names: KnownNames) -> Iterator[CaseFile]:
    """The case files of all packs, in order."""
    for shown in content.scenarios:
        pack, path = content.files[shown]
        source = content.sources[shown]
        tree = content.cases.get(source.path)  # parsed only for the packs named on compilation
        cases = (read_cases(source, Report(), content) if tree is None else cases_in(tree)) or ()
        lines = source.text.splitlines()
        texts = _texts(lines, [case.line for case in cases])
        entries = (
            CaseEntry(case, case_link(pack, path, case.id), tuple(names.pieces(text)), text)
            for case, text in zip(cases, texts, strict=True)
        )
        yield CaseFile(pack, path, page_of_cases(pack, path), _about(lines), tuple(entries))


def _texts(lines: Sequence[str], starts: Sequence[int]) -> Iterator[str]:
    """The text of each case, dedented, without comments before the next."""
    for start, end in zip(starts, (*starts[1:], len(lines) + 1), strict=True):
        own = list(lines[start - 1 : end - 1])
        while len(own) > 1 and (not own[-1].strip() or own[-1].lstrip().startswith("#")):
            own.pop()
        yield dedent("\n".join(own))


def _about(lines: Sequence[str]) -> str:
    """The comment that opens a file."""
    found = []
    for line in lines:
        if not line.startswith("#"):
            break
        found.append(line.lstrip("# ").rstrip())
    return " ".join(found)


# The text before an ability in the line of an item.
LEAD = re.compile(r"^\s*(?:abilities:\s*)?")
LONGEST_LINE = 120


class Gathered:
    """The gathered data of a game: items, names, cases and texts."""

    def __init__(self, content: Content, program: Program) -> None:
        self.content, self.program = content, program
        self.symbols: Symbols = names_of(content)
        self.names = KnownNames(content, GameAnalysis(content, program))
        self.texts = dict(program.texts)
        self.cards = program.card_texts()
        self.nodes: list[Node] = list(nodes_of(content))
        self.kept = {one.operation for one in program.always}
        self.infos = {one.name: one for one in program.operations}

    @cached_property
    def files(self) -> Sequence[CaseFile]:
        """The case files, in order."""
        return tuple(case_files(self.content, self.names))

    @cached_property
    def users(self) -> Mapping[str, Sequence[Piece]]:
        """The items whose texts use a name, by name."""
        return self._linked(
            (node.part.id, node.item.id) for node in self.nodes if isinstance(node.part, ast.Name)
        )

    def _linked(self, pairs: Iterable[tuple[str, str]]) -> dict[str, list[Piece]]:
        """Links to items by name, from pairs of name and item id."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for name, id in pairs:
            found[name][id] = None
        return {name: self.links(ids) for name, ids in found.items()}

    @property
    def items(self) -> Mapping[str, Item]:
        """The items that the site shows, by id."""
        return self.names.items

    def values_of(self, type_name: str) -> Sequence[str]:
        """The values of an enum; none of another type."""
        return self.symbols.enums.get(Type.parse(type_name).name, ())

    def kinds_making(self, entity: str) -> list[str]:
        """The kinds of items that make things of an entity."""
        return [kind for kind, made in self.symbols.kinds.items() if made == entity]

    def fields_of(self, entity: str) -> list[FieldSymbol]:
        """The fields of an entity."""
        owned = self.symbols.fields.values()
        return [owners[entity] for owners in owned if entity in owners]

    def mention(self, id: str) -> Piece:
        """A link to an item; plain text for an unknown id."""
        item = self.items.get(id)
        return Piece(id) if item is None else Piece(title_of(item), item_link(id))

    @cached_property
    def cases_of(self) -> Mapping[str, list[CaseEntry]]:
        """The cases that mention a name, by its link."""
        return self._cases_by(lambda case: hrefs_of(case.text))

    @cached_property
    def cases_of_clause(self) -> Mapping[str, list[CaseEntry]]:
        """The cases for each clause."""
        return self._cases_by(lambda case: set(case.case.clauses))

    def _cases_by(self, names: Callable[[CaseEntry], set[str]]) -> Mapping[str, list[CaseEntry]]:
        """The cases of all files, by each of `names`."""
        found: dict[str, list[CaseEntry]] = defaultdict(list)
        for case in (case for file in self.files for case in file.cases):
            for name in names(case):
                found[name].append(case)
        return found

    @cached_property
    def items_of_clause(self) -> Mapping[str, list[Piece]]:
        """The items that fulfil a clause."""
        return self._linked(
            (clause, id) for id, item in self.items.items() for clause in clauses_of(item)
        )

    @cached_property
    def done_by(self) -> Mapping[str, list[Piece]]:
        """The items whose texts perform an operation or announce a moment.

        A program has no row for a moment that nothing answers, so texts are searched.
        """
        done = self._linked(
            (node.part.name.id, node.item.id)
            for node in self.nodes
            if isinstance(node.part, ast.CallExpr) and node.part.name.id in self.symbols.operations
        )
        answers = {name: {one.href for one in many} for name, many in self.answered_by.items()}
        return {
            name: [one for one in many if one.href not in answers.get(name, ())]
            for name, many in done.items()
        }

    @cached_property
    def answered_by(self) -> Mapping[str, list[Piece]]:
        """The items that answer or replace an event."""
        triggers = ((one.event, one.id) for one in self.program.triggers)
        instead = ((one.operation, one.routine) for one in self.program.replacements)
        return self._linked((name, id.partition("#")[0]) for name, id in (*triggers, *instead))

    def line_at(self, origin: Origin) -> str:
        """The source line at an origin, without its YAML framing, shortened."""
        shown = self._files.get((origin.pack, origin.path), "")
        lines = self.content.sources[shown].text.splitlines() if shown else []
        line = lines[origin.line - 1] if origin.line <= len(lines) else ""
        short = LEAD.sub("", line[origin.column - 1 :] if line.startswith("- {") else line)
        return short if len(short) <= LONGEST_LINE else f"{short[: LONGEST_LINE - 3]}..."

    @cached_property
    def _files(self) -> Mapping[tuple[str, str], str]:
        """Shown paths, by pack and path."""
        return {place: shown for shown, place in self.content.files.items()}

    def links(self, ids: Iterable[str]) -> list[Piece]:
        """Links to those items that are shown."""
        return [self.mention(id) for id in ids if id in self.items]


def title_of(item: Item) -> str:
    """The title of an item, else its name."""
    return str(item.data("title") or item.name)


def clauses_of(item: Item) -> list[str]:
    """The clauses that an item implements."""
    listed, one = item.data("clauses"), item.data("clause")
    found = [*(listed if isinstance(listed, list) else []), *([one] if one else [])]
    return [str(clause) for clause in found]


def hrefs_of(pieces: Iterable[Piece]) -> set[str]:
    """The links of pieces of text."""
    return {piece.href for piece in pieces if piece.href}

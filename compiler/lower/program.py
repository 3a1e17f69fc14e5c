"""The state of a build, and the program assembled from it at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Reason
from ruleloom.compiler.lower.routines import Bodies, Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.query.reuse import Generation, Reuse
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event
from ruleloom.compiler.yaml.node import YamlNode, fields_of, to_data
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, slots_read, substitute, walk
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import parse_point

Answer: TypeAlias = tuple[int, Expr | None]
"""The row of a prompt, and its player (None: me)."""
EACH: Expr = ("players",)
"""The answerer of a table with an answer of each player."""
HANDED: Expr = ("scope", program.DOER)
KEPT: Expr = ("kept",)
"""The doer of a use without an answer before it: the current one."""

PLACED = ("given", "then")
"""The parts of a notation that say what lies where."""


class Response(Frozen):
    """The text of a response: its block, and its event, each with its passage."""

    id: str
    item: Item
    passage: Passage
    body: tuple[ast.Stmt, ...]
    said: Passage
    event: ast.CallExpr


@dataclass(slots=True, eq=False)
class Build:
    """The state of a build between content and program: the results of the passes so far."""

    content: Content
    report: Report
    symbols: Symbols
    reason: Reason | None
    """Words the condition of a refused option; None if no reasons are needed."""
    before: Generation | None = None
    """An earlier build of some or all of the same packs."""
    reuse: Reuse = field(init=False)
    bodies: Bodies = field(init=False)
    entities: tuple[program.Entity, ...] = ()
    functions: list[program.Function] = field(default_factory=list)
    stats: list[program.Stat] = field(default_factory=list)
    scope: list[program.ScopeVariable] = field(default_factory=list)
    assignments: dict[str, tuple[program.Assignment, ...]] = field(default_factory=dict)
    """The assignments of each operation that needs no driver."""
    moves: dict[str, tuple[program.Move, ...]] = field(default_factory=dict)
    """The moves of each operation that needs no driver."""
    checked: dict[str, Checked] = field(default_factory=dict)
    """Each routine by its id, before its bounds are known."""
    items: dict[str, Item] = field(default_factory=dict)
    """The item of each routine whose id differs from its item's."""
    triggers: list[program.Trigger] = field(default_factory=list)
    replacements: list[program.Replacement] = field(default_factory=list)
    borne: dict[str, program.Expr | None] = field(default_factory=dict)
    among: dict[str, tuple[int, str, program.Expr]] = field(default_factory=dict)
    """The slot, kind and list of the bearers of each answer of an item with such a list, by id."""
    always: list[program.Always] = field(default_factory=list)
    requirements: list[program.Requirement] = field(default_factory=list)
    sheets: list[program.Sheet] = field(default_factory=list)
    layouts: list[program.CardLayout] = field(default_factory=list)
    summaries: Summaries = field(init=False)
    """The summaries of all routines."""
    routines: list[program.Routine] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reuse = Reuse(self.symbols, self.before, self.report)

    @property
    def is_sound(self) -> bool:
        """Whether the game is complete and without errors so far."""
        broken = self.report.has_errors or self.symbols.poisoned
        return self.content.complete and not broken

    @property
    def effects(self) -> dict[str, tuple[ast.Stmt, ...]]:
        """Return the statements of each effect that could be parsed, by item id."""
        return {id: block[1] for id, block in self.bodies.blocks.items() if block is not None}

    def items_by_routine(self) -> dict[str, Item]:
        """Return the item of each routine by its id."""
        return {**self.content.by_id, **self.items}

    def rewrite(self, f: Callable[[program.Row], program.Row]) -> None:
        """Replace each row of all routines by `f` of it."""
        for id, one in self.checked.items():
            rows = tuple(map(f, one.routine.rows))
            if rows != one.routine.rows:
                self.checked[id] = one.with_rows(rows)

    def responses(self) -> Iterator[Response]:
        """Yield the responses of trigger items and of abilities."""
        for item in self.content.by_kind("trigger"):
            block = self.bodies.blocks.get(item.id)
            found = self.bodies.read(item.fields.get("event"), parse_event)
            if block is not None and found is not None:
                yield Response(item.id, item, *block, found[0].passage, found[1])
        for one in self.bodies.stats.abilities.reactions:
            item, said = one.texts[-1].item, one.texts[-1].passage
            yield Response(one.id, item, said, one.node.body, said, one.node.event)

    def flows(self) -> dict[str, str]:
        """Return the id of each flow by its name."""
        return {item.name: item.id for item in self.content.by_kind("flow")}


def summaries_of(build: Build) -> Summaries:
    """The summaries of the routines so far."""
    checked = build.checked.items()
    return Summaries(
        build.symbols,
        {id: one.routine for id, one in checked},
        {id for id, one in checked if one.once},
        build.entities,
        build.functions,
        build.assignments,
        build.moves,
        build.triggers,
        build.replacements,
    )


def notation_of(content: Content, zones: Iterable[program.Zone]) -> dict[str, Any]:
    """The notation of scenarios, as written; zones of packs go by their names."""
    fields = chain.from_iterable(one.fields.items() for one in content.by_kind("notation"))
    found: dict[str, Any] = {key: to_data(node) for key, node in fields if key != "kind"}
    beside = {one.name: {"zone": one.name} for one in zones if one.beside and not one.at}
    return found and {**found, **{part: {**beside, **found.get(part, {})} for part in PLACED}}


def assemble(build: Build, played: bool = True) -> program.Program:
    """Return the program of a game after its passes, without rules texts; doers are set only if `played`."""
    content, symbols = build.content, build.symbols
    game, flows = content.pack(content.game), build.flows()
    operations = _operations(build)
    named = {one.name for one in operations if one.shown and "{me}" in one.told}
    routines, doing = tuple(build.routines), tuple[program.ScopeVariable, ...]()
    if played:
        routines, doing = with_doers(build.routines, named)
    return program.Program(
        format=program.FORMAT,
        edition=int(game.manifest.data("edition")),
        game=content.game,
        title=str(game.manifest.data("title") or game.id),
        lock=tuple(program.Lock(one.id, one.version, one.hash) for one in content.packs),
        enums=tuple(symbols.enums.items()),
        points=tuple(symbols.points),
        entities=build.entities,
        zones=tuple(symbols.zones.values()),
        scope=(*build.scope, *doing),
        queries=tuple(
            program.QueryInfo(
                one.name, _params(one), str(one.result), one.reads, one.most, one.english, one.of
            )
            for one in symbols.callables.values()
            if one.kind == "query"
        ),
        operations=operations,
        settings=_settings(content, symbols),
        functions=tuple(build.functions),
        bonuses=tuple(symbols.bonuses.items()),
        stats=tuple(build.stats),
        routines=routines,
        triggers=tuple(build.triggers),
        always=tuple(build.always),
        set_up=flows.get("set_up", ""),
        turn=flows.get("turn", ""),
        texts=(),
        notation=notation_of(content, symbols.zones.values()) or None,
        requirements=tuple(build.requirements),
        sheets=tuple(build.sheets),
        layouts=tuple(build.layouts),
        replacements=tuple(build.replacements),
        words=words_of(build, "words"),
        rolls=words_of(build, "rolls"),
        counted=words_of(build, "counted"),
        patched=tuple(content.patched_rules().items()),
        spots=_spots(content),
        directions=_directions(content),
    )


def _spots(content: Content) -> tuple[program.PointWords, ...]:
    return tuple(
        program.PointWords(name, text, *parse_point(far.text or far.raw))
        for name, node, _ in sections(content, "values")
        for text, far, _ in fields_of(node.get("english"))
    )


def _directions(content: Content) -> tuple[program.Direction, ...]:
    return tuple(
        program.Direction(enum, value, *parse_point(far.text or far.raw))
        for enum, node, _ in sections(content, "directions")
        for value, far, _ in fields_of(node)
    )


def words_of(build: Build, part: str) -> tuple[tuple[str, str], ...]:
    """The words in a section of the vocabularies, by name."""
    return tuple((name, node.text or "") for name, node, _ in sections(build.content, part))


def _operations(build: Build) -> tuple[program.OperationInfo, ...]:
    written = {name: node for name, node, _ in sections(build.content, "operations")}
    return tuple(
        _operation(build, one, written.get(one.name))
        for one in build.symbols.operations.values()
        if one.kind != "moment"  # moments have a row of their own
    )


def _params(one: Signature) -> tuple[tuple[str, str], ...]:
    return tuple((param.name, str(param.type)) for param in one.params)


def _operation(build: Build, one: Signature, written: YamlNode | None) -> program.OperationInfo:
    log, shown = (written and written.get(word) for word in ("log", "shown"))
    return program.OperationInfo(
        one.name,
        _params(one),
        str(one.result) if one.result is not None else "",
        changed_by(build, one.name),
        one.touches,
        one.reveals,
        one.english,
        (log and log.text) or "",
        build.assignments.get(one.name),
        one.makes,
        build.moves.get(one.name, ()),
        shown is None or shown.value is not False,
    )


def changed_by(build: Build, operation: str) -> tuple[str, ...]:
    """The columns that an operation changes."""
    symbols = build.symbols
    if symbols.operations[operation].changes:
        return symbols.operations[operation].changes
    columns = [one.field for one in build.assignments.get(operation, ())]
    made = symbols.entities.get(symbols.operations[operation].makes)
    if made is not None:
        columns += [f"{made.name}.{one.name}" for one in made.fields.values()]
    moved = {symbols.zones[one.zone].of for one in build.moves.get(operation, ())}
    columns += [zone.name for zone in symbols.zones.values() if zone.of in moved]
    return tuple(dict.fromkeys(columns))


def _settings(content: Content, symbols: Symbols) -> tuple[program.Setting, ...]:
    items = {item.slug: item for kind in ("setting", "switch") for item in content.by_kind(kind)}
    return tuple(
        program.Setting(
            one.name,
            "Text" if one.options else str(one.type),
            one.value,
            one.options,
            str(items[one.name].data("clause") or ""),
            str(items[one.name].data("english") or ""),
            one.low,
            one.high,
        )
        for one in symbols.settings.values()
    )


def with_doers(
    routines: Sequence[program.Routine], named: Collection[str]
) -> tuple[tuple[program.Routine, ...], tuple[program.ScopeVariable, ...]]:
    """The routines with doers set for the operations `named`, and the variable that this needs."""
    given_back = _GivenBack(routines)
    told = tuple(_with_doers(one, named, given_back, handed=True) for one in routines)
    rows = list(chain.from_iterable(one.rows for one in told))
    handed = any(isinstance(row, program.Use) and row.by not in (None, ME) for row in rows)
    if handed and any(isinstance(row, program.Operate) and row.by == HANDED for row in rows):
        return told, (program.ScopeVariable(program.DOER, "Player?", "game", None, shown=False),)
    return tuple(_with_doers(one, named, given_back, handed=False) for one in routines), ()


def _with_doers(
    routine: program.Routine, named: Collection[str], given_back: _GivenBack, handed: bool
) -> program.Routine:
    """The routine with doers set; if `handed`, uses of powers have one as well."""
    answers, rows = _Answers(routine.rows, given_back), list(routine.rows)
    for pc, row in enumerate(routine.rows):
        if isinstance(row, program.Operate) and row.operation in named:
            by = answers.doer(pc, row, HANDED if handed else None)
            rows[pc] = row if by is None else replace(row, by=by)
        elif handed:
            rows[pc] = _with_hand(answers, pc, row)
        answers.note(pc, row)
    told = tuple(rows)
    return routine if told == routine.rows else replace(routine, rows=told)


def _with_hand(answers: _Answers, pc: int, row: program.Row) -> program.Row:
    """A row, with its doer set if it uses a power."""
    if isinstance(row, program.UsePower) and "me" in dict(row.scope):
        return replace(row, scope=(*row.scope, (program.DOER, ("value", None))))
    if not isinstance(row, program.Use):
        return row
    by = answers.doer(pc, row, KEPT)
    return row if by == KEPT else replace(row, by=ME if by is None else by)


class _GivenBack:
    """The player behind the last answer that each routine returns, in terms of its parameters."""

    def __init__(self, routines: Iterable[program.Routine]) -> None:
        self.routines = {one.id: one for one in routines}
        self.known: dict[str, Answer | None] = {}

    def of(self, id: str) -> Answer | None:
        """The answer that a routine returns; None without one, or if its player is unknown outside."""
        if id not in self.known:
            self.known[id] = None  # for recursion
            self.known[id] = self._found(self.routines[id])
        return self.known[id]

    def _found(self, routine: program.Routine) -> Answer | None:
        answers, last = _Answers(routine.rows, self), None
        for pc, row in enumerate(routine.rows if routine.result >= 0 else ()):
            answers.note(pc, row)
            if getattr(row, "slot", -1) == routine.result:
                last = answers.given.get(routine.result, last)
        if last is None or last[1] is None:
            return last
        by = substitute(last[1], _set_once(routine))
        known = set(range(len(routine.params))) - answers.changing
        return (last[0], by) if slots_read(by) <= known else None


def _set_once(routine: program.Routine) -> dict[int, Expr]:
    """The values of slots assigned once."""
    setting = Counter(getattr(row, "slot", -1) for row in routine.rows)
    lets = (row for row in routine.rows if isinstance(row, program.Let) and setting[row.slot] == 1)
    return {row.slot: row.value for row in lets}


class _Answers:
    """The answers so far: those in slots, and those that led to the enclosing modes."""

    def __init__(self, rows: tuple[program.Row, ...], given_back: _GivenBack) -> None:
        self.rows, self.given_back = rows, given_back
        self.changing = {getattr(row, "slot", -1) for row in rows}
        self.given: dict[int, Answer] = {}
        self.ways: list[tuple[int, Answer]] = []

    def doer(
        self, pc: int, row: program.Operate | program.Use, otherwise: Expr | None
    ) -> Expr | None:
        """The player of the last answer behind an operation or use."""
        answers = [one for arg in row.args for one in self._within(arg)]
        answers += [answer for end, answer in self.ways if end > pc]
        return max(answers, key=itemgetter(0), default=(pc, otherwise))[1]

    def note(self, pc: int, row: program.Row) -> None:
        """Note a row."""
        if isinstance(row, program.Modal):
            self.ways.append((self._end(row), (pc, row.by)))
        slot = getattr(row, "slot", -1)
        answer = self._put(pc, row)
        self.given.pop(slot, None)
        if answer is not None:
            self.given[slot] = answer

    def _end(self, row: program.Modal) -> int:
        """The row after all modes of a prompt."""
        first = row.modes[0]
        jumps = (one for one in self.rows[first.to :] if isinstance(one, program.Jump))
        return next(one.to for one in jumps if one.origin == first.origin)

    def _put(self, pc: int, row: program.Row) -> Answer | None:
        """The answer that a row puts into its slot."""
        match row:
            case program.Choose() | program.Ask():
                return pc, row.by
            case program.Secret():
                return pc, EACH
            case program.Use(routine=id, args=args) if (back := self.given_back.of(id)) is not None:
                by = back[1]
                return pc, None if by is None else substitute(by, dict(enumerate(args)))
            case program.Let():
                last = max(self._within(row.value), key=itemgetter(0), default=None)
                by = last[1] if last is not None else None
                # A value gathered over several rounds has no single owner.
                gathered = row.value[0] not in ("slot", "lookup")
                if by is None or not (gathered and slots_read(by) & self.changing):
                    return last
        return None

    def _within(self, expr: Expr) -> Iterator[Answer]:
        """Yield the answers that an expression depends on."""
        for one in walk(expr):
            match one:
                case ("lookup", ("slot", slot), key) if self._is_table(slot):
                    yield self.given[slot][0], key
                case ("slot", slot) if slot in self.given and not self._is_table(slot):
                    yield self.given[slot]

    def _is_table(self, slot: int) -> bool:
        return slot in self.given and self.given[slot][1] == EACH

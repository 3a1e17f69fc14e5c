"""Making local variables: a new name must not mean anything yet, and knows where it was made."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.flow.context import MISMATCHED, Context
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.query.lookups import NEVER_SAME
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import fits, is_unknown, join
from ruleloom.runtime.program.values import Type


def fresh_local(
    ctx: Context, name: ast.Name, type_: Type, word: str, slot: int | None = None
) -> Local:
    """A new local, after a complaint if its name is taken. It is not visible yet."""
    clash = clashes(ctx, name)
    place = ctx.passage.place(name.span)
    slot = ctx.slot(name.id) if slot is None else slot
    local = Local(name.id, slot, type_, place, word, used=clash)
    ctx.locals.append(local)
    ctx.symbols.uses.note_local(ctx.passage, name, declares=True)
    return local


def clashes(ctx: Context, name: ast.Name) -> bool:
    """Complain if a new name already means something here."""
    mine = ctx.flow.visible.get(name.id)
    if mine is not None and mine is ctx.result:
        return False
    if mine is not None and name.id in ctx.flow.certain:
        mine.use()
        note = Note(mine.place, f"`{name.id}` is {mine.word} here")
        message = f"`{name.id}` already means something here"
        help = f"another name, or `set {name.id} = ...` to change it"
        ctx.error("name-clash", name, message, help, (note,))
        return True
    if ctx.symbols.is_value_name(name.id):
        place = ctx.symbols.places.get(("value", name.id))
        notes = (Note(place, f"`{name.id}` is declared here"),) if place else ()
        message = f"`{name.id}` already means something everywhere"
        ctx.error("name-clash", name, message, "another name", notes)
        return True
    return False


def set_local(ctx: Context, local: Local) -> None:
    """From here on the local is set. The variable of `gives:` must get what it promises."""
    result = ctx.result
    if result is not None and result.name == local.name:
        if not fits(local.type, result.type):
            write = f'write `gives: "{local.name}: {local.type}"`'
            help = None if is_unknown(local.type) else write
            promised = f"`gives:` promises {ctx.say(result.type)}"
            message = f"`{local.name}` is {ctx.say(local.type)} here, but {promised}"
            notes = (Note(result.place, "promised here"),)
            ctx.report.error("type-mismatch", local.place, message, help, notes)
            ctx.told.add(MISMATCHED + local.name)
        local.used = True
    ctx.enter(local)


def slot_types(ctx: Context) -> tuple[str, ...]:
    """The type of each slot, as a program keeps it; empty where it is unknown or not a single one."""
    found: list[Type | None] = list(ctx.slot_types)
    for local in ctx.held:
        before = found[local.slot]
        if before is not None and is_unknown(before):
            found[local.slot] = local.type
        elif before is not None and not is_unknown(local.type):
            found[local.slot] = join(before, local.type)
    return tuple(
        "" if type_ is None or is_unknown(type_) else ctx.symbols.kept_type(type_)
        for type_ in found
    )


# The verb for each way to set a local; a text asked for is read by people, so it is never unused.
WORDS = {word: word for word in ("set", "rolled", "given", "chosen", "drawn")}
WORDS["the number of the round"] = "counted"


def unused_locals(ctx: Context) -> None:
    """Warn about locals of one text that are set and never read."""
    text, report = ctx.passage, ctx.report
    if report.has_errors_in(text.path) and report.errors_within(text.place((0, len(text.text)))):
        ctx.symbols.lookups.note(NEVER_SAME)
        return  # what is wrong may be the very use of them
    for local in ctx.locals:
        word = WORDS.get(local.word)
        if word is not None and not local.used and not report.errors_within(local.place):
            message = f"`{local.name}` is {word} and never used"
            report.warning("unused-name", local.place, message)

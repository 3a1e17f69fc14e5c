"""Adds the names of all items that texts can use, from tags and settings to lasting effects.

Only signatures are read here: ids, `takes:` and `gives:`. Defaults, bodies and effects are checked when
every name is known. An item with an invalid signature is added as broken, so that its uses are not
reported again. The tags are the values of a type, with a meaning only where a tag is expected; every
thing that items make has a printed list of them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean, offer
from ruleloom.compiler.packs import lasting_names
from ruleloom.compiler.packs.content import POWERS, WORD, Content, Item, slug_of
from ruleloom.compiler.packs.settings import (
    FRACTIONAL,
    TAG,
    TAGS,
    Families,
    amount,
    notice,
    sort_of,
)
from ruleloom.compiler.query.lookups import NEVER_SAME
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.declare import check_holes, claim, type_in, written_type
from ruleloom.compiler.resolve.embedded import ITEM, Meaning, Passage, read_text
from ruleloom.compiler.resolve.mod_sets import changed_names
from ruleloom.compiler.resolve.symbols import (
    STAT,
    TAG_TYPE,
    Bearer,
    FieldSymbol,
    Lasting,
    ParamSymbol,
    SettingSymbol,
    Signature,
    Symbols,
)
from ruleloom.compiler.resolve.values import KEY, key_param, looked_up, note_option
from ruleloom.compiler.resolve.vocabulary import int_of, read_bearer, sections
from ruleloom.compiler.schema.registry import is_tags
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_block, parse_params, parse_result
from ruleloom.compiler.types import PLAIN, UNKNOWN, is_unknown
from ruleloom.compiler.yaml.node import YamlNode, fields_of, items_of, text_of
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, TEXT, Type

# The table of names of each kind that takes parameters.
CALLED = {
    **dict.fromkeys(("rule", "measure", "stat", "table"), "call"),
    **dict.fromkeys(POWERS, "power"),
    "keyword": "keyword",
}


Amount = int | Fraction | None
# The kinds whose words are under `gloss:`.
GLOSSED = (*POWERS, "keyword")
# The results of kinds without `gives:`.
NO_GIVES = {"rule": BOOL, "stat": INT, "keyword": None, **dict.fromkeys(POWERS)}


def read_declarations(content: Content, symbols: Symbols, report: Report, reuse: Reuse) -> None:
    """Add every item that effect texts can name."""
    if "stat" in content.poisoned.kinds:
        symbols.poisoned.add(STAT)
    for item in content.by_kind("setting"):
        _setting(item, symbols, report)
    for item in content.by_kind("switch"):
        _switch(content, item, symbols, report)
    _open_zones(content, symbols, report)
    _bonuses(content, symbols, report)
    _name_stats(content, symbols, report)
    for kind in CALLED:
        for item in content.by_kind(kind):
            _callable(content, item, symbols, report, reuse)
    for item in content.by_kind("fusion"):
        _fusion(content, item, symbols, report)
    _own_bearers(content, symbols, report)
    for item in (*content.by_kind("bonus"), *content.by_kind("standing")):
        check_holes(item.fields.get("english"), symbols, report)
    for item in content.by_kind("flow"):
        claim(symbols, report, "flow", item.name, item.place)


def _own_bearers(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the bearers of items that declare their own."""
    for item in content.by_kind("standing"):
        # All of a type bear the abilities, or those that `where` and `among` select.
        named, (where, among) = item.fields.get("for"), map(item.fields.get, ("where", "among"))
        type_ = type_in(symbols, report, named)
        if not is_unknown(type_) and (where is not None or among is not None):
            symbols.bearers[item.id] = Bearer(type_.name, where, item.place, among)
    for item in content.items:
        if "bearer" not in item.fields:
            continue
        # A game may have printed fields of this name.
        if symbols.kinds.get(item.kind, "") not in symbols.fields.get("bearer", ()):
            read_bearer(item.id, item.fields["bearer"], symbols, report)


def _bonuses(content: Content, symbols: Symbols, report: Report) -> None:
    for item in content.by_kind("bonus"):
        if claim(symbols, report, "bonus", item.slug, item.place):
            symbols.bonuses[item.slug] = str(item.data("keep") or "all")


def _open_zones(content: Content, symbols: Symbols, report: Report) -> None:
    """Report zones whose `open_if` is not an option of a switch."""
    switches = {one.name: one.options for one in symbols.settings.values() if one.options}
    written = (fields_of(zone.get("open_if")) for _, zone, _ in sections(content, "zones"))
    for name, node, place in chain.from_iterable(written):
        option = node.text or node.raw
        if name not in switches and not symbols.poisoned.may_declare(name):
            help = offer(name, switches)
            report.error("unknown-name", place, f"there is no switch `{name}`", help)
        elif name in switches and option not in switches[name]:
            help = offer(option, switches[name])
            message = f"`{name}` has no option `{option}`"
            report.error("unknown-name", node.place, message, help)
        else:
            symbols.used.add(name)


def _setting(item: Item, symbols: Symbols, report: Report) -> None:
    written = item.fields.get("type")
    type_ = type_in(symbols, report, written) if written is not None else _guessed(item, symbols)
    value = item.data("value")
    if type_ == FRACTION and (node := item.fields.get("value")) is not None:
        value = amount(node)
        if value is None:
            _wrong_value(item, report, "a number such as `3`, `1/2` or `0.5`, without quotes")
    _check_type(item, type_, value, symbols, report)
    if "type" not in item.fields and re.fullmatch(r"-?\d{16,}", item.fields["value"].raw):
        message = f"`{value}` has too many digits to be kept exactly as a number"
        help = "15 digits are the most; a text of digits stands in quotes"
        report.error("number-too-large", item.fields["value"].place, message, help)
    low, high = _bounds(item, type_, value, report)
    if claim(symbols, report, "value", item.slug, item.place):
        setting = SettingSymbol(item.slug, type_, value, (), low, high, item.place)
        symbols.settings[item.slug] = setting


def _bounds(item: Item, type_: Type, value: Any, report: Report) -> tuple[Amount, Amount]:
    """The bounds of a setting; without `min` and `max`, its value."""
    low, high = int_of(item.node, "min"), int_of(item.node, "max")
    if not isinstance(value, int | Fraction) or type_ not in (INT, FRACTION):
        return low, high
    if (low is not None and value < low) or (high is not None and value > high):
        message = f"{value} is not within `min` and `max`"
        help = f"`{item.name}` is {_span(low, high)}"
        report.error("out-of-bounds", item.fields["value"].place, message, help)
    return (value if low is None else low), (value if high is None else high)


def _span(low: Amount, high: Amount) -> str:
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"


def _check_type(item: Item, type_: Type, value: Any, symbols: Symbols, report: Report) -> None:
    if type_ == INT and not (isinstance(value, int) and not isinstance(value, bool)):
        _wrong_value(item, report, "a number")
    elif type_ == BOOL and not isinstance(value, bool):
        _wrong_value(item, report, "`true` or `false`")
    elif value in symbols.enums.get(type_.name, ()) and "value" in item.fields:
        note_option(symbols, type_, str(value), item.fields["value"])
    elif (options := symbols.options_of(type_)) and value not in options:
        place = item.fields.get("value", item.node).place
        help = offer(str(value), options)
        report.error("unknown-name", place, f"`{value}` is no {type_.name}", help)


def _guessed(item: Item, symbols: Symbols) -> Type:
    value = item.data("value")
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, str):
        if sort_of(item) == FRACTIONAL:
            return FRACTION
        return Type(symbols.values[value]) if value in symbols.values else TEXT
    return INT


def _wrong_value(item: Item, report: Report, wanted: str) -> None:
    node = item.fields.get("value", item.node)
    report.error("type-mismatch", node.place, f"the value of `{item.name}` must be {wanted}")


def _switch(content: Content, item: Item, symbols: Symbols, report: Report) -> None:
    node = item.fields.get("options")
    options = tuple(node.entries) if node is not None and node.kind == "map" else ()
    default = item.data("default")
    if options and default not in options:
        place = item.fields["default"].place if "default" in item.fields else item.place
        word = str(default)
        message = f"`{word}` is no option of `{item.name}`; {choices_text(word, options)}"
        report.error("unknown-name", place, message, did_you_mean(word, options))
        default = options[0]
    default = content.switches.get(item.slug, default)
    if claim(symbols, report, "value", item.slug, item.place):
        type_ = Type(item.slug) if options else UNKNOWN
        switch = SettingSymbol(item.slug, type_, default, options, None, None, item.place)
        symbols.settings[item.slug] = switch
        symbols.options.update(dict.fromkeys(switch.options, True))


def called_table(symbols: Symbols, kind: str) -> dict[str, Signature]:
    """The signature table of a kind of items with parameters."""
    lasting = {name: one.signature for name, one in symbols.lasting.items()}
    tables = {**dict.fromkeys(POWERS, symbols.powers), "keyword": symbols.keywords}
    return {**tables, "lasting": lasting}.get(kind, symbols.callables)


def _name_stats(content: Content, symbols: Symbols, report: Report) -> None:
    """Make the stat names the values of a type, so that a keyword can take one."""
    stats = content.by_kind("stat")
    if stats and claim(symbols, report, "type", STAT, stats[0].place):
        symbols.types[STAT] = stats[0].place
        symbols.enums[STAT] = tuple(dict.fromkeys(item.slug for item in stats))
        for item in stats:
            new = symbols.values.get(item.slug) != STAT
            if new and claim(symbols, report, "value", item.slug, item.place):
                symbols.values[item.slug] = STAT


def _callable(content: Content, item: Item, symbols: Symbols, report: Report, reuse: Reuse) -> None:
    inputs = item, content.files[item.source.path]
    read = partial(_signature, content, item, symbols, report)
    params, result, english, *rest = reuse.result(("signature", item.id), inputs, read)
    # A new object in each build, as later passes complete it.
    kind = "power" if item.kind in POWERS else item.kind
    signature = Signature(kind, item.slug, item.id, params, result, item.place, english)
    signature.result_name, signature.words, signature.broken = rest
    table = CALLED[item.kind]
    tables = (table, "value") if table == "call" and not signature.params else (table,)
    if all(claim(symbols, report, one, item.slug, item.place) for one in tables):
        called_table(symbols, item.kind)[item.slug] = signature
    reuse.changed(("callables", item.slug))


def _signature(content: Content, item: Item, symbols: Symbols, report: Report) -> tuple[Any, ...]:
    """The fields of the signature of an item."""
    if item.kind == "table":
        symbols.lookups.note(NEVER_SAME)  # values without a row are noted elsewhere
    params = params_of(content, item, symbols, report)
    result, result_name, fine = _result(content, item, symbols, report)
    written = item.fields.get("gloss" if item.kind in GLOSSED else "english")
    signature = Signature(
        item.kind, item.slug, item.id, params or (), result, item.place, text_of(written)
    )
    signature.result_name, signature.broken = result_name, params is None or not fine
    if params is not None or item.kind == "table":
        _check_texts(item, signature, written, symbols, report)
    told = signature.params, signature.result, signature.english
    return *told, signature.result_name, signature.words, signature.broken


def _check_texts(
    item: Item, signature: Signature, written: YamlNode | None, symbols: Symbols, report: Report
) -> None:
    key = (KEY,) if item.kind == "table" else ()
    asks = item.kind not in GLOSSED
    check_holes(written, symbols, report, signature.params, key, asks=asks)
    check_holes(item.fields.get("called"), symbols, report)
    if "words" in item.fields:
        signature.words = _words(item, signature, symbols, report)


def _words(item: Item, signature: Signature, symbols: Symbols, report: Report) -> dict[str, str]:
    """The words of parameters, results and variables for yes, or a variable's name."""
    params = {one.name: one.type for one in signature.params}
    types, own = dict(params), _own_names(item)
    if signature.result is not None and signature.result_name:
        types[signature.result_name] = signature.result
    found: dict[str, str] = {}
    for name, node, place in fields_of(item.fields.get("words")):
        type_ = types.get(name)
        if own is None or type_ == BOOL or (name in own and name not in params):
            found[name] = node.text or ""
        elif type_ is None:
            # A read of a variable that is never set is reported itself.
            is_read = name in WORD.findall(str(item.data("effect")))
            if not is_read or _is_of_all(name, symbols):
                message = f"`{item.slug}` has no `{name}` to put into words"
                report.error("unknown-name", place, message, did_you_mean(name, [*types, *own]))
        elif not is_unknown(type_):
            message = f"`{name}` is never yes or no, and has no yes to put into words"
            help = f"write `{{{name}}}` where it is to be read"
            report.error("type-mismatch", place, message, help)
    return found


def _is_of_all(name: str, symbols: Symbols) -> bool:
    """Whether a name has a global meaning by now."""
    symbols.lookups.note(NEVER_SAME)
    tables = (symbols.scope, symbols.fields, symbols.callables, symbols.operations, symbols.powers)
    return any(name in table for table in tables) or ("value", name) in symbols.places


def _own_names(item: Item) -> set[str] | None:
    """The variables that the effect of an item sets; None after a syntax error."""
    text = item.data("effect")
    try:
        block = parse_block(text) if isinstance(text, str) else ()
    except EffectSyntaxError:
        return None
    return {*changed_names(block)}


def params_of(
    content: Content, item: Item, symbols: Symbols, report: Report, field: str = "takes"
) -> tuple[ParamSymbol, ...] | None:
    """The parameters in a field of an item; None after an error."""
    if item.kind == "table":
        return key_param(item, symbols, report)
    if field not in item.fields:
        return ()
    written = read_text(content, item.fields[field], parse_params, report)
    if written is None:
        return None
    text, params = written
    found: dict[str, ParamSymbol] = {}
    for param in params:
        type_ = written_type(symbols, report, text, param.type)
        place = text.place(param.span)
        if param.name in found:
            report.error("name-clash", place, f"`{param.name}` stands here twice", "another name")
        else:
            _check_free(param.name, place, symbols, report)
        found[param.name] = ParamSymbol(param.name, type_, param.default)
        _note_param(symbols, text, param)
    return tuple(found.values())


def _note_param(symbols: Symbols, text: Passage, param: ast.Param) -> None:
    start = param.span[0]
    name = ast.Name((start, start + len(param.name)), param.name)
    symbols.uses.note_local(text, name, declares=True)


def _check_free(name: str, place: Place, symbols: Symbols, report: Report) -> None:
    if symbols.is_value_name(name):
        message = f"`{name}` already means something everywhere"
        report.error("name-clash", place, message, "another name")


def _result(
    content: Content, item: Item, symbols: Symbols, report: Report
) -> tuple[Type | None, str, bool]:
    """The type of the result, the name of a power's result variable, and whether they are valid."""
    node = item.fields.get("gives")
    if node is None or item.kind == "rule":
        return NO_GIVES.get(item.kind, UNKNOWN), "", True
    if item.kind in ("table", "measure", "stat"):
        by_key = item.kind == "table"
        type_ = looked_up(item, symbols, report) if by_key else type_in(symbols, report, node)
        return type_, "", not is_unknown(type_)
    found = read_text(content, node, parse_result, report)
    if found is None:
        return UNKNOWN, "", False
    text, written = found
    type_ = written_type(symbols, report, text, written.type)
    _check_free(written.name, text.place(written.span), symbols, report)
    _note_param(symbols, text, written)
    return type_, written.name, not is_unknown(type_)


def _fusion(content: Content, item: Item, symbols: Symbols, report: Report) -> None:
    parts: list[str] = []
    for one in items_of(item.fields.get("parts")):
        written = one.text or one.raw
        renamed = content.names_at(one.source.path).get(("power", written))
        if renamed is not None:
            notice(report, one.place, written, renamed, renamed.name)
        name = (renamed.name if renamed is not None else written).replace("-", "_")
        parts.append(name)
        if name not in symbols.powers and not symbols.poisoned.may_declare(name):
            help = did_you_mean(name, symbols.powers)
            report.error("unknown-power", one.place, f"there is no power `{name}`", help)
            # It may be the fusion of two powers that some text combines.
            symbols.poisoned.kinds.add("fusion")
    if claim(symbols, report, "fusion", " ".join(sorted(parts)), item.place):
        gloss = item.data("gloss") or ""
        signature = Signature("fusion", item.slug, item.id, (), None, item.place, gloss)
        symbols.fusions[tuple(parts)] = signature
    else:
        symbols.used.add(item.id)


def enter_lasting(content: Content, symbols: Symbols, report: Report) -> None:
    """Add every lasting effect."""
    for item in content.by_kind(lasting_names.KIND):
        names = lasting_names.Names(item)
        free = _is_free(names, symbols, report)
        params = params_of(content, item, symbols, report)
        signature = Signature(
            lasting_names.KIND, item.slug, item.id, params or (), None, item.place
        )
        on = _bearer(item, symbols, report)
        signature.broken = not free or params is None or on == UNKNOWN
        signature.broken |= not _are_free(item, signature, report)
        _check_fields(item, names, report)
        always = (
            lasting_names.OWNER_NAME,
            lasting_names.TIME_NAME,
            *((lasting_names.SELF,) if on is not None else ()),
        )
        check_holes(item.fields.get("english"), symbols, report, signature.params, always)
        symbols.lasting[item.slug] = Lasting(names, signature, on)
        if signature.broken:
            symbols.poisoned.add(names.entity, names.query)
        else:
            kept = (lasting_names.OWNER, lasting_names.TIME, lasting_names.BEARER)
            symbols.read.update(f"{names.entity}.{field}" for field in kept)


def _bearer(item: Item, symbols: Symbols, report: Report) -> Type | None:
    """The type of an effect's bearer; None without `on:`, UNKNOWN after an error."""
    written = item.fields.get("on")
    if written is None:
        return None
    on = type_in(symbols, report, written)
    if on.name in PLAIN and not is_unknown(on):
        message = f"nothing lies on a value of the type `{on}`"
        help = "an entity, a point or an enum; without `on:` it lies on the table"
        report.error("type-mismatch", written.place, message, help)
        return UNKNOWN
    return on


def _is_free(names: lasting_names.Names, symbols: Symbols, report: Report) -> bool:
    """Whether the names of an effect's type and list are free."""
    item = names.item
    for table, name in (("type", names.entity), ("call", names.query)):
        first = symbols.places.get((table, name))
        if first is not None and first != item.place:
            what = "the type" if table == "type" else "the list"
            message = f"{what} of these effects would be `{name}`, which already means something"
            note = Note(first, "the first one")
            report.error("name-clash", item.place, message, "another id", [note])
            return False
    return True


def _are_free(item: Item, signature: Signature, report: Report) -> bool:
    """Whether the parameters differ from the built-in fields of effects."""
    for param in signature.params:
        if param.name in lasting_names.TAKEN_NAMES:
            message = f"every effect that lasts has `{param.name}` already"
            report.error("name-clash", item.fields["takes"].place, message, "another name")
            return False
    return True


def _check_fields(item: Item, names: lasting_names.Names, report: Report) -> None:
    """Report fields that have no effect without another."""
    fields = item.fields
    if "effect" in fields and not names.counts:
        message = "`effect` is what happens when its time is up, and nothing counts its time"
        help = "`counts: after turn()` counts turns; what happens at an early end stands in `ended`"
        report.error("missing-field", item.node.key_place("effect"), message, help)
    if names.stacks == lasting_names.LONGEST and not names.counts:
        message = "the longest of several stays, and nothing counts their time"
        report.error(
            "missing-field", fields["stacks"].place, message, "`counts:`, or `stacks: once`"
        )


def declare_tags(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the type of tags, which vocabularies may use."""
    if TAG in content.poisoned.kinds:
        symbols.poisoned.add(TAGS, TAG_TYPE)  # a broken tag may be the only one
    tags = content.by_kind(TAG)
    symbols.tags.update({item.slug: item.id for item in tags})
    symbols.families = Families.of(tags)
    if tags and claim(symbols, report, "type", TAG_TYPE, tags[0].place):
        symbols.types[TAG_TYPE] = tags[0].place
        symbols.enums[TAG_TYPE] = tuple(symbols.tags)
        symbols.nouns[TAG_TYPE] = (TAG, TAGS)


def enter_tags(content: Content, symbols: Symbols, report: Report) -> None:
    """Print tags on things, check the tags of items, and note which are used."""
    tags = content.by_kind(TAG)
    for item in tags:
        _check_parent(item, symbols, report)
        check_holes(item.fields.get("english"), symbols, report)
    if tags and symbols.types[TAG_TYPE] == tags[0].place:
        _print_on_things(content, symbols)
    for item in content.items:
        if TAGS in item.fields and not has_own_tags(item.kind, content, symbols):
            check_tags(item.fields[TAGS], symbols, report)


def _print_on_things(content: Content, symbols: Symbols) -> None:
    for name, entity in symbols.entities.items():
        own = any(has_own_tags(kind, content, symbols) for kind in entity.records)
        if entity.records and not own and TAGS not in entity.fields:
            field = FieldSymbol(name, TAGS, Type(TAG_TYPE, many=True), True, None, None)
            symbols.entities[name] = replace(entity, fields={**entity.fields, TAGS: field})
            symbols.fields.setdefault(TAGS, {})[name] = field


def has_own_tags(kind: str, content: Content, symbols: Symbols) -> bool:
    """Whether the game itself declares a field of this name for items of a kind."""
    field = symbols.fields.get(TAGS, {}).get(symbols.kinds.get(kind, ""))
    schemas = content.schemas
    known = kind not in schemas.kinds or is_tags(schemas.schema(kind))
    return not known or (field is not None and field.written is not None)


def _check_parent(item: Item, symbols: Symbols, report: Report) -> None:
    written = item.fields.get("parent")
    if written is None:
        return
    parent = slug_of(written.text or written.raw)
    if not _is_known(parent, written, symbols, report):
        return
    symbols.used.add(symbols.tags[parent])
    symbols.uses.note_value(written, Meaning(ITEM, symbols.tags[parent]), TAG)
    above = [parent]
    while (above[-1] != item.slug) and (wider := symbols.families.parents.get(above[-1], "")):
        if wider in above:
            return  # reported at the members of the circle
        above.append(wider)
    if above[-1] == item.slug:
        path = " -> ".join(f"`{one}`" for one in (item.slug, *above))
        message = f"a tag cannot be wider than itself: {path}"
        report.error("kinds-disagree", written.place, message, "take one `parent:` out")


def check_tags(node: YamlNode, symbols: Symbols, report: Report) -> None:
    """Report tags that nothing declares, or that an item carries twice."""
    seen: dict[str, Place] = {}
    for one in items_of(node):
        tag = slug_of(one.text or one.raw)
        if _is_known(tag, one, symbols, report):
            wider = symbols.families.widened([tag])
            symbols.used.update(symbols.tags[name] for name in wider if name in symbols.tags)
            symbols.uses.note_value(one, Meaning(ITEM, symbols.tags[tag]), TAG)
        # Two packs may give an item the same tag by patches.
        if tag in seen and seen[tag].path == one.place.path:
            report.error("repeated-entry", one.place, f"`{tag}` stands here twice")
        seen.setdefault(tag, one.place)


def _is_known(tag: str, node: YamlNode, symbols: Symbols, report: Report) -> bool:
    if tag in symbols.tags or symbols.poisoned.may_declare(tag):
        return tag in symbols.tags
    help = did_you_mean(tag, symbols.tags) or "`kind: tag` declares one"
    report.error("unknown-name", node.place, f"there is no tag `{tag}`", help)
    return False

"""`ruleloom why`: the derivation of a number, or the patch history of a field."""

from __future__ import annotations

import json

import click

from ruleloom.api.at_rest import at_rest
from ruleloom.api.ready import ready
from ruleloom.cli.faults import CLEAN, FaultInRules
from ruleloom.cli.options import Wanted, colour_option, format_option, option, pack_option
from ruleloom.cli.why.number_query import (
    NumberQuery,
    files_at,
    is_field,
    parse_number_query,
    patch_lines,
    patches_behind,
    query_arguments,
)
from ruleloom.output.derivation_text import as_data, derivation_text, has_more, normalised
from ruleloom.output.terminal import colour_wanted
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.store.programs import RULES
from ruleloom.store.rule_sources import SOURCES

DEPTH, DEEPEST = 2, 12


@click.command("why")
@click.argument("path", metavar="PATH")
@click.argument("number", metavar="NUMBER", required=False)
@option("--of NAME", "The thing to explain, if PATH has several.")
@option(
    "--all",
    "Include parts that change nothing, and conditions that do not hold.",
    name="everything",
)
@option(
    "--depth N",
    "The number of levels to explain.",
    type=click.IntRange(1, DEEPEST),
    default=DEPTH,
    show_default=True,
)
@format_option("text", "json")
@pack_option
@colour_option
def command(**asked: object) -> int:
    """Explain a number, part by part, with the lines of the rules behind each part.

    PATH is a file in a pack, a pack, or the name of a shipped game. NUMBER is a stat, measure, rule
    or table: it is explained for each thing in PATH that has such a number. Further arguments
    follow in parentheses:

    \b
      ruleloom why hero.yaml PR
      ruleloom why hero.yaml "score(Str)"

    ITEM.FIELD explains a field: its printed value, and the patches that change it. ITEM alone
    explains every field that a patch changes:

    \b
      ruleloom why house weapon/carbine.price
      ruleloom why gnostica:setting/space_limit.value --pack house
    """
    wanted = Wanted(**asked)
    if wanted.number is None or is_field(wanted.number):
        # Imported late: loading the modules that read and patch files takes longer than a cached
        # number.
        from ruleloom.cli.why.field_history import tell_fields

        return tell_fields(wanted)
    return _why(wanted)


def _why(wanted: Wanted) -> int:
    named, everything, depth = [wanted.path, *wanted.packs], wanted.everything, wanted.depth
    program, sources = ready(RULES, named), ready(SOURCES, named)
    linked, world = at_rest(program)
    asked = parse_number_query(wanted.number, sources, linked)
    reckoning = Reckoning(
        linked, world, places=sources.places, patched=sources.fields, rows=sources.rows
    )
    files = files_at(wanted.path, sources.files, sources.folders)
    arguments = query_arguments(asked, wanted.path, wanted.of, files, linked)
    found = [found_for(reckoning, asked, args, depth) for args in arguments]
    behind = [patches_behind(sources, reckoning, world, asked, args) for args in arguments]
    both = list(zip(found, behind, strict=True))
    if wanted.form == "json":
        data = [
            as_data(one, everything) | {"patches": [patch.to_json() for patch in patches]}
            for one, patches in both
        ]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    only, *others = {pack for pack, _ in files} or {""}
    pack, colour = "" if others else only, colour_wanted(wanted.color)
    texts = [(*derivation_text(one, pack, everything, colour), *patch_lines(p)) for one, p in both]
    print("\n\n".join(map("\n".join, texts)))
    if depth < DEEPEST and any(has_more(one, everything) for one in found):
        print(f"\n--depth {depth + 1} shows more")
    return CLEAN


def found_for(
    reckoning: Reckoning, asked: NumberQuery, args: tuple[object, ...], depth: int
) -> Finding:
    """The derivation of one number; FaultInRules if it cannot be computed."""
    slug, item = asked.slug, asked.item
    try:
        return normalised(reckoning.function(asked.function.id, args, depth))
    except (RuntimeFault, TypeError) as fault:
        early = "it needs what is not there before the game begins"
        reason = str(fault) if isinstance(fault, RuntimeFault) else early
        where = f"it is defined at {item.path}:{item.line}"
        raise FaultInRules(f"`{slug}` cannot be computed: {reason}", where) from None
    except RecursionError:
        raise FaultInRules(f"`{slug}` is nested too deeply", "give a smaller --depth") from None

"""`ruleloom why`: the derivation of a number, or the patch history of a field."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ruleloom.api.at_rest import at_rest
from ruleloom.cli.check.ready_rules import ready_rules
from ruleloom.cli.faults import CLEAN, FINDINGS, FaultInRules, WrongUse
from ruleloom.cli.options import colour_option, format_option, pack_option
from ruleloom.cli.why.field_history import as_data as as_history
from ruleloom.cli.why.field_history import histories, history_lines, is_field, pack_in
from ruleloom.cli.why.number_query import NumberQuery, files_at, parse_number_query, query_arguments
from ruleloom.cli.why.provenance import PatchBehind, Provenance, patch_lines
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.source.file import Source
from ruleloom.output.derivation_text import as_data, derivation_text, has_more, normalised
from ruleloom.output.terminal import colour_wanted
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.program.faults import RuntimeFault

DEPTH, DEEPEST = 2, 12


@click.command("why")
@click.argument("path", metavar="PATH")
@click.argument("number", metavar="NUMBER", required=False)
@click.option("--of", metavar="NAME", help="The thing to explain, if PATH has several.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include parts that change nothing, and conditions that do not hold.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, DEEPEST),
    default=DEPTH,
    show_default=True,
    help="The number of levels to explain.",
)
@format_option("text", "json")
@pack_option
@colour_option
def command(
    path: str,
    number: str | None,
    of: str | None,
    everything: bool,
    depth: int,
    form: str,
    packs: tuple[str, ...],
    color: str,
) -> int:
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
    if number is None or is_field(number):
        return tell_fields(path, number, packs, form, color)
    rules = ready_rules([path, *packs])
    if isinstance(rules, int):
        return rules
    content = rules.content
    linked, world = at_rest(rules.program)
    asked = parse_number_query(number, content, linked)
    reckoning = Reckoning(
        linked,
        world,
        places=content.rule_places(),
        patched=content.patched_fields(),
        rows=content.patched_rows(),
    )
    arguments = query_arguments(asked, path, of, content, linked)
    found = [found_for(reckoning, asked, args, depth) for args in arguments]
    behind = Provenance(content, reckoning, world)
    patched = [behind.patches(asked.function.id, args) for args in arguments]
    if form == "json":
        data = [
            as_data(one, everything) | {"patches": [patch.to_json() for patch in patches]}
            for one, patches in zip(found, patched, strict=True)
        ]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    only, *others = {pack for pack, _ in files_at(path, content)} or {""}
    pack, colour = "" if others else only, colour_wanted(color)
    print_derivations(found, patched, pack, everything, depth, colour)
    return CLEAN


def print_derivations(
    found: Sequence[Finding],
    patched: Sequence[Sequence[PatchBehind]],
    pack: str,
    everything: bool,
    depth: int,
    colour: bool,
) -> None:
    """Print derivations, their places in `pack` without its name, each with the patches behind it."""
    texts = (
        (*derivation_text(one, pack, everything, colour), *patch_lines(patches))
        for one, patches in zip(found, patched, strict=True)
    )
    print("\n\n".join("\n".join(lines) for lines in texts))
    if depth < DEEPEST and any(has_more(one, everything) for one in found):
        print(f"\n--depth {depth + 1} shows more")


def tell_fields(path: str, words: str | None, packs: tuple[str, ...], form: str, color: str) -> int:
    """Print the history of a field, or of an item's changed fields; `path` may name it instead."""
    named: Sequence[str] = [path, *packs]
    if words is None:
        words, named = path, _packs_of_field(path, packs)
    report, sources = Report(), dict[str, Source]()
    content = load_content(named, report, sources=sources, scenarios=False)
    if content is None or report.has_errors:
        texts = {shown: source.text for shown, source in sources.items()}
        sys.stdout.write(render(report.diagnostics(), texts, "text"))
        return FINDINGS
    found = histories(words, content)
    if form == "json":
        data = [as_history(one, content) for one in found]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    colour = colour_wanted(color)
    told = ("\n".join(history_lines(one, content, colour)) for one in found)
    print("\n\n".join(told) if found else "no patch changes any of its fields")
    return CLEAN


def _packs_of_field(words: str, packs: tuple[str, ...]) -> Sequence[str]:
    """The packs to search for a field that is named without any. Raises WrongUse."""
    if not is_field(words) or Path(words).exists():
        raise WrongUse("what number?", f'write its name behind the file: "{words} PR"')
    named = packs or tuple(filter(None, [pack_in(words)]))
    if not named:
        help = f"write `--pack DIR`, or the pack: PACK {words}"
        raise WrongUse(f"which pack is `{words}` in?", help)
    return named


def found_for(
    reckoning: Reckoning, asked: NumberQuery, args: tuple[object, ...], depth: int
) -> Finding:
    """The derivation of one number; FaultInRules if it cannot be computed."""
    slug, place = asked.item.slug, asked.item.place
    try:
        return normalised(reckoning.function(asked.function.id, args, depth))
    except (RuntimeFault, TypeError) as fault:
        early = "it needs what is not there before the game begins"
        reason = str(fault) if isinstance(fault, RuntimeFault) else early
        where = f"it is defined at {place.path}:{place.line}"
        raise FaultInRules(f"`{slug}` cannot be computed: {reason}", where) from None
    except RecursionError:
        raise FaultInRules(f"`{slug}` is nested too deeply", "give a smaller --depth") from None

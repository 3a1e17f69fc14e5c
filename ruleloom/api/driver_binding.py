"""Holds the driver of a shipped game against its vocabulary. It loads the machine."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import fields_of
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import binding_faults
from ruleloom.runtime.link.link_game import layout_of

SEATS = ("A", "B")


def with_binding(result: CompileResult) -> CompileResult:
    """The result with an error for each word of the vocabulary that its driver takes otherwise, then no
    program."""
    program, content = result.program, result.content
    if program is None or content is None or program.game not in DRIVERS or not program.set_up:
        return result
    (vocabulary,) = content.by_kind("vocabulary")
    places = {
        name: place
        for part in ("queries", "operations")
        for name, _, place in fields_of(vocabulary.fields.get(part))
    }
    said = [
        Diagnostic(
            places.get(name, vocabulary.place),
            "error",
            "missing-driver",
            f"the driver of `{program.game}` binds {fault}",
            "name the same parameters in the vocabulary and in the driver",
        )
        for name, fault in binding_faults(program, DRIVERS[program.game](layout_of(program, SEATS)))
    ]
    if not said:
        return result
    found = sorted([*result.diagnostics, *said], key=Diagnostic.order)
    return replace(result, program=None, diagnostics=tuple(found))

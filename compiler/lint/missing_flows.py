"""The flows without which nothing can be played: how a game begins, and what a turn is."""

from __future__ import annotations

from ruleloom.compiler.lower.program import Build


def check(build: Build) -> None:
    """Report each flow that a game lacks, if it can change anything at all."""
    if not build.symbols.operations or not build.content.complete:
        return
    flows, place = build.flows(), build.content.by_kind("vocabulary")[0].place
    for name in ("set_up", "turn"):
        if name not in flows and not build.symbols.poisoned.may_hold("flow"):
            message = f"this game has no flow `{name}`"
            build.report.error("missing-flow", place, message, f"`kind: flow`, `id: {name}`")

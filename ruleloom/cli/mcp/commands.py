"""Commands run for an assistant: what they write, as JSON data."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import click
from mcp.server.mcpserver.exceptions import ToolError

from ruleloom.api.content_error import ContentError
from ruleloom.cli.faults import CLEAN, FINDINGS
from ruleloom.cli.verbs import command
from ruleloom.compiler.diagnostics.render import render

Answer = dict[str, Any]


def run(*words: str) -> Answer:
    """The exit code of a command, its output as `text`, and what it says beside it as `messages`. Findings
    stand in `findings`, as `check --format json` writes them. Raises ToolError for wrong use."""
    output, messages = io.StringIO(), io.StringIO()
    try:
        with (
            redirect_stdout(output),
            redirect_stderr(messages),
            command.make_context("ruleloom", list(words)) as context,
        ):
            code = command.invoke(context)
    except ContentError as error:
        return broken(error)
    except click.ClickException as mistake:
        raise refused(mistake) from None
    answer: Answer = {"exit": code if isinstance(code, int) else CLEAN, "text": output.getvalue()}
    return answer | ({"messages": messages.getvalue()} if messages.getvalue() else {})


def run_for_data(name: str, *words: str) -> Answer:
    """The answer of a command that writes JSON, which stands under `name` in place of the text."""
    answer = run(*words)
    text = answer.pop("text")
    return answer if not text else {**answer, name: json.loads(text)}


def broken(error: ContentError) -> Answer:
    """The answer of a command whose packs have mistakes."""
    found = error.findings
    text = render(found.diagnostics, found.sources, "json")
    return {"exit": FINDINGS, "findings": json.loads(text)}


def refused(mistake: click.ClickException) -> ToolError:
    """A wrong use in words, with what helps."""
    help = getattr(mistake, "help", None)
    return ToolError(mistake.format_message() + (f" ({help})" if help else ""))

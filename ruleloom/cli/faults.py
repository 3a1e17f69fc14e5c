"""Failures of a command, with messages and exit codes.

0 clean, 1 findings in content, 2 wrong use, 3 a bug of Ruleloom, 130 stopped by Ctrl-C, 141 output pipe
closed.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from ruleloom.api.content_error import ContentError
from ruleloom.api.version import VERSION, version_text
from ruleloom.compiler.diagnostics.render import text
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.output.terminal import closing_words
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.system import silence_output

# Disk errors and file limits that stop the output.
OUTPUT_STOPS = (
    errno.ENOSPC,
    getattr(errno, "EDQUOT", errno.ENOSPC),  # Windows has none
    errno.EFBIG,
    errno.EIO,
)
TRACE_HEAD, TRACE_TAIL, LONGEST_TRACE_LINE = 12, 27, 400
CLEAN, FINDINGS, WRONG_USE, OUR_FAULT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141


class CommandFault(click.ClickException):
    """A command's failure, with a message; `help` suggests a fix."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


class WrongUse(CommandFault):
    """A request that cannot be met as given."""

    exit_code = WRONG_USE


def several(word: str, names: Sequence[str]) -> WrongUse:
    """The refusal of a word that may mean several things, with the names to write instead."""
    return WrongUse(f"`{word}` may be several items", f"write {quoted_list(names, 'or')}")


class FaultInRules(CommandFault):
    """An error of the rules during play."""

    exit_code = FINDINGS


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn a Refused into a WrongUse with its message and help."""
    try:
        yield
    except Refused as refused:
        raise WrongUse(refused.reason, refused.help) from None


def how_to_install(extra: str) -> str:
    """The command that brings an extra, from the wheel that everybody can have."""
    return f"pip install './ruleloom-{VERSION}-py3-none-any.whl[{extra}]'"


@contextmanager
def extra_needed(user: str, extra: str) -> Iterator[None]:
    """Turn a missing library of an extra into a WrongUse."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "ruleloom").startswith("ruleloom"):
            raise
        message = f"{user} needs a library that is not installed: {missing.name}"
        raise WrongUse(message, how_to_install(extra)) from None


def guarded(work: Callable[[], object]) -> int:
    """Do the work; return the exit code even on exceptions."""
    try:
        done = work()
        sys.stdout.flush()
        return done if isinstance(done, int) else CLEAN
    except BrokenPipeError:
        silence_output()
        return PIPE_CLOSED
    except (KeyboardInterrupt, click.Abort):
        print("\nstopped", file=sys.stderr)
        return INTERRUPTED
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as mistake:
        return complain(mistake)
    except ContentError as error:
        return report_mistakes(error)
    except OSError as error:
        return _stop_output(error)
    except Exception:
        return confess()


def _stop_output(error: OSError) -> int:
    if error.filename is not None or error.errno not in OUTPUT_STOPS:
        return confess()
    silence_output()
    reason = (error.strerror or "").lower()
    print(f"ruleloom: the output could not be written: {reason}", file=sys.stderr)
    return WRONG_USE


def report_mistakes(error: ContentError, stream: TextIO | None = None) -> int:
    """Print the findings in packs that a command cannot use; return the exit code."""
    stream, found = stream or sys.stdout, error.findings
    stream.write(text(found.diagnostics, found.sources, False))
    print(closing_words(found.diagnostics, found.packs, found.items), file=stream)
    return FINDINGS


def complain(mistake: click.ClickException) -> int:
    """Print the message and the help of a fault; return its exit code."""
    print(f"ruleloom: {safe_text(mistake.format_message())}", file=sys.stderr)
    if isinstance(mistake, CommandFault) and mistake.help:
        print(f" help: {safe_text(mistake.help)}", file=sys.stderr)
    elif isinstance(mistake, click.UsageError) and mistake.ctx is not None:
        print(f" help: `{mistake.ctx.command_path} --help` shows how it is used", file=sys.stderr)
    return mistake.exit_code


def confess() -> int:
    """Report a bug of Ruleloom, with what its authors need to find it."""
    lines = [safe_text(line[:LONGEST_TRACE_LINE]) for line in traceback.format_exc().splitlines()]
    left_out = len(lines) - TRACE_HEAD - TRACE_TAIL
    if left_out > 1:  # the middle of a deep recursion
        lines[TRACE_HEAD:-TRACE_TAIL] = [f"  ... {left_out:,} lines are left out here ..."]
    print("\n".join(lines), file=sys.stderr)
    words = " ".join(safe_text(word) for word in sys.argv[1:])
    print(
        "\nruleloom: this is a fault of ours, not of yours or of your files\n"
        "  please report it, with the lines above and these two:\n"
        f"  {version_text()}, Python {sys.version.split()[0]}, {sys.platform}\n"
        f"  ruleloom {words}",
        file=sys.stderr,
    )
    return OUR_FAULT

"""Failures of a command: the message and exit code of each.

0 clean, 1 findings in content, 2 wrong use, 3 a fault of ours, 130 stopped by Ctrl-C, 141 output
pipe closed.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable

import click

from ruleloom.api.version import version_text
from ruleloom.runtime.program.safe_text import safe_text

# What stops the writing of results: a disk, or a limit on files.
OUTPUT_STOPS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
TRACE_HEAD, TRACE_TAIL, LONGEST_TRACE_LINE = 12, 27, 400
CLEAN, FINDINGS, WRONG_USE, OUR_FAULT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141


class WrongUse(click.ClickException):
    """A request that cannot be met as it was made; `help` says what to type instead."""

    exit_code = WRONG_USE

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


class FaultInRules(click.ClickException):
    """The rules cannot be played on; `help` says where that is written, and what to do."""

    exit_code = FINDINGS

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def guarded(work: Callable[[], object]) -> int:
    """Do the work and return the exit code, whatever happens on the way."""
    try:
        done = work()
        sys.stdout.flush()
        return done if isinstance(done, int) else CLEAN
    except BrokenPipeError:
        _write_no_more()
        return PIPE_CLOSED
    except (KeyboardInterrupt, click.Abort):
        print("\nstopped", file=sys.stderr)
        return INTERRUPTED
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as mistake:
        return complain(mistake)
    except OSError as error:
        if error.errno not in OUTPUT_STOPS or error.filename is not None:
            return confess()
        _write_no_more()
        print(
            f"ruleloom: the output could not be written: {os.strerror(error.errno).lower()}",
            file=sys.stderr,
        )
        return WRONG_USE
    except Exception:
        return confess()


def _write_no_more() -> None:
    """Python flushes standard output once more at the end, and would complain then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(mistake: click.ClickException) -> int:
    """Tell somebody that a command was used wrongly."""
    print(f"ruleloom: {safe_text(mistake.format_message())}", file=sys.stderr)
    if isinstance(mistake, WrongUse | FaultInRules) and mistake.help:
        print(f" help: {safe_text(mistake.help)}", file=sys.stderr)
    elif isinstance(mistake, click.UsageError) and mistake.ctx is not None:
        print(f" help: `{mistake.ctx.command_path} --help` shows how it is used", file=sys.stderr)
    return mistake.exit_code


def trace_lines(trace: str) -> list[str]:
    """The head and tail of a traceback: a deep recursion in between tells nothing more."""
    lines = [safe_text(line[:LONGEST_TRACE_LINE]) for line in trace.splitlines()]
    left_out = len(lines) - TRACE_HEAD - TRACE_TAIL
    if left_out <= 1:
        return lines
    return [
        *lines[:TRACE_HEAD],
        f"  ... {left_out:,} lines are left out here ...",
        *lines[-TRACE_TAIL:],
    ]


def confess() -> int:
    """Say that the fault is ours, with what we need to find it."""
    print("\n".join(trace_lines(traceback.format_exc())), file=sys.stderr)
    words = " ".join(safe_text(word) for word in sys.argv[1:])
    print(
        "\nruleloom: this is a fault of ours, not of yours or of your files\n"
        "  please report it, with the lines above and these two:\n"
        f"  {version_text()}, Python {sys.version.split()[0]}, {sys.platform}\n"
        f"  ruleloom {words}",
        file=sys.stderr,
    )
    return OUR_FAULT

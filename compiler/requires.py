"""Reads versions and ranges of versions as pack authors write them.

Ranges are PEP 440 specifiers (`>=1.0,<2`, `==1.2.*`), `*` for any, and the two short forms people know
from elsewhere: `^1.2` (anything that should still fit: below 2) and `~1.2` (the same but for repairs:
below 1.3). Anything else is refused with what to write instead.
"""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

# Longer ones would only serve to slow the comparison down.
MAX_LENGTH = 100
SHORT_FORM = re.compile(r"([\^~])\s*(\S+)")


class RangeError(ValueError):
    """A range cannot be read; `help` says what could be written in its stead."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def read_version(text: str) -> Version | None:
    """Return the version written in `text`, or None if it is none."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        return Version(text)
    except InvalidVersion:
        return None


def read_range(text: str) -> SpecifierSet:
    """Return the versions that `text` allows; raise RangeError if it cannot be read."""
    if len(text) > MAX_LENGTH:
        raise RangeError("this range is too long", "write `>=1.0`")
    if text.strip() == "*":
        return SpecifierSet("")
    parts = [_long_form(part.strip()) for part in text.split(",")]
    try:
        return SpecifierSet(",".join(parts))
    except InvalidSpecifier:
        raise RangeError(f"`{text}` is not a range of versions", _advice(text)) from None


def allows(allowed: SpecifierSet, version: Version) -> bool:
    """Tell whether a version lies in a range. Previews count: whoever has one at hand wants to use it."""
    return allowed.contains(version, prereleases=True)


def _long_form(part: str) -> str:
    """Spell out `^1.2` and `~1.2` as PEP 440; leave everything else as it is."""
    short = SHORT_FORM.fullmatch(part)
    if short is None or part.startswith("~="):
        if part.startswith("===") or not part:
            raise RangeError(f"`{part}` is not a range of versions", "write `>=1.0`")
        return part
    sign, written = short.groups()
    version = read_version(written)
    if version is None:
        raise RangeError(f"`{written}` is not a version", f"write `{sign}1.2`")
    return f">={version.public},<{_ceiling(sign, version.release)}"


def _ceiling(sign: str, release: tuple[int, ...]) -> str:
    """Return the first version that no longer fits: `^` keeps the first number that is not 0, `~` two."""
    if sign == "~":
        kept = min(2, len(release))
    else:
        kept = next((i for i, number in enumerate(release, 1) if number), len(release))
    numbers = [*release[: kept - 1], release[kept - 1] + 1]
    return ".".join(map(str, numbers))


def _advice(text: str) -> str:
    if read_version(text) is not None:
        return f"write `^{text.strip()}` for this version and later ones that fit, or `=={text.strip()}`"
    if re.fullmatch(r"=\s*[0-9][^,\s]*", text.strip()):
        return f"write `={text.strip()}`"
    if re.fullmatch(r"([<>=!~^]+\s*\S+\s+)+[<>=!~^]+\s*\S+", text.strip()):
        return "put a comma between the two: `>=1.0,<2.0`"
    return "write `>=1.0`, `>=1.0,<2.0` or `^1.2`"

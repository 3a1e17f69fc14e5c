"""Sources of packs as they are written: paths, web addresses, git addresses and names.

An address with a name or password in it is refused and never repeated, as it would be written into a lock. So
is any scheme but https, and http within one's own network.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from packaging.specifiers import SpecifierSet

from ruleloom.compiler.packs.kept import SHA256
from ruleloom.compiler.packs.locate import PACK_ID
from ruleloom.compiler.packs.manifest import RangeError, read_range
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused

PORTS = {"https": 443, "http": 80}
HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]+", re.IGNORECASE)
REF = re.compile(r"[A-Za-z0-9_][\w./+-]{0,199}", re.ASCII)
NAMED = re.compile(r"([a-z][a-z0-9_-]{0,63})\s*([~^<>=!].*)?")
LIKE_PATH = re.compile(r"^\.|[/\\]|\.zip$", re.IGNORECASE)
SCP = re.compile(r"[\w.-]+@[\w.-]+:")
GIT, GIT_ENDING, SUM = "git+", ".git", "sha256="
WAYS = "name a zip, a folder, https://HOST/PACK.zip, git+https://HOST/REPOSITORY@TAG, or a pack of an index"
LONGEST = 2000
SAFE = "/%:@!$&'()*+,;=~-._"


class NotGot(Refused):
    """A pack that cannot be had: why, and what would be right."""


class WebAddress(Frozen):
    """An address of the web; `path` has the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> tuple[str, int]:
        """The host and port."""
        return self.host, self.port

    @property
    def site(self) -> str:
        """The part before the path."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def text(self) -> str:
        """The whole address."""
        return self.site + self.path

    @property
    def shown(self) -> str:
        """The address without its query, which may hold a key."""
        return self.site + self.path.partition("?")[0]


class LocalSource(Frozen):
    """A zip, folder or index on this machine."""

    path: Path

    @property
    def shown(self) -> str:
        """The path as displayed."""
        return self.path.as_posix()


class WebSource(Frozen):
    """A file of the web, with its SHA-256 if the address says it."""

    address: WebAddress
    sha256: str = ""

    @property
    def text(self) -> str:
        """The source as written."""
        return self.address.text + (f"#{SUM}{self.sha256}" if self.sha256 else "")

    @property
    def shown(self) -> str:
        """The address as displayed."""
        return self.address.shown


class GitSource(Frozen):
    """A folder, or a file, of a git repository at a tag, branch or commit, or at its default branch."""

    address: WebAddress
    ref: str = ""
    inside: str = ""

    @property
    def text(self) -> str:
        """The source as written."""
        ref, inside = f"@{self.ref}" if self.ref else "", f"#{self.inside}" if self.inside else ""
        return f"{GIT}{self.address.text}{ref}{inside}"

    @property
    def shown(self) -> str:
        """The source as displayed."""
        return self.text


class NamedSource(Frozen):
    """A pack of an index, with the versions that will do."""

    id: str
    wanted: SpecifierSet

    @property
    def shown(self) -> str:
        """The name as displayed."""
        return f"{self.id}{self.wanted}"


AnySource = LocalSource | WebSource | GitSource | NamedSource


def read_source(text: str, base: Path = Path()) -> AnySource:
    """The source that a text names; paths are seen from `base`. Raises NotGot."""
    if text.startswith("-") or not 0 < len(text.strip()) <= LONGEST or not text.isprintable():
        raise NotGot(f"`{text[:80]}` is no source of a pack", WAYS)
    if text.startswith(GIT) or "://" in text or SCP.match(text):
        return _web_source(text)
    path = Path(os.path.normpath(base / text))
    return LocalSource(path) if LIKE_PATH.search(text) or os.path.lexists(path) else _named(text)


def _named(text: str) -> NamedSource:
    found = NAMED.fullmatch(text.strip())
    if found is None or not PACK_ID.fullmatch(found[1]):
        raise NotGot(f"`{text}` is no source of a pack", WAYS)
    try:
        return NamedSource(found[1], read_range(found[2] or "*"))
    except RangeError as error:
        raise NotGot(f"in `{text}`: {error}", error.help) from None


def _web_source(text: str) -> WebSource | GitSource:
    is_git = text.startswith(GIT)
    whole, _, fragment = text.removeprefix(GIT).partition("#")
    address = read_address(whole)
    path, at, ref = address.path.rpartition("@")
    if not at:
        path, ref = address.path, ""
    if is_git or path.endswith(GIT_ENDING):
        return _git_source(address, path, ref, bool(at), fragment)
    if not fragment:
        return WebSource(address)
    if not fragment.startswith(SUM) or not SHA256.fullmatch(fragment.removeprefix(SUM).lower()):
        raise NotGot(
            f"`#{fragment[:80]}` behind an address is no SHA-256", "write `#sha256=` and 64 digits"
        )
    return WebSource(address, fragment.removeprefix(SUM).lower())


def _git_source(address: WebAddress, path: str, ref: str, has_ref: bool, inside: str) -> GitSource:
    if "?" in path:
        raise NotGot("the address of a git repository has no `?`", WAYS)
    if has_ref and (not REF.fullmatch(ref) or ".." in ref or ref.endswith((".lock", "/"))):
        raise NotGot(f"`{ref[:80]}` is no tag, branch or commit", "write it as @v1.0")
    inside = inside.strip("/")
    if inside and not is_plain(inside):
        raise NotGot(f"`{inside[:80]}` is no folder of a repository", "write it as #packs/house")
    site = WebAddress(address.scheme, address.host, address.port, path)
    return GitSource(site, ref, inside)


def read_address(text: str) -> WebAddress:
    """The web address in a text. Raises NotGot, without repeating a password."""
    if SCP.match(text) and "://" not in text:
        raise NotGot("packs come by https, not by ssh", "write git+https://HOST/REPOSITORY@TAG")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise NotGot("this address cannot be read", WAYS) from None
    if "@" in parts.netloc:
        help = "leave it out; what asks for a password can be cloned or downloaded, and added from there"
        raise NotGot("a name or password in an address would be written into the lock", help)
    if parts.scheme not in PORTS:
        help = "what is on this machine is named by its path, a repository by a folder checked out there"
        by = f"do not come by `{parts.scheme[:20]}:`, but" if parts.scheme else "come"
        raise NotGot(f"packs {by} by https", help if parts.scheme in ("", "file") else WAYS)
    host = (parts.hostname or "").rstrip(".")
    if not HOST.fullmatch(host):
        raise NotGot("this address names no host that can be reached", WAYS)
    return WebAddress(
        parts.scheme, host, PORTS[parts.scheme] if port is None else port, _path(parts)
    )


def _path(parts: SplitResult) -> str:
    query = f"?{quote(parts.query, safe=f'{SAFE}?')}" if parts.query else ""
    return quote(parts.path or "/", safe=SAFE) + query


def is_plain(path: str) -> bool:
    """Whether a relative path names something below, on every system."""
    has_only = path.isprintable() and not any(one in path for one in ("\\", ":", "//"))
    return has_only and path[:1] not in ("/", "-", "~") and not {"..", "."} & {*path.split("/")}

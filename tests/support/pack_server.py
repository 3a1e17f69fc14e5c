"""A web server on this machine for packs: files, hostile answers, and git repositories by `git http-backend`."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

Answer = bytes | Callable[["Handler"], None]
AUTHOR = {
    f"GIT_{who}_{part}": text
    for who in ("AUTHOR", "COMMITTER")
    for part, text in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", "2026-01-01T00:00:00Z"))
}


class Handler(BaseHTTPRequestHandler):
    """Answers by the table of its server."""

    server: PackServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if path.startswith("/git/"):
            self.git()
            return
        answer = self.server.answers.get(path, missing)
        with suppress(OSError):
            answer(self) if callable(answer) else self.send(answer)

    do_POST = do_GET

    def send(self, body: bytes, code: int = 200, **headers: str) -> None:
        """Send an answer with these headers; one written as None is left out."""
        self.send_response(code)
        for name, text in {"content_length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def git(self) -> None:
        """Hand a request to git's own server."""
        path, _, query = self.path.removeprefix("/git").partition("?")
        headers = {
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        asked = {"PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command}
        place = {"GIT_PROJECT_ROOT": str(self.server.repositories), "GIT_HTTP_EXPORT_ALL": "1"}
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        env = {**os.environ, **headers, **asked, **place, "REMOTE_ADDR": "127.0.0.1"}
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=env, capture_output=True, check=False
        )
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        code = int(lines.pop("Status", "200").split()[0])
        with suppress(OSError):
            self.send(rest, code, **lines)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def missing(handler: Handler) -> None:
    """An answer for what is not there."""
    handler.send(b"no such file", 404)


class PackServer(ThreadingHTTPServer):
    """The server, with its answers by path, the git repositories below `/git/`, and what it was asked for."""

    daemon_threads = True

    def __init__(self, repositories: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories = repositories
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that go away."""


@contextmanager
def serving(repositories: Path) -> Iterator[PackServer]:
    """A running server."""
    with PackServer(repositories) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()


def git(folder: Path, *words: str, typed: bytes = b"") -> str:
    """Run git in a folder, without anybody's settings."""
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **AUTHOR}
    env = {**os.environ, **quiet}
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, input=typed, env=env, capture_output=True, check=True)
    return done.stdout.decode().strip()


class Repository:
    """A bare repository, whose tags are trees of files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", ".")

    def blob(self, data: bytes) -> str:
        """The id of a file's content."""
        return git(self.folder, "hash-object", "-w", "--stdin", typed=data)

    def tree(self, entries: Mapping[str, tuple[str, str]]) -> str:
        """The id of a folder, of modes and ids by name."""
        kinds = {"40000": "tree", "160000": "commit"}
        lines = (
            f"{mode} {kinds.get(mode, 'blob')} {id}\t{name}\n"
            for name, (mode, id) in entries.items()
        )
        return git(self.folder, "mktree", "--missing", typed="".join(lines).encode())

    def files(self, files: Mapping[str, str | bytes], **more: tuple[str, str]) -> str:
        """The id of a folder with these files, of which none lies deeper than in one folder."""
        within: dict[str, dict[str, tuple[str, str]]] = {"": dict(more)}
        for name, text in files.items():
            top, _, file = name.rpartition("/")
            data = text if isinstance(text, bytes) else text.encode()
            within.setdefault(top, {})[file] = ("100644", self.blob(data))
        inner = {top: ("40000", self.tree(found)) for top, found in within.items() if top}
        return self.tree({**within[""], **inner})

    def tag(self, name: str, tree: str, branch: str = "") -> None:
        """Commit a tree under a tag, and on a branch."""
        commit = git(self.folder, "commit-tree", tree, "-m", name)
        git(self.folder, "update-ref", f"refs/tags/{name}", commit)
        if branch:
            git(self.folder, "update-ref", f"refs/heads/{branch}", commit)

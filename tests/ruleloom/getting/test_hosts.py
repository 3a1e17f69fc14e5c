"""Which hosts a download may reach, and by what certificates."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from ruleloom.getting import hosts
from ruleloom.getting.download import download
from ruleloom.getting.hosts import LedFrom, is_public, reach
from ruleloom.getting.written_sources import NotGot, read_address
from tests.support.pack_server import PackServer, serving

KNOWN = {
    "packs.example": "93.184.215.14",
    "inside.example": "10.0.0.7",
    "twice.example": "8.8.8.8 127.0.0.1",
}


@pytest.mark.parametrize(
    ("number", "public"),
    [
        ("93.184.215.14", True),
        ("2606:4700::1111", True),
        *(
            (one, False)
            for one in ("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "0.0.0.0")
        ),
        *(
            (one, False)
            for one in ("169.254.169.254", "100.64.0.1", "224.0.0.1", "::1", "fe80::1%eth0")
        ),
        *((one, False) for one in ("fd00::1", "::ffff:10.0.0.1", "::", "ff02::1")),
    ],
)
def test_what_lies_out_on_the_web(number: str, public: bool):
    assert is_public(number) == public


@pytest.mark.parametrize(
    ("from_", "address", "refused"),
    [
        (None, "https://packs.example/x", ""),
        (None, "http://inside.example/x", ""),
        (None, "http://packs.example/x", "is not encrypted"),
        (
            None,
            "http://twice.example/x",
            "",
        ),  # a person may name what resolves to a machine of theirs
        ("https://packs.example/", "https://packs.example/y", ""),
        ("https://packs.example/", "http://packs.example/y", "is not encrypted"),
        ("https://packs.example/", "https://inside.example/y", "own network"),
        ("https://packs.example/", "http://127.0.0.1/y", "own network"),
        ("https://packs.example/", "https://twice.example/y", "own network"),
        ("http://inside.example/", "http://inside.example/y", ""),
        ("http://inside.example/", "http://inside.example:8080/y", "own network"),
        ("http://inside.example/", "https://packs.example/y", ""),
        ("", "http://inside.example/y", "own network"),  # an index on this machine
        ("", "https://packs.example/y", ""),
    ],
)
def test_what_leads_where(
    from_: str | None, address: str, refused: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hosts, "numeric", lambda one: KNOWN.get(one.host, one.host).split())
    led = None if from_ is None else LedFrom("it", read_address(from_) if from_ else None)
    if not refused:
        assert reach(read_address(address), led)
        return
    with pytest.raises(NotGot, match=refused):
        reach(read_address(address), led)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_certificate_is_known_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    named = ("-subj", "/CN=x", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", tmp_path / "key", "-out", tmp_path / "certificate")
    subprocess.run(
        ["openssl", "req", "-x509", *made, *named, *files], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    with serving(tmp_path) as server:
        server.answers["/x"] = b"whole"
        server.socket = context.wrap_socket(server.socket, server_side=True)
        address = read_address(https(server))
        with pytest.raises(NotGot, match="its certificate is not valid"):
            download(address, 100)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate"))
        assert download(address, 100) == b"whole"


def https(server: PackServer) -> str:
    return server.url.replace("http", "https") + "/x"

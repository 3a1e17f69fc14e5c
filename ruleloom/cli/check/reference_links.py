"""`ruleloom check --reference`: finds the site, and the names that diagnostics can link to."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import load
from ruleloom.reference.diagnostic_links import FORMS, links_into, with_links

# An address as it may stand in a terminal, in JSON and between brackets.
ADDRESS = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9._~:/@%+=&?,-]*")


def linked(rendered: str, form: str, colour: bool, packs: Sequence[str], reference: str) -> str:
    """Rendered diagnostics with links to a site. Raises WrongUse."""
    if form not in FORMS:
        raise WrongUse(f"{form} has no links", f"the formats with links are {', '.join(FORMS)}")
    base = _address(reference)
    content = load(packs, Report(), scenarios=False)
    if content is None:
        print("nothing is linked: the packs cannot be read so far", file=sys.stderr)
        return rendered
    return with_links(rendered, form, colour, links_into(content, base))


def _address(reference: str) -> str:
    """The address of a site: a URL as it is, a folder as a link to its files."""
    if "://" in reference:
        if not ADDRESS.fullmatch(reference):
            help = "write it as https://host/folder/"
            raise WrongUse("the address of the reference is no plain address of the web", help)
        return reference
    folder = Path(reference)
    if not (folder / "index.html").is_file():
        help = "make one: ruleloom docs GAME -o DIR"
        raise WrongUse(f"{reference} holds no reference", help)
    return folder.resolve().as_uri()

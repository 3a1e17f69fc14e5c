"""The folders whose files an assistant may name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.packs.locate import pack_of
from ruleloom.compiler.packs.walk import MANIFEST


class Folders:
    """The folders that were named at the start, by their real paths; the first is the current folder."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Raises WrongUse for a path that is no folder, or within a pack."""
        self.roots = [Path(os.path.realpath(path)) for path in paths]
        for path, root in zip(paths, self.roots, strict=True):
            if not root.is_dir():
                raise WrongUse(f"there is no folder {path}")
            # The compiler looks for a file's pack in the folders above it.
            pack = next((one for one in root.parents if (one / MANIFEST).is_file()), None)
            if pack is not None:
                raise WrongUse(f"{path} is in the pack {pack}", "name the folder of the pack")

    @property
    def has_pack_here(self) -> bool:
        """Is the first folder a pack?"""
        return (self.roots[0] / MANIFEST).is_file()

    def inside(self, path: str) -> str:
        """The path, if it stays in the folders, with all links in its pack or below it. Raises WrongUse."""
        whole = pack_of(Path(path)) or path
        for one in chain([path], _links(whole)):
            if not self._holds(one):
                folders = ", ".join(map(str, self.roots))
                raise WrongUse(
                    f"{one} leads out of the folders of this server", f"it has {folders}"
                )
        return path

    def _holds(self, path: str) -> bool:
        try:
            real = Path(os.path.realpath(path))
        except ValueError:  # no system has such a path
            return False
        return any(real.is_relative_to(root) for root in self.roots)


def _links(path: str | Path) -> Iterator[str]:
    for folder, folders, files in os.walk(path):
        below = (Path(folder, name) for name in (*folders, *files))
        yield from (str(one) for one in below if one.is_symlink())

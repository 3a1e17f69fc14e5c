"""What a process of the compiler remembers, forgotten: the next compilation is as if in a new one."""

from __future__ import annotations

from ruleloom.compiler.query import lazy_objects
from ruleloom.compiler.resolve.mod_sets import MARKED
from ruleloom.compiler.syntax.parser import TREES


def forget_trees() -> None:
    """Forget the trees of all texts; what was compiled before stays whole."""
    TREES.clear()
    MARKED.clear()


def forget_interfaces() -> None:
    """Forget the interfaces that were read: what was compiled against one must not be used any more."""
    lazy_objects._GHOSTS.clear()
    lazy_objects._LATE.clear()

"""What stands for compiled libraries where there is no compiler: plain Python for jsonschema, and tests with made-up
examples are skipped, since Hypothesis is compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from ruleloom.site import plain_rpds


class Anything:
    """Whatever is asked of it, and called with: strategies, settings, assumptions."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "SearchStrategy":
            return Anything
        return (lambda _function: self) if name == "composite" else self

    def __call__(self, *given: Any, **named: Any) -> Any:
        return given[0] if len(given) == 1 and callable(given[0]) else self

    def __or__(self, _other: Any) -> Anything:
        return self

    __mul__ = __rmul__ = __or__

    def __round__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter(())


def given(*_args: Any, **_named: Any) -> Callable[[Any], Any]:
    """The decorator of a test with made-up examples."""
    return pytest.mark.skip(reason="needs Hypothesis, which is compiled")


def put() -> None:
    """Put them in place."""
    sys.modules["rpds"] = plain_rpds
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        for name in [name for name in sys.modules if name.startswith("hypothesis")]:
            del sys.modules[name]
        for name in ("", ".strategies", ".stateful"):
            module = ModuleType(f"hypothesis{name}")
            module.__getattr__ = partial(getattr, Anything())  # type: ignore[method-assign]
            sys.modules[module.__name__] = module
        sys.modules["hypothesis"].given = given  # type: ignore[attr-defined]
        sys.modules["hypothesis"].strategies = sys.modules["hypothesis.strategies"]  # type: ignore[attr-defined]

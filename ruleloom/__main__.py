"""`python -m ruleloom` is the same as `ruleloom`."""

from __future__ import annotations

from ruleloom.cli.main import run

if __name__ == "__main__":
    run()

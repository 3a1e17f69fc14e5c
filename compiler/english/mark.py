"""Marks of cross-references: private characters behind the English name of what they refer to."""

from __future__ import annotations

import re

FIRST, LAST = 0xF0000, 0xFFFFD
MARK = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")

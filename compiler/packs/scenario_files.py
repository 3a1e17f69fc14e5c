"""The words of a file of cases that no game changes."""

from __future__ import annotations

EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "clauses", *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example
DO = "do"  # the key of a step that runs effect text
GIVEN_TO_BUILD = ("things", "settings", "switches")
GIVEN_TO_TRY = (*GIVEN_TO_BUILD, "players", "me", "state", "made", "zones")

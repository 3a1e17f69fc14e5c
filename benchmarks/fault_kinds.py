"""The kinds of faults that are seeded, each with the ways to make one in YAML fields and in effect
texts.

What counts as the exact place is told at each way, in the modules named `fault_...`. What is
declared and forgotten is told by a warning, as it can be played; all others can be told to be
faults. A kind that has no place in a game makes none there.
"""

from __future__ import annotations

from benchmarks import (
    fault_abilities,
    fault_fields,
    fault_layout,
    fault_records,
    fault_slips,
    fault_texts,
)
from benchmarks.fault_sites import Kind

KINDS: dict[str, tuple[Kind, ...]] = {
    "misspelt key": (fault_fields.misspelt_keys, fault_texts.misspelt_labels),
    "misspelt row": (fault_records.misspelt_rows,),
    "misspelt keyword": (fault_abilities.misspelt_keywords,),
    "misspelt stat": (fault_abilities.misspelt_stats,),
    "unknown word of `modify`": (fault_abilities.unknown_clauses,),
    "right key in the wrong kind": (fault_fields.foreign_keys,),
    "wrong enum": (fault_fields.wrong_choices, fault_texts.wrong_options),
    "dangling id": (fault_fields.dangling, fault_texts.dangling_names),
    "dangling thing": (fault_records.dangling_things,),
    "word of another table": (fault_records.words_of_another_table,),
    "number out of range": (fault_records.out_of_range,),
    "missing field": (fault_records.missing_fields,),
    "twice in a list": (fault_records.twice_in_a_list,),
    "misspelt variable": (fault_texts.misspelt_variables,),
    "wrong type": (fault_fields.wrong_types, fault_texts.wrong_types),
    "wrong unit": (fault_texts.wrong_units,),
    "wrong arity": (fault_fields.wrong_counts, fault_texts.wrong_arity),
    "arguments turned round": (fault_slips.turned_round,),
    "declared and forgotten": (fault_slips.forgotten,),
    "duplicate id": (fault_fields.duplicate_ids,),
    "duplicate key": (fault_layout.duplicate_keys,),
    "bad indentation": (fault_layout.bad_indentation,),
    "unclosed quote": (fault_layout.unclosed_quotes,),
    "read before write": (fault_texts.read_before_write,),
    "smart quote": (fault_layout.smart_quotes,),
    "tab": (fault_layout.tabs,),
    "Norway `no`": (fault_fields.norway, fault_texts.foreign_truths),
}

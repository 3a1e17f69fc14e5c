"""The kinds of faults that are seeded, each with the ways to make one in YAML fields and in effect
texts.

What counts as the exact place is told at each way, in the modules beside this one. What is
declared and forgotten is told by a warning, as it can be played; all others can be told to be
faults. A kind that has no place in a game makes none there.
"""

from __future__ import annotations

from benchmarks.edits.sites import Kind
from benchmarks.faults import (
    abilities,
    case_slips,
    declarations,
    fields,
    layout,
    lines,
    operators,
    records,
    slips,
    texts,
    variables,
)

KINDS: dict[str, tuple[Kind, ...]] = {
    "misspelt key": (fields.misspelt_keys, texts.misspelt_labels),
    "misspelt row": (records.misspelt_rows,),
    "misspelt keyword": (abilities.misspelt_keywords,),
    "misspelt stat": (abilities.misspelt_stats,),
    "unknown word of `modify`": (abilities.unknown_clauses,),
    "right key in the wrong kind": (fields.foreign_keys,),
    "wrong enum": (fields.wrong_choices, texts.wrong_options),
    "dangling id": (fields.dangling, texts.dangling_names),
    "dangling thing": (records.dangling_things,),
    "word of another table": (records.words_of_another_table,),
    "number out of range": (records.out_of_range,),
    "missing field": (records.missing_fields,),
    "twice in a list": (records.twice_in_a_list,),
    "misspelt variable": (texts.misspelt_variables,),
    "wrong type": (fields.wrong_types, texts.wrong_types),
    "wrong unit": (texts.wrong_units,),
    "wrong arity": (fields.wrong_counts, texts.wrong_arity),
    "arguments turned round": (slips.turned_round,),
    "declared and forgotten": (slips.forgotten,),
    "duplicate id": (fields.duplicate_ids,),
    "duplicate key": (layout.duplicate_keys,),
    "bad indentation": (layout.bad_indentation,),
    "unclosed quote": (layout.unclosed_quotes,),
    "read before write": (variables.read_before_write,),
    "smart quote": (layout.smart_quotes,),
    "tab": (layout.tabs,),
    "Norway `no`": (fields.norway, texts.foreign_truths),
    "operator of another type": (operators.wrong_operators,),
    "deleted line": (lines.deleted_lines,),
    "doubled line": (lines.doubled_lines,),
    "swapped lines": (lines.swapped_lines,),
    "slip in the vocabulary": (declarations.vocabulary_slips,),
    "slip in the notation": (declarations.notation_slips,),
    **{f"slip in a case, depth {deep}": (case_slips.at_depth(deep),) for deep in case_slips.DEPTHS},
}

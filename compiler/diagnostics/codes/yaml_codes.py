"""The codes of reading a file: bytes, characters, the layout of YAML."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, described, effect_text, yaml

TABLE: dict[str, Code] = {
    "unreadable-file": described(
        "a file cannot be read",
        "Only ordinary files are read. Links, pipes and devices could lead anywhere or never end.",
        "a link named `fool.yaml`",
        "the file itself in the pack's folder",
    ),
    "file-too-big": described(
        "a file is too big",
        "A rules file is written by people; one of more than 2 MiB is a mistake or an attack.",
        "a file of 2,097,153 bytes",
        "a file of 2,097,152 bytes",
    ),
    "not-utf8": yaml(
        "a file is not written in UTF-8",
        "Other encodings show other letters on other machines.",
        b"kind: setting\nid: hand_size\nenglish: caf\xe9\n",
        "kind: setting\nid: hand_size\nenglish: café\n",
    ),
    "control-character": yaml(
        "a file holds a control character",
        "Such characters cannot be seen in an editor, and can make a screen show what is not there.",
        "kind: setting\nid: hand«\x00¦_»size\n«¦value: 3\n»",
    ),
    "hidden-character": yaml(
        "a character cannot be seen",
        "Two names that look the same may differ by it, or a line be shown in another order than it has.",
        "kind: setting\nid: hand_size\nenglish: the most «\u202e¦»cards\n",
    ),
    "odd-space": yaml(
        "a space is not the ordinary one",
        "Text copied from a web page can hold wide or unbreakable spaces, which YAML reads as letters.",
        "kind: setting\n«\xa0¦»id: hand_size\n",
    ),
    "empty-file": yaml(
        "a file holds nothing",
        "A file without an item does nothing; it may be a forgotten draft.",
        "«# nothing yet¦kind: setting\nid: hand_size\nvalue: 3»\n",
    ),
    "unreadable-yaml": described(
        "a line cannot be read as YAML",
        "The layout of the file breaks off here in a way we have no better words for.",
        "a line none of our other words fit",
        "the same line, written like those around it",
    ),
    "tab": yaml(
        "a tab stands in the indentation",
        "Every editor shows tabs in another width, so YAML and effect text are indented with spaces only.",
        "field:\n«\t¦  »value: 3\n",
    ),
    "bad-indentation": yaml(
        "a line is indented wrongly",
        "The lines that belong together must begin in the same column.",
        "kind: setting\n« ¦»id: hand_size\n",
    ),
    "unclosed-quote": yaml(
        "a quote is never closed",
        "Everything up to the next quote would count as part of the text.",
        'english: "the most cards«¦"»\nid: hand_size\n',
    ),
    "unopened-quote": yaml(
        "a text ends with a quote that no quote opens",
        "The quote would be part of the text, which is seldom meant.",
        'english: «¦"»the most cards"\n',
    ),
    "text-after-quote": yaml(
        "a line goes on behind a closing quote",
        "A quote of the same sort within the text ends it. Use the other sort around it, or none.",
        'english: «"say "hello" now"¦\'say "hello" now\'»\n',
    ),
    "smart-quote": yaml(
        "a curly quote is used as a quote",
        "Word processors write curly quotes. To YAML they are letters, and so would be part of the text.",
        'english: «“the most cards”¦"the most cards"»\n',
    ),
    "unclosed-bracket": yaml(
        "a bracket is never closed",
        "The lines that follow would count as part of the list.",
        "tags: [fire, air«¦]»\nid: hand_size\n",
    ),
    "unopened-bracket": yaml(
        "a bracket closes nothing",
        "There is no opening bracket to go with this one.",
        "tags: [fire, air]«]¦»\n",
    ),
    "missing-comma": yaml(
        "a comma is missing between entries",
        "Entries in brackets are parted by commas.",
        'tags: ["fire"«¦,» "air"]\n',
    ),
    "missing-colon": yaml(
        "a colon is missing behind a field's name",
        "A field is its name, a colon, a space and its value.",
        "kind: setting\nid«¦:» hand_size\nvalue: 3\n",
    ),
    "missing-space": yaml(
        "a space is missing behind a colon or dash",
        "Without the space the colon or dash counts as part of the word, as in `12:30`.",
        "kind: setting\nid:«¦ »hand_size\nvalue: 3\n",
    ),
    "colon-in-text": yaml(
        "a colon in a text makes a second field of it",
        "A colon followed by a space ends a field's name, unless the text stands in quotes.",
        'english: «note: this counts¦"note: this counts"»\n',
    ),
    "needs-quotes": yaml(
        "a text begins with a sign that YAML keeps for itself",
        "Signs such as `@`, `%`, `{` and `[` mean something to YAML at the start of a text.",
        'english: «@home¦"@home"»\n',
    ),
    "bad-escape": yaml(
        "a backslash makes no escape",
        "In double quotes a backslash begins an escape. In single quotes it is a backslash.",
        "english: «\"one \\quarter\"¦'one \\quarter'»\n",
    ),
    "block-text": yaml(
        "text stands behind the `|` that announces it",
        "A `|` ends its line; the text stands below it, indented.",
        "effect: |« ¦\n  »stop\n",
    ),
    "bad-key": yaml(
        "a field has no proper name",
        "Every field begins with its name, a word.",
        "«[a, b]: 3¦a: 3\nb: 3»\n",
    ),
    "duplicate-key": yaml(
        "a field is given twice",
        "YAML would silently keep the second one.",
        "kind: setting\nvalue: 3\n«value: 4\n¦»",
    ),
    "anchor": yaml(
        "a text begins with `&` or `*`",
        "In YAML these name and repeat a value, so a tiny file can hold millions. Rulesets do without.",
        "a: «&x ¦»3\nb: «*x¦3»\n",
    ),
    "tag": yaml(
        "a text begins with `!`",
        "In YAML this picks a type for the value, in some programs even code to run. Rulesets do without.",
        "a: «!x ¦»3\n",
    ),
    "merge-key": yaml(
        "a map is merged with `<<`",
        "Merged maps hide where a field comes from. Rulesets do without.",
        "«<<: {a: 3}¦a: 3»\nb: 4\n",
    ),
    "directive": yaml(
        "a file begins with a YAML directive",
        "Lines that begin with `%` change how YAML is read. Rulesets do without.",
        "«%YAML 1.1\n---\n¦»a: 3\n",
    ),
    "second-document": yaml(
        "a file holds two documents",
        "A line of three dashes begins a second document. A file holds one item, or one list of items.",
        "«¦- »a: 3\n«---\n¦- »a: 4\n",
    ),
    "nested-too-deep": yaml(
        "values are nested too deep",
        "Nobody can read more than a few levels; 64 is the most.",
        f"a: {'[' * 63}«[]¦»{']' * 63}\n",
    ),
    "too-many-values": described(
        "a file holds too many values",
        "A file holds at most 200,000 keys and values, lists and maps counted too.",
        "a list of 200,000 numbers",
        "a list of 199,999 numbers",
    ),
    "too-long": yaml(
        "a text or a name is too long",
        "A text has at most 20,000 characters, a `|` block 32,768, a line of effect text 4,096, a name 200.",
        f"a: {'x' * 20_000}«x¦»\n",
    ),
    "unmappable-text": effect_text(
        "effect text is written so that its places are lost",
        "YAML rewrites folded, escaped and wrapped text, so a mistake in it could not be shown in its place.",
        "kind: power\nid: fool\neffect: «>¦|»\n  stop\n",
    ),
}

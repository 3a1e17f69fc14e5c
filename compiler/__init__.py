"""Makes programs of rulesets: YAML in, a checked program or a list of plain complaints out.

`ruleloom.compiler.pipeline` is where to begin. Nothing is imported here: who needs only a part is
not to wait for the whole.
"""

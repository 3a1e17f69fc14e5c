"""Compiles rulesets: YAML in, a checked program or a list of diagnostics out.

Begin with `ruleloom.compiler.pipeline`. Nothing is imported here, so that a part loads quickly.
"""

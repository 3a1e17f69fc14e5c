"""What every consumer of texts and programs knows of each form: a new one is named to all of them.

A consumer knows a form if its modules name the class, or one above it. What it may pass over is said
here, in the words of `GROUPS`. A statement that nobody has told of is reported once for each consumer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from ruleloom.compiler.check import forms
from ruleloom.compiler.summary.summaries import NAMED
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax import tree as roles
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.ir import EXPRESSIONS

ROOT = Path(__file__).resolve().parents[2]

GROUPS: dict[str, str] = {
    # statements
    "unwritten": "IdleMoment RunOut",
    # the first words of statements
    "rare": "combinable stop use",
    # rows
    "going on": "Let SetScope Jump JumpUnless Return Spend",
    "together": "Simultaneous Apart",
    "saying": "Say Tell",
    "asking": "Choose Ask Modal Secret",
    "chance": "Roll Draw Peek Pick",
    "calling": "Operate Announce Replaceable Use UsePower",
    "handling": "Put Show",
    "showing": "Show",
    "rules": "Relax Ensure",
    "ending": "Finish Rank",
    # expressions that name something
    "fixed": "setting record records",
    "printed": "static",
    "called": "function allowed query",
    "world": "field zone at",
    "variable": "scope",
}


class Consumer(NamedTuple):
    """Something that goes by the forms; `modules` are its files, `passes` what it may not know."""

    name: str
    modules: str
    passes: str = ""


OF_STATEMENTS = (
    Consumer("the parser", "compiler/syntax/builder.py", "unwritten"),
    Consumer("the printer of laws and rewrites", "benchmarks/edits/printer.py", "unwritten"),
    Consumer("the facts of statements", "compiler/syntax/tree.py"),
    Consumer("the checker", "compiler/check/forms.py"),
    Consumer("the English", "compiler/english/statement_text.py"),
)
OF_ROWS = (
    Consumer("the machine", "runtime/machine/step.py runtime/link/codegen.py"),
    Consumer(
        "the check of saves",
        "runtime/program/verify.py",
        "going on, together, saying, asking, chance, calling, handling, rules, ending",
    ),
    Consumer(
        "the graph of calls",
        "runtime/program/expr.py",
        "going on, together, saying, asking, chance, handling, rules, ending",
    ),
    Consumer(
        "the outline of a routine",
        "compiler/summary/summaries.py runtime/program/expr.py",
        "going on, together, saying, handling, rules, ending",
    ),
    Consumer(
        "the order of answers",
        "compiler/summary/effects.py",
        "going on, together, saying, asking, chance, showing, rules",
    ),
    Consumer(
        "the ways through a routine",
        "runtime/analysis/rows.py",
        "going on, together, saying, asking, chance, calling, handling, rules, ending",
    ),
    Consumer(
        "variables that can still be read",
        "runtime/analysis/rows.py runtime/program/expr.py",
        "going on, together, saying, asking, chance, handling, rules, ending",
    ),
    Consumer(
        "secrecy",
        "runtime/analysis/derived_variables.py runtime/analysis/derived_variables.py",
        "going on, together, saying, asking, rules, ending, chance",
    ),
    Consumer(
        "looking ahead",
        "runtime/analysis/rows.py",
        "going on, together, saying, asking, chance, calling, handling, rules",
    ),
    Consumer(
        "what play never comes to",
        "ruleloom/simulate/tally.py runtime/program/expr.py",
        "going on, together, saying, asking, chance, handling, rules",
    ),
)
OF_NAMES = (
    Consumer("the order of answers", "compiler/summary/effects.py", "fixed, printed"),
    Consumer("secrecy", "runtime/analysis/derived_variables.py", "fixed"),
    Consumer("what a measure reads", "runtime/program/expr.py", "fixed, printed"),
    Consumer("the outline of a routine", "compiler/summary/summaries.py", "fixed, world, called"),
)


OF_WORDS = (
    Consumer("the help for a mistake in a line", "compiler/syntax/slips.json"),
    Consumer("the colours of an editor", "editors/vscode/syntaxes/effect.tmLanguage.json"),
    Consumer("completion", "ruleloom/editor/effect_names.py", "rare"),
)


def unknown(consumer: Consumer, forms: list[str], above: dict[str, set[str]]) -> list[str]:
    """The forms that a consumer neither names nor may pass over."""
    text = "\n".join((ROOT / one).read_text(encoding="utf-8") for one in consumer.modules.split())
    words = set(re.findall(r"\w+", text))
    for group in filter(None, consumer.passes.split(", ")):
        words |= set(GROUPS[group].split())
    return [form for form in forms if words.isdisjoint({form, *above.get(form, ())})]


def tell(consumer: Consumer, missing: list[str]) -> None:
    where = consumer.modules.replace(" ", ", ")
    assert not missing, f"{consumer.name} ({where}) does not know: {', '.join(missing)}"


STATEMENTS = [one.__name__ for one in get_args(ast.Stmt)]
ROWS = [one.__name__ for one in p.ROWS]
ABOVE = {one.__name__: {base.__name__ for base in one.__mro__[1:-2]} for one in p.ROWS}
GRAMMAR = (ROOT / "compiler/syntax/grammar.lark").read_text(encoding="utf-8")
FORMS_IN_GRAMMAR = re.findall(
    r"^(?:simple|compound):(.*?)(?=^\S)", GRAMMAR, re.MULTILINE | re.DOTALL
)
WORDS = sorted({*re.findall(r"(?:^|\|) *\"(\w+)\"", "".join(FORMS_IN_GRAMMAR), re.MULTILINE)})
READING = [form for form, shape in EXPRESSIONS.items() if shape.startswith("s ") or shape == "s"]


@pytest.mark.parametrize("consumer", OF_STATEMENTS, ids=lambda one: one.name)
def test_each_consumer_knows_every_statement(consumer: Consumer):
    tell(consumer, unknown(consumer, STATEMENTS, {}))


@pytest.mark.parametrize("consumer", OF_ROWS, ids=lambda one: one.name)
def test_each_consumer_knows_every_row(consumer: Consumer):
    tell(consumer, unknown(consumer, ROWS, ABOVE))


@pytest.mark.parametrize("consumer", OF_NAMES, ids=lambda one: one.name)
def test_each_consumer_knows_every_form_that_names_something(consumer: Consumer):
    tell(consumer, unknown(consumer, [one for one in READING if one != "each"], {}))


@pytest.mark.parametrize("consumer", OF_WORDS, ids=lambda one: one.name)
def test_each_consumer_knows_the_first_word_of_every_statement(consumer: Consumer):
    tell(consumer, unknown(consumer, WORDS, {}))


def test_the_tables_have_every_statement():
    assert set(STATEMENTS) == {one.__name__ for one in forms.STATEMENTS}, "the checker"
    facts = {one.__name__ for one in roles.FACTS} - {"MenuName"}
    assert set(STATEMENTS) == facts, "the facts of statements"


def test_every_name_in_a_statement_has_a_role():
    for kind in get_args(ast.Stmt):
        fields = kind.__dataclass_fields__.values()
        named = {
            one.name
            for one in fields
            if str(one.type).startswith(("Name", "CallExpr", "tuple[Name"))
        }
        assert named <= roles.roles_of(kind).keys(), kind.__name__


def test_a_form_that_nobody_was_told_of_is_named_to_each_consumer():
    made_up = {"SwapStmt": OF_STATEMENTS, "Swap": OF_ROWS, "swap": (*OF_NAMES, *OF_WORDS)}
    for form, consumers in made_up.items():
        assert all(unknown(one, [form], {}) == [form] for one in consumers)


def test_groups_name_what_there_is():
    there = {*STATEMENTS, *ROWS, *EXPRESSIONS, *WORDS}
    assert {word for words in GROUPS.values() for word in words.split()} <= there
    assert set(NAMED) <= set(READING)

"""The grammar by which VS Code colours effect text in YAML, run by the library that VS Code itself uses."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.conftest import ROOT

EXTENSION = ROOT / "editors" / "vscode"
NODE = shutil.which("node")
MODULES = EXTENSION / "node_modules" / "vscode-textmate"
LACKS = "needs Node and `npm install --no-package-lock` in editors/vscode"

CARD = """\
- kind: major
  id: gale
  title: "use attack"
  effect: |
    # Wind.
    choose minion from minions "Who, {me}?"
    roll wind = 3d6
    if wind >= 12:
        use move
  number: 39
- {kind: power, id: nap, effect: "use move"}
"""

SCRIPT = """
const fs = require("fs"), path = require("path");
const tm = require("vscode-textmate"), onig = require("vscode-oniguruma");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
const files = { "source.ruleloom-effect": "effect", "ruleloom.effect.injection": "injection" };
const plain = JSON.stringify({ scopeName: "source.yaml", patterns: [
  { name: "string.quoted.double.yaml", begin: '"', end: '"' },
  { name: "comment.line.yaml", match: "#.*$" } ], repository: {} });
onig.loadWASM(wasm).then(async () => {
  const registry = new tm.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (p) => new onig.OnigScanner(p),
      createOnigString: (s) => new onig.OnigString(s) }),
    loadGrammar: async (scope) => tm.parseRawGrammar(scope === "source.yaml" ? plain :
      fs.readFileSync(path.join("syntaxes", files[scope] + ".tmLanguage.json"), "utf8"), "x.json"),
    getInjections: (scope) => scope === "source.yaml" ? ["ruleloom.effect.injection"] : [] });
  const grammar = await registry.loadGrammar("source.yaml");
  let stack = tm.INITIAL; const out = [];
  for (const line of fs.readFileSync(0, "utf8").split("\\n")) {
    const found = grammar.tokenizeLine(line, stack); stack = found.ruleStack;
    out.push(found.tokens.map((t) => [line.slice(t.startIndex, t.endIndex), t.scopes.at(-1), t.scopes.includes("meta.embedded.effect")]));
  }
  console.log(JSON.stringify(out));
});
"""


@pytest.mark.editors
@pytest.mark.skipif(NODE is None or not MODULES.is_dir(), reason=LACKS)
def test_effect_text_is_coloured_inside_yaml_and_nothing_else():
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", SCRIPT], input=CARD, cwd=EXTENSION, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)
    found = [{text.strip(): scope for text, scope, _ in line if text.strip()} for line in lines]
    assert not any(inside for line in (*lines[:4], lines[9]) for _, _, inside in line)
    assert found[4]["# Wind."] == "comment.line.number-sign.effect"
    assert found[5]["choose"] == "keyword.control.effect"
    assert found[5]["{me}"] == "variable.other.hole.effect"
    assert found[6]["3d6"] == "constant.numeric.effect"
    assert found[7][">="] == "keyword.operator.effect"
    assert found[8]["use"] == "keyword.control.effect"
    assert found[8]["move"] == found[10]["move"] == "entity.name.function.effect"
    assert not found[2].get("use")  # a title is no effect


def test_the_extension_names_exact_versions_and_no_registry():
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert all(version[:1].isdigit() for version in package["devDependencies"].values())
    assert "dependencies" not in package
    assert not (EXTENSION / "package-lock.json").exists()
    assert package["capabilities"]["untrustedWorkspaces"]["supported"] == "limited"

// Makes `ruleloom/web/static/vendor/codemirror.js`, and beside it the licences of all that is in it.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const OUT = "../../ruleloom/web/static/vendor";

const made = await build({
  entryPoints: ["src/codemirror.js"], bundle: true, format: "esm", target: "es2022", minify: true,
  legalComments: "none", charset: "utf8", metafile: true, outfile: `${OUT}/codemirror.js`,
  banner: { js: "/* CodeMirror, built by editors/browser; licences in codemirror-licences.txt */" },
});

const names = new Set(Object.keys(made.metafile.inputs)
  .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
const parts = [...names].sort().map((name) => {
  const folder = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} brings no licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/codemirror-licences.txt`, parts.join(`\n${"-".repeat(72)}\n\n`));
console.log(`${names.size} packages: ${[...names].sort().join(", ")}`);

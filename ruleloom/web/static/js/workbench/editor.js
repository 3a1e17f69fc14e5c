// The editor: CodeMirror, with what the language server says of the text.

import {
  autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, Decoration, defaultKeymap, drawSelection, EditorState, EditorView, foldGutter,
  foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, HighlightStyle, history, historyKeymap, hoverTooltip, indentUnit,
  keymap, lineNumbers, lintGutter, lintKeymap, search, searchKeymap, setDiagnostics, snippet, StateEffect, StateField, syntaxHighlighting, tags, yaml,
} from "../../vendor/codemirror.js";
import { el } from "../dom.js";
import { t } from "../text.js";

const SEVERITIES = [null, "error", "warning", "info", "hint"];
const SORTS = { 2: "method", 3: "function", 6: "variable", 7: "class", 9: "namespace", 10: "property", 14: "keyword", 13: "enum", 20: "constant", 21: "constant", 23: "type" };

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "0.95rem", backgroundColor: "var(--sheet)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--glow)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.6rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sheet)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--can-back) 45%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--glow) 30%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "10px", boxShadow: "var(--shade)", overflow: "hidden" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--deep)", color: "var(--on-deep)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.85" },
  ".cm-told": { maxWidth: "36rem", maxHeight: "20rem", overflow: "auto", padding: "0.5rem 0.8rem" },
  ".cm-told pre": { margin: "0.3rem 0", whiteSpace: "pre-wrap", fontSize: "0.85rem" },
  ".cm-told p": { margin: "0.3rem 0" },
  ".cm-diagnostic": { padding: "0.4rem 0.7rem", whiteSpace: "pre-wrap" },
  ".cm-panels": { backgroundColor: "var(--sheet)", color: "var(--ink)" },
  ".cm-tok-keyword": { color: "var(--deep)", fontWeight: "600" },
  ".cm-tok-function, .cm-tok-method": { color: "var(--p0)" },
  ".cm-tok-variable, .cm-tok-parameter": { color: "var(--p3)" },
  ".cm-tok-number": { color: "var(--p1)" },
  ".cm-tok-string": { color: "var(--can)" },
  ".cm-tok-property, .cm-tok-event, .cm-tok-enumMember, .cm-tok-class, .cm-tok-type": { color: "var(--p2)" },
  ".cm-tok-comment": { color: "var(--soft)", fontStyle: "italic" },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--p0)", fontWeight: "600" }, { tag: tags.definition(tags.propertyName), color: "var(--p0)", fontWeight: "600" },
  { tag: tags.string, color: "var(--can)" }, { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--p1)" }, { tag: tags.keyword, color: "var(--deep)" }, { tag: tags.meta, color: "var(--soft)" },
]);

const setTokens = StateEffect.define();
const TOKENS = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects) if (effect.is(setTokens)) return effect.value;
    return marks.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  /** `on.changed(state)` is told of each change of the text, `on.moved(state)` of the cursor. */
  constructor(parent, nonce, language, on) {
    this.language = language;
    this.on = on;
    this.extensions = [
      EditorView.cspNonce.of(nonce), lineNumbers(), foldGutter(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }), indentUnit.of("  "), yaml(), syntaxHighlighting(COLOURS), TOKENS, lintGutter(), LOOK,
      autocompletion({ override: [(context) => this.complete(context)] }), hoverTooltip((view, at) => this.hover(view, at)),
      keymap.of([{ key: "Mod-s", run: () => { on.save(); return true; } }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": t("text_of_file"), tabindex: "0" }), EditorView.lineWrapping,
      EditorView.updateListener.of((update) => this.updated(update)),
    ];
    this.view = new EditorView({ parent, state: this.stateOf("") });
    this.uri = null;
  }

  stateOf(text) { return EditorState.create({ doc: text, extensions: this.extensions }); }

  /** Show the state of a file. */
  show(uri, state) {
    this.uri = uri;
    this.view.setState(state);
    this.colour();
  }

  get text() { return this.view.state.doc.toString(); }

  updated(update) {
    if (!this.uri) return;
    if (update.docChanged) {
      this.language.change(this.uri, this.text);
      clearTimeout(this.colouring);
      this.colouring = setTimeout(() => this.colour(), 250);
      this.on.changed(update.state);
    }
    if (update.docChanged || update.selectionSet) this.on.moved(update.state);
  }

  position(at = this.view.state.selection.main.head) {
    const line = this.view.state.doc.lineAt(at);
    return { line: line.number - 1, character: at - line.from };
  }

  offset({ line, character }) {
    const { doc } = this.view.state;
    if (line + 1 > doc.lines) return doc.length;
    const found = doc.line(line + 1);
    return Math.min(found.from + character, found.to);
  }

  document() { return { textDocument: { uri: this.uri } }; }

  /** Go to a line, from 0. */
  go(line) {
    const at = this.offset({ line, character: 0 });
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Replace a stretch, as one step that can be undone. */
  replace(from, to, insert) { this.view.dispatch({ changes: { from, to, insert }, userEvent: "input.form" }); }

  /** Make edits of the protocol, as one step. */
  apply(edits) {
    this.view.dispatch({ changes: edits.map((one) => ({ from: this.offset(one.range.start), to: this.offset(one.range.end), insert: one.newText })), userEvent: "input.mend" });
  }

  // ------------------------------------------------------------------ what the server says

  found(diagnostics) {
    const shown = diagnostics.map((one) => {
      const from = this.offset(one.range.start), to = Math.max(from, this.offset(one.range.end));
      return { from, to, severity: SEVERITIES[one.severity] ?? "info", source: one.code, message: one.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  async colour() {
    const { uri } = this, text = this.text;
    if (!uri || !text) return;
    const found = await this.language.ask("textDocument/semanticTokens/full", this.document()).catch(() => null);
    if (!found || uri !== this.uri || text !== this.text) return;
    const marks = [];
    let line = 0, character = 0;
    for (let at = 0; at + 4 < found.data.length; at += 5) {
      const [down, across, length, kind] = found.data.slice(at, at + 4);
      character = down ? across : character + across;
      line += down;
      const from = this.offset({ line, character });
      if (length) marks.push(Decoration.mark({ class: `cm-tok-${this.language.legend[kind]}` }).range(from, Math.min(from + length, this.view.state.doc.length)));
    }
    this.view.dispatch({ effects: setTokens.of(Decoration.set(marks.filter((one) => one.from < one.to), true)) });
  }

  async complete(context) {
    const word = context.matchBefore(/[\w-]+/);
    if (!context.explicit && !word && !/[{(:/, .]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos))) return null;
    const found = await this.language.ask("textDocument/completion", { ...this.document(), position: this.position(context.pos) }).catch(() => null);
    if (!found?.items.length || context.aborted) return null;
    const from = this.offset(found.items[0].textEdit.range.start);
    return { from, options: found.items.map((one, number) => option(one, number)), validFor: found.isIncomplete ? undefined : /^[\w-]*$/ };
  }

  async hover(view, at) {
    const found = await this.language.ask("textDocument/hover", { ...this.document(), position: this.position(at) }).catch(() => null);
    if (!found) return null;
    return { pos: this.offset(found.range.start), end: this.offset(found.range.end), above: true, create: () => ({ dom: el("div", { class: "cm-told" }, told(found.contents.value)) }) };
  }
}

function option(one, number) {
  const text = one.textEdit.newText;
  const shown = { label: one.label, detail: one.detail, type: SORTS[one.kind] ?? "text", boost: -number / 10, info: one.documentation ? () => el("div", { class: "cm-told" }, el("p", {}, one.documentation)) : undefined };
  return { ...shown, apply: one.insertTextFormat === 2 ? snippet(text.replaceAll(/\$(\d+)/g, "$${$1}").replaceAll(/\$\{(\d+):([^}]*)\}/g, "$${$2}")) : text };
}

/** The few signs of Markdown that a hover has, as elements; all else is text. */
function told(markdown) {
  return markdown.split(/```\n?/).flatMap((part, number) => (number % 2 ? [el("pre", {}, part.trimEnd())]
    : part.split(/\n\n+/).filter((one) => one.trim()).map((one) => el("p", {}, inline(one)))));
}

function inline(text) {
  return text.trim().split(/(\*\*[^*]+\*\*|`[^`]+`| {2}\n)/).map((one) => {
    if (one.startsWith("**")) return el("b", {}, bare(one.slice(2, -2)));
    if (one.startsWith("`") && one.length > 1) return el("code", {}, one.slice(1, -1));
    return one === "  \n" ? el("br") : bare(one);
  });
}

const bare = (text) => text.replaceAll(/\\(.)/g, "$1");

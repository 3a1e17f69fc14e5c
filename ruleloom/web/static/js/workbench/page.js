// The workbench: the files of packs, one of them in the editor, and beside it what it makes.

import { base64Of, offerPack } from "../carried.js";
import { button, dialog, el } from "../dom.js";
import { ask } from "../link.js";
import { keepPerson } from "../making/kept.js";
import { ALONE, addressOf, visit } from "../route.js";
import { counted, t } from "../text.js";
import { card, printed } from "./card.js";
import { caseList, failedText, showSteps } from "./cases.js";
import { drawnDiff } from "./diff.js";
import { Editor } from "./editor.js";
import { Form } from "./form.js";
import { Language } from "./language.js";

const TABS = ["card", "form", "cases"], LOOK_AT_DISK = 4000, PAUSE = 250, MOST_PROBLEMS = 60;
const REST = ALONE ? 600 : 0; // one worker writes rules texts and finds mistakes, which come first

export function showWorkbench(root, token) {
  const workbench = new Workbench(root, token);
  workbench.start();
  return () => workbench.leave();
}

class Workbench {
  constructor(root, token) {
    this.token = token;
    this.files = new Map(); // by URI: what is known of a file, and its state in the editor
    this.findings = new Map();
    this.now = null;
    this.tab = "card";
    this.state = el("span", { class: "state", role: "status" });
    this.named = el("h2", { class: "file-name" }, t("no_file_open"));
    this.list = el("nav", { class: "files", "aria-label": t("files") });
    this.place = el("div", { class: "editor" });
    this.problems = el("ul", { class: "problems", "aria-label": t("problems") });
    this.notice = el("div", { class: "notice", role: "alert", hidden: true });
    this.save_ = button(t("save"), () => this.save(), { class: "main", disabled: true, title: "Ctrl-S" });
    this.diff_ = button(t("show_changes"), () => this.diff(), { disabled: true });
    this.play_ = button(t("play_from_here"), () => this.play(), { disabled: true });
    this.share_ = button(t("share"), () => this.share(), { disabled: true });
    this.tabs = el("div", { role: "tablist", class: "tabs", "aria-label": t("beside") }, TABS.map((one) => this.tabOf(one)));
    this.panel = el("div", { role: "tabpanel", id: "beside", class: "panel", tabindex: "0" });
    this.toast = el("div", { class: "toast", role: "status", hidden: true });
    root.replaceChildren(el("header", { class: "top" }, el("h1", {}, t("workbench")), this.state, el("nav", { class: "tools", "aria-label": t("tools") }, this.save_, this.diff_, this.play_, this.share_,
      button(t("make_person"), () => this.make(), { class: "quiet" }), el("a", { href: addressOf("/", token), target: ALONE ? null : "_blank", rel: "noopener" }, t("hosts_page")))),
    el("main", { class: "bench" }, this.list, el("section", { class: "middle", "aria-label": t("text_of_file") }, this.named, this.notice, this.place, this.problems),
      el("section", { class: "beside", "aria-label": t("beside") }, this.tabs, this.panel)), this.toast);
    this.language = new Language(token, { state: (state) => this.stateOf(state), found: (found) => this.found(found) });
    this.editor = new Editor(this.place, root.dataset.nonce, this.language, { changed: () => this.changed(), moved: () => this.soon(), save: () => this.save() });
    this.form = new Form({ set: (form, path, value) => this.byForm("set", form, path, { value }), remove: (form, path) => this.byForm("remove", form, path, {}), go: (line) => this.editor.go(line) });
    addEventListener("beforeunload", (event) => { if ([...this.files.values()].some((one) => one.dirty)) event.preventDefault(); });
    addEventListener("focus", () => this.lookAtDisk());
    this.watching = setInterval(() => { if (!document.hidden) this.lookAtDisk(); }, LOOK_AT_DISK);
  }

  async start() {
    document.title = t("workbench");
    await this.drawFiles();
    const all = [...this.files.values()], first = all.find((one) => !/(^|\/)pack\.yaml$|scenarios\.yaml$/.test(one.name)) ?? all[0];
    if (first) await this.show(first.uri);
  }

  /** Go elsewhere in this page: what was written is saved. */
  leave() {
    clearInterval(this.watching);
    if (this.now) this.now.state = this.editor.view.state;
    for (const { dirty, pack, name, state, mark } of this.files.values()) if (dirty) this.tried("save", { pack, name, text: state.doc.toString(), mark });
    this.language.close();
  }

  stateOf(state) {
    this.state.textContent = { here: "", away: t("away"), refused: t("link_refused") }[state];
    if (state === "here") this.soon();
  }

  async tried(path, data = {}) {
    try { return await ask(this.token, `bench/${path}`, data); } catch (error) {
      this.say(error.unreachable ? t("unreachable") : error.message);
      return undefined;
    }
  }

  say(text) {
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => { this.toast.hidden = true; }, 8000);
  }

  // ------------------------------------------------------------------ files

  async drawFiles() {
    const found = await this.tried("files");
    if (!found) return;
    this.packs = found.packs;
    for (const [number, pack] of this.packs.entries()) {
      for (const { name, uri } of pack.files) if (!this.files.has(uri)) this.files.set(uri, { pack: number, name, uri, state: null, mark: "", dirty: false });
    }
    const zip = el("input", { type: "file", accept: ".zip", on: { change: () => this.openZip(zip) } });
    this.list.replaceChildren(...(this.packs.length ? this.packs.map((pack, number) => el("section", {}, el("h2", {}, pack.name),
      el("ul", {}, pack.files.map(({ uri }) => el("li", {}, this.fileButton(this.files.get(uri))))), button(t("new_file"), () => this.askNew(number, pack.kinds), { class: "quiet" })))
      : [el("div", { class: "empty" }, el("p", {}, t("no_packs")), el("pre", {}, "ruleloom new pack my-pack --game gnostica\nruleloom serve gnostica my-pack"))]), el("label", { class: "load" }, t("open_zip"), zip));
  }

  async openZip(field) {
    const [file] = field.files;
    const found = file && await this.tried("take", { name: file.name, data: await base64Of(file) });
    field.value = "";
    if (!found) return;
    await this.drawFiles();
    await this.show(this.packs[found.pack].files[0].uri);
  }

  /** The pack of the open file, as it is kept, for others. */
  async share() {
    const found = await this.tried("share", { pack: this.now.pack });
    if (found) offerPack(found);
  }

  fileButton(file) {
    file.button = button(file.name, () => this.show(file.uri));
    this.markFile(file);
    return file.button;
  }

  markFile(file) {
    const errors = (this.findings.get(file.uri) ?? []).filter((one) => one.severity === 1).length;
    if (!file.button) return;
    file.button.replaceChildren(file.name, file.dirty ? el("span", { class: "dirty" }, ` ● ${t("unsaved")}`) : "", errors ? el("span", { class: "wrong" }, ` ✗ ${counted("mistakes_in", errors)}`) : "");
    if (file === this.now) file.button.setAttribute("aria-current", "true");
    else file.button.removeAttribute("aria-current");
  }

  async show(uri) {
    const file = this.files.get(uri), before = this.now;
    if (!file) return;
    if (!file.state) {
      const found = await this.tried("read", { pack: file.pack, name: file.name });
      if (!found) return;
      Object.assign(file, { mark: found.mark, saved: found.text, state: this.editor.stateOf(found.text) });
    }
    if (before) before.state = this.editor.view.state;
    if (before !== file) this.wipe();
    this.now = file;
    this.named.textContent = `${this.packs[file.pack].name}/${file.name}`;
    this.language.show(uri, file.state.doc.toString());
    this.editor.show(uri, file.state);
    this.editor.found(this.findings.get(uri) ?? []);
    this.drawProblems();
    this.buttons();
    if (before) this.markFile(before);
    this.markFile(file);
    this.tellDisk();
    this.soon();
  }

  buttons() {
    this.save_.disabled = this.diff_.disabled = !this.now?.dirty;
    this.play_.disabled = this.share_.disabled = !this.now;
  }

  askNew(number, kinds) {
    const kind = el("select", {}, kinds.map((one) => el("option", { value: one }, one)), el("option", { value: "" }, t("empty_file")));
    const name = el("input", { required: true, pattern: "[a-z][a-z0-9_\\-]*", maxlength: 40, placeholder: "my-card" });
    const told = el("p", { class: "told", role: "alert" });
    const make = async (event) => {
      event.preventDefault();
      try {
        const { made } = await ask(this.token, "bench/create", { pack: number, kind: kind.value, name: name.value });
        box.close();
        await this.drawFiles();
        await this.show(this.packs[number].files.find((one) => one.name === made[0]).uri);
        this.language.saved(this.now.uri);
        this.editor.view.focus();
      } catch (error) { told.textContent = error.message; }
    };
    const box = dialog(t("new_file"), el("form", { class: "paper", on: { submit: make } }, el("p", {}, t("new_file_help")), el("label", {}, t("kind_of_item"), kind), el("label", {}, t("name_of_item"), name), told,
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, t("make")))), t("close"));
    name.focus();
  }

  // ------------------------------------------------------------------ saving

  changed() {
    const file = this.now;
    file.dirty = this.editor.text !== file.saved;
    this.markFile(file);
    this.buttons();
  }

  async save() {
    const file = this.now;
    if (!file?.dirty) return;
    const text = this.editor.text;
    const done = await this.tried("save", { pack: file.pack, name: file.name, text, mark: file.mark });
    if (!done) return;
    if (done.theirs) { file.theirs = done.theirs; this.tellDisk(); this.conflict(); return; }
    Object.assign(file, { mark: done.mark, saved: text, theirs: null, dirty: this.now === file && this.editor.text !== text });
    this.language.saved(file.uri);
    this.markFile(file);
    this.buttons();
    this.tellDisk();
    this.say(t("saved", { name: file.name }));
  }

  async diff() {
    const lines = await this.tried("diff", { pack: this.now.pack, name: this.now.name, text: this.editor.text });
    if (lines) dialog(t("changes_of", { name: this.now.name }), el("div", { class: "paper" }, drawnDiff(lines), el("div", { class: "row" }, button(t("save"), (event) => { event.target.closest("dialog").close(); this.save(); }, { class: "main" }))), t("close"));
  }

  /** See whether somebody else has written the open file. */
  async lookAtDisk() {
    const file = this.now;
    if (!file || this.looking) return;
    this.looking = true;
    const found = await ask(this.token, "bench/read", { pack: file.pack, name: file.name }).catch(() => null);
    this.looking = false;
    if (!found || found.mark === file.mark || file !== this.now) return;
    if (file.dirty) { file.theirs = found; this.tellDisk(); return; }
    this.take(file, found);
    this.say(t("read_anew", { name: file.name }));
  }

  /** Go on from what stands on the disk; what stood in the editor can be had back with undo. */
  take(file, found) {
    Object.assign(file, { mark: found.mark, saved: found.text, theirs: null });
    const { doc } = this.editor.view.state;
    if (doc.toString() !== found.text) this.editor.replace(0, doc.length, found.text);
    file.dirty = false;
    this.language.saved(file.uri);
    this.markFile(file);
    this.buttons();
    this.tellDisk();
  }

  tellDisk() {
    const theirs = this.now?.theirs;
    this.notice.hidden = !theirs;
    if (theirs) this.notice.replaceChildren(el("p", {}, t("changed_on_disk")), button(t("see_conflict"), () => this.conflict()));
  }

  async conflict() {
    const file = this.now, { theirs } = file;
    const lines = await this.tried("diff", { pack: file.pack, name: file.name, text: this.editor.text });
    if (!lines) return;
    const box = dialog(t("conflict_of", { name: file.name }), el("div", { class: "paper" }, el("p", {}, t("conflict_help")), drawnDiff(lines), el("div", { class: "row" },
      button(t("take_theirs"), () => { this.take(file, theirs); box.close(); }, { class: "main" }),
      button(t("go_on_with_mine"), () => { Object.assign(file, { mark: theirs.mark, saved: theirs.text, theirs: null, dirty: true }); this.tellDisk(); this.buttons(); box.close(); }))), t("close"));
    box.classList.add("conflict");
  }

  // ------------------------------------------------------------------ findings

  found({ uri, diagnostics }) {
    this.findings.set(uri, diagnostics);
    const file = this.files.get(uri);
    if (file) this.markFile(file);
    if (file && file === this.now) { this.editor.found(diagnostics); this.drawProblems(); }
    this.soon();
  }

  drawProblems() {
    const own = this.findings.get(this.now.uri) ?? [], none = this.findings.has(this.now.uri) ? t("no_problems") : t("working");
    const others = [...this.findings].filter(([uri]) => uri !== this.now.uri).flatMap(([uri, many]) => many.map((one) => [uri, one]));
    const all = [...own.map((one) => [this.now.uri, one]), ...others], shown = all.slice(0, MOST_PROBLEMS);
    this.problems.replaceChildren(...(shown.length ? shown.map(([uri, one]) => this.problem(uri, one)) : [el("li", { class: "none" }, none)]),
      all.length > shown.length ? el("li", { class: "none" }, t("more_problems", { count: all.length - shown.length })) : "");
  }

  /** A finding; one in a file that is not written here (a zip, a shipped game) leads nowhere. */
  problem(uri, one) {
    const { line, character } = one.range.start, file = this.files.get(uri);
    const name = uri === this.now.uri ? "" : `${file ? file.name : decodeURIComponent(uri.split("/").slice(-2).join("/"))} `;
    const words = [el("span", { class: "where" }, `${name}${line + 1}:${character + 1} ${t(one.severity === 1 ? "mistake" : "hint")} `), one.message];
    const mend = uri === this.now.uri && one.code ? button(t("mend"), () => this.mend(one), { "aria-label": t("mend_line", { line: line + 1 }) }) : null;
    return el("li", { class: one.severity === 1 ? "error" : "warning" }, mend, file ? button(words, async () => { await this.show(uri); this.editor.go(line); }, { class: "quiet" }) : el("p", {}, words));
  }

  /** Mend a finding as the checker would; of several ways one is chosen. */
  async mend(one) {
    const { uri } = this.now, text = this.editor.text;
    const asked = { ...this.editor.document(), range: one.range, context: { diagnostics: [one], only: ["quickfix"] } };
    const found = await this.language.ask("textDocument/codeAction", asked).catch(() => null);
    const ways = (found ?? []).map((way) => [way.title, way.edit?.documentChanges ?? []]).filter(([, changes]) => changes.length === 1 && changes[0].textDocument?.uri === uri);
    const make = (changes) => { if (text === this.editor.text) this.editor.apply(changes[0].edits); else this.say(t("text_moved")); };
    if (!ways.length) { this.say(t("no_mend")); return; }
    if (ways.length === 1) { make(ways[0][1]); return; }
    const box = dialog(t("mend"), el("div", { class: "paper options" }, ways.map(([title, changes]) => button(title, () => { box.close(); make(changes); }))), t("close"));
  }

  // ------------------------------------------------------------------ beside the text

  tabOf(name) {
    return el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "beside", "aria-selected": String(name === this.tab), tabindex: name === this.tab ? 0 : -1, on: { click: () => this.choose(name), keydown: (event) => this.tabKey(event) } }, t(`tab_${name}`));
  }

  tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    this.choose(TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length]);
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  choose(name) {
    this.tab = name;
    this.language.wake();
    for (const [at, node] of [...this.tabs.children].entries()) {
      node.setAttribute("aria-selected", String(TABS[at] === name));
      node.tabIndex = TABS[at] === name ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.wipe();
    this.soon(0);
  }

  /** What stands beside is of something else now: say so until the new is there. */
  wipe() { this.panel.replaceChildren(el("p", { class: "stale" }, t("working"))); }

  /** Draw what stands beside the text once nobody has typed for a moment. */
  soon(wait = PAUSE) {
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => this.draw(), wait);
  }

  async draw() {
    if (!this.now) return;
    const stamp = this.stamp = (this.stamp ?? 0) + 1;
    const where = { ...this.editor.document(), ...this.editor.position() };
    const get = (name, more = {}) => this.language.ask(`bench/${name}`, { ...where, ...more });
    try {
      if (this.tab === "form") {
        const form = await get("form");
        if (stamp !== this.stamp) return;
        this.form.draw(form);
        if (this.panel.firstChild !== this.form.node) this.panel.replaceChildren(this.form.node);
      } else if (this.tab === "cases") {
        const cases = await get("cases");
        if (stamp !== this.stamp) return;
        this.tabs.children[2].textContent = [t("tab_cases"), failedText(cases)].filter(Boolean).join(" · ");
        this.panel.replaceChildren(...caseList(cases, { step: (one) => this.step(one), go: (one) => this.goTo(one) }));
      } else {
        for (const fresh of [false, true]) {
          if (fresh) await new Promise((done) => { setTimeout(done, REST); });
          if (stamp !== this.stamp) return;
          const item = await get("item", { fresh });
          if (stamp !== this.stamp) return;
          // A text that cannot be read just now leaves the card as it was.
          const before = this.editor.text.trim() && this.item?.uri === this.now.uri ? { ...this.item, sound: false } : null;
          this.item = item ? { ...item, uri: this.now.uri } : before;
          this.panel.replaceChildren(...card(this.item, (id) => this.print(id)));
          if (!item || item.fresh) break;
        }
      }
      this.panel.dataset.drawn = String(stamp);
    } catch (error) {
      if (stamp === this.stamp && error.message !== "away") this.panel.replaceChildren(el("p", { class: "told" }, error.message));
    }
  }

  async print(id) {
    try { printed(await this.language.ask("bench/print", { ...this.editor.document(), ...this.editor.position(), id })); } catch (error) { this.say(error.message); }
  }

  async goTo(one) {
    await this.show(one.uri);
    this.editor.go(one.line);
  }

  async step(one) {
    try {
      showSteps(one.title || one.id, await this.language.ask("bench/step", { textDocument: { uri: one.uri }, line: one.line, character: 0, case: one.id }));
    } catch (error) { this.say(error.message); }
  }

  async byForm(what, form, path, data) {
    const text = this.editor.text;
    try {
      const edit = await this.language.ask(`bench/${what}`, { ...this.editor.document(), version: this.language.versionOf(this.now.uri), kind: form.kind, number: form.number, path, ...data });
      if (text === this.editor.text) this.editor.replace(edit.start, edit.end, edit.text);
      else this.say(t("text_moved"));
    } catch (error) {
      this.say(error.message);
      this.form.shown = "";
    }
    this.soon(0);
  }

  /** Make what stands at the cursor by choices, for this file; or anybody, where nothing there is made so. */
  async make() {
    const file = this.now;
    if (file?.dirty) { this.say(t("save_first")); return; }
    const { pack, name, mark, saved } = file ?? {}, form = file && await this.language.ask("bench/form", { ...this.editor.document(), ...this.editor.position() }).catch(() => null);
    const found = form && await this.tried("making", { pack, kind: form.kind });
    if (!found?.game) { visit("/make", this.token); return; }
    const of = this.packs[pack].name, key = `${of}/${name}/${form.number}`;
    keepPerson({ key, game: found.game, number: form.number, text: saved, kind: form.kind, file: { of, name, mark, saved } });
    visit("/make", `${this.token}.${encodeURIComponent(key).replaceAll(".", "%2E")}`);
  }

  async play() {
    try {
      const where = { ...this.editor.document(), ...this.editor.position() };
      const item = await this.language.ask("bench/item", where);
      const found = await this.language.ask("bench/play", { ...where, id: item?.id ?? "" });
      const { pathname, hash } = new URL(found.link, location.href);
      visit(pathname, hash.slice(1));
      if (!ALONE) dialog(t("table_opened"), el("div", { class: "paper" }, el("p", {}, found.held ? t("is_in_hand", { name: found.held }) : t("is_in_play")), el("p", {}, el("a", { href: addressOf(pathname, hash.slice(1)), target: "_blank", rel: "noopener" }, t("to_the_table")))), t("close"));
    } catch (error) { this.say(error.message); }
  }
}

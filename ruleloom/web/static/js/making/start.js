// Where somebody begins: a game, a kind, a template or chance; a file; or somebody whom this browser keeps.

import { button, dialog, el } from "../dom.js";
import { t } from "../text.js";
import { offerPerson } from "./export.js";
import { forgetPerson, newKey, people } from "./kept.js";

export class Start {
  /** `act.tried(path, data)` asks, `act.open(person)` goes on with somebody. */
  constructor(act) {
    this.act = act;
    this.form = el("section", { class: "open" });
    this.kept = el("section", { class: "tables" });
    this.node = el("main", { class: "lobby" }, this.form, this.kept);
  }

  draw(games) {
    this.games = games;
    const game = el("select", { id: "game", on: { change: () => this.offer(Number(game.value)) } }, games.map((name, at) => el("option", { value: at }, name)));
    const file = el("input", { type: "file", accept: ".yaml,.yml,text/yaml,text/plain", on: { change: () => this.read(file, Number(game.value)) } });
    this.rest = el("div", {});
    this.form.replaceChildren(el("h2", {}, t("new_person")), el("label", { class: "pick" }, t("game"), game), this.rest, el("label", { class: "load" }, t("open_person"), file));
    game.value = String(this.chosen ?? 0);
    this.drawKept();
    return this.offer(this.chosen ?? 0);
  }

  async offer(number) {
    this.chosen = number;
    this.rest.replaceChildren(el("p", { role: "status" }, t("reading_rules")));
    const found = await this.act.tried("offer", { game: number });
    if (number !== this.chosen) return; // another game was chosen meanwhile
    if (!found) { this.rest.replaceChildren(); return; }
    if (!found.kinds.length) { this.rest.replaceChildren(el("p", {}, t("nobody_to_make"))); return; }
    const kind = el("select", { id: "kind", on: { change: () => this.kind(number, kind.value) } }, found.kinds.map((one) => el("option", { value: one.name }, one.title)));
    this.ways = el("div", { class: "begin" });
    this.rest.replaceChildren(el("label", { class: "pick" }, t("kind_of_person"), kind), this.ways);
    await this.kind(number, found.kinds[0].name);
  }

  /** The ways to begin somebody of a kind. */
  async kind(game, kind) {
    const wanted = this.wanted = `${game} ${kind}`;
    delete this.ways.dataset.of;
    const found = await this.act.tried("kind", { game, kind });
    if (wanted !== this.wanted) return;
    if (!found) { this.ways.replaceChildren(); return; }
    const begin = (data) => this.begin(game, { kind, name: name.value, ...data });
    const name = el("input", { type: "text", maxlength: 100, autocomplete: "off" });
    const template = el("select", {}, el("option", { value: "" }, t("from_nothing")), found.templates.map((one) => el("option", { value: one.id }, one.title)));
    const theme = el("select", {}, el("option", { value: "" }, t("any_theme")), found.themes.map((one) => el("option", { value: one }, one.replaceAll("_", " "))));
    const points = found.points === null ? null : el("input", { type: "number", value: found.points, min: 0, max: found.points, step: 1, required: true });
    this.ways.dataset.of = wanted; // what they are for, once they are there
    this.ways.replaceChildren(el("label", { class: "pick" }, t("name_of_person"), name), found.templates.length ? el("label", { class: "pick" }, t("begin_with"), template) : "",
      el("fieldset", {}, el("legend", {}, t("step_by_step")), el("p", { class: "rule" }, t("step_by_step_help")), button(t("begin"), () => begin({ template: template.value }), { class: "main" })),
      el("fieldset", {}, el("legend", {}, t("quick_start")), el("p", { class: "rule" }, t("quick_start_help")), found.themes.length ? el("label", { class: "pick" }, t("theme"), theme) : null,
        points ? el("label", { class: "pick" }, t("points_to_spend"), points) : null,
        button(t("make_random"), () => {
          if (points && !points.reportValidity()) return;  // the browser says which number is wanted
          begin({ template: template.value, random: true, theme: theme.value, points: points ? points.value : "", seed: Math.floor(Math.random() * 1e9) });
        })));
  }

  async begin(game, data) {
    const view = await this.act.tried("begin", { game, ...data });
    if (view) this.act.open({ key: newKey(), game: this.games[game], number: view.number, text: view.text }, view);
  }

  /** Go on with a file; where it holds several records, with one of them. */
  async read(file, game) {
    if (!file.files[0]) return;
    const text = (await file.files[0].text()).replaceAll("\r\n", "\n"), found = await this.act.tried("records", { game, text });
    file.value = "";
    if (!found) return;
    const open = (number) => this.act.open({ key: newKey(), game: this.games[game], number, text });
    if (found.length < 2) { open(found[0]?.number ?? 0); return; }
    const box = dialog(t("go_on_with_whom"), el("div", { class: "paper row" }, found.map((one) => button(one.title, () => { box.close(); open(one.number); }))), t("close"));
  }

  /** The second press deletes. */
  forget(key, pressed) {
    if (pressed.dataset.sure) { forgetPerson(key); this.drawKept(); return; }
    pressed.dataset.sure = "yes";
    pressed.removeAttribute("aria-label");
    pressed.textContent = t("sure", { what: t("remove_table") });
  }

  drawKept() {
    this.kept.replaceChildren(...[...Map.groupBy(people(), (one) => one.game)].map(([game, those]) => this.keptOf(game, those)));
  }

  /** Those of one game; several can be taken along as one file. */
  keptOf(game, those) {
    const chosen = new Set(), many = button(t("collected"), () => this.collect(game, [...chosen]), { disabled: true });
    const choose = (one, is) => { if (is) chosen.add(one); else chosen.delete(one); many.disabled = !chosen.size; };
    const row = (one) => {
      const name = one.title || t("nameless");
      return el("li", {}, el("input", { type: "checkbox", "aria-label": t("collect", { name }), on: { change: (event) => choose(one, event.target.checked) } }), el("b", {}, name), el("span", { class: "kind" }, ` ${one.kind}`),
        button(t("go_on"), () => this.act.open(one), { class: "main", "aria-label": t("go_on_with", { name }) }),
        button(t("copy"), () => this.act.open({ ...one, key: newKey(), file: null }), { "aria-label": t("copy_of", { name }) }),
        button(t("remove_table"), (event) => this.forget(one.key, event.target), { class: "quiet", "aria-label": t("forget_person", { name }) }));
    };
    return el("article", { class: "table-card" }, el("h2", {}, t("in_this_browser", { game })), el("ul", { class: "seat-list" }, those.map(row)), el("div", { class: "row" }, many));
  }

  async collect(game, chosen) {
    const found = await this.act.tried("together", { game: Math.max(0, this.games.indexOf(game)), people: chosen.map(({ text, number }) => ({ text, number })) });
    if (found) offerPerson(found);
  }
}

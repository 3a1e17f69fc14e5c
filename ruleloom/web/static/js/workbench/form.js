// The form of an item: every change of it is an edit of the text, which then makes it anew.

import { button, el } from "../dom.js";
import { t } from "../text.js";

export class Form {
  /** `act.set(form, path, value)` and `act.remove(form, path)` edit the text, `act.go(line)` leads to it. */
  constructor(act) {
    this.act = act;
    this.node = el("div", { class: "form" });
    this.shown = "";
  }

  draw(form) {
    const now = JSON.stringify(form);
    if (now === this.shown) return;
    this.shown = now;
    // Whoever types in a field goes on typing there.
    const had = this.node.contains(document.activeElement) ? document.activeElement.dataset.path : null;
    if (!form) { this.node.replaceChildren(el("p", { class: "empty" }, t("no_form"))); return; }
    this.form = form;
    const there = form.fields.filter((one) => one.there || one.needed), more = form.fields.filter((one) => !one.there && !one.needed && one.by !== "other");
    this.node.replaceChildren(el("h3", {}, form.kind), ...there.map((one) => this.field(one)),
      more.length ? el("details", { open: this.opened, on: { toggle: (event) => { this.opened = event.target.open; } } }, el("summary", {}, t("more_fields")), more.map((one) => this.field(one))) : "");
    if (had) this.node.querySelector(`[data-path="${CSS.escape(had)}"]`)?.focus();
  }

  field(field) {
    const name = el("span", { class: "name" }, field.title || field.name, field.needed ? el("span", { class: "needed" }, ` ${t("is_needed")}`) : null);
    const help = field.help ? el("span", { class: "help", id: `help-${field.path.join("-")}` }, field.help) : null;
    if (field.by === "group") {
      return el("fieldset", {}, el("legend", {}, name), help, field.fields.filter((one) => one.there || one.by !== "other").map((one) => this.field(one)), field.more ? this.another(field) : null, field.there && !field.needed ? this.without(field.path, field.name) : null);
    }
    if (field.by === "other") return el("div", { class: "field" }, name, help, this.text(field));
    if (field.by === "list") return this.list(field, name, help);
    const input = this.input(field, field.path, field.value);
    if (help) input.setAttribute("aria-describedby", help.id);
    return el("div", { class: "field" }, el("label", {}, name, input), help, field.there && !field.needed ? this.without(field.path, field.name) : null);
  }

  /** What no form can hold is written in the text. */
  text(field) {
    return button(t("in_the_text"), () => this.act.go(Math.max(0, field.at)), { class: "quiet", "aria-label": t("in_the_text_of", { name: field.name }) });
  }

  without(path, name) {
    return button(t("take_out"), () => this.act.remove(this.form, path), { class: "quiet", "aria-label": t("take_out_of", { name }) });
  }

  input(field, path, value) {
    const data = { path: path.join("/") };
    const either = field.by === "either" || typeof value === "number"; // digits are a number there, not a text
    const put = (said) => {
      const found = either && typeof said === "string" ? numberOr(said) : said;
      if (found !== null && found !== value) this.act.set(this.form, path, found);
    };
    if (field.by === "effect") {
      const area = el("textarea", { data, rows: Math.min(14, Math.max(3, String(value ?? "").split("\n").length)), spellcheck: "false", class: "code", on: { change: () => put(area.value.trim() ? area.value.trimEnd() : null) } });
      area.value = String(value ?? "").trimEnd();
      return area;
    }
    if (field.by === "number") {
      const box = el("input", { type: "number", step: 1, data, value: value ?? "", on: { change: () => put(box.value === "" ? null : Number(box.value)) } });
      return box;
    }
    if (field.by === "yes_no") {
      const box = el("input", { type: "checkbox", data, checked: value === true, on: { change: () => put(box.checked) } });
      return box;
    }
    if (field.by === "choice") {
      const pick = el("select", { data, on: { change: () => put(pick.value || null) } }, value === null || !field.choices.includes(String(value)) ? el("option", { value: value ?? "" }, value ?? "") : null,
        field.choices.map((one) => el("option", { value: one, selected: one === String(value) }, one)));
      return pick;
    }
    const long = String(value ?? "").length > 60 || String(value ?? "").includes("\n") || field.name === "text";
    const box = el(long ? "textarea" : "input", { data, ...(long ? { rows: 3 } : { type: "text" }), on: { change: () => put(box.value.trim() ? box.value.trimEnd() : null) } });
    box.value = String(value ?? "").trimEnd();
    return box;
  }

  /** One more entry, of any name, for a map. */
  another(field) {
    const name = el("input", { type: "text", "aria-label": t("name_in", { name: field.name }), placeholder: t("name_of_entry"), data: { path: [...field.path, "?name"].join("/") } });
    const value = el("input", { type: "text", "aria-label": t("value_in", { name: field.name }), placeholder: t("value_of_entry"), data: { path: [...field.path, "?value"].join("/") } });
    const add = () => {
      const key = name.value.trim(), said = value.value.trim();
      if (!key || !said) return;
      const found = field.more === "text" ? said : numberOr(said);
      if (field.there) this.act.set(this.form, [...field.path, key], found);
      else this.act.set(this.form, field.path, { [key]: found });
    };
    return el("div", { class: "row" }, name, value, button(t("add"), add, { "aria-label": t("add_to", { name: field.name }) }));
  }

  list(field, name, help) {
    const entries = field.value ?? [], number = entries.length && entries.every((one) => typeof one === "number");
    const one = (value, at) => {
      const box = el("input", { type: number ? "number" : "text", data: { path: [...field.path, at].join("/") }, "aria-label": t("entry_of", { name: field.name, number: at + 1 }), on: { change: () => this.entry(field, at, number ? Number(box.value) : box.value.trim()) } });
      box.value = value ?? "";
      return el("li", {}, box, at < entries.length ? button("✕", () => this.act.remove(this.form, [...field.path, at]), { class: "quiet", "aria-label": t("take_out_entry", { name: field.name, number: at + 1 }) }) : null);
    };
    return el("fieldset", { class: "list" }, el("legend", {}, name), help, el("ul", {}, entries.map(one), one("", entries.length)), field.there && !field.needed ? this.without(field.path, field.name) : null);
  }

  entry(field, at, value) {
    if (value === "") return;
    if (field.there) this.act.set(this.form, [...field.path, at], value);
    else this.act.set(this.form, field.path, [value]);
  }
}

/** What was typed as a whole number, where it is one. */
const numberOr = (said) => (/^-?\d{1,15}$/.test(said) ? Number(said) : said);

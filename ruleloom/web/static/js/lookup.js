// What is looked up at a table: cards, reasons, the whole log; and setting a value right by hand.

import { button, dialog, el } from "./dom.js";
import { t } from "./text.js";

const HOVERED = 500, HELD = 500;
const lines = (text) => el("pre", { tabindex: "0" }, text.join("\n"));

export class Lookup {
  constructor(ask, say) {
    this.ask = ask;
    this.say = say;
  }

  async tried(path, data) {
    try { return await this.ask(path, data); } catch (error) { this.say(error.message); return null; }
  }

  /** Show the rules text of a thing; `ways` are buttons under it: their texts, and what each does. */
  async read(name, ways = []) {
    const found = await this.tried("rules", { name });
    if (!found) return;
    const box = el("div", {}, lines(found));
    const more = button(t("in_full"), async () => {
      const full = await this.tried("rules", { name, full: true });
      if (full) { box.replaceChildren(lines(full)); more.remove(); }
    }, { class: "quiet" });
    const paper = el("div", { class: "paper" }, box, el("div", { class: "row" }, ways.map(([text, act]) => button(text, () => { shown.close(); act(); }, { class: "main" })), more, button(t("print_it"), () => print(), { class: "quiet" })));
    const shown = dialog(name, paper, t("close"));
    paper.querySelector("button.main")?.focus();
  }

  /** Let what stands on the page be read up: the text of `data-read` is shown beside it while the mouse rests there, and
   * with a button after a long press and by the key ?. */
  attach(page) {
    const peek = el("div", { class: "peek", hidden: true }), texts = new Map();
    let timer = null, held = null;
    page.append(peek);
    const hide = () => { clearTimeout(timer); peek.hidden = true; };
    const read = (node) => {
      hide();
      const shows = "card" in node.dataset, press = () => node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      if (shows) press();
      else this.read(node.dataset.read, node.classList.contains("can") ? [[t("choose"), press]] : []);
    };
    const found = (event) => event.target.closest?.("[data-read]");
    page.addEventListener("pointerover", (event) => {
      const node = found(event);
      hide();
      if (node && event.pointerType === "mouse" && !event.buttons) timer = setTimeout(async () => {
        const name = node.dataset.read;
        if (!texts.has(name)) texts.set(name, await this.ask("rules", { name }).catch(() => []));
        if (!node.isConnected || !node.matches(":hover") || !texts.get(name).length) return;
        peek.replaceChildren(el("h3", {}, name), lines(texts.get(name)));
        peek.hidden = false;
        const { left, bottom, top } = node.getBoundingClientRect(), { offsetWidth: wide, offsetHeight: high } = peek;
        peek.style.left = `${Math.max(8, Math.min(left, innerWidth - wide - 8))}px`;
        peek.style.top = `${bottom + high + 8 < innerHeight ? bottom + 6 : Math.max(8, top - high - 6)}px`;
      }, HOVERED);
    });
    page.addEventListener("pointerdown", (event) => {
      const node = found(event);
      hide();
      if (node && event.pointerType !== "mouse") timer = setTimeout(() => { held = node; read(node); }, HELD);
    });
    for (const sort of ["pointerup", "pointercancel", "pointermove"]) page.addEventListener(sort, (event) => { if (event.pointerType !== "mouse") clearTimeout(timer); });
    page.addEventListener("click", (event) => { if (held && event.isTrusted) { event.stopPropagation(); event.preventDefault(); } held = null; }, true);
    page.addEventListener("contextmenu", (event) => { if (held) event.preventDefault(); });
    page.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      else if (event.key === "?" && found(event) && !event.target.matches("input, textarea")) { event.preventDefault(); read(found(event)); }
    });
  }

  /** Offer ways under a heading. */
  offer(heading, ways) {
    const box = dialog(heading, el("div", { class: "paper row" }, ways.map(([text, act]) => button(text, () => { box.close(); act(); }))), t("close"));
  }

  async why(what, leads) {
    const found = await this.tried("why", { what });
    if (!found) return;
    const right = leads ? button(t("set_right"), () => { box.close(); this.correct(what); }, { class: "quiet" }) : null;
    const box = dialog(t("why"), el("div", { class: "paper" }, lines(found), right), t("close"));
  }

  correct(what = "") {
    const place = el("input", { value: what, required: true, maxlength: 300, placeholder: "pi(anna)" });
    const value = el("input", { required: true, maxlength: 1000 });
    const reason = el("input", { required: true, maxlength: 500 });
    const told = el("p", { class: "told", role: "alert" });
    const form = el("form", { class: "paper", on: { submit: async (event) => {
      event.preventDefault();
      try {
        await this.ask("correct", { what: place.value, value: value.value, reason: reason.value });
        box.close();
      } catch (error) { told.textContent = error.message; }
    } } },
    el("p", {}, t("correct_help")), el("label", {}, t("what"), place), el("label", {}, t("value"), value), el("label", {}, t("reason"), reason), told,
    el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, t("set_right"))));
    const box = dialog(t("set_right"), form, t("close"));
    (what ? value : place).focus();
  }

  async log() {
    const pages = await this.tried("log", {});
    if (!pages) return;
    dialog(t("whole_log"), el("div", { class: "paper log" }, pages.map(page)), t("close"));
  }

  list(heading, names) {
    dialog(heading, el("div", { class: "paper" }, el("ul", {}, names.map((one) => el("li", {}, button(one, () => this.read(one), { class: "quiet" }))))), t("close"));
  }
}

/** A turn of the log. */
export function page(one) {
  return el("section", { class: "turn" }, el("h3", {}, one.heading), el("ul", {}, one.told.map((text) => el("li", {}, text))));
}

// What is on offer for a choice: searched, by tags, each with its price; and what is not, with the reason.

import { button, dialog, el, prose } from "../dom.js";
import { counted, t } from "../text.js";

/** A name of the rules as people write it. */
export const inWords = (name) => name.replaceAll("_", " ");

const PAUSE = 120, MOST = 16, HIGHEST = 500; // the server appraises no more for one list

export class Offers {
  constructor(at, act, reader) {
    Object.assign(this, { at, act, reader, search: "", tag: "", most: MOST, open: false, last: null });
    this.input = el("input", { type: "search", autocomplete: "off", data: { key: `${at} ?` }, on: { input: () => { this.search = this.input.value; this.soon(); } } });
    this.tags = el("div", { class: "tags", role: "group", "aria-label": t("tags") });
    this.list = el("div", { class: "offered" });
    this.box = el("div", { class: "offers", on: { keydown: (event) => this.move(event) } }, el("div", { class: "search" }, this.input, this.tags), this.list);
  }

  wanted() { return { at: this.at, search: this.search, tag: this.tag, most: this.most }; }

  /** The panel for its place; open where it stands alone. What may be taken `again` stays on offer. */
  place(label, alone, again) {
    Object.assign(this, { label, again });
    this.input.placeholder = t("search_in", { name: label });
    this.input.setAttribute("aria-label", t("search_in", { name: label }));
    if (alone) {
      this.open = true;
      return this.box;
    }
    return el("details", { open: this.open, on: { toggle: (event) => { this.open = event.target.open; if (this.open && !this.last) this.soon(0); } } }, el("summary", { data: { key: `${this.at} …` } }, t("choose_from", { name: label })), this.box);
  }

  soon(wait = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const found = await this.act.offers(this.wanted());
      if (found) this.draw(found);
    }, wait);
  }

  draw(found) {
    this.last = found;
    const had = this.box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const free = found.offers.filter((one) => !one.there || this.again), can = free.filter((one) => one.legal), cannot = free.filter((one) => !one.legal);
    this.tags.replaceChildren(...found.tags.map((one) => button(inWords(one), () => { this.tag = this.tag === one ? "" : one; this.soon(0); }, { "aria-pressed": String(this.tag === one), data: { key: `${this.at} #${one}` } })));
    this.list.replaceChildren(
      can.length ? el("ul", {}, can.map((one) => this.offer(one))) : el("p", { class: "empty" }, this.search || this.tag ? t("nothing_found") : t("nothing_offered")),
      ...(found.more && this.most >= HIGHEST ? [el("p", { class: "rule" }, counted("more_by_word", found.more))] : found.more ? [button(counted("more_offers", found.more), () => { this.most += 2 * MOST; this.soon(0); }, { class: "quiet", data: { key: `${this.at} more` } })] : []),
      ...(cannot.length ? [el("details", { class: "refused", open: this.folded, on: { toggle: (event) => { this.folded = event.target.open; } } }, el("summary", { data: { key: `${this.at} not` } }, counted("not_on_offer", cannot.length)), el("ul", {}, cannot.map((one) => this.refused(one))))] : []));
    if (had) this.box.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus();
  }

  offer(one) {
    return el("li", {}, button([el("span", { class: "words" }, one.there ? `✓ ${one.label}` : one.label), this.tagsOf(one), one.open.length ? el("span", { class: "tag-list" }, t("still_to_say", { fields: one.open.map(inWords).join(", ") })) : null, this.price(one)], () => this.take(one), { class: "option", data: { key: one.say }, ...this.reader.on(one) }), this.about(one));
  }

  refused(one) {
    const why = one.reasons.map((reason) => reason.text).join("; ");
    return el("li", {}, el("div", { class: "option", tabindex: 0, data: { key: one.say }, ...this.reader.on(one) }, el("s", { class: "words" }, one.label), this.price(one)), this.about(one), el("p", { class: "unmet" }, prose(why)),
      one.reasons.some(canBeAllowed) ? button(t("allow_it"), () => this.allow(one), { class: "quiet", "aria-label": t("allow_it_of", { name: one.label }), data: { key: `allow ${one.say}` } }) : null);
  }

  tagsOf(one) { return one.tags.length ? el("span", { class: "tag-list" }, one.tags.join(" · ")) : null; }

  price(one) {
    const price = this.act.price(one.cost);
    return price ? el("span", { class: "price" }, price) : null;
  }

  about(one) {
    return button("?", () => this.reader.read(one, [[t("take_it"), () => this.take(one)]]), { class: "quiet about", tabindex: -1, "aria-label": t("read_about", { name: one.label }) });
  }

  take(one) { this.act.say([one.say]); }

  /** The GM's word that something goes all the same, which stays in the record. */
  allow(one) { allowance(one.label, one.reasons, (note) => this.act.say([one.say, ...lines(one.reasons, note)])); }

  /** Arrow keys go through what is on offer. */
  move(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    const all = [this.input, ...this.list.querySelectorAll(".option")].filter((one) => one.checkVisibility?.() ?? true);
    const at = all.indexOf(event.target.closest(".option") ?? event.target);
    if (at < 0 || !all[at + way]) return;
    event.preventDefault();
    all[at + way].focus();
  }
}

/** Mistakes in fields are no requirement, and nobody can allow them. */
export const canBeAllowed = (one) => one.level === "error" && one.requirement !== "fields";

/** The answers that allow what does not hold. */
export const lines = (reasons, note) => [...new Set(reasons.filter(canBeAllowed).map((one) => one.requirement))].map((one) => `allow ${one} because ${note}`);

/** Ask for the note of the GM. */
export function allowance(name, reasons, done) {
  const note = el("input", { required: true, maxlength: 300 });
  const form = el("form", { class: "paper", on: { submit: (event) => { event.preventDefault(); box.close(); done(note.value.trim()); } } },
    el("ul", {}, reasons.map((one) => el("li", {}, one.text))), el("p", {}, t("allow_help")), el("label", {}, t("reason"), note),
    el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, t("allow_it"))));
  const box = dialog(t("allow_it_of", { name }), form, t("close"));
  note.focus();
}

// What a choice is and what it would change: beside it while the mouse or the keyboard is there, or in front of the page.

import { button, dialog, el } from "../dom.js";
import { t } from "../text.js";

const WAIT = 350;

export class Reader {
  /** `act.about(offer)` gives its text and the numbers that it would change. */
  constructor(act) {
    this.act = act;
    this.peek = el("div", { class: "peek", hidden: true });
  }

  /** What makes a node show what it offers. */
  on(offer) {
    return { on: {
      pointerenter: (event) => { if (event.pointerType === "mouse") this.soon(offer, event.currentTarget); },
      focus: (event) => { if (event.currentTarget.matches(":focus-visible")) this.soon(offer, event.currentTarget); },
      pointerleave: () => this.hide(), blur: () => this.hide(),
      keydown: (event) => {
        if (event.key === "Escape") this.hide();
        else if (event.key === "?") { event.preventDefault(); this.read(offer); }
      },
    } };
  }

  hide() { clearTimeout(this.timer); this.peek.hidden = true; }

  soon(offer, node) {
    this.hide();
    this.timer = setTimeout(async () => {
      const found = await this.act.about(offer);
      if (!found || !node.isConnected || !(node.matches(":hover") || node.contains(document.activeElement))) return;
      this.peek.replaceChildren(el("h3", {}, offer.label), ...this.told(found));
      this.peek.hidden = false;
      const { left, right, bottom, top } = node.getBoundingClientRect(), { offsetWidth: wide, offsetHeight: high } = this.peek;
      const beside = right + wide + 56 < innerWidth; // the other offers stay to be seen
      this.peek.style.left = `${beside ? right + 48 : Math.max(8, Math.min(left, innerWidth - wide - 8))}px`;
      this.peek.style.top = `${beside ? Math.min(top, innerHeight - high - 8) : bottom + high + 8 < innerHeight ? bottom + 6 : Math.max(8, top - high - 6)}px`;
    }, WAIT);
  }

  told(found) {
    return [found.text ? el("p", { class: "card-text" }, found.text) : null,
      found.changes.length ? el("table", { class: "would" }, el("caption", {}, t("would_change")), el("tbody", {}, found.changes.map((one) => el("tr", {}, el("th", { scope: "row" }, one.label), el("td", {}, one.before), el("td", {}, "→"), el("td", {}, one.after))))) : null,
      !found.text && !found.changes.length ? el("p", { class: "empty" }, t("changes_nothing")) : null].filter(Boolean);
  }

  /** Show it in front of the page; `ways` are what can be done about it. */
  async read(offer, ways = []) {
    this.hide();
    const found = await this.act.about(offer);
    if (!found) return;
    const box = dialog(offer.label, el("div", { class: "paper" }, this.told(found), el("div", { class: "row" }, ways.map(([text, act]) => button(text, () => { box.close(); act(); }, { class: "main" })))), t("close"));
    box.querySelector("button.main")?.focus();
  }
}

// The board of any game: what there is with its numbers, what lies where, what is going on.

import { button, el, svg } from "../dom.js";
import { mark } from "../marks.js";
import { t } from "../text.js";
import { turnable } from "../turning.js";

export class Board {
  constructor(act) {
    this.act = act;
    this.node = el("div", { class: "board any" });
  }

  draw(board, places, view) {
    this.places = places;
    this.view = view;
    const scenes = this.scenes ? this.scenes(board) : [];
    this.node.replaceChildren(
      ...(scenes.length ? [] : [this.goingOn(board)]), ...scenes, ...board.kinds.map((one) => this.kind(one)), this.zones(board.zones),
      scenes.length && board.going_on.length ? el("details", {}, el("summary", {}, t("going_on")), this.goingOn(board)) : "");
    if (!this.node.textContent) this.node.append(el("p", { class: "empty" }, t("empty_board")));
  }

  goingOn(board) {
    if (!board.going_on.length) return "";
    return el("ul", { class: "going-on", "aria-label": t("going_on") }, board.going_on.map((one) => el("li", {}, one)));
  }

  kind(kind) {
    return el("section", { class: "kind" }, el("h2", {}, kind.title), el("div", { class: "things" }, kind.things.map((one) => this.thing(one))));
  }

  thing(thing) {
    const offered = this.places.get(thing.ref);
    const name = offered?.press
      ? button(thing.title, offered.press, { class: `name can${offered.pressed() ? " taken" : ""}`, data: { read: thing.title } })
      : button(thing.title, () => (offered?.reason ? this.act.say(`${thing.title}: ${offered.reason}`) : this.act.read(thing.title)), { class: `name${offered?.reason ? " cannot" : ""}` });
    const shown = el("article", { class: `thing${offered?.press ? " can" : ""}`, data: { ref: thing.ref }, on: { mouseenter: () => offered && this.act.point(thing.ref), mouseleave: () => this.act.point(null) } },
      el("h3", {}, name),
      el("dl", {}, thing.cells.map((cell) => el("div", { class: cell.number === undefined ? "cell" : "cell figure" }, el("dt", {}, cell.heading), el("dd", {},
        button(cell.text, () => this.act.why(cell.why), { class: "number", "aria-label": t("why_of", { what: `${cell.heading} ${cell.text}` }) }))))),
      thing.belongings.map(([sort, names]) => el("p", { class: "belongs" }, el("b", {}, `${sort}: `), names.join(", "))));
    if (offered?.turn) turnable(shown, offered.turn);
    return shown;
  }

  zones(zones) {
    const shown = zones.filter((one) => one.count);
    if (!shown.length) return "";
    return el("section", { class: "zones" }, shown.map((one) => this.zone(one)));
  }

  zone(zone) {
    const seat = zone.owner === null ? -1 : this.view.seats.findIndex((one) => one.name === zone.owner);
    return el("section", { class: `zone${zone.mine ? " mine" : ""}` },
      el("h3", {}, seat >= 0 ? mark(seat) : null, zone.owner ? t("zone_of", { zone: zone.name, name: zone.owner }) : zone.name, el("span", { class: "how-many" }, ` ${zone.count}`)),
      zone.things ? el("div", { class: "pieces" }, zone.things.map((one) => this.held(one))) : el("div", { class: "face-down" }, pile(zone.count), el("span", {}, zone.counted)));
  }

  held(one) {
    const offered = this.places.get(one.ref);
    const words = one.at ? `${one.at}: ${one.text}` : one.text;
    return button([words, one.many > 1 ? el("span", { class: "times" }, ` ×${one.many}`) : null],
      () => (offered?.press ? offered.press() : this.act.read(one.text)),
      { class: `held${offered?.press ? " can" : ""}`, data: { ref: one.ref, read: one.text } });
  }

  point(ref) {
    for (const one of this.node.querySelectorAll(".pointed")) one.classList.remove("pointed");
    if (ref) for (const one of this.node.querySelectorAll("[data-ref]")) if (one.dataset.ref === ref) one.classList.add("pointed");
  }
}

/** Cards face down, a few of them. */
function pile(count) {
  return svg("svg", { viewBox: "0 0 44 40", class: "pile", "aria-hidden": "true" }, Array.from({ length: Math.min(count, 5) }, (_, at) =>
    svg("rect", { x: 3 + at * 3, y: 9 - at * 1.5, width: 22, height: 29, rx: 3 })));
}

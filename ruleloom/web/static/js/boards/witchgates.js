// A scene of Witchgates: the pool of dice, the spell with its cost, clocks, aspects, and everybody's tracks.

import { button, el, svg } from "../dom.js";
import { mark } from "../marks.js";
import { counted, t } from "../text.js";
import { Board as AnyBoard } from "./any.js";
import { die, gauge, number, tile } from "./parts.js";

const WOUNDS = { bashing: "M-6-6 6 6", severe: "M-6-6 6 6M6-6-6 6", aggravated: "M-6-6 6 6M6-6-6 6M0-8V8" };

export class Board extends AnyBoard {
  scenes(board) {
    return [
      el("section", { class: "scene" }, el("h2", {}, board.scene ?? ""), el("div", { class: "side-by-side" }, board.pool ? this.pool(board.pool) : null, board.spell ? this.spell(board.spell) : null)),
      board.clocks.length || board.aspects.length ? el("section", { class: "clocks" }, board.clocks.map((one) => this.clock(one)), board.aspects.map((one) => this.aspect(one))) : "",
      el("section", { class: "things" }, board.people.map((one) => this.mage(one)), board.npcs.map((one) => this.npc(one))),
    ];
  }

  pool(pool) {
    const parts = [...pool.added.map(([word, many]) => ["more", t(`from_${word}`), `+${many}`]), ...pool.taken.map(([word, many]) => ["less", t(`less_${word}`), `−${many}`])];
    const dice = pool.shown.length
      ? pool.shown.map((face) => die({ sides: 6, face, words: t("shows", { face }), colour: face >= 6 ? "hit" : face >= 4 ? "glance" : "miss" }))
      : Array.from({ length: Math.min(pool.dice, 20) }, () => die({ sides: 6, face: "?", words: "?", colour: "unrolled" }));
    return el("article", { class: "thing pool" }, el("h3", {}, pool.who ? t("pool_of", { name: pool.who, what: pool.what }) : t("pool")),
      el("p", { class: "figures" }, [pool.position, pool.effect].filter(Boolean).map((word) => el("span", { class: "badge" }, word)), pool.trouble ? el("span", { class: "badge warn" }, t("trouble")) : null, pool.band && pool.shown.length ? el("b", {}, pool.band) : null),
      el("ul", { class: "sum" }, parts.map(([kind, word, many]) => el("li", { class: kind }, el("b", {}, many), " ", word)), el("li", { class: "all" }, counted("dice_in_pool", pool.dice))),
      el("div", { class: "dice-row" }, dice));
  }

  spell(spell) {
    return el("article", { class: "thing spell", data: { ref: spell.ref } }, el("h3", {}, spell.name || t("spell"), spell.arcana ? el("span", { class: "badge" }, spell.arcana) : null),
      spell.pieces.length ? el("ul", { class: "pieces-in" }, spell.pieces.map((one) => el("li", {}, button(one, () => this.act.read(one.replace(/ ×\d+$/, "")), { class: "held" })))) : el("p", {}, t("no_pieces")),
      el("p", { class: "figures" }, [{ ...spell.cost, name: t("cost") }, { ...spell.left, name: t("left_to_pay") }].map((figure) => el("span", {}, `${figure.name} `, number(figure, this.act)))),
      spell.hits || spell.glances ? el("p", {}, t("hits_and_glances", { hits: spell.hits, glances: spell.glances })) : null);
  }

  clock(one) {
    const words = t("clock_words", { name: one.name, filled: one.filled, segments: one.segments });
    const point = (at) => { const turn = 2 * Math.PI * at / one.segments - Math.PI / 2; return `${(26 * Math.cos(turn)).toFixed(2)} ${(26 * Math.sin(turn)).toFixed(2)}`; };
    const parts = Array.from({ length: one.segments }, (_, at) => svg("path", { class: at < one.filled ? "full" : "free", d: `M0 0L${point(at)}A26 26 0 ${one.segments === 1 ? 1 : 0} 1 ${point(at + 1)}z` }));
    const offered = this.places.get(one.ref);
    return el("article", { class: `clock${offered?.press ? " can" : ""}`, data: { ref: one.ref } }, svg("svg", { viewBox: "-30 -30 60 60", role: "img", "aria-label": words }, svg("circle", { r: 27 }), parts),
      button(one.name, offered?.press ?? (() => this.act.why(`filled(${one.ref.split(":")[1]})`)), { class: "name" }), el("span", { class: "soft" }, `${one.filled}/${one.segments}`), one.helps ? el("span", { class: "badge" }, t("helps")) : null);
  }

  aspect(one) {
    const offered = this.places.get(one.ref);
    return el("article", { class: `clock aspect${offered?.press ? " can" : ""}`, data: { ref: one.ref } }, el("span", { class: "dice-row" }, Array.from({ length: one.dice }, () => die({ sides: 6, face: "+", words: "+1", small: true }))),
      button(one.name, offered?.press ?? (() => this.act.read(one.name)), { class: `name${offered?.pressed?.() ? " taken" : ""}` }), one.of_players ? el("span", { class: "badge" }, t("of_the_players")) : one.maker ? el("span", { class: "soft" }, one.maker) : null);
  }

  mage(one) {
    const offered = this.places.get(one.ref);
    const words = one.boxes.map((box) => box || t("box_free")).join(", ");
    const boxes = svg("svg", { class: "boxes", viewBox: `0 0 ${one.boxes.length * 22 + 2} 24`, role: "img", "aria-label": t("track_of", { name: one.name, words }) },
      one.boxes.map((box, at) => svg("g", { style: { transform: `translate(${at * 22 + 12}px, 12px)` } }, svg("rect", { x: -9, y: -9, width: 18, height: 18, rx: 3, class: box ? "hurt" : "free" }), box ? svg("path", { d: WOUNDS[box] ?? WOUNDS.bashing }) : null)));
    return el("article", { class: `thing${offered?.press ? " can" : ""}`, data: { ref: one.ref } },
      el("h3", {}, one.player !== null ? mark(one.player) : null, button(one.name, offered?.press ?? (() => this.act.read(one.name)), { class: `name${offered?.press ? " can" : ""}${offered?.pressed?.() ? " taken" : ""}` })),
      el("div", { class: "gauge" }, el("span", { class: "label", "aria-hidden": "true" }, t("health")), boxes), one.gauges.map((figure) => gauge(figure, this.act, figure.name)), one.states.length ? el("ul", { class: "states" }, one.states.map((state) => el("li", {}, state))) : null,
      el("div", { class: "tiles" }, one.scores.map((figure) => tile(figure, this.act, this.places))));
  }

  npc(one) {
    const offered = this.places.get(one.ref);
    return el("article", { class: `thing npc${offered?.press ? " can" : ""}`, data: { ref: one.ref } }, el("h3", {}, button(one.name, offered?.press ?? (() => this.act.read(one.name)), { class: `name${offered?.press ? " can" : ""}` })),
      el("p", { class: "figures" }, [one.tier, one.harm].map((figure) => el("span", {}, `${figure.name} `, number(figure, this.act)))));
  }
}

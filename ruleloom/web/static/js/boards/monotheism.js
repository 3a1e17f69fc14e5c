// The table of Monotheism: a mat for each deity, followers that tilt while Busy, dice, the deed that is going on.

import { button, el } from "../dom.js";
import { mark } from "../marks.js";
import { counted, t } from "../text.js";
import { Board as AnyBoard } from "./any.js";
import { die, number } from "./parts.js";

export class Board extends AnyBoard {
  /** The drawing of a die that a question offers. */
  static face(board, ref) {
    const one = [board.cosmos, ...board.deities.map((deity) => deity.dice ?? [])].flat().find((other) => other.ref === ref);
    return one && die({ sides: one.sides, colour: one.colour, words: t("die_words", one) });
  }

  scenes(board) {
    return [board.deed ? this.deed(board.deed) : "", el("section", { class: "mats" }, board.deities.map((one, seat) => this.mat(one, seat))),
      el("section", { class: "thing cosmos" }, el("h3", {}, t("cosmos")), this.dice(board.cosmos))];
  }

  dice(dice) {
    return el("div", { class: "dice-row" }, dice.map((one) => {
      const offered = this.places.get(one.ref), words = t("die_words", one) + (one.many > 1 ? ` ×${one.many}` : "");
      const face = [die({ sides: one.sides, colour: one.colour, words }), one.many > 1 ? el("span", { class: "times" }, `×${one.many}`) : null];
      return offered?.press ? button(face, offered.press, { class: `die-press can${offered.pressed() ? " taken" : ""}`, data: { ref: one.ref } }) : el("span", { class: "die-press", data: { ref: one.ref } }, face);
    }));
  }

  mat(one, seat) {
    return el("article", { class: "thing mat", data: { seat: String(seat % 6) } },
      el("h3", {}, mark(seat), one.name, one.ethos ? button(one.ethos, () => this.act.read(one.ethos), { class: "quiet" }) : null),
      el("p", { class: "figures" }, one.figures.map((figure) => el("span", {}, `${figure.name} `, number(figure, this.act)))),
      one.affirmed_by ? el("p", { class: "belongs" }, t("affirmed_by", { words: one.affirmed_by })) : null,
      one.pained_by ? el("p", { class: "belongs" }, t("pained_by", { words: one.pained_by })) : null,
      one.dice ? this.dice(one.dice) : el("p", { class: "belongs" }, t("dice_hidden", { count: one.count, name: one.name })),
      el("div", { class: "followers" }, one.followers.map((follower) => this.follower(follower))));
  }

  follower(one) {
    const offered = this.places.get(one.ref);
    return el("section", { class: `follower${one.busy ? " busy" : ""}${offered?.press ? " can" : ""}`, data: { ref: one.ref }, on: { mouseenter: () => offered && this.act.point(one.ref), mouseleave: () => this.act.point(null) } },
      button(one.name, offered?.press ?? (() => (offered?.reason ? this.act.say(`${one.name}: ${offered.reason}`) : this.act.read(one.name))), { class: `name${offered?.press ? " can" : ""}${offered?.pressed?.() ? " taken" : ""}` }),
      el("span", { class: "badge" }, t(one.busy ? "follower_busy" : "follower_ready")), one.about ? el("p", { class: "belongs" }, one.about) : null,
      one.traits.map(([colour, words]) => el("ul", { class: `traits ${colour}`, "aria-label": colour }, words.map((word) => el("li", {}, word)))));
  }

  deed(deed) {
    const placed = deed.placed.map((one) => el("figure", { class: "placed" }, die({ sides: one.sides, colour: one.colour, face: one.shows ?? "?", words: `${t("die_words", one)}${one.shows ? `, ${t("shows", { face: one.shows })}` : ""}` }),
      el("figcaption", {}, one.placer !== null ? t("placed_by", { name: this.view.seats[one.placer].name }) : "", one.declared ? [" ", el("q", {}, one.declared)] : null)));
    return el("section", { class: "thing deed-now" }, el("h2", {}, button(deed.title, () => this.act.read(deed.title), { class: "name" }), deed.goal ? el("span", { class: "badge" }, t("deed_goal", { goal: deed.goal })) : null),
      el("p", {}, [deed.actor, deed.target || deed.targets.length ? t("at_whom", { names: deed.target ?? deed.targets.join(", ") }) : null].filter(Boolean).join(" ")),
      deed.helping.length ? el("p", { class: "belongs" }, t("helping", { names: deed.helping.join(", ") })) : null, deed.hindering.length ? el("p", { class: "belongs" }, t("hindering", { names: deed.hindering.join(", ") })) : null,
      placed.length ? el("div", { class: "dice-row" }, placed) : null, el("span", { class: "unseen" }, counted("dice_in_pool", placed.length)));
  }
}

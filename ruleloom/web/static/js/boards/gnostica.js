// The board of Gnostica: the spaces with their cards, pyramids that stand or lie, stashes, the hand.

import { button, el, svg } from "../dom.js";
import { mark, shape } from "../marks.js";
import { counted, t } from "../text.js";
import { turnable } from "../turning.js";
import { Board as Lists } from "./any.js";

const PITCH = 120, CARD = 108, TITLE = CARD - 38, SIDES = { 1: 15, 2: 20, 3: 25 };
const TURN = { N: 0, E: 90, S: 180, W: 270 }, WAY = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0], up: [0, 0] };
const ICONS = {
  create: "M0-9V9M-9 0H9", grow: "M-7 8 0-8 7 8zM-3.5 2H3.5", move: "M-9 0H8M2-6 8 0 2 6", attack: "M-8-8 8 8M8-8-8 8M4 8H8V4M-4 8H-8V4",
  major: "M0-10 2.6-3.2 10-3 4.2 1.4 6.2 8.4 0 4.4-6.2 8.4-4.2 1.4-10-3-2.6-3.2z",
};

export class Board {
  constructor(act) {
    this.act = act;
    this.pieces = new Map();
    this.ground = svg("g");
    this.aims = svg("g", { class: "aims" });
    this.men = svg("g");
    this.ghosts = svg("g", { class: "ghosts" });
    this.picture = svg("svg", { class: "gnostica", role: "group", "aria-label": t("the_board") }, this.ground, this.aims, this.men, this.ghosts);
    this.side = el("div", { class: "strips" });
    this.lists = new Lists(act); // what packs lay beside the board
    this.hand = el("div", { class: "hand" });
    this.node = el("div", { class: "board" }, el("div", { class: "scroll", role: "region", "aria-label": t("the_board"), tabindex: "0" }, this.picture), this.hand, this.side);
  }

  draw(board, places, view) {
    this.places = places;
    this.board = board;
    this.now = view.board;
    this.ghosts.replaceChildren();
    const xs = board.spaces.map((one) => one.x), ys = board.spaces.map((one) => one.y);
    const [west, east, south, north] = [Math.min(...xs, 0), Math.max(...xs, 0), Math.min(...ys, 0), Math.max(...ys, 0)];
    const [wide, high] = [(east - west + 1) * PITCH, (north - south + 1) * PITCH];
    this.picture.setAttribute("viewBox", `${west * PITCH - PITCH / 2 - 4} ${-north * PITCH - PITCH / 2 - 4} ${wide + 8} ${high + 8}`);
    this.picture.style.setProperty("--columns", east - west + 1);
    this.ground.replaceChildren(...board.spaces.map((one) => this.space(one)));
    this.drawPieces(board.pieces);
    this.drawHand(board.hand);
    this.side.replaceChildren(...board.players.map((one, seat) => this.strip(one, seat)), el("p", { class: "piles" },
      counted("draw_pile", board.draw_pile), ", ", counted("discard_pile", board.discard_pile.length),
      board.discard_pile.length ? [" ", button(t("look"), () => this.act.list(t("discards"), board.discard_pile.map((one) => one.title)), { class: "quiet" })] : null));
    Object.assign(this.lists, { places, view });
    this.side.append(this.lists.zones(board.zones ?? []));
  }

  space(one) {
    const { card } = one;
    const at = `${one.x}/${one.y}`, words = card ? `${one.words} ${at}, ${counted("points", card.worth)}` : `${one.words} ${at}`;
    const place = svg("g", { class: card ? `space card ${card.power}` : "space wasteland", style: { transform: `translate(${one.x * PITCH}px, ${-one.y * PITCH}px)` }, data: { ref: one.ref, read: card?.title ?? null } },
      svg("title", {}, words), svg("rect", { x: -CARD / 2, y: -CARD / 2, width: CARD, height: CARD, rx: 10 }),
      card ? this.face(card) : null, svg("text", { class: "at", x: CARD / 2 - 7, y: CARD / 2 - 6, "text-anchor": "end" }, ` ${at}`));
    this.open(place, [one.ref, card?.ref], words, card ? () => this.act.read(card.title) : null);
    return place;
  }

  face(card) {
    const short = card.title.length > 16 ? `${card.title.slice(0, 15)}…` : card.title;
    const title = svg("text", { class: "title", x: -CARD / 2 + 31, y: -CARD / 2 + 22 }, short);
    title.style.fontSize = `${Math.min(13.5, TITLE / (short.length * 0.58)).toFixed(1)}px`;
    return [
      svg("path", { d: ICONS[card.power] ?? ICONS.major, class: "icon ghost", style: { transform: "translate(0, 6px) scale(2.7)" } }),
      svg("path", { d: ICONS[card.power] ?? ICONS.major, class: "icon", style: { transform: `translate(${-CARD / 2 + 17}px, ${-CARD / 2 + 17}px) scale(0.8)` } }),
      title,
      Array.from({ length: card.worth }, (_, at) => svg("circle", { class: "worth", r: 3, cx: -CARD / 2 + 14 + at * 9, cy: CARD / 2 - 12 })),
    ];
  }

  /** Let a place be pressed if it is on offer; say why not if it is not. */
  open(node, refs, words, read) {
    const ref = refs.find((one) => one && this.places.has(one));
    const offered = ref && this.places.get(ref);
    if (offered?.turn) turnable(node, offered.turn);
    if (offered?.press) {
      node.classList.add("can");
      node.classList.toggle("taken", offered.pressed());
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", plain(words).includes(plain(offered.text)) ? words : `${offered.text}. ${words}`);
      const press = (event) => { event.stopPropagation(); offered.press(); };
      node.addEventListener("click", press);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); press(event); } });
      for (const [sort, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) node.addEventListener(sort, () => offered.look(on));
    } else if (offered?.reason) {
      node.classList.add("cannot");
      node.querySelector("title").textContent = `${words}. ${offered.reason}`;
      node.addEventListener("click", (event) => { event.stopPropagation(); this.act.say(`${offered.text}: ${offered.reason}`); });
    } else if (read) {
      node.addEventListener("click", read);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter") read(); });
      node.setAttribute("tabindex", "0");
    }
  }

  drawPieces(pieces) {
    const there = new Set(pieces.map((one) => one.id));
    for (const [id, node] of this.pieces) if (!there.has(id)) { node.remove(); this.pieces.delete(id); }
    for (const one of standing(pieces)) this.piece(one);
  }

  /** Show how pieces would stand on another board; without one, as they stand. */
  ghost(board) {
    const changed = board ? standing(board.pieces).filter(({ one }) => differs(one, this.board.pieces)) : [];
    const stay = board && new Set(board.pieces.filter((one) => !differs(one, this.board.pieces)).map((one) => one.id));
    for (const [id, node] of this.pieces) node.classList.toggle("leaves", Boolean(board) && !stay.has(id));
    this.ghosts.replaceChildren(...changed.map(({ one, x, y, size }) => {
      const node = svg("g", { class: "piece to-be", data: { seat: String(one.owner % 6) } }, pyramid(one.size, one.facing, one.owner));
      node.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
      return node;
    }));
  }

  piece({ one, x, y, size }) {
    const old = this.pieces.get(one.id);
    const node = svg("g", { class: `piece${differs(one, this.now.pieces) ? " to-be" : ""}`, data: { ref: one.ref, seat: String(one.owner % 6) } }, svg("title", {}, one.words), pyramid(one.size, one.facing, one.owner));
    node.style.transform = old ? old.style.transform : `translate(${x}px, ${y}px) scale(0.2)`;
    if (old) old.replaceWith(node); else this.men.append(node);
    this.pieces.set(one.id, node);
    this.open(node, [one.ref], one.words, null);
    node.addEventListener("mouseenter", () => this.aim(one, x, y));
    node.addEventListener("mouseleave", () => this.aims.replaceChildren());
    node.getBoundingClientRect(); // the old place is drawn first, so that the piece is seen to move
    node.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
  }

  /** Show what a piece targets. */
  aim(one, x, y) {
    const [dx, dy] = WAY[one.facing] ?? [0, 0];
    const [tx, ty] = [(one.x + dx) * PITCH, -(one.y + dy) * PITCH];
    this.aims.replaceChildren(svg("rect", { x: tx - PITCH / 2 + 2, y: ty - PITCH / 2 + 2, width: PITCH - 4, height: PITCH - 4, rx: 12 }),
      dx || dy ? svg("path", { d: `M${x} ${y}L${tx} ${ty}` }) : "");
  }

  drawHand(hand) {
    if (hand === null) { this.hand.replaceChildren(); return; }
    const cards = hand.map((card) => {
      const offered = this.places.get(card.ref);
      const one = button([icon(card.power), el("span", { class: "name" }, card.title), el("span", { class: "points", "aria-label": counted("points", card.worth) }, "●".repeat(card.worth))],
        () => (offered?.press ? offered.press() : offered?.reason ? this.act.say(`${card.title}: ${offered.reason}`) : this.act.read(card.title)),
        { class: `held ${card.power}${offered?.press ? " can" : ""}${offered?.reason ? " cannot" : ""}`, data: { ref: card.ref, read: card.title, card: "" },
          on: { mouseenter: () => offered && this.act.point(card.ref), mouseleave: () => this.act.point(null) } });
      if (offered?.pressed?.()) one.classList.add("taken");
      return one;
    });
    this.hand.replaceChildren(el("h2", {}, t("your_hand")), el("div", { class: "cards" }, cards.length ? cards : t("no_cards")));
  }

  strip(player, seat) {
    const stash = [1, 2, 3].flatMap((size) => player.stash[size - 1] ? [svg("svg", { viewBox: "-26 -26 52 52", class: "glyph", role: "img", "aria-label": t(`stash_${size}`), data: { seat: String(seat % 6) } }, pyramid(size, "N", seat)), el("span", {}, `×${player.stash[size - 1]}`)] : []);
    const share = player.target ? Math.max(0, Math.min(1, player.score / player.target)) : 0;
    return el("div", { class: `strip${player.out ? " out" : ""}`, data: { seat: String(seat % 6) } },
      el("div", { class: "who" }, mark(seat), el("b", {}, player.name), player.pending ? el("span", { class: "badge" }, t("last_turn")) : null, player.out ? el("span", { class: "badge" }, t("out")) : null),
      el("div", { class: "score" }, button(`${player.score}`, () => this.act.why(player.why), { class: "number", "aria-label": t("why_of", { what: `${t("score")} ${player.name}: ${player.score}` }) }),
        player.target ? el("span", {}, ` / ${player.target}`) : null,
        svg("svg", { viewBox: "0 0 100 6", class: "bar", "aria-hidden": "true", preserveAspectRatio: "none" }, svg("rect", { width: 100, height: 6, rx: 3, class: "whole" }), svg("rect", { width: 100 * share, height: 6, rx: 3, class: "part" }))),
      el("div", { class: "stash" }, stash, el("span", { class: "cards-held" }, counted("cards_held", player.cards))));
  }

  /** Show which place is meant. */
  point(ref) {
    for (const one of this.node.querySelectorAll(".pointed")) one.classList.remove("pointed");
    if (ref) for (const one of this.node.querySelectorAll("[data-ref]")) if (one.dataset.ref === ref) one.classList.add("pointed");
  }
}

/** Where pieces stand, and how large, in one space beside each other. */
function standing(pieces) {
  const spaces = new Map();
  for (const one of pieces) spaces.set(`${one.x}/${one.y}`, [...(spaces.get(`${one.x}/${one.y}`) ?? []), one]);
  return [...spaces.values()].flatMap((here) => {
    const many = here.length, columns = many === 1 ? 1 : many <= 4 ? 2 : 3, rows = Math.ceil(many / columns);
    const step = columns === 3 ? 34 : 44, size = many > 4 ? 0.72 : many > 1 ? 0.9 : 1.1;
    return here.sort((a, b) => b.size - a.size || a.id - b.id).map((one, at) => ({ one, size,
      x: one.x * PITCH + ((at % columns) - (columns - 1) / 2) * step,
      y: -one.y * PITCH + 6 + (Math.floor(at / columns) - (rows - 1) / 2) * Math.min(step, 84 / rows) }));
  });
}

/** Does a piece stand otherwise than among these? */
const differs = (one, pieces) => !pieces.some((other) => ["id", "owner", "size", "facing", "x", "y"].every((part) => one[part] === other[part]));

/** The words of a text, without what stands between them. */
const plain = (text) => text.toLowerCase().match(/[\w/-]+/g)?.join(" ") ?? "";

function icon(power) {
  return svg("svg", { viewBox: "-12 -12 24 24", class: "suit", "aria-hidden": "true" }, svg("path", { d: ICONS[power] ?? ICONS.major, class: "icon" }));
}

/** A pyramid: lying it points where it faces; standing it is seen from above. Dots at its base tell its size. */
function pyramid(size, facing, seat) {
  const side = SIDES[size] ?? 20, up = !(facing in TURN);
  const dots = Array.from({ length: size }, (_, at) => svg("circle", { class: "pip", r: 2.3, cx: (at - (size - 1) / 2) * 6.6, cy: up ? side - 4.5 : side * 0.72 }));
  const body = up
    ? [svg("rect", { class: "body", x: -side, y: -side, width: 2 * side, height: 2 * side, rx: 2 }), svg("path", { class: "edge", d: `M${-side}-${side}L${side} ${side}M${side}-${side}L${-side} ${side}` })]
    : [svg("path", { class: "body", d: `M0 ${-side * 1.25}L${side * 0.86} ${side * 0.95}H${-side * 0.86}z` })];
  const turned = svg("g", {}, body, dots);
  turned.style.transform = `rotate(${TURN[facing] ?? 0}deg)`;
  const sign = svg("g", { class: "sign" }, up ? svg("circle", { class: "ground", r: 7.5 }) : null, shape(seat));
  sign.style.transform = `scale(${up ? 0.95 : 0.75 + size * 0.12})`;
  return [turned, sign];
}

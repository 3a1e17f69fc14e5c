// A table: the board, the question, who is there, the log; for one seat, or several at one screen.

import { Board as AnyBoard } from "./boards/any.js";
import { Board as GnosticaBoard } from "./boards/gnostica.js";
import { Board as MonotheismBoard } from "./boards/monotheism.js";
import { Board as MoonstoneBoard } from "./boards/moonstone.js";
import { Board as WitchgatesBoard } from "./boards/witchgates.js";
import { button, dialog, el } from "./dom.js";
import { Link } from "./link.js";
import { Lookup, page } from "./lookup.js";
import { mark } from "./marks.js";
import { Panel } from "./panel.js";
import { ALONE, addressOf } from "./route.js";
import { LANGUAGE, counted, readIn, t } from "./text.js";

const BOARDS = { any: AnyBoard, gnostica: GnosticaBoard, monotheism: MonotheismBoard, moonstone: MoonstoneBoard, witchgates: WitchgatesBoard };

export function showTable(root, tokens) {
  const seats = tokens.map((token) => new Seat(token));
  const screen = new Screen(root, seats);
  for (const seat of seats) seat.start(screen);
  return () => { for (const seat of seats) seat.link.close(); };
}

/** One seat at this screen: its connection, and what it sees. */
class Seat {
  constructor(token) {
    this.token = token;
    this.view = null;
    this.here = [];
  }

  start(screen) {
    const show = (view) => { this.view = view; screen.changed(this); };
    this.link = new Link(this.token, {
      view: (view) => {
        // What comes before the language of this page is shown only if that cannot be had.
        if (this.view || view.language === LANGUAGE || !(LANGUAGE in view.languages)) { show(view); return; }
        this.asked ??= this.link.ask("language", { code: LANGUAGE }).catch(() => { if (!this.view) show(view); });
      },
      here: (seats) => { this.here = seats; screen.changed(this, false); },
      state: (state) => { this.state = state; screen.stateOf(this); },
    });
  }

  get name() { return this.view && this.view.seat >= 0 ? this.view.seats[this.view.seat].name : t("onlooker"); }
}

class Screen {
  constructor(root, seats) {
    this.seats = seats;
    this.now = seats[0];
    this.boards = new Map();
    this.title = el("h1", {}, t("app"));
    this.state = el("span", { class: "state", role: "status" });
    this.tools = el("nav", { class: "tools", "aria-label": t("tools") });
    this.players = el("ul", { class: "seats", "aria-label": t("players") });
    this.table = el("section", { class: "table", "aria-label": t("the_board") });
    this.question = el("section", { class: "question", "aria-label": t("the_question") });
    this.log = el("section", { class: "log", "aria-label": t("log"), tabindex: "0" });
    this.toast = el("div", { class: "toast", role: "status", hidden: true });
    root.replaceChildren(
      el("a", { class: "skip", href: "#question", on: { click: (event) => { event.preventDefault(); this.panel?.focus(); } } }, t("skip")),
      el("header", { class: "top" }, this.title, this.state, this.tools),
      el("main", { class: "play" }, el("div", { class: "left" }, this.players, this.table), el("div", { class: "right" }, this.question, this.log)), this.toast);
    this.look = new Lookup((path, data) => this.now.link.ask(path, data), (text) => this.say(text));
    this.look.attach(root);
    this.act = {
      answer: (answers) => this.answer("answer", { answers }), always: (keys, how) => this.answer("always", { keys, ...how }),
      foresee: (answers) => this.do("panel", { panel: this.now.view.panel?.id, answers }), foreseen: () => { this.question.dataset.answered += "+"; this.drawBoard(); this.showAsked(); },
      chance: (answers) => this.now.link.ask("chance", { panel: this.now.view.panel?.id, answers }).catch(() => ""),
      read: (name, ways) => this.look.read(name, ways), offer: (heading, ways) => this.look.offer(heading, ways), why: (what) => this.look.why(what, this.now.view.leads),
      list: (heading, names) => this.look.list(heading, names), say: (text) => this.say(text),
      peek: (answers) => this.sent ? null : this.now.link.ask("panel", { panel: this.now.view.panel?.id, answers }).catch(() => null),
      face: (ref) => { const { board } = this.now.view; return BOARDS[board.kind]?.face?.(board, ref); },
      ghost: (board) => this.boards.get(this.now.view.board.kind)?.ghost?.(board), point: (ref) => this.point(ref), chosen: () => this.drawBoard(),
    };
  }

  stateOf(seat) {
    if (seat !== this.now) return;
    const told = { here: "", away: t("away"), gone: t("table_gone"), elsewhere: t("elsewhere"), refused: t("link_refused") }[seat.state] ?? "";
    if (this.state.textContent !== told) this.state.textContent = told;
    document.body.classList.toggle("away", seat.state !== "here");
  }

  changed(seat, whole = true) {
    if (seat === this.now) {
      this.drawSeats();
      if (whole) this.draw();
    }
    this.passOn();
  }

  /** Several seats at one screen: whoever is asked gets it, behind a cover if there are secrets. */
  passOn() {
    const { now } = this;
    if (this.seats.length < 2 || this.covered || !now.view || now.view.panel) return;
    const next = this.seats.find((one) => one !== now && one.view?.panel);
    if (!next) return;
    if (!now.view.private && !next.view.private) { this.sit(next); return; }
    this.covered = true;
    this.table.hidden = this.question.hidden = this.log.hidden = true;
    const cover = dialog(t("pass_on", { name: next.name }), el("div", { class: "paper" }, el("p", {}, t("pass_on_help")),
      button(t("i_am", { name: next.name }), () => cover.close(), { class: "main" })), t("close"));
    cover.classList.add("cover");
    cover.addEventListener("close", () => { this.covered = false; this.table.hidden = this.question.hidden = this.log.hidden = false; this.sit(next); });
  }

  sit(seat) {
    this.now = seat;
    this.panel = null;
    this.shown = null;
    this.stateOf(seat);
    this.drawSeats();
    this.draw();
    this.panel?.focus();
  }

  draw() {
    const { view } = this.now;
    this.title.textContent = view.title;
    document.title = `${view.panel ? "● " : ""}${view.title} · ${this.now.name}`;
    this.drawQuestion();
    this.drawBoard();
    this.showHand();
    this.drawLog();
    this.drawTools();
  }

  drawTools() {
    const { view } = this.now;
    this.tools.replaceChildren(...[
      view.undo ? button(t("undo"), () => this.undo()) : null,
      view.leads && !view.over ? button(t("set_right"), () => this.look.correct()) : null,
      button(t("whole_log"), () => this.look.log()),
      ...Object.entries(view.languages).filter(([code]) => code !== LANGUAGE && view.seat >= 0).map(([code, name]) => button(name, () => readIn(code), { lang: code })),
      button(t("look_up"), () => this.lookUp()),
      ALONE ? el("a", { href: addressOf("/", "") }, t("hosts_page")) : null,
    ].filter(Boolean));
  }

  lookUp() {
    const name = el("input", { required: true, maxlength: 300 });
    const box = dialog(t("look_up"), el("form", { class: "paper", on: { submit: (event) => { event.preventDefault(); box.close(); this.look.read(name.value); } } },
      el("label", {}, t("look_up_help"), name), el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, t("look_up")))), t("close"));
    name.focus();
  }

  drawSeats() {
    const { view, here } = this.now;
    if (!view) return;
    this.players.replaceChildren(...view.seats.map((one, seat) => {
      const is = one.kind !== "human" ? "bot" : here.includes(seat) ? "here" : "gone";
      const does = one.to_act ? (view.secret ? t("thinks") : t("to_act")) : "";
      return el("li", { class: `seat ${is}${one.to_act ? " acts" : ""}${seat === view.seat ? " me" : ""}` }, mark(seat), el("span", { class: "name" }, one.name),
        el("span", { class: "unseen" }, t(`is_${is}`)), one.kind !== "human" ? el("span", { class: "badge" }, t("bot")) : null, does ? el("span", { class: "does" }, does) : null);
    }));
    if (this.seats.length > 1) {
      this.players.append(...this.seats.filter((one) => one !== this.now && one.view).map((one) =>
        el("li", {}, button(t("sit_as", { name: one.name }), () => this.sit(one), { class: "quiet" }))));
    }
  }

  drawQuestion() {
    const { view } = this.now, asked = view.panel;
    const mark_ = JSON.stringify([asked, view.wish, view.over, view.standing, view.seats.map((one) => one.to_act), view.secret]);
    if (mark_ === this.shown) return;
    this.shown = mark_;
    this.question.dataset.answered = `${view.stamp}`;
    const had = this.question.contains(document.activeElement);
    // What a player has filled in stays while others answer.
    const filled = JSON.stringify(asked);
    if (filled !== this.filled || !this.panel) this.panel = asked ? new Panel(asked, this.act) : null;
    this.filled = filled;
    this.question.replaceChildren(...[this.wish(view), this.over(view), this.panel?.node ?? this.waiting(view), this.standing(view)].filter(Boolean));
    this.question.classList.toggle("mine", Boolean(asked));
    this.showAsked();
    this.question.classList.toggle("sent", Boolean(asked) && this.sent === `${view.seat} ${asked.id}`);
    // Whoever answers by keyboard stays at the question, also while others are asked.
    if (had && this.panel) this.panel.focus();
    else if (had) this.question.querySelector("#question")?.focus({ preventScroll: true });
    if (asked && asked.id !== this.told) { this.told = asked.id; this.news(t("you_are_asked", { text: asked.fields[0].text })); }
  }

  /** Where a panel is longer than its place: bring what is left to answer to the top. */
  showAsked() {
    const asked = this.panel?.node.querySelector(".asked, .confirm");
    if (asked) this.question.scrollTop += asked.getBoundingClientRect().top - this.question.getBoundingClientRect().top - 8;
  }

  /** The standing answers of this seat, each to be taken back. */
  standing(view) {
    if (!view.standing.length) return null;
    return el("details", { class: "again" }, el("summary", {}, counted("standing", view.standing.length)), el("ul", {}, view.standing.map((one, number) =>
      el("li", {}, `${one.text} ${one.answers.join(", ")}${one.this_turn ? ` (${t("until_turn_ends")})` : ""} `, button(t("ask_again"), () => this.do("ask_again", { number }), { class: "quiet" })))));
  }

  waiting(view) {
    if (view.over) return null;
    const names = view.seats.filter((one) => one.to_act).map((one) => one.name).join(", ");
    return el("p", { class: "waiting", id: "question", tabindex: "-1" }, names ? t(view.secret ? "they_think" : "waiting_for", { names }) : t("going_on"));
  }

  wish(view) {
    if (!view.wish) return null;
    if (!view.wish.asked) return el("p", { class: "wish" }, t("wish_waits", { name: view.wish.by }));
    return el("div", { class: "wish" }, el("p", {}, t("wish_asked", { name: view.wish.by })), el("div", { class: "row" },
      button(t("agree"), () => this.do("agree", { agrees: true }), { class: "main" }), button(t("disagree"), () => this.do("agree", { agrees: false }))));
  }

  over(view) {
    const { over } = view;
    if (!over) return null;
    const names = over.winners.join(" & ");
    return el("div", { class: "over" }, el("h2", {}, names ? t(over.winners.length > 1 ? "have_won" : "has_won", { names }) : t("draw")), over.reason ? el("p", {}, over.reason) : null,
      over.ranking.length ? el("ol", {}, over.ranking.map((rank) => el("li", {}, rank.join(", ")))) : null);
  }

  drawBoard() {
    const { view } = this.now;
    if (!view) return;
    let board = this.boards.get(view.board.kind);
    if (!board) {
      board = new (BOARDS[view.board.kind] ?? AnyBoard)(this.act);
      this.boards.set(view.board.kind, board);
    }
    if (this.table.firstChild !== board.node) this.table.replaceChildren(board.node);
    const ahead = this.panel?.panel.board;
    if (ahead) this.table.dataset.ahead = t("ahead");
    else delete this.table.dataset.ahead;
    board.draw(ahead ?? view.board, this.panel?.places() ?? new Map(), view);
  }

  point(ref) {
    this.boards.get(this.now.view.board.kind)?.point(ref);
    for (const one of this.question.querySelectorAll("[data-ref]")) one.classList.toggle("pointed", Boolean(ref) && one.dataset.ref === ref);
  }

  /** On a narrow page: bring a hand with cards on offer above the question, which stands below. */
  showHand() {
    const hand = this.table.querySelector(".hand"), { panel } = this.now.view;
    if (!panel || panel.id === this.shownTo || !matchMedia("(max-width: 60rem)").matches || !hand?.querySelector(".can")) return;
    this.shownTo = panel.id;
    hand.style.scrollMarginBottom = `${this.question.offsetHeight + 8}px`;
    hand.scrollIntoView({ block: "end" });
  }

  drawLog() {
    const { view } = this.now;
    const text = view.log.flatMap((one) => one.told);
    const last = text.at(-1) ?? "";
    if (this.lastTold !== undefined && last && last !== this.lastTold) this.news(last);
    this.lastTold = last;
    this.log.replaceChildren(el("h2", {}, t("log")), ...[...view.log].reverse().map(page));
  }

  async answer(path, data) {
    const { view } = this.now;
    const sent = view.panel && `${view.seat} ${view.panel.id}`;
    if (!sent || this.sent === sent) return;
    // The next question may be there, and answered, before the server has confirmed this answer.
    this.sent = sent;
    this.question.classList.add("sent");
    try {
      await this.now.link.ask(path, { panel: view.panel.id, ...data });
    } catch (error) {
      this.say(error.unreachable ? t("unreachable") : error.message);
    } finally {
      if (this.sent === sent) {
        this.sent = null;
        this.question.classList.remove("sent");
      }
    }
  }

  async undo() {
    const done = await this.do("undo", {});
    if (done === false) this.say(t("asked_others"));
  }

  async do(path, data) {
    try { return await this.now.link.ask(path, data); } catch (error) { this.say(error.unreachable ? t("unreachable") : error.message); return null; }
  }

  say(text) {
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => { this.toast.hidden = true; }, 8000);
  }

  news(text) { document.querySelector("#news").textContent = text; }
}


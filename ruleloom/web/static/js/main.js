// Where the page begins: the host's list of tables, or the table that a link opens.

import { el } from "./dom.js";
import { showLobby } from "./lobby.js";
import { ALONE, place } from "./route.js";
import { showTable } from "./table.js";
import { readTexts, t } from "./text.js";
import { transport } from "./transport.js";

const TOLD = 20_000;
const page = document.querySelector("#page");
let leave;

const says = (text) => page.replaceChildren(el("main", { class: "alone" }, el("h1", {}, t("app")), el("p", { role: "status" }, text)));

async function show() {
  leave?.();
  leave = undefined;
  const { path, tokens: named } = place();
  const own = await transport.ownTokens(says).catch((error) => { says(error.message); });
  if (!own) return;
  const tokens = named.length && path !== "/pack" ? named : own;
  if (!tokens.length) {
    says(t("no_link"));
  } else if (path.startsWith("/t/")) {
    leave = showTable(page, tokens);
  } else if (path === "/bench") {
    // The editor is large, and only this page needs it.
    const { showWorkbench } = await import("./workbench/page.js");
    leave = showWorkbench(page, tokens[0]);
  } else if (path === "/make") {
    const { showMaking } = await import("./making/page.js");
    leave = showMaking(page, tokens[0], tokens[1] && decodeURIComponent(tokens[1]));
  } else {
    showLobby(page, tokens[0], path === "/pack" && named[0]);
  }
}

/** Say what was stopped. A table would do the same again; what stands in the editor stays. */
function stopped(words) {
  const alarm = document.querySelector("#alarm");
  alarm.textContent = words;
  setTimeout(() => { alarm.textContent = ""; }, TOLD);
  if (place().path !== "/bench") location.hash = "";
}

await readTexts();
transport.onStopped = stopped;
transport.start();
await show();
addEventListener("hashchange", () => (ALONE ? show() : location.reload()));

// Where the page begins: the host's list of tables, or the table that a link opens.

import { el } from "./dom.js";
import { showLobby } from "./lobby.js";
import { ALONE, place } from "./route.js";
import { showTable } from "./table.js";
import { readTexts, t } from "./text.js";
import { transport } from "./transport.js";

const page = document.querySelector("#page");
let leave;

async function show() {
  leave?.();
  leave = undefined;
  const { path, tokens: named } = place();
  const tokens = named.length ? named : await transport.ownTokens();
  if (!tokens.length) {
    page.replaceChildren(el("main", { class: "alone" }, el("h1", {}, t("app")), el("p", {}, t("no_link"))));
  } else if (path.startsWith("/t/")) {
    leave = showTable(page, tokens);
  } else if (path === "/bench") {
    // The editor is large, and only this page needs it.
    const { showWorkbench } = await import("./workbench/page.js");
    leave = showWorkbench(page, tokens[0]);
  } else {
    showLobby(page, tokens[0]);
  }
}

await readTexts();
await show();
addEventListener("hashchange", () => (ALONE ? show() : location.reload()));

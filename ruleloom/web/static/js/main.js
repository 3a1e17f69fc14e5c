// Where the page begins: the host's list of tables, or the table that a link opens.

import { el } from "./dom.js";
import { showLobby } from "./lobby.js";
import { showTable } from "./table.js";
import { readTexts, t } from "./text.js";

await readTexts();
const page = document.querySelector("#page");
// What stands behind `#` is never sent; several tokens are several seats at one screen.
const tokens = location.hash.slice(1).split(".").filter(Boolean);
if (!tokens.length) {
  page.replaceChildren(el("main", { class: "alone" }, el("h1", {}, t("app")), el("p", {}, t("no_link"))));
} else if (location.pathname.startsWith("/t/")) {
  showTable(page, tokens);
} else if (location.pathname === "/bench") {
  // The editor is large, and only this page needs it.
  const { showWorkbench } = await import("./workbench/page.js");
  showWorkbench(page, tokens[0]);
} else {
  showLobby(page, tokens[0]);
}
addEventListener("hashchange", () => location.reload());

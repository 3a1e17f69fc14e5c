// What a text changes of the file on the disk.

import { el } from "../dom.js";
import { t } from "../text.js";

export function drawnDiff(lines) {
  if (!lines.length) return el("p", {}, t("no_changes"));
  const words = { "+": "added", "-": "taken_out", "@": "part", " ": "kept" };
  return el("div", { class: "diff", tabindex: "0", role: "group", "aria-label": t("changes") }, lines.map(([sign, text]) => el("pre", { class: words[sign] ?? "kept" }, sign === "@" ? "···" : `${sign} ${text}`)));
}

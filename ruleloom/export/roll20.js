// A Mod script for Roll20: put it among the scripts of a game, and it makes the handouts once, for the GM to show.
on("ready", () => {
  for (const { name, notes } of HANDOUTS) {
    if (findObjs({ _type: "handout", name }).length) continue;
    createObj("handout", { name }).set("notes", notes);
  }
  log(`${HANDOUTS.length} handouts are there`);
});
const HANDOUTS =

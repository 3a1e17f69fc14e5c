// How the page reaches the application: over the network, or in a worker where there is no server.

import { ALONE } from "./route.js";

const network = {
  post: (path, token, body) => fetch(path, {
    method: "POST", body, headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  }),
  socket: (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`),
  streams: true,
  start: () => {},
  /** The token of whoever has this page, if it needs no link; `tells` what the page waits for. */
  ownTokens: async () => [],
  /** Is what is played kept? */
  keeps: () => true,
  /** What to do when a request took too long and was stopped. */
  onStopped: null,
};

export const transport = ALONE ? (await import("./site/bridge.js")).bridge : network;

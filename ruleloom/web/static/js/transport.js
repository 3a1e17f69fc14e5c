// How the page reaches the application: over the network, or in a worker where there is no server.

import { ALONE } from "./route.js";

const network = {
  post: (path, token, body) => fetch(path, {
    method: "POST", body, headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  }),
  socket: (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`),
  streams: true,
  ownTokens: async () => [],
};

export const transport = ALONE ? (await import("./site/bridge.js")).bridge : network;

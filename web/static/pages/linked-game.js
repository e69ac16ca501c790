// A game that came by a link: it stands behind "#" in the address, which no browser sends. The server checks it.

import { at } from "../shared/address.js";
import { element } from "../shared/dom.js";
import { fetchJson, postOptions, RefusedError } from "../shared/net.js";

const TIMEOUT_MS = 30000; // others may have games checked before
const place = element("linked-game", HTMLElement);

async function show() {
  try {
    const { part } = await fetchJson(at("/game"), postOptions({ link: location.hash }), TIMEOUT_MS);
    place.innerHTML = part; // a page of our own server
    document.title = `${place.querySelector("h1").textContent} · Rollcall`;
  } catch (error) {
    const refused = error instanceof RefusedError;
    place.querySelector("[role=status]").textContent = refused ? error.message : (place.dataset.noServer ?? null);
  }
}

addEventListener("hashchange", () => location.reload());
show().then(() => (document.body.dataset.ready = "yes"));

// Luck in words, which the server works out once a game is over.

import { raw } from "./dom.js";
import { fetchPartOrWait } from "./net.js";

/**
 * The sentences of a game that is over: whether it was luck, and what dice and mistakes did for each player. Empty
 * until the server has worked them out.
 * @param {Context} ctx
 */
export function luckWords(ctx) {
  const known = (ctx.local.luckWords ??= { requested: -1, words: raw("") });
  if (ctx.standing.over && known.requested !== ctx.state.version) request(ctx, known, ctx.state.version);
  return ctx.standing.over ? known.words : "";
}

/** @param {Context} ctx */
async function request(ctx, known, version) {
  known.requested = version;
  try {
    const { text, againS } = await fetchPartOrWait(`${ctx.setup.base}/luck`);
    if (known.requested !== version) return;
    known.words = raw(text); // our own page, from our own server
    ctx.draw();
    if (againS) setTimeout(() => known.requested === version && request(ctx, known, version), 1000 * againS);
  } catch {
    if (known.requested === version) known.requested = -1; // the next drawing requests it again
  }
}

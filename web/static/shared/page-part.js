// Parts of other pages that the server draws, kept until they are requested anew.

import { raw } from "./dom.js";
import { fetchPartOrWait } from "./net.js";

/**
 * The picture of the score history as it was drawn last; a new one is requested when a turn has ended.
 * @param {Context} ctx
 */
export const scoreHistory = (ctx) => pagePart(ctx, "statistics", ctx.standing.over || !ctx.standing.turn.throw.length);

/**
 * The sentences of a game that is over: whether it was luck, and what dice and choices did for each player. Empty until
 * the server has worked them out.
 * @param {Context} ctx
 */
export const luckWords = (ctx) => (ctx.standing.over ? pagePart(ctx, "luck", true) : "");

/**
 * The part of the table's page `path`, as the server drew it last. Where `due`, that of the present version is
 * requested, and shown when it is there.
 * @param {Context} ctx
 * @param {string} path
 * @param {boolean} due
 */
function pagePart(ctx, path, due) {
  const parts = (ctx.local.pageParts ??= {});
  const known = (parts[path] ??= { requested: -1, content: raw("") }); // `requested`: for which version
  const { version } = ctx.state;
  if (known.requested < 0 || (due && known.requested !== version)) request(ctx, path, known, version);
  return known.content;
}

/** @param {Context} ctx */
async function request(ctx, path, known, version) {
  known.requested = version;
  try {
    const { text, againS } = await fetchPartOrWait(`${ctx.setup.base}/${path}`);
    if (known.requested !== version) return;
    known.content = raw(text); // our own page, from our own server
    ctx.draw();
    if (againS) setTimeout(() => known.requested === version && request(ctx, path, known, version), 1000 * againS);
  } catch {
    if (known.requested === version) known.requested = -1; // the next drawing requests it again
  }
}

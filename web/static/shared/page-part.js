// Parts of other pages that the server draws, kept until they are requested anew.

import { raw } from "./dom.js";
import { fetchPart } from "./net.js";

/** The part of the table's page `path` in a game that is over, as the server drew it last; empty until it is there.
 * @param {Context} ctx @param {string} path */
export function pagePart(ctx, path) {
  const parts = (ctx.local.pageParts ??= {});
  const known = (parts[path] ??= { requested: -1, content: raw("") }); // `requested`: for which version
  const { version } = ctx.state;
  if (known.requested !== version) request(ctx, path, known, version);
  return known.content;
}

/**
 * @param {Context} ctx @param {string} path @param {{requested: number, content: Html}} known @param {number} version
 */
async function request(ctx, path, known, version) {
  known.requested = version;
  try {
    const { text, againS } = await fetchPart(`${ctx.setup.base}/${path}`);
    if (known.requested !== version) return;
    known.content = raw(text); // our own page, from our own server
    ctx.draw();
    if (againS) setTimeout(() => known.requested === version && request(ctx, path, known, version), 1000 * againS);
  } catch {
    if (known.requested === version) known.requested = -1; // the next drawing requests it again
  }
}

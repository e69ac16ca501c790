// The picture of the game's course, which the server draws: for the board, and for a game that is over.

import { raw } from "./dom.js";
import { fetchPart } from "./net.js";

const known = { asked: -1, picture: raw("") }; // `asked`: the version for which it was asked last

/**
 * The picture as it was drawn last. When a turn has ended since, the present one is asked for, and shown when it is
 * there.
 * @param {Context} ctx
 */
export function picture(ctx) {
  const { standing, state } = ctx;
  const changed = known.asked !== state.version && (standing.over || !standing.turn.throw.length);
  if (known.asked < 0 || changed) ask(ctx, state.version);
  return known.picture;
}

/** @param {Context} ctx */
async function ask(ctx, version) {
  known.asked = version;
  try {
    const drawn = await fetchPart(`${ctx.setup.base}/statistics`);
    if (known.asked !== version) return;
    known.picture = raw(drawn); // our own page, from our own server
    ctx.draw();
  } catch {
    if (known.asked === version) known.asked = -1; // with the next drawing it is asked for again
  }
}

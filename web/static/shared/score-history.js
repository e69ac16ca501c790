// The picture of the score history, which the server draws: for the board, and for a game that is over.

import { raw } from "./dom.js";
import { fetchPart } from "./net.js";

/** The picture that this page has, and the version for which it was requested last. */
const historyOf = ({ local }) => (local.scoreHistory ??= { requested: -1, picture: raw("") });

/**
 * The picture as it was drawn last. When a turn has ended since, the present picture is requested, and shown when it
 * is there.
 * @param {Context} ctx
 */
export function picture(ctx) {
  const { standing, state } = ctx;
  const known = historyOf(ctx);
  const changed = known.requested !== state.version && (standing.over || !standing.turn.throw.length);
  if (known.requested < 0 || changed) request(ctx, known, state.version);
  return known.picture;
}

/** @param {Context} ctx */
async function request(ctx, known, version) {
  known.requested = version;
  try {
    const drawn = await fetchPart(`${ctx.setup.base}/statistics`);
    if (known.requested !== version) return;
    known.picture = raw(drawn); // our own page, from our own server
    ctx.draw();
  } catch {
    if (known.requested === version) known.requested = -1; // the next drawing requests it again
  }
}

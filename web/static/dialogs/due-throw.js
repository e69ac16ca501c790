// Which throw is due: two phones may be about to tell the same one, and it must count once.

import { throwDice } from "../shared/sentences.js";

/** What the throw is known by: where it stands in the game, who throws, and what lies on the table before it. */
const place = ({ steps, standing: { to_act: players, turn } }) =>
  JSON.stringify([steps, players, turn.expects, turn.dice]);

/**
 * The throw that is due, to be known again when it is told later: how many dice it has, and which are kept for it (null
 * where the rules do not ask, or know it already).
 * @param {Context} ctx
 */
export const due = (ctx) => ({
  version: ctx.state.version,
  place: place(ctx.state),
  count: throwDice(ctx),
  keep: ctx.keep(),
});

/** The same throw as it is due in a newer state; null when the table has moved on to another one. */
export function stillDue(then, state) {
  if (state.version === then.version) return then;
  // The next throw may look the same, with as many dice: only corrections of earlier steps leave this one as it was.
  const since = state.recent.filter((entry) => entry.seq > then.version);
  const corrected = since.length === state.version - then.version && since.every((entry) => entry.kind === "correct");
  return corrected && place(state) === then.place ? { ...then, version: state.version } : null;
}

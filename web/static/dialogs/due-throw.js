// Which throw is due: two phones may be about to tell the same one, and it must count once.

import { diceToThrow } from "../shared/sentences.js";

/** Tells throws apart: by their place in the game, by who throws, and by what lies on the table before them. */
const throwKey = ({ steps, standing: { to_act: players, turn } }) =>
  JSON.stringify([steps, players, turn.expects, turn.dice]);

/**
 * The throw that is due now, to be recognised when it is told later.
 * @param {Context} ctx
 * @returns {DueThrow}
 */
export const dueThrow = (ctx) => ({
  version: ctx.state.version,
  key: throwKey(ctx.state),
  count: diceToThrow(ctx),
  keep: ctx.markedDice(),
});

/**
 * The same throw with the version of a newer state; null when the table has moved on to another throw.
 * @param {DueThrow} due
 * @param {View} state
 * @returns {DueThrow | null}
 */
export function renewThrow(due, state) {
  if (state.version === due.version) return due;
  // The next throw may look the same, with as many dice: only corrections of earlier steps leave this one as it was.
  const since = state.recent.filter((entry) => entry.seq > due.version);
  const corrected = since.length === state.version - due.version && since.every((entry) => entry.kind === "correct");
  return corrected && throwKey(state) === due.key ? { ...due, version: state.version } : null;
}

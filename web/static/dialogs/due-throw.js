// The throw that is due. Two phones may be about to tell the same throw, which must count once.

import { diceToThrow } from "../shared/sentences.js";

/** Identifies a throw by its place in the game, its players, and the dice on the table before it.
 * @param {View} state */
const throwKey = ({ steps, standing: { to_act: players, turn } }) =>
  JSON.stringify([steps, players, turn.expects, turn.dice]);

/** The throw that is due now, to be recognised when it is told later. @param {Context} ctx @returns {DueThrow} */
export const dueThrow = (ctx) => ({
  version: ctx.state.version,
  key: throwKey(ctx.state),
  count: diceToThrow(ctx),
  keep: ctx.markedDice(),
});

/** The same throw with the version of a newer state; null when the table has moved on to another throw.
 * @param {DueThrow} due @param {View} state @returns {DueThrow | null} */
export function renewThrow(due, state) {
  if (state.version === due.version) return due;
  // The next throw may have as many dice. Only corrections of earlier steps leave this one due.
  const since = state.recent.filter((entry) => entry.seq > due.version);
  const corrected = since.length === state.version - due.version && since.every((entry) => entry.kind === "correct");
  return corrected && throwKey(state) === due.key ? { ...due, version: state.version } : null;
}

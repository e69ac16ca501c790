// Which throw is due: two phones may be about to tell the same one, and it must count once.

/** The throw that is due in a state, to be known again when it is told later. */
export const due = ({ version, steps, standing }) => ({ version, steps, count: standing.turn.expects, players: standing.to_act.join() });

/** The same throw as it is due in a newer state; null when the table has moved on to another one. */
export function stillDue(then, state) {
  const now = due(state);
  if (now.version === then.version) return then;
  // The next throw may look the same, with as many dice: only corrections of earlier steps leave this one as it was.
  const since = state.recent.filter((entry) => entry.seq > then.version);
  const corrected = since.length === now.version - then.version && since.every((entry) => entry.kind === "correct");
  return corrected && now.steps === then.steps && now.count === then.count && now.players === then.players ? now : null;
}

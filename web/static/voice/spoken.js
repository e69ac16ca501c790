// What the voice says besides what happened, in the page's language: what is left to throw.

import { settings } from "../shared/device.js";
import { number, tn } from "../shared/text.js";
import { whoseTurn } from "../shared/sentences.js";

/** Sentences as one text; a full stop is put where one has no end of its own.
 * @param {(string | undefined | false)[]} sentences @returns {string} */
export const joinSentences = (sentences) =>
  sentences
    .flatMap((each) => each || [])
    .reduce((all, next) => (all ? `${all}${/[.?!…]$/.test(all) ? "" : "."} ${next}` : next), "");

/** What there is to tell of a turn, to be compared with that of the next state. @param {Page} ctx */
export function turnOf(ctx) {
  const { players, turn, over } = ctx.standing;
  return {
    who: whoseTurn(ctx, ctx.sheet ?? {}),
    scores: settings().byEar ? players.map(({ name, score }) => `${name}: ${number(score)}`).join(", ") : "",
    expects: over ? 0 : turn.expects,
    throws: over ? 0 : (turn.throws_left ?? 0),
  };
}

/** What is new of the turn: by ear the scores, and how many dice or throws are left.
 * @param {ReturnType<typeof turnOf>} before @param {ReturnType<typeof turnOf>} now */
export function turnWords(before, now) {
  const isNext = now.who !== before.who;
  const [dice, throws] = /** @type {("expects" | "throws")[]} */ (["expects", "throws"]).map(
    (name) => now[name] && now[name] !== before[name],
  );
  return joinSentences([
    now.scores === before.scores ? "" : now.scores,
    (isNext || dice) && now.expects && !now.throws
      ? tn("{count} die to throw", "{count} dice to throw", now.expects)
      : "",
    throws && !isNext ? tn("{count} throw left", "{count} throws left", now.throws) : "",
  ]);
}

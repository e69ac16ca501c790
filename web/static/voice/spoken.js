// What the voice says, in the page's language: dice, whose turn it is, points, what is left to throw.

import { number, t, tn } from "../shared/text.js";
import { whoseTurn } from "../shared/sentences.js";

const TAGS = { cs: "cs-CZ", pl: "pl-PL", en: "en-GB" };

/** The language of the page, as browsers name it for speech. */
export const languageTag = (language) => TAGS[language] || TAGS.en;

/** Sentences as one text; a full stop is put where one has no end of its own. */
export const joinSentences = (sentences) =>
  sentences.filter(Boolean).reduce((all, next) => (all ? `${all}${/[.?!…]$/.test(all) ? "" : "."} ${next}` : next), "");

/**
 * What the voice tells of a turn, to be compared with that of the next state.
 * @param {Page} ctx
 */
export function turnOf(ctx) {
  const { turn, over } = ctx.standing;
  return {
    who: whoseTurn(ctx, ctx.sheet ?? {}),
    points: over ? 0 : turn.points,
    expects: over ? 0 : turn.expects,
    throws: over ? 0 : (turn.throws_left ?? 0),
  };
}

/**
 * What is new of the turn: who plays or has won, the turn's points, how many dice or throws are left.
 * @param {ReturnType<typeof turnOf>} before
 * @param {ReturnType<typeof turnOf>} now
 */
export function turnWords(before, now) {
  const isNext = now.who !== before.who;
  const [points, dice, throws] = ["points", "expects", "throws"].map((name) => now[name] && now[name] !== before[name]);
  return joinSentences([
    isNext ? now.who : "",
    points ? `${number(now.points)} ${t("this turn")}` : "",
    (isNext || points || dice) && now.expects && !now.throws
      ? tn("{count} die to throw", "{count} dice to throw", now.expects)
      : "",
    throws && !isNext ? tn("{count} throw left", "{count} throws left", now.throws) : "",
  ]);
}

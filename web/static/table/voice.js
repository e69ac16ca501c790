// Says aloud what was thrown and what it came to, where this phone was told to: by the browser's own voices.

import * as device from "../shared/device.js";
import { number } from "../shared/text.js";

const TONGUES = { cs: "cs-CZ", pl: "pl-PL", en: "en-GB" };

let scores = null; // of all players at the last state
let dice = ""; // the throw that was said last, while it lay there unconfirmed

/**
 * After a new state. `since`: the log's lines since the last one; `done`: what the last step came to. After something
 * was undone or corrected only the new totals are said, not what was said before.
 * @param {Context} ctx
 */
export function heard(ctx, since, done) {
  const before = scores;
  scores = ctx.standing.players.map(({ score }) => score);
  if (!device.speaks() || !device.settings().voice) return;
  const text = words(ctx, since, done, before || scores);
  if (!text) return;
  speechSynthesis.cancel(); // what was said of an older state helps nobody
  const said = new SpeechSynthesisUtterance(text);
  said.lang = TONGUES[ctx.setup.language] || TONGUES.en;
  speechSynthesis.speak(said);
}

/** @param {Context} ctx */
function words(ctx, since, done, before) {
  if (!since.length) return watchedThrow(ctx.state.watched);
  if (since.some(({ kind }) => kind !== "do")) {
    dice = "";
    return ctx.standing.players
      .filter((player, i) => player.score !== before[i])
      .map(({ name, score }) => `${name}: ${number(score)}`)
      .join(". ");
  }
  const thrown =
    since
      .filter(({ body }) => body.do.do === "throw")
      .map(({ body }) => listed(body.do.dice))
      .pop() || "";
  const known = thrown === dice;
  dice = "";
  return [known ? "" : thrown, done].filter(Boolean).join(". ");
}

/** A certain throw that the watching camera tells. */
function watchedThrow(watched) {
  const throw_ =
    watched && watched.sure && watched.state === "throw" && watched.ways.length
      ? watched.ways[0][watched.ways[0].length - 1]
      : null;
  const found = throw_ && throw_.do === "throw" ? listed(throw_.dice) : "";
  if (!found || found === dice) return "";
  dice = found;
  return found;
}

const listed = (values) => [...values].sort((a, b) => a - b).join(", ");

// Says throws and their outcomes aloud, with the browser's own voices, if this phone's settings ask for it.

import * as device from "../shared/device.js";
import { number } from "../shared/text.js";

const TONGUES = { cs: "cs-CZ", pl: "pl-PL", en: "en-GB" };

export class Voice {
  /** @param {Context} ctx  at its first state, of which nothing is said but a throw before the watching camera */
  constructor(ctx) {
    this.ctx = ctx;
    this.scores = scoresOf(ctx); // of all players at the last state
    this.dice = ""; // the throw that was said last, while it lay there unconfirmed
    this.speak([], "");
  }

  /**
   * Speaks of a new state. `since`: the log's lines since the last one; `done`: the outcome of the last step. After an
   * undo or a correction only the new totals are said.
   * @param {RecentLine[]} since
   * @param {string} done
   */
  speak(since, done) {
    const before = this.scores;
    this.scores = scoresOf(this.ctx);
    if (!device.canSpeak() || !device.settings().voice) return;
    const text = this.words(since, done, before);
    if (!text) return;
    speechSynthesis.cancel(); // words about an older state help nobody
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = TONGUES[this.ctx.setup.language] || TONGUES.en;
    speechSynthesis.speak(utterance);
  }

  words(since, done, before) {
    if (!since.length) return this.watchedThrow();
    if (since.some(({ kind }) => kind !== "do")) {
      this.dice = "";
      return this.ctx.standing.players
        .filter((player, i) => player.score !== before[i])
        .map(({ name, score }) => `${name}: ${number(score)}`)
        .join(". ");
    }
    const thrown =
      since
        .filter(({ body }) => body.do.do === "throw")
        .map(({ body }) => diceWords(body.do.dice))
        .pop() || "";
    const known = thrown === this.dice;
    this.dice = "";
    return [known ? "" : thrown, done].filter(Boolean).join(". ");
  }

  /** A certain throw that the watching camera proposes; "" when it was said before. */
  watchedThrow() {
    const { watched } = this.ctx.state;
    const action =
      watched && watched.sure && watched.state === "throw" && watched.ways.length
        ? watched.ways[0][watched.ways[0].length - 1]
        : null;
    const found = action && action.do === "throw" ? diceWords(action.dice) : "";
    if (!found || found === this.dice) return "";
    this.dice = found;
    return found;
  }
}

const scoresOf = ({ standing }) => standing.players.map(({ score }) => score);

const diceWords = (values) => [...values].sort((a, b) => a - b).join(", ");

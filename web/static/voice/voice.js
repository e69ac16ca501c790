// Says aloud what happens and what is asked, with the browser's own voices, if this phone's settings ask for it.

import * as device from "../shared/device.js";
import { number } from "../shared/text.js";
import { joinSentences, languageTag, turnOf, turnWords } from "./spoken.js";
import { spokenDice } from "../shared/sentences.js";

export class Voice {
  /**
   * @param {Page} ctx  at its first state, of which nothing is said but a throw before the watching camera
   */
  constructor(ctx) {
    this.ctx = ctx;
    this.scores = scoresOf(ctx); // of all players at the last state
    this.turn = turnOf(ctx);
    this.dice = ""; // the throw that was said last, while it lay there unconfirmed
    this.asked = ""; // the id of the question that was said last
    this.unsaid = "";
    this.takeState([], "");
  }

  /**
   * Notes what there is to say of a new state, until `speak`. `since`: the log's lines since the last one; `done`: the
   * outcome of the last step. After an undo or a correction that is the new totals, and whose turn it is.
   * @param {RecentLine[]} since
   * @param {string} done
   */
  takeState(since, done) {
    const [scores, turn] = [this.scores, this.turn];
    this.scores = scoresOf(this.ctx);
    this.turn = turnOf(this.ctx);
    this.unsaid = this.words(since, done, scores, turn) || this.unsaid;
  }

  /**
   * Says what there is to say, and the open question once.
   * @param {OpenQuestion | null} question
   */
  speak(question) {
    const asked = question && question.id !== this.asked ? question.spoken : "";
    const text = joinSentences([this.unsaid, asked]);
    this.asked = question?.id ?? "";
    this.unsaid = "";
    if (text && device.canSpeak() && device.settings().voice) this.say(text);
  }

  /** @param {string} text */
  say(text) {
    speechSynthesis.cancel(); // words about an older state help nobody
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = languageTag(this.ctx.setup.language);
    speechSynthesis.speak(utterance);
  }

  words(since, done, scores, turn) {
    if (!since.length) return this.watchedThrow();
    const now = turnWords(turn, this.turn);
    if (since.some(({ kind }) => kind !== "do")) {
      this.dice = "";
      const totals = this.ctx.standing.players
        .filter((player, i) => player.score !== scores[i])
        .map(({ name, score }) => `${name}: ${number(score)}`);
      return joinSentences([...totals, turn.who === this.turn.who ? "" : now]);
    }
    const thrown =
      since
        .filter(({ body }) => body.do.do === "throw")
        .map(({ body }) => spokenDice(body.do.dice))
        .pop() || "";
    const known = thrown === this.dice;
    this.dice = "";
    return joinSentences([known ? "" : thrown, done, now]);
  }

  /** A certain throw that the watching camera proposes; "" when it was said before. */
  watchedThrow() {
    const { watched } = this.ctx.state;
    const action =
      watched && watched.sure && watched.state === "throw" && watched.ways.length
        ? watched.ways[0][watched.ways[0].length - 1]
        : null;
    const found = action && action.do === "throw" ? spokenDice(action.dice) : "";
    if (!found || found === this.dice) return "";
    this.dice = found;
    return found;
  }
}

const scoresOf = ({ standing }) => standing.players.map(({ score }) => score);

// What is said of the game as it goes on: one sentence for each change, in one live region of the page. A phone that
// speaks says the same, and screen readers then leave it to the phone.

import { element } from "./dom.js";
import { changeSentence, whoseTurn } from "./sentences.js";
import { number, t } from "./text.js";

const MOST = 3; // lines that stay in the region
const PAUSE_MS = 100; // a dialog that opened or closed has just moved the region, which must be known before it speaks

/** @type {{ isOn(): boolean, hear(text: string): void } | null} */
let voice = null;

/** Takes the voice of this phone, which hears all that is said.
 * @param {{ isOn(): boolean, hear(text: string): void }} found */
export const speakBy = (found) => (voice = found);

/** Has this said after what is being said. @param {string} text */
export function say(text) {
  const region = element("spoken", HTMLElement);
  region.setAttribute("aria-live", voice?.isOn() ? "off" : "polite");
  voice?.hear(text);
  const line = document.createElement("p");
  line.textContent = text;
  setTimeout(() => {
    region.append(line); // a new line is said, also one that says the same as the last
    if (region.children.length > MOST) region.firstChild?.remove();
  }, PAUSE_MS);
}

export class Announcer {
  /** @param {Context} ctx  at its first state, of which nothing is said @param {Sheet} sheet */
  constructor(ctx, sheet) {
    this.ctx = ctx;
    this.sheet = sheet;
    this.version = ctx.state.version;
    this.known = this.look();
  }

  /** What is told when it has changed. */
  look() {
    const { players, over, turn } = this.ctx.standing;
    return {
      turn: whoseTurn(this.ctx, this.sheet),
      points: over ? 0 : turn.points,
      scores: players.map(({ name, score }) => `${name}: ${number(score)}`),
    };
  }

  /** Says what happened since the last state, whoever did it: points, whose turn it is, totals that were corrected. */
  tell() {
    const { ctx, version, known } = this;
    if (ctx.state.version === version) return;
    this.version = ctx.state.version;
    const now = (this.known = this.look());
    const corrected = ctx.state.recent.some(({ kind, seq }) => kind !== "do" && seq > version);
    const said = changeSentence(ctx, version, [
      ...(corrected ? now.scores.filter((score, i) => score !== known.scores[i]) : []),
      now.points && now.points !== known.points ? `${number(now.points)} ${t("this turn")}` : "",
      now.turn === known.turn ? "" : now.turn,
    ]);
    ctx.local.saidDice = "";
    if (said) say(said);
  }
}

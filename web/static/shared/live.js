// What a camera sees now: its small picture, the dice in it, and its state in a few words.

import { element, html } from "./dom.js";
import { apiOf } from "./address.js";
import { refusalSentence, t, tn } from "./text.js";

const PICTURE_MS = 250; // from one small picture to the next
const LONGEST_MS = 4000; // the longest pause while none comes; it doubles each time

/** The boxes of dice, in pixels of a picture of this size: to be looked at, not tapped. @param {SeenDie[]} dice
 * @param {number} width @param {number} height */
export function diceBoxes(dice, width, height, scale = 1) {
  const unit = (scale * Math.max(width, height)) / 200;
  return dice.map(
    ({ value, box: [x0, y0, x1, y1], sure }, i) =>
      html`<g class="seen ${!sure && "doubt"}" data-key="seen${i}">
        <rect x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}" stroke-width="${1.5 * unit}" />
        <text x="${x0 + 2 * unit}" y="${y0 - 2 * unit}" font-size="${14 * unit}" stroke-width="${3 * unit}"
          >${value}${!sure && " ?"}</text
        >
      </g>`,
  );
}

/** The state of the watching camera, in a word or a sentence. @param {CameraSight} watched */
export function cameraWord(watched) {
  if (watched.state === "trouble" && watched.problem) return refusalSentence(watched.problem);
  if (watched.state === "blind") {
    /** @type {Record<string, string>} */
    const reasons = {
      dark: t("It is too dark to see the dice."),
      blurred: t("The picture is out of focus."),
      moved: t("The camera moves."),
      cut: t("The edge of the picture cuts off a die."),
      "too-small": t("The dice are too small. Move the camera closer."),
      "from-the-side": t("The dice are seen from the side. Put the camera higher."),
    };
    return reasons[watched.reason ?? ""] || t("Nothing can be seen.");
  }
  /** @type {Record<string, string>} */
  const words = {
    looking: t("Looking …"),
    moving: watched.hand ? t("Hand in the picture") : t("Rolling …"),
    put: t("Dice were put aside"),
    over: t("The game is over"),
  };
  return words[watched.state] || (watched.dice ? tn("{count} die", "{count} dice", watched.dice) : t("No dice"));
}

/** The camera's newest small picture, in the image of this id, until it is closed. */
export class LivePicture {
  /** @param {string} base @param {string} id */
  constructor(base, id) {
    this.base = base;
    this.id = id;
    this.number = -1;
    this.address = null;
    this.timer = 0;
    this.missed = 0; // tries without an answer, or refused
    this.closed = false;
    this.next();
  }

  /** Puts the picture into the image; needed after each redrawing, which takes it away. */
  show() {
    if (document.getElementById(this.id) && this.address) element(this.id, HTMLImageElement).src = this.address;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.address) URL.revokeObjectURL(this.address);
  }

  /** Fetches the newest picture, then waits. A hidden page fetches none. */
  async next() {
    try {
      const answer = document.hidden ? null : await fetch(`${apiOf(this.base)}/watch/picture?after=${this.number}`);
      this.missed = !answer || answer.ok ? 0 : this.missed + 1;
      if (answer?.status === 200) await this.take(answer);
    } catch {
      this.missed += 1; // the page tells by other means that the connection is gone
    }
    const pause = Math.min(PICTURE_MS * 2 ** this.missed, LONGEST_MS);
    if (!this.closed) this.timer = setTimeout(() => this.next(), pause);
  }

  /** @param {Response} answer */
  async take(answer) {
    const picture = await answer.blob();
    if (this.closed) return;
    const old = this.address;
    this.number = Number(answer.headers.get("X-Picture"));
    this.address = URL.createObjectURL(picture);
    this.show();
    if (old) URL.revokeObjectURL(old);
  }
}

// What the server's camera sees now: its small picture, and one word of what it is at.

import { element } from "./dom.js";
import { sentence, t } from "./text.js";

const PICTURE_MS = 250; // from one small picture to the next

/** One word, or a sentence, of what the camera is at. */
export function word(watched) {
  if (watched.state === "trouble") return sentence(watched.problem);
  if (watched.state === "blind") {
    return (
      {
        dark: t("It is too dark to see the dice."),
        blurred: t("The picture is out of focus."),
        moved: t("The camera moves."),
      }[watched.reason] || t("Nothing can be seen.")
    );
  }
  return (
    {
      looking: t("Looking …"),
      moving: t("Something moves"),
      clear: t("No dice"),
      put: t("Dice were put aside"),
      throw: t("A throw"),
      over: t("The game is over"),
    }[watched.state] || t("The dice lie still")
  );
}

/** The small picture in the image of this id, always the newest, until it is closed. */
export class Live {
  constructor(base, id) {
    this.base = base;
    this.id = id;
    this.number = -1;
    this.address = null;
    this.timer = 0;
    this.closed = false;
    this.next();
  }

  /** Puts it into the image; after each redrawing, which takes it away. */
  show() {
    if (document.getElementById(this.id) && this.address) element(this.id, HTMLImageElement).src = this.address;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.address) URL.revokeObjectURL(this.address);
  }

  /** Fetches the newest, then waits; a page that nobody sees fetches none. */
  async next() {
    try {
      const answer = document.hidden ? null : await fetch(`${this.base}/watch.jpg?after=${this.number}`);
      if (answer && answer.status === 200) await this.take(answer);
    } catch {
      // the connection is gone: the page tells that, and the next try may do
    }
    if (!this.closed) this.timer = setTimeout(() => this.next(), PICTURE_MS);
  }

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

// What all at the table look up for: across the whole screen, for a second or so. What undoes it takes it away at once.

import { say } from "./announcer.js";
import { diceRow } from "./dice.js";
import { settings } from "./device.js";
import { html, render } from "./dom.js";
import { icon } from "./icons.js";
import { number, plus, t } from "./text.js";

const SHOWN_MS = 1600;
// Hertz, one tone after the other.
const TONES = {
  alike: [660, 880, 1100],
  "best-turn": [660, 880],
  bust: [220],
  lead: [550, 660],
  end: [660, 880, 1320],
};
const TONE_S = 0.14;

export class Moments {
  /**
   * @param {Context} ctx  at its first state, of which nothing is shown
   * @param {import("./device.js").Signals} signals
   */
  constructor(ctx, signals) {
    this.ctx = ctx;
    this.signals = signals;
    this.version = ctx.state.version;
    this.over = ctx.standing.over;
    this.place = Object.assign(document.createElement("div"), { className: "moments", hidden: true });
    this.place.setAttribute("aria-hidden", "true");
    document.body.append(this.place);
    this.timer = 0;
  }

  /** Shows the moments of the last step, each once. Any other change takes away what is shown. */
  tell() {
    const { version, moments } = this.ctx.state;
    if (version === this.version) return;
    this.version = version;
    clearTimeout(this.timer);
    this.place.hidden = true;
    this.place.replaceChildren();
    const { over } = this.ctx.standing;
    if (over && !this.over) this.play("end");
    this.over = over;
    if (!moments.length) return;
    this.play(moments[0].kind);
    render(this.place, html`${moments.map((moment) => this.shown(moment))}`);
    this.place.hidden = false;
    this.timer = setTimeout(() => (this.place.hidden = true), SHOWN_MS);
    for (const moment of moments) if (moment.kind !== "bust") say(this.words(moment)); // a bust is told by its step
  }

  /** @param {GameMoment} moment */
  words({ kind, player }) {
    const name = this.ctx.name(player);
    return {
      alike: t("{name}: what a throw!", { name }),
      "best-turn": t("{name}: best turn yet!", { name }),
      bust: `${name}: ${t("Bust.")}`,
      lead: t("{name} takes the lead!", { name }),
    }[kind];
  }

  /** @param {GameMoment} moment */
  shown(moment) {
    const { kind, points, dice } = moment;
    return html`<p class="moment ${kind}" data-key="${kind}">
      ${dice ? diceRow(dice) : kind === "bust" ? "" : icon("star")} <strong>${this.words(moment)}</strong>
      ${points ? html`<span class="whole">${kind === "bust" ? `−${number(points)}` : plus(points)}</span>` : ""}
    </p>`;
  }

  play(kind) {
    if (settings().sound) TONES[kind].forEach((hertz, i) => this.signals.tone(hertz, TONE_S * i));
  }
}

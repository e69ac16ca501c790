// What all at the table look up for. A phone has it among what the last step came to; a board across the whole screen,
// for a second or so. What undoes it takes it away at once.

import { say } from "./announcer.js";
import { diceRow } from "./dice.js";
import { settings } from "./device.js";
import { html, render } from "./dom.js";
import { icon } from "./icons.js";
import { plus, t } from "./text.js";

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

/** What is said of a moment that no event tells. @param {Context} ctx @param {GameMoment} moment */
function words(ctx, { kind, player }) {
  const name = ctx.name(player);
  /** @type {Record<string, string>} */
  const said = {
    alike: t("{name}: what a throw!", { name }),
    "best-turn": t("{name}: best turn yet!", { name }),
    lead: t("{name} takes the lead!", { name }),
  };
  return said[kind];
}

/** The moments that no event of the step tells: a bust is one of its events. @param {Context} ctx */
const untold = ({ state }) => state.moments.filter(({ kind }) => kind !== "bust");

/** The moments of the last step as lines of a phone's page. @param {Context} ctx */
export const momentLines = (ctx) => untold(ctx).map((moment) => html`${icon("star")} ${words(ctx, moment)}`);

/** Says the moments of the last step, each once, with their tones. */
export class Moments {
  /**
   * @param {Context} ctx  at its first state, of which nothing is told @param {import("./device.js").Signals} signals
   */
  constructor(ctx, signals) {
    this.ctx = ctx;
    this.signals = signals;
    this.version = ctx.state.version;
    this.over = ctx.standing.over;
  }

  tell() {
    const { version, moments } = this.ctx.state;
    if (version === this.version) return false;
    this.version = version;
    const { over } = this.ctx.standing;
    if (over && !this.over) this.play("end");
    this.over = over;
    if (moments.length) this.play(moments[0].kind);
    for (const moment of untold(this.ctx)) say(words(this.ctx, moment));
    return true;
  }

  /** @param {keyof typeof TONES} kind */
  play(kind) {
    if (settings().sound) TONES[kind].forEach((hertz, i) => this.signals.tone(hertz, TONE_S * i));
  }
}

/** Shows them too, over the board, whose stage tells a bust. */
export class LargeMoments extends Moments {
  /** @param {Context} ctx @param {import("./device.js").Signals} signals */
  constructor(ctx, signals) {
    super(ctx, signals);
    this.place = Object.assign(document.createElement("div"), { className: "moments", hidden: true });
    this.place.setAttribute("aria-hidden", "true");
    document.body.append(this.place);
    this.timer = 0;
  }

  /** Any other change takes away what is shown. */
  tell() {
    if (!super.tell()) return false;
    const moments = untold(this.ctx);
    clearTimeout(this.timer);
    this.place.replaceChildren(); // the same moment again passes by again
    render(this.place, html`${moments.map((moment) => this.shown(moment))}`);
    this.place.hidden = !moments.length;
    if (moments.length) this.timer = setTimeout(() => (this.place.hidden = true), SHOWN_MS);
    return true;
  }

  /** @param {GameMoment} moment */
  shown(moment) {
    const { kind, points, dice } = moment;
    return html`<p class="moment" data-key="${kind}">
      ${dice ? diceRow(dice) : icon("star")} <strong>${words(this.ctx, moment)}</strong>
      ${points ? html`<span class="whole">${plus(points)}</span>` : ""}
    </p>`;
  }
}

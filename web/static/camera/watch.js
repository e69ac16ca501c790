// A camera watches the table, the server's or a phone on a stand: what it proposes, what a tap does, its small picture.

import { button } from "../shared/buttons.js";
import { diceRow } from "../shared/dice.js";
import { html, targetOf } from "../shared/dom.js";
import { checkbox } from "../shared/fields.js";
import { icon } from "../shared/icons.js";
import { LivePicture, cameraWord } from "../shared/live.js";
import { photoAddress } from "../shared/net.js";
import { panelHead } from "../dialogs/panel.js";
import { mayActNow } from "../shared/sentences.js";
import { refusalSentence, t } from "../shared/text.js";

const MOST_OTHERS = 4; // other ways that are offered
const MOST_LARGE = 3; // doubtful dice that are shown large
const LARGE = 1.7; // sides of a die: the part of the photo that shows it

const WHOLE = [0, 0, 1, 0, 1, 1, 0, 1]; // the corners of the whole picture, around it
const NUDGE = 0.02; // of the picture, for each press of an arrow key
/** @type {Record<string, number[]>} */
const KEYS = { ArrowLeft: [-NUDGE, 0], ArrowRight: [NUDGE, 0], ArrowUp: [0, -NUDGE], ArrowDown: [0, NUDGE] };

/** Whether the throw under review is the one that the watching camera tells. @param {View} state */
export const shows = ({ watched, pending }) =>
  Boolean(watched && pending && pending.source === "watch" && watched.ways && watched.ways.length);

/**
 * The ways that are offered, the likeliest first. Dice of which none is sure may be none at all: a person looks at them
 * first.
 * @param {View} state
 */
export function offeredWays(state) {
  const { watched, pending } = state;
  const doubted = shows(state) && pending && pending.dice.length > 0 && pending.dice.every(({ sure }) => !sure);
  return doubted ? [] : (watched?.ways || []).slice(0, 1 + MOST_OTHERS);
}

/** @type {Record<string, () => string>} */
const VERBS = {
  "set-aside": () => t("Set aside:"),
  keep: () => t("Kept:"),
  throw: () => t("Thrown:"),
  bank: () => t("Bank the points"),
  "take-over": () => t("Take over the dice"),
};

/**
 * What the actions of a way do, each as `shown` makes it of its words and its dice; nothing of a keep without dice.
 * @template T
 * @param {Action[]} actions
 * @param {(words: string, dice?: number[]) => T} shown
 */
export const wordsOfWay = (actions, shown) =>
  actions
    .filter(({ do: verb, dice }) => verb !== "keep" || dice.length)
    .map(({ do: verb, dice }) => shown(VERBS[verb](), dice));

/** @param {Action[]} actions */
const actionLines = (actions) =>
  wordsOfWay(actions, (words, dice) => html`<span class="did">${words} ${dice && diceRow(dice, "small")}</span>`);

/** The doubtful dice, large, as the camera sees them. A tap on one asks for its value. @param {Page} ctx
 * @param {Pending} pending */
function doubtfulDice({ setup }, pending) {
  const dice = pending.dice.map((die, number) => ({ ...die, number })).filter(({ sure }) => !sure);
  if (!dice.length) return "";
  return html`<div class="doubtful">
    ${dice.slice(0, MOST_LARGE).map(({ value, box: [x0, y0, x1, y1], number }) => {
      const side = LARGE * Math.max(x1 - x0, y1 - y0);
      const part = [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side];
      return button(
        "",
        "watch-doubt",
        html`<svg viewBox="${part.join(" ")}" aria-hidden="true">
            <image href="${photoAddress(setup.base, pending.id)}" width="${pending.width}" height="${pending.height}" />
          </svg>
          <span>${value} ?</span>`,
        {
          arg: number,
          key: `doubt${number}`,
          label: t("Die {number}: {value}, doubtful", { number: number + 1, value }),
        },
      );
    })}
  </div>`;
}

/** What the camera's last conclusion did, while nothing has come after it. One tap takes it back. @param {Page} ctx */
function lastConclusion({ state }) {
  const { watched, version, last_move: move, came_with: others } = state;
  if (watched?.done !== version || !move) return "";
  const actions = [...others, move].flatMap((each) => (VERBS[each.action.do] ? [each.action] : []));
  return html`<p class="done">${actionLines(actions)}</p>
    ${button("quiet", "watch-undo", html`${icon("undo")} ${t("Take it back")}`)}`;
}

/** What the watching camera saw, and what may be done about it. @param {Page} ctx */
export function notice(ctx) {
  const { watched, pending } = ctx.state;
  if (!watched) return "";
  const ways = offeredWays(ctx.state);
  const may = mayActNow(ctx);
  const asked = watched.question || watched.refused;
  const own = pending?.source === "watch" ? pending : null;
  return html`<div class="notice watched" data-key="watched">
    <p class="state" role="status">${icon("look")} <span>${cameraWord(watched)}</span></p>
    ${button("quiet", "watch-picture", t("Picture"))} ${button("quiet", "large-buttons", t("Large buttons"))}
    ${asked && html`<p class="asked" role="alert"><strong>${refusalSentence(asked)}</strong></p>`}
    ${asked && own && may && doubtfulDice(ctx, own)} ${!(ways.length || asked) && lastConclusion(ctx)}
    ${ways.length > 0 &&
    may &&
    html`<div class="ways">
      ${button(
        `button ${watched.question ? "" : "primary"}`,
        "watch-choose",
        html`${watched.runs_s ? countdownRing(watched) : icon("check")}<span>${actionLines(ways[0])}</span>`,
        { arg: 0 },
      )}
      ${ways
        .slice(1)
        .map((way, i) => button("button", "watch-choose", actionLines(way), { arg: i + 1, key: `way${i}` }))}
      ${own && button("quiet", "review", t("Change the dice"))}
    </div>`}
    ${asked &&
    !ways.length &&
    may &&
    html`<div class="ways">
      ${own && button("button", "review", t("Look at it"))} ${button("button", "watch-again", t("Look again"))}
    </div>`}
  </div>`;
}

/** A ring that runs down until the throw is confirmed by itself. @param {WatchView} watched */
const countdownRing = (watched) =>
  html`<svg
    class="ring"
    data-key="ring-${watched.id}"
    viewBox="0 0 24 24"
    role="img"
    aria-label="${t("Is confirmed by itself; touch the screen to stop that")}"
  >
    <circle cx="12" cy="12" r="9" pathLength="1" />
  </svg>`;

/** The button beside "Photograph". @param {Page} ctx */
export function watchButton(ctx) {
  const { state } = ctx;
  // Of what is played on a pad nobody knows the rules: there is nothing to watch.
  if (!state.camera || !state.reader || state.watched || ctx.standing.pad) return "";
  return button("tool", "watch-start", t("Watch"), {
    sign: "live",
    label: t("Watch the dice with the server's camera"),
  });
}

/** @param {Page} ctx */
function openPicture(ctx) {
  if (!ctx.state.watched) return;
  const picture = new WatchedRegion(ctx);
  ctx.panel.open(picture);
  picture.begin();
}

/** What the camera sees now, and the corners of the region that counts: dragged, or moved with the arrow keys. */
class WatchedRegion {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.live = null;
    this.corners = ctx.state.watched?.region || WHOLE;
    /** @type {number | null} */
    this.dragged = null; // the corner that is being dragged
    this.ended = new AbortController(); // removes its listeners
  }

  begin() {
    this.placeCorners();
    this.live = new LivePicture(this.ctx.setup.base, "watch-live");
    const { signal } = this.ended;
    document.addEventListener("pointerdown", (event) => this.takeCorner(event), { signal });
    document.addEventListener("pointermove", (event) => this.dragCorner(event), { signal });
    for (const end of ["pointerup", "pointercancel"])
      document.addEventListener(end, () => this.leaveCorner(), { signal });
    document.addEventListener("keydown", (event) => this.nudgeCorner(event), { signal });
  }

  closed() {
    this.live?.close();
    this.ended.abort();
  }

  content() {
    const { watched } = this.ctx.state;
    return html`${panelHead(t("The camera watches"))}
      <div class="photo region">
        <img id="watch-live" alt="${t("What the camera sees now")}" />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0 0H1V1H0Z M${this.corners.join(" ")}Z" fill-rule="evenodd" />
        </svg>
        ${[0, 1, 2, 3].map(
          (i) =>
            html`<button
              type="button"
              class="corner c${i}"
              data-key="corner${i}"
              data-corner="${i}"
              aria-label="${t("Corner {number} of what counts; drag it or use the arrow keys", { number: i + 1 })}"
            ></button>`,
        )}
      </div>
      <p class="hint">${t("Drag the corners to where you throw; what lies outside does not count.")}</p>
      <p class="count" role="status">${watched && cameraWord(watched)}</p>
      ${checkbox(t("Confirm by itself what is certain, after 3 seconds"), {
        "data-act": "watch-by-itself",
        checked: watched?.by_itself,
      })}
      <div class="row end">
        ${button("button", "watch-again", t("Look again"))} ${button("button", "watch-stop", t("Stop watching"))}
      </div>`;
  }

  /** Shows the region of a new state, unless a corner is being dragged; closes once nothing watches. */
  update() {
    const { watched } = this.ctx.state;
    if (!watched) {
      this.ctx.panel.close();
      return;
    }
    if (this.dragged !== null) return;
    this.corners = watched.region || WHOLE;
    this.redraw();
  }

  redraw() {
    this.ctx.panel.draw();
    this.placeCorners();
    this.live?.show();
  }

  /** Puts the corners in their places: through the script, since the page takes no styles from elsewhere. */
  placeCorners() {
    for (const corner of this.ctx.panel.place.querySelectorAll("[data-corner]")) {
      const i = 2 * Number(corner.dataset.corner);
      corner.style.left = `${100 * this.corners[i]}%`;
      corner.style.top = `${100 * this.corners[i + 1]}%`;
    }
  }

  /** @param {PointerEvent} event */
  takeCorner(event) {
    const corner = cornerOf(event);
    if (!corner) return;
    event.preventDefault();
    corner.focus();
    this.dragged = Number(corner.dataset.corner);
  }

  /** @param {PointerEvent} event */
  dragCorner({ clientX, clientY }) {
    if (this.dragged === null) return;
    const box = document.getElementById("watch-live").getBoundingClientRect();
    this.moveCorner(this.dragged, (clientX - box.left) / box.width, (clientY - box.top) / box.height);
  }

  leaveCorner() {
    if (this.dragged === null) return;
    this.dragged = null;
    this.send();
  }

  /** @param {KeyboardEvent} event */
  nudgeCorner(event) {
    const corner = cornerOf(event);
    if (!corner || !KEYS[event.key]) return;
    event.preventDefault();
    const [i, [x, y]] = [Number(corner.dataset.corner), KEYS[event.key]];
    this.moveCorner(i, this.corners[2 * i] + x, this.corners[2 * i + 1] + y);
    this.send();
  }

  /** @param {number} i @param {number} x @param {number} y */
  moveCorner(i, x, y) {
    this.corners = cornersAfter(this.corners, i, x, y);
    this.redraw();
  }

  send() {
    const { ctx } = this;
    const region = regionOf(this.corners);
    const byItself = ctx.state.watched?.by_itself;
    return ctx.command("watch", { on: true, by_itself: byItself, region });
  }
}

/** @type {(event: Event) => HTMLElement | null} */
const cornerOf = (event) => targetOf(event).closest("[data-corner]");

/** The corners once corner `i` stands at x, y: within the picture.
 * @param {number[]} corners @param {number} i @param {number} x @param {number} y */
export function cornersAfter(corners, i, x, y) {
  const within = (/** @type {number} */ value) => Math.min(1, Math.max(0, value));
  return corners.map((old, k) => (k === 2 * i ? within(x) : k === 2 * i + 1 ? within(y) : old));
}

/** The region of these corners, rounded to thousandths of the picture; null for the whole picture.
 * @param {number[]} corners */
export const regionOf = (corners) =>
  corners.every((value, k) => value === WHOLE[k]) ? null : corners.map((value) => Math.round(value * 1000) / 1000);

/** Any touch stops what would be confirmed by itself; a touch on the button confirms it. @param {Page} ctx */
export function stopAtTouch(ctx) {
  document.addEventListener(
    "pointerdown",
    (event) => {
      const { watched } = ctx.state;
      if (!watched || !watched.runs_s || targetOf(event).closest('[data-act="watch-choose"]')) return;
      hold(ctx, watched.id);
    },
    { capture: true },
  );
}

/** Stops what would be confirmed by itself. @param {Page} ctx @param {string | null} [id]  of the proposal */
export const hold = (ctx, id) =>
  ctx
    .table()
    .command("watch/hold", { id: id ?? "" })
    .catch(() => {}); // it may have been done meanwhile

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  "watch-start": async () => {
    if (await ctx.panel.unlessLeft(ctx.command("watch", { on: true }))) openPicture(ctx);
  },
  "watch-stop": () => ctx.command("watch", { on: false }),
  "watch-again": () => ctx.command("watch/again", {}),
  "watch-by-itself": () => {
    const { by_itself: byItself, region } = ctx.state.watched ?? {};
    return ctx.command("watch", { on: true, by_itself: !byItself, region });
  },
  "watch-picture": () => openPicture(ctx),
  "watch-doubt": (number) => ctx.openReview(number),
  "watch-undo": () => ctx.attempt(() => ctx.table().change("undo", ctx.state.version, {})),
  "watch-choose": (way) => {
    const { version, watched } = ctx.state;
    return ctx.attempt(() => ctx.table().change("watch/choose", version, { id: watched?.id, way }));
  },
});

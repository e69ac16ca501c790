// The server's camera watches the table: what it makes of the hands, what a tap does, and its small live picture.

import { row } from "../shared/dice.js";
import { html, where } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { Live, word } from "../shared/live.js";
import * as panel from "../dialogs/panel.js";
import * as review from "../dialogs/review.js";
import { mayActNow } from "../shared/sentences.js";
import { sentence, t } from "../shared/text.js";

const MOST_OTHERS = 4; // other ways that are offered
const MOST_LARGE = 3; // doubtful dice that are shown large
const LARGE = 1.7; // of a die's side: what is shown of it

const WHOLE = [0, 0, 1, 0, 1, 1, 0, 1]; // the corners of the whole picture, around it
const NUDGE = 0.02; // of the picture, with an arrow key
const KEYS = { ArrowLeft: [-NUDGE, 0], ArrowRight: [NUDGE, 0], ArrowUp: [0, -NUDGE], ArrowDown: [0, NUDGE] };

// While the live picture is open: the picture, the corners of the region, and which of them is being dragged.
let open_ = null;

/** Whether the throw under review is the one that the watching camera tells. */
export const shows = ({ watched, pending }) =>
  Boolean(watched && pending && pending.source === "watch" && watched.ways && watched.ways.length);

const VERBS = {
  "set-aside": (action) => html`<span class="did">${t("Set aside:")} ${row(action.dice, "small")}</span>`,
  keep: (action) =>
    action.dice.length ? html`<span class="did">${t("Kept:")} ${row(action.dice, "small")}</span>` : "",
  throw: (action) => html`<span class="did">${t("Thrown:")} ${row(action.dice, "small")}</span>`,
  bank: () => html`<span class="did">${t("Bank the points")}</span>`,
};

const described = (actions) => actions.map((action) => VERBS[action.do](action));

/**
 * The dice that were not sure, as the camera sees them, large: a tap on one tells what it shows.
 * @param {Page} ctx
 */
function doubtful({ setup }, pending) {
  const dice = pending.dice.map((die, number) => ({ ...die, number })).filter(({ sure }) => !sure);
  if (!dice.length) return "";
  return html`<div class="doubtful">
    ${dice.slice(0, MOST_LARGE).map(({ value, box: [x0, y0, x1, y1], number }) => {
      const side = LARGE * Math.max(x1 - x0, y1 - y0);
      const part = [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side];
      return html`<button
        type="button"
        data-key="doubt${number}"
        data-act="watch-doubt"
        data-arg="${number}"
        aria-label="${t("Die {number}: {value}, doubtful", { number: number + 1, value })}"
      >
        <svg viewBox="${part.join(" ")}" aria-hidden="true">
          <image href="${setup.base}/readings/${pending.id}.jpg" width="${pending.width}" height="${pending.height}" />
        </svg>
        <span>${value} ?</span>
      </button>`;
    })}
  </div>`;
}

/**
 * What the camera's last conclusion did, as long as nothing came after it: one tap takes it back.
 * @param {Page} ctx
 */
function done({ state }) {
  const { watched, version, last_move: move, came_with: before } = state;
  if (watched.done !== version || !move) return "";
  const actions = [before, move].filter((each) => each && VERBS[each.action.do]).map(({ action }) => action);
  return html`<p class="done">${described(actions)}</p>
    <button type="button" class="quiet" data-act="watch-undo">${icon("undo")} ${t("Take it back")}</button>`;
}

/**
 * What the watching camera saw, with what may be done about it.
 * @param {Page} ctx
 */
export function notice(ctx) {
  const { watched, pending } = ctx.state;
  if (!watched) return "";
  const ways = watched.ways || [];
  const may = mayActNow(ctx);
  const asked = watched.question || watched.refused;
  return html`<div class="notice watched" data-key="watched">
    <p class="state" role="status">${icon("look")} <span>${word(watched)}</span></p>
    <button type="button" class="quiet" data-act="watch-picture">${t("Picture")}</button>
    ${asked ? html`<p class="asked" role="alert"><strong>${sentence(asked)}</strong></p>` : ""}
    ${asked && pending && pending.source === "watch" && may ? doubtful(ctx, pending) : ""}
    ${ways.length || asked ? "" : done(ctx)}
    ${ways.length && may
      ? html`<div class="ways">
          <button
            type="button"
            class="button ${watched.question ? "" : "primary"}"
            data-act="watch-choose"
            data-arg="0"
          >
            ${watched.runs_s ? ring(watched) : icon("check")}<span>${described(ways[0])}</span>
          </button>
          ${ways
            .slice(1, 1 + MOST_OTHERS)
            .map(
              (way, i) =>
                html`<button
                  type="button"
                  class="button"
                  data-key="way${i}"
                  data-act="watch-choose"
                  data-arg="${i + 1}"
                >
                  ${described(way)}
                </button>`,
            )}
          ${pending && pending.source === "watch"
            ? html`<button type="button" class="quiet" data-act="review">${t("Change the dice")}</button>`
            : ""}
        </div>`
      : ""}
    ${asked && !ways.length && may
      ? html`<div class="ways">
          ${pending && pending.source === "watch"
            ? html`<button type="button" class="button" data-act="review">${t("Look at it")}</button>`
            : ""} <button type="button" class="button" data-act="watch-again">${t("Look again")}</button>
        </div>`
      : ""}
  </div>`;
}

/** It runs down until the throw is confirmed by itself. */
const ring = (watched) =>
  html`<svg
    class="ring"
    data-key="ring-${watched.id}"
    viewBox="0 0 24 24"
    role="img"
    aria-label="${t("Is confirmed by itself; touch the screen to stop that")}"
  >
    <circle cx="12" cy="12" r="9" pathLength="1" />
  </svg>`;

/**
 * The button beside "Photograph".
 * @param {Page} ctx
 */
export function tool(ctx) {
  const { state } = ctx;
  if (!state.camera || !state.reader || state.watched) return "";
  return html`<button
    type="button"
    class="tool"
    data-act="watch-start"
    aria-label="${t("Watch the dice with the server's camera")}"
  >
    ${icon("live")}<span>${t("Watch")}</span>
  </button>`;
}

/** @param {Page} ctx */
function content(ctx) {
  const { watched } = ctx.state;
  return html`${panel.head(t("The camera watches"))}
    <div class="photo region">
      <img id="watch-live" alt="${t("What the camera sees now")}" />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 0H1V1H0Z M${open_.corners.join(" ")}Z" fill-rule="evenodd" />
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
    <p class="count" role="status">${word(watched)}</p>
    <label class="check"
      ><input type="checkbox" data-act="watch-by-itself" ${watched.by_itself ? html`checked` : ""} />
      <span>${t("Confirm by itself what is certain, after 3 seconds")}</span></label
    >
    <div class="row end">
      <button type="button" class="button" data-act="watch-again">${t("Look again")}</button>
      <button type="button" class="button" data-act="watch-stop">${t("Stop watching")}</button>
    </div>`;
}

/** @param {Page} ctx */
function openPicture(ctx) {
  if (!ctx.state.watched) return;
  closePicture();
  const mine = { live: null, corners: ctx.state.watched.region || WHOLE, dragged: null };
  open_ = mine;
  panel.open(content(ctx), {
    closed: () => {
      if (open_ === mine) closePicture();
    },
  });
  placeCorners();
  mine.live = new Live(ctx.setup.base, "watch-live");
}

function closePicture() {
  if (!open_) return;
  open_.live?.close();
  open_ = null;
}

/**
 * After a new state: what is open shows it, or closes once nothing watches.
 * @param {Page} ctx
 */
export function heard(ctx) {
  if (!open_) return;
  if (!ctx.state.watched) {
    panel.close();
    return;
  }
  if (open_.dragged !== null) return;
  open_.corners = ctx.state.watched.region || WHOLE;
  redraw(ctx);
}

/** @param {Page} ctx */
function redraw(ctx) {
  panel.draw(content(ctx));
  placeCorners();
  open_.live?.show();
}

/** Where the corners stand: through the script, since the page takes no styles from elsewhere. */
function placeCorners() {
  /** @type {NodeListOf<HTMLElement>} */
  const corners = panel.place.querySelectorAll("[data-corner]");
  for (const corner of corners) {
    const i = 2 * Number(corner.dataset.corner);
    corner.style.left = `${100 * open_.corners[i]}%`;
    corner.style.top = `${100 * open_.corners[i + 1]}%`;
  }
}

/**
 * Has a corner stand elsewhere, within the picture.
 * @param {Page} ctx
 */
function moveCorner(ctx, i, x, y) {
  const within = (value) => Math.min(1, Math.max(0, value));
  open_.corners = open_.corners.map((old, k) => (k === 2 * i ? within(x) : k === 2 * i + 1 ? within(y) : old));
  redraw(ctx);
}

/** @param {Page} ctx */
const sendCorners = (ctx) => {
  const { corners } = open_;
  const region = corners.every((value, k) => value === WHOLE[k])
    ? null
    : corners.map((value) => Math.round(value * 1000) / 1000);
  return ctx.tried(() => ctx.table().tellCamera("watch", { on: true, by_itself: ctx.state.watched.by_itself, region }));
};

/**
 * The corners of what counts are dragged, or moved with the arrow keys.
 * @param {Page} ctx
 */
export function listenToCorners(ctx) {
  /** @type {(event: Event) => HTMLElement | null} */
  const cornerOf = (event) => (open_ ? where(event).closest("[data-corner]") : null);
  document.addEventListener("pointerdown", (event) => {
    const corner = cornerOf(event);
    if (!corner) return;
    event.preventDefault();
    corner.focus();
    open_.dragged = Number(corner.dataset.corner);
  });
  document.addEventListener("pointermove", (event) => {
    if (!open_ || open_.dragged === null) return;
    const box = document.getElementById("watch-live").getBoundingClientRect();
    moveCorner(ctx, open_.dragged, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      if (!open_ || open_.dragged === null) return;
      open_.dragged = null;
      sendCorners(ctx);
    });
  }
  document.addEventListener("keydown", (event) => {
    const corner = cornerOf(event);
    if (!corner || !KEYS[event.key]) return;
    event.preventDefault();
    const [i, [x, y]] = [Number(corner.dataset.corner), KEYS[event.key]];
    moveCorner(ctx, i, open_.corners[2 * i] + x, open_.corners[2 * i + 1] + y);
    sendCorners(ctx);
  });
}

/**
 * Any touch stops what would be confirmed by itself; one on the button itself confirms it.
 * @param {Page} ctx
 */
export function stopAtTouch(ctx) {
  document.addEventListener(
    "pointerdown",
    (event) => {
      const { watched } = ctx.state;
      if (!watched || !watched.runs_s || where(event).closest('[data-act="watch-choose"]')) return;
      ctx
        .table()
        .tellCamera("watch/hold", { id: watched.id })
        .catch(() => {}); // it may have been done meanwhile
    },
    { capture: true },
  );
}

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => ({
  "watch-start": async () => {
    if (await ctx.tried(() => ctx.table().tellCamera("watch", { on: true }))) openPicture(ctx);
  },
  "watch-stop": async () => {
    await ctx.tried(() => ctx.table().tellCamera("watch", { on: false }));
  },
  "watch-again": () => ctx.tried(() => ctx.table().tellCamera("watch/again", {})),
  "watch-by-itself": () =>
    ctx.tried(() =>
      ctx
        .table()
        .tellCamera("watch", { on: true, by_itself: !ctx.state.watched.by_itself, region: ctx.state.watched.region }),
    ),
  "watch-picture": () => openPicture(ctx),
  "watch-doubt": (number) => review.open(ctx, number),
  "watch-undo": () => ctx.tried(() => ctx.table().undo(ctx.state.version)),
  "watch-choose": (way) => {
    const { version, watched } = ctx.state;
    return ctx.tried(() => ctx.table().choose(version, watched.id, way));
  },
});

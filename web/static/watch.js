// The server's camera watches the table: what it makes of the hands, what a tap does, and its small live picture.

import { row } from "./dice.js";
import { html } from "./dom.js";
import { icon } from "./icons.js";
import * as panel from "./panel.js";
import { sentence, t } from "./text.js";

const PICTURE_MS = 250; // from one small picture to the next
const MOST_OTHERS = 4; // other ways that are offered

let open_ = null; // while the live picture is open: its timer, the number of the newest picture, and its address

/** Whether the throw under review is the one that the watching camera tells. */
export const shows = ({ watched, pending }) => Boolean(watched && pending && pending.source === "watch" && watched.ways && watched.ways.length);

/** One word, or a sentence, of what the camera is at. */
function word(watched) {
  if (watched.state === "trouble") return sentence(watched.problem);
  if (watched.state === "blind") {
    return { dark: t("It is too dark to see the dice."), blurred: t("The picture is out of focus."), moved: t("The camera moves.") }[watched.reason] || t("Nothing can be seen.");
  }
  return { looking: t("Looking …"), moving: t("Something moves"), clear: t("No dice"), put: t("Dice were put aside"), throw: t("A throw"), over: t("The game is over") }[watched.state] || t("The dice lie still");
}

const VERBS = {
  "set-aside": (action) => html`<span class="did">${t("Set aside:")} ${row(action.dice, "small")}</span>`,
  keep: (action) => (action.dice.length ? html`<span class="did">${t("Kept:")} ${row(action.dice, "small")}</span>` : ""),
  throw: (action) => html`<span class="did">${t("Thrown:")} ${row(action.dice, "small")}</span>`,
  bank: () => html`<span class="did">${t("Bank the points")}</span>`,
};

const described = (actions) => actions.map((action) => VERBS[action.do](action));

/** What the watching camera saw, with what may be done about it. */
export function notice(ctx) {
  const { watched, pending } = ctx.state;
  if (!watched) return "";
  const ways = watched.ways || [];
  const may = ctx.standing.to_act.some(ctx.mayAct);
  const asked = watched.question || watched.refused;
  return html`<div class="notice watched" data-key="watched">
    <p class="state" role="status">${icon("look")} <span>${word(watched)}</span></p>
    <button type="button" class="quiet" data-act="watch-picture">${t("Picture")}</button>
    ${asked ? html`<p class="asked" role="alert"><strong>${sentence(asked)}</strong></p>` : ""}
    ${ways.length && may ? html`<div class="ways">
      <button type="button" class="button ${watched.question ? "" : "primary"}" data-act="watch-choose" data-arg="0">${watched.runs_s ? ring(watched) : icon("check")}<span>${described(ways[0])}</span></button>
      ${ways.slice(1, 1 + MOST_OTHERS).map((way, i) => html`<button type="button" class="button" data-key="way${i}" data-act="watch-choose" data-arg="${i + 1}">${described(way)}</button>`)}
      ${pending && pending.source === "watch" ? html`<button type="button" class="quiet" data-act="review">${t("Change the dice")}</button>` : ""}
    </div>` : ""}
    ${asked && !ways.length && may ? html`<div class="ways">${pending && pending.source === "watch" ? html`<button type="button" class="button" data-act="review">${t("Look at it")}</button>` : ""}
      <button type="button" class="button" data-act="watch-again">${t("Look again")}</button></div>` : ""}
  </div>`;
}

/** It runs down until the throw is confirmed by itself. */
const ring = (watched) => html`<svg class="ring" data-key="ring-${watched.id}" viewBox="0 0 24 24" role="img" aria-label="${t("Is confirmed by itself; touch the screen to stop that")}"><circle cx="12" cy="12" r="9" pathLength="1"/></svg>`;

/** The button beside "Photograph". */
export function tool(ctx) {
  const { state } = ctx;
  if (!state.camera || !state.reader || state.watched) return "";
  return html`<button type="button" class="tool" data-act="watch-start" aria-label="${t("Watch the dice with the server's camera")}">${icon("live")}<span>${t("Watch")}</span></button>`;
}

function content(ctx) {
  const { watched } = ctx.state;
  return html`<header class="panel-head"><h2 tabindex="-1" autofocus>${t("The camera watches")}</h2><button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button></header>
    <div class="photo"><img id="watch-live" alt="${t("What the camera sees now")}"></div>
    <p class="count" role="status">${word(watched)}</p>
    <label class="check"><input type="checkbox" data-act="watch-by-itself" ${watched.by_itself ? html`checked` : ""}> <span>${t("Confirm by itself what is certain, after 3 seconds")}</span></label>
    <div class="row end">
      <button type="button" class="button" data-act="watch-again">${t("Look again")}</button>
      <button type="button" class="button" data-act="watch-stop">${t("Stop watching")}</button>
    </div>`;
}

function openPicture(ctx) {
  if (!ctx.state.watched) return;
  closePicture();
  const mine = { number: -1, address: null, timer: 0 };
  open_ = mine;
  panel.open(content(ctx), { closed: () => { if (open_ === mine) closePicture(); } });
  next(ctx, mine);
}

function closePicture() {
  if (!open_) return;
  clearTimeout(open_.timer);
  if (open_.address) URL.revokeObjectURL(open_.address);
  open_ = null;
}

/** Fetches the newest small picture, then waits; a page that nobody sees fetches none. */
async function next(ctx, mine) {
  try {
    const answer = document.hidden ? null : await fetch(`${ctx.setup.base}/watch.jpg?after=${mine.number}`);
    if (open_ !== mine) return;
    if (answer && answer.status === 200) {
      mine.number = Number(answer.headers.get("X-Picture"));
      const address = URL.createObjectURL(await answer.blob());
      const image = document.getElementById("watch-live");
      if (image) image.src = address;
      if (mine.address) URL.revokeObjectURL(mine.address);
      mine.address = address;
    }
  } catch {
    // the connection is gone: the page tells that, and the next try may do
  }
  if (open_ === mine) mine.timer = setTimeout(() => next(ctx, mine), PICTURE_MS);
}

/** After a new state: what is open shows it, or closes once nothing watches. */
export function heard(ctx) {
  if (!open_) return;
  if (!ctx.state.watched) {
    panel.close();
    return;
  }
  const { address } = open_;
  panel.draw(content(ctx));
  const image = document.getElementById("watch-live");
  if (image && address) image.src = address;
}

/** Any touch stops what would be confirmed by itself; one on the button itself confirms it. */
export function stopAtTouch(ctx) {
  document.addEventListener("pointerdown", (event) => {
    const { watched } = ctx.state;
    if (!watched || !watched.runs_s || event.target.closest('[data-act="watch-choose"]')) return;
    ctx.table().tellCamera("watch/hold", { id: watched.id }).catch(() => {}); // it may have been done meanwhile
  }, { capture: true });
}

export const handlers = (ctx) => ({
  "watch-start": async () => {
    if (await ctx.tried(() => ctx.table().tellCamera("watch", { on: true }))) openPicture(ctx);
  },
  "watch-stop": async () => {
    await ctx.tried(() => ctx.table().tellCamera("watch", { on: false }));
  },
  "watch-again": () => ctx.tried(() => ctx.table().tellCamera("watch/again", {})),
  "watch-by-itself": () => ctx.tried(() => ctx.table().tellCamera("watch", { on: true, by_itself: !ctx.state.watched.by_itself })),
  "watch-picture": () => openPicture(ctx),
  "watch-choose": (way) => {
    const { version, watched } = ctx.state;
    return ctx.tried(() => ctx.table().choose(version, watched.id, way));
  },
});

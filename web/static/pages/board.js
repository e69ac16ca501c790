// The big board: the same state, drawn to be read across the room, without anything to tap; and the printed sheet.

import { at } from "../shared/address.js";
import { ending, series } from "../shared/ending.js";
import { LargeMoments } from "../shared/moments.js";
import { closedNotice, damageNotice } from "../shared/table-notices.js";
import { html, render } from "../shared/dom.js";
import * as device from "../shared/device.js";
import { LivePicture } from "../shared/live.js";
import { TableClient } from "../shared/net.js";
import { loadTexts } from "../shared/text.js";
import { offlineNotice, whoWins } from "../shared/sentences.js";
import { sheetOf } from "../sheets/all.js";
import { Announcer } from "../shared/announcer.js";
import { embedded } from "../shared/json.js";
import { fit, isResting, ranks, stage } from "./stage.js";

const setup = embedded("setup");
const first = embedded("state");
await loadTexts(setup.language, ...setup.texts);

const root = document.getElementById("board");
const screenLock = new device.ScreenLock();
const local = { sheet: {} };
const printing = document.body.classList.contains("print");
/** @type {Context} */
const ctx = {
  setup,
  local,
  watches: true,
  printing,
  get state() {
    return table.state;
  },
  get standing() {
    return table.state.standing;
  },
  get offline() {
    return !table.isOnline;
  },
  playsFor: null,
  markedDice: () => null,
  mayAct: () => false,
  idle: "",
  draw,
  name: (player) => table.state.standing.players[player]?.name ?? "–",
};
const sheet = sheetOf(first.standing);
const table = printing ? { state: first, isOnline: true } : new TableClient(setup.base, first, draw, draw);

const announcer = new Announcer(ctx, sheet);
const moments = new LargeMoments(ctx, new device.Signals());
/** @type {LivePicture | null} */
let live = null; // the small picture of the watching camera

function draw() {
  const { standing } = ctx;
  // A board goes on to the next game by itself, but a board that was opened at an old game stays there.
  if (!printing && table.state.next && !first.next) location.replace(at(`/tables/${table.state.next}/board`));
  const over = standing.over && !printing;
  document.body.classList.toggle("ended", over);
  root.className = printing || over ? "" : `stage ${isResting(ctx) ? "resting" : ""}`;
  root.classList.toggle("crowd", standing.players.length > 6);
  root.classList.toggle("few", standing.players.length < 4);
  root.classList.toggle("pad", Boolean(standing.pad));
  render(
    root,
    printing
      ? paper(standing)
      : html`<div class="notices">${offlineNotice(ctx)} ${damageNotice(ctx)} ${closedNotice(ctx)}</div>
          ${over ? html`${ending(ctx, sheet)} ${series(ctx)}` : stage(ctx, sheet)}`,
  );
  if (printing) return;
  announcer.tell();
  moments.tell();
  updateLivePicture();
  fit(root);
  screenLock.keep(!standing.over);
}

/** The printed page: what is written, and who won. @param {Standing} standing */
const paper = (standing) =>
  html`${ranks(ctx, sheet)} ${standing.over && html`<h2 class="winner">${whoWins(ctx)}</h2>`}
    ${sheet.printedExtras && sheet.printedExtras(ctx)}
    <div class="sheets">${(sheet.paper || sheet.sheet)(ctx)}</div>`;

/** Begins and ends the live picture as the camera begins and ends to watch. */
function updateLivePicture() {
  const watched = Boolean(table.state.watched);
  if (live && !watched) {
    live.close();
    live = null;
  } else if (!live && watched) live = new LivePicture(setup.base, "board-live");
  live?.show();
}

addEventListener("resize", () => fit(root));

draw();
document.body.dataset.ready = "yes";

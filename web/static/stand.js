// A phone on a stand watches the dice: its frames stay on it; when something has moved and lies still again, one picture
// goes to the server as any photo does.

import * as camera from "./camera.js";
import { html } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./text.js";

const EVERY_MS = 100; // from one glance to the next
const SIDE = 160; // pixels of a glance's longer side
const STEP = 22; // of 255: a pixel that differs by more has changed
const MOVED = 0.003; // of a glance's pixels: fewer are noise
const ANOTHER = 0.01; // of a glance's pixels: a rest that differs less from the one that was sent is the same
const STILL_MS = 500;

// While this phone watches: its stream, the glance before and the one that was sent, and what it is at: "waiting" for
// something to move, "moving", or "still".
let eye = null;

export const watches = () => eye !== null;

/** Begins to watch. `due()`: whether a throw may be told now; `send(file)` has its picture read. */
export async function start(ctx, due, send) {
  const stream = await camera.stream(ctx);
  if (!stream) return;
  stop();
  const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: stream });
  const mine = { stream, video, due, send, state: "waiting", before: null, sent: null, calmSince: 0, timer: 0, small: document.createElement("canvas") };
  eye = mine;
  stream.getTracks().forEach((track) => track.addEventListener("ended", () => { if (eye === mine) { stop(); ctx.draw(); } }));
  await video.play().catch(() => {}); // the picture comes all the same once the page is shown
  if (eye === mine) look(ctx, mine);
  ctx.draw();
}

export function stop() {
  if (!eye) return;
  clearTimeout(eye.timer);
  eye.stream.getTracks().forEach((track) => track.stop());
  eye = null;
}

function look(ctx, mine) {
  const now = document.hidden ? null : glance(mine);
  if (now) {
    const state = stateAfter(mine, now, performance.now());
    mine.before = now;
    if (state !== mine.state) {
      mine.state = state;
      if (state === "still") rested(mine, now);
      ctx.draw();
    }
  }
  mine.timer = setTimeout(() => { if (eye === mine) look(ctx, mine); }, EVERY_MS);
}

/** The picture small and grey; null before there is one. */
function glance({ video, small }) {
  if (!video.videoWidth) return null;
  const scale = SIDE / Math.max(video.videoWidth, video.videoHeight);
  small.width = Math.round(video.videoWidth * scale);
  small.height = Math.round(video.videoHeight * scale);
  const paper = small.getContext("2d", { willReadFrequently: true });
  paper.drawImage(video, 0, 0, small.width, small.height);
  const { data } = paper.getImageData(0, 0, small.width, small.height);
  const grey = new Float32Array(data.length / 4);
  for (let i = 0; i < grey.length; i++) grey[i] = 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2];
  return grey;
}

/** How many of a glance's pixels look another way, 0..1, but for the light as a whole. */
export function difference(before, now) {
  if (before.length !== now.length) return 1;
  const mean = (grey) => grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const lighter = mean(now) - mean(before);
  let changed = 0;
  for (let i = 0; i < now.length; i++) if (Math.abs(now[i] - before[i] - lighter) > STEP) changed++;
  return changed / now.length;
}

/** What the phone is at after one more glance, at `at` milliseconds. */
function stateAfter(mine, now, at) {
  if (!mine.before) return mine.state;
  if (difference(mine.before, now) > MOVED) {
    mine.calmSince = at;
    return "moving";
  }
  return mine.state === "moving" && at - mine.calmSince >= STILL_MS ? "still" : mine.state;
}

/** Something came to rest: one picture of it travels, if a throw is due and this is not what was sent before. */
async function rested(mine, now) {
  if (!mine.due() || (mine.sent && difference(mine.sent, now) < ANOTHER)) return;
  mine.sent = now;
  const picture = await camera.picture(mine.video);
  if (picture && eye === mine && mine.due()) await mine.send(picture);
}

/** What this phone is at, on its own page. */
export function notice() {
  if (!eye) return "";
  const words = { waiting: t("Throw: this phone watches"), moving: t("Something moves"), still: t("The dice lie still") };
  return html`<div class="notice watched" data-key="stand"><p class="state" role="status">${icon("live")} <span>${words[eye.state]}</span></p>
    <button type="button" class="quiet" data-act="stand-stop">${t("Stop watching")}</button></div>`;
}

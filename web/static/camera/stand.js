// A phone on a stand watches the dice: its frames stay on it; when something has moved and lies still again, one
// picture goes to the server as any photo does.

import * as camera from "./phone-camera.js";
import { element, html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { boxes, lying, moving, tooDark } from "../shared/live.js";
import { t } from "../shared/text.js";

const EVERY_MS = 100; // from one glance to the next
const SIDE = 160; // pixels of a glance's longer side
const STEP = 22; // of 255: a pixel that differs by more has changed
const MOVED = 0.003; // of a glance's pixels: fewer are noise
const ANOTHER = 0.01; // of a glance's pixels: a rest that differs less from the one that was sent is the same
const STILL_MS = 500;
const HAND = 0.03; // of a glance's pixels: what reaches in over the edge, and was not there at the last rest
const HAND_STILL_MS = 1200; // a hand may pause
const DARK = 28; // of 255: the mean of the lighter half

// While this phone watches: its stream, the glance before, the one at the last rest and the one that was sent, and what
// it is at: "waiting" for something to move, "moving" or "still"; `hand`: whether one is in the picture; `slept`:
// whether the page was hidden since the last glance.
let eye = null;

document.addEventListener("visibilitychange", () => {
  if (eye && document.hidden) eye.slept = true; // before a phone sleeps no timer may run any more
});

export const watches = () => eye !== null;

/** Begins to watch. `due()`: whether a throw may be told now; `send(file)` has its picture read. */
export async function start(ctx, due, send) {
  const stream = await camera.stream(ctx);
  if (!stream) return;
  stop();
  const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: stream });
  const mine = {
    stream,
    video,
    due,
    send,
    state: "waiting",
    hand: false,
    dark: false,
    slept: false,
    before: null,
    rest: null,
    sent: null,
    calmSince: 0,
    timer: 0,
    small: document.createElement("canvas"),
  };
  eye = mine;
  stream.getTracks().forEach((track) =>
    track.addEventListener("ended", () => {
      if (eye === mine) {
        stop();
        ctx.toast(t("This phone's camera has stopped. Take a photo, or watch again."));
        ctx.draw();
      }
    }),
  );
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
    if (mine.slept) ctx.toast(t("This phone was asleep. It watches again."));
    mine.slept = false;
    const before = [mine.state, mine.hand, mine.dark];
    mine.dark = light(now) < DARK;
    mine.rest ??= mine.dark ? null : now;
    const moved = mine.before !== null && difference(mine.before, now) > MOVED;
    if (moved && mine.rest) mine.hand = reaching(mine.rest, now, mine.small.width) > HAND;
    mine.state = stateAfter(mine, moved, performance.now());
    mine.before = now;
    if (mine.state === "still" && before[0] !== "still") {
      mine.rest = now;
      rested(mine, now);
    }
    if ([mine.state, mine.hand, mine.dark].some((each, i) => each !== before[i])) ctx.draw();
  }
  mine.timer = setTimeout(() => {
    if (eye === mine) look(ctx, mine);
  }, EVERY_MS);
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

/**
 * How much of a glance, `width` pixels wide, shows what was not there before and reaches in over the picture's edge,
 * 0..1: a hand with its arm.
 */
export function reaching(before, now, width) {
  if (before.length !== now.length) return 0;
  const left = solid(changes(before, now), width);
  const waiting = [];
  let found = 0;
  const take = (place) => {
    if (!left[place]) return;
    left[place] = 0;
    waiting.push(place);
    found++;
  };
  const last = now.length - width;
  for (let x = 0; x < width; x++) [x, last + x].forEach(take);
  for (let y = 0; y <= last; y += width) [y, y + width - 1].forEach(take);
  while (waiting.length) {
    const place = waiting.pop();
    if (place % width) take(place - 1);
    if ((place + 1) % width) take(place + 1);
    take(place - width);
    take(place + width);
  }
  return found / now.length;
}

/** Those pixels of `changed` whose neighbours have changed too: edges of a picture that was nudged are thinner. */
const solid = (changed, width) =>
  changed.map((one, i) => {
    const [x, above, below] = [i % width, i - width, i + width];
    const beside = (x === 0 || changed[i - 1]) && (x === width - 1 || changed[i + 1]);
    return one && beside && (above < 0 || changed[above]) && (below >= changed.length || changed[below]) ? 1 : 0;
  });

/** Which pixels of a glance look another way (1), but for what most of them became lighter. */
function changes(before, now) {
  const apart = now.map((value, i) => value - before[i]);
  const lighter = apart.slice().sort()[apart.length >> 1];
  return Uint8Array.from(apart, (value) => (Math.abs(value - lighter) > STEP ? 1 : 0));
}

/** How light a glance is, of 255: the mean of its lighter half. */
export function light(grey) {
  const lighter = grey
    .slice()
    .sort()
    .subarray(grey.length >> 1);
  return lighter.reduce((sum, value) => sum + value, 0) / lighter.length;
}

/** What the phone is at after a glance, at `at` milliseconds; `moved`: whether it differs from the one before. */
function stateAfter(mine, moved, at) {
  if (mine.dark || moved) {
    mine.calmSince = at;
    return mine.dark && mine.state === "waiting" ? "waiting" : "moving"; // a camera's first pictures may be black
  }
  const calm = mine.hand ? HAND_STILL_MS : STILL_MS;
  return mine.state === "moving" && at - mine.calmSince >= calm ? "still" : mine.state;
}

/** Something came to rest: one picture of it travels, if a throw is due and this is not what was sent before. */
async function rested(mine, now) {
  if (!mine.due() || (mine.sent && difference(mine.sent, now) < ANOTHER)) return;
  mine.sent = now;
  const picture = await camera.picture(mine.video);
  if (picture && eye === mine && mine.due()) await mine.send(picture);
}

/** The photo of what lies there, as this phone sent it and as long as it is under review; else null. */
function underReview({ state, setup }) {
  const { pending } = state;
  const own = pending && pending.source === "stand" && pending.device === setup.device;
  return own && eye.state === "still" ? pending : null;
}

/** One word of what this phone is at. */
function word(read) {
  if (eye.dark) return tooDark();
  if (eye.state === "moving") return moving(eye.hand);
  if (eye.state === "waiting") return t("Throw: this phone watches");
  if (!read || read.status === "failed") return t("The dice lie still");
  return read.status === "read" ? lying(read.dice.length + read.aside.length) : t("Reading the dice …");
}

/**
 * What this phone's camera sees and what it is at, on its own page: the picture never leaves it.
 * @param {Page} ctx
 */
export function notice(ctx) {
  if (!eye) return "";
  const read = underReview(ctx);
  return html`<div class="notice watched" data-key="stand">
    <div class="stand-view" data-key="stand-view">
      <video id="stand-live" playsinline autoplay muted aria-label="${t("What the camera sees now")}"></video>
      ${read && read.status === "read"
        ? html`<svg viewBox="0 0 ${read.width} ${read.height}" preserveAspectRatio="none" aria-hidden="true">
            ${boxes(read)}
          </svg>`
        : ""}
    </div>
    <p class="state" role="status">${icon("live")} <span>${word(read)}</span></p>
    <button type="button" class="quiet" data-act="stand-stop">${t("Stop watching")}</button>
  </div>`;
}

/** After the page was drawn: what the camera sees goes into its live picture. */
export function drawn() {
  if (!eye || !document.getElementById("stand-live")) return;
  const live = element("stand-live", HTMLVideoElement);
  if (live.srcObject === eye.stream) return;
  live.muted = true;
  live.srcObject = eye.stream;
  live.play().catch(() => {}); // it is shown all the same once the page is
}

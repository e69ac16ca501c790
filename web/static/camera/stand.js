// A phone on a stand watches the dice. Its frames stay on it: when something moved and lies still again, it sends one
// picture to the server as any photo.

import * as camera from "./phone-camera.js";
import { element, html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { diceBoxes, diceCount, motionWord, tooDark } from "../shared/live.js";
import { t } from "../shared/text.js";

const EVERY_MS = 100; // from one glance to the next
const SIDE = 160; // pixels of a glance's longer side
const STEP = 22; // of 255: a pixel that differs by more has changed
const MOVED = 0.003; // of a glance's pixels: fewer are noise
const ANOTHER = 0.01; // of a glance's pixels: a rest that differs by fewer from the sent one is the same rest
const STILL_MS = 500;
const HAND = 0.03; // of a glance's pixels: a new part of this size that reaches in over the edge is a hand
const HAND_STILL_MS = 1200; // a hand may pause
const DARK = 28; // of 255: the mean of the lighter half

/** This phone on a stand: it watches from `start` to `stop`, or until its camera ends. */
export class Stand {
  /**
   * @param {Page} ctx
   * @param {() => boolean} mayRead  whether a throw may be told now
   * @param {(picture: Blob) => Promise<void>} send  has a picture read
   */
  constructor(ctx, mayRead, send) {
    this.ctx = ctx;
    this.mayRead = mayRead;
    this.send = send;
    /** @type {Watching | null} */
    this.watching = null;
    document.addEventListener("visibilitychange", () => {
      if (this.watching && document.hidden) this.watching.slept = true; // a phone that sleeps runs no timer
    });
  }

  watches() {
    return this.watching !== null;
  }

  async start() {
    const { ctx } = this;
    const stream = await camera.stream(ctx);
    if (!stream) return;
    this.stop();
    const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: stream });
    const watching = new Watching(stream, video);
    this.watching = watching;
    stream.getTracks().forEach((track) =>
      track.addEventListener("ended", () => {
        if (this.watching !== watching) return;
        this.stop();
        ctx.toast(t("This phone's camera has stopped. Take a photo, or watch again."));
        ctx.draw();
      }),
    );
    await video.play().catch(() => {}); // the picture comes all the same once the page is shown
    if (this.watching === watching) this.look(watching);
    ctx.draw();
  }

  stop() {
    if (!this.watching) return;
    clearTimeout(this.watching.timer);
    this.watching.stream.getTracks().forEach((track) => track.stop());
    this.watching = null;
  }

  /** Takes one glance, and the next one a moment later. */
  look(watching) {
    const now = document.hidden ? null : watching.glance();
    if (now) {
      if (watching.slept) this.ctx.toast(t("This phone was asleep. It watches again."));
      watching.slept = false;
      const { state, hand, dark } = watching;
      const rested = watching.take(now, performance.now());
      if (rested) this.sendPicture(watching, now);
      if (watching.state !== state || watching.hand !== hand || watching.dark !== dark) this.ctx.draw();
    }
    watching.timer = setTimeout(() => {
      if (this.watching === watching) this.look(watching);
    }, EVERY_MS);
  }

  /** Sends one picture of what came to rest, if a throw is due and this is not what was sent before. */
  async sendPicture(watching, now) {
    if (!this.mayRead() || (watching.sent && difference(watching.sent, now) < ANOTHER)) return;
    watching.sent = now;
    const picture = await camera.picture(watching.video);
    if (picture && this.watching === watching && this.mayRead()) await this.send(picture);
  }

  /** The photo that this phone sent, while it is under review and the dice still lie there; else null. */
  photoUnderReview() {
    const { state, setup } = this.ctx;
    const { pending } = state;
    const own = pending && pending.source === "stand" && pending.device === setup.device;
    return own && this.watching.state === "still" ? pending : null;
  }

  /** What this phone's camera sees and finds, on its own page: the picture never leaves it. */
  notice() {
    if (!this.watching) return "";
    const photo = this.photoUnderReview();
    return html`<div class="notice watched" data-key="stand">
      <div class="stand-view" data-key="stand-view">
        <video id="stand-live" playsinline autoplay muted aria-label="${t("What the camera sees now")}"></video>
        ${photo && photo.status === "read"
          ? html`<svg viewBox="0 0 ${photo.width} ${photo.height}" preserveAspectRatio="none" aria-hidden="true">
              ${diceBoxes(photo)}
            </svg>`
          : ""}
      </div>
      <p class="state" role="status">${icon("live")} <span>${this.watching.words(photo)}</span></p>
      <button type="button" class="quiet" data-act="stand-stop">${t("Stop watching")}</button>
    </div>`;
  }

  /** Puts what the camera sees into the live picture that was drawn. */
  showLive() {
    if (!this.watching || !document.getElementById("stand-live")) return;
    const live = element("stand-live", HTMLVideoElement);
    if (live.srcObject === this.watching.stream) return;
    live.muted = true;
    live.srcObject = this.watching.stream;
    live.play().catch(() => {}); // it is shown all the same once the page is
  }
}

/** What the phone has seen since it began to watch: "waiting" for something to move, "moving" or "still". */
export class Watching {
  /**
   * @param {MediaStream} stream
   * @param {HTMLVideoElement} video
   */
  constructor(stream, video) {
    this.stream = stream;
    this.video = video;
    /** @type {"waiting" | "moving" | "still"} */
    this.state = "waiting";
    this.hand = false; // whether one is in the picture
    this.dark = false;
    this.slept = false; // whether the page was hidden since the last glance
    this.before = null; // the last glance
    this.rest = null; // the glance at the last rest
    this.sent = null; // the glance of the picture that was sent
    this.calmSince = 0; // in milliseconds
    this.timer = 0;
    this.canvas = null;
    this.width = 0; // of a glance, in pixels
  }

  /** The present frame as small grey pixels, 0..255; null before the camera has one. */
  glance() {
    const { videoWidth, videoHeight } = this.video;
    if (!videoWidth) return null;
    const canvas = (this.canvas ??= document.createElement("canvas"));
    const scale = SIDE / Math.max(videoWidth, videoHeight);
    canvas.width = this.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    const paper = canvas.getContext("2d", { willReadFrequently: true });
    paper.drawImage(this.video, 0, 0, canvas.width, canvas.height);
    return grey(paper.getImageData(0, 0, canvas.width, canvas.height).data);
  }

  /**
   * Takes a glance into account, at `at` milliseconds. Returns whether something has just come to rest.
   * @param {Float32Array} now
   * @param {number} at
   */
  take(now, at) {
    const before = this.state;
    this.dark = brightness(now) < DARK;
    this.rest ??= this.dark ? null : now;
    const moved = this.before !== null && difference(this.before, now) > MOVED;
    if (moved && this.rest) this.hand = reachingPart(this.rest, now, this.width) > HAND;
    this.state = this.stateAfter(moved, at);
    this.before = now;
    if (this.state !== "still" || before === "still") return false;
    this.rest = now;
    return true;
  }

  /** `moved`: whether the glance at `at` milliseconds differs from the one before. */
  stateAfter(moved, at) {
    if (this.dark || moved) {
      this.calmSince = at;
      return this.dark && this.state === "waiting" ? "waiting" : "moving"; // a camera's first pictures may be black
    }
    const calm = this.hand ? HAND_STILL_MS : STILL_MS;
    return this.state === "moving" && at - this.calmSince >= calm ? "still" : this.state;
  }

  /** What the phone sees, in a few words. `photo`: its photo under review, or null. */
  words(photo) {
    if (this.dark) return tooDark();
    if (this.state === "moving") return motionWord(this.hand);
    if (this.state === "waiting") return t("Throw: this phone watches");
    if (!photo || photo.status === "failed") return t("The dice lie still");
    return photo.status === "read" ? diceCount(photo.dice.length + photo.aside.length) : t("Reading the dice …");
  }
}

/** The grey values of pixels in red, green, blue and alpha. */
export function grey(data) {
  const pixels = new Float32Array(data.length / 4);
  for (let i = 0; i < pixels.length; i++)
    pixels[i] = 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2];
  return pixels;
}

/** The share of a glance's pixels that changed, 0..1; a change of the whole light does not count. */
export function difference(before, now) {
  if (before.length !== now.length) return 1;
  const mean = (grey) => grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const lighter = mean(now) - mean(before);
  let changed = 0;
  for (let i = 0; i < now.length; i++) if (Math.abs(now[i] - before[i] - lighter) > STEP) changed++;
  return changed / now.length;
}

/**
 * The share of a glance, 0..1, that is new and reaches in over the picture's edge: a hand with its arm. `width`: of the
 * glance, in pixels.
 */
export function reachingPart(before, now, width) {
  if (before.length !== now.length) return 0;
  const left = withoutThinEdges(changedPixels(before, now), width);
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

/** The changed pixels whose neighbours changed too: the edges in a picture that was nudged are thinner. */
const withoutThinEdges = (changed, width) =>
  changed.map((one, i) => {
    const [x, above, below] = [i % width, i - width, i + width];
    const beside = (x === 0 || changed[i - 1]) && (x === width - 1 || changed[i + 1]);
    return one && beside && (above < 0 || changed[above]) && (below >= changed.length || changed[below]) ? 1 : 0;
  });

/** Which pixels of a glance changed (1), apart from the median change of all. */
function changedPixels(before, now) {
  const apart = now.map((value, i) => value - before[i]);
  const lighter = apart.slice().sort()[apart.length >> 1];
  return Uint8Array.from(apart, (value) => (Math.abs(value - lighter) > STEP ? 1 : 0));
}

/** The brightness of a glance, 0..255: the mean of its lighter half. */
export function brightness(grey) {
  const lighter = grey
    .slice()
    .sort()
    .subarray(grey.length >> 1);
  return lighter.reduce((sum, value) => sum + value, 0) / lighter.length;
}

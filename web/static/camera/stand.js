// A phone on a stand is the table's camera: it sends small frames while something changes, and the full picture of dice
// at rest when the server asks for it. What they show is concluded there (docs/hands-free.md).

import { button } from "../shared/buttons.js";
import * as camera from "./phone-camera.js";
import { element, html } from "../shared/dom.js";
import { diceBoxes } from "../shared/live.js";
import * as net from "../shared/net.js";
import { t } from "../shared/text.js";

const EVERY_MS = 200; // from one glance to the next
const SIDE = 640; // pixels of a frame's longer side
const MOST_BYTES = 60_000; // of a frame; the server takes a little more
const QUALITIES = [0.75, 0.5, 0.3, 0.15]; // of a frame, to try in turn: a patterned cloth takes more bytes
const AFTER_MS = 2000; // that frames are sent after the last change
const LONG_MS = 5000; // of nothing changing: a server that still waits gets a frame a second
const ALIVE_MS = 5000; // between two signs of life
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 5000;

const GLANCE = 320; // pixels of a glance's longer side
const BLOCK = 8; // pixels of a glance: half of a die that is a twentieth of the picture wide
const STEP = 4; // of 255, and NOISY times the noise: a block whose pixels differ by more in the mean has changed
const NOISY = 2.5;
const MOST_NOISE = 12; // of 255: more means that the whole picture changed

/** This phone on a stand: it watches from `start` to `stop`, or until its camera or the server ends that. */
export class Stand {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    /** @type {Watching | null} */
    this.watching = null;
    /** @type {string | null} */
    this.watchedState = null; // what the table said last of what is watched
    document.addEventListener("visibilitychange", () => {
      if (!this.watching) return;
      if (document.hidden)
        this.watching.slept = true; // a phone that sleeps runs no timer
      else this.watching.wake();
    });
    if (location.hash === camera.STAND) {
      history.replaceState(history.state, "", location.pathname);
      this.start();
    }
  }

  async start() {
    const { ctx } = this;
    const stream = await camera.stream(ctx);
    if (!stream) return;
    this.end();
    const watching = new Watching(stream);
    this.watching = watching;
    stream.getTracks().forEach((track) =>
      track.addEventListener("ended", () => {
        if (this.watching !== watching) return;
        this.stop();
        ctx.toast(t("This phone's camera has stopped. Take a photo, or watch again."));
      }),
    );
    await watching.video.play().catch(() => {}); // the picture comes all the same once the page is shown
    if (this.watching !== watching) return;
    try {
      await this.begin(watching);
    } catch (error) {
      this.giveUp(watching, error);
    }
    ctx.draw();
    await watching.run(
      () => this.watching === watching,
      (now) => this.send(watching, now),
      (error) => this.mend(watching, error),
    );
  }

  /** Asks the server to watch by this phone. @param {Watching} watching */
  begin(watching) {
    return this.ctx.table().command("watch", { on: true, stand: watching.id });
  }

  /** Stops watching, for all phones. */
  stop() {
    if (!this.watching) return;
    this.end();
    this.ctx
      .table()
      .command("watch", { on: false })
      .catch(() => {}); // the server ends it by itself once it hears no more of this phone
    this.ctx.draw();
  }

  end() {
    this.watching?.stream.getTracks().forEach((track) => track.stop());
    this.watching = null;
  }

  /** @param {Watching} watching @param {unknown} error */
  giveUp(watching, error) {
    if (this.watching !== watching) return;
    this.end();
    this.ctx.toast(net.failureText(error));
    this.ctx.draw();
  }

  /** Takes each new state: after whatever was done at another phone, the server may want a frame.
   * @param {View} state */
  takeState({ watched }) {
    const newest = watched && `${watched.id} ${watched.state}`;
    if (newest !== this.watchedState) this.watching?.wake();
    this.watchedState = newest;
  }

  /** @param {Watching} watching @param {number} now */
  async send(watching, now) {
    const glance = watching.glance();
    if (!glance) return;
    if (watching.slept) this.ctx.toast(t("This phone was asleep. It watches again."));
    watching.slept = false;
    const wanted = watching.wants(glance, now);
    if (wanted === "nothing") return;
    const frame = wanted === "frame" ? await watching.frame(glance) : null;
    watching.saidAt = now;
    const answer = await watching.send(`${this.ctx.table().api}/frames`, now, frame);
    if (this.watching !== watching) return;
    watching.tries = 0;
    const changed = watching.trouble !== "" || JSON.stringify(answer.dice) !== JSON.stringify(watching.answer.dice);
    watching.trouble = "";
    watching.answer = answer;
    if (answer.picture && answer.picture !== watching.sending) {
      if (frame) this.sendPicture(watching, answer.picture);
      else watching.sent = null; // that of the next frame
    }
    if (changed) this.ctx.draw();
  }

  /** Sends the full picture of the last frame, while further frames go on.
   * @param {Watching} watching @param {string} wanted */
  async sendPicture(watching, wanted) {
    watching.sending = wanted;
    try {
      const address = `${this.ctx.table().api}/rest?stand=${watching.id}&picture=${encodeURIComponent(wanted)}`;
      await net.fetchJson(address, net.jpegOptions(await watching.fullPicture()), net.UPLOAD_TIMEOUT_MS);
    } catch {
      if (watching.sending === wanted) watching.sending = null; // it is asked for again, or the frames must do
    }
  }

  /** After a failure: begins anew at a server that does not know this phone any more, else waits or gives up.
   * @param {Watching} watching @param {any} error */
  async mend(watching, error) {
    if (this.watching !== watching) return;
    if (error.reason === "not-watched") {
      try {
        await this.begin(watching);
        return watching.pauseToRetry();
      } catch (again) {
        error = again;
      }
    }
    const refused = error instanceof net.RefusedError;
    if (refused && error.status < 500 && error.status !== 429) return this.giveUp(watching, error);
    watching.trouble = refused ? error.message : t("No connection. This phone watches again as soon as it is back.");
    this.ctx.draw();
    return watching.pauseToRetry();
  }

  /** What this phone's camera sees, with the dice that lie there, and what is wrong with the connection. */
  notice() {
    const { watching } = this;
    if (!watching) return "";
    return html`<div class="notice watched" data-key="stand">
      ${watching.view("stand-live")}
      ${watching.trouble && html`<p class="asked" role="status"><strong>${watching.trouble}</strong></p>`}
      ${button("quiet", "stand-stop", t("Stop watching"))}
    </div>`;
  }

  /** Puts what the camera sees into the live picture that was drawn. */
  showLive() {
    if (document.getElementById("stand-live")) this.watching?.showLive("stand-live");
  }
}

/** The camera of this phone on its stand, and what it sent last. */
export class Watching {
  /** @param {MediaStream} stream */
  constructor(stream) {
    this.id = net.randomId();
    this.stream = stream;
    this.video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: stream });
    /** @type {StandAnswer} */
    this.answer = { more: true, picture: null, dice: [] };
    this.sent = null; // the glance at the last frame that was sent
    /** @type {string | null} */
    this.sending = null; // the rest whose full picture is being sent
    this.trouble = ""; // what keeps frames from the server
    this.tries = 0; // since the last answer
    this.slept = false; // whether the page was hidden since the last glance
    this.changedAt = 0; // in milliseconds
    this.saidAt = -Infinity;
    this.wake = () => {}; // ends the pause, and says something to the server
    this.woken = false;
    /** @type {Record<string, HTMLCanvasElement>} */
    this.canvases = {};
    this.width = this.height = 0; // of a frame
  }

  /** Waits so many milliseconds, or until something else is to be told. @param {number} ms */
  pause(ms) {
    return new Promise((done) => {
      const timer = setTimeout(() => done(null), ms);
      this.wake = () => {
        this.woken = true;
        clearTimeout(timer);
        done(null);
      };
    });
  }

  /**
   * Takes glances while `isOn`: `send` gets when each began, and sends what is to be sent; `mend` gets what failed.
   * @param {() => boolean} isOn @param {(began: number) => Promise<void>} send
   * @param {(error: any) => Promise<void>} mend
   */
  async run(isOn, send, mend) {
    while (isOn()) {
      const began = performance.now();
      try {
        if (!document.hidden) await send(began);
      } catch (error) {
        this.sent = null; // whatever came of it
        await mend(error);
      }
      await this.pause(Math.max(0, EVERY_MS - (performance.now() - began)));
    }
  }

  /** Waits after a failure, longer after each. */
  pauseToRetry() {
    return this.pause(net.backoff(RETRY_MS, 1.5, this.tries++, LONGEST_RETRY_MS));
  }

  /** Sends a frame to this address, or null as a sign of life. `at`: milliseconds of this phone's clock.
   * @param {string} address @param {number} at @param {Blob | null} frame */
  send(address, at, frame) {
    const named = `${address}?stand=${this.id}&at=${(at / 1000).toFixed(3)}`;
    return net.fetchJson(named, net.jpegOptions(frame), net.FRAME_TIMEOUT_MS);
  }

  /** What the camera sees, with the dice that lie there, in a video of this id. @param {string} id */
  view(id) {
    const { width, height, answer } = this;
    return html`<div class="stand-view" data-key="view">
      <video id="${id}" playsinline autoplay muted aria-label="${t("What the camera sees now")}"></video>
      ${width && answer.dice.length
        ? html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
            ${diceBoxes(answer.dice, width, height)}
          </svg>`
        : ""}
    </div>`;
  }

  /** Has the video of this id play, once it was drawn. @param {string} id */
  showLive(id) {
    const live = element(id, HTMLVideoElement);
    if (live.srcObject !== this.stream) Object.assign(live, { muted: true, srcObject: this.stream });
    if (live.paused) live.play().catch(() => {}); // it is shown all the same once the page is
  }

  /** The present picture as small grey pixels, 0..255; null before the camera has one. */
  glance() {
    if (!this.video.videoWidth) return null;
    const canvas = this.draw("glance", this.video, this.video.videoWidth, this.video.videoHeight, GLANCE);
    const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    return { pixels: grey(paper.getImageData(0, 0, canvas.width, canvas.height).data), width: canvas.width };
  }

  /** What the server should get now: a "frame", a "sign" of life, or "nothing".
   * @param {Glance} glance @param {number} now */
  wants(glance, now) {
    const woken = this.woken;
    this.woken = false;
    if (!this.sent || hasChanged(this.sent, glance)) this.changedAt = now;
    const calm = now - this.changedAt;
    if (calm <= AFTER_MS) return "frame";
    if (this.answer.more && (calm <= LONG_MS || now - this.saidAt >= 1000)) return "frame";
    return woken || now - this.saidAt >= ALIVE_MS ? "sign" : "nothing";
  }

  /** The present picture as a small JPEG; the full one is kept beside it. @param {Glance} glance */
  async frame(glance) {
    this.sent = glance;
    const { videoWidth, videoHeight } = this.video;
    const full = this.draw("full", this.video, videoWidth, videoHeight, Math.max(videoWidth, videoHeight));
    const canvas = this.draw("frame", full, full.width, full.height, SIDE);
    this.width = canvas.width;
    this.height = canvas.height;
    for (const quality of QUALITIES) {
      const frame = await camera.jpeg(canvas, quality);
      if (frame && frame.size <= MOST_BYTES) return frame;
    }
    return null;
  }

  fullPicture() {
    return camera.jpeg(this.canvases.full);
  }

  /**
   * Draws a picture on this phone's canvas of that name, its longer side `side` pixels.
   * @param {string} name @param {HTMLVideoElement | HTMLCanvasElement} picture @param {number} width
   * @param {number} height @param {number} side
   */
  draw(name, picture, width, height, side) {
    const canvas = (this.canvases[name] ??= document.createElement("canvas"));
    const scale = side / Math.max(width, height);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const options = { willReadFrequently: name === "glance" };
    const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", options));
    paper.imageSmoothingQuality = "medium";
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
}

/** The grey values of pixels in red, green, blue and alpha. @param {ArrayLike<number>} data */
export function grey(data) {
  const pixels = new Float32Array(data.length / 4);
  for (let i = 0; i < pixels.length; i++)
    pixels[i] = 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2];
  return pixels;
}

/**
 * Whether something changed between two glances, be it as small as half a die; the light alone does not count. It may
 * be mistaken for much noise, never against it: the server decides what it is.
 * @param {Glance} before @param {Glance} now
 */
export function hasChanged(before, now) {
  if (before.pixels.length !== now.pixels.length || before.width !== now.width) return true;
  const blocks = blockDifferences(before.pixels, now.pixels, now.width);
  const noise = blocks.slice().sort()[Math.floor(blocks.length / 5)];
  return noise > MOST_NOISE || blocks.some((difference) => difference > STEP + NOISY * noise);
}

/** The mean difference of the pixels in each block of two glances, apart from the mean difference of all.
 * @param {Float32Array} before @param {Float32Array} now @param {number} width */
function blockDifferences(before, now, width) {
  let lighter = 0;
  for (let i = 0; i < now.length; i++) lighter += now[i] - before[i];
  lighter /= now.length;
  const across = Math.ceil(width / BLOCK);
  const sums = new Float32Array(across * Math.ceil(now.length / width / BLOCK));
  const counts = new Float32Array(sums.length);
  for (let i = 0; i < now.length; i++) {
    const block = Math.floor(i / width / BLOCK) * across + Math.floor((i % width) / BLOCK);
    sums[block] += Math.abs(now[i] - before[i] - lighter);
    counts[block] += 1;
  }
  return sums.map((sum, i) => sum / counts[i]);
}

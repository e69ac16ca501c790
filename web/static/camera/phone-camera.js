// This phone's own camera, live in the page. Browsers allow it over https only.

import { button } from "../shared/buttons.js";
import { element, html } from "../shared/dom.js";
import { panelHead } from "../dialogs/panel.js";
import { t } from "../shared/text.js";

export const WANTED = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1440 } },
};
const QUALITY = 0.92;

/** At the end of a table's address: this phone was set up on its stand, and begins to watch. */
export const STAND = "#stand";

export const available = () =>
  window.isSecureContext && Boolean(navigator.mediaDevices && navigator.mediaDevices.getUserMedia);

/** This phone's camera as a stream. If it cannot be used, the page says so, and this is null.
 * @param {{ toast(text: string): void }} ctx */
export async function stream(ctx) {
  try {
    return await navigator.mediaDevices.getUserMedia(WANTED);
  } catch {
    ctx.toast(t("This phone's camera cannot be used. Allow it in the browser, or take a photo."));
    return null;
  }
}

/** The present frame of a video as a JPEG; null if the browser cannot make one. @param {HTMLVideoElement} video */
export async function picture(video) {
  const canvas = Object.assign(document.createElement("canvas"), {
    width: video.videoWidth,
    height: video.videoHeight,
  });
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return jpeg(canvas);
}

/** What is drawn on a canvas as a JPEG; null if the browser cannot make one.
 * @type {(canvas: HTMLCanvasElement, quality?: number) => Promise<Blob | null>} */
export const jpeg = (canvas, quality = QUALITY) =>
  new Promise((done) => {
    canvas.toBlob(done, "image/jpeg", quality);
  });

/** Shows the camera. `send(file)` gets the picture that the person takes; `watch()` begins to watch from a stand.
 * @param {Page} ctx @param {(taken: Blob) => unknown} send @param {() => void} watch */
export async function open(ctx, send, watch) {
  const live = await stream(ctx);
  if (!live) return;
  const { panel } = ctx;
  panel.open({
    kind: "full",
    content: () =>
      html`${panelHead(t("Live camera"))}
        <div class="photo"><video id="live" playsinline autoplay muted></video></div>
        <p class="hint">
          ${t("On a stand, this phone can watch by itself: what comes to rest is then read without a tap.")}
          <a href="${ctx.setup.base}/camera">${t("Set it up step by step")}</a>
        </p>
        <div class="row end">
          ${button("button", "stand-begin", t("Watch from a stand"))}${button(
            "button primary grow",
            "shutter",
            t("Take the picture"),
            { sign: "camera" },
          )}
        </div>`,
    closed: () => live.getTracks().forEach((track) => track.stop()),
    handlers: {
      "stand-begin": () => {
        panel.close(); // a phone gives its camera to one user at a time
        watch();
      },
      shutter: async () => {
        if (!video.videoWidth) return; // no picture yet
        const taken = await picture(video);
        panel.close();
        if (taken) await send(taken);
      },
    },
  });
  const video = element("live", HTMLVideoElement);
  video.srcObject = live;
}

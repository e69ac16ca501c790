// Leads through the steps by which a phone on a stand becomes the table's camera. What it sees is told to this phone
// alone until it begins.

import { button } from "../shared/buttons.js";
import * as camera from "../camera/phone-camera.js";
import { placing } from "../camera/placing.js";
import { Watching } from "../camera/stand.js";
import { ScreenLock } from "../shared/device.js";
import { diceRow } from "../shared/dice.js";
import { html, onActs, render } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { cameraWord } from "../shared/live.js";
import { apiOf } from "../shared/address.js";
import { RefusedError } from "../shared/net.js";
import { loadTexts, t, tn } from "../shared/text.js";
import { embedded } from "../shared/json.js";

const LAST = 5; // step

const setup = embedded("setup");
const main = document.querySelector("main");
await loadTexts(setup.language, ...setup.texts.slice(0, 2)); // it has no sheet

/** @type {TrialAnswer} */
const NOTHING = { state: "waiting", reason: "", hand: false, more: true, dice: [], throws: 0, thrown: [] };

const screenLock = new ScreenLock();
const live = document.createElement("div");
live.className = "live-place";

/** What is reached, and what is seen. `denied`: why the browser lends no camera; `before`: throws before the step. */
const now = { step: window.isSecureContext ? 2 : 1, denied: "", trouble: "", refused: false, before: 0, seen: NOTHING };
/** @type {Watching | null} */
let watching = null;

/** Goes on to a step, by a tap or by itself; never back while the camera is there. @param {number} step */
function reach(step, byTap = false) {
  if (step <= now.step) return;
  now.step = step;
  now.before = now.seen.throws;
  draw();
  showStep(byTap);
}

/** Opens the present step and closes the others. @param {boolean} byTap */
function showStep(byTap) {
  for (let number = 1; number <= LAST; number++) {
    const item = document.getElementById(`step-${number}`);
    item.querySelector("details").open = number === now.step;
    item.querySelector(".step-done").toggleAttribute("hidden", number >= now.step);
    if (number === now.step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  const summary = document.querySelector(`#step-${now.step} summary`);
  if (!(summary instanceof HTMLElement)) return;
  if (byTap) summary.focus({ preventScroll: true });
  if (now.step > 2) summary.scrollIntoView({ block: "start" });
}

/** What to do so that the browser asks again, in each of them. @type {() => Record<string, string>} */
const allowing = () => ({
  chrome: t("Tap the sign left of the address, then “Permissions”, and allow the camera."),
  samsung: t("Tap the lock left of the address, then “Permissions”, and allow the camera."),
  firefox: t("Tap the lock left of the address, and allow the camera there."),
  safari: t("Tap the sign left of the address, then the website's settings, and set the camera to “Allow”."),
});

/** Why there is no camera, and what to do, by the name of the browser's error. @param {string} name */
function deniedSentence(name) {
  if (name === "NotAllowedError")
    return `${t("The browser does not let this page use the camera.")} ${allowing()[String(main.dataset.browser)]}`;
  if (name === "NotFoundError") return t("The browser finds no camera here. Take a phone that has one.");
  if (name === "NotReadableError")
    return t("Another app holds the camera. Close that app, or a video call, and ask again.");
  return t("The camera could not be started. Close other tabs and apps that use it, and ask again.");
}

async function askForCamera() {
  now.denied = "";
  now.refused = false;
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia(camera.WANTED);
  } catch (error) {
    now.denied = error instanceof DOMException ? error.name : "none"; // an old browser has no `mediaDevices`
    draw();
    return;
  }
  stopCamera();
  const begun = (watching = new Watching(stream));
  stream.getTracks().forEach((track) => track.addEventListener("ended", () => begun === watching && loseCamera()));
  screenLock.keep(true);
  await begun.video.play().catch(() => {}); // the picture comes all the same once the page is shown
  reach(3, true);
  draw();
  await begun.run(
    () => watching === begun,
    (at) => send(begun, at),
    (error) => mend(begun, error),
  );
}

function stopCamera() {
  watching?.stream.getTracks().forEach((track) => track.stop());
  watching = null;
}

/** Begins anew where the camera was taken away. */
function loseCamera() {
  stopCamera();
  now.denied = "ended";
  Object.assign(now, { step: 2, seen: NOTHING, trouble: "" });
  draw();
  showStep(false);
}

/** Says what failed, and waits. @param {Watching} looking @param {unknown} error */
function mend(looking, error) {
  const refused = error instanceof RefusedError;
  now.trouble = refused ? error.message : t("No connection. It goes on as soon as the phone is back.");
  draw();
  return looking.pauseToRetry();
}

/** @param {Watching} looking @param {number} at */
async function send(looking, at) {
  const glance = looking.glance();
  const wanted = glance && looking.wants(glance, at);
  if (!glance || wanted === "nothing") return;
  const frame = wanted === "frame" ? await looking.frame(glance) : null;
  looking.saidAt = at;
  const seen = await looking.send(`${apiOf(setup.base)}/trial`, at, frame);
  if (watching !== looking) return;
  looking.tries = 0;
  looking.answer = seen;
  now.trouble = "";
  now.seen = seen;
  now.before = Math.min(now.before, seen.throws); // a server that was started again counts anew
  draw();
  if (seen.state !== "resting" || !seen.dice.length) return;
  reach(4); // it stands, for dice lie still before it
  if (place().move === "good") reach(LAST);
}

const place = () => placing(now.seen.dice, Number(watching?.width), Number(watching?.height));

/** The sentence of the present step: what is wrong, else how the camera should be moved, else what it sees. */
function stepSentence() {
  const { seen, step, trouble } = now;
  if (trouble) return trouble;
  if (seen.state === "waiting") return cameraWord({ state: "looking" });
  if (seen.state !== "resting") return cameraWord({ ...seen, dice: seen.dice.length });
  const { move, cm } = place();
  if (move === "closer") return html`${icon("down")} ${t("Come {cm} cm closer.", { cm })}`;
  if (move === "further") return html`${icon("up")} ${t("Go {cm} cm further away.", { cm })}`;
  if (move === "aside") return t("A die lies at the edge. Move the phone or the dice, so that all lie in the middle.");
  if (step === LAST) return isThrown() ? t("That is what was seen.") : t("The height is good. Now throw the dice.");
  return t("No dice are seen. Put all dice where you throw; if they lie there, come closer.");
}

const isThrown = () => now.seen.throws > now.before;

function draw() {
  const { step, denied, seen } = now;
  if (step > 1)
    render(
      document.getElementById("permission"),
      html`${denied &&
      html`<p class="hint strong" role="alert">
        ${denied === "ended" ? t("This phone's camera has stopped.") : deniedSentence(denied)}
      </p>`}
      ${!watching &&
      button("button primary wide", "ask", denied ? t("Ask again") : t("Ask for the camera"), { sign: "camera" })}`,
    );
  render(
    document.getElementById("stands"),
    step === 3 ? button("button primary wide", "stands", t("The phone stands still")) : html``,
  );
  drawLive();
  render(
    document.getElementById("begin"),
    step < LAST
      ? html``
      : html`${isThrown() && thrownDice(seen.thrown)}
          <p>
            <a class="button ${isThrown() && "primary"} wide" href="${setup.base}${camera.STAND}"
              >${isThrown() ? t("Begin") : t("Begin without a test throw")}</a
            >
          </p>`,
  );
}

/** @param {SeenDie[]} dice */
function thrownDice(dice) {
  const doubtful = dice.filter(({ sure }) => !sure).length;
  return html`<p class="thrown">${diceRow(dice.map(({ value }) => value))}</p>
    ${doubtful
      ? html`<p>
          ${tn(
            "{count} die of them is not sure: more light helps, or a tray.",
            "{count} dice of them are not sure: more light helps, or a tray.",
            doubtful,
          )}
        </p>`
      : html`<p>${t("If that is right, begin. Else throw once more.")}</p>`}`;
}

/** What the camera sees, in the step that needs it. */
function drawLive() {
  if (!watching || now.step < 4) {
    live.remove();
    return;
  }
  const where = document.getElementById(`place-${now.step}`);
  if (live.parentElement !== where) where.append(live);
  render(
    live,
    html`${watching.view("live")}
      <p class="told" role="status" data-key="told">${stepSentence()}</p>`,
  );
  watching.showLive("live");
}

document.addEventListener("visibilitychange", () => watching?.wake());
onActs(main, (act) => ({ ask: () => askForCamera(), stands: () => reach(4, true) })[act]);
draw();
showStep(false);
document.body.dataset.ready = "yes";
if (now.step > 1 && navigator.permissions)
  navigator.permissions.query({ name: /** @type {PermissionName} */ ("camera") }).then(
    ({ state }) => void (state === "granted" && askForCamera()),
    () => {}, // a browser that does not tell is asked by a tap
  );

// The pages of a club's night: each is read again when the night changes, its clock runs, and its bell rings.

import { drawDice, startHall } from "./hall.js";

const night = document.getElementById("night");
const SOON_MS = 600; // within which a page asks after a change: many phones ask one after the other
const QUIET_MS = 20000; // a page asks so often though it heard of no change
const HALL_MS = 3000; // the same at the end of a round of the hall
const FLASH_MS = 5000;
const BELL_S = 2.5;
const PAGE_MS = 12000;

/** @type {AudioContext | null} */
let sound = null;
let asksAt = 0;
let shownAt = Date.now();
/** @type {EventSource | null} */
let source = null;
/** @type {HTMLElement | null} */
let hall = null;

/** A struck bell: some partial tones that die away. */
function strike() {
  if (!sound) return;
  for (const [ratio, loud] of [
    [1, 0.4],
    [2.4, 0.2],
    [4.1, 0.1],
  ]) {
    const tone = sound.createOscillator();
    const gain = sound.createGain();
    tone.frequency.value = 660 * ratio;
    gain.gain.setValueAtTime(loud, sound.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + BELL_S / ratio);
    tone.connect(gain).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + BELL_S);
  }
}

/** Rings: with sound where somebody allowed it, and with light. */
function ring() {
  strike();
  navigator.vibrate?.([200, 100, 200]);
  document.body.classList.add("rings");
  setTimeout(() => document.body.classList.remove("rings"), FLASH_MS);
}

/** Minutes and seconds. @param {number} seconds */
const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function showClock() {
  const clock = night?.querySelector(".clock");
  if (!(clock instanceof HTMLElement)) return;
  const left = Number(clock.dataset.left) - Math.round((Date.now() - shownAt) / 1000);
  clock.textContent = left > 0 ? clockText(left) : (clock.dataset.up ?? "");
  const isUp = left <= 0;
  if (isUp && clock.dataset.rang === "no") ring();
  clock.dataset.rang = isUp ? "yes" : "no";
}

const head = () => night?.querySelector(".night-head") ?? null;

/** Whether somebody is filling in a form of the page, which a new page would empty. */
function isFilling() {
  const at = document.activeElement;
  return Boolean(night?.contains(at) && at?.matches("input:not([type=hidden]), textarea, select"));
}

/** Puts a newer part of the page into its place; what was opened there stays open.
 * @param {HTMLElement} place @param {string} text */
function put(place, text) {
  const open = [...place.querySelectorAll("details[open]")].map((each) => each.id);
  const rang = place.querySelector(".clock")?.dataset.rang;
  place.innerHTML = text;
  drawDice(place);
  follow();
  shownAt = Date.now();
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  const clock = place.querySelector(".clock");
  if (clock && rang) clock.dataset.rang = rang;
  showClock();
  turnPages();
}

/** The hall's board has no scroll bar: what has no room is shown page by page, in which no row is cut. */
function turnPages() {
  for (const list of document.querySelectorAll(".hall .pages")) {
    const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(":scope > li, tbody > tr")]);
    for (const row of rows) row.hidden = false;
    const top = list.getBoundingClientRect().top;
    const room = list.clientHeight + 1 - ((rows[0]?.getBoundingClientRect().top ?? top) - top);
    const starts = [rows[0]?.getBoundingClientRect().top ?? 0];
    const pages = rows.map((row) => {
      const box = row.getBoundingClientRect();
      if (box.bottom - (starts.at(-1) ?? 0) > room) starts.push(box.top);
      return starts.length - 1;
    });
    const shown = Math.floor(Date.now() / PAGE_MS) % starts.length;
    for (const [number, row] of rows.entries()) row.hidden = pages[number] !== shown;
  }
}

/** Reads the page again. When a bell rang meanwhile, a person's table opens by itself. */
async function read() {
  if (!night || document.hidden || isFilling()) return;
  const before = head()?.dataset.bell;
  const answer = await fetch(`${location.pathname}?part=1`);
  if (!answer.ok || isFilling()) return;
  const text = await answer.text();
  put(night, text);
  if (head()?.dataset.bell === before || head()?.dataset.bell === "0") return;
  ring();
  const seat = head()?.dataset.seat;
  if (seat) location.assign(seat);
}

/** Reads the page again soon, once for several changes. A sheet of the hall has all that is new from its stream. */
function readSoon(within = SOON_MS) {
  if (hall) return;
  const now = performance.now();
  if (asksAt > now) return;
  const pause = Math.random() * within;
  asksAt = now + pause;
  setTimeout(() => read().catch(() => {}), pause); // without a connection the next try comes by itself
}

/** Hears of what is new: of the night, or of the own sheet in a round of the hall. */
function follow() {
  const found = document.getElementById("hall");
  if (!night?.dataset.stream || (source && found === hall)) return;
  source?.close();
  hall = found;
  source = hall ? startHall(hall, endHall) : new EventSource(night.dataset.stream);
  if (!hall) source.addEventListener("state", () => readSoon());
}

/** After a round of the hall all phones read their pages, one after the other. */
function endHall() {
  hall = source = null;
  readSoon(HALL_MS);
}

function listen() {
  if (!night?.dataset.stream) return;
  drawDice(night);
  follow();
  setInterval(() => readSoon(), Number(night.dataset.every ?? 0) * 1000 || QUIET_MS);
  document.addEventListener("visibilitychange", () => readSoon(1));
  setInterval(showClock, 500);
  setInterval(turnPages, 1000);
  showClock();
}

function offerSound() {
  const button = document.getElementById("sound");
  if (!button || !("AudioContext" in window)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    sound = new AudioContext();
    button.hidden = true;
    strike();
  });
}

/** Shares the picture of a night that is over: its script is loaded then. */
function offerPicture() {
  night?.addEventListener("click", async ({ target }) => {
    const ending = night.querySelector(".ending");
    if (!ending || !(target instanceof Element) || !target.closest("[data-share]")) return;
    const { sharePicture } = await import("../shared/ending-picture.js");
    await sharePicture(ending, ending.dataset.title ?? "");
  });
}

// The desk's token follows the # of its link: no server's log has it.
const token = document.querySelector("#join-desk input");
if (token instanceof HTMLInputElement) token.value = location.hash.slice(1);
offerPicture();
listen();
offerSound();
document.body.dataset.ready = "yes";

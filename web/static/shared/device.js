// What belongs to this phone alone: its name, whom it plays for, sound and buzz, staying awake, the installed app.

import { cameWith } from "./sentences.js";
import { phone } from "./storage.js";

const SETTINGS = "rollcall.settings";
const BOUND = "rollcall.plays-for.";
const LOOK = "rollcall.look";
const TOLD = "rollcall.told.";
const YEAR_S = 365 * 24 * 3600;

// `byHand`: whether the last throw that this phone told was tapped in.
const FIRST = { sound: false, haptic: false, turn: false, voice: false, byHand: false };

export const settings = () => ({ ...FIRST, ...phone.value(SETTINGS) });

export const set = (name, on) => phone.keep(SETTINGS, { ...settings(), [name]: on });

/** Whether its browser has voices. */
export const speaks = () => "speechSynthesis" in window;

/** "dark" or "light" by hand, "" as the phone's own setting is. */
export const look = () => document.documentElement.dataset.look ?? "";

export function setLook(wanted) {
  if (wanted) document.documentElement.dataset.look = wanted;
  else delete document.documentElement.dataset.look;
  phone.keepText(LOOK, wanted); // as text: theme.js reads it
}

/** The player that this phone is bound to at a table, or null. */
export function playsFor(key, players) {
  const bound = phone.value(BOUND + key);
  return Number.isInteger(bound) && bound >= 0 && bound < players ? bound : null;
}

export function bind(key, player) {
  phone.keep(BOUND + key, player);
  return player;
}

/** Whether this phone has not been told yet what must be known at a table; from now on it has. */
export function firstTime(key) {
  if (phone.value(TOLD + key)) return false;
  phone.keep(TOLD + key, true);
  return true;
}

/**
 * Names this phone, for itself and the server. Where the server does not take the name, the phone is called as before
 * again, and `refused` is told why.
 * @param {string} name
 * @param {(reason: string) => void} refused
 */
export function rename(name, refused) {
  const tidy = name.trim().replace(/\s+/g, " ").slice(0, 40);
  const before = /(?:^|; )device-name=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  keepName(encodeURIComponent(tidy));
  whyNot(tidy).then((reason) => {
    if (reason === null) return;
    keepName(before);
    refused(reason);
  });
  return tidy;
}

/** @param {string} encoded */
function keepName(encoded) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const kept = encoded ? YEAR_S : 0; // without a name of its own there is none to keep
  document.cookie = `device-name=${encoded}; Path=/; Max-Age=${kept}; SameSite=Lax${secure}`;
}

/**
 * Why the server does not take this name of the phone; null if it does, or if it cannot be asked now.
 * @param {string} name
 * @returns {Promise<string | null>}
 */
async function whyNot(name) {
  try {
    const answer = await fetch("/settings", {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ name }),
      redirect: "manual",
    });
    return answer.status === 422 ? (await answer.json()).error.message : null;
  } catch {
    return null;
  }
}

let audio = null;

/** A browser lets only a tap or a key begin a sound, and iOS stops it again whenever the page was away. */
function letSound() {
  if (!settings().sound && !settings().turn) return;
  audio = audio || new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {});
}

// After the page's own handlers: one of them may just have switched the sound on.
window.addEventListener("click", letSound);

/** A short sign that something was confirmed, for those who asked for one. */
export function signal(state) {
  const newest = state.recent.filter((entry) => !cameWith(entry)).pop(); // a throw, and not what was set aside with it
  if (!newest || newest.kind !== "do" || newest.body.do.do !== "throw") return;
  const chosen = settings();
  if (chosen.haptic && navigator.vibrate) navigator.vibrate(25);
  if (chosen.sound) tone(660, 0);
}

/** Calls the player of this phone, for those who asked for it. */
export function yourTurn() {
  if (!settings().turn) return;
  if (navigator.vibrate) navigator.vibrate([60, 80, 60]);
  tone(660, 0.2); // after that of a throw, which may come with it
  tone(880, 0.4);
}

/** A short tone of so many hertz, `after` so many seconds. */
function tone(hertz, after) {
  if (!audio || audio.state !== "running") return;
  const at = audio.currentTime + after;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0.08, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.18);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + 0.2);
}

let awake = false;
let lock = null; // a promise of the browser's lock, while the screen is kept awake

/** Keeps the screen awake as long as it is `wanted`, where the browser allows it, which is over https only. */
export function stayAwake(wanted) {
  awake = wanted;
  if (!("wakeLock" in navigator)) return;
  if (!wanted && lock) {
    lock.then((held) => held && held.release());
    lock = null;
  } else if (wanted && !lock && !document.hidden) {
    lock = navigator.wakeLock.request("screen").catch(() => null);
  }
}

// The browser lets go of it whenever the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) lock = null;
  else stayAwake(awake);
});

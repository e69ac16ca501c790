// What belongs to this phone alone: its name, its player, its settings, sound and buzz, staying awake.

import { at } from "./address.js";
import { cameWithAnother } from "./sentences.js";
import { phone } from "./storage.js";
import { fromJson } from "./json.js";

const SETTINGS = "rollcall.settings";
const BOUND = "rollcall.plays-for.";
const LOOK = "rollcall.look";
const NOTICED = "rollcall.told.";
const YEAR_S = 365 * 24 * 3600;

// `byHand`: whether this phone's last throw was tapped in.
const FIRST = { sound: false, haptic: false, turn: false, voice: false, byEar: false, byHand: false };

export const settings = () => ({ ...FIRST, ...phone.value(SETTINGS) });

/** @param {string} name @param {boolean} on */
export const saveSetting = (name, on) => phone.keep(SETTINGS, { ...settings(), [name]: on });

export const canSpeak = () => "speechSynthesis" in window;

/** "dark" or "light" as chosen here; "" for the phone's own setting. */
export const colourScheme = () => document.documentElement.dataset.look ?? "";

/** @param {string} wanted */
export function setColourScheme(wanted) {
  if (wanted) document.documentElement.dataset.look = wanted;
  else delete document.documentElement.dataset.look;
  phone.keepText(LOOK, wanted); // as text: theme.js reads it
}

/** The player whom this phone plays for at a table, or null for all. @param {string} key @param {number} players */
export function playsFor(key, players) {
  const bound = phone.value(BOUND + key);
  return Number.isInteger(bound) && bound >= 0 && bound < players ? bound : null;
}

/** Whether nobody has said yet whom this phone plays for at a table. @param {string} key */
export const isUnbound = (key) => phone.value(BOUND + key) === null;

/** @param {string} key @param {number | null} player */
export function bindPlayer(key, player) {
  phone.keep(BOUND + key, player ?? "everybody");
  return player;
}

/** Whether this is the phone's first visit to a table; from now on it is not. @param {string} key */
export function firstTime(key) {
  if (phone.value(NOTICED + key)) return false;
  phone.keep(NOTICED + key, true);
  return true;
}

/**
 * Names this phone, here and on the server. If the server does not take the name, the phone gets its old one back, and
 * `refused` is told why.
 * @param {string} name @param {(reason: string) => void} refused
 */
export function rename(name, refused) {
  const tidy = name.trim().replace(/\s+/g, " ").slice(0, 40);
  const before = /(?:^|; )device-name=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  storeName(encodeURIComponent(tidy));
  refusalOfName(tidy).then((reason) => {
    if (reason === null) return;
    storeName(before);
    refused(reason);
  });
  return tidy;
}

/** @param {string} encoded */
function storeName(encoded) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const kept = encoded ? YEAR_S : 0; // an empty name removes the cookie
  document.cookie = `device-name=${encoded}; Path=${at("/")}; Max-Age=${kept}; SameSite=Lax${secure}`;
}

/** Why the server does not take this name of the phone; null if it does, or if it cannot be asked now.
 * @param {string} name @returns {Promise<string | null>} */
async function refusalOfName(name) {
  try {
    const answer = await fetch(at("/settings"), {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ name }),
      redirect: "manual",
    });
    return answer.status === 422 ? fromJson(await answer.text()).detail : null;
  } catch {
    return null;
  }
}

/** The tones and the buzz of this phone, as its settings allow. */
export class Signals {
  constructor() {
    /** @type {AudioContext | null} */
    this.audio = null;
    // After the page's own handlers: one of them may just have switched the sound on.
    window.addEventListener("click", () => this.unlock());
  }

  /** Browsers let only a tap or a key begin a sound, and iOS stops it again whenever the page was hidden. */
  unlock() {
    if (!settings().sound && !settings().turn) return;
    this.audio ??= new AudioContext();
    if (this.audio.state !== "running") this.audio.resume().catch(() => {});
  }

  /** A short signal that the newest step of this state is a throw. @param {View} state */
  confirmThrow(state) {
    // A set-aside may have come with its throw.
    const newest = state.recent.filter((entry) => !cameWithAnother(entry)).pop();
    if (!newest || newest.kind !== "do" || newest.body.do.do !== "throw") return;
    const chosen = settings();
    if (chosen.haptic && navigator.vibrate) navigator.vibrate(25);
    if (chosen.sound) this.tone(660, 0);
  }

  /** Calls the player of this phone. */
  announceTurn() {
    if (!settings().turn) return;
    if (navigator.vibrate) navigator.vibrate([60, 80, 60]);
    this.tone(660, 0.2); // after that of a throw, which may come with it
    this.tone(880, 0.4);
  }

  /** A short tone of `hertz`, `after` so many seconds. @param {number} hertz @param {number} after */
  tone(hertz, after) {
    const { audio } = this;
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
}

/** Keeps the screen awake. Browsers allow it over https only. */
export class ScreenLock {
  constructor() {
    this.wanted = false;
    this.lock = null; // a promise of the browser's lock, while the screen is kept awake
    // The browser lets go of the lock whenever the page is hidden.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.lock = null;
      else this.keep(this.wanted);
    });
  }

  /** @param {boolean} wanted */
  keep(wanted) {
    this.wanted = wanted;
    if (!("wakeLock" in navigator)) return;
    if (!wanted && this.lock) {
      this.lock.then((held) => held && held.release());
      this.lock = null;
    } else if (wanted && !this.lock && !document.hidden) {
      this.lock = navigator.wakeLock.request("screen").catch(() => null);
    }
  }
}

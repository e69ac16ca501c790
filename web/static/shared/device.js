// What belongs to this phone alone: its name, whom it plays for, sound and buzz, staying awake, the installed app.

import { cameWithAnother } from "./sentences.js";
import { phone } from "./storage.js";

const SETTINGS = "rollcall.settings";
const BOUND = "rollcall.plays-for.";
const LOOK = "rollcall.look";
const TOLD = "rollcall.told.";
const YEAR_S = 365 * 24 * 3600;

// `byHand`: whether the last throw that this phone told was tapped in.
const FIRST = { sound: false, haptic: false, turn: false, voice: false, byHand: false };

export const settings = () => ({ ...FIRST, ...phone.value(SETTINGS) });

export const saveSetting = (name, on) => phone.keep(SETTINGS, { ...settings(), [name]: on });

/** Whether its browser has voices. */
export const canSpeak = () => "speechSynthesis" in window;

/** "dark" or "light" by hand, "" as the phone's own setting is. */
export const colourScheme = () => document.documentElement.dataset.look ?? "";

export function setColourScheme(wanted) {
  if (wanted) document.documentElement.dataset.look = wanted;
  else delete document.documentElement.dataset.look;
  phone.keepText(LOOK, wanted); // as text: theme.js reads it
}

/** The player that this phone is bound to at a table, or null. */
export function playsFor(key, players) {
  const bound = phone.value(BOUND + key);
  return Number.isInteger(bound) && bound >= 0 && bound < players ? bound : null;
}

export function bindPlayer(key, player) {
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
  const kept = encoded ? YEAR_S : 0; // without a name of its own there is none to keep
  document.cookie = `device-name=${encoded}; Path=/; Max-Age=${kept}; SameSite=Lax${secure}`;
}

/**
 * Why the server does not take this name of the phone; null if it does, or if it cannot be asked now.
 * @param {string} name
 * @returns {Promise<string | null>}
 */
async function refusalOfName(name) {
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

/** The tones and the buzz of this phone, for those who asked for them. */
export class Signals {
  constructor() {
    /** @type {AudioContext | null} */
    this.audio = null;
    // After the page's own handlers: one of them may just have switched the sound on.
    window.addEventListener("click", () => this.unlock());
  }

  /** A browser lets only a tap or a key begin a sound, and iOS stops it again whenever the page was away. */
  unlock() {
    if (!settings().sound && !settings().turn) return;
    this.audio ??= new AudioContext();
    if (this.audio.state !== "running") this.audio.resume().catch(() => {});
  }

  /** A short signal that the newest step of this state is a throw. */
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

  /** A short tone of so many hertz, `after` so many seconds. */
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

/** Keeps the screen awake, where the browser allows it, which is over https only. */
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

  /** Keeps the screen awake as long as this is `wanted`. */
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

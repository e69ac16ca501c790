// What a phone, or one tab of its browser, remembers. If storage is off, nothing is remembered and nothing fails.

import { fromJson } from "./json.js";

/** @param {() => Storage} storage  asked each time: a browser may refuse it */
const safeStorage = (storage) => ({
  /** A text; null if none is kept. @param {string} name */
  text(name) {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  },
  /** @param {string} name @param {string} text */
  keepText(name, text) {
    try {
      storage().setItem(name, text);
    } catch {
      // storage is off or full: the value goes with the page
    }
  },
  /** A value; null if none is kept. @param {string} name */
  value(name) {
    try {
      return fromJson(this.text(name) ?? "null");
    } catch {
      return null;
    }
  },
  /** @param {string} name @param {unknown} value */
  keep(name, value) {
    this.keepText(name, JSON.stringify(value));
  },
});

export const phone = safeStorage(() => localStorage);

export const tab = safeStorage(() => sessionStorage);

// What a phone, or one tab of its browser, remembers. Where storage is off nothing is remembered, and nothing fails.

/** @param {() => Storage} storage  asked each time: a browser may refuse it */
const safeStorage = (storage) => ({
  /** A text, null where none is kept. */
  text(name) {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  },
  keepText(name, text) {
    try {
      storage().setItem(name, text);
    } catch {
      // it is gone with the page
    }
  },
  /** A value, null where none is kept. */
  value(name) {
    try {
      return JSON.parse(this.text(name));
    } catch {
      return null;
    }
  },
  keep(name, value) {
    this.keepText(name, JSON.stringify(value));
  },
});

export const phone = safeStorage(() => localStorage);

export const tab = safeStorage(() => sessionStorage);

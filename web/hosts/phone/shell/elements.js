// Elements that the shell makes, for itself and for the page in its frame, which adopts what is put into it.

/** An element with its properties and children.
 * @param {string} tag @param {object} properties @param {(string | Node)[]} children @returns {any} */
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** @param {string} text @param {() => unknown} onclick @param {object} properties */
export const button = (text, onclick, properties = {}) =>
  make("button", { type: "button", onclick, ...properties }, text);

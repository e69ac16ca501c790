// Values from JSON. Their keys may be names that people chose, such as of a cell called "constructor".

/** @param {string} _ @param {unknown} value */
const bare = (_, value) =>
  value instanceof Object && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value;

/** The value of a JSON text. No object in it has a prototype: `value[name]` finds what the text says, or nothing.
 * @param {string} text */
export const fromJson = (text) => JSON.parse(text, bare);

/** The value of the JSON that came with the page, in the element of this id. @param {string} id */
export const embedded = (id) => fromJson(document.getElementById(id).textContent);

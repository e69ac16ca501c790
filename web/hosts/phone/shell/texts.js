// The sentences of the shell, in the language of this browser.

/** @type {Record<string, Record<string, string>>} */
const TEXTS = {}; // by language and English text: the build puts the catalogues' translations here

export const language =
  navigator.languages.map((each) => each.split("-")[0]).find((each) => each === "en" || each in TEXTS) ?? "en";

/** A text in this browser's language, with its parameters.
 * @param {string} text @param {Record<string, any>} [params] */
export const t = (text, params = {}) =>
  (TEXTS[language]?.[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(params[name]));

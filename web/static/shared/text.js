// Texts, numbers and times in the phone's language. Calls have the English text as a literal, so that it can be found.

import { localeFor } from "./locale.js";
import { fromJson } from "./json.js";

/** @type {Values} */
let texts = {};
/** @type {Values} */
let reasons = {};
let plural = new Intl.PluralRules("en");
let language = "en";
// The form of a text for each of the browser's classes of numbers, and what stands between thousands.
/** @type {{ forms: Record<string, number>, thousands: string }} */
let numbers = { forms: { one: 0, other: 1 }, thousands: "," };
let voice = "en-GB";

/** Loads a language, and the texts that a page shows first: the first address has the language's numbers too.
 * @param {string} wanted @param {...string} addresses */
export async function loadTexts(wanted, ...addresses) {
  language = wanted;
  plural = new Intl.PluralRules(wanted);
  [texts, reasons] = [{}, {}];
  const [first] = await Promise.all(addresses.map(addTexts));
  numbers = first.numbers ?? numbers;
  voice = first.voice ?? voice;
}

/** The language as browsers name it for speech. */
export const voiceTag = () => voice;

/** Loads texts besides those that are there. @param {string} address */
export async function addTexts(address) {
  const response = await fetch(address);
  const more = fromJson(await response.text());
  texts = { ...texts, ...more.texts };
  reasons = { ...reasons, ...more.reasons };
  return more;
}

/** A text's key in what the server sends: 28 bits of its FNV-1a hash. @param {string} text */
export function keyOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 4).toString(16);
}

/** What the server sent for a text: its translation, or the forms of a counted one. @param {string} text */
const found = (text) => texts[keyOf(text)];

/** @param {string} text @param {Values} [values] */
function fill(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? values[name] : all)) : text;
}

/** A text in the phone's language, with its {names} filled in. @param {string} text @param {Values} [values] */
export function t(text, values) {
  const said = found(text);
  return fill(typeof said === "string" ? said : text, values);
}

/** The form of a text for `count`, with {count} filled in too.
 * @param {string} one @param {string} many @param {number} count @param {Values} [values] */
export function tn(one, many, count, values) {
  const said = found(one);
  const forms = Array.isArray(said) ? said : [one, many];
  return fill(formFor(forms, count), { count: number(count), ...values });
}

/** @param {string[]} forms @param {number} count */
const formFor = (forms, count) => forms[numbers.forms[plural.select(count)]] ?? forms[forms.length - 1];

/** A refusal {reason, params, text} as a sentence. @param {Refusal} refusal */
export function refusalSentence(refusal) {
  /** @type {Values} */
  const params = {};
  for (const [name, value] of Object.entries(refusal.params || {})) {
    params[name] = Array.isArray(value)
      ? value.join(value.every(Number.isInteger) ? " " : ", ")
      : typeof value === "number"
        ? number(value)
        : value;
  }
  const known = reasons[refusal.reason];
  const template = known?.forms ? formFor(known.forms, refusal.params?.[known.by]) : known;
  const text = template ? fill(template, params) : refusal.message || refusal.text || refusal.reason;
  return capitalize(text);
}

/** The sentence that the server was not reached. */
export const noServer = () => t("No connection to the server. Is this phone on the same Wi-Fi?");

/** A text with a capital letter, to stand alone. @param {string} text */
export const capitalize = (text) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

/** A number with its thousands apart: by a comma in English, by a thin space in Czech. @param {number} value */
export function number(value) {
  const digits = String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, numbers.thousands);
  return value < 0 ? "\u2212" + digits : digits;
}

/** A number with one decimal, as people write it. @param {number} value */
export const decimal = (value) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** A chance 0..1 in per cent: whole from 10 % to 90 %, with a decimal beyond. A possible chance is never 0 %.
 * @param {number} chance */
export function percent(chance) {
  const digits = chance >= 0.0995 && chance <= 0.9005 ? 0 : 1;
  const shown = (/** @type {number} */ value) =>
    new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(value);
  if (chance > 0 && chance < 0.0005) return `<${shown(0.001)}`;
  return chance < 1 && chance > 0.9995 ? `>${shown(0.999)}` : shown(chance);
}

/** Points to be added, with their sign. @param {number} value */
export const plus = (value) => (value < 0 ? number(value) : "+" + number(value));

/** Names as a list in the phone's language. @param {string[]} names */
export function joinNames(names) {
  return typeof Intl.ListFormat === "function"
    ? new Intl.ListFormat(language, { type: "conjunction" }).format(names)
    : names.join(", ");
}

/** A phone's name. The server's name for a phone that nobody named is said in this phone's language.
 * @param {string} device */
export const phoneName = (device) => device.replace(/^Computer(?=$| \d+$)/, () => t("Computer"));

/** A moment of the log as a time of day. @param {string} iso */
export const timeOfDay = (iso) =>
  new Intl.DateTimeFormat(localeFor(language), { hour: "numeric", minute: "2-digit" }).format(new Date(iso));

// HTML from templates, escaped. Rendering changes only what differs: focus, scroll and animations survive.

import { guardTaps, noteChange } from "./taps.js";
import { fromJson } from "./json.js";

/** A piece of HTML, already escaped. */
export class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** @param {unknown} value @returns {string} */
function escape(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escape).join("");
  if (value === null || value === undefined || value === false || value === true) return "";
  return String(value).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);
}

/** A piece of HTML. Values are escaped unless they are pieces of HTML themselves.
 * @param {TemplateStringsArray} strings @param {...unknown} values */
export function html(strings, ...values) {
  let text = strings[0];
  values.forEach((value, i) => {
    text += escape(value) + strings[i + 1];
  });
  return new Html(text);
}

/** A piece of HTML of text that needs no escaping. @param {string} text */
export const raw = (text) => new Html(text);

/** The attributes of an element; those without a value are left out. @param {Record<string, unknown>} values */
export const attributes = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => html` ${name}="${value !== true && value}"`);

/** A value for `data-arg`, which its handler gets back. @param {unknown} value */
export const json = (value) => JSON.stringify(value);

/**
 * The element of this id. Raises if the page has none, or one of another kind.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} of the id ${id} on the page`);
  return found;
}

/** @param {string} id */
export const field = (id) => element(id, HTMLInputElement);

/** The element at which an event happened. @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** Makes `content` the inside of `root`, changing only what differs. @param {HTMLElement} root @param {Html} content */
export function render(root, content) {
  noteChange();
  const wanted = document.createElement("template");
  wanted.innerHTML = content.text;
  updateChildren(root, wanted.content);
}

/** @param {any} node  an element, or a text, which has no key */
function keyOf(node) {
  return node.nodeType === 1 ? node.id || node.getAttribute("data-key") : null;
}

/** @param {Node} have @param {Node} want */
function updateChildren(have, want) {
  const keyed = new Map();
  for (const child of have.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let next = have.firstChild;
  for (const wanted of [...want.childNodes]) {
    const key = keyOf(wanted);
    let match = key ? keyed.get(key) : next;
    if (!key && match && keyOf(match)) match = null;
    if (match && match.nodeName === wanted.nodeName) {
      if (match !== next) have.insertBefore(match, next);
      else next = match.nextSibling;
      updateNode(match, wanted);
    } else {
      have.insertBefore(wanted, next);
    }
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

/** @param {any} have  a node of any kind: its `nodeType` and `nodeName` say what it has @param {any} want */
function updateNode(have, want) {
  if (have.nodeType !== 1) {
    if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
    return;
  }
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name) && !(have.nodeName === "DETAILS" && name === "open")) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  if (have.nodeName === "INPUT") {
    have.checked = want.checked;
    return;
  }
  updateChildren(have, want);
}

const DOUBLE_MS = 400; // between two presses of a key that were meant as one

/** The digit of a key, above the letters or in the block of numbers; null for another key.
 * @param {{ code?: string, key: string }} event */
export function digitOfKey({ code, key }) {
  // By its place: with a Czech keyboard these keys write letters.
  const found = /^(?:Digit|Numpad)(\d)$/.exec(code ?? "") ?? /^(\d)$/.exec(key);
  return found && Number(found[1]);
}

/** The value of the die whose key was pressed; 0 for another key. @param {{ code?: string, key: string }} event */
export function dieOfKey(event) {
  const digit = digitOfKey(event) ?? 0;
  return digit <= 6 ? digit : 0;
}

/** What is shown, and the words that a screen reader says instead, as of a picture.
 * @param {Content} words @param {Content} shown */
export const saidAs = (words, shown) => html`<span role="img" aria-label="${words}">${shown}</span>`;

/** Does the tap that came before the scripts, if it still means what it meant. */
function doKeptTap() {
  const { keepTap, keptTap } = window;
  if (keepTap) removeEventListener("click", keepTap);
  window.keptTap = null;
  const { element, is } = keptTap ?? {};
  if (element instanceof HTMLElement && element.isConnected && element.outerHTML === is) element.click();
}

/** Calls the handler of an act, `handler(argument, element, event)`, for clicks on elements with data-act in `root`.
 * @param {HTMLElement} root @param {(act: string, element: HTMLElement) => Handlers[string] | undefined} handlerOf */
export function onActs(root, handlerOf) {
  guardTaps();
  let clicked = "";
  root.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const element = targetOf(event).closest("[data-act]");
    const before = clicked;
    clicked = `${element?.dataset.act} ${element?.dataset.arg}`;
    // The second tap of a double one was meant for what lay there before.
    if (event.detail > 1 && clicked !== before) return;
    if (!element || !root.contains(element) || element.getAttribute("aria-disabled") === "true") return;
    const handler = handlerOf(element.dataset.act ?? "", element);
    if (handler) handler(element.dataset.arg === undefined ? undefined : fromJson(element.dataset.arg), element, event);
  });
  doKeptTap();
  let last = { key: "", of: "", at: -Infinity };
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") {
      last.key = event.key;
      return;
    }
    const { act, arg } = targetOf(event).dataset;
    const pressed = { key: event.key, of: `${act} ${arg}`, at: event.timeStamp };
    // A key that is held, or the second press of a double one, was meant for what had the focus before.
    const second = event.key === last.key && pressed.of !== last.of && pressed.at - last.at < DOUBLE_MS;
    last = pressed;
    if (event.repeat || second) {
      event.preventDefault();
      return;
    }
    // The boxes in the photo are buttons to people, but not to the browser.
    if (targetOf(event).matches('[role="button"][data-act]')) {
      event.preventDefault();
      targetOf(event).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  });
}

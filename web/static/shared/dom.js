// HTML from templates, escaped. Rendering changes only what differs: focus, scroll and animations survive.

/** A piece of HTML, already escaped. */
export class Html {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escape).join("");
  if (value === null || value === undefined || value === false || value === true) return "";
  return String(value).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);
}

/** A piece of HTML. Values are escaped unless they are pieces of HTML themselves. */
export function html(strings, ...values) {
  let text = strings[0];
  values.forEach((value, i) => {
    text += escape(value) + strings[i + 1];
  });
  return new Html(text);
}

/** A piece of HTML of text that needs no escaping. */
export const raw = (text) => new Html(text);

/** A value for `data-arg`, which its handler gets back. */
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

/** The field of this id. */
export const field = (id) => element(id, HTMLInputElement);

/**
 * The element at which an event happened.
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** Makes `content` the inside of `root`, changing only what differs. */
export function render(root, content) {
  const wanted = document.createElement("template");
  wanted.innerHTML = content.text;
  updateChildren(root, wanted.content);
}

function keyOf(node) {
  return node.nodeType === 1 ? node.id || node.getAttribute("data-key") : null;
}

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
      else next = next.nextSibling;
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

/**
 * Calls the handler of an act, `handler(argument, element, event)`, for clicks on elements with data-act in `root`.
 * @param {HTMLElement} root
 * @param {(act: string, element: HTMLElement) => Handlers[string] | undefined} handlerOf
 */
export function onActs(root, handlerOf) {
  root.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const element = targetOf(event).closest("[data-act]");
    if (!element || !root.contains(element) || element.getAttribute("aria-disabled") === "true") return;
    const handler = handlerOf(element.dataset.act, element);
    if (handler)
      handler(element.dataset.arg === undefined ? undefined : JSON.parse(element.dataset.arg), element, event);
  });
  root.addEventListener("keydown", (event) => {
    // The boxes in the photo are buttons to people, but not to the browser.
    if ((event.key === "Enter" || event.key === " ") && targetOf(event).matches('[role="button"][data-act]')) {
      event.preventDefault();
      targetOf(event).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  });
}

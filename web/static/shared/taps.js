// A finger that taps quickly meets no control that was not there before: neither one of a dialog that has just opened,
// nor one that another phone's step moved under it.

const SETTLE_MS = 350; // a control takes a finger's tap when it has been there for so long
/** @typedef {HTMLElement & { href?: string, name?: string }} Control */
const CONTROLS = "label, [data-act], a, button, input, select, summary, dialog";

/** Where each control lay before the changes of the last moments, the oldest change first.
 * @type {{ at: number, places: Map<string, DOMRect[]> }[]} */
let changes = [];
let drawn = false; // whether the page has drawn anything
/** @type {PointerEvent | null} */
let finger = null; // that touched the screen last; null after a mouse or a pen

/** A control by what it does: after a change, another element may do it. @param {Control} control */
const nameOf = (control) =>
  control.dataset.act
    ? `${control.dataset.act} ${control.dataset.arg}`
    : `${control.nodeName} ${control.dataset.key || control.id || control.href || control.name || control.textContent}`;

/** Notes where the controls lie. Whoever changes what is on the screen calls this first. */
export function noteChange() {
  // A page's first drawing moves nothing away: from its beginning on, a finger was meant for this page.
  const at = drawn ? performance.now() : 0;
  drawn = true;
  const places = new Map();
  for (const control of (document.querySelector("dialog[open]") ?? document.body).querySelectorAll(CONTROLS))
    places.set(nameOf(control), [...(places.get(nameOf(control)) ?? []), control.getBoundingClientRect()]);
  changes = [...changes.filter((change) => at - change.at < SETTLE_MS), { at, places }];
}

/** Whether a control lay under the finger long before it came down. @param {Control} control */
function isSettled(control) {
  const { clientX: x, clientY: y, timeStamp } = /** @type {PointerEvent} */ (finger);
  const change = changes.find(({ at }) => at > timeStamp - SETTLE_MS);
  const places = change?.places.get(nameOf(control)) ?? [];
  return !change || places.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
}

/** Keeps fingers' taps from controls that have just appeared. */
export function guardTaps() {
  addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch" ? event : null), true);
  addEventListener(
    "click",
    (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const control = target.closest("label") ?? target.closest(CONTROLS);
      if (!finger || !event.detail || !control || isSettled(control)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

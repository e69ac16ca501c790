// The sheet that comes up from the bottom of the screen: one <dialog> for everything that is asked aside.

import { element, html, json, raw, show } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/text.js";

const dialog = element("panel", HTMLDialogElement);
const inside = document.getElementById("panel-content");
const NOTHING = { closed: null, unsaved: null };
let shown = NOTHING; // what is to be asked and told when what is shown now goes
let lost = () => {};
let guarded = Boolean(history.state?.panel); // whether a step back from here stays on this page, see below

dialog.addEventListener("close", () => {
  if (!dialog.open) finish();
}); // it comes late: something else may be open by then

function finish() {
  leave(NOTHING);
  show(inside, { text: "" });
  dialog.className = "panel";
  document.body.append(...dialog.querySelectorAll(":scope > .toast"));
}

/** What is shown gives way to `next`; its content still stands. */
function leave(next) {
  const { closed, unsaved } = shown;
  shown = next;
  if (unsaved?.()) lost();
  closed?.();
}

/** `tell` is called when something is closed by which a person wanted to change something, and did not. */
export function whenLost(tell) {
  lost = tell;
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // beside it
});

/**
 * Shows `content`; `kind` "full" covers the screen. When it is closed or gives way to another, in whatever way,
 * `unsaved` is asked whether something was begun there that goes with it, and `closed` is called.
 */
export function open(content, { kind = "", closed = null, unsaved = null } = {}) {
  leave({ closed, unsaved });
  dialog.className = `panel ${kind}`;
  show(inside, content);
  if (dialog.open) return;
  dialog.showModal();
  if (!guarded) history.pushState({ panel: true }, "");
  guarded = true;
}

/** The phone's way back closes what is open; only where nothing is, it leaves the page. */
window.addEventListener("popstate", ({ state }) => {
  const left = guarded;
  guarded = Boolean(state?.panel);
  if (!left || guarded) return;
  if (dialog.open) close();
  else history.back();
});

/** What stands above everything that is asked aside: what it is, and the way out. */
export const head = (title, close = t("Close")) =>
  html`<header class="panel-head">
    <h2 tabindex="-1" autofocus>${title}</h2>
    <button type="button" class="tool" data-act="close" aria-label="${close}">${icon("close")}</button>
  </header>`;

/**
 * Asks before something is done: a way back, and a way on that does `act` with its `argument`; `on`: what that says.
 * @param {string} title
 * @param {Content} text
 * @param {{back: string, on?: string, act: string, argument?: any, sign?: string}} ways
 */
export const question = (title, text, { back, on = title, act, argument = null, sign = "check" }) =>
  open(
    html`${head(title)} ${text}
      <div class="row end">
        <button type="button" class="button" data-act="close">${back}</button>
        <button type="button" class="button primary grow" data-act="${act}" data-arg="${json(argument)}">
          ${icon(sign)}<span>${on}</span>
        </button>
      </div>`,
  );

/** Shows the rules of a game, a `page` of our own server. */
export function rules(title, page, close = t("Close")) {
  open(
    html`${head(title, close)}
      <div class="rules">${raw(page)}</div>`,
    { kind: "tall" },
  );
}

/** Redraws what is open. */
export const draw = (content) => show(inside, content);

/** Where something must be to be seen above everything else. */
export const top = () => (dialog.open ? dialog : document.body);

export function close() {
  if (!dialog.open) return;
  dialog.close();
  finish();
}

/** Where the content is, for those who must measure it. */
export const place = inside;

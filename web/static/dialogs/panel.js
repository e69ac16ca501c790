// The panel that comes up from the bottom of the screen: one <dialog> element, in which dialogs are shown.

import { element, html, json, raw, render, targetOf } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/text.js";

/** @type {Dialog} */
const NOTHING = { content: () => html`` };

/** Shows one dialog at a time. */
export class Panel {
  /**
   * @param {() => void} lost  called when a person began a change in a dialog and the dialog went without it
   * @param {() => void} left  called when a dialog was closed and what opened it is gone: the focus is nowhere
   */
  constructor(lost = () => {}, left = () => {}) {
    this.box = element("panel", HTMLDialogElement);
    /** Where the content is, for those who must measure it. */
    this.place = document.getElementById("panel-content");
    this.spoken = document.getElementById("spoken"); // only on a table's page
    this.lost = lost;
    this.left = left;
    this.dialog = NOTHING;
    this.guarded = Boolean(history.state?.panel); // whether a step back from here stays on this page
    // The event comes late: another dialog may be open by then.
    this.box.addEventListener("close", () => this.box.open || this.finish());
    this.box.addEventListener("click", (event) => event.target === this.box && this.box.close()); // beside the content
    this.box.addEventListener("keydown", (event) => this.takeKey(event));
    this.place.addEventListener("change", (event) => this.dialog.changed?.(event));
    window.addEventListener("popstate", ({ state }) => this.stepBack(Boolean(state?.panel)));
  }

  /**
   * Shows a dialog. It takes the place of the open one, which is asked for unsaved changes and told that it is closed.
   * @param {Dialog} dialog
   */
  open(dialog) {
    this.replace(dialog);
    this.box.className = `panel ${dialog.kind ?? ""}`;
    this.draw();
    if (this.box.open) {
      this.focus("[autofocus]");
      return;
    }
    this.box.showModal();
    this.moveSpoken();
    if (!this.guarded) history.pushState({ panel: true }, "");
    this.guarded = true;
  }

  /** @param {Dialog} next */
  replace(next) {
    const { dialog } = this; // its content still stands
    if (dialog === next) return;
    this.dialog = next;
    if (dialog.unsaved?.()) this.lost();
    dialog.closed?.();
  }

  /** Redraws the dialog. If the pressed button is gone, the next one has the focus. */
  draw() {
    const focused = this.place.contains(document.activeElement);
    render(this.place, this.dialog.content());
    if (!focused || this.place.contains(document.activeElement)) return;
    this.focus(".keys button") || this.focus(".primary") || this.focus("h2");
  }

  /** Gives the focus to the first such element of the dialog; returns whether there is one. */
  focus(selector) {
    const found = this.place.querySelector(selector);
    if (found instanceof HTMLElement) found.focus();
    return found !== null;
  }

  /** @param {KeyboardEvent} event */
  takeKey(event) {
    const target = targetOf(event);
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, select")) return;
    if (event.key === "Enter" && target.matches("button:not([aria-disabled]), a, summary, [role=button]")) return;
    if (this.dialog.key?.(event)) event.preventDefault();
  }

  /** What is said must be within an open dialog: all else is out of reach. Nothing is said again. */
  moveSpoken() {
    if (!this.spoken || this.spoken.parentElement === this.top()) return;
    this.spoken.replaceChildren();
    this.top().append(this.spoken);
  }

  /** @param {Dialog} dialog */
  shows(dialog) {
    return this.dialog === dialog;
  }

  /** The dialog's own handler of an act; undefined if it has none, or for elements outside of the panel. */
  handler(act, element) {
    return this.place.contains(element) ? this.dialog.handlers?.[act] : undefined;
  }

  /** Hands a new state to the dialog. Returns whether the dialog was closed because the table has moved on. */
  update() {
    return Boolean(this.dialog.update?.());
  }

  close() {
    if (!this.box.open) return;
    this.box.close();
    this.finish();
  }

  finish() {
    this.replace(NOTHING);
    this.draw();
    this.box.className = "panel";
    document.body.append(...this.box.querySelectorAll(":scope > .toast"));
    this.moveSpoken();
    if (document.activeElement === document.body) this.left();
  }

  /** The phone's way back closes the dialog; it leaves the page only where none is open. */
  stepBack(guarded) {
    const before = this.guarded;
    this.guarded = guarded;
    if (!before || guarded) return;
    if (this.box.open) this.close();
    else history.back();
  }

  /** The element in which something is seen above everything else. */
  top() {
    return this.box.open ? this.box : document.body;
  }

  /**
   * Asks before something is done. One button leads back, the other does `act` with its `argument`; `on`: its text.
   * @param {string} title
   * @param {Content} text
   * @param {{back: string, on?: string, act: string, argument?: any, sign?: string}} ways
   */
  ask(title, text, { back, on = title, act, argument = null, sign = "check" }) {
    this.open({
      content: () =>
        html`${panelHead(title)} ${text}
          <div class="row end">
            <button type="button" class="button" data-act="close">${back}</button>
            <button type="button" class="button primary grow" data-act="${act}" data-arg="${json(argument)}">
              ${icon(sign)}<span>${on}</span>
            </button>
          </div>`,
    });
  }

  /** Shows the rules of a game, a `page` of our own server. */
  showRules(title, page, close = t("Close")) {
    const content = () =>
      html`${panelHead(title, close)}
        <div class="rules">${raw(page)}</div>`;
    this.open({ content, kind: "tall" });
  }
}

/** The head of a dialog: its title, and the button that closes it. */
export const panelHead = (title, close = t("Close")) =>
  html`<header class="panel-head">
    <h2 tabindex="-1" autofocus>${title}</h2>
    <button type="button" class="tool" data-act="close" aria-label="${close}">${icon("close")}</button>
  </header>`;

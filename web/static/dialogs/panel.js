// The panel that comes up from the bottom of the screen: one <dialog> element, in which dialogs are shown.

import { button } from "../shared/buttons.js";
import { element, html, raw, render, targetOf } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { noteChange } from "../shared/taps.js";
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
    this.guards = Number(history.state?.panel ?? 0); // so many steps back from here stay on this page
    // The event comes late: another dialog may be open by then.
    this.box.addEventListener("close", () => this.box.open || this.finish());
    // Browsers cancel a second time only after a tap. A field for files cancels too.
    this.box.addEventListener("keydown", (event) => event.key === "Escape" && this.keepOpen(event));
    this.box.addEventListener("cancel", (event) => event.target === this.box && this.keepOpen(event));
    this.box.addEventListener("click", (event) => event.target === this.box && this.close()); // beside the content
    this.box.addEventListener("keydown", (event) => this.takeKey(event));
    this.place.addEventListener("change", (event) => this.dialog.changed?.(event));
    window.addEventListener("popstate", ({ state }) => this.followHistory(Number(state?.panel ?? 0)));
  }

  /** Shows a dialog. It takes the place of the open one, which is asked for unsaved changes and told that it is closed.
   * @param {Dialog} dialog */
  open(dialog) {
    this.replace(dialog);
    this.box.className = `panel ${dialog.kind ?? ""}`;
    this.draw();
    if (this.box.open) this.focus("[autofocus]");
    else {
      this.box.showModal();
      this.moveSpoken();
    }
    this.guard();
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
    if (this.box.open) this.guard();
    if (!focused || this.place.contains(document.activeElement)) return;
    this.focus(".keys button") || this.focus("button.primary, .primary input") || this.focus("h2");
  }

  /** Gives the focus to the first such element of the dialog; returns whether there is one. @param {string} selector */
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

  isOpen() {
    return this.box.open;
  }

  /** @param {Dialog} dialog */
  shows(dialog) {
    return this.dialog === dialog;
  }

  /** The dialog's own handler of an act; undefined if it has none, or for elements outside of the panel.
   * @param {string} act @param {HTMLElement} element */
  handler(act, element) {
    return this.place.contains(element) ? this.dialog.handlers?.[act] : undefined;
  }

  /** Hands a new state to the dialog. Returns whether the dialog was closed because the table has moved on. */
  update() {
    return Boolean(this.dialog.update?.());
  }

  close() {
    if (!this.box.open) return;
    noteChange();
    this.box.close();
    this.finish();
  }

  /** What a dialog asked for, once it is there; null if another dialog is open by then, or none.
   * @template T @param {Promise<T>} asked */
  async unlessLeft(asked) {
    const { dialog } = this;
    const found = await asked;
    return this.shows(dialog) ? found : null;
  }

  /** Closes once a change was done. @param {Promise<boolean>} done */
  async closeAfter(done) {
    if (await this.unlessLeft(done)) this.close();
  }

  finish() {
    this.replace(NOTHING);
    this.draw();
    this.box.className = "panel";
    document.body.append(...this.box.querySelectorAll(":scope > .toast"));
    this.moveSpoken();
    if (document.activeElement === document.body) this.left();
  }

  /** The phone's way back gets a step for each thing that is open: at a tap, since browsers skip other steps. */
  guard() {
    let depth = this.dialog.inner?.() ? 2 : 1;
    for (let { from } = this.dialog; from; { from } = from) depth += 1;
    while (this.guards < depth) {
      this.guards += 1;
      history.pushState({ panel: this.guards }, "");
    }
  }

  /** The phone's way back closes what was opened last; it leaves the page only where nothing is open.
   * @param {number} guards */
  followHistory(guards) {
    const before = this.guards;
    this.guards = guards;
    if (guards >= before) return;
    if (!this.box.open) history.go(-1 - guards);
    else if (!this.stepBack()) this.close();
  }

  /** Closes what is open within the dialog, or goes back to the one before. Returns whether there was either. */
  stepBack() {
    const { dialog } = this;
    const leave = dialog.inner?.();
    if (leave) leave();
    else if (dialog.from) {
      this.open(dialog.from);
      this.update();
    }
    return Boolean(leave || dialog.from);
  }

  /** Escape, and the way back where the browser gives it to the dialog, go one step back too. @param {Event} event */
  keepOpen(event) {
    if (this.stepBack()) event.preventDefault();
  }

  /** The element in which something is seen above everything else. */
  top() {
    return this.box.open ? this.box : document.body;
  }

  /**
   * Asks before something is done. One button leads back, the other does `act` with its `argument`; `on`: its text;
   * `from`: the dialog that asks.
   * @param {string} title @param {Content} text
   * @param {{back: string, on?: string, act: string, argument?: any, sign?: string, from?: Dialog}} ways
   */
  ask(title, text, { back, on = title, act, argument = null, sign = "check", from }) {
    this.open({
      from,
      content: () =>
        html`${panelHead(title)} ${text}
          <div class="row end">
            ${button("button", "close", back)} ${button("button primary grow", act, on, { arg: argument, sign })}
          </div>`,
    });
  }

  /** Shows the rules of a game, a `page` of our own server. @param {string} title @param {string} page */
  showRules(title, page, close = t("Close")) {
    const content = () =>
      html`${panelHead(title, close)}
        <div class="rules">${raw(page)}</div>`;
    this.open({ content, kind: "tall" });
  }
}

/** The head of a dialog: its title, and the button that closes it. @param {Content} title */
export const panelHead = (title, close = t("Close")) =>
  html`<header class="panel-head">
    <h2 tabindex="-1" autofocus>${title}</h2>
    ${button("tool", "close", icon("close"), { label: close })}
  </header>`;

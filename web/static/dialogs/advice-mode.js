// How much a table advises: what its menu and its phones say of it, and the choice.

import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/text.js";

const modes = () => [
  ["off", t("off")],
  ["odds", t("odds")],
  ["best", t("odds and best play")],
];

/** What each phone says when one of them changed the advice. @param {string} mode @param {string} device */
export const modeSentence = (mode, device) => CHANGED[mode](device);

/** @type {Record<string, (device: string) => string>} */
const CHANGED = {
  off: (device) => t("{device}: odds are no longer shown.", { device }),
  odds: (device) => t("{device}: odds are shown from now on.", { device }),
  best: (device) => t("{device}: odds and best play are shown from now on.", { device }),
};

/** @param {string} mode */
export const modeName = (mode) => modes().find(([each]) => each === mode)?.[1];

/** The choice in the table's menu. @param {Context} ctx */
export const chooser = ({ state: { settings } }) =>
  html`<div class="fields">
    <p>${t("How much this table advises, on all its phones:")}</p>
    ${modes().map(([mode, name]) =>
      button("button wide", "advice-mode", html`${settings.advice === mode && icon("check")}<span>${name}</span>`, {
        arg: mode,
        pressed: settings.advice === mode,
      }),
    )}
    <p class="hint">
      ${t("Odds: the chances of each choice. Best play: also which choice is best, and what another costs.")}
    </p>
  </div>`;

// Buttons whose tap does an act (`onActs`).

import { attributes, html, json } from "./dom.js";
import { icon } from "./icons.js";

/**
 * A button of the classes `kind`. `arg`: what its act gets; `sign`: an icon before its words; `key`: by which it is
 * known again; `label`: what is said in place of its words; `pressed`: whether it is chosen; `off`: it does nothing
 * now; `beside`: what follows the words; `more`: further attributes.
 * @param {string} kind @param {string} act @param {Content | Content[] | number} words @param {ButtonDetails} [how]
 */
export const button = (kind, act, words, { arg, sign, key, label, pressed, off, beside, more } = {}) =>
  html`<button
    ${attributes({
      type: "button",
      class: kind || undefined,
      "data-key": key,
      "data-act": act,
      "data-arg": arg === undefined ? arg : json(arg),
      "aria-label": label,
      "aria-pressed": pressed === undefined ? pressed : String(Boolean(pressed)),
      "aria-disabled": off && "true",
    })}
    ${more}
  >
    ${sign ? html`${icon(sign)}<span>${words}</span>` : words}${beside}
  </button>`;

// Fields of dialogs and forms, each with its words.

import { attributes, html } from "./dom.js";

/** A control in its label. `kind`: the classes of the label; `key`: by which it is known again.
 * @param {Content} words @param {Content} control @param {{kind?: string, key?: string}} [label] */
export const labelled = (words, control, { kind = "field", key } = {}) =>
  html`<label ${attributes({ class: kind, "data-key": key })}><span>${words}</span>${control}</label>`;

/** A line to write; `about`: its attributes.
 * @param {Content} words @param {Record<string, unknown>} about @param {{kind?: string, key?: string}} [label] */
export const textField = (words, about, label = {}) =>
  labelled(words, html`<input ${attributes({ type: "text", autocomplete: "off", ...about })} />`, label);

/** The same for a whole number.
 * @param {Content} words @param {Record<string, unknown>} about @param {{kind?: string, key?: string}} [label] */
export const numberField = (words, about, label = {}) => textField(words, { type: "number", step: 1, ...about }, label);

/** A box to tick; `about`: its attributes. @param {Content} words @param {Record<string, unknown>} about */
export const checkbox = (words, about, /** @type {string | undefined} */ key = undefined) =>
  html`<label ${attributes({ class: "check", "data-key": key })}
    ><input ${attributes({ type: "checkbox", ...about })} /><span>${words}</span></label
  >`;

/** One of several to choose.
 * @param {Content} words @param {string} name @param {unknown} value @param {boolean} checked */
export const radio = (words, name, value, checked, /** @type {string | undefined} */ key = undefined) =>
  checkbox(words, { type: "radio", name, value, checked }, key);

/** A list of which one is chosen. `about`: its attributes; `options`: values and words, and further attributes.
 * @param {Content} words @param {Content | Content[]} about @param {any[][]} options @param {string | number} chosen */
export const selection = (words, about, options, chosen) =>
  labelled(
    words,
    html`<select ${about}>
      ${options.map(
        ([value, said, more]) =>
          html`<option ${attributes({ value, selected: value === chosen, ...more })}>${said}</option>`,
      )}
    </select>`,
  );

// Entries of menus, and the parts that group them.

import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";

/** What a menu's entry shows: an icon, its words, and in soft ink how it is set now.
 * @param {string} sign @param {Content} words */
export const entryWords = (sign, words, now = "") =>
  html`${icon(sign)}<span>${words}</span> ${now ? html`<span class="soft">${now}</span>` : ""}`;

/** An entry that does `act`. @param {string} sign @param {string} act @param {Content} words */
export const entry = (sign, act, words, now = "") => html`<li>${button("", act, entryWords(sign, words, now))}</li>`;

/** An entry that ends something for the whole table. @param {string} sign @param {string} act @param {Content} words */
export const endingEntry = (sign, act, words) => html`<li>${button("ends", act, entryWords(sign, words))}</li>`;

/** An entry that opens another page. @param {string} sign @param {string} address @param {Content} words */
export const link = (sign, address, words) => html`<li><a href="${address}">${entryWords(sign, words)}</a></li>`;

/** A part of the menu; its entries may be none. @param {string} title @param {...Content | Content[]} entries */
export const part = (title, ...entries) =>
  html`<h3 class="menu-part">${title}</h3>
    <ul class="menu">
      ${entries}
    </ul>`;

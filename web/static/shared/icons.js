// The few icons of the pages, drawn with lines, and the marks of the players.

import { raw } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  camera:
    '<path d="M4 8h3l1.6-2.4h6.8L17 8h3a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5' +
    ' 1.5 0 0 1 4 8z"/><circle cx="12" cy="13" r="3.4"/>',
  live: '<rect x="2.5" y="6.5" width="13" height="11" rx="1.5"/><path d="M15.5 10.5 21.5 7v10l-6-3.5z"/>',
  keys:
    '<rect x="3.5" y="4" width="17" height="16" rx="3"/>' +
    '<path d="M8 9h.01M12 9h.01M16 9h.01M8 14.5h.01M12 14.5h.01M16 14.5h.01" class="dots"/>',
  look:
    '<path d="M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z"/>' +
    '<circle cx="12" cy="12" r="2.8"/>',
  undo: '<path d="M8.5 5 4 9.5 8.5 14"/><path d="M4.5 9.5H15a5 5 0 0 1 0 10h-4"/>',
  close: '<path d="M6 6l12 12M18 6 6 18"/>',
  check: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  trash: '<path d="M5 7h14M10 7V4.8h4V7M7 7l.8 12.2h8.4L17 7"/>',
  star: '<path d="M12 4.2l2.4 4.9 5.4.8-3.9 3.8.9 5.4-4.8-2.6-4.8 2.6.9-5.4-3.9-3.8 5.4-.8z"/>',
  pass: '<path d="M4 12h12M11.5 7l5 5-5 5M20 6v12"/>',
  add: '<rect x="3.5" y="3.5" width="17" height="17" rx="4"/><path d="M12 8v8M8 12h8"/>',
  pencil: '<path d="M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5z"/><path d="M13.5 7l3.5 3.5"/>',
  up: '<path d="M12 19.5v-14M6 11l6-6 6 6"/>',
  down: '<path d="M12 4.5v14M6 13l6 6 6-6"/>',
  phone: '<rect x="7" y="2.5" width="10" height="19" rx="2"/><path d="M11 18.5h2"/>',
  // A phone held flat above two dice.
  above:
    '<path d="M4.5 4.5h15"/><path d="M12 7.5v4M9.8 9.6l2.2 2.2 2.2-2.2"/>' +
    '<path d="M5 15h5.5v5.5H5zM13.5 15H19v5.5h-5.5z"/>',
  players:
    '<circle cx="9" cy="8.5" r="3.2"/><path d="M3 19.5c.4-3.6 2.8-5.6 6-5.6s5.6 2 6 5.6"/>' +
    '<path d="M15.5 5.6a3.2 3.2 0 0 1 0 5.8M17.6 14.4c1.9.8 3.1 2.6 3.4 5.1"/>',
  board: '<rect x="2.5" y="4.5" width="19" height="12.5" rx="1.5"/><path d="M8 20.5h8M12 17v3.5"/>',
  list: '<path d="M8.5 6h12M8.5 12h12M8.5 18h12M4 6h.01M4 12h.01M4 18h.01"/>',
  rules:
    '<path d="M5 4.5h6a1.5 1.5 0 0 1 1.5 1.5v14a2 2 0 0 0-2-2H5z"/>' +
    '<path d="M20 4.5h-6A1.5 1.5 0 0 0 12.5 6v14a2 2 0 0 1 2-2H20z"/>',
  picture: '<rect x="3.5" y="4.5" width="17" height="15" rx="1.5"/><path d="M4 16l4.5-4.5 3.5 3.5 2.5-2.5 5.5 5"/>',
  chance: '<path d="M4 19.5h16M7 16v-4M12 16V6.5M17 16v-7"/>',
  dice:
    '<rect x="4" y="4" width="16" height="16" rx="3.5"/>' +
    '<path d="M8.5 8.5h.01M12 12h.01M15.5 15.5h.01" class="dots"/>',
  print: '<path d="M7 9V4h10v5M7 17H4.5V9.5h15V17H17M7 14h10v6H7z"/>',
  save: '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15"/>',
  share: '<path d="M12 15V4M8 7.5 12 3.5l4 4"/><path d="M7.5 11H5v9.5h14V11h-2.5"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5h.01"/>',
  flag: '<path d="M6 21V4M6 5h11l-2 3.5 2 3.5H6"/>',
  lock: '<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3"/>',
  erase: '<path d="M9 6h11.5v12H9l-6-6z"/><path d="M12 9.8l4.4 4.4M16.4 9.8 12 14.2"/>',
};

/** @param {string} name */
export const icon = (name) =>
  raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`);

const COLOURS = 6;
// As in web/pages/charts.py.
const SHAPES = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M-4-4h8v8h-8z",
  "M0-5L5 4H-5z",
  "M0-6L5 0 0 6-5 0z",
  "M-1.6-5h3.2v3.4H5v3.2H1.6V5h-3.2V1.6H-5v-3.2h3.4z",
  "M0 5L5-4H-5z",
  "M-3-5.2L0-2.2 3-5.2 5.2-3 2.2 0 5.2 3 3 5.2 0 2.2-3 5.2-5.2 3-2.2 0-5.2-3z",
  "M-5-5H5L0 0 5 5H-5L0 0z",
  "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM-2.6 0a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0z",
  "M-5-5h10v10h-10zM-2.6-2.6v5.2h5.2v-5.2z",
  "M-5-4.5h10v3h-10zM-5 1.5h10v3h-10z",
  "M-4.5-5h3V5h-3zM1.5-5h3V5h-3z",
];

/** A player's mark beside his name: the shape and the colour of his curve in the score history.
 * @param {number} player */
export const playerMark = (player) =>
  raw(
    `<svg class="player-mark c${player % COLOURS}" viewBox="-6 -6 12 12" aria-hidden="true" focusable="false">` +
      `<path d="${SHAPES[player % SHAPES.length]}"/></svg>`,
  );

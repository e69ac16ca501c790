// Each player's own mark beside his name: the shape and the colour that his curve has in the course of the game.

import { raw } from "./dom.js";

const COLOURS = 6;
// As in web/pages/charts.py.
const SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-6L5 0 0 6-5 0z"];

export const mark = (player) =>
  raw(
    `<svg class="player-mark c${player % COLOURS}" viewBox="-6 -6 12 12" aria-hidden="true" focusable="false">` +
      `<path d="${SHAPES[player % SHAPES.length]}"/></svg>`,
  );

// The sheet that draws a game. The standing's keys tell which, so that a new game of a family needs nothing here. A
// table loads those of its family alone, as `sheets_of` in web/pages/views.py says.

import * as box from "./box.js";
import * as cells from "./cells.js";
import * as knaster from "./knaster.js";
import * as points from "./points.js";
import * as scorePad from "./score-pad.js";
import * as skunk from "./skunk.js";

/** @param {Standing} standing @returns {Sheet} */
export function sheetOf(standing) {
  if (standing.lines) return knaster;
  if (standing.pad) return scorePad;
  if (standing.tiles) return box;
  if (standing.letters) return skunk;
  return (standing.sheet || standing.figures_list ? cells : points).sheetOf(standing);
}

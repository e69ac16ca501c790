// The sheet that draws a game. The standing's keys tell which, so that a new game of a family needs nothing here. A
// table loads those of its family alone, as `sheets_of` in web/pages/views.py says.

import * as boxes from "./boxes.js";
import * as cells from "./cells.js";
import * as lines from "./lines.js";
import * as pads from "./pads.js";
import * as points from "./points.js";
import * as rounds from "./rounds.js";

/** @param {Standing} standing @returns {Sheet} */
export function sheetOf(standing) {
  if (standing.lines) return lines.sheetOf();
  if (standing.pad) return pads.sheetOf();
  if (standing.tiles) return boxes.sheetOf();
  if (standing.letters) return rounds.sheetOf();
  return (standing.sheet || standing.figures_list ? cells : points).sheetOf(standing);
}

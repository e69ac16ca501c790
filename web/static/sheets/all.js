// The sheet that draws a game. The standing's keys tell which, so that a new game of a family needs nothing here.

import * as columns from "./columns.js";
import * as figures from "./figures.js";
import * as knaster from "./knaster.js";
import * as simple from "./simple.js";
import * as tenThousand from "./ten-thousand.js";

/**
 * @param {Standing} standing
 * @returns {Sheet}
 */
export function sheetOf(standing) {
  if (standing.sheet) return columns;
  if (standing.figures_list) return figures;
  if (standing.lines) return knaster;
  return standing.turn && "set_aside" in standing.turn ? tenThousand : simple;
}

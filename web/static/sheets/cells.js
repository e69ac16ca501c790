// The sheets of games that fill cells in turns.

import * as columns from "./columns.js";
import * as figures from "./figures.js";

/** @param {Standing} standing */
export const sheetOf = (standing) => (standing.sheet ? columns : figures);

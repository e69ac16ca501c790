// The sheet of a game in which all fill squares together.

import * as knaster from "./knaster.js";

export const sheetOf = () => knaster;

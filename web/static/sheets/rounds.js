// The sheet of a game in which one throw is for all who stand.

import * as skunk from "./skunk.js";

export const sheetOf = () => skunk;

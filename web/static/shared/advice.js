// Odds and best play beside the choices, if the table advises: what draws them, advising.js, is loaded then. Nothing is
// drawn before that.

/** @typedef {typeof import("./advising.js")} Advising */

/** @returns {any} */
const nothing = () => "";

/** @type {Omit<Advising, "choiceFor"> & { isThere: boolean }} */
export const advice = {
  isThere: false,
  request: nothing,
  current: () => null,
  marksBest: () => false,
  bestFirst: (_, entries) => entries,
  cost: nothing,
  choiceLine: nothing,
  keepAdvice: nothing,
  cellCost: nothing,
  openCellChance: nothing,
  bonusChance: nothing,
  spokenLoss: nothing,
  spokenCost: nothing,
  bestChoices: nothing,
  notice: nothing,
  lossOfLastStep: nothing,
};

/** Takes what draws advice. @param {Advising} loaded */
export const use = (loaded) => Object.assign(advice, loaded, { isThere: true });

// Odds and best play beside the choices, if the table advises: what draws them, advising.js, is loaded then. Nothing is
// drawn before that.

/** @type {typeof import("./advising.js") | null} */
let advising = null;

/** Takes what draws advice. @param {typeof import("./advising.js")} loaded */
export const use = (loaded) => (advising = loaded);

export const isThere = () => advising !== null;
/** @param {Page} ctx */
export const request = (ctx) => advising?.request(ctx);
/** @param {Context} ctx */
export const current = (ctx) => advising?.current(ctx) ?? null;
/** @param {Context} ctx */
export const marksBest = (ctx) => Boolean(advising?.marksBest(ctx));
/** @param {Context} ctx @param {Action[]} entries */
export const bestFirst = (ctx, entries) => advising?.bestFirst(ctx, entries) ?? entries;
/** @param {Context} ctx @param {Action} action */
export const cost = (ctx, action) => advising?.cost(ctx, action) ?? "";
/** @param {Context} ctx @param {Action} action */
export const choiceLine = (ctx, action) => advising?.choiceLine(ctx, action) ?? "";
/** @param {Context} ctx @param {number[] | null} dice */
export const keepAdvice = (ctx, dice) => advising?.keepAdvice(ctx, dice) ?? "";
/** @param {Context} ctx @param {Action} entry @param {number[] | null} dice */
export const cellCost = (ctx, entry, dice) => advising?.cellCost(ctx, entry, dice) ?? "";
/** @param {Context} ctx @param {string} category @param {number[] | null} dice */
export const openCellChance = (ctx, category, dice) => advising?.openCellChance(ctx, category, dice) ?? "";
/** @param {Context} ctx @param {number[] | null} dice */
export const bonusChance = (ctx, dice) => advising?.bonusChance(ctx, dice) ?? "";
/** @param {Context} ctx @param {Action} action */
export const spokenLoss = (ctx, action) => advising?.spokenLoss(ctx, action) ?? "";
/** @param {Context} ctx @param {Action} entry @param {number[] | null} dice */
export const spokenCost = (ctx, entry, dice) => advising?.spokenCost(ctx, entry, dice) ?? "";
/** @param {Context} ctx */
export const bestChoices = (ctx) => advising?.bestChoices(ctx) ?? "";
/** @param {Context} ctx */
export const notice = (ctx) => advising?.notice(ctx) ?? "";
/** @param {Context} ctx @param {RecentLine[]} lines */
export const lossOfLastStep = (ctx, lines) => advising?.lossOfLastStep(ctx, lines) ?? "";

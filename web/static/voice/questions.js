// What may be answered now from afar: the open question in words, and its few answers.

import { advice } from "../shared/advice.js";
import { offeredWays, wordsOfWay } from "../camera/watch.js";
import { cellInWords, mustWrite, rankedCells, shutWords, writeAction } from "../sheets/offers.js";
import { diceDue, mayActNow, spokenDice } from "../shared/sentences.js";
import { number, refusalSentence, t, tn } from "../shared/text.js";
import { joinSentences } from "./spoken.js";

const TOLD = 3; // so many cells are told at once
const MOST_ASKS = 2; // of the reader's reasons to ask, as the review shows

/**
 * What this phone was told of a question: `passed`: how often it was answered by no. `write`: at this version somebody
 * wants to write; `cells`: the order in which this version's cells were told, in which their numbers stay.
 * @param {Context} ctx @returns {AskedBefore}
 */
const askedBefore = ({ local }) => (local.askedBefore ??= { id: "", passed: 0, write: -1, cells: null });

/** How often the question of this id was answered by no. @param {Context} ctx @param {string} id */
const timesPassed = (ctx, id) => (askedBefore(ctx).id === id ? askedBefore(ctx).passed : 0);

/** Goes on to the next way, or the next cells, of the question of this id. @param {Context} ctx @param {string} id */
export function passOver(ctx, id) {
  Object.assign(askedBefore(ctx), { id, passed: timesPassed(ctx, id) + 1 });
}

/** Has the cells asked for though the dice may still be thrown; the second time, no longer. @param {Context} ctx */
export function wantToWrite(ctx) {
  const asked = askedBefore(ctx);
  asked.write = asked.write === ctx.state.version ? -1 : ctx.state.version;
}

/** The open question of a phone that may act, or what it may do now without being asked; null if there is nothing.
 * @param {Context} ctx @returns {OpenQuestion | null} */
export function openQuestion(ctx) {
  if (ctx.standing.over || ctx.state.closed || !mayActNow(ctx)) return null;
  const found = wayQuestion(ctx) ?? photoQuestion(ctx) ?? cellQuestion(ctx) ?? refusal(ctx) ?? offer(ctx);
  return found && { spoken: found.words, ...found, version: ctx.state.version };
}

/** The answer of this kind; null if the question has none.
 * @param {OpenQuestion | null} question @param {AnswerKind} kind */
export const answerOf = (question, kind) =>
  question?.answers.find((answer) => answer.kind === kind || answer.also === kind) ?? null;

/** @param {Action[]} actions */
const wayInWords = (actions) =>
  joinSentences(wordsOfWay(actions, (words, dice) => (dice ? `${words} ${spokenDice(dice)}` : words)));

/** Of what the camera proposes: the likeliest way that nobody has said no to. @param {Context} ctx */
function wayQuestion(ctx) {
  const { watched } = ctx.state;
  const ways = offeredWays(ctx.state);
  if (!watched || !ways.length) return null;
  const passed = timesPassed(ctx, watched.id ?? "");
  const id = `${watched.id} ${passed}`;
  if (passed >= ways.length) return { id, words: t("Change the dice on the phone."), answers: [lookAgain()] };
  const asked = passed ? t("Or this?") : watched.question ? refusalSentence(watched.question) : "";
  const words = joinSentences([asked, wayInWords(ways[passed]), asked.endsWith("?") ? "" : t("Right?")]);
  /** @type {Answer} */
  const yes = { kind: "yes", words: t("Yes"), does: "choose-way", argument: passed };
  if (ways[passed].some((action) => action.do === "bank")) yes.also = "bank";
  /** @type {Answer} */
  const no = { kind: "no", words: t("No"), does: "next", argument: watched.id };
  return { id, words, spoken: asked ? words : "", answers: [yes, no] }; // the dice of a certain throw are said already
}

/** @returns {Answer} */
const lookAgain = () => ({ kind: "again", words: t("Look again"), does: "look-again" });

/** Of a photo that this phone took. What is wrong in it is corrected by hand. @param {Context} ctx */
function photoQuestion(ctx) {
  const { pending } = ctx.state;
  if (pending?.status !== "read" || pending.source === "watch" || pending.device !== ctx.setup.device) return null;
  const surplus = pending.dice.length - diceDue(ctx, pending.dice.length);
  const doubts = pending.dice.filter(({ sure }) => !sure).length;
  const wrong =
    surplus < 0
      ? tn("{count} die is missing", "{count} dice are missing", -surplus)
      : surplus > 0
        ? tn("{count} die too many", "{count} dice too many", surplus)
        : "";
  const doubtful = doubts ? tn("{count} doubtful", "{count} doubtful", doubts) : "";
  const asks = surplus || doubts ? (pending.asks || []).slice(0, MOST_ASKS).map(refusalSentence) : [];
  const isClear = !surplus && doubts < pending.dice.length;
  /** @type {Answer[]} */
  const answers = isClear ? [{ kind: "yes", words: t("Yes"), does: "confirm-photo" }] : [];
  answers.push({ kind: "no", words: t("Discard"), does: "discard", argument: pending.id });
  return {
    id: pending.id,
    words: joinSentences([
      spokenDice(pending.dice.map(({ value }) => value)),
      wrong,
      doubtful,
      ...asks,
      isClear ? t("Right?") : t("Change the dice on the phone."),
    ]),
    answers,
  };
}

/** Which cell is to be written: three at a time, the best first; no goes on to the next three. @param {Context} ctx */
function cellQuestion(ctx) {
  const { standing, state } = ctx;
  const isLast = mustWrite(ctx);
  if (!isLast && askedBefore(ctx).write !== state.version) return null;
  const cells = cellsInOrder(ctx, isLast);
  if (!cells?.length) return null;
  const key = `cells ${state.version}`;
  const passed = timesPassed(ctx, key);
  const first = (passed * TOLD) % (Math.ceil(cells.length / TOLD) * TOLD);
  const group = cells.slice(first, first + TOLD);
  const before = state.watched?.refused?.reason === "write-first" ? refusalSentence(state.watched.refused) : "";
  /** @type {Answer[]} */
  const answers = group.map((entry) => ({
    kind: "choice",
    words: cellInWords(ctx, entry),
    does: "act",
    argument: writeAction(entry),
  }));
  const said = answers.map(({ words }, i) => `${i + 1}: ${words}`);
  if (cells.length > TOLD) answers.push({ kind: "no", words: t("Others"), does: "next", argument: key });
  return {
    id: `${key} ${passed}`,
    words: before || t("Where to write?"),
    spoken: joinSentences([before, ...said]),
    answers: [...answers, ...passAnswer(standing)],
  };
}

/**
 * The cells in the order in which this version's were told. Null until the advice, which ranks them, is there, unless
 * somebody wants to write.
 * @param {Context} ctx @param {boolean} all
 */
function cellsInOrder(ctx, all) {
  const asked = askedBefore(ctx);
  const { version, settings } = ctx.state;
  if (asked.cells?.version === version) return asked.cells.order;
  if (settings.advice === "best" && !advice.current(ctx) && asked.write !== version) return null;
  asked.cells = { version, order: rankedCells(ctx, all) };
  return asked.cells.order;
}

/** @returns {Answer[]} @param {Standing} standing */
const passAnswer = ({ legal }) =>
  legal.some((entry) => entry.do === "pass")
    ? [{ kind: "pass", words: t("Pass"), does: "act", argument: { do: "pass" } }]
    : [];

/** @returns {Answer[]} @param {Standing} standing */
const shutAnswers = ({ legal }) =>
  legal
    .filter((entry) => entry.do === "shut")
    .map(({ tiles }) => ({ kind: "choice", words: shutWords(tiles), does: "act", argument: { do: "shut", tiles } }));

/** What the camera saw and no rule allows: hands put it right. @param {Context} ctx */
function refusal(ctx) {
  const { watched } = ctx.state;
  const asked = watched?.question || watched?.refused;
  if (!asked) return null;
  const words = refusalSentence(asked);
  return { id: `${watched.id ?? ""} ${words}`, words, answers: [lookAgain(), ...(offer(ctx)?.answers ?? [])] };
}

/** What may be done now without being asked: bank, write before the last throw, or pass. @param {Context} ctx */
function offer({ standing, state }) {
  const bank = standing.legal.find((entry) => entry.do === "bank");
  /** @type {Answer[]} */
  const answers = [...passAnswer(standing), ...shutAnswers(standing)];
  if (bank) {
    const words = t("Bank {points}", { points: number(bank.points) });
    answers.unshift({ kind: "bank", words, does: "act", argument: { do: "bank" } });
  } else if (standing.legal.some((entry) => entry.do === "score"))
    answers.unshift({ kind: "bank", words: t("Write on the sheet"), does: "write" });
  return answers.length ? { id: `offer ${state.version}`, words: "", answers } : null;
}

// Odds and best play beside the choices. Advice is requested apart from the state: the page never waits for it.

import { button } from "./buttons.js";
import { html } from "./dom.js";
import { diceRow } from "./dice.js";
import { icon } from "./icons.js";
import { capitalize, decimal, percent, t } from "./text.js";
import { categoryTitle, phraseFor, title as titleOf } from "./sentences.js";

const AGAIN_MS = 3000; // until advice that did not come is requested again
const SHOWN_CHANCES = 5; // under the dice; the sheet has them all
const USUAL = 3; // up to so many chances are told in the order in which they come
const SHOWN_CHOICES = 3;
/** @type {Record<string, number>} */
const LEAST = { win: 0.0005, turns: 0.05, points: 0.05 }; // a smaller loss is shown as none

/** What this page knows: `key` of the advice that was requested last, its `answer`, and the `timer` of the next try.
 * @param {Context} ctx @returns {AdviceState} */
const adviceOf = ({ local }) => (local.adviceState ??= { key: "", answer: null, timer: 0 });

/** @param {Context} ctx */
const requestKey = ({ state, shownPlayer }) => `${state.version} ${state.settings.advice} ${shownPlayer}`;

/** Requests the advice for this state, once; the page is drawn again when it is there. @param {Page} ctx */
export function request(ctx) {
  const { state, standing } = ctx;
  const advice = adviceOf(ctx);
  if (state.settings.advice === "off" || standing.over || advice.key === requestKey(ctx)) return;
  advice.key = requestKey(ctx);
  fetchAdvice(ctx, advice, advice.key);
}

/** @param {Page} ctx @param {AdviceState} advice @param {string} key */
async function fetchAdvice(ctx, advice, key) {
  let again = AGAIN_MS / 1000;
  try {
    const answer = await ctx.table().get(`advice${ctx.shownPlayer === null ? "" : `?player=${ctx.shownPlayer}`}`);
    if (advice.key !== key) return;
    // An answer of which the best play is still being worked out may have nothing to show.
    if (answer.again === null || answer.choices.length || answer.without) advice.answer = answer;
    again = answer.again ?? (answer.version < ctx.state.version ? AGAIN_MS / 1000 : null);
    ctx.draw();
  } catch {
    // The game goes on without advice, which is requested again.
  }
  if (again === null || advice.key !== key) return;
  clearTimeout(advice.timer);
  advice.timer = setTimeout(() => {
    if (advice.key === key) fetchAdvice(ctx, advice, key);
  }, 1000 * again);
}

/** The advice for what is shown now, or null. @param {Context} ctx @returns {TableAdvice | null} */
export function current(ctx) {
  const { state, shownPlayer } = ctx;
  const { answer } = adviceOf(ctx);
  if (
    !answer ||
    state.settings.advice === "off" ||
    answer.version !== state.version ||
    answer.mode !== state.settings.advice
  )
    return null;
  return shownPlayer === null || shownPlayer === answer.player ? answer : null;
}

/** Whether best play is marked, so that nothing else should look like it. @param {Context} ctx */
export const marksBest = (ctx) => current(ctx)?.mode === "best" && current(ctx)?.unit !== null;

/** @param {Action} one @param {Action} other */
const isSameAction = (one, other) => JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));

/** The fields that identify an action, without what `legal` adds to them, dice in order. @param {Action} action */
function comparable({ do: verb, dice, category, column, player, cell, line, cells, tiles }) {
  return [
    verb,
    verb === "throw" ? null : dice && [...dice].sort((a, b) => a - b),
    category,
    column || 1,
    player,
    cell,
    line,
    cells && cells.map(String).sort(),
    tiles && [...tiles].sort((a, b) => a - b),
  ];
}

/** The advice on an action (an entry of `legal`, or as in a record): {action, odds, loss}, or null.
 * @param {Context} ctx @param {Action} action */
export const choiceFor = (ctx, action) =>
  current(ctx)?.choices.find((choice) => isSameAction(choice.action, action)) ?? null;

/** @param {Context} ctx @param {AdvisedChoice} choice */
const isBest = (ctx, { loss = Infinity }) => loss < LEAST[current(ctx)?.unit ?? ""];

/** The entries with best play first, if one of them is; the others keep their order.
 * @param {Context} ctx @param {Action[]} entries of `legal` */
export function bestFirst(ctx, entries) {
  if (!marksBest(ctx)) return entries;
  const best = entries.find((entry) => {
    const choice = choiceFor(ctx, entry);
    return choice?.loss !== undefined && isBest(ctx, choice);
  });
  return best ? [best, ...entries.filter((entry) => entry !== best)] : entries;
}

/** The loss of a choice against the best one, in words; "" if only odds are shown.
 * @param {Context} ctx @param {AdvisedChoice | null} choice */
function costWords(ctx, choice) {
  const advice = current(ctx);
  if (!choice || advice?.mode !== "best" || choice.loss === undefined) return "";
  return isBest(ctx, choice) ? t("best play") : lossWords(advice.unit, choice.loss);
}

/** Such words, with a star if the choice is best play.
 * @param {Context} ctx @param {AdvisedChoice} choice @param {string} words */
const shownCost = (ctx, choice, words) =>
  html`<strong class="${isBest(ctx, choice) && "best-play"}">${isBest(ctx, choice) && icon("star")}${words}</strong>`;

/** @param {TableAdvice["unit"]} unit @param {number} loss */
function lossWords(unit, loss) {
  if (unit === "win") return t("chance to win {percent} less", { percent: percent(loss) });
  return unit === "turns"
    ? t("{number} turns more", { number: decimal(loss) })
    : t("{number} points less", { number: decimal(loss) });
}

/** The loss of an action as a star or a number, with its words for screen readers.
 * @param {Context} ctx @param {Action} action */
export function cost(ctx, action) {
  const choice = choiceFor(ctx, action);
  const words = costWords(ctx, choice);
  if (!choice || !words) return "";
  const { loss = 0 } = choice;
  const sign = isBest(ctx, choice)
    ? icon("star")
    : `\u2212${current(ctx)?.unit === "win" ? percent(loss) : decimal(loss)}`;
  return html`<small class="cost ${isBest(ctx, choice) && "best-play"}"
    ><span aria-hidden="true">${sign}</span><span class="hidden">${words}</span></small
  >`;
}

const BONUS = "upper-bonus"; // a chance over the whole game; all others are within the turn

/** @type {Record<string, (standing: Standing) => string>} */
const NAMES = {
  bust: () => t("bust"),
  "all-lost": () => t("all points are lost"),
  score: () => t("something scores"),
  bank: () => t("may be banked"),
  target: () => t("the target"),
  six: () => t("a six"),
  lead: () => t("the best turn so far"),
  tie: () => t("as good as the best turn"),
  circle: () => t("a circle"),
  line: () => t("a line"),
  [BONUS]: ({ sheet }) => t("the {points}, if you play for it", { points: sheet.upper_threshold }),
  "upper-bonus-now": () => t("upper bonus in this turn"),
};

const FACES_SUM = 21; // 1 + … + 6: an upper threshold of 63 is three of each face

/** The name of a chance: one of NAMES, or a cell. An upper cell has the number of dice that it counts from.
 * @param {Context} ctx @param {string} name */
function chanceName(ctx, name) {
  const { setup, standing } = ctx;
  const { sheet } = standing;
  if (setup.sentences.titles.chance?.[name]) return titleOf(ctx, "chance", name);
  if (!sheet?.titles[name] && NAMES[name]) return NAMES[name](standing);
  const title = categoryTitle(ctx, name);
  return sheet?.upper.includes(name) ? `${title} (${Math.ceil(sheet.upper_threshold / FACES_SUM)}+)` : title;
}

/** The chances that are worth a word. Left out are impossible ones, "score" beside "bust", and "bank" if it is certain.
 * @param {Record<string, number>} odds */
const notableChances = (odds) =>
  Object.entries(odds).filter(
    ([name, chance]) => chance > 0 && !(name === "score" && "bust" in odds) && !(name === "bank" && chance === 1),
  );

/** The greatest chances of the turn, the greatest first, and after them the chance of the bonus.
 * @param {[string, number][]} listed */
function greatestChances(listed) {
  const ofTurn = listed.filter(([name]) => name !== BONUS).sort(([, one], [, other]) => other - one);
  return [...ofTurn.slice(0, SHOWN_CHANCES), ...listed.filter(([name]) => name === BONUS)];
}

/** Chances by name, the greatest few. @param {Context} ctx @param {Record<string, number>} odds */
function chances(ctx, odds) {
  const listed = greatestChances(notableChances(odds));
  return listed.length
    ? html`<ul class="chances" aria-label="${t("Chances")}">
        ${listed.map(
          ([name, chance]) =>
            html`<li><span>${capitalize(chanceName(ctx, name))}</span> <strong>${percent(chance)}</strong></li>`,
        )}
      </ul>`
    : "";
}

/** Chances in one line, such as "bust 33 %  may be banked 66 %", which breaks only between them; "" without any.
 * @param {Context} ctx @param {Record<string, number>} odds */
function chanceWords(ctx, odds) {
  const notable = notableChances(odds);
  const listed = notable.length > USUAL ? greatestChances(notable) : notable;
  if (!listed.length) return "";
  const lead = "circle" in odds ? `${t("next throw:")} ` : ""; // these odds are not of the choice itself
  return html`${lead}${listed.map(
    ([name, chance]) => html`<span class="whole chance">${chanceName(ctx, name)} <b>${percent(chance)}</b></span> `,
  )}`;
}

/** A line for a choice: its chances and what it costs. @param {Context} ctx @param {Action} action */
export function choiceLine(ctx, action) {
  const choice = choiceFor(ctx, action);
  if (!choice) return "";
  const words = costWords(ctx, choice);
  const odds = chanceWords(ctx, choice.odds);
  return odds || words
    ? html`<span class="advised">${words && shownCost(ctx, choice, words)}${words && odds && " "}${odds}</span>`
    : "";
}

/** Under the dice: the chances after keeping the marked ones, and what keeping them costs.
 * @param {Context} ctx @param {number[] | null} dice */
export function keepAdvice(ctx, dice) {
  const choice = dice && choiceFor(ctx, { do: "keep", dice });
  if (!choice) return "";
  const words = costWords(ctx, choice);
  return html`<div class="advised keeping" data-key="keeping">
    <p>
      ${dice.length ? html`${t("Keeping")} ${diceRow(dice, "small")}` : t("Throwing all again")}${words &&
      html` ${shownCost(ctx, choice, words)}`}
    </p>
    ${chances(ctx, choice.odds)}
  </div>`;
}

/** The chances of the open cells: if these dice are kept, or of the next throw; {} without any.
 * @param {Context} ctx @param {number[] | null} dice @returns {Record<string, number>} */
function oddsOf(ctx, dice) {
  if (dice) return choiceFor(ctx, { do: "keep", dice })?.odds ?? {};
  const advice = current(ctx);
  return advice?.choices.find(({ action }) => action.do === "throw")?.odds ?? advice?.odds ?? {};
}

/** For a cell of the sheet: the cost of writing there, or its chance if the marked dice are kept.
 * @param {Context} ctx @param {Action} entry @param {number[] | null} dice */
export function cellCost(ctx, entry, dice) {
  return marksBest(ctx) ? cost(ctx, entry) : openCellChance(ctx, entry.category, dice);
}

/** For an open cell in which nothing may be written yet: its chance.
 * @param {Context} ctx @param {string} category @param {number[] | null} dice */
export function openCellChance(ctx, category, dice) {
  const chance = oddsOf(ctx, dice)[category];
  return chance === undefined ? "" : html`<small class="cost">${percent(chance)}</small>`;
}

/** For the bonus of a sheet: its chance after writing the chosen cell, else with the marked dice or the next throw.
 * @param {Context} ctx @param {number[] | null} dice */
export function bonusChance(ctx, dice) {
  const { cell } = ctx.local.sheet;
  const chance = (cell ? choiceFor(ctx, cell)?.odds : oddsOf(ctx, dice))?.[BONUS];
  return chance === undefined
    ? ""
    : html`<small class="cost"><span class="hidden">${chanceName(ctx, BONUS)}: </span>${percent(chance)}</small>`;
}

/** `cost` as the end of a sentence, for screen readers. @param {Context} ctx @param {Action} action */
export function spokenLoss(ctx, action) {
  const words = costWords(ctx, choiceFor(ctx, action));
  return words && `, ${words}`;
}

/** `cellCost` as the end of a sentence, for screen readers.
 * @param {Context} ctx @param {Action} entry @param {number[] | null} dice */
export function spokenCost(ctx, entry, dice) {
  const chance = oddsOf(ctx, dice)[entry.category];
  const loss = spokenLoss(ctx, entry);
  if (loss) return loss;
  return chance === undefined ? "" : `, ${t("{percent} with the marked dice", { percent: percent(chance) })}`;
}

/** The best few choices, each done with one tap; with odds alone, the chances of throwing on. @param {Context} ctx */
export function bestChoices(ctx) {
  const advice = current(ctx);
  if (!advice) return "";
  if (!advice.choices.length) return html`${chances(ctx, advice.odds)}${valueSentence(ctx, advice)}`;
  if (!marksBest(ctx)) return throwChances(ctx, advice);
  const sorted = advice.choices
    .filter((choice) => choice.loss !== undefined)
    .sort(({ loss: a = 0 }, { loss: b = 0 }) => a - b)
    .slice(0, SHOWN_CHOICES);
  return html`<ol class="advised-choices" aria-label="${t("Best play")}">
      ${sorted.map((choice) => html`<li>${choiceButton(ctx, choice)}</li>`)}
    </ol>
    ${valueSentence(ctx, advice)}`;
}

/** One of the best few. A throw is made with dice, not with a tap, but another number of dice can be chosen.
 * @param {Context} ctx @param {AdvisedChoice} choice */
function choiceButton(ctx, choice) {
  const odds = isOnDice(choice.action) ? "" : chanceWords(ctx, choice.odds);
  const inside = html`<span class="what"
      >${isBest(ctx, choice) && icon("star")}${phraseFor(ctx, choice.action, "offer")}</span
    >
    <span class="cost ${isBest(ctx, choice) && "best-play"}">${costWords(ctx, choice)}</span>${odds &&
    html`<span class="odds">${odds}</span>`}`;
  const { do: kind, count } = choice.action;
  if (kind === "throw" && count === ctx.standing.turn.expects) return html`<div class="offered">${inside}</div>`;
  const arg = kind === "throw" ? { do: "choose", count } : choice.action;
  return button("offered", "advised", inside, { arg, more: ctx.idle });
}

/** Whether an action chooses dice: the chances are then shown beside the dice. @param {Action} action */
const isOnDice = (action) => action.do === "keep" || action.do === "set-aside";

/** With odds alone: the chances of throwing on beside banking. @param {Context} ctx @param {TableAdvice} advice */
function throwChances(ctx, advice) {
  const thrown = advice.choices.find((choice) => choice.action.do === "throw");
  return thrown ? chances(ctx, thrown.odds) : "";
}

/** The value of the game to the player with best play, in a sentence. @param {Context} ctx @param {any} advice */
function valueSentence(ctx, { mode, unit, value, exact, player }) {
  if (mode !== "best" || value === null) return "";
  const name = ctx.name(player);
  const amount = (/** @type {string} */ words) => (exact ? words : t("about {number}", { number: words }));
  /** @type {Record<string, () => string>} */
  const texts = {
    win: () => t("{name} wins with a chance of {percent}.", { name, percent: amount(percent(value)) }),
    turns: () => t("{name} needs {number} more turns on average.", { name, number: amount(decimal(-value)) }),
    points: () => t("{name} comes to {number} points on average.", { name, number: amount(decimal(value)) }),
  };
  return html`<p class="soft worth">${texts[unit]()}</p>`;
}

const REASONS = {
  players: () => t("Players joined, left or changed places: only odds are shown."),
  solving: () => t("Best play with these house rules is being worked out; only odds are shown until then."),
  failed: () => t("Best play with these house rules could not be worked out: only odds are shown."),
  computer: () => t("Best play is worked out on a computer only."),
  memory: () => t("The computer has not enough free memory for best play: only odds are shown."),
};

/** Why there is no best play, in one sentence. @param {Context} ctx */
export function notice(ctx) {
  const advice = current(ctx);
  return advice?.without && advice.mode === "best" ? html`<p class="hint">${REASONS[advice.without]()}</p>` : "";
}

/**
 * The loss of a lone player's last choice against best play; "" if it is not known. `lines`: the log's, since the state
 * before. Must be called before the next advice is requested.
 * @param {Context} ctx @param {RecentLine[]} lines
 */
export function lossOfLastStep(ctx, lines) {
  const [line] = lines;
  const { answer } = adviceOf(ctx);
  if (!answer || ctx.standing.players.length > 1 || ctx.state.settings.advice === "off" || answer.unit === null)
    return "";
  if (!line || line.kind !== "do" || answer.version !== line.seq - 1 || answer.choices.length < 2) return "";
  const choice = answer.choices.find((each) => isSameAction(each.action, line.body.do));
  if (choice?.loss === undefined) return "";
  if (choice.loss < LEAST[answer.unit]) return t("best play");
  if (answer.unit === "points") return t("{number} worse than best", { number: decimal(choice.loss) });
  return t("{loss} than best play", { loss: lossWords(answer.unit, choice.loss) });
}

// Skunk: one throw for all. Who has enough sits down; whoever throws again says that the others stand.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { diceRow } from "../shared/dice.js";
import { playerMark } from "../shared/icons.js";
import { joinNames, number, plus, t, tn } from "../shared/text.js";
import * as adjustments from "./adjustments.js";
import { actButton, throwDue } from "./offers.js";
import { addedTo, turnRow, turnsTable } from "./ten-thousand.js";
import { askWhose, handlers as bindingHandlers } from "./whose.js";

export { preview, handlers };

const SHOWN_NAMES = 3; // in the heading; the list of players has all

/** Whether this phone acts for one player alone. @param {Context} ctx */
const isOwn = (ctx) => ctx.playsFor !== null || ctx.standing.order.length === 1;

/** The player for whom this phone is advised. @param {Context} ctx */
export const shownPlayer = (ctx) => ctx.playsFor ?? ctx.standing.to_act[0] ?? null;

/** @param {Context} ctx */
export function heading(ctx) {
  const { to_act: stand, turn: now } = ctx.standing;
  if (!now.throw.length) return t("Everybody stands for the first throw");
  if (stand.length > SHOWN_NAMES) return tn("{count} player stands", "{count} players stand", stand.length);
  return tn("{names} stands", "{names} stand", stand.length, { names: joinNames(stand.map(ctx.name)) });
}

/** Whether a player stands, in a word. @param {Context} ctx @param {Player} player @param {number} who */
export const belowScore = (ctx, player, who) =>
  player.out || ctx.standing.over ? "" : html`<span class="soft small-line">${placeWords(ctx, player, who)}</span>`;

/** @param {Context} ctx @param {Player} player */
export const playerDetails = (ctx, player) => belowScore(ctx, player, ctx.standing.players.indexOf(player));

/** @param {Context} ctx @param {Player} player @param {number} who */
function placeWords({ standing }, player, who) {
  if (standing.to_act.includes(who)) return t("stands");
  if (player.joining) return t("from the next round on");
  return t("sits with {points}", { points: number(player.kept ?? 0) });
}

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now } = ctx.standing;
  return html`${askWhose(ctx)} ${notes(ctx)}
    <div class="stake">
      ${now.throw.length
        ? html`<p>
            <span class="big">${number(now.points)}</span> <span class="soft">${t("for all who stand")}</span>
          </p>`
        : ""}
    </div>
    ${throwDue(ctx, now.expects, now.throw.length ? diceRow(now.throw, "small") : "")}
    ${isOwn(ctx) ? "" : sitChoices(ctx, "act")} ${advice.bestChoices(ctx)}`;
}

/** Which round it is, also on the board. @param {Context} ctx */
export function notes({ standing: { letters, round } }) {
  const words = t("Round {round} of {rounds}", { round, rounds: letters.length });
  const letter = letters[round - 1];
  return html`<p class="soft">${words}${letter === String(round) ? "" : html`: <strong>${letter}</strong>`}</p>`;
}

/** Buttons with which those for whom this phone acts sit down. @param {Context} ctx @param {string} act */
function sitChoices(ctx, act) {
  const entries = ctx.standing.legal.filter((entry) => entry.do === "sit" && ctx.mayAct(entry.player));
  if (!entries.length) return "";
  const words = t("Sit down with {points}", { points: number(entries[0].points) });
  return html`<div class="sits" role="group" aria-labelledby="sits">
    <p class="hint" id="sits">${words}:</p>
    <div class="chips">
      ${entries.map((entry) => {
        const action = { do: "sit", player: entry.player };
        return button("chip", act, html`${playerMark(entry.player)}${ctx.name(entry.player)}`, {
          arg: act === "act" ? action : [action],
          key: `sit${entry.player}`,
          beside: advice.cost(ctx, entry),
          more: ctx.idle,
        });
      })}
    </div>
  </div>`;
}

/** For a throw that waits to be confirmed: one tap tells it and has a player sit down. @param {Context} ctx */
const preview = (ctx) => sitChoices(ctx, "review-choice");

/** @param {Context} ctx */
export function actions(ctx) {
  const sit = ctx.standing.legal.find((entry) => entry.do === "sit" && ctx.mayAct(entry.player));
  if (!sit || !isOwn(ctx)) return null;
  const words = t("Sit down with {points}", { points: number(sit.points) });
  return actButton(ctx, words, { do: "sit", player: sit.player }, sit);
}

/** @param {Context} ctx */
export function sheet(ctx) {
  const { letters, players, round, over } = ctx.standing;
  const totals = players.map(() => 0);
  const rows = letters.map((letter, i) => {
    const cells = players.map((player, who) => {
      const points = player.turns[i] ?? (i === round - 1 && !over ? player.kept : null) ?? null;
      if (points === null) return html`<td></td>`;
      totals[who] += points;
      const whose = t("Round {round}, {name}", { round: letter, name: player.name });
      const words = `${whose}: ${points ? plus(points) : t("nothing")}`;
      const byHand = (player.adjusted ?? []).some((each) => each.what === "cell" && each.round === i + 1);
      const shown = html`${addedTo(points ? plus(points) : "–", totals[who])}${byHand && adjustments.pencil()}`;
      return html`<td class="${!(points > 0) && "none"} ${player.out && "out"}">
        ${adjustments.cellButton(ctx, who, { round: i + 1 }, words, shown)}
      </td>`;
    });
    return turnRow(i, cells, letter);
  });
  return turnsTable(ctx, rows);
}

/** @param {Page} ctx @returns {Handlers} */
const handlers = (ctx) => ({
  ...bindingHandlers(ctx),
  advised: (action, _, { detail }) => (detail > 1 || action.do === "throw" ? false : ctx.act(action)),
});

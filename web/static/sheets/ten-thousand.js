// The sheet of games whose points grow until they are banked: totals, the running turn, and every set-aside.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html, saidAs } from "../shared/dom.js";
import { die, diceRow } from "../shared/dice.js";
import { icon } from "../shared/icons.js";
import { joinNames, number, plus, refusalSentence, t, tn } from "../shared/text.js";
import { isFresh } from "../shared/sentences.js";
import * as adjustments from "./adjustments.js";
import { scroller } from "./grid.js";
import { actButton, afterwards, throwDue } from "./offers.js";
import { byHandRow, teamLine } from "./totals.js";

const SHOWN_CHOICES = 8; // the others show after a tap
const SENSIBLE = 3; // choices in a review that are large

/** @param {Context} ctx @param {Player} player @returns {Content} */
export function belowScore(ctx, player) {
  return html`${progress(ctx, player)}${player.busts > 0 && playerDetails(ctx, player)}`;
}

/** A player's points of the running round, where rounds are won; "" in other games.
 * @param {Context} ctx @param {Player} player */
export function roundPoints({ standing }, player) {
  const { round_target: target, rounds_won: winners } = standing;
  if (!winners || !player.round_points) return teamLine(player);
  const points = number(pointsOfRound(standing, player));
  return html`${teamLine(player)}<span class="soft small-line round"
      >${target
        ? t("{points} of {target}", { points, target: number(target) })
        : t("this round {points}", { points })}</span
    >`;
}

/** The points of a player, or of his team, in the running round. @param {any} standing @param {Player} player */
function pointsOfRound({ players, rounds_won: { length: round } }, player) {
  const isIn = (/** @type {any} */ other) => other === player || (other.team ?? -1) === player.team;
  return sum(players.filter(isIn).flatMap((/** @type {any} */ each) => each.round_points[round] ?? []));
}

/** How near a player is to the target of the game, or of the running round.
 * @param {Context} ctx @param {Player} player */
export function progress(ctx, player) {
  const { options, round_target: roundTarget, rounds_won: winners } = ctx.standing;
  const target = roundTarget ?? options.target;
  const words = winners
    ? roundPoints(ctx, player)
    : html`<span class="soft small-line">${t("of {target}", { target: number(target) })}</span>`;
  if (!target) return winners ? words : teamLine(player);
  const points = roundTarget ? pointsOfRound(ctx.standing, player) : player.score;
  const part = Math.max(0, Math.min(100, Math.round((100 * points) / target)));
  return html`<svg class="progress" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="3" />
      <rect class="part" width="${part}" height="3" /></svg
    >${words}`;
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now, legal } = ctx.standing;
  const choices = legal.filter((entry) => entry.do === "set-aside");
  const aside = diceAside(now);
  return html` ${notes(ctx)}
    <div class="stake">
      <p><span class="big">${number(now.points)}</span> <span class="soft">${t("this turn")}</span></p>
    </div>
    ${choices.length
      ? html`<div class="thrown">${throwToTap(ctx, now)}${aside}</div>
          ${chooseFrom(ctx, choices, now)}`
      : html`${throwDue(ctx, now.expects, aside)}${takeOver(ctx)}${bankHint(now)}${advice.bestChoices(ctx)}`}`;
}

/** What is to be known of this turn, also on the board. @param {Context} ctx */
export const notes = (ctx) => html`${lastRound(ctx)} ${tied(ctx)} ${warning(ctx.standing.turn)}`;

/** The dice that were set aside in this turn. @param {any} now */
export function diceAside(now) {
  const sets = [now.beside || [], ...(now.set_aside || [])].filter((dice) => dice.length);
  return sets.length
    ? html`<span class="aside"
        >${icon("check")}<span class="hidden">${t("Aside")}</span> ${sets.map((dice) => diceRow(dice, "small"))}</span
      >`
    : "";
}

/** The dice and the points that the player before left, as something to choose instead of throwing all dice.
 * @param {Context} ctx */
function takeOver(ctx) {
  const offer = ctx.standing.legal.find((entry) => entry.do === "take-over");
  if (!offer) return "";
  const { points, dice_left: count, beside } = offer;
  return html`<ul class="choices" aria-label="${t("Take over")}">
    <li data-key="take-over">
      ${button(
        "choice",
        "act",
        html`<span class="what"
            ><span>${t("Take over")} ${diceRow(beside, "small")}</span><span class="gives">${plus(points)}</span></span
          >
          <span class="then">${afterwards(count)}</span>`,
        { arg: { do: "take-over" }, more: ctx.idle },
      )}
    </li>
  </ul>`;
}

/** Says that the others have their last turns: a risk may be worth it. @param {Context} ctx */
export function lastRound(ctx) {
  const { standing } = ctx;
  const { last_round: last } = standing;
  return last === null || last === undefined
    ? ""
    : html`<p class="last-round">
        <strong>${t("Last turns")}</strong> ${tn(
          "{name} has {count} point.",
          "{name} has {count} points.",
          standing.players[last].score,
          { name: ctx.name(last) },
        )}
      </p>`;
}

/** Who throws again, as equal best ones of a round. @param {Context} ctx */
export function tied(ctx) {
  const { tied: players } = ctx.standing;
  if (!players?.length) return "";
  return html`<p class="hint strong">
    ${t("Equal: {names} throw again.", { names: joinNames(players.map(ctx.name)) })}
  </p>`;
}

/** Warns of the penalty for one more turn without points: it is a reason to bank early. @param {TurnView} now */
const warning = (now) =>
  now.penalty
    ? html`<p class="hint strong">
        ${tn(
          "Without points this turn costs {count} point.",
          "Without points this turn costs {count} points.",
          now.penalty,
        )}
      </p>`
    : "";

/** What the board and the printed sheet show of a player besides the score.
 * @param {Context} ctx @param {Player} player @returns {Content} */
export const playerDetails = (ctx, player) =>
  player.busts
    ? html`<span class="soft small-line"
        >${tn("{count} turn without points", "{count} turns without points", player.busts)}</span
      >`
    : roundPoints(ctx, player);

/** @param {TurnView} now */
function bankHint(now) {
  return now.bank_refusal && now.points ? html`<p class="hint">${refusalSentence(now.bank_refusal)}</p>` : "";
}

/** @param {number[]} dice */
const ascending = (dice) => [...dice].sort((a, b) => a - b);

/** The dice of the throw that were tapped, ascending. @param {Context} ctx @returns {number[]} */
const tappedDice = ({ local, standing }) =>
  ascending((local.sheet.taken || []).map((/** @type {number} */ i) => standing.turn.throw[i]));

/** Whether all of `dice` are among those of a choice. @param {number[]} dice @param {Action} choice */
function isPartOf(dice, choice) {
  const left = [...choice.dice];
  return dice.every((value) => left.includes(value) && left.splice(left.indexOf(value), 1));
}

/** The set-aside of exactly the tapped dice, if there is one. @param {Context} ctx */
export const tappedChoice = (ctx) =>
  ctx.standing.legal.find(
    (entry) => entry.do === "set-aside" && String(ascending(entry.dice)) === String(tappedDice(ctx)),
  );

/** The dice of the throw as buttons. @param {Context} ctx @param {TurnView} now */
export function throwToTap(ctx, { throw: dice }) {
  const tapped = ctx.local.sheet.taken || [];
  return html`<span class="dice" role="group" aria-label="${t("Tap the dice that you set aside.")}"
    >${dice.map((value, i) =>
      button("bare keepable", "take", die(value), {
        arg: i,
        key: `t${i}`,
        label: t("Set aside the {value}", { value }),
        pressed: tapped.includes(i),
        more: ctx.idle,
      }),
    )}</span
  >`;
}

/** @param {Context} ctx @param {Action[]} choices @param {TurnView} now */
function chooseFrom(ctx, choices, now) {
  const dice = tappedDice(ctx);
  /** @param {Action} choice */
  const exact = (choice) => (choice.dice.length === dice.length ? 0 : 1); // exactly the tapped dice come first
  const sorted = choices
    .filter((choice) => isPartOf(dice, choice))
    .sort((a, b) => (dice.length ? exact(a) - exact(b) : 0) || b.points - a.points || b.dice_left - a.dice_left);
  const listed = dice.length ? sorted : advice.bestFirst(ctx, sorted);
  const shown = ctx.local.sheet.all ? listed : listed.slice(0, SHOWN_CHOICES);
  const most = Math.max(...choices.map((choice) => choice.points));
  return html`${!sorted.length && html`<p class="hint" role="status">${t("These dice score nothing together.")}</p>`}
    <ul class="choices" aria-label="${t("Set aside")}">
      ${shown.map(
        (choice) =>
          html`<li data-key="${choice.dice.join("")}">
            ${button(
              "choice",
              "act",
              html`<span class="what"
                  >${diceRow(choice.dice, "small")}<span class="gives"
                    >${plus(choice.points)}${choice.points === most &&
                    !advice.marksBest(ctx) &&
                    html` <span class="best">${icon("star")}<small>${t("Most points")}</small></span>`}</span
                  ></span
                >
                <span class="then"
                  >${afterwards(choice.dice_left)} ·
                  ${choice.may_bank
                    ? html`<span class="may"
                        >${icon("check")}${t("may bank {points}", { points: number(now.points + choice.points) })}</span
                      >`
                    : whyNot(choice.bank_refusal)}</span
                >${advice.choiceLine(ctx, choice)}`,
              { arg: { do: "set-aside", dice: choice.dice }, more: ctx.idle },
            )}
          </li>`,
      )}
    </ul>
    ${shown.length < sorted.length &&
    button("quiet", "all-choices", tn("{count} more choice", "{count} more choices", sorted.length - shown.length))}`;
}

/** What a throw that waits to be confirmed allows; one tap does all of it. The first ones are the sensible ones.
 * @param {Context & {standing: any}} ctx */
export function preview({ standing }) {
  /** @type {ThrowChoice[]} */
  const choices = standing.choices;
  if (!choices.length) return "";
  return html`<ul class="choices" aria-label="${t("What the dice would bring")}">
    ${choices.map((choice, i) => {
      const { actions: then, points, dice_left: left } = choice;
      const banks = then.some((each) => each.do === "bank");
      const what = banks ? t("Bank {points}", { points: number(points) }) : t("Set aside");
      const words = html`<span class="what"
          ><span>${what} ${then.map(({ dice }) => dice && diceRow(dice, "small"))}</span>${!banks &&
          html`<span class="gives">${number(points)}</span>`}</span
        >${!banks && html`<span class="then">${afterwards(left)}</span>`}`;
      return html`<li data-key="c${i}">
        ${button(i < SENSIBLE ? "choice" : "choice further", "review-choice", words, { arg: then, key: `choice${i}` })}
      </li>`;
    })}
  </ul>`;
}

/** In a few words why a choice would not allow banking. The whole sentence shows once it is done.
 * @param {RefusalDocument | null} refusal */
function whyNot(refusal) {
  switch (refusal?.reason) {
    case "bank-needs-minimum":
    case "bank-needs-opening":
    case "bank-needs-confirming":
      return t("bank from {points}", { points: number(refusal.params.needed) });
    case "too-many-dice-left":
      return tn("bank with {count} die left at most", "bank with {count} dice left at most", refusal.params.allowed);
    case "confirm-first":
      return t("to be confirmed first");
    default:
      return refusal ? refusalSentence(refusal) : "";
  }
}

/** @param {Context} ctx */
export function actions(ctx) {
  const bank = ctx.standing.legal.find((entry) => entry.do === "bank");
  const choice = tappedChoice(ctx);
  if (choice) return setAsideButton(choice, html`${t("Set aside")} ${plus(choice.points)}`);
  if (ctx.standing.legal.some((entry) => entry.do === "set-aside"))
    return html`<p class="waiting">${t("Tap the dice that you set aside.")}</p>`;
  return bank ? bankButton(ctx, bank, t("Bank {points}", { points: number(bank.points) }), "primary bank") : null;
}

/** @type {(ctx: Context, bank: Action, words: string, kind: string) => Html} */
export const bankButton = (ctx, bank, words, kind) => actButton(ctx, words, { do: "bank" }, bank, kind);

/** The button that sets aside the dice that were tapped. @type {(choice: Action, words: Content) => Html} */
export const setAsideButton = ({ dice }, words) =>
  button("button primary", "act", words, { arg: { do: "set-aside", dice }, sign: "check" });

/** What was added, above the total that it makes. @param {string} added @param {number} total */
export const addedTo = (added, total) =>
  saidAs(
    t("{added}, {total} in total", { added, total: number(total) }),
    html`<span class="added">${added}</span><span class="total">${number(total)}</span>`,
  );

/** @param {Context} ctx */
export function sheet(ctx) {
  const { players } = ctx.standing;
  const winners = ctx.standing.rounds_won ?? ctx.standing.rounds_lost;
  if (winners) return turnsTable(ctx, roundRows(ctx, winners));
  const rounds = Math.max(...players.map((player) => player.turns.length));
  const totals = players.map(() => 0);
  const rows = Array.from({ length: rounds }, (_, round) => {
    const cells = players.map((player, i) => {
      const added = player.turns[round];
      if (added === undefined) return html`<td></td>`;
      totals[i] += added;
      const fresh = round === player.turns.length - 1 && isFresh(ctx, i);
      const bust = added <= 0 && "set_aside" in ctx.standing.turn && !adjustments.isMoved(player, round);
      const words = [bust ? t("bust") : added ? "" : ctx.standing.tiles ? "0" : "–", added ? plus(added) : ""]
        .filter(Boolean)
        .join(" ");
      return html`<td
        class="${!(added > 0) && "none"} ${bust && "bust"} ${players[i].out && "out"} ${fresh && "fresh"}"
      >
        ${addedTo(words, totals[i])}${adjustments.turnPencil(players[i], round)}
      </td>`;
    });
    return turnRow(round, cells);
  });
  return turnsTable(ctx, rows);
}

/** `title`: of the row, instead of its number. @param {number} round @param {Html[]} cells */
export const turnRow = (round, cells, title = /** @type {string | number} */ (round + 1)) =>
  html`<tr data-key="t${round}">
    <th scope="row">${title}</th>
    ${cells}
  </tr>`;

/**
 * A row for each round that is played for: what each player threw in it, and who won it. If points win rounds, these
 * have many turns, and the points of all of them show.
 * @param {Context} ctx @param {(number | number[])[]} winners
 */
function roundRows(ctx, winners) {
  const { players, round_target: target, lives } = ctx.standing;
  const rounds = Math.max(...players.map((player) => player.round_points.length));
  const turns = players.map(() => 0); // those before this round
  const won = players.map(() => lives ?? 0); // or the lives that are left
  return Array.from({ length: rounds }, (_, round) => {
    const cells = players.map((player, i) => {
      const thrown = player.round_points[round] ?? [];
      const isWinner = [winners[round]].flat().includes(i);
      won[i] += isWinner ? (lives ? -1 : 1) : 0;
      const hands = player.round_hands?.[round]?.map((dice) => dice.join("") || "–");
      const pencils = thrown.map((_, turn) => adjustments.turnPencil(player, turns[i] + turn));
      turns[i] += thrown.length;
      const fresh = round === rounds - 1 && isFresh(ctx, i);
      return html`<td class="${!isWinner && "none"} ${player.out && "out"} ${fresh && "fresh"}">
        ${isWinner &&
        html`${icon(lives ? "close" : "star")}<span class="hidden">${lives ? t("lost") : t("won")}</span>`}${addedTo(
          target && thrown.length ? number(sum(thrown)) : (hands ?? thrown.map(number)).join(" · "),
          won[i],
        )}${pencils}
      </td>`;
    });
    return turnRow(round, cells);
  });
}

/** The table of all turns; `rows`: the oldest first. @param {Context} ctx @param {Html[]} rows */
export function turnsTable({ standing: { players } }, rows) {
  const byHand = byHandRow(
    players,
    (player) => html`${addedTo(plus(player.adjusted_by ?? 0), player.score)}${adjustments.pencil()}`,
  );
  if (!rows.length && !byHand) return "";
  return scroller(
    html`<table class="turns ${players.length > 5 && "several"}">
      <thead>
        <tr>
          <th scope="col"><span class="hidden">${t("Turn")}</span></th>
          ${players.map(
            (player) => html`<th scope="col" class="${player.out && "out"}">${player.name} ${teamLine(player)}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}${byHand}
      </tbody>
    </table>`,
  );
}

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  // The second tap of a double tap was meant for the set-aside that stood here, as for `act`.
  advised: (action, _, { detail }) => (detail > 1 ? false : ctx.act(action)),
  take: (i) => {
    const before = ctx.local.sheet.taken || [];
    ctx.local.sheet.taken = before.includes(i)
      ? before.filter((/** @type {number} */ other) => other !== i)
      : [...before, i];
    ctx.draw();
  },
  "all-choices": () => {
    ctx.local.sheet.all = true;
    ctx.draw();
  },
});

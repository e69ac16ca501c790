// The end of a game, on phones and on the board: who won, how the ranking grew, the best throw, and what decided.

import { apiOf, at } from "./address.js";
import { button } from "./buttons.js";
import { mayBegin, usualOf } from "./beginners.js";
import { diceRow } from "./dice.js";
import { html } from "./dom.js";
import { shares } from "./ending-picture.js";
import { icon, playerMark } from "./icons.js";
import { fetchJson } from "./net.js";
import { pagePart } from "./page-part.js";
import { whoseTurn } from "./sentences.js";
import { number, plus, t } from "./text.js";

/** The first screen of the ending. @param {Context} ctx @param {Sheet} sheet */
export const ending = (ctx, sheet) =>
  html`<div class="ending">
    <div class="winners">
      ${icon("star")}
      <h2 tabindex="-1">${whoseTurn(ctx, sheet)}</h2>
    </div>
    ${ranking(ctx, sheet)}
    <div class="ending-course" data-key="course">${pagePart(ctx, "statistics")}</div>
    ${remembered(ctx)}
  </div>`;

/** Who came where; of one who played alone the score. @param {Context} ctx @param {Sheet} sheet */
function ranking(ctx, sheet) {
  const { players } = ctx.standing;
  const placed = players.map((player, who) => ({ player, who })).filter(({ player }) => !player.out);
  placed.sort((one, other) => Number(one.player.place) - Number(other.player.place));
  return html`<ol class="ranking ${placed.length > 6 && "many"}">
    ${placed.map(
      ({ player, who }) =>
        html`<li>
          <span class="place">${player.place}.</span> ${playerMark(who)} <span class="name">${player.name}</span>
          <span class="score">${sheet.score ? sheet.score(ctx, player) : number(player.score)}</span>
        </li>`,
    )}
  </ol>`;
}

/** The best throw, with its picture if there is one, and the turn that decided. @param {Context} ctx */
function remembered(ctx) {
  const found = foundOf(ctx);
  if (!found) return "";
  const { best, decided } = found;
  return html`<ul class="remembered">
    ${best &&
    html`<li data-key="best">
      ${best.picture !== undefined &&
      html`<img
        src="${apiOf(ctx.setup.base)}/pictures/${best.picture}"
        width="640"
        height="640"
        alt="${t("The picture of this throw is not there.")}"
      />`}
      <div>
        <h3>${t("The best throw")}</h3>
        <p>${diceRow(best.dice)}</p>
        <p><span class="name">${ctx.name(best.player)}</span> <strong class="whole">${plus(best.points)}</strong></p>
      </div>
    </li>`}
    ${decided &&
    html`<li data-key="decided">
      <div>
        <h3>${t("What decided")}</h3>
        <p>${decidedWords(ctx, decided)}</p>
      </div>
    </li>`}
  </ul>`;
}

/** @param {Context} ctx @param {Decided} decided */
function decidedWords({ standing, name }, { player, turn, turns, points }) {
  const words = { name: name(player), turn, points: plus(points) };
  if (turn === 1) return t("{name} led from the first turn to the end.", words);
  if (turn === turns) return t("{name} took the lead at the very end: {points}.", words);
  return standing.lines
    ? t("With throw {turn} {name} took the lead for good: {points}.", words)
    : t("In turn {turn} {name} took the lead for good: {points}.", words);
}

/** What the server found of this game; null until it is there. @param {Context} ctx @returns {Ending | null} */
function foundOf(ctx) {
  const { version } = ctx.state;
  const known = (ctx.local.ending ??= { requested: -1, found: null });
  if (known.requested !== version) {
    known.requested = version;
    fetchJson(`${apiOf(ctx.setup.base)}/ending`).then(
      (found) => {
        known.found = found;
        ctx.draw();
      },
      () => (known.requested = -1), // the next drawing requests it again
    );
  }
  return known.found?.version === version ? known.found : null;
}

/** The way back to the club's night that a table belongs to; undefined if there is none. */
const toNight = () => document.querySelector("#to-night")?.getAttribute("href");

/** What follows below it on a phone: the series, who begins the next game, and how this one went. @param {Page} ctx */
export const afterwards = (ctx) =>
  html`${series(ctx)}
    ${ctx.state.next
      ? html`<p class="again" role="status" data-key="next">${t("The next game has begun.")}</p>`
      : ctx.state.closed || toNight()
        ? ""
        : playAgainForm(ctx)}
    <div class="how-it-went">
      ${ctx.standing.pad
        ? "" // it does not know what was played
        : html`${pagePart(ctx, "luck")} <a class="button" href="${ctx.setup.base}/luck">${t("Was it luck?")}</a>`}
      <a class="button" href="${ctx.setup.base}/statistics">${t("Statistics of this game")}</a>
      <a class="button" href="${ctx.setup.base}/print">${t("Print the sheet")}</a>
      <a class="button" href="${at("/")}">${t("New table")}</a>
    </div>`;

/** The buttons of a game that is over: the picture, and the next game. `shut`: nothing may be done any more.
 * @param {Page} ctx @param {boolean} shut @param {Content} undo */
export const buttons = (ctx, shut, undo) =>
  html`${!shut && undo}${button("tool", "share-ending", shares() ? t("Share the picture") : t("Save the picture"), {
    sign: shares() ? "share" : "save",
  })}${ctx.state.next
    ? html`<a class="button primary" data-goes-along href="${at(`/tables/${ctx.state.next}`)}">${t("Go there")}</a>`
    : toNight()
      ? html`<a class="button primary" href="${toNight()}">${t("To the club's night")}</a>`
      : shut
        ? ""
        : button("button primary", "again", t("Play again"), { more: html`data-goes-along=""` })}`;

/** Who may begin the next game. @type {[string, (name: string) => string][]} */
const BEGINNERS = [
  ["next", (name) => t("{name} begins (next in turn)", { name })],
  ["loser", (name) => t("{name} begins (lost)", { name })],
  ["winner", (name) => t("{name} begins (won)", { name })],
];

/** @param {Context} ctx */
const playAgainForm = ({ setup, standing }) =>
  html`<form method="post" action="${setup.base}/again" class="again" id="again">
    ${standing.order.length > 1
      ? html`<label class="beginner"
          ><span class="hidden">${t("Who begins?")}</span
          ><select name="begins" data-begins>
            ${beginners(standing)}
          </select></label
        >`
      : html`<input type="hidden" name="begins" value="${standing.order[0]}" />`}
  </form>`;

/** @param {Standing} standing */
function beginners({ players, order }) {
  const who = mayBegin(players, order);
  const usual = usualOf(who);
  // Each player once: by what is usual here, else by the first reason.
  const isUsual = (/** @type {string} */ kind) => kind === usual || who[kind] !== who[usual];
  const once = BEGINNERS.filter(
    ([kind], i) =>
      kind in who && isUsual(kind) && !BEGINNERS.slice(0, i).some(([b]) => who[b] === who[kind] && isUsual(b)),
  );
  return once.map(
    ([kind, words]) =>
      html`<option value="${who[kind]}" data-kind="${kind}" ${kind === usual && html`selected`}>
        ${words(players[who[kind]].name)}
      </option>`,
  );
}

/** How often each player has won, this game included; "" in the first game of these people. @param {Context} ctx */
export function series({ setup, standing }) {
  if (!setup.series.games || standing.players.length < 2) return "";
  const { names: before, wins } = setup.series;
  const results = standing.players.map((player, who) => ({
    name: player.name,
    won: (wins[before.indexOf(player.name)] ?? 0) + (standing.winners.includes(who) ? 1 : 0),
  }));
  const [one, other] = results;
  const score =
    results.length === 2
      ? html`<span class="whole">${one.name} <strong>${one.won}</strong></span> :
          <span class="whole"><strong>${other.won}</strong> ${other.name}</span>`
      : results.map(
          ({ name, won }, who) => html`${who ? " · " : ""}<span class="whole">${name} <strong>${won}</strong></span>`,
        );
  return html`<p class="series" data-key="series"><span class="hidden">${t("Games won:")}</span> ${score}</p>`;
}

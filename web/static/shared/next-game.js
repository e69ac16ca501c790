// The way from a game that is over to the next one: who begins it, and whom this phone plays for.

import * as scoreHistory from "./score-history.js";
import { luckWords } from "./luck-words.js";
import { BEGINS, GOES_ALONG, mayBegin, goAlong, sortedNames, usualOf } from "./beginners.js";
import { html, targetOf } from "./dom.js";
import { phone, tab } from "./storage.js";
import { t } from "./text.js";

/**
 * Who may begin the next game. Of several in one place it is the next in turn.
 * @type {[string, (name: string) => string][]}
 */
const BEGINNERS = [
  ["next", (name) => t("{name} begins (next in turn)", { name })],
  ["loser", (name) => t("{name} begins (lost)", { name })],
  ["winner", (name) => t("{name} begins (won)", { name })],
];

/**
 * "Play again" or, once a phone has tapped it, the link to the next game; and how this game went.
 * @param {Page} ctx
 */
export const offer = (ctx) =>
  html`${series(ctx)} ${ctx.state.next ? nextGameLink(ctx) : ctx.state.closed ? "" : playAgainForm(ctx)}
    <div class="how-it-went" data-key="course">
      ${luckWords(ctx)} ${scoreHistory.picture(ctx)}
      <a class="button" href="${ctx.setup.base}/luck">${t("Was it luck?")}</a>
      <a class="button" href="${ctx.setup.base}/statistics">${t("Statistics of this game")}</a>
    </div>`;

const nextGameLink = ({ state }) =>
  html`<div class="again" role="status" data-key="next">
    <p>${t("The next game has begun.")}</p>
    <a class="button primary" data-goes-along href="/tables/${state.next}">${t("Go there")}</a>
  </div>`;

const playAgainForm = ({ setup, standing }) =>
  html`<form method="post" action="${setup.base}/again" class="again" data-key="again">
    ${standing.order.length > 1
      ? html`<label class="beginner"
          ><span class="hidden">${t("Who begins?")}</span
          ><select name="begins" data-begins>
            ${beginners(standing)}
          </select></label
        >`
      : html`<input type="hidden" name="begins" value="${standing.order[0]}" />`}
    <button class="button primary" data-goes-along>${t("Play again")}</button>
  </form>`;

function beginners({ players, order }) {
  const who = mayBegin(players, order);
  const usual = usualOf(who);
  return BEGINNERS.filter(([kind]) => kind in who).map(
    ([kind, words]) =>
      html`<option value="${who[kind]}" data-kind="${kind}" ${kind === usual ? html`selected` : ""}>
        ${words(players[who[kind]].name)}
      </option>`,
  );
}

/** How often each player has won, this game included; "" in the first game of these people. */
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

/**
 * Remembers the player of this phone when the person taps a link or button to the next game.
 * @param {Page} ctx
 */
export function listen(ctx) {
  document.addEventListener("click", (event) => {
    if (!targetOf(event).closest("[data-goes-along]")) return;
    const { players } = ctx.standing;
    goAlong(players, ctx.playsFor);
  });
  document.addEventListener("change", (event) => {
    if (!targetOf(event).matches("[data-begins]")) return;
    const choice = /** @type {HTMLSelectElement} */ (event.target);
    phone.keepText(BEGINS, choice.selectedOptions[0].dataset.kind);
  });
}

/** The player who came along from the last game; null unless the same people play, in any order. */
export function arrivedPlayer(players) {
  const along = tab.value(GOES_ALONG);
  tab.keep(GOES_ALONG, null);
  if (!along || JSON.stringify(along.names) !== JSON.stringify(sortedNames(players))) return null;
  const who = players.findIndex((player) => player.name === along.name);
  return who < 0 ? null : who;
}

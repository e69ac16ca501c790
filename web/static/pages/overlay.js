// The overlay of a stream: scores or the last throw over a picture, transparent, with nothing to tap and no key.

import { die } from "../shared/dice.js";
import { html, render } from "../shared/dom.js";
import { playerMark } from "../shared/icons.js";
import { loadTexts, number, t } from "../shared/text.js";
import { embedded, fromJson } from "../shared/json.js";

const setup = embedded("setup");
await loadTexts(setup.language, setup.texts);
const root = document.getElementById("overlay");
let thrown = { dice: [], name: "" };

/** @param {{ standing: Standing, last_move: Move | null }} state */
function draw({ standing, last_move: move }) {
  const dice = move?.action.do === "throw" ? move.action.dice : standing.turn.throw;
  if (dice?.length) thrown = { dice, name: standing.players[move?.player ?? -1]?.name ?? "" };
  const acts = new Set(standing.to_act);
  const players = standing.players
    .map((player, who) => ({ player, who }))
    .filter(({ player }) => !player.out)
    .sort((one, other) => (setup.look === "sheet" ? Number(one.player.place) - Number(other.player.place) : 0));
  render(
    root,
    html`<ol class="overlay-scores">
        ${players.map(
          ({ player, who }) =>
            html`<li data-key="p${who}" class="${acts.has(who) && "acts"}">
              <span class="place">${player.place}.</span>
              <span class="name">${acts.has(who) && "▸ "}${playerMark(who)}${player.name}</span>
              <span class="score">${number(player.score)}</span>
            </li>`,
        )}
      </ol>
      ${standing.over ? html`<p class="overlay-throw">${t("The game is over")}</p>` : throwLine(standing)}`,
  );
}

/** @param {Standing} standing */
const throwLine = (standing) =>
  thrown.dice.length
    ? html`<p class="overlay-throw">
        <span class="name">${thrown.name}</span> ${thrown.dice.map((value) => die(value))}
        ${standing.turn.points ? html`<span class="score">${number(standing.turn.points)}</span>` : ""}
      </p>`
    : "";

draw(embedded("state"));
const stream = new EventSource(`${setup.base}/events`);
stream.addEventListener("state", (event) => draw(fromJson(event.data)));

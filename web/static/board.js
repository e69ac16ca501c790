// The big board: the same state, drawn to be read across the room, without anything to tap.

import { html, show } from "./dom.js";
import * as device from "./device.js";
import { row } from "./dice.js";
import { Table } from "./net.js";
import { list, load, number, t, time, tn } from "./text.js";
import { changeLine, eventLines } from "./words.js";
import * as columns from "./sheets/columns.js";
import * as figures from "./sheets/figures.js";
import * as knaster from "./sheets/knaster.js";
import { forbiddenNumbers } from "./sheets/simple.js";
import * as tenThousand from "./sheets/ten-thousand.js";

const setup = JSON.parse(document.getElementById("setup").textContent);
const first = JSON.parse(document.getElementById("state").textContent);
await load(setup.language, setup.texts);

const SHOWN_ROUNDS = 12; // the newest ones: who scrolls a television?
const root = document.getElementById("board");
const local = { sheet: {}, offline: false };
const ctx = {
  setup,
  local,
  get state() { return table.state; },
  get standing() { return table.state.standing; },
  playsFor: null,
  mayAct: () => false,
  idle: "",
  name: (player) => table.state.standing.players[player].name,
};
const printing = document.body.classList.contains("print");
const table = printing ? { state: first } : new Table(setup.base, first, draw, (online) => {
  if (local.offline === online) {
    local.offline = !online;
    draw();
  }
});

function draw() {
  const { standing } = ctx;
  const { turn } = standing;
  show(root, html`
    ${local.offline ? html`<p class="notice offline" role="status">${t("No connection. Trying again …")}</p>` : ""}
    <ol class="scores big-scores ${standing.players.length > 4 ? "many" : ""}">${standing.players.map((player, who) => html`<li data-key="p${who}" class="${standing.to_act.includes(who) ? "acts" : ""}">
      <span class="place">${player.place}.</span><span class="name">${standing.to_act.includes(who) ? html`<span class="sign" aria-hidden="true">▸</span>` : ""}${player.name}</span>
      <span class="score">${standing.figures_list ? figures.score(ctx, player) : number(player.score)}</span></li>`)}</ol>
    ${printing ? "" : html`<div class="now" aria-live="polite">
      <h2>${standing.over ? tn("{names} wins", "{names} win", standing.winners.length, { names: list(standing.winners.map(ctx.name)) }) : tn("{names} plays", "{names} play", standing.to_act.length, { names: list(standing.to_act.map(ctx.name)) })}</h2>
      ${standing.forbidden ? forbiddenNumbers(standing.forbidden) : ""}
      ${turn && turn.throw && turn.throw.length ? row(turn.throw) : ""}
      ${turn && turn.points ? html`<p><span class="big">${number(turn.points)}</span> <span class="soft">${t("this turn")}</span></p>` : ""}
      ${eventLines(ctx, standing.events).map((line) => html`<p>${line}</p>`)}
      ${ctx.state.recent.filter((entry) => entry.kind !== "do").map((entry) => html`<p class="soft change">${time(entry.at)} · ${changeLine(entry)}</p>`)}
    </div>`}
    <div class="sheets">${standing.lines ? standing.players.map((player, who) => { local.viewing = who; return html`<div data-key="g${who}"><h3>${player.name}</h3>${knaster.sheet(ctx)}</div>`; })
      : standing.sheet ? columns.sheet(ctx) : standing.figures_list ? figures.sheet(ctx) : tenThousand.sheet(ctx, printing ? Infinity : SHOWN_ROUNDS)}</div>`);
  fit(standing.players.length);
  if (!printing) device.stayAwake(!standing.over);
  // Nothing here is to be tapped.
  for (const button of root.querySelectorAll("button")) {
    button.tabIndex = -1;
    button.setAttribute("aria-disabled", "true");
  }
}

/** How many rows and grids there are, for the style to make all of them as large as the screen allows. */
function fit(players) {
  const across = Math.ceil(Math.sqrt(players));
  const { style } = document.body;
  style.setProperty("--across", String(across));
  style.setProperty("--bands", String(Math.ceil(players / across)));
  style.setProperty("--rows", String(Math.max(12, root.querySelectorAll(".sheets tr").length)));
}

draw();
document.body.dataset.ready = "yes";

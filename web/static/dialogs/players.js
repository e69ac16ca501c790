// Who plays: names, who joins and leaves, the order, a turn that is skipped; and ending the game before its end.

import { field, html, json } from "../shared/dom.js";
import { icon, mark } from "../shared/icons.js";
import * as panel from "./panel.js";
import { number, t } from "../shared/text.js";

const LONGEST_NAME = 40;

// While open: {view: "list" | "player" | "end", player, done}; `done`: what was written is saved, or on its way.
let open_ = null;

const VIEWS = { list, player: onePlayer, end: ending };

/** @param {Page} ctx */
const content = (ctx) => VIEWS[open_.view](ctx);

/** @param {Page} ctx */
function show(ctx, view, player = null) {
  const mine = { view, player, done: false };
  open_ = mine;
  panel.open(content(ctx), {
    kind: "tall",
    closed: () => {
      if (open_ === mine) open_ = null;
    },
    unsaved: () => !mine.done && unsaved(ctx, mine),
  });
}

/**
 * Whether a name was written there that is nobody's yet.
 * @param {Page} ctx
 */
function unsaved(ctx, { view, player }) {
  const at = view === "list" ? "new-player" : `name-of-${player}`;
  const names = view === "end" ? [] : [...panel.place.querySelectorAll("input")].filter(({ id }) => id === at);
  return names.some(({ value }) => value.trim() !== (view === "list" ? "" : ctx.name(player)));
}

/**
 * What is open is shown as the table stands now; a player who has just left is no longer asked about.
 * @param {Page} ctx
 */
export function heard(ctx) {
  if (open_ === null) return;
  if (open_.view === "player" && ctx.standing.players[open_.player]?.out) open_.view = "list";
  if (open_.view === "player" && open_.player >= ctx.standing.players.length) open_.view = "list";
  if (open_.view === "end" && ctx.standing.over) open_.view = "list";
  panel.draw(content(ctx));
}

/** @param {Page} ctx */
function list(ctx) {
  const { standing } = ctx;
  const { order, players, over } = standing;
  const seats = over ? players.map((_, who) => who).filter((who) => !players[who].out) : order;
  const gone = players.map((_, who) => who).filter((who) => players[who].out);
  return html`${panel.head(t("Players"))}
    <ol class="seats-now">
      ${seats.map((who, place) => seat(ctx, who, place))}
    </ol>
    ${gone.length
      ? html`<p class="soft">${t("No longer playing:")} ${gone.map((who) => players[who].name).join(", ")}</p>`
      : ""}
    ${over
      ? ""
      : html`<div class="add-player">
            <label class="field"
              ><span>${t("Add a player")}</span
              ><input id="new-player" type="text" maxlength="${LONGEST_NAME}" autocomplete="off" autocapitalize="words"
            /></label>
            <button type="button" class="button" data-act="player-add">${icon("add")}<span>${t("Add")}</span></button>
          </div>
          <p class="hint">
            ${t("A new player begins with an empty sheet and plays from the next round on.")}
            ${t("A player who left and joins again keeps everything from before.")}
          </p>
          <div class="row end">
            <button type="button" class="button" data-act="end-game">${t("End the game now")}</button>
          </div>`}`;
}

/** @param {Page} ctx */
function seat(ctx, who, place) {
  const { order, players, over, to_act: toAct } = ctx.standing;
  const { name, joining } = players[who];
  const moved = (by) => {
    const then = [...order];
    [then[place], then[place + by]] = [then[place + by], then[place]];
    return json(then);
  };
  const arrow = (by, sign, label) => {
    const may = place + by >= 0 && place + by < order.length;
    return html`<button
      type="button"
      class="tool"
      data-key="${sign}"
      data-act="player-order"
      ${may ? html`data-arg="${moved(by)}"` : html`aria-disabled="true"`}
      aria-label="${label}"
    >
      ${icon(sign)}
    </button>`;
  };
  return html`<li data-key="seat-${who}">
    <span class="who"
      >${mark(who)}<span class="name">${name}</span>${toAct.includes(who)
        ? html`<span class="soft small-line">${t("plays now")}</span>`
        : ""}${joining ? html`<span class="soft small-line">${t("from the next round on")}</span>` : ""}</span
    >
    <span class="changes"
      >${over || order.length < 2
        ? ""
        : html`${arrow(-1, "up", t("{name} plays earlier", { name }))}${arrow(
            1,
            "down",
            t("{name} plays later", { name }),
          )}`}
      <button
        type="button"
        class="button"
        data-act="player-open"
        data-arg="${who}"
        aria-label="${t("Change {name}", { name })}"
      >
        ${t("Change")}
      </button></span
    >
  </li>`;
}

/** @param {Page} ctx */
function onePlayer(ctx) {
  const { standing } = ctx;
  const who = open_.player;
  const { name } = standing.players[who];
  const alone = standing.order.length < 2;
  return html`${panel.head(name)}
    <div class="fields">
      <label class="field" data-key="n${who}"
        ><span>${t("Name")}</span
        ><input
          id="name-of-${who}"
          type="text"
          maxlength="${LONGEST_NAME}"
          autocomplete="off"
          autocapitalize="words"
          value="${name}"
      /></label>
      <button type="button" class="button wide" data-act="player-rename">
        ${icon("check")}<span>${t("Save the name")}</span>
      </button>
    </div>
    ${standing.over || alone
      ? ""
      : html`<ul class="menu">
            ${standing.to_act.includes(who)
              ? html`<li><button type="button" data-act="player-skip">${t("Skip this turn")}</button></li>`
              : ""}
            <li><button type="button" data-act="player-remove">${t("{name} no longer plays", { name })}</button></li>
          </ul>
          <p class="hint">
            ${t("The sheet of a player who leaves can still be seen, without a place. Everything here can be undone.")}
          </p>`}
    <div class="row end">
      <button type="button" class="button grow" data-act="players">${t("All players")}</button>
    </div>`;
}

/** @param {Page} ctx */
function ending(ctx) {
  const { players } = ctx.standing;
  const placed = players.filter((player) => player.place !== null).sort((one, other) => one.place - other.place);
  return html`${panel.head(t("End the game now?"))}
    <ol class="places">
      ${placed.map(
        (player) =>
          html`<li>
            <span class="place">${player.place}.</span> <span class="name">${player.name}</span>
            <strong>${number(player.score)}</strong>
          </li>`,
      )}
    </ol>
    <p class="hint">${t("The places stay as they are now. It can be undone.")}</p>
    <div class="row end">
      <button type="button" class="button" data-act="players">${t("Play on")}</button>
      <button type="button" class="button primary grow" data-act="end-game-now">
        ${icon("check")}<span>${t("End the game now")}</span>
      </button>
    </div>`;
}

/** @param {Page} ctx */
const adjust = (ctx, what, more) => ctx.act({ do: "adjust", what, ...more });

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => ({
  players: () => show(ctx, "list"),
  "player-open": (who) => show(ctx, "player", who),
  "player-order": (players) => adjust(ctx, "order", { players }),
  "player-add": async () => {
    const mine = open_;
    const name = field("new-player");
    mine.done = true;
    if (await adjust(ctx, "player-added", { name: name.value })) name.value = "";
    mine.done = false;
  },
  "player-rename": async () => {
    const mine = open_;
    const { player } = mine;
    const name = field(`name-of-${player}`).value;
    mine.done = true;
    mine.done = name.trim() === ctx.name(player) || (await adjust(ctx, "player-renamed", { player, name }));
    if (mine.done) show(ctx, "list");
  },
  "player-skip": async () => {
    if (await adjust(ctx, "turn-skipped", { player: open_.player })) panel.close();
  },
  "player-remove": async () => {
    if (await adjust(ctx, "player-removed", { player: open_.player })) show(ctx, "list");
  },
  "end-game": () => show(ctx, "end"),
  "end-game-now": async () => {
    if (await adjust(ctx, "game", { over: true })) panel.close();
  },
});

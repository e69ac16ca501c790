// The players: their names, joining and leaving, their order, skipping a turn, and ending the game early.

import { button } from "../shared/buttons.js";
import { field, html } from "../shared/dom.js";
import { textField } from "../shared/fields.js";
import { icon, playerMark } from "../shared/icons.js";
import { panelHead } from "./panel.js";
import { number, t } from "../shared/text.js";

const OF_NAMES = { maxlength: 40, autocapitalize: "words" };

/** @type {Record<string, (ctx: Page, player: any) => Html>} */
const VIEWS = { list: playerList, player: onePlayer, end: gameEnd };

/** The players at the table: their list, one of them, or the question whether the game ends now. */
class Players {
  kind = "tall";

  /**
   * @param {Page} ctx @param {"list" | "player" | "end"} view @param {any} player  its number; null where none is meant
   */
  constructor(ctx, view, player = null) {
    const { dialog } = ctx.panel;
    this.ctx = ctx;
    this.view = view;
    this.player = player;
    /** @type {Dialog | undefined} */
    this.from = dialog instanceof Players && view !== "list" ? (dialog.from ?? dialog) : undefined;
    this.done = false; // what was written is saved, or on its way
  }

  content() {
    return VIEWS[this.view](this.ctx, this.player);
  }

  /** Whether a name was written and not saved. */
  unsaved() {
    if (this.done || this.view === "end") return false;
    const at = this.view === "list" ? "new-player" : `name-of-${this.player}`;
    const names = [...this.ctx.panel.place.querySelectorAll("input")].filter(({ id }) => id === at);
    return names.some(({ value }) => value.trim() !== (this.view === "list" ? "" : this.ctx.name(this.player)));
  }

  /** Shows the table as it stands now; a player who has just left is no longer asked about. */
  update() {
    const { players, over } = this.ctx.standing;
    const gone = this.player >= players.length || players[this.player]?.out;
    if ((this.view === "player" && gone) || (this.view === "end" && over)) this.view = "list";
    this.ctx.panel.draw();
  }

  /** Adjusts the game; returns whether the server took it. @param {string} what @param {Values} more */
  adjust(what, more) {
    return this.ctx.act({ do: "adjust", what, ...more });
  }

  /** @type {Handlers} */
  handlers = {
    "player-open": (who) => show(this.ctx, "player", who),
    "player-order": (players) => this.adjust("order", { players }),
    "player-add": async () => {
      const place = field("new-player");
      const { value: name } = place;
      this.done = true;
      if ((await this.adjust("player-added", { name })) && place.value === name) place.value = "";
      this.done = false;
    },
    "player-rename": async () => {
      const { player } = this;
      const name = field(`name-of-${player}`).value;
      this.done = true;
      this.done = name.trim() === this.ctx.name(player) || (await this.adjust("player-renamed", { player, name }));
      if (this.done && this.ctx.panel.shows(this)) show(this.ctx, "list");
    },
    "player-skip": () => this.ctx.panel.closeAfter(this.adjust("turn-skipped", { player: this.player })),
    "player-remove": async () => {
      if (await this.ctx.panel.unlessLeft(this.adjust("player-removed", { player: this.player })))
        show(this.ctx, "list");
    },
    "end-game-now": () => this.ctx.panel.closeAfter(this.adjust("game", { over: true })),
  };
}

/** @param {Page} ctx @param {"list" | "player" | "end"} view */
const show = (ctx, view, player = null) => ctx.panel.open(new Players(ctx, view, player));

/** @param {Page} ctx */
function playerList(ctx) {
  const { standing } = ctx;
  const { order, players, over } = standing;
  const seats = over ? players.map((_, who) => who).filter((who) => !players[who].out) : order;
  const gone = players.map((_, who) => who).filter((who) => players[who].out);
  return html`${panelHead(t("Players"))}
    <ol class="seats-now">
      ${seats.map((who, place) => seat(ctx, who, place))}
    </ol>
    ${gone.length > 0 &&
    html`<p class="soft">${t("No longer playing:")} ${gone.map((who) => players[who].name).join(", ")}</p>`}
    ${!over &&
    html`<div class="add-player">
        ${textField(t("Add a player"), { id: "new-player", ...OF_NAMES })}
        ${button("button", "player-add", t("Add"), { sign: "add" })}
      </div>
      <p class="hint">
        ${t("A new player begins with an empty sheet and plays from the next round on.")}
        ${t("A player who left and joins again keeps everything from before.")}
      </p>
      <div class="row end">${button("button", "end-game", t("End the game now"))}</div>`}`;
}

/** @param {Page} ctx @param {number} who @param {number} place */
function seat(ctx, who, place) {
  const { order, players, over, to_act: toAct } = ctx.standing;
  const { name, joining } = players[who];
  const moved = (/** @type {number} */ by) => {
    const then = [...order];
    [then[place], then[place + by]] = [then[place + by], then[place]];
    return then;
  };
  const arrow = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) => {
    const may = place + by >= 0 && place + by < order.length;
    return button("tool", "player-order", icon(sign), {
      arg: may ? moved(by) : undefined,
      key: sign,
      label,
      off: !may,
    });
  };
  return html`<li data-key="seat-${who}">
    <span class="who"
      >${playerMark(who)}<span class="name">${name}</span>${toAct.includes(who) &&
      html`<span class="soft small-line">${t("plays now")}</span>`}${joining &&
      html`<span class="soft small-line">${t("from the next round on")}</span>`}</span
    >
    <span class="changes"
      >${!(over || order.length < 2) && [
        arrow(-1, "up", t("{name} plays earlier", { name })),
        arrow(1, "down", t("{name} plays later", { name })),
      ]}
      ${button("button", "player-open", t("Change"), { arg: who, label: t("Change {name}", { name }) })}</span
    >
  </li>`;
}

/** @param {Page} ctx @param {number} who */
function onePlayer(ctx, who) {
  const { standing } = ctx;
  const { name } = standing.players[who];
  const alone = standing.order.length < 2;
  return html`${panelHead(name)}
    <div class="fields">
      ${textField(t("Name"), { id: `name-of-${who}`, ...OF_NAMES, value: name }, { key: `n${who}` })}
      ${button("button wide", "player-rename", t("Save the name"), { sign: "check" })}
    </div>
    ${!(standing.over || alone) &&
    html`<ul class="menu">
        ${standing.to_act.includes(who) && html`<li>${button("", "player-skip", t("Skip this turn"))}</li>`}
        <li>${button("", "player-remove", t("{name} no longer plays", { name }))}</li>
      </ul>
      <p class="hint">
        ${t("The sheet of a player who leaves can still be seen, without a place. Everything here can be undone.")}
      </p>`}
    <div class="row end">${button("button grow", "players", t("All players"))}</div>`;
}

/** @param {Page} ctx */
function gameEnd(ctx) {
  const { players } = ctx.standing;
  const placed = players
    .filter((player) => player.place !== null)
    .sort((one, other) => Number(one.place) - Number(other.place));
  return html`${panelHead(t("End the game now?"))}
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
      ${button("button", "players", t("Play on"))}
      ${button("button primary grow", "end-game-now", t("End the game now"), { sign: "check" })}
    </div>`;
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  players: () => show(ctx, "list"),
  "end-game": () => show(ctx, "end"),
});

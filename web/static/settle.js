// A person says what a player's total is to be, whatever the dice and the rules say.

import { html } from "./dom.js";
import { icon } from "./icons.js";
import * as panel from "./panel.js";
import { number, t } from "./text.js";

let open_ = null; // while open: {version, player}: the state whose totals are shown, and who is chosen

function open(ctx) {
  const [first] = ctx.standing.to_act.filter(ctx.mayAct);
  const mine = { version: ctx.state.version, player: ctx.playsFor ?? first ?? 0 };
  open_ = mine;
  panel.open(content(ctx), { closed: () => { if (open_ === mine) open_ = null; } });
}

function content(ctx) {
  const { players } = ctx.standing;
  return html`<header class="panel-head"><h2 tabindex="-1" autofocus>${t("Settle a total by hand")}</h2><button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button></header>
    <div class="fields">
      <fieldset class="field"><legend>${t("Player")}</legend>
        ${players.map((player, who) => (ctx.mayAct(who) ? html`<label class="check" data-key="w${who}"><input type="radio" name="settled" value="${who}" ${who === open_.player ? html`checked` : ""}><span>${player.name}: <strong>${number(player.score)}</strong></span></label>` : ""))}
      </fieldset>
      <label class="field"><span>${t("New total")}</span><input id="settled-total" type="number" step="1" autocomplete="off"></label>
      <p class="hint">${t("It is marked with a pencil, stands in the list of steps and can be undone.")}</p>
      <button type="button" class="button primary wide" data-act="settle-do">${icon("check")}<span>${t("Set the total")}</span></button>
    </div>`;
}

async function settle(ctx) {
  const mine = open_;
  const points = document.getElementById("settled-total").valueAsNumber;
  mine.player = Number(panel.place.querySelector('[name="settled"]:checked').value);
  if (Number.isNaN(points)) {
    ctx.toast(t("Write the new total as a number."));
    return;
  }
  const done = await ctx.act({ do: "adjust", what: "total", player: mine.player, points }, { at: mine.version });
  if (open_ !== mine) return;
  if (done) {
    panel.close();
    return;
  }
  mine.version = ctx.state.version; // the totals as they are now, what was written stays
  panel.draw(content(ctx));
}

export const handlers = (ctx) => ({
  settle: () => open(ctx),
  "settle-do": () => settle(ctx),
});

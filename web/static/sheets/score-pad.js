// A score pad: large keys for the points of a round, and all rounds below. A tap on a number changes it.

import { button } from "../shared/buttons.js";
import { html, saidAs, targetOf } from "../shared/dom.js";
import { icon, playerMark } from "../shared/icons.js";
import { joinNames, number, plus, t, tn } from "../shared/text.js";
import { mayActNow } from "../shared/sentences.js";
import * as adjustments from "./adjustments.js";
import { nameHeadings, scroller } from "./grid.js";
import { throwDue } from "./offers.js";
import { tabContent } from "./tabs.js";
import { byHandRow, teamLine } from "./totals.js";

const MOST_DIGITS = 6;

/**
 * Whose points the keys write. `round`: the finished round that is changed; null for the running one.
 * @param {Context} ctx
 * @returns {{who: number, round: number | null} | null} null if this phone has nothing to write now
 */
function chosen(ctx) {
  const { local, standing } = ctx;
  const { who, round = null } = local.sheet;
  if (standing.players[who] && adjustments.mayTap(ctx, who) && (round !== null || !standing.over))
    return { who, round };
  const next = standing.to_act.find(ctx.mayAct);
  return next === undefined ? null : { who: next, round: null };
}

/** What stands in a round of a player now; undefined where nothing does.
 * @param {Player} player @param {number | null} round @returns {number | undefined} */
const writtenBy = (player, round) => (round === null ? player.now : player.rounds[round - 1]) ?? undefined;

/** The typed points; null while there are none. @param {Context} ctx */
function typed({ local }) {
  const { digits = "", minus = false } = local.sheet;
  return digits ? Number(digits) * (minus ? -1 : 1) || 0 : null;
}

/** @param {Context} ctx */
export function players(ctx) {
  const { standing } = ctx;
  const target = chosen(ctx);
  return html`<div class="tabs" role="group" aria-label="${t("Players")}">
    ${standing.players.map((player, who) => {
      const waits = standing.to_act.includes(who);
      const wrote = player.now !== null && player.now !== undefined;
      const inside = html`${tabContent(ctx, who, wrote)}${playerDetails(ctx, player)}`;
      return button(`${waits ? "acts" : ""} ${player.out ? "out" : ""}`, "points-of", inside, {
        arg: [who, null],
        key: `tab-${who}`,
        pressed: target?.round === null && target.who === who,
        off: !((waits || wrote) && adjustments.mayTap(ctx, who)),
      });
    })}
  </div>`;
}

export const playerDetails = (/** @type {Context} */ ctx, /** @type {Player} */ player) => teamLine(player);

/** @param {Standing} standing */
const roundWords = ({ pad }) =>
  pad.rounds
    ? t("Round {round} of {rounds}", { round: pad.round, rounds: pad.rounds })
    : t("Round {round}", { round: pad.round });

/** @param {Context} ctx */
export function heading(ctx) {
  const { standing } = ctx;
  if (standing.to_act.length > 1 || !standing.to_act.length) return roundWords(standing);
  const names = joinNames(standing.to_act.map(ctx.name));
  return `${roundWords(standing)}: ${tn("{names} writes", "{names} write", 1, { names })}`;
}

/** @param {Context} ctx */
export function turn(ctx) {
  const { expects } = ctx.standing.turn;
  return html`${notes(ctx)} ${expects > 0 && throwDue(ctx, expects)} ${entry(ctx)}`;
}

/** What is to be known of this round, also on the board. @param {Context} ctx */
export function notes({ standing }) {
  const note = standing.pad.notes[standing.pad.round - 1];
  return html`${goal(standing)} ${note && html`<p class="soft pad-note">${note}</p>`}`;
}

/** What the game goes to. @param {Standing} standing */
function goal({ pad }) {
  const { target } = pad;
  const words = !target
    ? ""
    : pad.wins === "rounds"
      ? tn("{count} round won ends the game", "{count} rounds won end the game", target)
      : t("To {target}", { target: number(target) });
  const low = pad.low_wins ? t("low wins") : "";
  const said = [words, low].filter(Boolean).join(" · ");
  return said ? html`<p class="soft small-line">${said}</p>` : "";
}

/** The keys, with what is typed on them. @param {Context} ctx */
function entry(ctx) {
  const target = chosen(ctx);
  if (!target) return "";
  const { standing, local } = ctx;
  const { pad, legal } = standing;
  const { who, round } = target;
  const was = writtenBy(standing.players[who], round);
  const { digits = "", minus = false } = local.sheet;
  const name = ctx.name(who);
  const whose = round === null ? name : t("{name}, round {round}", { name, round });
  /** @param {string} act @param {number | null} argument @param {string} words @param {Content} content */
  const key = (act, argument, words, content) =>
    button("", act, content, { arg: argument, key: `k${act}${argument}`, label: words });
  const others = legal.some((each) => each.do === "close-round");
  const ends = legal.some((each) => each.do === "finish");
  return html`<div class="points-entry">
    <p class="typed" role="status">
      <span class="name">${playerMark(who)}${whose}</span>
      <span class="big ${!digits && "soft"}"
        >${digits || minus
          ? `${minus ? "−" : ""}${digits && number(Number(digits))}`
          : was === undefined
            ? "·"
            : number(was)}</span
      >
    </p>
    <div class="number-keys" role="group" aria-label="${t("Points of {name}", { name: whose })}">
      ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => key("points-key", digit, String(digit), String(digit)))}
      ${key("points-minus", null, t("minus"), "±")} ${key("points-key", 0, "0", "0")}
      ${key("points-erase", null, t("Erase the last digit"), icon("erase"))}
    </div>
    <div class="row points-more">
      ${round !== null && button("quiet", "points-of", t("Leave it as it is"), { arg: [null, null] })}
      ${button("quiet", "round-note", t("Note"), { arg: round ?? pad.round })}
      ${round === null && others && button("quiet", "act", t("0 for the others"), { arg: { do: "close-round" } })}
      ${round === null && ends && button("quiet", "act", t("End the game"), { arg: { do: "finish" } })}
    </div>
  </div>`;
}

/** The button that writes what is typed. @param {Context} ctx */
export function actions(ctx) {
  const target = chosen(ctx);
  if (!target) return null;
  const { who, round } = target;
  const points = typed(ctx);
  const name = ctx.name(who);
  if (points === null)
    return ctx.standing.turn.expects
      ? null
      : html`<button type="button" class="button grow" aria-disabled="true">
          ${t("Type the points of {name}", { name })}
        </button>`;
  const changes = writtenBy(ctx.standing.players[who], round) !== undefined;
  return button(
    "button primary",
    "points-write",
    changes
      ? t("Change to {points}: {name}", { points: number(points), name })
      : t("Write {points}: {name}", { points: number(points), name }),
    { sign: "check" },
  );
}

/** A number of a game that is over may still be changed. @param {Context} ctx */
export const gameOver = (ctx) =>
  ctx.local.sheet.round
    ? html`${entry(ctx)}
        <div class="row">${actions(ctx)}</div>`
    : "";

/** @param {Context} ctx */
export function sheet(ctx) {
  const { standing } = ctx;
  const { pad, players: seats, order } = standing;
  const begun = seats.some((player) => player.now !== null && player.now !== undefined);
  const count = seats[0].rounds.length + (begun ? 1 : 0);
  if (!count) return "";
  const totals = seats.map(() => 0);
  const target = ctx.printing ? null : chosen(ctx);
  const rows = Array.from({ length: count }, (_, i) => {
    const round = i + 1;
    const running = i === seats[0].rounds.length;
    const winners = pad.won[i] ?? [];
    const cells = seats.map((player, who) => {
      const points = (running ? player.now : player.rounds[i]) ?? null;
      totals[who] += points ?? 0;
      const picked = target && target.who === who && target.round === (running ? null : round) && ctx.local.sheet.round;
      const won = winners.includes(who);
      const kind = html`${player.out && "out"} ${!points && "none"} ${won && "won"} ${picked && "chosen"}`;
      const total = number(totals[who]);
      const words = points === null ? t("nothing") : t("{added}, {total} in total", { added: plus(points), total });
      const star = won ? icon("star") : "";
      const shown = html`<span class="${pad.wins === "total" ? "added" : "alone"}"
          >${points === null ? "–" : number(points)}${star}</span
        >${pad.wins === "total" && points !== null && html`<span class="total">${total}</span>`}`;
      const pencil = isSettled(player, round) ? adjustments.pencil() : "";
      if (!adjustments.mayTap(ctx, who) || (running && points === null))
        return html`<td class="${kind}">${!(points === null && running) && saidAs(words, shown)}${pencil}</td>`;
      return html`<td class="${kind}">
        ${button("written", "points-of", shown, {
          arg: [who, running ? null : round],
          label: `${t("Round {round}, {name}", { round, name: player.name })}: ${words}`,
        })}${pencil}
      </td>`;
    });
    const note = pad.notes[i];
    const head =
      ctx.printing || ctx.state.closed
        ? String(round)
        : button("written", "round-note", round, { arg: round, label: t("Note on round {round}", { round }) });
    return html`<tr data-key="r${round}">
        <th scope="row">${head}</th>
        ${cells}
      </tr>
      ${note &&
      html`<tr class="note" data-key="n${round}">
        <th></th>
        <td colspan="${seats.length}">${note}</td>
      </tr>`}`;
  });
  if (!ctx.printing) rows.reverse(); // under the keys the newest round is at hand
  return scroller(
    html`<table class="turns rounds ${order.length > 5 && "several"}">
      <thead>
        <tr>
          <th scope="col"><span class="hidden">${t("Round")}</span></th>
          ${nameHeadings(seats, ctx.printing ? [] : standing.to_act, html`scope="col"`)}
        </tr>
      </thead>
      <tbody>
        ${rows}${byHandRow(seats)}
      </tbody>
    </table>`,
  );
}

/** Whether a number was changed after it had been written. @param {Player} player @param {number} round */
const isSettled = (player, round) =>
  (player.adjusted ?? []).some((each) => each.what === "cell" && each.round === round);

/** What is typed stays while others write. @param {Context} ctx @param {RecentLine} line */
export function survives(ctx, { kind, body }) {
  const { who } = chosen(ctx) ?? {};
  return kind === "do" && who !== undefined && who === ctx.local.sheet.who && body.do.player !== undefined
    ? body.do.player !== who
    : false;
}

/** @param {Page} ctx */
export function handlers(ctx) {
  const choose = (/** @type {number | null} */ who, /** @type {number | null} */ round) => {
    ctx.local.sheet = who === null ? {} : { who, round };
    ctx.draw();
  };
  /** Changes what is typed for the one who is chosen now: he stays chosen. @param {(typed: Typed) => Typed} change */
  const type = (change) => {
    const target = chosen(ctx);
    if (!target) return;
    const { digits = "", minus = false } = ctx.local.sheet;
    ctx.local.sheet = { ...target, ...change({ digits, minus }) };
    ctx.draw();
  };
  const write = async () => {
    const target = chosen(ctx);
    const points = typed(ctx);
    if (!target || points === null) return false;
    const { pad, players: seats } = ctx.standing;
    if (points < pad.low || points > pad.high) {
      ctx.toast(t("{low} to {high} points can be written.", { low: number(pad.low), high: number(pad.high) }));
      return false;
    }
    const { who: player, round } = target;
    const changes = writtenBy(seats[player], round) !== undefined || round !== null;
    const action = changes
      ? { do: "adjust", what: "cell", player, round: round ?? pad.round, points }
      : { do: "write", player, points };
    const typedNow = ctx.local.sheet;
    const done = await ctx.act(action);
    if (done && ctx.local.sheet === typedNow) choose(null, null);
    return done;
  };
  return {
    "points-of": (/** @type {[number | null, number | null]} */ [who, round]) => {
      choose(who, round);
      if (round !== null) scrollTo(0, 0);
    },
    "points-key": (/** @type {number} */ digit) =>
      type(({ digits, minus }) => ({ minus, digits: `${digits === "0" ? "" : digits}${digit}`.slice(0, MOST_DIGITS) })),
    "points-minus": () => type(({ digits, minus }) => ({ digits, minus: !minus })),
    "points-erase": () =>
      type(({ digits, minus }) => (digits ? { digits: digits.slice(0, -1), minus } : { digits, minus: false })),
    "points-write": (
      /** @type {unknown} */ _,
      /** @type {unknown} */ __,
      /** @type {MouseEvent | undefined} */ event,
    ) => ((event?.detail ?? 0) > 1 ? false : write()),
  };
}

/** Writes what the keyboard types. @param {Page} ctx */
export function listen(ctx) {
  const own = handlers(ctx);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || ctx.panel.isOpen()) return;
    if (targetOf(event).matches("input, select, textarea") || !mayActNow(ctx) || ctx.standing.turn.expects) return;
    const { key } = event;
    if (/^\d$/.test(key)) own["points-key"](Number(key));
    else if (key === "-") own["points-minus"]();
    else if (key === "Backspace") own["points-erase"]();
    else if (key === "Enter" && !targetOf(event).matches("button:not([aria-disabled]), a, summary"))
      own["points-write"]();
    else return;
    event.preventDefault();
  });
}

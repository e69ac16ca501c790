// Knaster: all players write the same sum at once, each where he likes on his own grid.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html, saidAs } from "../shared/dom.js";
import { diceRow } from "../shared/dice.js";
import { playerMark } from "../shared/icons.js";
import { joinNames, t, tn } from "../shared/text.js";
import { title } from "../shared/sentences.js";
import * as adjustments from "./adjustments.js";
import { throwDue } from "./offers.js";
import { tabContent } from "./tabs.js";
import { askWhose, handlers as bindingHandlers } from "./whose.js";

const SIZE = [1, 2, 3, 4, 5];
const WRITES = ["write", "circle", "circle-line", "skip"];
const SHOWN_NAMES = 3; // in the heading; the others are marked beside it

/** Whether a cell is among these. @param {number[][]} cells @param {number} row @param {number} column */
const has = (cells, row, column) => cells.some(([r, c]) => r === row && c === column);

/**
 * The player whose grid is shown, with his choices: chosen on this phone, else its own. On a phone for all it is the
 * first who must act as the dice are thrown, until this phone has written for that player: other phones do not change
 * what it shows.
 * @param {Context} ctx @returns {number}
 */
export function shownPlayer(ctx) {
  const { standing, local } = ctx;
  if (standing.players[local.viewing]) return local.viewing; // his joining may have been undone
  if (ctx.playsFor !== null) return ctx.playsFor;
  if (standing.players[local.writing]) return local.writing;
  return standing.to_act.length ? standing.to_act[0] : 0;
}

/** @param {Context} ctx */
export function players(ctx) {
  const { standing } = ctx;
  const shown = shownPlayer(ctx);
  const throwing = standing.turn.expects > 0;
  return html`<div class="tabs" role="group" aria-label="${t("Whose grid")}">
    ${standing.players.map((player, who) =>
      button(
        `${standing.to_act.includes(who) ? "acts" : ""} ${player.out ? "out" : ""}`,
        "view",
        tabContent(ctx, who, !throwing && !standing.over && !player.out),
        { arg: who, key: `tab-${who}`, pressed: who === shown },
      ),
    )}
  </div>`;
}

/** @param {Context} ctx */
export function heading(ctx) {
  const { standing } = ctx;
  const { turn } = standing;
  if (turn.expects) return t("{name} throws two dice", { name: ctx.name(turn.player ?? -1) });
  if (standing.to_act.length > SHOWN_NAMES)
    return tn("{count} player writes", "{count} players write", standing.to_act.length);
  return tn("{names} writes", "{names} write", standing.to_act.length, {
    names: joinNames(standing.to_act.map(ctx.name)),
  });
}

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now } = ctx.standing;
  return html` ${askWhose(ctx)} ${lastThrow(now)} ${now.expects ? throwDue(ctx, now.expects) : ""}
  ${now.sum !== null &&
  html`<div class="stake">
    <p>${diceRow(now.dice)} <span class="big">${now.sum}</span></p>
  </div>`}
  ${advice.bestChoices(ctx)}`;
}

/** @param {TurnView} now */
const lastThrow = (now) =>
  now.last_throw ? html`<p class="hint">${t("The last throw of the game: write, circle or skip.")}</p>` : "";

/** What is to be known of this throw on the board: above all the lines in which players must circle now.
 * @param {Context} ctx */
export const notes = (ctx) =>
  html`${lastThrow(ctx.standing.turn)}
  ${Object.entries(ctx.standing.turn.pending || {}).flatMap(([who, lines]) =>
    lines.map((line) => html`<p class="hint strong">${ctx.name(Number(who))}: ${dutyWords(ctx, line)}</p>`),
  )}`;

/** @param {Context} ctx @param {Duty} line */
const dutyWords = (ctx, line) =>
  tn("Circle {count} cell of {line}", "Circle {count} cells of {line}", line.circles, {
    line: title(ctx, "line", line.line),
  });

/** The cells that a player wrote or circled since the last throw, as far as the state tells.
 * @param {Context} ctx @param {number} who @returns {number[][]} */
function freshCells(ctx, who) {
  const done = ctx.state.recent.filter((entry) => entry.kind === "do").map((entry) => entry.body.do);
  const since = done
    .slice(done.map((action) => action.do).lastIndexOf("throw") + 1)
    .filter((action) => action.player === who);
  // An adjustment names its cells with their numbers.
  return since.flatMap((action) => action.cells || (action.cell ? [action.cell] : [])).map((each) => each.cell || each);
}

/** The lines in which a player must circle (`all`), and the chosen one (`now`); null without any.
 * @param {Context} ctx @param {number} who @returns {{ all: Duty[], now: Duty } | null} */
function duty(ctx, who) {
  const waiting = (ctx.standing.turn.pending || {})[String(who)] || [];
  if (!waiting.length) return null;
  const line = ctx.local.sheet.line || waiting[0].line;
  return { all: waiting, now: waiting.find((each) => each.line === line) || waiting[0] };
}

/** @param {Context} ctx */
export function sheet(ctx) {
  const { standing, local } = ctx;
  const who = shownPlayer(ctx);
  const player = standing.players[who];
  const mine = ctx.mayAct(who) && standing.to_act.includes(who);
  const due = mine ? duty(ctx, who) : null;
  const legal = standing.legal.filter((entry) => ["write", "circle"].includes(entry.do) && entry.player === who);
  const open = legal.map((entry) => entry.cell);
  const chosen = local.sheet.who === who ? local.sheet : {};
  const fresh = ctx.printing ? [] : freshCells(ctx, who);
  const cell = (/** @type {number} */ r, /** @type {number} */ c) => {
    const value = player.grid[r - 1][c - 1];
    const action = { do: value ? "circle" : "write", player: who, cell: [r, c] };
    const shown = value ? value.number : "";
    const circled = value && value.circled;
    const picked = has(chosen.cells || [], r, c);
    const inLine = due && has(due.now.cells, r, c);
    const may = mine && (due ? inLine : has(open, r, c));
    const byHand = adjustments.isAdjustedGridCell(player, r, c);
    const label =
      t("Row {row}, column {column}: {content}", {
        row: r,
        column: c,
        content: value ? (circled ? t("{number} circled", { number: shown }) : String(shown)) : t("empty"),
      }) +
      (byHand ? `, ${t("settled by hand")}` : "") +
      (may && !due ? advice.spokenLoss(ctx, action) : "");
    const inside = html`${circled || (value && picked)
      ? html`<svg class="circle ${picked && !circled && "wanted"}" viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="42" />
        </svg>`
      : ""}<span>${!value && picked ? standing.turn.sum : shown}</span>${byHand && adjustments.pencil()}${may &&
    !due &&
    advice.cost(ctx, action)}`;
    return html`<td class="${value && has(fresh, r, c) && "fresh"} ${inLine && "in-line"}">
      ${may
        ? button(value ? "" : "empty", "knaster-cell", inside, {
            arg: [who, r, c, value ? "circle" : "write"],
            label,
            pressed: picked,
          })
        : value && !mine && adjustments.mayTap(ctx, who)
          ? button("written", "settle-cell", inside, { arg: [who, { cell: [r, c] }], label })
          : html`<span class="cell" role="img" aria-label="${label}">${inside}</span>`}
    </td>`;
  };
  const linePoints = (/** @type {string} */ line) => {
    const found = player.lines[line];
    const words = tn("{line}: {count} point", "{line}: {count} points", found.points, {
      line: title(ctx, "line", line),
    });
    return html`<span class="line-points ${found.scored ? "scored" : found.complete ? "complete" : ""}"
      >${saidAs(found.scored ? `${words}, ${t("scored")}` : words, found.points)}</span
    >`;
  };
  return html`<section class="pad-sheet square" aria-label="${t("Grid of {name}", { name: player.name })}">
    ${due && html`<p class="hint strong" role="status">${dutyWords(ctx, due.now)}</p>`}
    ${due &&
    due.all.length > 1 &&
    html`<p class="row">
      ${due.all.map((each) =>
        button(`chip ${each === due.now ? "chosen" : ""}`, "knaster-line", title(ctx, "line", each.line), {
          arg: each.line,
          pressed: each === due.now,
        }),
      )}
    </p>`}
    <table class="square-grid">
      <tbody>
        ${SIZE.map(
          (r) =>
            html`<tr>
              <td></td>
              ${SIZE.map((c) => cell(r, c))}
              <th scope="row">${linePoints(`r${r}`)}</th>
            </tr>`,
        )}
        <tr>
          <th scope="row">${linePoints("d2")}</th>
          ${SIZE.map((c) => html`<th scope="col">${linePoints(`c${c}`)}</th>`)}
          <th scope="row">${linePoints("d1")}</th>
        </tr>
      </tbody>
    </table>
    ${mine && !due && chosen.cells?.length === 1
      ? html`<p class="chosen-advice">
          ${advice.choiceLine(ctx, { do: chosen.kind, player: who, cell: chosen.cells[0] })}
        </p>`
      : ""}
    <p class="circles soft">${tn("{count} circle", "{count} circles", player.circles)}</p>
  </section>`;
}

/** All grids side by side, for paper. @param {Context} ctx */
export const paper = (ctx) =>
  ctx.standing.players.map((player, who) => {
    ctx.local.viewing = who;
    return html`<div data-key="g${who}">
      <h2>${playerMark(who)}${player.name}</h2>
      ${sheet(ctx)}
    </div>`;
  });

/** @param {Context} ctx */
export function actions(ctx) {
  const { standing, local } = ctx;
  const who = shownPlayer(ctx);
  if (standing.turn.expects) return null;
  if (!standing.to_act.includes(who) || !ctx.mayAct(who)) {
    const next = standing.to_act.find(ctx.mayAct);
    return button("button primary", "view", t("Grid of {name}", { name: ctx.name(next ?? -1) }), { arg: next });
  }
  const due = duty(ctx, who);
  const chosen = local.sheet.who === who ? local.sheet : {};
  const skip = standing.legal.some((entry) => entry.do === "skip" && entry.player === who)
    ? button("button", "act", forWhom(ctx, who, t("Skip")), { arg: { do: "skip", player: who } })
    : "";
  if (due) {
    const cells = chosen.cells || [];
    const missing = due.now.circles - cells.length;
    return button(
      "button primary",
      "act",
      missing
        ? tn("{count} more cell", "{count} more cells", missing)
        : forWhom(ctx, who, tn("Circle {count} cell", "Circle {count} cells", cells.length)),
      { arg: { do: "circle-line", player: who, line: due.now.line, cells }, sign: "check", off: missing > 0 },
    );
  }
  if (!chosen.cells || !chosen.cells.length)
    return html`${skip}
      <p class="waiting">${tapFor(ctx)}</p>`;
  const { kind, cells } = chosen;
  const { sum } = standing.turn;
  const words = kind === "circle" ? t("Circle the {sum}", { sum }) : t("Write {sum}", { sum });
  return html`${skip}${button("button primary", "act", forWhom(ctx, who, words), {
    arg: { do: kind, player: who, cell: cells[0] },
    sign: "check",
  })}`;
}

/** The words of a button, with the player's name on a phone that plays for several.
 * @param {Context} ctx @param {number} who @param {string} words */
const forWhom = (ctx, who, words) =>
  ctx.playsFor === null && ctx.standing.order.length > 1 ? `${ctx.name(who)}: ${words}` : words;

/** For a throw that waits to be confirmed: the grid, on which a cell can be chosen. @param {Context} ctx */
export const preview = (ctx) =>
  html`<p class="hint strong">${tapFor(ctx)}</p>
    ${sheet(ctx)}`;

/** @param {Context} ctx */
const tapFor = (ctx) =>
  t("{name}: tap a cell for {sum}", { name: ctx.name(shownPlayer(ctx)), sum: ctx.standing.turn.sum });

/** @param {Context} ctx */
export function gameOver(ctx) {
  const [player] = ctx.standing.players;
  /** @type {Record<string, string>} */
  const words = { good: t("Good"), great: t("Great"), spectacular: t("Spectacular") };
  return ctx.standing.players.length === 1 && words[player.rating]
    ? html`<p class="big">${words[player.rating]}</p>`
    : "";
}

/** After this phone wrote on the grid that it shows, or took a step back, shows the grid of the next who must act.
 * @param {Page} ctx */
export function update(ctx) {
  const { local, state, standing } = ctx;
  const shown = shownPlayer(ctx);
  const done = state.recent.some(
    ({ seq, kind, body, request }) =>
      seq > local.gridVersion &&
      ctx.table().requests.has(request) &&
      (kind !== "do" || (WRITES.includes(body.do.do) && body.do.player === shown && !standing.to_act.includes(shown))),
  );
  const writes = standing.turn.expects === 0;
  if (done) local.viewing = undefined;
  if (done || (writes && !local.gridWrites)) local.writing = writes ? standing.to_act[0] : undefined;
  local.gridVersion = state.version;
  local.gridWrites = writes;
}

/** Whether this phone's choice stays after a line of the log: it does while other players write.
 * @param {Context} ctx @param {RecentLine} newest */
export const survives = (ctx, newest) =>
  newest.kind === "do" && "player" in newest.body.do && newest.body.do.player !== ctx.local.sheet.who;

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  advised: ({ do: kind, player: who, cell, line, cells }) => {
    if (kind === "skip") ctx.act({ do: "skip", player: who });
    ctx.local.sheet = { who, kind, line, cells: cells ?? (cell ? [cell] : []) };
    ctx.draw();
  },
  view: (who) => {
    ctx.local.viewing = who;
    ctx.draw();
  },
  ...bindingHandlers(ctx),
  "knaster-line": (line) => {
    ctx.local.sheet = { line };
    ctx.draw();
  },
  "knaster-cell": ([who, r, c, kind]) => {
    const { local } = ctx;
    const due = duty(ctx, who);
    const before = local.sheet.who === who ? local.sheet.cells || [] : [];
    const cells = has(before, r, c)
      ? before.filter((/** @type {number[]} */ each) => !has([each], r, c))
      : [...before, [r, c]].slice(-(due?.now.circles ?? 1));
    local.sheet = { ...local.sheet, who, cells, kind };
    ctx.draw();
  },
});

// A person says what a player's total, or one cell of his sheet, is to be, whatever the dice and the rules say.

import { element, field, html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import * as panel from "./panel.js";
import { number, t } from "../shared/text.js";
import { categoryName, cellsOf } from "../shared/sentences.js";

const SIZE = [1, 2, 3, 4, 5];
const SUMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

// While open: {version, player, what, tapped, done}: the state that is shown, who is chosen, and what of his: "total",
// or a cell by its place among `cells`; whether it was opened by a tap on that cell, and whether it was settled.
let open_ = null;

/**
 * Opens it with the total of a player, or with the `tapped` cell: [player, cell as the actions name it].
 * @param {Page} ctx
 */
function open(ctx, tapped = null) {
  const [first] = ctx.standing.to_act.filter(ctx.mayAct);
  const [player, cell] = tapped || [ctx.playsFor ?? first ?? ctx.standing.order[0], null];
  const at = cells(ctx).findIndex((each) => JSON.stringify(each) === JSON.stringify(cell));
  const mine = {
    version: ctx.state.version,
    player,
    what: at < 0 ? "total" : at,
    tapped: tapped !== null,
    done: false,
  };
  open_ = mine;
  panel.open(content(ctx), {
    kind: "tall",
    closed: () => {
      if (open_ === mine) open_ = null;
    },
    unsaved: () => !mine.done && unsaved(ctx),
  });
}

/** All cells of one player, as the actions name them. */
function cells({ standing }) {
  if (standing.lines) return SIZE.flatMap((row) => SIZE.map((column) => ({ cell: [row, column] })));
  if (standing.figures_list) return standing.figures_list.map((category) => ({ category }));
  if (!standing.sheet) return [];
  const { columns, upper, lower } = standing.sheet;
  return columns.flatMap((column) =>
    [...upper, ...lower].map((category) => (columns.length > 1 ? { category, column } : { category })),
  );
}

/** What stands in a cell now: points or, in a grid, a number and its circle; undefined where it is open. */
function now({ standing }, who, { cell, category, column = 1 }) {
  const player = standing.players[who];
  if (cell) return player.grid[cell[0] - 1][cell[1] - 1] ?? undefined;
  return cellsOf(player, column)[category];
}

/** @param {Page} ctx */
const nameOf = (ctx, { cell, ...written }) =>
  cell ? t("Row {row}, column {column}", { row: cell[0], column: cell[1] }) : categoryName(ctx.standing, written);

/** @param {Page} ctx */
function worth(ctx, each) {
  const value = now(ctx, open_.player, each);
  if (value === undefined) return "";
  return each.cell ? `: ${value.circled ? `(${value.number})` : value.number}` : `: ${number(value)}`;
}

/** @param {Page} ctx */
const chosen = (ctx) => (open_.what === "total" ? null : cells(ctx)[open_.what]);

/** @param {Page} ctx */
function content(ctx) {
  const { players } = ctx.standing;
  const all = cells(ctx);
  return html`${panel.head(all.length ? t("Settle a total or a cell by hand") : t("Settle a total by hand"))}
    <div class="fields">
      <fieldset class="field">
        <legend>${t("Player")}</legend>
        ${players.map((player, who) =>
          ctx.mayAct(who) && !player.out
            ? html`<label class="check" data-key="w${who}"
                ><input type="radio" name="settled" value="${who}" ${who === open_.player ? html`checked` : ""} /><span
                  >${player.name}: <strong>${number(player.score)}</strong></span
                ></label
              >`
            : "",
        )}
      </fieldset>
      ${all.length
        ? html`<label class="field"
            ><span>${t("What is to be settled")}</span
            ><select id="settled-what">
              <option value="total">${t("Total")}: ${number(players[open_.player].score)}</option>
              ${all.map(
                (each, i) =>
                  html`<option value="${i}" ${open_.what === i ? html`selected` : ""}>
                    ${nameOf(ctx, each)}${worth(ctx, each)}
                  </option>`,
              )}
            </select></label
          >`
        : ""}
      ${value(chosen(ctx), ctx)}
      <p class="hint">${t("It is marked with a pencil, stands in the list of steps and can be undone.")}</p>
      <button type="button" class="button primary wide" data-act="settle-do">
        ${icon("check")}<span>${open_.what === "total" ? t("Set the total") : t("Set the cell")}</span>
      </button>
      ${open_.tapped && ctx.state.steps
        ? html`<button type="button" class="button wide" data-act="correct">
            ${t("Steps so far, and correcting a throw")}
          </button>`
        : ""}
    </div>`;
}

/** The field for what is to stand there. */
function value(cell, ctx) {
  if (cell === null)
    return html`<label class="field" data-key="total"
      ><span>${t("New total")}</span><input id="settled-total" type="number" step="1" autocomplete="off"
    /></label>`;
  if (!cell.cell) {
    return html`<label class="field" data-key="points"
      ><span>${t("Points in this cell; empty for an open one")}</span
      ><input
        id="settled-points"
        type="number"
        inputmode="numeric"
        min="0"
        step="1"
        autocomplete="off"
        value="${open_.tapped ? now(ctx, open_.player, cell) : ""}"
    /></label>`; // who tapped it by mistake changes nothing
  }
  const before = now(ctx, open_.player, cell);
  return html`<div data-key="number-${open_.player}-${open_.what}">
    <label class="field"
      ><span>${t("Number in this cell")}</span
      ><select id="settled-number">
        <option value="">${t("empty")}</option>
        ${SUMS.map((each) => html`<option ${before?.number === each ? html`selected` : ""}>${each}</option>`)}
      </select></label
    >
    <label class="check"
      ><input type="checkbox" id="settled-circled" ${before?.circled ? html`checked` : ""} /><span
        >${t("circled")}</span
      ></label
    >
  </div>`;
}

/**
 * What the fields say, as an action; null where the total is no number.
 * @param {Page} ctx
 */
function action(ctx) {
  const { player } = open_;
  const cell = chosen(ctx);
  if (cell === null) {
    const points = field("settled-total").valueAsNumber;
    return Number.isNaN(points) ? null : { do: "adjust", what: "total", player, points };
  }
  if (!cell.cell) {
    const written = field("settled-points");
    if (written.validity.badInput) return null; // letters, which the field does not tell
    const points = written.value === "" ? null : written.valueAsNumber;
    return { do: "adjust", what: "cell", player, ...cell, points };
  }
  const sum = element("settled-number", HTMLSelectElement).value;
  const circled = sum !== "" && field("settled-circled").checked;
  return {
    do: "adjust",
    what: "cell",
    player,
    cells: [{ cell: cell.cell, number: sum === "" ? null : Number(sum), circled }],
  };
}

/**
 * Whether the fields say another thing than they did when they were opened.
 * @param {Page} ctx
 */
function unsaved(ctx) {
  const cell = chosen(ctx);
  if (cell === null) return wasWritten("settled-total", "");
  const before = now(ctx, open_.player, cell);
  if (!cell.cell) return wasWritten("settled-points", open_.tapped ? (before ?? "") : "");
  const sum = element("settled-number", HTMLSelectElement).value;
  return sum !== String(before?.number ?? "") || field("settled-circled").checked !== Boolean(before?.circled);
}

/** Whether a field no longer holds what it began with. */
const wasWritten = (id, begun) => field(id).validity.badInput || field(id).value !== String(begun);

/** @param {Page} ctx */
async function settle(ctx) {
  const mine = open_;
  const wanted = action(ctx);
  if (wanted === null) {
    ctx.toast(
      wanted === null && mine.what === "total"
        ? t("Write the new total as a number.")
        : t("Write the points as a number."),
    );
    return;
  }
  mine.done = true; // or on its way
  mine.done = await ctx.act(wanted, { at: mine.version });
  if (open_ !== mine) return;
  if (mine.done) {
    panel.close();
    return;
  }
  mine.version = ctx.state.version; // the table as it is now, what was written stays
  if (!ctx.standing.order.includes(mine.player)) [mine.player] = ctx.standing.order;
  panel.draw(content(ctx));
}

/**
 * Has what is shown be that of who, and of what, is chosen.
 * @param {Page} ctx
 */
function listen(ctx) {
  panel.place.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
    if (open_ === null) return;
    if (target.name === "settled") open_.player = Number(target.value);
    else if (target.id === "settled-what") open_.what = target.value === "total" ? "total" : Number(target.value);
    else return;
    panel.draw(content(ctx));
  });
}

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => (
  listen(ctx),
  {
    settle: () => open(ctx),
    "settle-cell": (tapped) => open(ctx, tapped),
    "settle-do": () => settle(ctx),
  }
);

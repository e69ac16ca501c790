// A person sets a player's total, or one cell of his sheet, whatever the dice and the rules say.

import { button } from "../shared/buttons.js";
import { element, field, html } from "../shared/dom.js";
import { checkbox, numberField, radio, selection } from "../shared/fields.js";
import { panelHead } from "./panel.js";
import { number, t } from "../shared/text.js";
import { boxesOf, categoryName, cellsOf } from "../shared/sentences.js";

const SIZE = [1, 2, 3, 4, 5];
const SUMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** Settles a total or a cell. The person chooses the player, and the total or the cell, in the dialog. */
class Adjustment {
  kind = "tall";

  /** @param {Page} ctx @param {number} player @param {Cell | null} cell  that was tapped; null begins with the total */
  constructor(ctx, player, cell) {
    const at = allCells(ctx.standing).findIndex((each) => JSON.stringify(each) === JSON.stringify(cell));
    this.ctx = ctx;
    this.version = ctx.state.version; // the state that the person saw
    this.player = player;
    /** @type {number | "total"} */
    this.what = at < 0 ? "total" : at; // or a place among `allCells`
    this.tapped = cell !== null;
    this.done = false; // settled, or on its way
  }

  /** The chosen cell; null for the total. */
  cell() {
    return this.what === "total" ? null : allCells(this.ctx.standing)[this.what];
  }

  /** What stands in a cell now: points or, in a grid, a number and its circle; undefined where it is open.
   * @param {Cell} cell */
  written({ cell, category, column = 1, number: which, round }) {
    const player = this.ctx.standing.players[this.player];
    if (round) return player.turns[round - 1] ?? player.kept ?? undefined;
    if (cell) return player.grid[cell[0] - 1][cell[1] - 1] ?? undefined;
    if (which) return boxesOf(player, { category, column })?.[which - 1] ?? undefined;
    return category && cellsOf(player, column)[category];
  }

  content() {
    const { ctx } = this;
    const { players } = ctx.standing;
    const cells = allCells(ctx.standing);
    return html`${panelHead(cells.length ? t("Set a total or a cell") : t("Set a total"))}
      <div class="fields">
        <fieldset class="field">
          <legend>${t("Player")}</legend>
          ${players.map((player, who) =>
            ctx.mayAct(who) && !player.out
              ? radio(
                  html`${player.name}: <strong>${number(player.score)}</strong>`,
                  "settled",
                  who,
                  who === this.player,
                  `w${who}`,
                )
              : "",
          )}
        </fieldset>
        ${cells.length > 0 &&
        selection(
          t("What is to be settled"),
          html`id="settled-what"`,
          [
            ["total", `${t("Total")}: ${number(players[this.player].score)}`],
            ...cells.map((each, i) => [i, html`${cellName(ctx, each)}${this.writtenWords(each)}`]),
          ],
          this.what,
        )}
        ${this.valueField()}
        <p class="hint">${t("It is marked with a pencil, stands in the list of steps and can be undone.")}</p>
        ${button("button primary wide", "settle-do", this.what === "total" ? t("Set the total") : t("Set the cell"), {
          sign: "check",
        })}
        ${this.tapped && ctx.state.steps
          ? button("button wide", "correct", t("Steps so far, and correcting a throw"))
          : ""}
      </div>`;
  }

  /** @param {Cell} cell */
  writtenWords(cell) {
    const value = this.written(cell);
    if (value === undefined) return "";
    return cell.cell ? `: ${value.circled ? `(${value.number})` : value.number}` : `: ${number(value)}`;
  }

  valueField() {
    const cell = this.cell();
    if (cell === null) return numberField(t("New total"), { id: "settled-total" }, { key: "total" });
    if (!cell.cell) {
      const value = this.tapped ? (this.written(cell) ?? "") : ""; // a cell that was tapped by mistake stays as it is
      const about = { id: "settled-points", inputmode: "numeric", min: 0, value };
      return numberField(t("Points in this cell; empty for an open one"), about, { key: "points" });
    }
    const before = this.written(cell);
    return html`<div data-key="number-${this.player}-${this.what}">
      ${selection(
        t("Number in this cell"),
        html`id="settled-number"`,
        [["", t("empty")], ...SUMS.map((each) => [each, String(each)])],
        before?.number,
      )}
      ${checkbox(t("circled"), { id: "settled-circled", checked: Boolean(before?.circled) })}
    </div>`;
  }

  /** The action that the fields describe; null if they hold no number. */
  action() {
    const { player } = this;
    const cell = this.cell();
    if (cell === null) {
      const points = field("settled-total").valueAsNumber;
      return Number.isNaN(points) ? null : { do: "adjust", what: "total", player, points };
    }
    if (!cell.cell) {
      const written = field("settled-points");
      if (written.validity.badInput) return null; // letters, which the field's value does not tell
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

  unsaved() {
    if (this.done) return false;
    const cell = this.cell();
    if (cell === null) return isChanged("settled-total", "");
    const before = this.written(cell);
    if (!cell.cell) return isChanged("settled-points", this.tapped ? (before ?? "") : "");
    const sum = element("settled-number", HTMLSelectElement).value;
    return sum !== String(before?.number ?? "") || field("settled-circled").checked !== Boolean(before?.circled);
  }

  /** Shows the player, and the total or the cell, that was chosen. @param {Event} event */
  changed(event) {
    const target = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
    if (target.name === "settled") this.player = Number(target.value);
    else if (target.id === "settled-what") this.what = target.value === "total" ? "total" : Number(target.value);
    else return;
    this.ctx.panel.draw();
  }

  handlers = { "settle-do": () => this.settle() };

  async settle() {
    const { ctx } = this;
    const action = this.action();
    if (action === null) {
      ctx.toast(this.what === "total" ? t("Write the new total as a number.") : t("Write the points as a number."));
      return;
    }
    this.done = true;
    this.done = await ctx.act(action, { at: this.version });
    if (!ctx.panel.shows(this)) return;
    if (this.done) {
      ctx.panel.close();
      return;
    }
    this.version = ctx.state.version; // the table as it is now; what was written stays
    if (!ctx.standing.order.includes(this.player)) [this.player] = ctx.standing.order;
    ctx.panel.draw();
  }
}

/** All cells of one player, as the actions name them. @param {Standing} standing @returns {Cell[]} */
export function allCells(standing) {
  if (standing.lines)
    return SIZE.flatMap((row) => SIZE.map((column) => ({ cell: /** @type {[number, number]} */ ([row, column]) })));
  if (standing.letters) return Array.from({ length: standing.round }, (_, i) => ({ round: i + 1 }));
  if (standing.figures_list) return standing.figures_list.map((category) => ({ category }));
  if (!standing.sheet) return [];
  const { columns, upper, lower, stands } = standing.sheet;
  return columns.flatMap((column) =>
    [...upper, ...lower].flatMap((category) => {
      const cell = columns.length > 1 ? { category, column } : { category };
      const times = Array.from({ length: stands?.[category] ?? 0 }, (_, place) => ({ ...cell, number: place + 1 }));
      return times.length ? times : [cell];
    }),
  );
}

/** @param {Context} ctx @param {Cell} cell */
function cellName(ctx, { cell, round, ...written }) {
  if (round) return t("Round {round}", { round });
  return cell ? t("Row {row}, column {column}", { row: cell[0], column: cell[1] }) : categoryName(ctx, written);
}

/** Whether a field no longer holds what it began with. @param {string} id @param {unknown} begun */
const isChanged = (id, begun) => field(id).validity.badInput || field(id).value !== String(begun);

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  settle: () => {
    const [first] = ctx.standing.to_act.filter(ctx.mayAct);
    ctx.panel.open(new Adjustment(ctx, ctx.playsFor ?? first ?? ctx.standing.order[0], null));
  },
  "settle-cell": ([player, cell]) => ctx.panel.open(new Adjustment(ctx, player, cell)),
});

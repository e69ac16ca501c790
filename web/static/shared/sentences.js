// What happened, in words; and small questions about a standing that several sheets ask.

import { html } from "./dom.js";
import { row } from "./dice.js";
import { list, number, phoneName, plus, t, tn } from "./text.js";

/**
 * How many dice the throw has that may come now, the dice that are marked to be kept apart: 0 for none.
 * @param {Context} ctx
 */
export function throwDice(ctx) {
  const { standing } = ctx;
  if (standing.turn.expects) return standing.turn.expects;
  const kept = ctx.keep();
  return kept === null ? 0 : standing.turn.dice.length - kept.length;
}

/**
 * Whether anybody must act for whom this phone may.
 * @param {Context} ctx
 */
export const mayActNow = (ctx) => ctx.standing.to_act.some(ctx.mayAct);

const LINES = {
  bust: (ctx, event) =>
    html`<strong>${t("Bust.")}</strong> ${row(event.dice, "small")}
      ${event.lost
        ? tn("{name} loses {count} point.", "{name} loses {count} points.", event.lost, {
            name: ctx.name(event.player),
          })
        : t("{name} scores nothing.", { name: ctx.name(event.player) })}`,
  penalty: (ctx, event) =>
    t("The third zilch in a row: {name} {points}", { name: ctx.name(event.player), points: plus(event.points) }),
  "set-aside": (ctx, event) => html`${row(event.dice, "small")} <strong>${plus(event.points)}</strong>`,
  confirm: () => t("All six dice scored: they must be thrown once more."),
  "last-round": (ctx, event) =>
    ctx.standing.options.finish_round
      ? t("{name} has reached the target. The round is played out.", { name: ctx.name(event.player) })
      : t("{name} has reached the target. Everybody else has one more turn.", { name: ctx.name(event.player) }),
  scored: (ctx, event) =>
    event.points
      ? html`${row(event.dice, "small")} ${ctx.name(event.player)} <strong>${plus(event.points)}</strong>`
      : html`${row(event.dice, "small")} ${t("{name} scores nothing.", { name: ctx.name(event.player) })}`,
  wiped: (ctx, event) => {
    const said = t("Three ones: {name} falls back to 0.", { name: ctx.name(event.player) });
    return html`${row(event.dice || [], "small")} ${said}`;
  },
  again: (ctx, event) => html`${row(event.dice, "small")} ${t("Two alike: throw both again.")}`,
  forbidden: (ctx, event) => t("Forbidden for the whole game: {numbers}", { numbers: list(event.numbers.map(String)) }),
  added: (ctx, event) =>
    html`${row(event.dice, "small")} ${ctx.name(event.player)} <strong>${plus(event.points)}</strong>${event.left.length
        ? html` · ${tn("{count} die leaves the turn.", "{count} dice leave the turn.", event.left.length)}`
        : ""}`,
  "no-figure": (ctx, event) => html`${row(event.dice, "small")} ${t("No throws left and no figure to write.")}`,
  "upper-bonus": (ctx, event) =>
    tn("Upper bonus for {name}: {count} point", "Upper bonus for {name}: {count} points", event.points, {
      name: ctx.name(event.player),
    }),
  "further-general": (ctx, event) =>
    tn(
      "A further general for {name}: {count} point more",
      "A further general for {name}: {count} points more",
      event.points,
      { name: ctx.name(event.player) },
    ),
  line: (ctx, event) =>
    event.circles
      ? tn("{name} completed a line: {count} circle", "{name} completed a line: {count} circles", event.circles, {
          name: ctx.name(event.player),
        })
      : t("{name} completed a line without a pattern.", { name: ctx.name(event.player) }),
  "line-scored": (ctx, event) =>
    tn("{name}: a whole line circled, {count} point", "{name}: a whole line circled, {count} points", event.points, {
      name: ctx.name(event.player),
    }),
  "last-throw": () => t("A grid is full: one more throw for everybody."),
};

/**
 * The events of the last action as lines to show.
 * @param {Context} ctx
 */
export const eventLines = (ctx, events) =>
  events.filter((event) => LINES[event.event]).map((event) => LINES[event.event](ctx, event));

/**
 * What the last step did by itself, as lines to show; also the only set-aside of a throw, which nobody had to tap.
 * @param {Context} ctx
 */
export function lastLines(ctx) {
  const {
    state: { last_move: last },
    standing,
  } = ctx;
  if (last?.gained === undefined) return eventLines(ctx, standing.events);
  return [
    html`${row(last.action.dice, "small")} <strong>${plus(last.gained)}</strong> ${t(
        "set aside: nothing else was possible",
      )}`,
  ];
}

/** Whose turn it is, of everybody who must act. */
export const whoPlays = ({ standing, name }) =>
  tn("{names} plays", "{names} play", standing.to_act.length, { names: list(standing.to_act.map(name)) });

/** Who has won. */
export const whoWins = ({ standing, name }) =>
  tn("{names} wins", "{names} win", standing.winners.length, { names: list(standing.winners.map(name)) });

/** That the server cannot be heard, as long as that is so. */
export const offline = ({ local }) =>
  local.offline ? html`<p class="notice offline" role="status">${t("No connection. Trying again …")}</p>` : "";

/**
 * What a step came to, in a few words for everybody at the table; "" where there is nothing to tell.
 * @param {Context} ctx
 */
export function outcome(ctx, { player, action, events, gained }) {
  const name = player === null ? "" : ctx.name(player);
  switch (action.do) {
    case "score": {
      const points = cellsOf(ctx.standing.players[player], action.column)[action.category] + extra(events);
      return `${name}: ${categoryName(ctx.standing, action)} ${plus(points)}`;
    }
    case "bank":
      return `${name}: ${plus(banked({ events }))}`;
    case "pass":
      return `${name}: ${t("passed")}`;
    case "set-aside":
      return gained === undefined
        ? ""
        : `${name}: ${t("set aside {dice}", { dice: action.dice.join(" ") })} ${plus(gained)}`;
    default:
      return events
        .map((event) => SAID[event.event]?.(ctx, event) ?? "")
        .filter(Boolean)
        .join(" · ");
  }
}

const SAID = {
  bust: (ctx, event) => `${ctx.name(event.player)}: ${t("Bust.")}`,
  scored: (ctx, event) =>
    event.points
      ? `${ctx.name(event.player)}: ${plus(event.points)}`
      : t("{name} scores nothing.", { name: ctx.name(event.player) }),
  wiped: (ctx, event) => t("Three ones: {name} falls back to 0.", { name: ctx.name(event.player) }),
  "line-scored": LINES["line-scored"],
  adjusted: (ctx, event) =>
    `${event.player === undefined ? "" : `${ctx.name(event.player)}: `}${adjustWords(event, titlesOf(ctx.standing))}`,
};

/** The points in the filled cells of a player's sheet, or of one of its columns, by their keys. */
export const cellsOf = (player, column = 1) =>
  player.figures || player.columns.find((each) => each.column === column).cells;

const extra = (events) =>
  events.filter((event) => event.event === "further-general").reduce((sum, event) => sum + event.points, 0);

/**
 * A category by its name, with its column where there are several.
 * @param {Standing} standing
 * @param {Cell | Action} cell
 */
export function categoryName(standing, { category, column }) {
  const name = t(titlesOf(standing)[category]);
  return standing.sheet && standing.sheet.columns.length > 1 ? `${name} ×${column}` : name;
}

/**
 * Whether the last step wrote this player's cell, or ended his turn: it is marked until the next one.
 * @param {Context} ctx
 * @param {number} player
 * @param {Cell} cell
 */
export function isFresh(ctx, player, { category, column = 1 } = {}) {
  const { last_move: last } = ctx.state;
  if (!last || ctx.printing || last.player !== player) return false;
  if (category === undefined) return last.events.some((event) => event.event === "turn" && event.player === player);
  return last.action.do === "score" && last.action.category === category && (last.action.column || 1) === column;
}

/** Whether a line of the log came with another one: a keep or a set-aside with its throw, and what took both back. */
export const cameWith = (entry) => entry.request.startsWith("with-");

/** An undo or a correction of the log, in a few words. */
export function changeLine(entry) {
  const device = phoneName(entry.device);
  return entry.kind === "undo"
    ? t("{device}: the last step was undone", { device })
    : t("{device}: step {number} was corrected", { device, number: entry.body.correct });
}

/** The names of the categories or figures of a game, none in games without. */
export const titlesOf = (standing) => standing.sheet?.titles || standing.titles || {};

/**
 * What a step of the record was, in a few words.
 * @param {Context} ctx
 */
export function stepWords(ctx, move) {
  const { action } = move;
  const { standing } = ctx;
  const titles = titlesOf(standing);
  switch (action.do) {
    case "throw":
      return html`${t("threw")} ${row(action.dice, "small")}`;
    case "set-aside":
      return html`${t("set aside")} ${row(action.dice, "small")}`;
    case "keep":
      return action.dice.length ? html`${t("kept")} ${row(action.dice, "small")}` : t("kept nothing");
    case "bank":
      return move.events ? t("banked {points}", { points: number(banked(move)) }) : t("banked");
    case "score":
      return action.column > 1 || (standing.sheet?.columns.length ?? 1) > 1
        ? t("wrote {category} in column {column}", { category: t(titles[action.category]), column: action.column })
        : t("wrote {category}", { category: t(titles[action.category]) });
    case "pass":
      return t("passed");
    case "write":
      return t("wrote in row {row}, column {column}", { row: action.cell[0], column: action.cell[1] });
    case "circle":
      return t("circled row {row}, column {column}", { row: action.cell[0], column: action.cell[1] });
    case "circle-line":
      return tn("circled {count} cell of line {line}", "circled {count} cells of line {line}", action.cells.length, {
        line: lineName(action.line),
      });
    case "skip":
      return t("skipped");
    case "adjust":
      return adjustWords(action, titles);
    default:
      return action.do;
  }
}

/** The points that a bank added, as its events tell. */
const banked = ({ events }) => events.find((event) => event.event === "turn").points;

/** What a person settled by hand. */
function adjustWords(action, titles) {
  const points = number(action.points ?? 0);
  if (action.what === "player-renamed") return t("is called {name} from now on", { name: action.name.trim() });
  if (action.what === "player-added") return t("{name} joined", { name: action.name.trim() });
  if (action.what === "player-removed") return t("no longer plays");
  if (action.what === "turn-skipped") return t("the turn was skipped");
  if (action.what === "order") return t("the order of the players was changed");
  if (action.what === "total") return t("total set to {points} by hand", { points });
  if (action.what === "game") return action.over ? t("the game was ended early") : t("the game goes on");
  if (action.what === "forbidden")
    return t("forbidden numbers settled by hand: {numbers}", { numbers: list(action.numbers.map(String)) });
  if (action.cells) return t("cells settled by hand");
  if (action.category === null) return t("turn settled by hand: nothing written");
  if (!action.category) return t("turn settled by hand: {points}", { points });
  const category = t(titles[action.category]);
  return action.points === null
    ? t("{category} opened again by hand", { category })
    : t("{category} settled by hand: {points}", { category, points });
}

/** A line of knaster by its name. */
export function lineName(line) {
  if (line === "d1") return t("diagonal ↘");
  if (line === "d2") return t("diagonal ↙");
  return line[0] === "r" ? t("row {number}", { number: line[1] }) : t("column {number}", { number: line[1] });
}

// What happened, in words; and small questions about a standing.

import { html } from "./dom.js";
import { diceRow } from "./dice.js";
import { icon } from "./icons.js";
import { capitalize, joinNames, number, phoneName, plus, t, tn } from "./text.js";

/** The number of dice to throw now, without those that are marked to be kept; 0 if no throw is due.
 * @param {Context} ctx */
export function diceToThrow(ctx) {
  const { standing } = ctx;
  if (standing.turn.expects) return standing.turn.expects;
  const kept = ctx.markedDice();
  return kept === null ? 0 : standing.turn.dice.length - kept.length;
}

/** How many dice the throw that shows so many should have: these, if the player chooses. @param {Context} ctx */
export const diceDue = (ctx, /** @type {number} */ shown) =>
  ctx.standing.legal.some(({ do: verb, count }) => verb === "throw" && count === shown) ? shown : diceToThrow(ctx);

/** Whether this phone may act for one of those who must act. @param {Context} ctx */
export const mayActNow = (ctx) => ctx.standing.to_act.some(ctx.mayAct);

/** @type {EventWords} */
const LINES = {
  bust: (ctx, event) =>
    html`<strong>${t("Bust.")}</strong> ${diceRow(event.dice, "small")}
      ${event.lost
        ? tn("{name} loses {count} point.", "{name} loses {count} points.", event.lost, {
            name: ctx.name(event.player),
          })
        : t("{name} scores nothing.", { name: ctx.name(event.player) })}`,
  "set-aside": (ctx, event) => html`${diceRow(event.dice, "small")} <strong>${plus(event.points)}</strong>`,
  scored: (ctx, event) =>
    event.points
      ? html`${diceRow(event.dice, "small")} ${ctx.name(event.player)} <strong>${plus(event.points)}</strong>`
      : html`${diceRow(event.dice, "small")} ${t("{name} scores nothing.", { name: ctx.name(event.player) })}`,
  again: (ctx, event) => html`${diceRow(event.dice, "small")} ${t("Two alike: throw both again.")}`,
  added: (ctx, event) =>
    html`${diceRow(event.dice, "small", ctx.standing.forbidden ?? [])} ${ctx.name(event.player)}
      <strong>${plus(event.points)}</strong>${event.left.length > 0 &&
      html` · ${tn("{count} die leaves the turn.", "{count} dice leave the turn.", event.left.length)}`}`,
  "no-figure": (ctx, event) => html`${diceRow(event.dice, "small")} ${t("No throws left and no figure to write.")}`,
};

/** The events of the last action as lines to show. @param {Context} ctx @param {Happened[]} events */
export const eventLines = (ctx, events) => events.map((event) => eventLine(ctx, event)).filter(Boolean);

/** An event as a line; "" if neither LINES nor its game has words for it.
 * @param {Context} ctx @param {Happened} event */
function eventLine(ctx, event) {
  if (LINES[event.event]) return LINES[event.event](ctx, event);
  return event.event in ctx.setup.sentences.events ? phraseFor(ctx, event, "done") : "";
}

const TOLD_BY_OUTCOME = ["score", "bank", "pass", "adjust"];

/** Whether `outcome` tells all of a step that its player chose. @param {Action} action */
const isToldByOutcome = (action) => TOLD_BY_OUTCOME.includes(action.do) || "points" in action;

/** What followed from the last step, as lines to show; also a throw's only set-aside, which nobody had to tap.
 * @param {Context} ctx */
export function lastLines(ctx) {
  const { last_move: last } = ctx.state;
  if (last?.gained === undefined) {
    const lines = eventLines(ctx, ctx.standing.events);
    if (!last || !isToldByOutcome(last.action)) return lines;
    const isWhole = "points" in last.action || last.action.do === "adjust"; // the outcome names the events too
    return [outcome(ctx, last), ...(isWhole ? [] : lines)].filter(Boolean);
  }
  return [
    html`${diceRow(last.action.dice, "small")} <strong>${plus(last.gained)}</strong> ${t(
        "set aside: nothing else was possible",
      )}`,
  ];
}

/** Who must act, as a sentence. @param {Context} ctx */
export const whoPlays = ({ standing, name }) =>
  tn("{names} plays", "{names} play", standing.to_act.length, { names: joinNames(standing.to_act.map(name)) });

/** Whether a player leads: first, and not everybody. @param {Standing} standing @param {number} who */
export const leads = ({ players }, who) => players[who].place === 1 && players.some(({ place }) => Number(place) > 1);

/** The mark of a player who leads; "" for others. @param {Standing} standing @param {number} who */
export const leaderMark = (standing, who) =>
  leads(standing, who) ? html`<span class="leads">${icon("star")}<span class="hidden">${t("leads")}</span></span>` : "";

/** Who has won, as a sentence. @param {Context} ctx */
export const whoWins = ({ standing, name }) =>
  tn("{names} wins", "{names} win", standing.winners.length, { names: joinNames(standing.winners.map(name)) });

/** The notice that there is no connection; "" while there is one. @param {Context} ctx */
export const offlineNotice = ({ offline }) =>
  offline ? html`<p class="notice offline" role="status">${t("No connection. Trying again …")}</p>` : "";

/** The outcome of a step, in a few words for everybody at the table; "" if there is nothing to tell.
 * @param {Context} ctx @param {Move} move */
export function outcome(ctx, { player, action, events, gained }) {
  const name = player === null ? "" : ctx.name(player);
  switch (action.do) {
    case "score": {
      const points = lastIn(ctx.standing.players[player ?? -1], action) + furtherGenerals(events);
      return `${name}: ${categoryName(ctx, action)} ${plus(points)}`;
    }
    case "write":
      return [
        ...(action.points === undefined ? [] : [`${name}: ${plus(action.points)}`]), // on a grid it has none
        ...outcomesOf(ctx, events),
      ].join(" · ");
    case "bank":
      return `${name}: ${plus(bankedPoints({ events }))}`;
    case "pass":
      return `${name}: ${t("passed")}`;
    case "set-aside":
      return gained === undefined ? "" : `${name}: ${t("set aside")} ${action.dice.join(" ")} ${plus(gained)}`;
    default:
      return outcomesOf(ctx, events).join(" · ");
  }
}

/** @param {Context} ctx @param {Happened[]} events */
const outcomesOf = (ctx, events) => events.map((event) => OUTCOMES[event.event]?.(ctx, event)).filter(Boolean);

/** @type {EventWords} */
const OUTCOMES = {
  "all-lost": eventLine,
  overshot: eventLine,
  bust: (ctx, event) => `${ctx.name(event.player)}: ${t("Bust.")}`,
  scored: (ctx, event) =>
    event.points
      ? `${ctx.name(event.player)}: ${plus(event.points)}`
      : t("{name} scores nothing.", { name: ctx.name(event.player) }),
  "line-scored": eventLine,
  "round-won": eventLine,
  out: eventLine,
  adjusted: (ctx, event) =>
    `${event.player === undefined ? "" : `${ctx.name(event.player)}: `}${phraseFor(ctx, event, "done")}`,
};

/** The points in the filled cells of a player's sheet or column, by the cells' keys. @param {Player} player */
export const cellsOf = (player, column = 1) =>
  player.figures || player.columns.filter((each) => each.column === column)[0].cells;

/** What stands in a cell that may be written several times, null where it is open; null in games without such cells.
 * @param {Player} player @param {Cell} cell */
export const boxesOf = (player, { category = "", column = 1 }) =>
  player.columns?.filter((each) => each.column === column)[0].boxes?.[category] ?? null;

/** The points that were written last into a cell. @param {Player} player @param {Cell | Action} cell */
function lastIn(player, { category = "", column }) {
  const written = boxesOf(player, { category, column })?.filter((points) => points !== null);
  return written ? written[written.length - 1] : cellsOf(player, column)[category];
}

/** @param {Happened[]} events */
const furtherGenerals = (events) =>
  events.filter((event) => event.event === "further-general").reduce((sum, event) => sum + event.points, 0);

/** How the cells of a column are written: a sign, which never stands without its words for screen readers. */
/** @type {Record<string, string>} */
const ORDER_SIGNS = { down: "↓", free: "↕\ufe0e", up: "↑", announced: "!" };
/** @type {Record<string, () => string>} */
const ORDER_WORDS = {
  down: () => t("from top to bottom"),
  free: () => t("in any order"),
  up: () => t("from bottom to top"),
  announced: () => t("announced"),
};

/** A column in short: in which order it is written, else how often it counts.
 * @param {any} sheet @param {number} column */
export function columnSign({ columns, orders, factors = [] }, column) {
  const signs = columns.map((/** @type {number} */ each) => {
    const times = (factors[each - 1] ?? 1) > 1 || !orders ? `×${factors[each - 1]}` : "";
    return `${orders ? ORDER_SIGNS[orders[each - 1]] : ""}${times}`;
  });
  const own = signs[column - 1];
  return signs.filter((/** @type {string} */ each) => each === own).length > 1 ? `${own} #${column}` : own;
}

/** The same in words. @param {any} sheet @param {number} column */
export function columnWords(sheet, column) {
  const order = sheet.orders?.[column - 1];
  return order ? `${t("column {number}", { number: column })}, ${ORDER_WORDS[order]()}` : columnSign(sheet, column);
}

/** A category by its name, with its column where there are several; `spoken`: for screen readers.
 * @param {Context} ctx @param {Cell | Action} cell */
export function categoryName(ctx, { category, column, number }, spoken = false) {
  const { sheet } = ctx.standing;
  const name = number ? `${categoryTitle(ctx, category)} (${number})` : categoryTitle(ctx, category);
  if (!column || !sheet || sheet.columns.length < 2) return name;
  return sheet.orders && spoken ? `${name}, ${columnWords(sheet, column)}` : `${name} ${columnSign(sheet, column)}`;
}

/** Whose turn it is, or how the game ended, as a sentence without its full stop.
 * @param {Context} ctx @param {Pick<Sheet, "heading">} sheet */
export function whoseTurn(ctx, sheet) {
  if (ctx.standing.over) return ctx.standing.players.length === 1 ? t("The game is over") : whoWins(ctx);
  return String(sheet.heading ? sheet.heading(ctx) : whoPlays(ctx));
}

/** What happened since version `since`, to be said, with what is `now` at its end; "" if that is nothing.
 * @param {Context} ctx @param {number} since @param {string[]} now */
export function changeSentence(ctx, since, now) {
  const { came_with: first, last_move: last, recent, version } = ctx.state;
  const lines = recent.filter((entry) => entry.seq > since);
  const known = lines.length === version - since ? lines : []; // else nobody knows all that happened
  const parts = known.flatMap((entry) => {
    if (entry.kind !== "do") return [changeLine(entry)];
    const move = [...first, last].find((each) => each?.seq === entry.seq);
    return move ? stepParts(ctx, move) : [];
  });
  const all = parts.concat(now).filter(Boolean);
  // "Ada: threw 1, 1, 2. Ada: Bust." names her once.
  const named = all.map((part, i) => {
    const lead = part.match(/^.+?: /)?.[0];
    return lead && i && all[i - 1].startsWith(lead) ? part.slice(lead.length) : part;
  });
  return named.map((part) => `${capitalize(part.replace(/\.$/, ""))}.`).join(" ");
}

/** A step for screen readers: what was done, and what came of it. @param {Context} ctx @param {Move} move */
function stepParts(ctx, move) {
  const { action, player } = move;
  const who = player === null ? "" : `${ctx.name(player)}: `;
  if (action.do === "set-aside") return [`${who}${t("set aside")} ${spokenDice(action.dice)}`];
  const came = outcome(ctx, move);
  if (came && isToldByOutcome(action)) return [came];
  const dice = action.dice?.length ? action.dice : null;
  if (dice && spokenDice(dice) === ctx.local.saidDice) return [came]; // as they came to rest
  const words = phraseFor(ctx, dice ? { ...action, dice: undefined } : action, "done");
  return [`${who}${words}${dice ? ` ${spokenDice(dice)}` : ""}`, came];
}

/** Dice in order, for voices. @param {number[]} dice */
export const spokenDice = (dice) => [...dice].sort((a, b) => a - b).join(", ");

/** Whether the last step wrote this player's cell; without a category, whether it ended his turn.
 * @param {Context} ctx @param {number} player @param {Cell} cell */
export function isFresh(ctx, player, { category, column = 1 } = {}) {
  const { last_move: last } = ctx.state;
  if (!last || ctx.printing || last.player !== player) return false;
  if (category === undefined) return last.events.some((event) => event.event === "turn" && event.player === player);
  return last.action.do === "score" && last.action.category === category && (last.action.column || 1) === column;
}

/** Whether a line of the log came with another one, as a keep or a set-aside comes with its throw.
 * @param {RecentLine} entry */
export const cameWithAnother = (entry) => entry.request.startsWith("with-");

/** An undo or a correction of the log, in a few words. @param {RecentLine} entry */
export function changeLine(entry) {
  const device = phoneName(entry.device);
  return entry.kind === "undo"
    ? t("{device}: the last step was undone", { device })
    : t("{device}: step {number} was corrected", { device, number: entry.body.correct });
}

/** The title of a category or figure; a game that people made says it in this page's language, if they wrote it so.
 * @param {Context} ctx @param {string} category */
export function categoryTitle({ setup, standing }, category) {
  const title = setup?.sentences?.titles.category?.[category];
  return title ? t(title.text, title.params) : t((standing.sheet ?? standing).titles[category]);
}

/** What a step of the record was, in a few words.
 * @param {Context} ctx @param {{action: Action, events?: any[]}} move */
export const stepWords = (ctx, { action, events }) =>
  phraseFor(ctx, action.do === "bank" && events ? { ...action, points: bankedPoints({ events }) } : action, "done");

/** The points that a bank added, as its events tell. @param {{events: Happened[]}} move */
const bankedPoints = ({ events }) => events.find((event) => event.event === "turn")?.points;

/** The title of a field's value as the game declares it, such as of a category or a line.
 * @param {Context} ctx @param {string} field @param {string} value */
export function title({ setup }, field, value) {
  const { text, params } = setup.sentences.titles[field][value];
  return t(text, params);
}

// What the braces of a phrase may stand for, besides the fields of its action.
/** @type {Record<string, (action: Action, ctx: Context) => any>} */
const VALUES = {
  count: ({ count, cells, dice, circles, points }) => count ?? (cells ?? dice)?.length ?? circles ?? points,
  row: ({ cell }) => cell[0],
  column: ({ cell, column }) => (cell ? cell[1] : column),
  cells: ({ cells }) => cells.map((/** @type {number[]} */ cell) => cell.join("/")).join(", "),
  dice: ({ dice }) => dice.join("\u00a0"),
  name: ({ name, player }, ctx) => name?.trim() ?? ctx.name(player),
  numbers: ({ numbers }) => joinNames(numbers.map(String)),
  points: ({ points }) => number(points),
  tiles: ({ tiles }) => tiles.join(", "),
  to: ({ to }, ctx) => ctx.name(to),
};

/**
 * An action or an event in the words of its game (scorer/sentences.py); "" if the game has none in this form. `form`: a
 * step that was "done", a "choice", an "offer" beside the dice, or what "stays" after a correction.
 * @param {Context} ctx @param {any} action @param {"done" | "choice" | "offer" | "stays"} form @returns {Content}
 */
export function phraseFor(ctx, action, form) {
  const { actions, adjustments, events, titles } = ctx.setup.sentences;
  const verb = action.what ? adjustments[action.what] : action.do ? actions[action.do] : events[action.event];
  const phrases = verb[form] ?? (form === "offer" ? verb.choice : null) ?? [];
  const phrase = phrases.find(({ when = {} }) =>
    Object.entries(when).every(([name, value]) => JSON.stringify(action[name] ?? null) === JSON.stringify(value)),
  );
  if (!phrase) return "";
  const { text, many } = phrase;
  /** @type {Values} */
  const values = {};
  for (const [, name] of text.matchAll(/\{(\w+)\}/g))
    values[name] = titles[name] ? title(ctx, name, action[name]) : (VALUES[name]?.(action, ctx) ?? action[name]);
  const { count, ...named } = values;
  if (many) return tn(text, many, count, named);
  const words = t(text, values);
  return action.dice?.length && !("dice" in values) ? html`${words} ${diceRow(action.dice, "small")}` : words;
}

/** Whether each player has a sheet with cells of its own. @param {Standing} standing */
export const hasSheet = (standing) => Boolean(standing.sheet || standing.figures_list || standing.lines);

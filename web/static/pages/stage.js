// What the board shows of a running game: who stands where and, as large as the screen allows, what happens now.

import { die, diceRow, slot } from "../shared/dice.js";
import { html } from "../shared/dom.js";
import { icon, playerMark } from "../shared/icons.js";
import { cameraWord, diceBoxes } from "../shared/live.js";
import { photoAddress } from "../shared/net.js";
import { series } from "../shared/ending.js";
import { number, plus, refusalSentence, t } from "../shared/text.js";
import {
  boxesOf,
  cameWithAnother,
  categoryTitle,
  cellsOf,
  changeLine,
  lastLines,
  leaderMark,
  whoPlays,
} from "../shared/sentences.js";
import * as adjustments from "../sheets/adjustments.js";
import { throwsLeft } from "../sheets/kept-dice.js";
import { afterwards, categoryOffers, sum } from "../sheets/offers.js";

const MOST_CHOICES = 5;
const ONE_COLUMN = 6; // at most as many players stand one below the other
const LABEL = 1.1; // of a letter's height: the values in a photo
const GAP = 1.08; // of a die's side, from one die to the next

/** @param {Context} ctx @param {Sheet} sheet */
export function stage(ctx, sheet) {
  const now = throwOf(ctx);
  return html`${ranks(ctx, sheet)}
    <section class="now">
      <h2>${sheet.heading ? sheet.heading(ctx) : whoPlays(ctx)}</h2>
      ${sheet.notes?.(ctx)} ${table(ctx, now)} ${stake(ctx)} ${now.rests ? ownSheet(ctx) : becomes(now.after)}
      ${happened(ctx, now.rests)} ${needed(ctx.standing)} ${now.rests && series(ctx)}
    </section>`;
}

/** Whether no dice lie there and nothing is at stake: then the ranking takes most of the screen.
 * @param {Context} ctx */
export const isResting = (ctx) => throwOf(ctx).rests;

/** The players by place, in columns. @param {Context} ctx @param {Sheet} sheet */
export const ranks = (ctx, sheet) =>
  html`<ol class="ranks">
    ${byPlace(ctx).map(({ player, who }) => seat(ctx, sheet, player, who))}
  </ol>`;

/** @param {Context} ctx @param {Sheet} sheet @param {Player} player @param {number} who */
function seat(ctx, sheet, player, who) {
  const acts = !ctx.printing && ctx.standing.to_act.includes(who);
  return html`<li data-key="p${who}" class="${acts && "acts"} ${player.out && "out"}">
    <span class="place"
      >${acts && html`<span class="sign" aria-hidden="true">▸</span> `}${player.out
        ? "–"
        : `${player.place}.`}${leaderMark(ctx.standing, who)}</span
    ><span class="name">${playerMark(who)}${player.name}</span>
    <span class="score"
      >${sheet.score ? sheet.score(ctx, player) : number(player.score)}${adjustments.totalPencil(player)}</span
    >${sheet.playerDetails && sheet.playerDetails(ctx, player)}
  </li>`;
}

/** The players, each with its number: the first place first, those who left last. On paper they stay as they sit.
 * @param {Context} ctx */
function byPlace({ printing, standing }) {
  const seated = standing.players.map((player, who) => ({ player, who }));
  const rank = (/** @type {{ player: Player }} */ { player }) => (player.out ? Infinity : Number(player.place));
  return printing ? seated : seated.sort((one, other) => rank(one) - rank(other) || one.who - other.who);
}

/** The dice on the table: those `thrown`, those `aside`, how many are `due`; `after`: what may be done with them.
 * @param {Context} ctx */
function throwOf(ctx) {
  const { state, standing } = ctx;
  const { pending } = state;
  const after = pending?.would ? { ...ctx, standing: { ...standing, ...pending.would } } : ctx;
  const { turn } = standing;
  const aside = [turn.beside ?? [], ...(turn.set_aside ?? []), turn.kept ?? []].flat();
  const chooses = standing.legal.some((entry) => entry.do === "set-aside");
  const thrown = turn.dice ?? (chooses || !aside.length ? turn.throw : []);
  const rests = !thrown.length && !aside.length && !turn.points && !pending;
  return { after, thrown, aside, due: thrown.length ? 0 : turn.expects, rests };
}

/** What lies on the table: the photo under review, the dice, or what the watching camera sees.
 * @param {Context} ctx @param {ReturnType<typeof throwOf>} now */
function table(ctx, { thrown, aside, due }) {
  const { pending, watched } = ctx.state;
  if (pending) return photo(ctx.setup.base, pending);
  if (watched && !thrown.length)
    return html`<figure class="tray board-live" data-key="live">
      <img id="board-live" alt="${t("What the camera sees now")}" />
      <figcaption>${icon("look")} <span>${cameraWord(watched)}</span></figcaption>
    </figure>`;
  const crossed = ctx.standing.forbidden ?? [];
  const shown = thrown.length
    ? diceRow(thrown, "", crossed)
    : html`<span class="dice">${aside.map((value) => die(value))}${Array.from({ length: due }, slot)}</span>`;
  const beside = thrown.length && aside.length;
  if (!thrown.length && !aside.length && !due) return "";
  return html`<div class="tray" data-key="tray">${shown}</div>
    ${beside ? html`<p class="beside">${icon("check")} ${diceRow(aside, "small")}</p>` : ""}`;
}

/** The photo that a phone sent, with the dice that were found. @param {string} base @param {Pending} pending */
function photo(base, { id, status, width, height, dice, problem }) {
  const address = photoAddress(base, id);
  const shown =
    width && height
      ? html`<svg viewBox="0 0 ${width} ${height}">
          <image href="${address}" width="${width}" height="${height}" />
          ${diceBoxes(dice, width, height, 1.5)}
        </svg>`
      : html`<img src="${address}" alt="" />`;
  const words = status === "waiting" ? t("Reading the dice …") : problem ? refusalSentence(problem) : "";
  return html`<figure class="tray photo-shown" data-key="photo${id}">
    ${status !== "failed" && shown}${words && html`<figcaption>${words}</figcaption>`}
  </figure>`;
}

/** The points of the running turn, and the throws that are left. @param {Context} ctx */
function stake({ standing: { turn, players } }) {
  const points = turn.sum ?? (players.length ? turn.points : 0);
  const left = turn.throws_left !== undefined && turn.rolls?.length ? throwsLeft(turn) : "";
  if (!points && !left) return "";
  return html`<p class="stake">
    ${points ? html`<span class="big">${number(points)}</span>` : ""}
    ${turn.sum ? "" : points ? html`<span class="soft">${turn.open ? t("still open") : t("this turn")}</span>` : ""}
    ${left}
  </p>`;
}

/** What the dice could become, the best first. @param {Context} ctx */
function becomes(ctx) {
  const { legal } = ctx.standing;
  const sets = legal
    .filter((entry) => entry.do === "set-aside")
    .sort((a, b) => b.points - a.points || b.dice_left - a.dice_left)
    .map(
      ({ dice, points, dice_left: left }) =>
        html`${diceRow(dice, "small")} <strong>${plus(points)}</strong> <span class="then">${afterwards(left)}</span>`,
    );
  const cells = categoryOffers(ctx).map(
    ({ name, entry }) => html`<span class="what">${name}</span> <strong>${number(sum(entry))}</strong>`,
  );
  const shown = [...sets, ...cells].slice(0, MOST_CHOICES);
  return shown.length
    ? html`<ul class="becomes">
        ${shown.map((each) => html`<li>${each}</li>`)}
      </ul>`
    : "";
}

/** The sheet of the player whose turn it is: what is written, and what is open. @param {Context} ctx */
function ownSheet(ctx) {
  const { sheet, figures_list: figures, turn, players } = ctx.standing;
  const player = players[turn.player ?? -1];
  if (!(sheet || figures) || !player) return "";
  const columns = sheet?.columns ?? [1];
  const keys = figures ?? [...sheet.upper, ...sheet.lower];
  const written = (/** @type {string} */ key, /** @type {number} */ column) => {
    const points = cellsOf(player, column)[key];
    const open = boxesOf(player, { category: key, column })?.some((each) => each === null);
    return points === undefined ? "·" : `${number(points)}${open ? " ·" : ""}`;
  };
  return html`<ul class="cells">
    ${keys.map(
      (key) =>
        html`<li data-key="${key}">
          <span class="what">${categoryTitle(ctx, key)}</span>
          <strong>${columns.map((column) => written(key, column)).join(" ")}</strong>
        </li>`,
    )}
  </ul>`;
}

/** What the last step came to, and what was undone or corrected since. @param {Context} ctx @param {boolean} rests */
function happened(ctx, rests) {
  const last = ctx.state.recent.filter((entry) => !cameWithAnother(entry)).at(-1);
  return html`${rests && lastLines(ctx).map((line) => html`<p class="event">${line}</p>`)}
  ${last && last.kind !== "do" && html`<p class="soft change">${changeLine(last)}</p>`}`;
}

/** How far the player whose turn it is would be from the target and from the first place, if he ended his turn now.
 * @param {Standing} standing */
function needed({ options, players, turn, pad }) {
  const player = players[turn.player ?? -1];
  if (!options.target || !player || pad) return ""; // on a pad nobody has a turn to end
  const has = player.score + turn.points;
  const most = Math.max(...players.map(({ score }) => score));
  const parts = [];
  if (most > has && most > player.score) parts.push(t("{points} to the lead", { points: number(most - has) }));
  if (options.target > has)
    parts.push(t("{points} to {target}", { points: number(options.target - has), target: number(options.target) }));
  return html`<p class="needed">
    ${parts.map((part, i) => html`${i ? " · " : ""}<span class="whole">${part}</span>`)}
  </p>`;
}

// What gives way first, where the screen or a player's card has no room for all.
const GIVE_WAY = [".change", ".needed", ".beside", ".event", ".becomes li", ".cells", ".soft"];
const GIVE_WAY_ON_CARDS = [".small-line", ".player-mark"];
const BELOW_LETTERS = 0.12; // of their height: of a line that ends so far below a card nothing is cut
const SMALLER = [1, 0.85, 0.7, 0.55]; // of a long name's letters, or of many winners'

/** Hands the numbers of dice and players to the style, and hides what has no room. @param {HTMLElement} root */
export function fit(root) {
  const seats = root.querySelectorAll(".ranks li").length;
  const columns = seats > ONE_COLUMN ? 2 : 1;
  root.style.setProperty("--columns", String(columns));
  root.style.setProperty("--rows", String(Math.ceil(seats / columns)));
  for (const hidden of root.querySelectorAll("[hidden]")) hidden.removeAttribute("hidden");
  const cards = [...root.querySelectorAll(":is(.ranks, .ranking) li")];
  shrink(root.querySelector(".winners h2"), () => cards.some((card) => overflows(card, slackOf(card))));
  for (const card of cards) {
    for (const selector of GIVE_WAY_ON_CARDS)
      if (isTight(card)) card.querySelector(selector)?.setAttribute("hidden", "");
    shrink(card.querySelector(".name"), () => isTight(card));
  }
  const now = root.querySelector(".now");
  if (!now) return;
  for (const selector of GIVE_WAY)
    for (const one of [...now.querySelectorAll(selector)].reverse()) if (overflows(now)) one.setAttribute("hidden", "");
  const tray = now.querySelector(".tray");
  if (tray) layDice(root, tray);
  for (const value of now.querySelectorAll(".photo-shown text")) enlarge(value, lettersOf(now));
}

/** Whether a box is too low for what is in it. @param {Element} box @param {number} slack  in pixels */
const overflows = (box, slack = 1) => box.scrollHeight > box.clientHeight + slack;

/** Whether a player's card is too low, or too narrow for the name. @param {Element} card */
function isTight(card) {
  const name = card.querySelector(".name");
  return overflows(card, slackOf(card)) || (name !== null && name.scrollWidth > name.clientWidth + 1);
}

/** @param {Element} card */
const slackOf = (card) => BELOW_LETTERS * lettersOf(card);

/** The size of a box's letters in pixels. @param {Element} box */
const lettersOf = (box) => parseFloat(getComputedStyle(box).fontSize);

/** Makes letters smaller, step by step, until they fit.
 * @param {Element | null} one @param {() => boolean} isTooLarge */
function shrink(one, isTooLarge) {
  if (!(one instanceof HTMLElement)) return;
  for (const size of SMALLER) {
    one.style.setProperty("--shrink", String(size));
    if (!isTooLarge()) return;
  }
}

/** Makes a die's value in a photo as large as the smallest letters of the stage; it stays inside the picture.
 * @param {Element} value @param {number} letters  in pixels of the screen */
function enlarge(value, letters) {
  if (!(value instanceof SVGTextElement)) return;
  const size = (LABEL * letters) / (value.getScreenCTM()?.a || 1);
  value.setAttribute("font-size", String(size));
  value.setAttribute("y", String(Math.max(Number(value.getAttribute("y")), 0.8 * size)));
}

/** As many dice side by side as makes them largest. @param {HTMLElement} root @param {Element} tray */
function layDice({ style }, tray) {
  const count = tray.querySelectorAll(".die").length;
  const ways = Array.from({ length: count }, (_, i) => {
    const rows = Math.ceil(count / (i + 1));
    return { across: i + 1, side: Math.min(tray.clientWidth / (i + 1), tray.clientHeight / rows) / GAP };
  });
  const { across, side } = ways.reduce((best, way) => (way.side > best.side ? way : best), { across: 1, side: 0 });
  style.setProperty("--side", `${Math.floor(side)}px`);
  style.setProperty("--across", `${Math.ceil(across * side * GAP)}px`);
}

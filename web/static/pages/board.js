// The big board: the same state, drawn to be read across the room, without anything to tap.

import { at } from "../shared/address.js";
import { ending, series } from "../shared/ending.js";
import { scoreHistory } from "../shared/page-part.js";
import { Moments } from "../shared/moments.js";
import { closedNotice, damageNotice } from "../shared/table-notices.js";
import { html, render } from "../shared/dom.js";
import * as device from "../shared/device.js";
import { icon, playerMark } from "../shared/icons.js";
import { LivePicture, cameraWord } from "../shared/live.js";
import { TableClient } from "../shared/net.js";
import { addTexts, loadTexts, number, t, timeOfDay } from "../shared/text.js";
import { cameWithAnother, changeLine, lastLines, offlineNotice, whoPlays, whoWins } from "../shared/sentences.js";
import { sheetOf } from "../sheets/all.js";
import * as adjustments from "../sheets/adjustments.js";
import { Announcer } from "../shared/announcer.js";

const setup = JSON.parse(document.getElementById("setup").textContent);
const first = JSON.parse(document.getElementById("state").textContent);
const [firstTexts, laterTexts, sheetTexts] = setup.texts;
await loadTexts(setup.language, firstTexts);
await addTexts(laterTexts);
await addTexts(sheetTexts);

const SHOWN_ROUNDS = 12; // the newest ones: nobody scrolls a television
const root = document.getElementById("board");
const screenLock = new device.ScreenLock();
const local = { sheet: {}, offline: false };
const printing = document.body.classList.contains("print");
/** @type {Context} */
const ctx = {
  setup,
  local,
  watches: true,
  printing,
  get state() {
    return table.state;
  },
  get standing() {
    return table.state.standing;
  },
  playsFor: null,
  markedDice: () => null,
  mayAct: () => false,
  idle: "",
  draw,
  name: (player) => table.state.standing.players[player]?.name ?? "–",
};
const sheet = sheetOf(first.standing);
const table = printing
  ? { state: first }
  : new TableClient(setup.base, first, draw, (online) => {
      if (local.offline === online) {
        local.offline = !online;
        draw();
      }
    });

const announcer = new Announcer(ctx, sheet);
const moments = new Moments(ctx, new device.Signals());
let live = null; // the small picture of the watching camera

function draw() {
  const { standing } = ctx;
  // A board goes on to the next game by itself, but a board that was opened at an old game stays there.
  if (!printing && table.state.next && !first.next) location.replace(at(`/tables/${table.state.next}/board`));
  const over = standing.over && !printing;
  document.body.classList.toggle("ended", over);
  render(
    root,
    html`${!printing &&
    html`<div class="notices">${offlineNotice(ctx)} ${damageNotice(ctx)} ${closedNotice(ctx)}</div>`}
    ${over ? html`${ending(ctx, sheet)} ${series(ctx)}` : stage(standing)}`,
  );
  announcer.tell();
  moments.tell();
  updateLivePicture();
  fitScreen();
  if (!printing) screenLock.keep(!standing.over);
  // Nothing here is to be tapped.
  for (const button of root.querySelectorAll("button")) {
    button.tabIndex = -1;
    button.setAttribute("aria-disabled", "true");
  }
}

/** The players, the turn, and the sheets; on paper without the turn. */
const stage = (standing) =>
  html`<ol class="scores big-scores ${standing.players.length > 4 && "many"}">
      ${byPlace(standing.players).map(({ player, who }) => score(player, who))}
    </ol>
    ${printing ? printedParts(standing) : turnSection()}
    <div class="sheets">${(sheet.board || sheet.sheet)(ctx, printing ? Infinity : SHOWN_ROUNDS)}</div>
    ${!printing && html`<div class="board-course" data-key="course">${scoreHistory(ctx)}</div>`}`;

function score(player, who) {
  const acts = !printing && ctx.standing.to_act.includes(who);
  return html`<li data-key="p${who}" class="${acts && "acts"} ${player.out && "out"}">
    <span class="place">${player.out ? "–" : `${player.place}.`}</span
    ><span class="name"
      >${acts && html`<span class="sign" aria-hidden="true">▸</span>`}${playerMark(who)}${player.name}</span
    >
    <span class="score"
      >${sheet.score ? sheet.score(ctx, player) : number(player.score)}${adjustments.totalPencil(player)}</span
    >${sheet.playerDetails && sheet.playerDetails(ctx, player)}
  </li>`;
}

/** The players, each with its number: the first place first, those who left last. On paper they stay as they sit. */
function byPlace(players) {
  const seated = players.map((player, who) => ({ player, who }));
  const rank = ({ player }) => (player.out ? Infinity : player.place);
  return printing ? seated : seated.sort((one, other) => rank(one) - rank(other) || one.who - other.who);
}

/** Begins and ends the live picture as the camera begins and ends to watch. */
function updateLivePicture() {
  const watched = !printing && Boolean(table.state.watched);
  if (live && !watched) {
    live.close();
    live = null;
  } else if (!live && watched) live = new LivePicture(setup.base, "board-live");
  live?.show();
}

/** The watching camera's live picture and state. */
function cameraView() {
  const { watched } = ctx.state;
  if (!watched) return "";
  return html`<figure class="board-live" data-key="live">
    <img id="board-live" alt="${t("What the camera sees now")}" />
    <figcaption>${icon("look")} <span>${cameraWord(watched)}</span></figcaption>
  </figure>`;
}

/** The whole turn, as the player sees it on his phone. */
const turnSection = () =>
  html`<div class="now">
    <h2>${sheet.heading ? sheet.heading(ctx) : whoPlays(ctx)}</h2>
    ${sheet.turn(ctx)} ${needed()} ${cameraView()} ${series(ctx)}
    ${lastLines(ctx).map((line) => html`<p class="event">${line}</p>`)}
    ${ctx.state.recent
      .filter((entry) => entry.kind !== "do" && !cameWithAnother(entry))
      .map((entry) => html`<p class="soft change">${timeOfDay(entry.at)} · ${changeLine(entry)}</p>`)}
  </div>`;

/** How far the player whose turn it is would be from the target and from the first place, if he ended his turn now. */
function needed() {
  const { options, players, turn } = ctx.standing;
  const player = players[turn.player];
  if (!options.target || !player || ctx.standing.pad) return ""; // on a pad nobody has a turn to end
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

/** The parts of the printed page besides the sheet. */
function printedParts(standing) {
  return html`${standing.over && html`<h2 class="winner">${whoWins(ctx)}</h2>`}
  ${sheet.printedExtras && sheet.printedExtras(ctx)}`;
}

const LETTERS_ACROSS = 84; // of all columns of a sheet, in the size of their headings
const FEW_SEATS = 6; // at most as many players stand side by side
const LEAST_HISTORY_PX = 130; // of height: nobody can read a lower one
const HISTORY_MARGIN_PX = 32; // the gap above it, and the page's edge below

/** Hands numbers and heights to the style, which makes all as large as the screen allows. */
function fitScreen() {
  const seats = ctx.standing.players;
  const players = seats.length;
  const across = Math.ceil(Math.sqrt(players));
  // Among many columns a long word is written from top to bottom: broken within words nobody could read it.
  const longest = Math.max(...seats.flatMap(({ name }) => name.split(/[\s-]/).map((word) => word.length)));
  const { classList, style } = document.body;
  classList.toggle("upright-names", players > 5 && longest > LETTERS_ACROSS / players);
  classList.toggle("few-seats", players <= FEW_SEATS);
  style.setProperty("--seats", String(Math.max(4, players)));
  style.setProperty("--across", String(across));
  style.setProperty("--bands", String(Math.ceil(players / across)));
  style.setProperty("--rows", String(Math.max(12, root.querySelectorAll(".sheets tr").length)));
  /** @type {[string, string][]} */
  const measured = [
    ["--strip", ".big-scores"],
    ["--now", ".now"],
  ];
  for (const [name, selector] of measured)
    style.setProperty(name, `${root.querySelector(selector)?.getBoundingClientRect().height ?? 0}px`);
  // The score history takes the height that is left free.
  const course = root.querySelector(".board-course");
  if (!course) return;
  classList.remove("has-course");
  const free = Math.floor(innerHeight - scrollY - course.getBoundingClientRect().top - HISTORY_MARGIN_PX);
  classList.toggle("has-course", free >= LEAST_HISTORY_PX);
  style.setProperty("--course", `${Math.max(0, free)}px`);
}

addEventListener("resize", fitScreen);

draw();
document.body.dataset.ready = "yes";

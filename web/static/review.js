// The photo with its dice, before anything is scored: what the reader saw, and the few taps that put it right.

import { html } from "./dom.js";
import { die, row } from "./dice.js";
import { icon } from "./icons.js";
import * as panel from "./panel.js";
import { list, phoneName, sentence, t, tn } from "./text.js";
import { throwDice } from "./words.js";

const MARGIN = 0.6; // of a die's side, around the dice that the closer view shows
const CLOSER_BELOW = 0.75; // of the photo's sides: nearer than that it is not worth another view
const TARGET_PX = 44;
// A die that was added without pointing at it lies somewhere in the photo: this corner, where none does, stands for that.
const NOWHERE = [0, 0, 1, 1];
const NEW_DIE_SIDE = 0.1; // of the photo's shorter side, where no other die says how large they are

// While open: the reading's id, the dice as corrected so far, which of them is being changed, and the view.
let open_ = null;

export function open(ctx) {
  const { pending } = ctx.state;
  if (!pending || pending.status !== "read") return;
  const mine = {
    id: pending.id,
    version: ctx.state.version, // the server takes the photo away with the next step
    width: pending.width,
    height: pending.height,
    dice: pending.dice.map((found) => ({ ...found, told: false })),
    aside: [], // dice that were read, but lie beside the throw
    picked: null,
    // A missed die may be anywhere: then all of the photo is to be seen.
    whole: pending.dice.length < throwDice(ctx),
    problem: pending.problem,
  };
  open_ = mine; // instead of another photo that may be open
  open_.closer = closerView();
  panel.open(content(ctx), { kind: "full", closed: () => { if (open_ === mine) open_ = null; } });
  fit();
}

/**
 * When the photo is gone, because somebody confirmed or discarded it or took another one, so is its review. Returns
 * whether it was closed since the table has moved on.
 */
export function heard(ctx) {
  const { pending, version } = ctx.state;
  if (!open_ || (pending && pending.id === open_.id)) return false;
  const moved = version !== open_.version;
  panel.close();
  if (!moved) ctx.toast(pending ? t("{device}: another photo was taken", { device: phoneName(pending.device) }) : t("The photo was discarded on another phone."));
  return moved;
}

function draw(ctx) {
  panel.draw(content(ctx));
  fit();
  // Whoever goes by keys stands on what comes next where what he pressed is gone.
  if (panel.place.contains(document.activeElement)) return;
  panel.place.querySelector(open_.picked === null ? '[data-act="review-confirm"]' : ".keys button").focus();
}

function content(ctx) {
  const { dice, picked } = open_;
  const expects = throwDice(ctx);
  const values = dice.map((found) => found.value).sort();
  const right = dice.length === expects;
  const spare = spareDice(ctx, values, expects);
  return html`
    <header class="review-head">
      <h2 tabindex="-1" autofocus>${list(ctx.standing.to_act.map(ctx.name))}</h2>
      <p class="count ${right ? "right" : "wrong"}" role="status">${
        right ? html`${icon("check")} ${tn("{count} die", "{count} dice", expects)}`
          : dice.length < expects
            ? tn("{count} die is missing", "{count} dice are missing", expects - dice.length)
            : tn("{count} die too many", "{count} dice too many", dice.length - expects)
      }</p>
      <button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button>
    </header>
    ${open_.problem ? html`<p class="notice" role="alert">${sentence(open_.problem)}</p>` : ""}
    <div class="photo">${picture(ctx)}${canCloser() ? html`<button type="button" class="chip" data-act="review-view">${open_.whole ? t("Closer") : t("Whole photo")}</button>` : ""}</div>
    <div class="reading-row" role="group" aria-label="${t("Dice in the photo")}">
      ${dice.map((found, i) => html`<button type="button" class="bare ${found.sure || found.told ? "" : "doubt"} ${picked === i ? "picked" : ""}" data-key="r${i}" data-act="review-pick" data-arg="${i}" aria-label="${label(found, i)}">${die(found.value)}${found.sure || found.told ? "" : html`<span class="mark" aria-hidden="true">?</span>`}</button>`)}
    </div>
    ${picked === null ? confirmRow(ctx, dice.length - expects, spare) : chooser()}`;
}

function label(found, i) {
  return found.sure || found.told
    ? t("Die {number}: {value}", { number: i + 1, value: found.value })
    : t("Die {number}: {value}, doubtful", { number: i + 1, value: found.value });
}

/** What to do next, in one sentence. */
function advice(surplus) {
  if (surplus < 0) return tn("Tap the die that is missing in the photo.", "Tap the dice that are missing in the photo.", -surplus);
  if (surplus > 0) return tn("Tap the die that was not thrown, to leave it out.", "Tap the dice that were not thrown, to leave them out.", surplus);
  const doubts = open_.dice.filter((found) => !found.sure && !found.told).length;
  return doubts ? tn("{count} die is doubtful. Tap it if it is wrong.", "{count} dice are doubtful. Tap those that are wrong.", doubts) : t("Tap a die to change it.");
}

function confirmRow(ctx, surplus, spare) {
  return html`
    ${spare.length ? html`<button type="button" class="button" data-act="review-spare">${t("Leave out the dice that were not thrown:")} ${row(spare, "small")}</button>` : ""}
    <p class="hint ${surplus ? "strong" : ""}">${advice(surplus)}</p>
    ${ctx.setup.keep_corrections ? html`<p class="hint">${t("Photos that you correct are kept at this table.")}</p>` : ""}
    <div class="row end">
      <button type="button" class="tool" data-act="review-discard" aria-label="${t("Discard the photo")}">${icon("trash")}<span>${t("Discard")}</span></button>
      <button type="button" class="tool" data-act="review-add-die" aria-label="${t("Add a die that the photo shows")}">${icon("add")}<span>${t("Add a die")}</span></button>
      <button type="button" class="button primary grow" data-act="review-confirm" ${surplus ? html`aria-disabled="true"` : ""}>${icon("check")}<span>${t("Confirm the throw")}</span></button>
    </div>`;
}

/** The values that a die may have, the likely ones first and larger. */
function chooser() {
  const found = open_.dice[open_.picked];
  const likely = (found.alternatives || []).filter((value) => value !== found.value);
  const order = [...likely, ...[1, 2, 3, 4, 5, 6].filter((value) => !likely.includes(value))];
  return html`<div class="chooser" role="group" aria-label="${t("What does this die show?")}">
    <p class="hint">${t("What does this die show?")}</p>
    <div class="keys">${order.map((value) => html`<button type="button" data-key="v${value}" class="${value === found.value ? "now" : ""}" data-act="review-value" data-arg="${value}" aria-label="${value}" ${value === found.value ? html`aria-current="true"` : ""}>${die(value)}<span aria-hidden="true">${value}</span></button>`)}</div>
    <div class="row end"><button type="button" class="button" data-act="review-remove">${icon("trash")}<span>${t("Leave it out")}</span></button>
    <button type="button" class="button grow" data-act="review-unpick">${t("Back")}</button></div>
  </div>`;
}

/** Dice that lie aside or were kept may be in the picture: which ones to leave out, if that explains the count. */
function spareDice(ctx, values, expects) {
  const turn = ctx.standing.turn;
  const aside = ctx.keep() || turn.kept || (turn.set_aside || []).flat();
  if (!aside.length || values.length !== expects + aside.length) return [];
  const left = [...values];
  for (const value of aside) {
    const at = left.indexOf(value);
    if (at < 0) return [];
    left.splice(at, 1);
  }
  return aside;
}

/** The part of the photo to show: the dice that were found with some room, or all of it. */
const view = () => (open_.whole ? { x: 0, y: 0, w: open_.width, h: open_.height } : open_.closer);

function closerView() {
  const { width, height, dice } = open_;
  if (!dice.length) return { x: 0, y: 0, w: width, h: height };
  const side = medianSide();
  const x0 = Math.max(0, Math.min(...dice.map((found) => found.box[0])) - MARGIN * side - side / 2);
  const y0 = Math.max(0, Math.min(...dice.map((found) => found.box[1])) - MARGIN * side - side / 2);
  const x1 = Math.min(width, Math.max(...dice.map((found) => found.box[2])) + MARGIN * side);
  const y1 = Math.min(height, Math.max(...dice.map((found) => found.box[3])) + MARGIN * side);
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

const canCloser = () =>
  open_.closer.w < open_.width * CLOSER_BELOW || open_.closer.h < open_.height * CLOSER_BELOW;

function medianSide() {
  const sides = open_.dice.filter(({ box }) => box !== NOWHERE).map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
  return sides.length ? sides[Math.floor(sides.length / 2)] : NEW_DIE_SIDE * Math.min(open_.width, open_.height);
}

function picture(ctx) {
  const { id, width, height, dice, picked } = open_;
  const part = view();
  const unit = part.w / 390; // about one pixel of a phone, in pixels of the photo
  const boxes = dice.map((found, i) => {
    if (found.box === NOWHERE) return "";
    const [x0, y0, x1, y1] = found.box;
    const doubt = !(found.sure || found.told);
    const size = 22 * unit;
    const text = doubt ? `${found.value} ?` : String(found.value);
    const tagWidth = size * (doubt ? 2 : 1.25);
    const tagX = Math.max(part.x, Math.min(x0, part.x + part.w - tagWidth));
    const tagY = y0 - size * 1.2 < part.y ? Math.min(y1, part.y + part.h - size * 1.2) : y0 - size * 1.2;
    const grow = Math.max(0, (TARGET_PX * unit - Math.min(x1 - x0, y1 - y0)) / 2);
    return html`<g data-key="b${i}" role="button" tabindex="0" class="box ${doubt ? "doubt" : ""} ${picked === i ? "picked" : ""}" data-act="review-pick" data-arg="${i}" aria-label="${label(found, i)}">
      <rect class="hit" x="${x0 - grow}" y="${y0 - grow}" width="${x1 - x0 + 2 * grow}" height="${y1 - y0 + 2 * grow}"/>
      <rect class="under" x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}" rx="${(x1 - x0) * 0.14}" stroke-width="${6 * unit}"/>
      <rect class="line" x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}" rx="${(x1 - x0) * 0.14}" stroke-width="${3 * unit}" ${doubt ? html`stroke-dasharray="${9 * unit} ${6 * unit}"` : ""}/>
      <rect class="tag" x="${tagX}" y="${tagY}" width="${tagWidth}" height="${size * 1.2}" rx="${size * 0.3}"/>
      <text x="${tagX + tagWidth / 2}" y="${tagY + size * 0.95}" font-size="${size}" text-anchor="middle">${text}</text>
    </g>`;
  });
  return html`<svg id="review-photo" viewBox="${part.x} ${part.y} ${part.w} ${part.h}" data-act="review-add" role="group" aria-label="${t("Photo of the throw")}">
    <image href="${ctx.setup.base}/readings/${id}.jpg" width="${width}" height="${height}" preserveAspectRatio="none"/>
    ${boxes}</svg>`;
}

/** The photo keeps its shape and still leaves room for what is below it. */
function fit() {
  const svg = document.getElementById("review-photo");
  if (svg) svg.parentElement.style.setProperty("--ratio", String(svg.viewBox.baseVal.width / svg.viewBox.baseVal.height));
}

function addAt(ctx, event) {
  const svg = document.getElementById("review-photo");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const half = medianSide() / 2;
  if (at.x < 0 || at.y < 0 || at.x > open_.width || at.y > open_.height) return;
  const box = [Math.max(0, at.x - half), Math.max(0, at.y - half), Math.min(open_.width, at.x + half), Math.min(open_.height, at.y + half)];
  add(ctx, box);
}

function add(ctx, box) {
  open_.dice.push({ value: 1, box, sure: false, told: false, alternatives: [], added: true });
  open_.picked = open_.dice.length - 1;
  draw(ctx);
}

function unpick() {
  const found = open_.dice[open_.picked];
  if (found && found.added && !found.told) open_.dice.splice(open_.picked, 1); // never told what it shows
  open_.picked = null;
}

export const handlers = (ctx) => ({
  "review-pick": (i) => {
    if (open_.picked !== null && open_.picked !== i) unpick();
    open_.picked = i < open_.dice.length ? i : null;
    draw(ctx);
  },
  "review-unpick": () => {
    unpick();
    draw(ctx);
  },
  "review-value": (value) => {
    Object.assign(open_.dice[open_.picked], { value, told: true });
    open_.picked = null;
    draw(ctx);
  },
  "review-remove": () => {
    open_.dice.splice(open_.picked, 1);
    open_.picked = null;
    draw(ctx);
  },
  "review-add": (_, element, event) => {
    if (open_.picked !== null) {
      unpick();
      draw(ctx);
    } else if (event.detail > 0 || event.isTrusted) {
      addAt(ctx, event);
    }
  },
  "review-add-die": () => add(ctx, NOWHERE),
  "review-view": () => {
    open_.whole = !open_.whole;
    draw(ctx);
  },
  "review-spare": () => {
    const values = open_.dice.map((found) => found.value).sort();
    for (const value of spareDice(ctx, values, throwDice(ctx))) {
      open_.aside.push(...open_.dice.splice(open_.dice.findIndex((found) => found.value === value), 1));
    }
    draw(ctx);
  },
  "review-discard": async () => {
    const { id } = open_;
    panel.close();
    await ctx.discard(id);
  },
  "review-confirm": async () => {
    const { id, version, dice, aside } = open_;
    const values = dice.map((found) => found.value);
    const [thrown, beside] = [dice, aside].map((all) => all.map(({ value, box }) => ({ value, box })));
    const evidence = { reading: id, dice: thrown, aside: beside };
    await ctx.act({ do: "throw", dice: values }, { evidence, at: version, keep: ctx.keep() }); // done, it is closed as the photo goes
  },
});

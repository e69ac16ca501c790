// The photo with its dice, before anything is scored: what the reader saw, and the few taps that put it right.

import { element, html } from "../shared/dom.js";
import { die, row } from "../shared/dice.js";
import { icon } from "../shared/icons.js";
import { placed } from "./photo-labels.js";
import * as panel from "./panel.js";
import { list, phoneName, sentence, t, tn } from "../shared/text.js";
import { throwDice } from "../shared/sentences.js";
import { tab } from "../shared/storage.js";

const MARGIN = 0.6; // of a die's side, around the dice that the closer view shows
const CLOSER_BELOW = 0.75; // of the photo's sides: nearer than that it is not worth another view
const TARGET_PX = 44;
// A die that was added without pointing at it lies somewhere in the photo: this corner, where none does, stands for
// that.
const NOWHERE = [0, 0, 1, 1];
const LABEL_PX = 26; // the height of a label in the photo
const WIDEST_PX = 720; // of the photo on a large screen
const TALLEST = 0.55; // of the screen's height
const TALLEST_AHEAD = 0.36; // of it, above what the throw would allow
const HEAD_PX = 76; // above a photo that has beside it what may be tapped
const LOW_PX = 480; // a screen that is lower, and wider, has all that beside the photo: a phone held sideways
const MOST_ASKS = 2;
const COUNTED = ["too-few", "too-many", "no-dice"]; // the line above tells that too: it comes last
const LIKELY = 2; // other values of a die that are marked as likely
const NEW_DIE_SIDE = 0.1; // of the photo's shorter side, where no other die says how large they are
const STORED = "rollcall.put-right.";

// While open: the reading's id, the dice as corrected so far, which of them is being changed, and the view.
let open_ = null;
let left = null; // the same of the review that was closed last: what was put right there stays so

/** Shows the photo under review; `picked`: the die whose value is asked for at once. */
export function open(ctx, picked = null) {
  const { pending } = ctx.state;
  if (!pending || pending.status !== "read") return;
  const mine = left?.id === pending.id && left.version === ctx.state.version ? left : begun(ctx, pending);
  mine.beside = ctx.keep() || pending.beside || []; // the values of the dice that were set aside or kept before
  mine.picked = picked;
  open_ = left = mine; // instead of another photo that may be open
  panel.open(content(ctx), {
    kind: "full",
    closed: () => {
      if (open_ !== mine) return;
      unpick();
      open_ = null;
    },
  });
  fit();
  lookAhead(ctx);
}

/** The review of a photo as it was read, or as it was put right before the page was loaded anew. */
function begun(ctx, pending) {
  const read = valuesOf(pending.dice);
  const mine = {
    id: pending.id,
    version: ctx.state.version, // the server takes the photo away with the next step
    width: pending.width,
    height: pending.height,
    // Those that lie aside too, `read` so by the reader: they were not thrown, but are in the picture.
    dice:
      stored(ctx) ??
      [
        [pending.dice, false],
        [pending.aside || [], true],
      ].flatMap(([dice, aside]) => dice.map((found) => ({ ...found, told: false, aside, read: aside }))),
    beside: [],
    // What came to rest before the watching camera: the dice that were thrown, once what the hands did before is told.
    expects: pending.source === "watch" ? pending.expects : null,
    keep: pending.keep || null,
    setAside: pending.set_aside || null,
    picked: null,
    // A missed die may be anywhere: then all of the photo is to be seen.
    whole: pending.dice.length < (pending.source === "watch" ? pending.expects : throwDice(ctx)),
    problem: pending.problem,
    // What may be chosen after a throw of the values `of`, and of which values that was `asked` last.
    ahead: pending.would ? aheadOf(ctx, pending.would) : null,
    of: read,
    asked: pending.would ? read : null,
    read,
    asks: [...(pending.asks || [])].sort(
      (a, b) => Number(COUNTED.includes(a.reason)) - Number(COUNTED.includes(b.reason)),
    ),
  };
  return { ...mine, closer: closerView(mine) };
}

/** The dice of the photo under review as this tab put them right; null where it did not. */
function stored({ setup, state: { pending, version } }) {
  const kept = tab.value(STORED + setup.key);
  if (kept?.id !== pending.id || kept.version !== version) return null;
  return kept.dice.map((found) => ({ ...found, box: String(found.box) === String(NOWHERE) ? NOWHERE : found.box }));
}

function store(ctx) {
  const { id, version, dice } = open_;
  const kept = dice.filter((found) => !found.added || found.told);
  tab.keep(STORED + ctx.setup.key, { id, version, dice: kept });
}

/**
 * The page as it would be once the throw that was surely read is confirmed: what is chosen on its sheet is written with
 * the same tap. It is not advised there, since nothing has been thrown.
 */
function aheadOf(ctx, would) {
  const standing = { ...ctx.standing, ...would };
  return Object.create(ctx, {
    standing: { value: standing },
    state: { value: { ...ctx.state, standing, advice: "off" } },
    local: { value: { ...ctx.local, sheet: {} } },
    draw: { value: () => draw(ctx) },
  });
}

const valuesOf = (dice) => String(dice.map((found) => found.value).sort());

/** That page for the taps on what it shows; null where nothing may be chosen, as of a throw that is in doubt. */
export function ahead(ctx) {
  const { pending } = ctx.state;
  const as = open_ && open_.ahead && pending && pending.id === open_.id;
  return as && open_.picked === null && valuesOf(thrown()) === open_.of ? open_.ahead : null;
}

/** Asks what a throw would bring that a person put right, each die of it; without an answer it is confirmed alone. */
async function lookAhead(ctx) {
  const mine = open_;
  const dice = thrown();
  const of = valuesOf(dice);
  const told = dice.some((found) => found.told) || of !== mine.read;
  const may = ctx.sheet.ahead && mine.expects === null && dice.length === throwDice(ctx) && !dice.some(doubtful);
  if (!may || !told || mine.picked !== null || of === mine.asked) return;
  mine.asked = of;
  const would = await ctx
    .table()
    .would(
      dice.map((found) => found.value),
      mine.keep || ctx.keep(),
    )
    .catch(() => null);
  if (!would || open_ !== mine || valuesOf(thrown()) !== of) return;
  Object.assign(mine, { ahead: aheadOf(ctx, would), of });
  draw(ctx);
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
  if (!moved)
    ctx.toast(
      pending
        ? t("{device}: another photo was taken", { device: phoneName(pending.device) })
        : t("The photo was discarded on another phone."),
    );
  return moved;
}

function draw(ctx) {
  panel.draw(content(ctx));
  fit();
  store(ctx);
  lookAhead(ctx);
  // Whoever goes by keys stands on what comes next where what he pressed is gone.
  if (panel.place.contains(document.activeElement)) return;
  /** @type {HTMLElement} */
  const next = panel.place.querySelector(open_.picked === null ? '[data-act="review-confirm"]' : ".keys button");
  next.focus();
}

const thrown = () => open_.dice.filter((found) => !found.aside);

const doubtful = (found) => !found.sure && !found.told && !found.aside;

function content(ctx) {
  const { dice, picked, asks } = open_;
  const expects = open_.expects ?? throwDice(ctx);
  const surplus = thrown().length - expects;
  const button = (found, i) =>
    html`<button
      type="button"
      class="bare ${doubtful(found) ? "doubt" : ""} ${picked === i ? "picked" : ""}"
      data-key="r${i}"
      data-act="review-pick"
      data-arg="${i}"
      aria-label="${label(found, i)}"
    >
      ${die(found.value)}${doubtful(found) ? html`<span class="mark" aria-hidden="true">?</span>` : ""}
    </button>`;
  const buttons = (aside) => dice.map((found, i) => (found.aside === aside ? button(found, i) : ""));
  return html` <header class="review-head">
      <h2 tabindex="-1" autofocus>${list(ctx.standing.to_act.map(ctx.name))}</h2>
      <p class="count ${surplus ? "wrong" : "right"}" role="status">
        ${surplus === 0
          ? html`${icon("check")} ${tn("{count} die", "{count} dice", expects)}`
          : surplus < 0
            ? tn("{count} die is missing", "{count} dice are missing", -surplus)
            : tn("{count} die too many", "{count} dice too many", surplus)}
      </p>
      <button type="button" class="tool" data-act="close" aria-label="${t("Close")}">${icon("close")}</button>
    </header>
    ${open_.problem ? html`<p class="notice" role="alert">${sentence(open_.problem)}</p>` : ""}
    ${asks.length && (surplus || dice.some(doubtful))
      ? html`<p class="asks">${asks.slice(0, MOST_ASKS).map(sentence).join(" · ")}</p>`
      : ""}
    <div class="photo ${open_.ahead ? "lower" : ""}">
      ${picture(ctx)}${canCloser()
        ? html`<button type="button" class="chip" data-act="review-view">
            ${open_.whole ? t("Closer") : t("Whole photo")}
          </button>`
        : ""}
    </div>
    <div class="under-photo">
      <div class="reading-row" role="group" aria-label="${t("Dice in the photo")}">
        ${buttons(false)}
        ${dice.some((found) => found.aside)
          ? html`<span class="beside" data-key="beside"
              ><span aria-hidden="true">${t("lie aside")}</span>${buttons(true)}</span
            >`
          : ""}
      </div>
      ${picked === null ? confirmRow(ctx, surplus) : chooser()}
    </div>`;
}

function label(found, i) {
  const [number, value] = [i + 1, found.value];
  if (found.aside) return t("Die {number}: {value}, lies aside. Tap it if it was thrown.", { number, value });
  return doubtful(found)
    ? t("Die {number}: {value}, doubtful", { number, value })
    : t("Die {number}: {value}", { number, value });
}

/** What to do next, in one sentence. */
function advice(surplus) {
  if (surplus < 0)
    return tn("Tap the die that is missing in the photo.", "Tap the dice that are missing in the photo.", -surplus);
  if (surplus > 0)
    return tn(
      "Tap the die that was not thrown, to leave it out.",
      "Tap the dice that were not thrown, to leave them out.",
      surplus,
    );
  const doubts = open_.dice.filter(doubtful).length;
  return doubts
    ? tn(
        "{count} die is doubtful. Tap it if it is wrong.",
        "{count} dice are doubtful. Tap those that are wrong.",
        doubts,
      )
    : t("Tap a die to change it.");
}

function confirmRow(ctx, surplus) {
  const spare = spareDice(surplus);
  const next = ahead(ctx);
  const then = next && ctx.sheet.chosen(next);
  return html` ${spare.length
      ? html`<button type="button" class="button" data-act="review-spare">
          ${t("Leave out the dice that were not thrown:")} ${row(spare, "small")}
        </button>`
      : ""}
    <p class="hint ${surplus ? "strong" : ""}">${advice(surplus)}</p>
    ${next ? html`<div class="ahead">${ctx.sheet.ahead(next)}</div>` : ""}
    ${ctx.setup.keep_corrections
      ? html`<p class="hint">${t("Photos that you correct are kept at this table.")}</p>`
      : ""}
    <div class="row end">
      <button type="button" class="tool" data-act="review-discard" aria-label="${t("Discard the photo")}">
        ${icon("trash")}<span>${t("Discard")}</span>
      </button>
      <button type="button" class="tool" data-act="review-add-die" aria-label="${t("Add a die that the photo shows")}">
        ${icon("add")}<span>${t("Add a die")}</span>
      </button>
      <button
        type="button"
        class="button primary grow"
        data-act="review-confirm"
        ${surplus ? html`aria-disabled="true"` : ""}
      >
        ${icon("check")}<span>${then ? then.words : t("Confirm the throw")}</span>
      </button>
    </div>`;
}

/** The values that a die may have, always in their order; those that it is likely to have, if not this one, marked. */
function chooser() {
  const found = open_.dice[open_.picked];
  const likely = (found.alternatives || []).slice(0, LIKELY);
  const key = (value) => {
    const marked = likely.includes(value) && value !== found.value;
    return html`<button
      type="button"
      data-key="v${value}"
      class="${value === found.value ? "now" : ""} ${marked ? "likely" : ""}"
      data-act="review-value"
      data-arg="${value}"
      aria-label="${marked ? t("{value}, likely", { value }) : value}"
      ${value === found.value ? html`aria-current="true"` : ""}
    >
      ${die(value)}<span aria-hidden="true">${value}</span>${marked
        ? html`<span class="word" aria-hidden="true">${t("likely")}</span>`
        : ""}
    </button>`;
  };
  return html`<div class="chooser" role="group" aria-label="${t("What does this die show?")}">
    <p class="hint">${t("What does this die show?")}</p>
    <div class="keys">${[1, 2, 3, 4, 5, 6].map(key)}</div>
    <div class="row end">
      <button type="button" class="button" data-act="review-remove">
        ${icon("trash")}<span>${t("Leave it out")}</span>
      </button>
      ${open_.beside.length
        ? html`<button type="button" class="button" data-act="review-aside">${t("Lies aside")}</button>`
        : ""}
      <button type="button" class="button grow" data-act="review-unpick">${t("Back")}</button>
    </div>
  </div>`;
}

/** Where the reader put no die aside: which ones to leave out, if the dice that lie aside explain the count. */
function spareDice(surplus) {
  const { beside, dice } = open_;
  if (!beside.length || surplus !== beside.length || dice.some((found) => found.aside)) return [];
  const left = dice.map((found) => found.value);
  for (const value of beside) {
    const at = left.indexOf(value);
    if (at < 0) return [];
    left.splice(at, 1);
  }
  return beside;
}

/** The part of the photo to show: the dice that were found with some room, or all of it. */
const view = () => (open_.whole ? { x: 0, y: 0, w: open_.width, h: open_.height } : open_.closer);

function closerView({ width, height, dice: all }) {
  const dice = all.filter(({ box }) => box !== NOWHERE);
  if (!dice.length) return { x: 0, y: 0, w: width, h: height };
  const side = medianSide({ width, height, dice });
  const x0 = Math.max(0, Math.min(...dice.map((found) => found.box[0])) - MARGIN * side - side / 2);
  const y0 = Math.max(0, Math.min(...dice.map((found) => found.box[1])) - MARGIN * side - side / 2);
  const x1 = Math.min(width, Math.max(...dice.map((found) => found.box[2])) + MARGIN * side);
  const y1 = Math.min(height, Math.max(...dice.map((found) => found.box[3])) + MARGIN * side);
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

const canCloser = () => open_.closer.w < open_.width * CLOSER_BELOW || open_.closer.h < open_.height * CLOSER_BELOW;

function medianSide({ width, height, dice }) {
  const sides = dice
    .filter(({ box }) => box !== NOWHERE)
    .map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1]))
    .sort((a, b) => a - b);
  return sides.length ? sides[Math.floor(sides.length / 2)] : NEW_DIE_SIDE * Math.min(width, height);
}

/** The most that the photo takes of the screen, in its pixels: [across, down]; see .photo in the style. */
function room() {
  const beside = innerWidth > innerHeight && innerHeight <= LOW_PX;
  if (!open_.ahead && !beside) return [Math.min(innerWidth, WIDEST_PX), TALLEST * innerHeight];
  return innerWidth > innerHeight
    ? [Math.min(innerWidth, WIDEST_PX) / 2, innerHeight - HEAD_PX]
    : [innerWidth, TALLEST_AHEAD * innerHeight];
}

/** About one pixel of the screen, in pixels of the photo. */
function unitOf(part) {
  const [across, down] = room();
  return Math.max(part.w / across, part.h / down);
}

const words = (found) => (doubtful(found) ? `${found.value} ?` : String(found.value));

function picture(ctx) {
  const { id, width, height, dice } = open_;
  const part = view();
  const unit = unitOf(part);
  const size = LABEL_PX * unit;
  const shown = dice.map((found, i) => [found, i]).filter(([found]) => found.box !== NOWHERE);
  const sizes = shown.map(([found]) => [size * (doubtful(found) ? 1.7 : 1.05), size]);
  const places = placed(
    shown.map(([found]) => found.box),
    sizes,
    part,
  );
  // Where there is no room in the photo the labels stand beside it.
  const x0 = Math.min(part.x, ...places.map(({ box }) => box[0] - 2 * unit));
  const y0 = Math.min(part.y, ...places.map(({ box }) => box[1] - 2 * unit));
  const x1 = Math.max(part.x + part.w, ...places.map(({ box }) => box[2] + 2 * unit));
  const y1 = Math.max(part.y + part.h, ...places.map(({ box }) => box[3] + 2 * unit));
  return html`<svg
    id="review-photo"
    viewBox="${x0} ${y0} ${x1 - x0} ${y1 - y0}"
    data-act="review-add"
    role="group"
    aria-label="${t("Photo of the throw")}"
  >
    <image href="${ctx.setup.base}/readings/${id}.jpg" width="${width}" height="${height}" preserveAspectRatio="none" />
    ${shown.map(([found, i], k) => marked(found, i, places[k], unit))}
  </svg>`;
}

/** A die in the photo: its box, and its label beside it or at the end of a line. */
function marked(found, i, place, unit) {
  const [x0, y0, x1, y1] = found.box;
  const [w, h] = [x1 - x0, y1 - y0];
  const grow = Math.max(0, (TARGET_PX * unit - Math.min(w, h)) / 2);
  const kind = found.aside ? "lies-aside" : doubtful(found) ? "doubt" : "";
  const dashes = found.aside ? `${2 * unit} ${5 * unit}` : kind ? `${9 * unit} ${6 * unit}` : "none";
  const [lx0, ly0, lx1, ly1] = place.box;
  const line =
    place.line && html`x1="${place.line[0]}" y1="${place.line[1]}" x2="${place.line[2]}" y2="${place.line[3]}"`;
  return html`<g
    data-key="b${i}"
    role="button"
    tabindex="0"
    class="box ${kind} ${open_.picked === i ? "picked" : ""}"
    data-act="review-mark"
    data-arg="${i}"
    aria-label="${label(found, i)}"
  >
    <rect class="hit" x="${x0 - grow}" y="${y0 - grow}" width="${w + 2 * grow}" height="${h + 2 * grow}" />
    <rect class="under" x="${x0}" y="${y0}" width="${w}" height="${h}" rx="${w * 0.14}" stroke-width="${6 * unit}" />
    <rect
      class="line"
      x="${x0}"
      y="${y0}"
      width="${w}"
      height="${h}"
      rx="${w * 0.14}"
      stroke-width="${3 * unit}"
      stroke-dasharray="${dashes}"
    />
    ${line
      ? html`<line class="lead-under" ${line} stroke-width="${5 * unit}" /><line
            class="lead"
            ${line}
            stroke-width="${2 * unit}"
          />`
      : ""}
    <rect
      class="tag"
      x="${lx0}"
      y="${ly0}"
      width="${lx1 - lx0}"
      height="${ly1 - ly0}"
      rx="${(ly1 - ly0) * 0.25}"
      stroke-width="${1.5 * unit}"
    />
    <text x="${(lx0 + lx1) / 2}" y="${ly0 + (ly1 - ly0) * 0.79}" font-size="${(ly1 - ly0) * 0.82}" text-anchor="middle"
      >${words(found)}</text
    >
  </g>`;
}

/** The photo keeps its shape and still leaves room for what is below it. */
function fit() {
  if (!document.getElementById("review-photo")) return;
  const svg = element("review-photo", SVGSVGElement);
  svg.parentElement.style.setProperty("--ratio", String(svg.viewBox.baseVal.width / svg.viewBox.baseVal.height));
}

function addAt(ctx, event) {
  const svg = element("review-photo", SVGSVGElement);
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const half = medianSide(open_) / 2;
  if (at.x < 0 || at.y < 0 || at.x > open_.width || at.y > open_.height) return;
  const box = [
    Math.max(0, at.x - half),
    Math.max(0, at.y - half),
    Math.min(open_.width, at.x + half),
    Math.min(open_.height, at.y + half),
  ];
  add(ctx, box);
}

function add(ctx, box) {
  open_.dice.push({
    value: 1,
    box,
    sure: false,
    told: false,
    alternatives: [],
    added: true,
    aside: false,
    read: false,
  });
  open_.picked = open_.dice.length - 1;
  draw(ctx);
}

function unpick() {
  const found = open_.dice[open_.picked];
  if (found && found.added && !found.told) open_.dice.splice(open_.picked, 1); // never told what it shows
  open_.picked = null;
}

/** Has a die be one of those thrown, or one of those that lie aside. */
function turnOver(ctx, i) {
  const found = open_.dice[i];
  found.aside = !found.aside;
  draw(ctx);
}

function pick(ctx, i) {
  if (open_.picked !== null && open_.picked !== i) unpick();
  if (i < open_.dice.length && open_.dice[i].aside) {
    open_.picked = null;
    turnOver(ctx, i);
    return;
  }
  open_.picked = i < open_.dice.length ? i : null;
  draw(ctx);
}

export const handlers = (ctx) => ({
  "review-pick": (i) => pick(ctx, i),
  // In the photo, a die that the reader put aside goes to the thrown ones and back with one tap.
  "review-mark": (i) => (open_.picked === null && open_.dice[i].read ? turnOver(ctx, i) : pick(ctx, i)),
  "review-aside": () => {
    const i = open_.picked;
    open_.picked = null;
    turnOver(ctx, i);
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
    for (const value of open_.beside) open_.dice.find((found) => found.value === value && !found.aside).aside = true;
    draw(ctx);
  },
  "review-discard": async () => {
    const { id } = open_;
    panel.close();
    await ctx.discard(id);
  },
  "review-confirm": async () => {
    const { id, version, dice, keep, setAside } = open_;
    const values = thrown().map((found) => found.value);
    const marks = (aside) => dice.filter((found) => found.aside === aside).map(({ value, box }) => ({ value, box }));
    const evidence = { reading: id, dice: marks(false), aside: marks(true) };
    const next = ahead(ctx);
    const then = next && ctx.sheet.chosen(next);
    const done = await ctx.act(
      { do: "throw", dice: values },
      { evidence, at: version, keep: keep || (setAside ? null : ctx.keep()), setAside },
    ); // done, it is closed as the photo goes
    if (done && then) await ctx.act(then.action);
  },
});

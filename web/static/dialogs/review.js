// The review of a photo before anything is scored: the dice that the reader found, and the few taps to correct them.

import { button } from "../shared/buttons.js";
import { dieOfKey, element, html } from "../shared/dom.js";
import { die, diceRow } from "../shared/dice.js";
import { icon } from "../shared/icons.js";
import { photoAddress } from "../shared/net.js";
import { photoField } from "./photo-field.js";
import { placeLabels } from "./photo-labels.js";
import { joinNames, phoneName, refusalSentence, t, tn } from "../shared/text.js";
import { diceDue, diceToThrow, eventLines } from "../shared/sentences.js";
import { tab } from "../shared/storage.js";

const MARGIN = 0.6; // of a die's side, around the dice that the closer view shows
const CLOSER_BELOW = 0.75; // of the photo's sides: a larger view is no closer view
const TARGET_PX = 44;
// The box of a die that was added without pointing at it: a corner of the photo, where no die lies.
/** @type {Box} */
const NOWHERE = [0, 0, 1, 1];
const LABEL_PX = 26; // the height of a label in the photo
const WIDEST_PX = 720; // of the photo on a large screen
const TALLEST = 0.55; // of the screen's height
const TALLEST_WITH_PREVIEW = 0.36; // of the screen's height, above the preview
const HEAD_PX = 76; // above a photo that has the buttons beside it
const LOW_PX = 480; // a lower and wider screen, as of a phone held sideways, has the buttons beside the photo
const MOST_ASKS = 2;
// Said only while the dice are as many as were read: that there are none first, the others last, since the line above
// tells the count too.
const COUNTED = ["no-dice", "too-few", "too-many"];
const LIKELY = 2; // other values of a die that are marked as likely
const NEW_DIE_SIDE = 0.1; // of the photo's shorter side, if no other die tells the size
const STORED = "rollcall.put-right.";

/** @param {RefusalDocument} ask */
const rank = ({ reason }) => (reason === COUNTED[0] ? -1 : Number(COUNTED.includes(reason)));

/** Shows the photo under review. `picked`: the die whose value is asked for at once.
 * @param {Page} ctx @param {number | null} [picked] */
export function open(ctx, picked = null) {
  const { pending, version } = ctx.state;
  if (!pending || pending.status !== "read") return;
  /** @type {Review | undefined} */
  const before = ctx.local.review; // the review that was closed last keeps its corrections
  const known = before?.id === pending.id && before.version === version;
  const review = known ? before : new Review(ctx, pending);
  review.beside = ctx.markedDice() || pending.beside || [];
  if (!known) review.layAside();
  review.picked = picked;
  ctx.local.review = review;
  ctx.panel.open(review);
  review.fitPhoto();
  review.fetchPreview();
}

/** That a photo is gone. `pending`: the one in its place, or null. @param {Pending | null} pending */
export const goneSentence = (pending) =>
  pending
    ? t("{device}: another photo was taken", { device: phoneName(pending.device) })
    : t("The photo was discarded on another phone.");

/** The review of one photo: the dice as corrected so far, which of them is being changed, and the view. */
class Review {
  kind = "full";

  constructor(/** @type {Page} */ ctx, /** @type {Pending} */ pending) {
    const watched = pending.source === "watch";
    this.ctx = ctx;
    this.id = pending.id;
    this.version = ctx.state.version; // the server takes the photo away with the next step
    this.width = Number(pending.width);
    this.height = Number(pending.height);
    this.dice = storedDice(ctx) ?? readDice(pending);
    this.beside = /** @type {number[]} */ ([]); // the values of the dice that were set aside or kept before
    // The dice count of a throw before the watching camera, after the set-asides that came before it.
    this.expects = watched ? pending.expects : null;
    this.keep = pending.keep || null;
    this.setAside = pending.set_aside || null;
    this.picked = /** @type {number | null} */ (null);
    const asks = pending.asks || [];
    this.marks = asks.map(({ params }) => params.box).filter(Boolean); // places in the photo where no die is shown
    // A missed die may be anywhere: then the whole photo is shown.
    this.whole = pending.dice.length < (watched ? pending.expects : diceToThrow(ctx)) || this.marks.length > 0;
    this.problem = pending.problem;
    this.found = pending.dice.length;
    this.sure = pending.sure;
    // Which dice stayed, where fewer were thrown than were told. `of`: so many; `dice`: those chosen, or null.
    this.stayed = /** @type {StayedDice | null} */ (null);
    // The page after the throw `afterOf`; `asked`: the throw for which it was requested last.
    this.after = pending.would ? pageAfter(ctx, pending.would) : null;
    this.afterOf = this.asked = pending.would ? this.throwKey() : null;
    this.asks = [...asks].sort((a, b) => rank(a) - rank(b));
    this.closer = closerView(this);
  }

  /** The dice that were thrown; the others lie aside. */
  thrown() {
    return this.dice.filter((found) => !found.aside);
  }

  /** Which dice stayed before as many as were thrown; null if that is not asked. */
  stay() {
    return this.stayed?.of === this.thrown().length ? this.stayed : null;
  }

  /** The dice that were kept for this throw; null where none may be. */
  kept() {
    if (this.expects !== null) return this.keep || (this.setAside ? null : this.ctx.markedDice());
    return this.stay()?.dice ?? this.ctx.markedDice() ?? this.keep;
  }

  /** How many dice were to be thrown. */
  count() {
    return this.expects ?? (this.stay()?.dice ? this.thrown().length : diceDue(this.ctx, this.thrown().length));
  }

  throwKey() {
    const values = this.thrown().map((found) => found.value);
    return `${values.sort()} ${this.kept()}`;
  }

  /** The page after this throw, for taps on what it shows; null while the throw is in doubt. */
  preview() {
    return this.picked === null && this.throwKey() === this.afterOf ? this.after : null;
  }

  /** Requests what the throw would bring. Without an answer it is confirmed alone. */
  async fetchPreview() {
    const { ctx } = this;
    const dice = this.thrown();
    const asked = this.throwKey();
    const most = diceToThrow(ctx);
    const may = dice.length === this.count() || (ctx.markedDice() !== null && dice.length > 0 && dice.length < most);
    if (this.expects !== null || !may || this.picked !== null || dice.some(isDoubtful) || asked === this.asked) return;
    this.asked = asked;
    const values = dice.map((found) => found.value);
    const told = await ctx
      .table()
      .post("would", { dice: values, keep: this.kept() })
      .catch(() => null);
    if (!told || !ctx.panel.shows(this) || this.throwKey() !== asked) return;
    if (told.stayed.length) this.stayed = { of: dice.length, options: told.stayed, dice: told.keep };
    this.after = told.would && pageAfter(ctx, told.would);
    this.afterOf = this.asked = this.throwKey();
    this.redraw();
  }

  /** Lays dice aside that were not thrown, if the reader laid none there and their values tell which. */
  layAside() {
    for (const value of diceAside(this, this.thrown().length - this.count()))
      Object.assign(this.dice.find((found) => found.value === value && !found.aside) ?? {}, { aside: true });
  }

  /**
   * Closes the review when the photo is gone: somebody confirmed or discarded it, or took another one. Returns whether
   * it was closed, under somebody's eyes, because the table has moved on.
   */
  update() {
    const { ctx } = this;
    const { pending, version } = ctx.state;
    if (pending && pending.id === this.id) return false;
    const moved = version !== this.version;
    ctx.panel.close();
    if (!moved) ctx.toast(goneSentence(pending));
    return moved;
  }

  closed() {
    this.unpick();
  }

  inner() {
    return this.picked === null ? null : () => this.leaveChooser();
  }

  leaveChooser() {
    this.unpick();
    this.redraw();
  }

  redraw() {
    const { panel } = this.ctx;
    panel.draw();
    this.fitPhoto();
    storeDice(this);
    this.fetchPreview();
  }

  key(/** @type {KeyboardEvent} */ event) {
    const value = dieOfKey(event);
    if (this.picked === null || !value) return false;
    this.setValue(value);
    return true;
  }

  setValue(/** @type {number} */ value) {
    Object.assign(this.dice[this.picked ?? -1], { value, told: true });
    this.picked = null;
    this.redraw();
  }

  content() {
    const { ctx, dice, picked, asks } = this;
    const expects = this.count();
    const stay = this.stay();
    const surplus = this.thrown().length - expects;
    const doubts = dice.filter(isDoubtful).length;
    // Without dice nothing is "seen from the side".
    const said = dice.length ? asks : asks.filter(({ reason }) => reason !== "from-the-side");
    const counts = !stay && this.thrown().length === this.found;
    const asAsked = said.filter(({ reason }) => counts || !COUNTED.includes(reason));
    // A photo may be in doubt though each die in it is clear: one more is cut off, or it was taken from the side.
    const unread = !this.sure && !dice.some((found) => found.told) && !(stay && !asAsked.length);
    const dieButton = (/** @type {ReviewDie} */ found, /** @type {number} */ i) =>
      button(
        `bare ${isDoubtful(found) ? "doubt" : ""} ${picked === i ? "picked" : ""}`,
        "review-pick",
        html`${die(found.value)}${isDoubtful(found) && html`<span class="mark" aria-hidden="true">?</span>`}`,
        { arg: i, key: `r${i}`, label: dieLabel(found, i) },
      );
    /** @param {boolean} aside */
    const buttons = (aside) => dice.map((found, i) => (found.aside === aside ? dieButton(found, i) : ""));
    return html` <header class="review-head">
        <h2 tabindex="-1" autofocus>${joinNames(ctx.standing.to_act.map(ctx.name))}</h2>
        <p class="count ${surplus ? "wrong" : doubts || unread ? "doubt" : "right"}" role="status">
          ${surplus < 0 && !stay
            ? tn("{count} die is missing", "{count} dice are missing", -surplus)
            : surplus > 0
              ? tn("{count} die too many", "{count} dice too many", surplus)
              : html`${!(doubts || unread) && icon("check")}
                ${tn("{count} die", "{count} dice", this.thrown().length)}${doubts
                  ? `, ${tn("{count} doubtful", "{count} doubtful", doubts)}`
                  : ""}`}
        </p>
        ${button("tool", "close", icon("close"), { label: t("Close") })}
      </header>
      ${this.problem && html`<p class="notice" role="alert">${refusalSentence(this.problem)}</p>`}
      ${asAsked.length && (surplus || doubts || unread)
        ? html`<p class="asks">
            ${asAsked.some(({ reason }) => reason === "from-the-side") && icon("above")}
            ${asAsked.slice(0, MOST_ASKS).map(refusalSentence).join(" · ")}
          </p>`
        : ""}
      <div class="photo ${this.isLow() && "lower"}">
        ${this.picture()}${this.canCloser() &&
        button("chip", "review-view", this.whole ? t("Closer") : t("Whole photo"))}
      </div>
      <div class="under-photo">
        <div class="reading-row" role="group" aria-label="${t("Dice in the photo")}">
          ${buttons(false)}
          ${dice.some((found) => found.aside) &&
          html`<span class="beside" data-key="beside"
            ><span aria-hidden="true">${t("lie aside")}</span>${buttons(true)}</span
          >`}
        </div>
        ${stay && picked === null && stayQuestion(stay, ctx.standing.turn)}
        ${picked === null ? this.confirmRow(surplus) : chooser(dice[picked], this.beside.length > 0)}
      </div>`;
  }

  /** What to do next, in one sentence. @param {number} surplus */
  instruction(surplus) {
    if (this.dice.length && mayShowNone(this.thrown()))
      return tn(
        "This die is doubtful. Photograph again, or tap the die.",
        "All dice are doubtful. Photograph again, or tap each die.",
        this.thrown().length,
      );
    if (surplus < 0)
      return tn("Tap the die that is missing in the photo.", "Tap the dice that are missing in the photo.", -surplus);
    if (surplus > 0)
      return tn(
        "Tap the die that was not thrown, to leave it out.",
        "Tap the dice that were not thrown, to leave them out.",
        surplus,
      );
    const doubts = this.dice.filter(isDoubtful).length;
    return doubts
      ? tn(
          "{count} die is doubtful. Tap it if it is wrong.",
          "{count} dice are doubtful. Tap those that are wrong.",
          doubts,
        )
      : t("Tap a die to change it.");
  }

  confirmRow(/** @type {number} */ surplus) {
    const { ctx } = this;
    const next = this.preview();
    const choices = next && ctx.sheet?.preview?.(next);
    const followed = next ? eventLines(next, next.standing.events) : [];
    const doubted = mayShowNone(this.thrown());
    const again = ctx.wantsPhoto()
      ? html`<label class="${doubted ? "button primary grow" : "tool"}" data-key="again"
          >${icon("camera")}<span>${t("Photograph again")}</span>${photoField("again", true)}</label
        >`
      : "";
    // What most people do next stands out: throw again, with dice kept or not, or one of the choices.
    const main = !choices || next.standing.legal.some((entry) => ["keep", "throw"].includes(entry.do));
    const chosen = choices ? ctx.sheet?.previewAction?.(next) : null;
    return html`${!this.stay() && html`<p class="hint ${surplus ? "strong" : ""}">${this.instruction(surplus)}</p>`}
      ${followed.length > 0 && html`<div class="events">${followed.map((line) => html`<p>${line}</p>`)}</div>`}
      ${choices && html`<div class="ahead">${choices}</div>`}
      ${ctx.setup.keep_corrections && html`<p class="hint">${t("Photos that you correct are kept at this table.")}</p>`}
      <div class="row end">
        ${button("tool", "review-discard", t("Discard"), { sign: "trash" })} ${!doubted && again}
        ${button("tool", "review-add-die", t("Add a die"), { sign: "add" })}
        ${doubted
          ? html`${this.dice.length > 0 &&
            surplus <= 0 &&
            button(
              "button",
              "review-right",
              html`<span>${tn("It is right", "They are right", this.thrown().length)}</span>`,
            )}${again}`
          : chosen
            ? button("button grow primary", "review-choice", chosen.words, { arg: chosen.then, sign: "check" })
            : button(
                `button grow ${main ? "primary" : ""}`,
                "review-confirm",
                choices ? t("Only the throw") : t("Confirm the throw"),
                { sign: "check", off: surplus !== 0 },
              )}
      </div>`;
  }

  /** The part of the photo to show: the dice that were found with some room, or all of it. */
  view() {
    return this.whole ? { x: 0, y: 0, w: this.width, h: this.height } : this.closer;
  }

  /** Whether the photo leaves room for what is to be chosen below it. */
  isLow() {
    return Boolean(this.after || this.stay());
  }

  canCloser() {
    return this.closer.w < this.width * CLOSER_BELOW || this.closer.h < this.height * CLOSER_BELOW;
  }

  picture() {
    const { ctx, id, width, height, dice } = this;
    const part = this.view();
    const unit = pixelSize(part, this.isLow());
    const size = LABEL_PX * unit;
    const shown = dice.map((found, i) => ({ found, i })).filter(({ found }) => found.box !== NOWHERE);
    /** @type {[number, number][]} */
    const sizes = shown.map(({ found }) => [size * (isDoubtful(found) ? 1.7 : 1.05), size]);
    const dieBoxes = shown.map(({ found }) => found.box);
    const places = /** @type {LabelPlace[]} */ (placeLabels(dieBoxes, sizes, part));
    const boxes = places.flatMap((place) => (place ? [place.box] : []));
    // Labels that find no room in the photo stand beside it.
    const x0 = Math.min(part.x, ...boxes.map((box) => box[0] - 2 * unit));
    const y0 = Math.min(part.y, ...boxes.map((box) => box[1] - 2 * unit));
    const x1 = Math.max(part.x + part.w, ...boxes.map((box) => box[2] + 2 * unit));
    const y1 = Math.max(part.y + part.h, ...boxes.map((box) => box[3] + 2 * unit));
    return html`<svg
      id="review-photo"
      viewBox="${x0} ${y0} ${x1 - x0} ${y1 - y0}"
      data-act="review-add"
      role="group"
      aria-label="${t("Photo of the throw")}"
    >
      <image
        href="${photoAddress(ctx.setup.base, id)}"
        width="${width}"
        height="${height}"
        preserveAspectRatio="none"
      />
      ${this.marks.map(([left, top, right, bottom]) => {
        const frame = html`x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"`;
        return html`<g class="box doubt spot" aria-hidden="true">
          <rect class="under" ${frame} stroke-width="${6 * unit}" />
          <rect class="line" ${frame} stroke-width="${3 * unit}" stroke-dasharray="${9 * unit} ${6 * unit}" />
        </g>`;
      })}
      ${shown.map(({ found, i }, k) => markedDie(found, i, places[k], unit, [x0, y0, x1, y1], this.picked === i))}
    </svg>`;
  }

  /** The photo keeps its shape and still leaves room for what is below it. */
  fitPhoto() {
    if (!document.getElementById("review-photo")) return;
    const svg = element("review-photo", SVGSVGElement);
    svg.parentElement?.style.setProperty("--ratio", String(svg.viewBox.baseVal.width / svg.viewBox.baseVal.height));
  }

  /** Adds a die where the photo was tapped. @param {MouseEvent} event */
  addAt(event) {
    const svg = element("review-photo", SVGSVGElement);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    const half = medianSide(this) / 2;
    if (at.x < 0 || at.y < 0 || at.x > this.width || at.y > this.height) return;
    this.add([
      Math.max(0, at.x - half),
      Math.max(0, at.y - half),
      Math.min(this.width, at.x + half),
      Math.min(this.height, at.y + half),
    ]);
  }

  add(/** @type {Box} */ box) {
    this.dice.push({ value: 1, box, added: true, aside: false });
    this.picked = this.dice.length - 1;
    this.redraw();
  }

  /** Ends the change of a die; an added die without a value is removed. */
  unpick() {
    const found = this.dice[this.picked ?? -1];
    if (found && found.added && !found.told) this.dice.splice(Number(this.picked), 1);
    this.picked = null;
  }

  /** Moves a die from those thrown to those that lie aside, or back. @param {number} i */
  toggleAside(i) {
    const found = this.dice[i];
    found.aside = !found.aside;
    this.redraw();
  }

  pick(/** @type {number} */ i) {
    if (this.picked !== null && this.picked !== i) this.unpick();
    if (i < this.dice.length && this.dice[i].aside) {
      this.picked = null;
      this.toggleAside(i);
      return;
    }
    this.picked = i < this.dice.length ? i : null;
    if (this.picked !== null) this.dice[i].looked = true;
    this.redraw();
  }

  /** Its own buttons, and those of the sheet that shows what comes after the throw. */
  get handlers() {
    const next = this.preview();
    return { ...(next ? this.ctx.sheet?.handlers?.(next) : {}), ...this.buttons };
  }

  /** @type {Handlers} */
  buttons = {
    "review-pick": (i) => this.pick(i),
    // In the photo, one tap moves a die that the reader put aside to the thrown ones and back.
    "review-mark": (i) => (this.picked === null && this.dice[i].read ? this.toggleAside(i) : this.pick(i)),
    "review-aside": () => {
      const i = Number(this.picked);
      this.picked = null;
      this.toggleAside(i);
    },
    "review-unpick": () => this.leaveChooser(),
    "review-value": (value) => this.setValue(value),
    "review-remove": () => {
      this.dice.splice(Number(this.picked), 1);
      this.picked = null;
      this.redraw();
    },
    "review-add": (_, element, event) => {
      if (this.picked !== null) {
        this.leaveChooser();
      } else if (event.detail > 0 || event.isTrusted) {
        this.addAt(event);
      }
    },
    "review-add-die": () => this.add(NOWHERE),
    "review-view": () => {
      this.whole = !this.whole;
      this.redraw();
    },
    "review-stayed": (dice) => {
      if (this.stayed) this.stayed.dice = dice;
      this.redraw();
    },
    "review-right": () => {
      for (const found of this.dice.filter(isDoubtful)) found.told = true;
      this.redraw();
    },
    "review-discard": async () => {
      this.ctx.panel.close();
      await this.ctx.discard(this.id);
    },
    "review-confirm": () => this.confirm(),
    "review-choice": (then) => this.confirm(then),
    cell: ({ category, column }) => this.confirm([{ do: "score", category, ...(column ? { column } : {}) }]),
    "knaster-cell": ([player, row, column, kind]) => this.confirm([{ do: kind, player, cell: [row, column] }]),
  };

  /** Confirms the throw, and does what follows with the same tap. @param {Action[]} [then] */
  confirm(then = []) {
    const { ctx, id, version, dice, setAside } = this;
    /** @param {boolean} aside */
    const marks = (aside) => dice.filter((found) => found.aside === aside).map(({ value, box }) => ({ value, box }));
    const evidence = { reading: id, dice: marks(false), aside: marks(true) };
    const action = { do: "throw", dice: this.thrown().map((found) => found.value) };
    // The review is closed as the photo goes.
    return ctx.act(action, { evidence, at: version, keep: this.kept(), setAside, then });
  }
}

/** Asks which dice of the throw before stayed on the table, of those that the rules allow.
 * @param {StayedDice} stay @param {any} turn  the running one */
function stayQuestion({ options, dice }, turn) {
  return html`<div class="stayed" role="group" aria-labelledby="stayed">
    <p class="hint strong" id="stayed">
      ${options[0].length === 1
        ? t("Which die stayed on the table?")
        : tn("Which {count} die stayed on the table?", "Which {count} dice stayed on the table?", options[0].length)}
      ${diceRow(turn.dice, "small")}
    </p>
    ${options.map((option) =>
      button(`chip ${String(option) === String(dice) ? "chosen" : ""}`, "review-stayed", diceRow(option, "small"), {
        arg: option,
        key: `s${option.join("")}`,
        pressed: String(option) === String(dice),
      }),
    )}
  </div>`;
}

/** The values that a die may have, in their order; those that it is likely to have instead are marked.
 * @param {any} found @param {boolean} mayLieAside */
function chooser(found, mayLieAside) {
  const likely = (found.alternatives || []).slice(0, LIKELY);
  const key = (/** @type {number} */ value) => {
    const isNow = value === found.value;
    const marked = likely.includes(value) && !isNow;
    const word = marked ? html`<span class="word" aria-hidden="true">${t("or maybe")}</span>` : "";
    const shown = html`${die(value)}<span aria-hidden="true">${value}</span>${word}`;
    return button(isNow ? "now" : marked ? "likely" : "", "review-value", shown, {
      arg: value,
      key: `v${value}`,
      label: marked ? t("{value}, or maybe", { value }) : value,
      more: isNow ? html`aria-current="true"` : "",
    });
  };
  return html`<div class="chooser" role="group" aria-label="${t("What does this die show?")}">
    <p class="hint">${t("What does this die show?")}</p>
    <div class="keys">${[1, 2, 3, 4, 5, 6].map(key)}</div>
    <div class="row end">
      ${button("button", "review-remove", t("Leave it out"), { sign: "trash" })}
      ${mayLieAside && button("button", "review-aside", t("Lies aside"))}
      ${button("button grow", "review-unpick", t("Back"))}
    </div>
  </div>`;
}

/** Whether the photo may show no dice at all: the reader was sure of none, and a person has not looked at all.
 * @param {any[]} thrown */
function mayShowNone(thrown) {
  return (
    thrown.every(({ sure }) => !sure) && (!thrown.length || thrown.some((found) => isDoubtful(found) && !found.looked))
  );
}

/** The dice that the reader found. Those aside (`read` as such) are in the picture, but were not thrown.
 * @param {Pending} pending @returns {ReviewDie[]} */
const readDice = (pending) =>
  [pending.dice, pending.aside || []].flatMap((dice, i) =>
    dice.map((found) => ({ ...found, told: false, aside: i === 1, read: i === 1 })),
  );

/** The dice of the photo under review as this tab corrected them; null if it did not.
 * @param {Context} ctx @returns {ReviewDie[] | null} */
function storedDice({ setup, state: { pending, version } }) {
  const kept = tab.value(STORED + setup.key);
  if (!pending || kept?.id !== pending.id || kept.version !== version) return null;
  return kept.dice.map((/** @type {ReviewDie} */ found) => ({
    ...found,
    box: String(found.box) === String(NOWHERE) ? NOWHERE : found.box,
  }));
}

/** @param {Review} all */
function storeDice({ ctx, id, version, dice }) {
  const kept = dice.filter((found) => !found.added || found.told);
  tab.keep(STORED + ctx.setup.key, { id, version, dice: kept });
}

/**
 * The page after the throw is confirmed: the same tap also does the choice. There is no advice, since nothing has been
 * thrown yet.
 * @param {Page} ctx @param {ThrowOutcome} would @returns {Page}
 */
function pageAfter(ctx, would) {
  const standing = { ...ctx.standing, ...would };
  return Object.create(ctx, {
    standing: { value: standing },
    state: { value: { ...ctx.state, standing, advice: "off" } },
    local: { value: { ...ctx.local, sheet: {} } },
    draw: { value: () => ctx.local.review.redraw() },
  });
}

/** @param {ReviewDie} found */
const isDoubtful = (found) => !found.sure && !found.told && !found.aside;

/** @param {ReviewDie} found @param {number} i */
function dieLabel(found, i) {
  const [number, value] = [i + 1, found.value];
  if (found.aside) return t("Die {number}: {value}, lies aside. Tap it if it was thrown.", { number, value });
  return isDoubtful(found)
    ? t("Die {number}: {value}, doubtful", { number, value })
    : t("Die {number}: {value}", { number, value });
}

/**
 * The values of the dice that were not thrown, if those that lie aside explain the surplus in one way; else none.
 * @param {{beside: number[], dice: {value: number, aside: boolean}[]}} review
 * @param {number} surplus  how many dice more there are than were to be thrown
 */
export function diceAside({ beside, dice }, surplus) {
  if (surplus <= 0 || dice.some((found) => found.aside)) return [];
  const left = dice.map((found) => found.value);
  const found = beside.filter((value) => left.includes(value) && left.splice(left.indexOf(value), 1));
  const isOneWay = found.length === surplus || (found.length > surplus && new Set(found).size === 1);
  return isOneWay ? found.slice(0, surplus) : [];
}

/** The part of the photo that shows the dice with some room around them; all of it without dice.
 * @param {ReviewedPhoto} photo */
export function closerView({ width, height, dice: all }) {
  const dice = all.filter(({ box }) => box !== NOWHERE);
  if (!dice.length) return { x: 0, y: 0, w: width, h: height };
  const side = medianSide({ width, height, dice });
  const x0 = Math.max(0, Math.min(...dice.map((found) => found.box[0])) - MARGIN * side - side / 2);
  const y0 = Math.max(0, Math.min(...dice.map((found) => found.box[1])) - MARGIN * side - side / 2);
  const x1 = Math.min(width, Math.max(...dice.map((found) => found.box[2])) + MARGIN * side);
  const y1 = Math.min(height, Math.max(...dice.map((found) => found.box[3])) + MARGIN * side);
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

/** @param {ReviewedPhoto} photo */
function medianSide({ width, height, dice }) {
  const sides = dice
    .filter(({ box }) => box !== NOWHERE)
    .map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1]))
    .sort((a, b) => a - b);
  return sides.length ? sides[Math.floor(sides.length / 2)] : NEW_DIE_SIDE * Math.min(width, height);
}

/** The largest size of the photo in pixels of the screen, [across, down]; see .photo in the style.
 * @param {boolean} withPreview */
function photoSpace(withPreview) {
  const beside = innerWidth > innerHeight && innerHeight <= LOW_PX;
  if (!withPreview && !beside) return [Math.min(innerWidth, WIDEST_PX), TALLEST * innerHeight];
  return innerWidth > innerHeight
    ? [Math.min(innerWidth, WIDEST_PX) / 2, innerHeight - HEAD_PX]
    : [innerWidth, TALLEST_WITH_PREVIEW * innerHeight];
}

/** About one pixel of the screen, in pixels of the photo. @param {Area} part @param {boolean} withPreview */
function pixelSize(part, withPreview) {
  const [across, down] = photoSpace(withPreview);
  return Math.max(part.w / across, part.h / down);
}

/** Where a finger hits what lies `from`..`to`: its beginning and length, at least `least`, within `low`..`high`.
 * @param {number} from @param {number} to @param {number} least @param {number} low @param {number} high */
function hitSide(from, to, least, low, high) {
  const length = Math.max(to - from, least);
  return [Math.max(low, Math.min((from + to - length) / 2, high - length)), length];
}

/**
 * A die in the photo: its box, and its label beside it or at the end of a line. `shown`: the box of what is seen.
 * @param {ReviewDie} found @param {number} i @param {LabelPlace} place @param {number} unit @param {number[]} shown
 * @param {boolean} picked
 */
function markedDie(found, i, place, unit, shown, picked) {
  const [x0, y0, x1, y1] = found.box;
  const w = x1 - x0;
  const frame = html`x="${x0}" y="${y0}" width="${w}" height="${y1 - y0}" rx="${w * 0.14}"`;
  const [hitX, hitW] = hitSide(x0, x1, TARGET_PX * unit, shown[0], shown[2]);
  const [hitY, hitH] = hitSide(y0, y1, TARGET_PX * unit, shown[1], shown[3]);
  const kind = found.aside ? "lies-aside" : isDoubtful(found) ? "doubt" : "";
  const dashes = found.aside ? `${2 * unit} ${5 * unit}` : kind ? `${9 * unit} ${6 * unit}` : "none";
  const [left, top, right, bottom] = place.box;
  const high = bottom - top;
  const line =
    place.line && html`x1="${place.line[0]}" y1="${place.line[1]}" x2="${place.line[2]}" y2="${place.line[3]}"`;
  return html`<g
    data-key="b${i}"
    role="button"
    tabindex="0"
    class="box ${kind} ${picked && "picked"}"
    data-act="review-mark"
    data-arg="${i}"
    aria-label="${dieLabel(found, i)}"
  >
    <rect class="hit" x="${hitX}" y="${hitY}" width="${hitW}" height="${hitH}" />
    <rect class="under" ${frame} stroke-width="${6 * unit}" />
    <rect class="line" ${frame} stroke-width="${3 * unit}" stroke-dasharray="${dashes}" />
    ${line &&
    html`<line class="lead-under" ${line} stroke-width="${5 * unit}" /><line
        class="lead"
        ${line}
        stroke-width="${2 * unit}"
      />`}
    <rect
      class="tag"
      x="${left}"
      y="${top}"
      width="${right - left}"
      height="${high}"
      rx="${high * 0.25}"
      stroke-width="${1.5 * unit}"
    />
    <text x="${(left + right) / 2}" y="${top + high * 0.79}" font-size="${high * 0.82}" text-anchor="middle"
      >${found.value}${isDoubtful(found) && " ?"}</text
    >
  </g>`;
}

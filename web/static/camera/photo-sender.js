// A photo that this phone took, until its review opens: how far it is, and which one counts if there are two.

import { button } from "../shared/buttons.js";
import { html, render } from "../shared/dom.js";
import { RefusedError, failureText, photoAddress, randomId } from "../shared/net.js";
import { panelHead } from "../dialogs/panel.js";
import { renewThrow } from "../dialogs/due-throw.js";
import { goneSentence } from "../dialogs/review.js";
import { refusalSentence, number, phoneName, t } from "../shared/text.js";
import { OwnEye } from "./own-eye.js";
import { OutgoingPhoto, upload } from "./sending.js";
import { tiny } from "./shrink.js";
import * as unsent from "./unsent-photos.js";

const LATER = [429, 503]; // answers of a server that would take the photo at another time

/** A photo on its way, or one that waits to be sent. */
class TakenPhoto {
  /** @param {Blob} file @param {string} request  its id, so that the server takes it once */
  constructor(file, request = randomId()) {
    this.file = file;
    this.request = request;
    this.address = ""; // of a picture to be looked at, once it is there
    this.outgoing = new OutgoingPhoto(file);
    /** @type {any} */
    this.due = null; // the throw that it shows, a DueThrow, once that is known
    /** @type {"sending" | "reading" | "unsent"} */
    this.status = "sending";
    this.kept = false; // whether it outlives a reload
    this.sent = 0; // bytes
    this.size = 0;
  }

  /** Makes the picture, then draws the page. @param {() => void} draw */
  async show(draw) {
    this.address = await tiny(this.file);
    draw();
  }

  words() {
    if (this.status === "reading") return t("Reading the dice …");
    if (this.status === "sending") return t("Sending the photo …");
    return this.kept ? t("This photo is not sent yet. It is kept on this phone.") : t("This photo is not sent yet.");
  }
}

/** Sends the photos that a person takes with this phone, one at a time. */
export class PhotoSender {
  /**
   * @param {Page} ctx
   * @param {(photo: DueThrow | Promise<DueThrow>) => Promise<DueThrow>} settle  the throw, once no change is on its way
   * @param {() => void} look  opens the review
   */
  constructor(ctx, settle, look) {
    this.ctx = ctx;
    this.settle = settle;
    this.look = look;
    /** @type {TakenPhoto | null} */
    this.photo = null;
    this.eye = new OwnEye(ctx.setup.eye);
    this.cancelled = new Set(); // the ids of photos that the server may have got all the same
  }

  /** Takes a photo of the throw `shown`. `replaces`: the id of the photo in whose place a person wants it.
   * @param {Blob} file @param {DueThrow | Promise<DueThrow>} shown @param {string | null} replaces */
  async take(file, shown, replaces = null) {
    const photo = new TakenPhoto(file);
    photo.show(() => {
      this.ctx.draw();
      this.ctx.panel.draw();
    });
    if (replaces !== null || this.photo?.status === "unsent") this.giveUp();
    if (replaces !== null || !this.other()) return this.send(photo, shown, replaces ?? "");
    photo.due = renewThrow(await this.settle(shown), this.ctx.state);
    if (photo.due) this.ask(photo);
    else this.ctx.toast(refusalSentence({ reason: "stale" }));
  }

  /** The photo of this throw that is there already, such as another phone's under review. */
  other() {
    const { pending } = this.ctx.state;
    if (this.photo) return { address: this.photo.address, words: t("The first one") };
    if (!pending || pending.status === "failed") return null;
    const address = pending.status === "read" ? photoAddress(this.ctx.setup.base, pending.id) : "";
    return { address, words: phoneName(pending.device) };
  }

  /** @param {TakenPhoto} photo */
  ask(photo) {
    this.ctx.panel.open(new PhotoChoice(this, photo));
  }

  /** @param {TakenPhoto} photo @param {DueThrow | Promise<DueThrow>} shown @param {string} replaces */
  async send(photo, shown, replaces) {
    const { ctx } = this;
    this.photo = photo;
    photo.status = "sending";
    ctx.draw();
    const due = renewThrow(await this.settle(shown), ctx.state);
    if (this.photo !== photo) return; // it was cancelled meanwhile
    if (due === null) {
      this.drop();
      ctx.draw();
      ctx.toast(refusalSentence({ reason: "stale" }));
      return;
    }
    photo.due = due;
    const { file, request } = photo;
    const keeping = unsent.keep({ table: ctx.setup.key, file, due, request, at: Date.now() });
    const byPhone = this.eye.isReady;
    this.eye.load();
    try {
      await upload(ctx.table(), due, photo.outgoing, {
        request,
        replaces,
        byPhone,
        progress: (sent, size) => this.showProgress(photo, sent, size),
      });
      const { pending } = ctx.state;
      if (byPhone && pending?.request === request && pending.status === "waiting")
        this.eye.look(`${ctx.table().api}/photos/${pending.id}`, photo.outgoing.sent);
    } catch (error) {
      photo.kept = await keeping;
      if (this.photo === photo) await this.fail(photo, error);
    }
  }

  /** @param {TakenPhoto} photo @param {unknown} error */
  async fail(photo, error) {
    const { ctx } = this;
    if (error instanceof RefusedError && error.reason === "photo-waits") {
      this.photo = null;
      await ctx.table().poll();
      if (this.other()) this.ask(photo);
      else await this.send(photo, photo.due, "");
      return;
    }
    if (error instanceof RefusedError && error.status === 409) await ctx.table().poll();
    if (this.photo !== photo) return; // the table has moved on, and says so
    if (error instanceof RefusedError && !LATER.includes(error.status)) this.drop();
    else photo.status = "unsent";
    ctx.toast(failureText(error));
    ctx.draw();
  }

  /** Shows a photo that was left unsent when the page was closed. */
  async restore() {
    const { setup } = this.ctx;
    const left = await unsent.find(setup.key);
    const { state } = this.ctx;
    if (!left || this.photo) return;
    if (left.request === state.pending?.request || renewThrow(left.due, state) === null) {
      await unsent.forget(setup.key);
      return;
    }
    const photo = new TakenPhoto(left.file, left.request);
    Object.assign(photo, { due: left.due, status: "unsent", kept: true });
    this.photo = photo;
    this.ctx.draw();
    photo.show(this.ctx.draw);
  }

  /**
   * Follows a newer state. Returns "read" when this phone's photo has been read, so that its review may open, and
   * "late" when its throw was told otherwise.
   */
  update() {
    const { state, table, attempt, toast } = this.ctx;
    const { photo } = this;
    const { pending } = state;
    if (pending && this.cancelled.delete(pending.request)) attempt(() => table().discard(pending.id));
    if (!photo || !photo.due) return "";
    if (pending?.request === photo.request) {
      unsent.forget(this.ctx.setup.key);
      photo.status = "reading";
      if (pending.status !== "waiting") this.photo = null; // the table has it
      return pending.status === "read" ? "read" : "";
    }
    const due = renewThrow(photo.due, state);
    if (due === null) {
      this.drop();
      return "late";
    }
    photo.due = due;
    if (photo.status === "reading") {
      this.drop();
      toast(goneSentence(pending));
    }
    return "";
  }

  /** Ends with the photo that is on its way: nobody wants it. */
  drop() {
    const { photo } = this;
    if (!photo) return;
    photo.outgoing.stop();
    unsent.forget(this.ctx.setup.key);
    this.photo = null;
  }

  /** Drops the photo, which the server may get all the same. */
  giveUp() {
    if (this.photo?.status === "sending") this.cancelled.add(this.photo.request);
    this.drop();
  }

  /** @type {Handlers} */
  handlers = {
    "photo-cancel": () => {
      const { ctx, photo } = this;
      const { pending } = ctx.state;
      this.giveUp();
      ctx.draw();
      if (pending && pending.request === photo?.request) ctx.discard(pending.id);
    },
    "photo-send": () => {
      const photo = /** @type {TakenPhoto} */ (this.photo);
      this.photo = null;
      if (this.other()) this.ask(photo);
      else this.send(photo, photo.due, "");
    },
  };

  /** What stands above the buttons of the page: the photo, how far it is, and what can be done about it. */
  card() {
    return this.photo ? html`<div class="on-its-way" data-key="on-its-way">${photoLine(this.photo)}</div>` : "";
  }

  /** Shows so many bytes of all. The page is not drawn anew: that would take a slow phone too long.
   * @param {TakenPhoto} photo @param {number} sent @param {number} size */
  showProgress(photo, sent, size) {
    const place = document.querySelector(".on-its-way");
    if (this.photo !== photo || !place) return;
    Object.assign(photo, { sent, size });
    render(place, photoLine(photo));
  }
}

/** @param {number} bytes */
const kilobytes = (bytes) => number(Math.ceil(bytes / 1000));

/** @param {TakenPhoto} photo */
function photoLine(photo) {
  const { status, address, sent, size } = photo;
  const ended = status === "unsent";
  return html`${address && html`<img src="${address}" alt="" />`}
    <div class="how-far">
      <p role="status">${photo.words()}</p>
      ${!ended &&
      html`<progress
        aria-label="${t("How much of the photo is sent")}"
        max="${size || 1}"
        ${status !== "reading" && html`value="${sent}"`}
      ></progress>`}
      ${status === "sending" && size
        ? html`<p class="soft" aria-hidden="true">
            ${t("{sent} of {size} kB", { sent: kilobytes(sent), size: kilobytes(size) })}
          </p>`
        : ""}
    </div>
    ${ended && button("button primary", "photo-send", t("Send now"), { key: "send" })}${button(
      "tool",
      "photo-cancel",
      ended ? t("Discard") : t("Cancel"),
      { sign: ended ? "trash" : "close", key: "cancel" },
    )}`;
}

/** The question which of two photos of a throw counts. */
class PhotoChoice {
  /** @param {PhotoSender} sender @param {TakenPhoto} photo  the new one */
  constructor(sender, photo) {
    this.sender = sender;
    this.photo = photo;
    this.chosen = false;
  }

  content() {
    const other = this.sender.other();
    return html`${panelHead(t("Which photo counts?"))}
      <p class="hint">${t("One photo tells this throw. The other one is deleted.")}</p>
      <div class="two-photos">
        ${other ? photoButton("photo-first", other.address, other.words) : ""}
        ${photoButton("photo-second", this.photo.address, t("The new one"))}
      </div>`;
  }

  unsaved() {
    return !this.chosen;
  }

  /** Closed without an answer, the first photo counts. */
  closed() {
    if (!this.sender.photo) unsent.forget(this.sender.ctx.setup.key);
  }

  /** Follows the table: closes when the throw was told, and sends the new photo when the first one is gone. */
  update() {
    const { ctx } = this.sender;
    const due = renewThrow(this.photo.due, ctx.state);
    if (due === null) {
      this.chosen = true;
      ctx.panel.close();
      return true;
    }
    this.photo.due = due;
    if (this.sender.other()) ctx.panel.draw();
    else this.chooseNew();
    return false;
  }

  chooseNew() {
    const { sender, photo } = this;
    const { ctx } = sender;
    const { pending } = ctx.state;
    this.chosen = true;
    sender.giveUp();
    const sent = sender.send(photo, photo.due, pending?.id ?? "");
    ctx.panel.close();
    return sent;
  }

  handlers = {
    "photo-first": () => {
      const { pending } = this.sender.ctx.state;
      this.chosen = true;
      this.sender.ctx.panel.close();
      if (pending?.status === "read") this.sender.look();
    },
    "photo-second": () => this.chooseNew(),
  };
}

/** @param {string} act @param {string} address @param {Content} words */
const photoButton = (act, address, words) =>
  button(
    "",
    act,
    html`${address ? html`<img src="${address}" alt="" />` : html`<span class="spinner" aria-hidden="true"></span>`}
      <span>${words}</span>`,
    { key: act },
  );

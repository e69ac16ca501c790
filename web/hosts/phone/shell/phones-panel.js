// The panels of the shell by which phones come to a table: one shows an invitation and takes the answer, the other
// takes an invitation and shows the answer. Codes are scanned by the camera, or go as text by any other way.

import { Refused } from "./connecting.js";
import { button, make } from "./elements.js";
import { INVITED_MS, MOST_GUESTS } from "./guests.js";
import { NotReadable } from "./invitation.js";
import { drawCode } from "./qr-code.js";
import { t } from "./texts.js";

const LOOK_MS = 150; // between two looks of the camera
const SCANNED = 720; // pixels of the longer side that is looked at
const CODE = /(?:#(?:join|answer)=)?([\w.,:;+/-]+)\s*$/;

/** The text in what was scanned or pasted, an address or the text alone. @param {string} given */
const textIn = (given) => given.match(CODE)?.[1] ?? "";

export const otherVersion = () =>
  t("The two phones have different versions of Rollcall. Open its site on both, close it, and open it again.");

/** Why a code was not taken, in a sentence. @param {Error} error */
function reasonOf(error) {
  if (error instanceof NotReadable)
    return error.isOther ? otherVersion() : t("This is no code of Rollcall for this step.");
  if (!(error instanceof Refused)) return t("The code could not be used: {reason}", { reason: error.message });
  /** @type {Record<string, string>} */
  const sentences = {
    full: t("{count} phones are at the table. Send one away before you invite another one.", { count: MOST_GUESTS }),
    invitation: t("This is an invitation. Scan the code that the other phone shows now."),
    outdated: t("That code answers an older invitation. Let the other phone scan this one."),
    "no-connections": t("This browser cannot connect phones. Use another one."),
    unreachable: t(
      "These phones cannot reach each other: guest networks often keep phones apart. The hotspot of one of them helps.",
    ),
  };
  return sentences[error.message];
}

/** @param {Error} error */
function cameraProblem({ name }) {
  if (name === "NotAllowedError")
    return t("The camera is not allowed here. Allow it in the settings of the browser, or send the code as text.");
  if (name === "NotFoundError") return t("This phone has no camera. Send the code as text.");
  return t("The camera did not start; perhaps another program uses it. Send the code as text.");
}

/** A panel: a heading, what is in it, and what is said last. */
class Panel {
  /** @param {HTMLDialogElement} dialog @param {string} title */
  constructor(dialog, title) {
    this.dialog = dialog;
    this.said = make("p", { className: "said" });
    this.said.setAttribute("role", "status");
    this.picture = make("canvas", { hidden: true });
    this.picture.setAttribute("role", "img");
    this.text = make("textarea", { readOnly: true, rows: 3 });
    this.given = make("textarea", { rows: 3 });
    this.video = make("video", { muted: true, playsInline: true, hidden: true });
    this.title = title;
    this.scanning = null; // AbortController
    dialog.addEventListener("close", () => this.stop(), { once: true });
  }

  /** @param {...(string | Node)} content */
  show(...content) {
    const title = make("h2", { id: "phones-title" }, this.title);
    this.dialog.replaceChildren(title, ...content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @param {string} text */
  say(text) {
    this.said.textContent = text;
  }

  /** Shows a code, as a picture and as text. @param {string} address */
  async showCode(address) {
    this.text.value = address;
    await drawCode(this.picture, address);
    this.picture.setAttribute("aria-label", t("QR code"));
    this.picture.hidden = false;
  }

  /** Hands the shown code on as text. */
  async share() {
    try {
      if (navigator.share) await navigator.share({ text: this.text.value });
      else {
        await navigator.clipboard.writeText(this.text.value);
        this.say(t("The text was copied."));
      }
    } catch {
      this.text.select(); // to be copied by hand
    }
  }

  /** Scans a code by the camera, and gives its text to `take`. @param {(found: string) => unknown} take */
  async scan(take) {
    this.stop();
    const scanning = (this.scanning = new AbortController());
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch (/** @type {any} */ error) {
      this.say(cameraProblem(error));
      return;
    }
    let found = "";
    try {
      if (scanning.signal.aborted) return; // another scan has begun, or the panel was closed
      this.video.srcObject = stream;
      this.video.hidden = false;
      await this.video.play();
      const look = await reader();
      while (!found && !scanning.signal.aborted) {
        found = await look(this.video).catch(() => ""); // no code in this picture
        if (!found) await new Promise((done) => setTimeout(done, LOOK_MS));
      }
    } finally {
      for (const track of stream.getTracks()) track.stop();
    }
    if (scanning.signal.aborted) return;
    this.stop();
    await take(found);
  }

  stop() {
    this.scanning?.abort();
    this.scanning = null;
    this.video.hidden = true;
  }

  /** @param {...(string | Node)} content */
  withoutCamera(...content) {
    return make("details", {}, make("summary", {}, t("Without a camera")), ...content);
  }

  /** @param {string} text @param {HTMLTextAreaElement} field @param {(text: string) => unknown} act */
  field(text, field, act) {
    return make(
      "form",
      { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), act(field.value)) },
      ...[make("label", {}, text, field), make("button", {}, t("Use it"))],
    );
  }
}

/** What finds a code in a video: the browser's own way, else a script's.
 * @returns {Promise<(video: HTMLVideoElement) => Promise<string>>} */
async function reader() {
  const Own = /** @type {any} */ (globalThis).BarcodeDetector;
  if ((await Own?.getSupportedFormats?.().catch(() => []))?.includes("qr_code")) {
    const own = new Own({ formats: ["qr_code"] });
    return async (video) => (await own.detect(video))[0]?.rawValue ?? "";
  }
  const { decodeQR } = await import(/** @type {any} */ ("./qr/decode.js"));
  const canvas = document.createElement("canvas");
  return async (video) => {
    const scale = Math.min(1, SCANNED / Math.max(video.videoWidth, video.videoHeight, 1));
    canvas.width = video.videoWidth * scale;
    canvas.height = video.videoHeight * scale;
    const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    brush.drawImage(video, 0, 0, canvas.width, canvas.height);
    return decodeQR(brush.getImageData(0, 0, canvas.width, canvas.height));
  };
}

/** The host's panel: an invitation, and the phones at the table. */
export class InvitePanel extends Panel {
  /**
   * @param {HTMLDialogElement} dialog @param {import("./guests.js").Guests} guests
   * @param {{ site: string, path: string }} given `site`: its address; `path`: the page that guests are led to
   */
  constructor(dialog, guests, { site, path }) {
    super(dialog, t("Invite a phone"));
    this.guests = guests;
    this.site = site;
    this.path = path;
    this.list = make("ul");
    this.renewal = 0;
    this.isClosed = false; // a phone may still be on its way
    dialog.addEventListener("close", () => this.end(), { once: true });
  }

  open() {
    this.show(
      this.picture,
      make(
        "p",
        {},
        t(
          "1. Scan this code with the other phone. Both must be in the same Wi-Fi, or one in the hotspot of the other.",
        ),
      ),
      make("p", {}, t("2. Then scan the code that the other phone shows.")),
      this.video,
      button(t("Scan its code"), () => this.scan((found) => this.take(found)), { className: "primary" }),
      this.said,
      this.list,
      this.withoutCamera(
        make("label", {}, t("The invitation, good for one phone and five minutes"), this.text),
        button(t("Send the invitation"), () => this.share()),
        this.field(t("The answer of the other phone"), this.given, (text) => this.take(text)),
      ),
      button(t("Close"), () => this.dialog.close()),
    );
    this.showGuests();
    return this.invite();
  }

  async invite() {
    clearTimeout(this.renewal);
    if (this.isClosed) return;
    this.renewal = setTimeout(() => this.invite(), INVITED_MS);
    try {
      await this.showCode(`${this.site}#join=${await this.guests.invite(this.path)}`);
    } catch (/** @type {any} */ error) {
      this.picture.hidden = true;
      this.say(reasonOf(error));
    }
  }

  /** @param {string} given */
  async take(given) {
    this.say(t("The phones connect …"));
    try {
      await this.guests.admit(textIn(given));
    } catch (/** @type {any} */ error) {
      this.say(reasonOf(error));
      if (error.message === "unreachable") await this.invite();
      return;
    }
    this.given.value = "";
    this.say(t("The phone is at the table. The code is a new one now, for a further phone."));
    await this.invite();
  }

  /** The phones at the table, each with a way to send it away. */
  showGuests() {
    this.list.replaceChildren(
      ...this.guests.list.map(({ number, shown, answers }) =>
        make(
          "li",
          {},
          answers ? t("Guest {number}", { number: shown }) : t("Guest {number} does not answer", { number: shown }),
          button(t("Send away"), () => this.guests.sendAway(number)),
        ),
      ),
    );
  }

  end() {
    this.isClosed = true;
    clearTimeout(this.renewal);
    this.guests.withdraw();
  }
}

/** A guest's panel: an invitation of another phone, and the answer to it. */
export class JoinPanel extends Panel {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {{ site: string, answer: (text: string) => Promise<string>, leave: () => void }} given `site`: its address
   */
  constructor(dialog, { site, answer, leave }) {
    super(dialog, t("Join a table"));
    this.site = site;
    this.answer = answer;
    this.leave = leave;
    dialog.addEventListener("cancel", (event) => event.preventDefault()); // there is no page behind it
  }

  /** Asks for an invitation. `why`: what has ended before. */
  open(why = "") {
    this.show(
      make("p", {}, t("On the phone with the game, tap “Invite a phone”. Then scan its code here.")),
      this.video,
      button(t("Scan the code"), () => this.scan((found) => this.take(found)), { className: "primary" }),
      this.said,
      this.withoutCamera(this.field(t("The invitation of the other phone"), this.given, (text) => this.take(text))),
      button(t("Back to my own games"), this.leave),
    );
    this.say(why);
  }

  /** @param {string} given */
  async take(given) {
    let answer;
    try {
      answer = await this.answer(textIn(given));
    } catch (/** @type {any} */ error) {
      this.open(reasonOf(error));
      return;
    }
    this.given.value = "";
    if (!answer) {
      this.open(t("The phones connect …"));
      return;
    }
    this.show(
      this.picture,
      make("p", {}, t("Now let the phone with the game scan this code.")),
      this.said,
      this.withoutCamera(
        make("label", {}, t("The answer to the invitation"), this.text),
        button(t("Send the answer"), () => this.share()),
      ),
      button(t("Scan another code"), () => this.open()),
      button(t("Back to my own games"), this.leave),
    );
    this.say("");
    // As an address of the other phone's site: that phone's own camera opens it there too.
    const [site] = given.match(/^https?:[^#\s]+(?=#)/) ?? [this.site];
    await this.showCode(`${site}#answer=${answer}`);
  }
}

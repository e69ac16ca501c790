// What the shell does about other phones: it opens the panels, lets guests in, and joins the table of another phone.

import { keep, kept } from "./connecting.js";
import { button } from "./elements.js";
import { Guests } from "./guests.js";
import { OtherPhone } from "./joining.js";
import { InvitePanel, JoinPanel, otherVersion } from "./phones-panel.js";
import { t } from "./texts.js";

const folder = new URL(".", import.meta.url);

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("phones"));
const bar = document.getElementById("bar");

/** Says something below the page; "" takes it away. `acts`: buttons. @param {string} text @param {...Node} acts */
function sayBelow(text, ...acts) {
  bar.hidden = !text;
  bar.replaceChildren(text, ...acts);
}

// --- the phone with the game ---

/** @type {Promise<Guests> | null} */
let guests = null;
/** @type {InvitePanel | null} */
let panel = null;

/** Shows an invitation to the page at `path`. `worker`: with the application; null in a tab that has none. `joined`:
 * whether the tab is at another phone's table.
 * @param {Worker | null} worker @param {string} path @param {boolean} joined
 */
export async function invite(worker, path, joined) {
  if (!worker) {
    const told = joined
      ? t("The phone with the game invites further phones.")
      : t("Invite phones in the tab of Rollcall that was opened first.");
    sayBelow(
      told,
      button(t("Close"), () => sayBelow("")),
    );
    return;
  }
  panel = new InvitePanel(dialog, await awaitGuests(worker), { site: folder.href, path: await wayTo(path) });
  await panel.open();
}

/** The guests; those that were here before this page may come back. @param {Worker} worker */
export function awaitGuests(worker) {
  guests ??= ownId().then((id) => new Guests({ id, worker, changed: () => panel?.showGuests() }));
  return guests;
}

/** The path that leads a guest to the table of a page: after a phone was removed, by the table's letters.
 * @param {string} path */
async function wayTo(path) {
  const table = path.match(/^\/tables\/[^/]+/)?.[0];
  if (!table) return path;
  const found = await fetch(`${folder.pathname}api/v1${table}`);
  const state = found.ok ? await found.json() : {};
  return state.guarded ? `/j/${state.code}` : table;
}

/** Takes the answer of a guest that came by another way than this panel's camera. Returns whether one is awaited.
 * @param {string} text */
export function takeAnswer(text) {
  if (!panel || !dialog.open) return false;
  panel.take(text);
  return true;
}

/** The random name of this phone for its guests. */
async function ownId() {
  const id = (await kept("host").catch(() => "")) || crypto.randomUUID();
  await keep("host", id).catch(() => {}); // then guests are others after the next start
  return id;
}

// --- a guest ---

/** Joins the table of another phone. `text`: its invitation, or "". `show(path)` shows a page; `leave` ends it.
 * @param {string} text @param {{ show: (path: string) => void, leave: () => void }} page */
export function join(text, { show, leave }) {
  const joining = new JoinPanel(dialog, {
    site: folder.href,
    answer: (invitation) => other.answer(invitation),
    leave: () => {
      other.forget().then(leave);
    },
  });
  const again = () => button(t("Scan its code again"), () => (sayBelow(""), joining.open()));
  const other = new OtherPhone({
    folder,
    told(state, path) {
      if (state === "connected") {
        sayBelow("");
        joining.stop();
        dialog.close();
        if (path) show(path);
      } else if (state === "away")
        sayBelow(t("The phone with the game sleeps or shows something else. The game goes on when it is back."));
      else if (state === "silent")
        sayBelow(
          t("The phone with the game does not answer; perhaps it sleeps, or a phone has left the Wi-Fi."),
          again(),
        );
      else if (state === "left")
        joining.open(t("The phone with the game has closed the page. The game goes on when it opens it again."));
      else if (state === "sent-away") joining.open(t("The phone with the game has sent this phone away."));
      else if (state === "other-version") joining.open(otherVersion());
      else joining.open(t("The invitation was not used for five minutes. Scan a new one."));
    },
  });
  if (text) joining.take(text);
  else other.comeBack().then((isExpected) => joining.open(isExpected ? t("The phones connect …") : ""));
}

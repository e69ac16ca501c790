// What the shell does so that no game is lost: all games as one file and back, and what is left of damaged ones.

import { button, make } from "./elements.js";
import { t } from "./texts.js";

const folder = new URL(".", import.meta.url);
const PLACE = `rollcall ${folder.pathname}`.replaceAll("/", "_"); // of the phone's disk
const ALL_GAMES = `${folder.pathname}all-games`;
const SAVED = `rollcall-phone saved ${folder.pathname}`; // the last change that was saved, or that need not be
const LEFT = ["rollcall.db", "rollcall.db-wal", "rollcall-copy.db"];

const today = () => new Date().toISOString().slice(0, 10);

/** @param {Blob} content @param {string} name */
function download(content, name) {
  const link = make("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** How many games ended since the last copy, and the number of the last change. */
async function news() {
  const { newest, day } = JSON.parse(localStorage.getItem(SAVED) ?? "{}");
  const found = await fetch(`${ALL_GAMES}/news?since=${newest ?? 0}`);
  return { ...(await found.json()), day };
}

/** @param {number} newest */
const note = (newest) => localStorage.setItem(SAVED, JSON.stringify({ newest, day: today() }));

async function saveAll() {
  const { newest } = await news();
  const found = await fetch(ALL_GAMES);
  if (!found.ok) throw new Error(String(found.status));
  download(await found.blob(), `rollcall-${today()}.db`);
  note(newest);
}

/** Brings the games of a file. Returns what came of it. @param {File} file */
async function bring(file) {
  const headers = { Accept: "application/json", "Content-Type": "application/octet-stream" };
  const told = await (await fetch(ALL_GAMES, { method: "POST", headers, body: file })).json();
  if (told.detail) return told.detail;
  return t("Tables that came: {came}; that were here already: {here}.", told);
}

/** Offers to save all games once some have ended since the last copy: at the head of the start page.
 * @param {Document} page */
export async function offerCopy(page) {
  const { newest, over, day } = await news();
  if (!over || day === today()) return;
  const offer = make(
    "p",
    { className: "notice" },
    t("Games that ended since the last copy: {over}. A file of them outlives this phone.", { over }),
    " ",
    button(t("Save all my games"), () => saveAll().then(() => offer.remove())),
    " ",
    button(t("Not now"), () => (note(newest), offer.remove()), { className: "button" }),
  );
  page.querySelector("main")?.prepend(offer);
}

/** Tells in Help how safe the games are, saves all of them and brings them back.
 * @param {Document} page */
export async function showInHelp(page) {
  const said = make("p");
  said.setAttribute("role", "status");
  const chosen = make("input", { type: "file", accept: ".db", hidden: true });
  chosen.onchange = async () => (said.textContent = await bring(chosen.files[0]).catch(({ message }) => message));
  const isKept = await navigator.storage.persisted();
  const isApple = /iPhone|iPad/.test(navigator.userAgent) && !matchMedia("(display-mode: standalone)").matches;
  const told = isKept
    ? t("This browser has promised to keep the games.")
    : t("This browser may clear the games when it needs room. Save them now and then.");
  const ofApple = [
    t("Safari clears games after seven days without a visit."),
    t("Tap Share, “Add to Home Screen”; open Rollcall and invitations there."),
  ];
  const asButton = { className: "button" };
  const bringing = button(t("Bring games from a file"), () => chosen.click(), asButton);
  const section = make(
    "section",
    { id: "all-games" },
    make("h2", {}, t("All my games")),
    ...[told, ...(isApple ? ofApple : [])].map((text) => make("p", {}, text)),
    make("p", {}, button(t("Save all my games"), saveAll, asButton)),
    make("p", {}, bringing, chosen),
    said,
    make("p", {}, t("The file is for another phone, or for Rollcall on a computer, and comes back the same way.")),
  );
  page.querySelector("main h1")?.after(section);
}

/** Offers what is left of damaged games as files, and to begin without them after that.
 * @param {Element} place */
export function offerDamaged(place) {
  const anew = button(t("Begin without games"), beginAnew, { hidden: true });
  const save = async () => {
    for (const [name, content] of await left()) download(content, `damaged-${name}`);
    anew.hidden = false;
  };
  place.append(button(t("Save what is there"), save), anew);
}

/** @returns {Promise<[string, File][]>} the files that have something */
async function left() {
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle(PLACE);
  /** @type {[string, File][]} */
  const files = [];
  for (const name of LEFT) files.push([name, await (await place.getFileHandle(name)).getFile()]);
  return files.filter(([, content]) => content.size);
}

async function beginAnew() {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(PLACE, { recursive: true });
  location.reload();
}

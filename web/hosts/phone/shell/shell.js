// The page around the application: it shows the pages in a frame, so that Python goes on when one leads to the next.
//
// One tab is the host: it has the lock, and runs the application in a worker. Others are its guests. The page that is
// shown stands behind "#" in the address: every address of the site opens from the one file. Behind it may also stand
// an invitation of another phone ("#join="): this tab then has no application, and asks that phone's (`phones.js`). Or
// a game that somebody made ("#g="), as behind the address of any Rollcall.

import { language, t } from "./texts.js";

const folder = new URL(".", import.meta.url);
const [start, said] = ["start", "said"].map((id) => document.getElementById(id));
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("frame"));
const again = /** @type {HTMLButtonElement} */ (document.getElementById("again"));
const progress = /** @type {HTMLProgressElement} */ (document.getElementById("progress"));
const channel = new BroadcastChannel(`rollcall-phone ${folder.pathname}`);
const PHOTO_FIELDS = ["photo", "library", "again"]; // as `table.js` calls them
const DOWNLOAD = 0.6; // of the progress bar, on the first visit
const SILENCE_MS = 20000; // of a host tab, after which its guests say so
const STALLS_MS = 45_000; // without a word of files that come
const ANSWER_MS = 3000; // of another tab that is open
const JOINED = `rollcall-phone joined ${folder.pathname}`; // in the tab's storage while it is at another phone's table

let isFirst = false; // whether this browser opens Rollcall for the first time
let isReady = false;
let isIntroducing = false; // whether the first visit still shows what Rollcall is
let isTouched = false; // whether somebody has begun to fill the page in
let isRefreshing = false;
let keepsOwn = false; // whether what a phone with games of its own needs is still coming
let stall = 0;
let silence = 0;
let worker = /** @type {Worker | null} */ (null); // with the application, in the host tab

const words = {
  loading: t("Rollcall is loading. This is needed once; then it works without a network."),
  starting: t("Rollcall is starting."),
  elsewhere: t("Rollcall is open in another tab of this phone, which does not answer. Open that tab, or close it."),
  cut: t("The connection broke off while Rollcall was loading. What has come is kept."),
  notLoaded: t("A part of Rollcall did not come, or finds no room on this phone. What has come is kept."),
  again: t("Go on loading"),
  failed: t("Rollcall could not start in this browser."),
  damaged: t(
    "The games on this phone are damaged, and so is their copy. Save what is there: help may be found for it.",
  ),
  insecure: t("A browser keeps Rollcall on a phone only if its address begins with https."),
  noWorker: t(
    "This browser keeps no programs, perhaps because the window is private. Open the page in an ordinary window.",
  ),
  noDisk: t("This browser keeps no games, perhaps because the window is private. Open the page in an ordinary window."),
  taken: t("The phone with the game has the answer. You can close this tab."),
  notTaken: t("No phone is invited in this browser. Open “Invite a phone” at a table, then scan the answer again."),
  alone: t("Rollcall is open in another tab of this phone. Close that tab; then this one joins the other phone."),
};
/** @param {string} version the last one that reads the games of this phone */
const older = (version) =>
  t("A development version wrote these games; the last that reads them is Rollcall {version}. They stay as they are.", {
    version,
  });
document.documentElement.lang = language;

/** Says something on the page that is there before any other. @param {string} text */
function say(text) {
  said.textContent = text;
}

/** Says why nothing can be played here now. `detail`: for whoever is asked for help. @param {string} text */
function fail(text, detail = "") {
  clearTimeout(silence);
  progress.hidden = true;
  frame.hidden = true;
  start.hidden = false;
  say(detail ? `${text} (${detail})` : text);
}

/** Says that nothing can be read of the games, and offers what is there. */
async function failDamaged() {
  fail(words.damaged);
  if (!worker) return;
  worker.terminate(); // it holds the files
  (await keeping()).offerDamaged(start);
}

/** The page that the address of this tab names. */
function wanted() {
  if (location.hash.startsWith("#g=")) return `${folder.pathname}game${location.hash}`;
  return folder.pathname + (location.hash.startsWith("#/") ? location.hash.slice(2) : "");
}

/** The page in the frame, once it is one of ours. */
const inside = () => {
  const { contentDocument: page } = frame;
  return page && page.URL !== "about:blank" ? page : null;
};

/** Shows the page that has come, unless somebody still reads what Rollcall is. */
function showPage() {
  frame.hidden = isIntroducing || !inside();
  start.hidden = !frame.hidden;
}

/** On the first visit, until somebody wants to play: what Rollcall is. */
function introduceItself() {
  const section = /** @type {HTMLElement} */ (document.getElementById("introduction"));
  isIntroducing = true;
  const play = () => {
    isIntroducing = false;
    section.remove();
    showPage();
  };
  // Where the network breaks off here, nothing stands before the game.
  import("./introduction.js").then(({ introduce }) => introduce(section, play), play);
}

frame.addEventListener("load", () => {
  const page = inside();
  if (!page) return;
  const { pathname, search, hash } = new URL(page.URL);
  const path = pathname.startsWith(folder.pathname) ? pathname.slice(folder.pathname.length) : "";
  history.replaceState(null, "", path || search ? `#/${path}${search}${hash}` : folder.pathname);
  document.title = page.title;
  showPage();
  for (const each of page.querySelectorAll("[data-same-network]")) each.remove(); // this phone serves no address
  if (page.getElementById("game-link"))
    import("./game-code.js").then(({ showGameCode }) => showGameCode(page)).catch(console.warn);
  if (!isJoined() && isReady && path === "")
    keeping()
      .then(({ offerCopy }) => offerCopy(page))
      .catch(console.warn);
  if (!isJoined() && path === "help")
    keeping()
      .then(({ showInHelp }) => showInHelp(page))
      .catch(console.warn);
  for (const name of ["pointerdown", "keydown", "input"]) page.addEventListener(name, touch);
  page.addEventListener("click", (event) => tapped(event, pathname), true);
  isTouched = false;
  isRefreshing = false;
  refresh();
});
addEventListener("hashchange", async () => {
  const { kind, text } = asked();
  if (kind === "join") location.reload();
  else if (kind === "answer") (await phones()).takeAnswer(text);
  else frame.contentWindow?.location.replace(wanted());
});

/** An invitation or an answer that the address of this tab has. */
function asked() {
  const [, kind = "", text = ""] = location.hash.match(/^#(join|answer)(?:=([\w.,:;+/-]+))?$/) ?? [];
  return { kind, text };
}

/** What is about other phones: most games are played without. */
const phones = () => import("./phones.js");

/** What is about copies of the games. */
const keeping = () => import("./keeping.js");

/** Other phones come by the shell, not by an address: what the page would show for that is shown here. While a person
 * takes a photo, what reads it gets ready.
 * @param {any} event @param {string} pathname
 */
async function tapped(event, pathname) {
  if (PHOTO_FIELDS.includes(event.target.id)) channel.postMessage({ kind: "photo-comes" });
  const invites = event.target.closest?.('[data-act="invite"]');
  if (!invites && !event.target.closest?.('a[href$="/join"]')) return;
  event.preventDefault();
  event.stopPropagation();
  if (invites) (await phones()).invite(worker, `/${pathname.slice(folder.pathname.length)}`, isJoined());
  else beginAgain("#join");
}

const isJoined = () => sessionStorage.getItem(JOINED) !== null;

/** Begins anew at the address with this hash: at another phone's table, or "" at this one's. @param {string} hash */
function beginAgain(hash) {
  history.replaceState(null, "", folder.pathname + hash);
  location.reload();
}

/** Loads the start page again if it is the one that was kept, unless somebody fills it in: it waits for Python then. */
function refresh() {
  if (!isReady || isTouched || !inside()?.documentElement.dataset.kept) return;
  isRefreshing = true;
  frame.contentWindow?.location.reload();
}

function touch() {
  isTouched = true;
  if (isRefreshing) frame.contentWindow?.stop(); // else it would take away what was filled in
}

channel.addEventListener("message", ({ data }) => {
  if (data.kind === "loading") {
    say(words.loading);
    clearTimeout(stall);
    if (keepsOwn) stall = setTimeout(keepOwn, STALLS_MS);
    progress.value = DOWNLOAD * Math.min(1, data.done / data.total);
  } else if (data.kind === "not-loaded") {
    offerAgain(data.isCut ? words.cut : words.notLoaded, data.told);
  } else if (data.kind === "step") {
    clearTimeout(silence);
    progress.hidden = false;
    progress.value = isFirst ? DOWNLOAD + (1 - DOWNLOAD) * data.done : data.done;
  } else if (data.kind === "failed") {
    const reader = data.told.match(/OlderStoreError.* it is Rollcall (.+), and nothing/s)?.[1];
    if (reader) fail(older(reader));
    else if (data.told.includes("GamesDamagedError")) failDamaged();
    else fail(/SecurityError|NotAllowed/.test(data.told) ? words.noDisk : words.failed, data.told);
  } else if (data.kind === "ready") {
    clearTimeout(silence);
    isReady = true;
    progress.hidden = true;
    document.body.dataset.ready = "yes";
    if (!isJoined()) navigator.serviceWorker.controller?.postMessage({ kind: "later" });
    refresh();
  } else if (data.kind === "guest-answer" && worker) {
    phones().then(({ takeAnswer }) => takeAnswer(data.text) && channel.postMessage({ kind: "guest-answer-taken" }));
  }
});

/** Runs the application until this tab ends. */
async function host() {
  clearTimeout(silence);
  isReady = false; // that of a host tab that has ended
  delete document.body.dataset.ready;
  document.body.dataset.host = "yes";
  worker = new Worker(new URL("worker.js", folder), { type: "module" });
  worker.addEventListener("error", ({ message }) => fail(words.failed, message));
  const own = worker;
  const bases = (await indexedDB.databases?.().catch(() => [])) ?? [{ name: channel.name }];
  if (bases.some(({ name }) => name === channel.name)) (await phones()).awaitGuests(own); // they may come back
}

/**
 * Has the browser keep the files of the site, which its service worker does. What fails is told, and may be tried
 * again: files that have come are not asked for twice.
 */
async function keepFiles() {
  again.hidden = true;
  progress.hidden = false;
  say(isFirst ? words.loading : words.starting);
  try {
    const scope = { scope: folder.pathname };
    const registration = await navigator.serviceWorker.register(new URL("service-worker.js", folder), scope);
    registration.installing?.addEventListener("statechange", ({ target }) => {
      const { state } = /** @type {ServiceWorker} */ (target);
      if (state === "redundant" && !registration.active && again.hidden) offerAgain(words.notLoaded);
    });
  } catch (/** @type {any} */ error) {
    if (error instanceof TypeError) offerAgain(words.cut, error.message);
    else fail(words.noWorker, error.message);
  }
}

/** Says why files are missing, and lets the person go on. @param {string} text */
function offerAgain(text, detail = "") {
  fail(text, detail);
  again.hidden = false;
}

again.textContent = words.again;
again.addEventListener("click", keepOn);
addEventListener("online", () => again.hidden || keepOn());

function keepOn() {
  if (!keepsOwn) return keepFiles();
  again.hidden = true;
  progress.hidden = false;
  say(words.loading);
  return keepOwn();
}

async function begin() {
  if (!window.isSecureContext) return fail(words.insecure);
  if (!("serviceWorker" in navigator)) return fail(words.noWorker);
  isFirst = !navigator.serviceWorker.controller;
  if (isFirst && !location.hash) introduceItself();
  keepFiles();
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  say(words.starting);
  navigator.storage?.persist?.(); // else a browser that needs room may clear the games
  const { kind, text } = asked();
  if (kind === "answer") return handOver(text);
  if (kind === "join" || isJoined()) return join(text);
  if (!navigator.storage?.getDirectory) return fail(words.noDisk);
  await kept();
  channel.postMessage({ kind: "anybody" });
  silence = setTimeout(() => fail(words.elsewhere), SILENCE_MS);
  frame.src = wanted();
  whenAlone(host);
  return undefined;
}

/** Has the service worker keep what a phone with games of its own needs, however often that is cut. */
async function kept() {
  if (isFirst) say(words.loading);
  const all = new Promise((/** @type {(_?: unknown) => void} */ done) => {
    channel.addEventListener("message", ({ data }) => data.kind === "kept" && done());
  });
  keepsOwn = true;
  keepOwn();
  await all;
  keepsOwn = false;
  again.hidden = true;
}

/** Asks for it, and again if nothing is heard of it: a browser may end a service worker. */
function keepOwn() {
  clearTimeout(stall);
  if (!keepsOwn) return;
  stall = setTimeout(keepOwn, STALLS_MS);
  navigator.serviceWorker.controller?.postMessage({ kind: "first" });
}

/** Does something once no other tab of this browser is the host, and keeps others from it until this one ends.
 * @param {() => void} act */
function whenAlone(act) {
  navigator.locks.request(`rollcall-phone ${folder.pathname}`, () => {
    act();
    return new Promise(() => {}); // until the tab ends
  });
}

/** Hands a guest's answer, which the phone's camera opened in this tab, to the tab that invited.
 * @param {string} text */
function handOver(text) {
  history.replaceState(null, "", folder.pathname);
  silence = setTimeout(() => fail(words.notTaken), ANSWER_MS);
  channel.addEventListener("message", ({ data }) => data.kind === "guest-answer-taken" && fail(words.taken));
  channel.postMessage({ kind: "guest-answer", text });
}

/** Joins the table of another phone: its application is this tab's too. `text`: an invitation, or "".
 * @param {string} text */
function join(text) {
  silence = setTimeout(() => fail(words.alone), ANSWER_MS);
  whenAlone(async () => {
    clearTimeout(silence);
    progress.hidden = true;
    say("");
    sessionStorage.setItem(JOINED, "yes");
    const { join: joinOther } = await phones();
    joinOther(text, {
      /** @param {string} path */
      show(path) {
        const address = new URL(path.slice(1), folder).href;
        if (inside()?.URL !== address) frame.src = address; // it may be there still, from the connection before
      },
      leave() {
        sessionStorage.removeItem(JOINED);
        beginAgain("");
      },
    });
  });
}

begin().catch(({ message }) => fail(words.failed, message));

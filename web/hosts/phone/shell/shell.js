// The page around the application: it shows the pages in a frame, so that Python goes on when one leads to the next.
//
// One tab is the host: it has the lock, and runs the application in a worker. Others are its guests. The page that is
// shown stands behind "#" in the address: every address of the site opens from the one file.

const folder = new URL(".", import.meta.url);
const [frame, start, progress, said] = ["frame", "start", "progress", "said"].map((id) => document.getElementById(id));
const channel = new BroadcastChannel(`rollcall-phone ${folder.pathname}`);
const DOWNLOAD = 0.6; // of the progress bar, on the first visit
let isShown = false;
let isFirst = false;

const WORDS = {
  en: {
    loading: "Rollcall is loading. This is needed once; then it works without a network.",
    starting: "Rollcall is starting.",
    elsewhere: "Rollcall is open in another tab of this phone, which does not answer. Open that tab, or close it.",
    failed: "Rollcall could not start in this browser.",
    noWorker: "This browser keeps no programs, perhaps because the window is private. Open the page in an ordinary window.",
    noDisk: "This browser keeps no games, perhaps because the window is private. Open the page in an ordinary window.",
  },
  cs: {
    loading: "Rollcall se načítá. To je potřeba jen jednou; pak funguje bez sítě.",
    starting: "Rollcall se spouští.",
    elsewhere: "Rollcall je otevřený v jiné kartě tohoto telefonu, která neodpovídá. Otevřete tu kartu, nebo ji zavřete.",
    failed: "Rollcall se v tomto prohlížeči nepodařilo spustit.",
    noWorker: "Tento prohlížeč neuchovává programy, možná proto, že okno je anonymní. Otevřete stránku v běžném okně.",
    noDisk: "Tento prohlížeč neuchovává hry, možná proto, že okno je anonymní. Otevřete stránku v běžném okně.",
  },
  pl: {
    loading: "Rollcall się wczytuje. To potrzebne tylko raz; potem działa bez sieci.",
    starting: "Rollcall się uruchamia.",
    elsewhere: "Rollcall jest otwarty w innej karcie tego telefonu, która nie odpowiada. Otwórz tę kartę albo ją zamknij.",
    failed: "Nie udało się uruchomić Rollcall w tej przeglądarce.",
    noWorker: "Ta przeglądarka nie przechowuje programów, może dlatego, że okno jest prywatne. Otwórz stronę w zwykłym oknie.",
    noDisk: "Ta przeglądarka nie przechowuje gier, może dlatego, że okno jest prywatne. Otwórz stronę w zwykłym oknie.",
  },
};
const language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in WORDS) ?? "en";
document.documentElement.lang = language;
const words = WORDS[language];

function say(text, part = null) {
  said.textContent = text;
  if (part !== null) progress.value = part;
}

function fail(text, detail = "") {
  start.hidden = false;
  frame.hidden = true;
  progress.hidden = true;
  say(detail ? `${text} (${detail})` : text);
}

/** The page that the address of this tab names. */
const wanted = () => folder.pathname + (location.hash.startsWith("#/") ? location.hash.slice(2) : "");

function show() {
  if (isShown) return;
  isShown = true;
  frame.src = wanted();
  frame.hidden = false;
  start.hidden = true;
}

frame.addEventListener("load", () => {
  const inside = frame.contentWindow.location;
  if (inside.origin !== location.origin) return;
  const path = inside.pathname.startsWith(folder.pathname) ? inside.pathname.slice(folder.pathname.length) : "";
  history.replaceState(null, "", path || inside.search ? `#/${path}${inside.search}` : folder.pathname);
  document.title = frame.contentDocument.title;
});
addEventListener("hashchange", () => {
  frame.contentWindow.location.replace(wanted());
});

channel.addEventListener("message", ({ data }) => {
  if (data.kind === "loading") say(words.loading, (DOWNLOAD * data.done) / data.total);
  if (data.kind === "ready") ready();
});

function ready() {
  progress.hidden = true;
  document.body.dataset.ready = "yes";
  show();
}

/** Runs the application until this tab ends. */
function host() {
  const worker = new Worker(new URL("worker.js", folder), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.step) progress.value = isFirst ? DOWNLOAD + (1 - DOWNLOAD) * data.step : data.step;
    if (data.failed) fail(data.failed.includes("SecurityError") ? words.noDisk : words.failed, data.failed.split("\n").at(-1));
  });
  worker.addEventListener("error", ({ message }) => fail(words.failed, message));
  document.body.dataset.host = "yes";
}

async function begin() {
  if (!("serviceWorker" in navigator)) return fail(words.noWorker);
  isFirst = !navigator.serviceWorker.controller;
  say(isFirst ? words.loading : words.starting);
  try {
    await navigator.serviceWorker.register(new URL("service-worker.js", folder), { scope: folder.pathname });
    await navigator.serviceWorker.ready;
  } catch (error) {
    return fail(words.noWorker, error.message);
  }
  if (!navigator.serviceWorker.controller)
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  say(words.starting);
  navigator.storage.persist?.();
  channel.postMessage({ kind: "anybody" });
  navigator.locks.request(`rollcall-phone ${folder.pathname}`, () => {
    host();
    return new Promise(() => {}); // until the tab ends
  });
  return undefined;
}

begin();

// The page around the application: it shows the pages in a frame, so that Python goes on when one leads to the next.
//
// One tab is the host: it has the lock, and runs the application in a worker. Others are its guests. The page that is
// shown stands behind "#" in the address: every address of the site opens from the one file.

const folder = new URL(".", import.meta.url);
const [frame, start, progress, said] = ["frame", "start", "progress", "said"].map((id) => document.getElementById(id));
const channel = new BroadcastChannel(`rollcall-phone ${folder.pathname}`);
const DOWNLOAD = 0.6; // of the progress bar, on the first visit
const SILENCE_MS = 20000; // of a host tab, after which its guests say so

let isFirst = false; // whether this browser opens Rollcall for the first time
let isReady = false;
let isTouched = false; // whether somebody has begun to fill the page in
let isRefreshing = false;
let silence = 0;

const WORDS = {
  en: {
    loading: "Rollcall is loading. This is needed once; then it works without a network.",
    starting: "Rollcall is starting.",
    elsewhere: "Rollcall is open in another tab of this phone, which does not answer. Open that tab, or close it.",
    failed: "Rollcall could not start in this browser.",
    insecure: "A browser keeps Rollcall on a phone only if its address begins with https.",
    noWorker:
      "This browser keeps no programs, perhaps because the window is private. Open the page in " +
      "an ordinary window.",
    noDisk:
      "This browser keeps no games, perhaps because the window is private. Open the page in an " + "ordinary window.",
  },
  cs: {
    loading: "Rollcall se načítá. To je potřeba jen jednou; pak funguje bez sítě.",
    starting: "Rollcall se spouští.",
    elsewhere:
      "Rollcall je otevřený v jiné kartě tohoto telefonu, která neodpovídá. Otevřete tu kartu, " + "nebo ji zavřete.",
    failed: "Rollcall se v tomto prohlížeči nepodařilo spustit.",
    insecure: "Prohlížeč uchová Rollcall v telefonu, jen když jeho adresa začíná na https.",
    noWorker:
      "Tento prohlížeč neuchovává programy, možná proto, že okno je anonymní. Otevřete stránku v " + "běžném okně.",
    noDisk: "Tento prohlížeč neuchovává hry, možná proto, že okno je anonymní. Otevřete stránku v běžném okně.",
  },
  pl: {
    loading: "Rollcall się wczytuje. To potrzebne tylko raz; potem działa bez sieci.",
    starting: "Rollcall się uruchamia.",
    elsewhere:
      "Rollcall jest otwarty w innej karcie tego telefonu, która nie odpowiada. Otwórz tę kartę " + "albo ją zamknij.",
    failed: "Nie udało się uruchomić Rollcall w tej przeglądarce.",
    insecure: "Przeglądarka przechowa Rollcall w telefonie tylko wtedy, gdy jego adres zaczyna się od https.",
    noWorker:
      "Ta przeglądarka nie przechowuje programów, może dlatego, że okno jest prywatne. Otwórz " +
      "stronę w zwykłym oknie.",
    noDisk:
      "Ta przeglądarka nie przechowuje gier, może dlatego, że okno jest prywatne. Otwórz stronę " + "w zwykłym oknie.",
  },
};
const language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in WORDS) ?? "en";
document.documentElement.lang = language;
const words = WORDS[language];

/** Says something on the page that is there before any other. */
function say(text) {
  said.textContent = text;
}

/** Says why nothing can be played here now. `detail`: for whoever is asked for help. */
function fail(text, detail = "") {
  progress.hidden = true;
  frame.hidden = true;
  start.hidden = false;
  say(detail ? `${text} (${detail})` : text);
}

/** The page that the address of this tab names. */
const wanted = () => folder.pathname + (location.hash.startsWith("#/") ? location.hash.slice(2) : "");

/** The page in the frame, once it is one of ours. */
const inside = () => {
  const { contentDocument: page } = frame;
  return page && page.URL !== "about:blank" ? page : null;
};

frame.addEventListener("load", () => {
  const page = inside();
  if (!page) return;
  const { pathname, search } = new URL(page.URL);
  const path = pathname.startsWith(folder.pathname) ? pathname.slice(folder.pathname.length) : "";
  history.replaceState(null, "", path || search ? `#/${path}${search}` : folder.pathname);
  document.title = page.title;
  frame.hidden = false;
  start.hidden = true;
  for (const name of ["pointerdown", "keydown", "input"]) page.addEventListener(name, touch);
  isTouched = false;
  isRefreshing = false;
  refresh();
});
addEventListener("hashchange", () => frame.contentWindow.location.replace(wanted()));

/** Loads the start page again if it is the one that was kept, unless somebody fills it in: it waits for Python then. */
function refresh() {
  if (!isReady || isTouched || !inside()?.documentElement.dataset.kept) return;
  isRefreshing = true;
  frame.contentWindow.location.reload();
}

function touch() {
  isTouched = true;
  if (isRefreshing) frame.contentWindow.stop(); // else it would take away what was filled in
}

channel.addEventListener("message", ({ data }) => {
  if (data.kind === "loading") {
    say(words.loading);
    progress.value = DOWNLOAD * Math.min(1, data.done / data.total);
  } else if (data.kind === "step") {
    clearTimeout(silence);
    progress.hidden = false;
    progress.value = isFirst ? DOWNLOAD + (1 - DOWNLOAD) * data.done : data.done;
  } else if (data.kind === "failed") {
    fail(/SecurityError|NotAllowed/.test(data.told) ? words.noDisk : words.failed, data.told);
  } else if (data.kind === "ready") {
    clearTimeout(silence);
    isReady = true;
    progress.hidden = true;
    document.body.dataset.ready = "yes";
    navigator.serviceWorker.controller?.postMessage({ kind: "later" });
    refresh();
  }
});

/** Runs the application until this tab ends. */
function host() {
  clearTimeout(silence);
  isReady = false; // that of a host tab that has ended
  delete document.body.dataset.ready;
  document.body.dataset.host = "yes";
  const worker = new Worker(new URL("worker.js", folder), { type: "module" });
  worker.addEventListener("error", ({ message }) => fail(words.failed, message));
}

async function begin() {
  if (!window.isSecureContext) return fail(words.insecure);
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
  navigator.storage.persist?.(); // else a browser that needs room may clear the games
  channel.postMessage({ kind: "anybody" });
  silence = setTimeout(() => fail(words.elsewhere), SILENCE_MS);
  frame.src = wanted();
  navigator.locks.request(`rollcall-phone ${folder.pathname}`, () => {
    host();
    return new Promise(() => {}); // until the tab ends
  });
  return undefined;
}

begin();

// The host tab's worker: Python with the application, and the files on the phone's disk.

import { mountFiles, openFiles } from "./disk.js";
import { askEye } from "./eye.js";
import { forgetMemory, startPython } from "./python.js";
import { unpack } from "./tar.js";

const SCOPE = new URL(".", import.meta.url).pathname;
const FILES = [
  ...["rollcall.db", "rollcall.db-wal", "rollcall.ends", "phones.json"],
  ...["rollcall-copy.db", "rollcall-before.db", "damaged.db", "rollcall.damaged"], // `phone_store.py`
  ...["photo.json", "photo.photo", "photo.jpg", "photo.small"], // `phone_photos.py`
];
const BEAT_MS = 15000; // pages take a longer silence for a lost connection
const LATER_MS = 5000;
const [LOADS, PAUSE_MS, TOLD_MS] = [10, 3000, 1000]; // of what reads photos
// Packages of Python's own library that were split: the modules that came later belong to them.
const JOIN_LATER = `
import importlib, pathlib
importlib.invalidate_caches()
for folder in pathlib.Path("/app/later").rglob("*"):
    if folder.is_dir() and not (folder / "__init__.pyc").exists():
        package = importlib.import_module(".".join(folder.relative_to("/app/later").parts))
        package.__path__.append(str(folder))
`;
const own = crypto.randomUUID();
const channel = new BroadcastChannel(`rollcall-phone ${SCOPE}`);
/** @type {PhoneRequest[]} */
const asked = []; // before the application is ready
let application = /** @type {any} */ (null);
let timer = 0;
let toPython = /** @type {any} */ (null);
const guestStreams = new Set(); // ids of the live streams of other phones
let isReading = false;
let isEyeThere = false; // what reads photos
let later = () => Promise.resolve(); // has what a start can do without

channel.addEventListener("message", ({ data }) => take({ ...data, phone: "" }));
addEventListener("message", ({ data }) => take(data)); // of other phones, whom the host tab let in

/** Where requests of the phone come from: this phone's own from its service worker, others' from the host tab.
 * @param {unknown} phone */
const wayTo = (phone) => (phone ? self : channel);

/** @param {any} data  a message of any kind */
function take(data) {
  if (data.kind === "anybody") {
    if (application) channel.postMessage({ kind: "ready", host: own });
  } else if (data.kind === "photo-comes") {
    if (application) getReady().catch(console.warn); // the reading tells it
  } else if (data.kind === "closed") {
    guestStreams.delete(data.id);
    application?.close_stream(data.id);
  } else if (data.kind === "ask") {
    if (application) answer(data);
    else asked.push(data);
  }
}

/** Answers a request, and shows the live streams what it changed. @param {PhoneRequest} request */
function answer({ id, method, path, headers, body, host, secure, phone }) {
  try {
    const given = application.answer(
      id,
      method,
      path,
      toPython(headers),
      body && toPython(new Uint8Array(body)),
      host,
      secure,
      phone,
    );
    const [status, named, content, stream] = given.toJs();
    given.destroy();
    if (phone && stream) guestStreams.add(id);
    wayTo(phone).postMessage({ kind: "answer", id, status, headers: named, body: content, stream });
  } catch (error) {
    console.error(error);
    wayTo(phone).postMessage({ kind: "answer", id, status: 500, headers: [], body: null, stream: false });
  }
  tell();
  work();
}

/** Sends what is new to the live streams. */
function tell() {
  const news = application.take_events();
  for (const [id, body, last] of news.toJs()) {
    wayTo(guestStreams.has(id)).postMessage({ kind: "events", id, body, last });
    if (last) guestStreams.delete(id);
  }
  news.destroy();
}

/** Does what is due beside requests, and again when more is. */
function work() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const wait = application.work();
    tell();
    readPhotos();
    if (wait !== undefined) timer = setTimeout(work, wait * 1000);
  }, 0);
}

/** Has all that reads photos there, warm. Raises what is the matter. */
async function getReady() {
  await later();
  const [refused] = await askEye("load", "[]");
  if (refused) throw new Error(refused);
  application.begin_eye();
}

/** Waits until what reads photos is there, and has all phones told. Where it does not come, the reading tells that. */
async function eyeComes() {
  if (isEyeThere) return;
  const telling = setTimeout(() => (application.await_eye(true), tell()), TOLD_MS);
  for (let tried = 0; !isEyeThere && tried < LOADS; tried += 1) {
    if (tried) await new Promise((done) => setTimeout(done, PAUSE_MS));
    isEyeThere = await getReady().then(
      () => true,
      () => false,
    );
  }
  clearTimeout(telling);
  application.await_eye(false);
  tell();
}

/** Has the photos that wait read, one after the other. What Python needs for that comes after the start. */
async function readPhotos() {
  if (isReading) return;
  isReading = true;
  try {
    while (application.has_photo()) {
      await eyeComes();
      await application.read_photo();
      tell();
    }
  } catch (error) {
    console.error(error);
  } finally {
    isReading = false;
  }
}

/** Tells all tabs how far the start is, from 0 to 1. @param {number} done */
const step = (done) => channel.postMessage({ kind: "step", done });

/** Unpacks what a start can do without: it comes when there is time, or when something is missing.
 * @param {any} python */
async function unpackLater(python) {
  const found = await fetch(new URL("later.tar", import.meta.url));
  if (!found.ok) throw new Error(`later.tar: ${found.status}`);
  unpack(python.FS, "/app", await found.arrayBuffer());
  python.runPython(JOIN_LATER);
}

/** Asks the browser's eye for Python. @param {string} name @param {string} given @param {any} bytes */
const eye = async (name, given, bytes) => toPython(await askEye(name, given, bytes?.toJs()));

async function begin() {
  const opened = openFiles(`rollcall ${SCOPE}`.replaceAll("/", "_"), FILES);
  opened.catch(() => {}); // told below
  const { python, module, keep } = await startPython();
  toPython = python.toPy;
  step(0.6);
  mountFiles(python.FS, "/data", await opened);
  let unpacked = null;
  later = () => (unpacked ??= unpackLater(python).catch((error) => ((unpacked = null), Promise.reject(error))));
  application = module.start("/data", self.location.hostname, eye);
  channel.postMessage({ kind: "ready", host: own });
  asked.splice(0).forEach(answer);
  work();
  setInterval(() => {
    application.beat();
    tell();
  }, BEAT_MS);
  setTimeout(() => later().then(keep).catch(console.warn), LATER_MS); // without a network: at the next start
}

begin().catch((error) => {
  console.error(error);
  forgetMemory().catch(console.warn);
  const lines = String(error.message ?? error)
    .trim()
    .split("\n");
  channel.postMessage({ kind: "failed", told: lines.at(-1) });
  postMessage({ kind: "failed" });
});

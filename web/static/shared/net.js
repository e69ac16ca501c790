// Talking with the server: the table's state as it changes, and asking for changes so that each counts once.

import { noServer } from "./text.js";

const POLL_MS = 1500;
// Without a connection: the sheet is to be right within a second of coming back. After a longer absence it asks more
// seldom, or all phones of a club together would keep a server that is hardly there from coming back.
const LOST_POLL_MS = 500;
const LONGEST_LOST_POLL_MS = 3000;
// While the server has no place for the stream: the first pause between two questions, and the longest.
const SLOW_POLL_MS = 5000;
const SLOWEST_POLL_MS = 15000;
const BROKEN_MS = 1000; // until a stream that broke off is asked for again; then twice as long each time
const LONGEST_BROKEN_MS = 15000;
const STEADY_MS = 10000; // a stream that was open for so long was none that breaks off at once
const QUIET_MS = 20000; // the server says something at least every 15 seconds
const TOUCH_MS = 5000; // who touches the phone after so long a silence looks at the sheet as it is now
const INSIST_MS = 30000; // how long what was done without a connection is sent again
const AGAIN_MS = 400; // half as long again each time
const LONGEST_AGAIN_MS = 3000;
const FELLOWS = 3; // a browser opens six connections to one server: tabs that nobody sees leave some to the others
const TIMEOUT_MS = 5000;
const RETRY_TIMEOUT_MS = 3000;
const UPLOAD_TIMEOUT_MS = 60000;
const POLL_TIMEOUT_MS = 4000;
const LOST_TIMEOUT_MS = 1500;

// This phone may not come to the table any more: the page then says so, and nothing else.
const TURNED_OUT = ["phone-removed", "invitation-needed"];

/** What the server refused: {reason, params, message}. */
export class RefusedError extends Error {
  constructor(error, status) {
    super(error.message);
    this.reason = error.reason;
    this.params = error.params;
    this.status = status;
  }
}

/** What to tell a person of a change or a question that failed: why the server refused it, or that nothing answered. */
export const failureText = (error) => (error instanceof RefusedError ? error.message : noServer());

/** The part of a page of our own server that it gives to be shown within another. Raises where there is none. */
export async function fetchPart(address) {
  const response = await fetch(`${address}?part=1`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** So many milliseconds, a quarter more or less: whatever happened to many phones at once, they come one by one. */
const about = (ms) => ms * (0.75 + 0.5 * Math.random());

/** What grows from `first` by `factor` each time, but not beyond `longest`; about that. */
const growing = (first, factor, times, longest) => about(Math.min(first * factor ** times, longest));

/** A moment, or until the phone says that it is back in a network. */
const pause = (ms) =>
  new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener("online", over);
      done();
    };
    const timer = setTimeout(over, ms);
    window.addEventListener("online", over);
  });

/**
 * What sends a document.
 * @param {Command} body
 */
const posted = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** What the server answered, where it did not refuse. */
function told(status, body) {
  if (status >= 200 && status < 300) return body;
  if (TURNED_OUT.includes(body.error.reason)) location.reload();
  throw new RefusedError(body.error, status);
}

async function ask(address, options = {}, timeout = TIMEOUT_MS, stop = new AbortController()) {
  const timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await fetch(address, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      signal: stop.signal,
    });
    if (response.status === 204) return null;
    return told(response.status, await response.json());
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A photo on its way. `answer`: what the server says to it, nothing once it was stopped; `over`: settles as soon as all
 * of it was handed to the network, or no more of it will be, which `isOver` says too; `left`: bytes that were not.
 */
export class Upload {
  constructor(address, form, size) {
    this.left = size;
    this.isOver = false;
    this.status = 0; // of the answer
    const asked = (this.asked = new XMLHttpRequest()); // `fetch` does not tell how much has been sent
    asked.open("POST", address);
    asked.timeout = UPLOAD_TIMEOUT_MS;
    asked.setRequestHeader("Accept", "application/json");
    asked.upload.addEventListener("progress", ({ loaded, total }) => {
      this.left = total - loaded;
    });
    this.over = new Promise((done) => {
      for (const way of [asked.upload, asked])
        way.addEventListener("loadend", () => {
          this.isOver = true;
          done(null);
        });
    });
    this.answer = new Promise((done, fail) => {
      for (const name of ["error", "timeout"]) asked.addEventListener(name, () => fail(new TypeError(name)));
      asked.addEventListener("load", () => {
        this.status = asked.status;
        try {
          done(told(asked.status, JSON.parse(asked.responseText)));
        } catch (error) {
          fail(error);
        }
      });
    });
    this.answer.catch(() => {}); // whoever sends it looks at it later
    asked.send(form);
  }

  /** Nobody wants it any more: the server never gets all of it, and so nothing. */
  stop() {
    this.asked.abort();
  }
}

/**
 * One table on the server. `heard(state)` is called with every newer state, `online(bool)` when the connection changes,
 * `waiting()` when something that a person did has to wait for the connection.
 */
export class TableClient {
  constructor(base, state, heard, online, waiting = () => {}) {
    this.base = base;
    this.state = state;
    this.heard = heard;
    this.online = online;
    this.waiting = waiting;
    this.source = null;
    this.last = 0;
    this.answered = 0; // when the server last answered what this phone asked
    this.broken = 0; // how often the stream broke off lately
    this.opened = Infinity; // since when it is open, by the clock of `performance`
    this.listenFrom = 0; // when it may be asked for again, by the same
    this.askFrom = 0; // and when the state may
    this.refused = false; // the server has no place for the stream
    this.slow = 0; // how often this phone has asked for the state since, and heard nothing new
    this.lost = 0; // how often it asked in vain
    this.playsFor = null;
    this.isOnline = true;
    this.asking = null; // what stops the poll under way
    this.failed = null; // the change that got no answer: asked for again, it is the same one
    this.asked = new Set(); // the ids of all changes that this page asked for
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.wake();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.wake();
    });
    window.addEventListener("online", () => this.wake());
    // An open stream does not notice that the network is gone.
    window.addEventListener("offline", () => {
      this.last = 0;
      this.poll();
    });
    navigator.connection?.addEventListener("change", () => this.wake()); // from one Wi-Fi to another, on Android
    document.addEventListener("pointerdown", () => {
      if (Date.now() - Math.max(this.last, this.answered) > TOUCH_MS) this.poll();
    });
    this.leaveRoom();
    this.listen();
    this.watchOn();
  }

  listen() {
    if (this.source) this.source.close();
    const source = (this.source = new EventSource(`${this.base}/events`));
    this.last = Date.now();
    source.addEventListener("open", () => {
      this.opened = performance.now();
    });
    source.addEventListener("state", (event) => {
      this.last = Date.now();
      this.refused = false;
      this.take(JSON.parse(event.data));
      this.reached(true);
    });
    source.addEventListener("here", () => {
      this.last = Date.now();
    });
    source.addEventListener("wait", (event) => {
      source.close();
      this.last = 0;
      if (!this.refused) this.slow = 0;
      this.refused = true;
      this.listenFrom = performance.now() + Number(event.data) * 1000;
    });
    source.addEventListener("error", () => {
      this.last = 0;
      const now = performance.now();
      if (now - this.opened > STEADY_MS) this.broken = 0;
      this.opened = Infinity;
      this.listenFrom = now + growing(BROKEN_MS, 2, this.broken, LONGEST_BROKEN_MS);
      if (this.broken) source.close(); // the browser comes back by itself once, and not again and again
      this.broken += 1;
    });
    this.fellows?.postMessage(this.tab);
  }

  /** Ends the stream of a tab that nobody sees, once others of this browser want one; `wake` asks for it again. */
  leaveRoom() {
    if (!("BroadcastChannel" in window)) return;
    const others = new Set(); // that began to listen since nobody sees this one
    this.tab = randomId();
    this.fellows = new BroadcastChannel("streams");
    document.addEventListener("visibilitychange", () => others.clear());
    this.fellows.addEventListener("message", ({ data }) => {
      if (!document.hidden) return;
      others.add(data);
      if (others.size >= FELLOWS) this.source?.close();
    });
  }

  /** After sleep or a lost network: look at once, and listen anew. */
  wake() {
    if (this.asking) this.asking.abort(); // it may wait for an answer that was lost on the way
    this.asking = null;
    this.lost = 0;
    this.poll();
    this.listen();
  }

  watchOn() {
    setTimeout(
      () => {
        this.watch();
        this.watchOn();
      },
      this.isOnline ? POLL_MS : growing(LOST_POLL_MS, 1.1, this.lost, LONGEST_LOST_POLL_MS),
    );
  }

  /** Notes whether the server answered; coming back, it listens anew. */
  reached(online) {
    const back = online && !this.isOnline;
    this.isOnline = online;
    this.online(online);
    if (back && (!this.source || this.source.readyState !== EventSource.OPEN)) this.listen();
  }

  /** Whenever the stream is not to be trusted, asks instead. */
  watch() {
    if (document.hidden) return;
    const streaming = this.source && this.source.readyState === EventSource.OPEN;
    // Not `performance.now()`, which stands still while a laptop sleeps; a clock that was set back counts as silence.
    const silent = Math.abs(Date.now() - this.last);
    // Out of range, a stream that was merely held up may speak again before a question was answered: it goes on asking.
    if (streaming && this.isOnline && silent < QUIET_MS) return;
    const now = performance.now();
    if (!this.refused || !this.isOnline || now >= this.askFrom) this.poll();
    const ended = !this.source || this.source.readyState === EventSource.CLOSED || silent > 2 * QUIET_MS;
    if (ended && now >= this.listenFrom) this.listen();
  }

  async poll() {
    if (this.asking) return;
    const stop = new AbortController();
    this.asking = stop;
    try {
      const address = `${this.base}/state?stamp=${encodeURIComponent(this.state.stamp)}`;
      const state = await ask(address, {}, this.isOnline ? POLL_TIMEOUT_MS : LOST_TIMEOUT_MS, stop);
      if (state) this.take(state);
      this.answered = Date.now();
      this.slow = state ? 0 : this.slow + 1;
      this.askFrom = performance.now() + growing(SLOW_POLL_MS, 1.5, this.slow, SLOWEST_POLL_MS);
      this.lost = 0;
      this.reached(true);
    } catch (error) {
      this.lost += 1;
      if (this.asking === stop) this.reached(error instanceof RefusedError);
    } finally {
      if (this.asking === stop) this.asking = null;
    }
  }

  /** Takes a state if it is newer than the one here. */
  take(state) {
    const [, tick, boot] = state.stamp.split(".");
    const [, ownTick, ownBoot] = this.state.stamp.split(".");
    if (boot === ownBoot && Number(tick) <= Number(ownTick)) return;
    this.state = state;
    this.heard(state);
  }

  /** Sends until the server has answered: what a person did while the phone was out of range is not lost. */
  async insist(send) {
    const until = Date.now() + INSIST_MS;
    for (let tried = 1; ; tried += 1) {
      try {
        this.take(await send(tried === 1 ? TIMEOUT_MS : RETRY_TIMEOUT_MS));
        this.reached(true);
        return;
      } catch (error) {
        const busy = error instanceof RefusedError && error.reason === "busy";
        if (error instanceof RefusedError && !busy) throw error;
        if (!busy) this.reached(false);
        if (Date.now() > until) throw error;
        if (tried === 1 && !busy) this.waiting();
        await pause(growing(AGAIN_MS, 1.5, tried - 1, LONGEST_AGAIN_MS));
      }
    }
  }

  /**
   * Asks for a change of what the person saw, which was the state of this `version`. It carries one id, so that it
   * counts once however often it is sent or tapped.
   */
  async change(path, version, body) {
    const same = JSON.stringify([path, version, body]);
    const request = this.failed && this.failed.same === same ? this.failed.request : randomId();
    const wanted = { version, request, ...body };
    this.asked.add(request).add(`with-${request}`); // the line of what comes with it: a keep, or a set-aside
    if (this.playsFor !== null && path === "actions") wanted.plays_for = this.playsFor;
    const options = posted(wanted);
    this.failed = { same, request };
    try {
      await this.insist((timeout) => ask(`${this.base}/${path}`, options, timeout));
      this.failed = null;
    } catch (error) {
      if (error instanceof RefusedError) {
        this.failed = null;
        if (error.status === 409) await this.poll();
      }
      throw error;
    }
  }

  /**
   * `evidence`: of a throw that was read from a photo; `keep`, `setAside`: the dice kept or set aside for it, told
   * with it.
   * @param {number} version
   * @param {Action} action
   * @param {With} more
   */
  act(version, action, { evidence, keep, setAside } = {}) {
    const forced = action.do === "throw" ? { forced: true } : {}; // what it leaves no choice about is done with it
    const told = {
      ...(evidence ? { evidence } : {}),
      ...(keep ? { keep } : {}),
      ...(setAside ? { set_aside: setAside } : {}),
    };
    return this.change("actions", version, { action, ...forced, ...told });
  }

  /** Has the table be otherwise by what is no step of the game. */
  async set(path, options) {
    this.take(await ask(`${this.base}/${path}`, options));
  }

  /** Tells the watching camera something: "watch", "watch/again", "watch/hold". */
  tellCamera(path, body) {
    return this.set(path, posted(body));
  }

  /** Does what the watching camera concluded: the way of this number. */
  choose(version, id, way) {
    return this.change("watch/choose", version, { id, way });
  }

  previewUndo() {
    return ask(`${this.base}/undo/preview`);
  }

  undo(version) {
    return this.change("undo", version, {});
  }

  /**
   * Sends a photo of the throw that is due at this version. It carries one id, so that the server takes it once.
   * @param {number} version
   * @param {import("../camera/sending.js").OutgoingPhoto} photo
   * @param {number[] | null} keep
   */
  /** `onStand`: this phone watches, and nobody took it. */
  upload(version, photo, keep, onStand = false) {
    const request = randomId();
    const post = (blob) => {
      const form = new FormData();
      form.append("photo", blob, "photo");
      form.append("version", String(version));
      form.append("request", request);
      if (keep) form.append("keep", JSON.stringify(keep));
      if (onStand) form.append("stand", "1");
      return new Upload(`${this.base}/photos`, form, blob.size);
    };
    return this.insist(() => photo.send(post));
  }

  look(version, keep) {
    const options = posted(keep ? { version, keep } : { version });
    return this.insist((timeout) => ask(`${this.base}/look`, options, timeout));
  }

  discard(reading) {
    const bound = this.playsFor === null ? "" : `?plays_for=${this.playsFor}`;
    return this.set(`readings/${encodeURIComponent(reading)}${bound}`, { method: "DELETE" });
  }

  forgetDice() {
    return this.set("lessons", { method: "DELETE" });
  }

  /** The chances of each choice and what it costs; `player`: for whom of those who act, null for the first. */
  advice(player) {
    return ask(`${this.base}/advice${player === null ? "" : `?player=${player}`}`);
  }

  /** How much the table advises, on all its phones: "off", "odds", "best". */
  setAdvice(advice) {
    return this.set("advice", posted({ advice }));
  }

  /** What the people call the dice of this table; "" for no name. */
  nameDice(name) {
    return this.set("dice", posted({ name }));
  }

  /** The phones that have been at this table, for its owner. */
  phones() {
    return ask(`${this.base}/phones`);
  }

  /** Removes a phone from the table ("others": all but this one), or lets it in again. */
  setPhoneRemoved(phone, out) {
    return this.set("phones", posted({ phone, out }));
  }

  /** Whether nothing more may be done at this table. */
  setClosed(closed) {
    return this.set("closed", posted({ closed }));
  }

  history() {
    return ask(`${this.base}/history`);
  }

  /** What would stand once a throw is told, with the dice kept for it; null where nothing is to be chosen then. */
  async previewThrow(dice, keep) {
    const { would } = await ask(`${this.base}/would`, posted({ dice, ...(keep ? { keep } : {}) }));
    return would;
  }

  previewCorrection(step, action, said) {
    return ask(`${this.base}/corrections/preview`, posted({ step, action, said }));
  }

  correct(version, step, action, said) {
    return this.change("corrections", version, { step, action, said });
  }
}

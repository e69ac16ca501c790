// Talks with the server: hears the table's state as it changes, and asks for changes so that each counts once.

import { apiOf } from "./address.js";
import { noServer } from "./text.js";
import { fromJson } from "./json.js";

const POLL_MS = 1500;
// Without a connection. The sheet must be right within a second of coming back. After a longer absence the phone asks
// more seldom: all phones of a club together could keep a weak server from coming back.
const LOST_POLL_MS = 500;
const LONGEST_LOST_POLL_MS = 3000;
// While the server has no place for the stream: the first pause between two polls, and the longest.
const SLOW_POLL_MS = 5000;
const SLOWEST_POLL_MS = 15000;
const RECONNECT_MS = 1000; // until a stream that broke off is asked for again; then twice as long each time
const LONGEST_RECONNECT_MS = 15000;
const STEADY_MS = 10000; // a stream that was open for so long did not break off at once
const QUIET_MS = 20000; // the server says something at least every 15 seconds
const TOUCH_MS = 5000; // after so long a silence a touch polls, so that the person sees the sheet as it is
const RESEND_FOR_MS = 30000; // how long a change without an answer is sent again
const RESEND_MS = 400; // the first pause; half as long again each time
const LONGEST_RESEND_MS = 3000;
// A browser opens six connections to one server: hidden tabs leave some to the others.
const MOST_OTHER_TABS = 3;
const TIMEOUT_MS = 5000;
const RETRY_TIMEOUT_MS = 3000;
export const UPLOAD_TIMEOUT_MS = 60000;
export const FRAME_TIMEOUT_MS = 10000;
const POLL_TIMEOUT_MS = 4000;
const LOST_TIMEOUT_MS = 1500;

// This phone may not come to the table any more: its page, loaded again, says so and nothing else.
const REMOVED_REASONS = ["phone-removed", "invitation-needed", "table-deleted"];

/** The picture of the photo under review. @param {string} base @param {string} id */
export const photoAddress = (base, id) => `${apiOf(base)}/photos/${id}`;

/** What the server refused: problem details (RFC 9457) with a reason and its parameters. */
export class RefusedError extends Error {
  /** @param {{detail?: string, reason: string, params: Record<string, any>}} problem @param {number} status */
  constructor({ detail, reason, params }, status) {
    super(detail);
    this.reason = reason;
    this.params = params;
    this.status = status;
  }
}

/** What a person is told when a request failed: why the server refused it, or that nothing answered.
 * @param {unknown} error */
export const failureText = (error) => (error instanceof RefusedError ? error.message : noServer());

/**
 * The part of a page of our own server that may be shown within another page. Raises if there is none. `againS`: after
 * how many seconds to ask again for one that is still worked out, 0 if it is whole.
 * @param {string} address
 */
export async function fetchPart(address) {
  const response = await fetch(`${address}?part=1`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return { text: await response.text(), againS: Number(response.headers.get("Refresh") ?? 0) };
}

export const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The pause before the next try, in milliseconds: `first * factor ** times`, at most `longest`, a quarter more or less:
 * many phones that lost the server at once come back one by one.
 * @param {number} first @param {number} factor @param {number} times @param {number} longest
 */
export const backoff = (first, factor, times, longest) =>
  Math.min(first * factor ** times, longest) * (0.75 + 0.5 * Math.random());

/** Waits so many milliseconds, or until the phone says that it is back in a network. @param {number} ms */
const waitOrOnline = (ms) =>
  new Promise((/** @type {(_?: unknown) => void} */ done) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener("online", over);
      done();
    };
    const timer = setTimeout(over, ms);
    window.addEventListener("online", over);
  });

/** The options with which `fetch` posts a document. @param {object} body */
export const postOptions = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** @param {Blob | null} body */
export const jpegOptions = (body) => ({ method: "POST", headers: { "Content-Type": "image/jpeg" }, body });

/** The body of an answer; raises `RefusedError` if the server refused. @param {number} status @param {any} body */
export function acceptedBody(status, body) {
  if (status >= 200 && status < 300) return body;
  if (REMOVED_REASONS.includes(body.reason)) location.reload();
  throw new RefusedError(body, status);
}

/** @param {string} address @param {RequestInit} [options] @param {number} [timeout] @param {AbortController} [stop] */
export async function fetchJson(address, options = {}, timeout = TIMEOUT_MS, stop = new AbortController()) {
  const timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await fetch(address, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      signal: stop.signal,
    });
    if (response.status === 204) return null;
    return acceptedBody(response.status, fromJson(await response.text()));
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a state of the stamp "version.tick.boot" is newer than one of the stamp `own`: any of another boot is.
 * @param {string} stamp @param {string} own */
export function isNewer(stamp, own) {
  const [, tick, boot] = stamp.split(".");
  const [, ownTick, ownBoot] = own.split(".");
  return boot !== ownBoot || Number(tick) > Number(ownTick);
}

/**
 * One table on the server. `onState(state)` is called with every newer state, `onConnection()` when the connection was
 * lost or is back, `onWaiting()` when something that a person did has to wait for it.
 */
export class TableClient {
  /**
   * @param {string} base @param {View} state @param {(state: View) => void} onState @param {() => void} onConnection
   * @param {() => void} [onWaiting]
   */
  constructor(base, state, onState, onConnection, onWaiting = () => {}) {
    this.api = apiOf(base);
    this.state = state;
    this.onState = onState;
    this.onConnection = onConnection;
    this.onWaiting = onWaiting;
    this.source = null;
    this.lastHeard = 0;
    this.lastAnswer = 0; // when the server last answered what this phone asked
    this.breaks = 0; // how often the stream broke off in a row
    // By the clock of `performance`: when the stream was opened, when it may be opened again, when to poll again.
    this.openedAt = Infinity;
    this.listenFrom = 0;
    this.askFrom = 0;
    this.streamRefused = false; // the server has no place for the stream
    this.emptyPolls = 0; // polls in a row that brought nothing new
    this.failedPolls = 0; // polls in a row without an answer
    /** @type {number | null} */
    this.playsFor = null;
    this.isOnline = true;
    this.polling = null; // stops the poll under way
    /** @type {{ same: string, request: string } | null} */
    this.unanswered = null; // the change that got no answer: asked for again, it keeps its id
    this.requests = new Set(); // the ids of all changes that this page asked for
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.wake();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.wake();
    });
    window.addEventListener("online", () => this.wake());
    // An open stream does not notice that the network is gone.
    window.addEventListener("offline", () => {
      this.lastHeard = 0;
      this.poll();
    });
    navigator.connection?.addEventListener("change", () => this.wake()); // from one Wi-Fi to another, on Android
    document.addEventListener("pointerdown", () => {
      if (Date.now() - Math.max(this.lastHeard, this.lastAnswer) > TOUCH_MS) this.poll();
    });
    this.shareStreams();
    this.listen();
    this.scheduleCheck();
  }

  listen() {
    this.source?.close();
    const source = (this.source = new EventSource(`${this.api}/states`));
    this.lastHeard = Date.now();
    source.addEventListener("open", () => {
      this.openedAt = performance.now();
    });
    source.addEventListener("state", (event) => {
      this.lastHeard = Date.now();
      this.streamRefused = false;
      this.takeState(fromJson(event.data));
      this.noteConnection(true);
    });
    source.addEventListener("here", () => {
      this.lastHeard = Date.now();
    });
    source.addEventListener("gone", () => location.reload());
    source.addEventListener("wait", (event) => {
      source.close();
      this.lastHeard = 0;
      if (!this.streamRefused) this.emptyPolls = 0;
      this.streamRefused = true;
      this.listenFrom = performance.now() + Number(event.data) * 1000;
    });
    source.addEventListener("error", () => {
      this.lastHeard = 0;
      const now = performance.now();
      if (now - this.openedAt > STEADY_MS) this.breaks = 0;
      this.openedAt = Infinity;
      this.listenFrom = now + backoff(RECONNECT_MS, 2, this.breaks, LONGEST_RECONNECT_MS);
      if (this.breaks) source.close(); // the browser may come back by itself once only
      this.breaks += 1;
    });
    this.otherTabs?.postMessage(this.tab);
  }

  /** Ends the stream of a hidden tab once other tabs of this browser want one; `wake` opens it again. */
  shareStreams() {
    if (!("BroadcastChannel" in window)) return;
    const others = new Set(); // tabs that began to listen since this one is hidden
    this.tab = randomId();
    this.otherTabs = new BroadcastChannel("streams");
    document.addEventListener("visibilitychange", () => others.clear());
    this.otherTabs.addEventListener("message", ({ data }) => {
      if (!document.hidden) return;
      others.add(data);
      if (others.size >= MOST_OTHER_TABS) this.source?.close();
    });
  }

  /** After sleep or a lost network: asks at once, and listens anew. */
  wake() {
    this.polling?.abort(); // it may wait for an answer that was lost on the way
    this.polling = null;
    this.failedPolls = 0;
    this.poll();
    this.listen();
  }

  scheduleCheck() {
    setTimeout(
      () => {
        this.checkStream();
        this.scheduleCheck();
      },
      this.isOnline ? POLL_MS : backoff(LOST_POLL_MS, 1.1, this.failedPolls, LONGEST_LOST_POLL_MS),
    );
  }

  /** Notes whether the server answered; once it answers again, listens anew. @param {boolean} online */
  noteConnection(online) {
    if (online === this.isOnline) return;
    this.isOnline = online;
    this.onConnection();
    if (online && (!this.source || this.source.readyState !== EventSource.OPEN)) this.listen();
  }

  /** Asks for the state where the stream cannot be trusted. */
  checkStream() {
    if (document.hidden) return;
    const streaming = this.source && this.source.readyState === EventSource.OPEN;
    // `performance.now()` stands still while a laptop sleeps. A clock that was set back counts as silence.
    const silent = Math.abs(Date.now() - this.lastHeard);
    // Out of range, a stream that was held up may speak again before a question was answered: it goes on asking.
    if (streaming && this.isOnline && silent < QUIET_MS) return;
    const now = performance.now();
    if (!this.streamRefused || !this.isOnline || now >= this.askFrom) this.poll();
    const ended = !this.source || this.source.readyState === EventSource.CLOSED || silent > 2 * QUIET_MS;
    if (ended && now >= this.listenFrom) this.listen();
  }

  async poll() {
    if (this.polling) return;
    const stop = new AbortController();
    this.polling = stop;
    try {
      const address = `${this.api}?stamp=${encodeURIComponent(this.state.stamp)}`;
      const state = await fetchJson(address, {}, this.isOnline ? POLL_TIMEOUT_MS : LOST_TIMEOUT_MS, stop);
      if (state) this.takeState(state);
      this.lastAnswer = Date.now();
      this.emptyPolls = state ? 0 : this.emptyPolls + 1;
      this.askFrom = performance.now() + backoff(SLOW_POLL_MS, 1.5, this.emptyPolls, SLOWEST_POLL_MS);
      this.failedPolls = 0;
      this.noteConnection(true);
    } catch (error) {
      this.failedPolls += 1;
      if (this.polling === stop) this.noteConnection(error instanceof RefusedError);
    } finally {
      if (this.polling === stop) this.polling = null;
    }
  }

  /** Takes a state if it is newer than the one here. @param {View} state */
  takeState(state) {
    if (!isNewer(state.stamp, this.state.stamp)) return;
    this.state = state;
    this.onState(state);
  }

  /**
   * Sends until the server has answered, for half a minute: what a person did out of range is not lost.
   * @param {(timeout: number) => Promise<View>} send @param {() => boolean} isStopped  whether nobody wants it any more
   */
  async sendUntilAnswered(send, isStopped = () => false) {
    const until = Date.now() + RESEND_FOR_MS;
    for (let tried = 1; ; tried += 1) {
      try {
        this.takeState(await send(tried === 1 ? TIMEOUT_MS : RETRY_TIMEOUT_MS));
        this.noteConnection(true);
        return;
      } catch (error) {
        if (isStopped()) throw error;
        const busy = error instanceof RefusedError && error.reason === "busy";
        if (error instanceof RefusedError && !busy) throw error;
        if (!busy) this.noteConnection(false);
        if (Date.now() > until) throw error;
        if (tried === 1 && !busy) this.onWaiting();
        await waitOrOnline(backoff(RESEND_MS, 1.5, tried - 1, LONGEST_RESEND_MS));
      }
    }
  }

  /**
   * Asks for a change of the state of this `version`, which the person saw. The change carries one id: it counts once,
   * however often it is sent or tapped.
   * @param {string} path @param {number} version @param {object} body
   */
  async change(path, version, body) {
    const same = JSON.stringify([path, version, body]);
    const request = this.unanswered && this.unanswered.same === same ? this.unanswered.request : randomId();
    /** @type {Values} */
    const wanted = { version, request, ...body };
    this.requests.add(request).add(`with-${request}`); // the latter is of a keep, or a set-aside, that comes with it
    if (this.playsFor !== null && path === "actions") wanted.plays_for = this.playsFor;
    const options = postOptions(wanted);
    this.unanswered = { same, request };
    try {
      await this.sendUntilAnswered((timeout) => fetchJson(`${this.api}/${path}`, options, timeout));
      this.unanswered = null;
    } catch (error) {
      if (error instanceof RefusedError) {
        this.unanswered = null;
        if (error.status === 409) await this.poll();
      }
      throw error;
    }
  }

  /**
   * Does an action. `evidence`: of a throw that was read from a photo; `keep`, `setAside`: the dice kept or set aside
   * for it; `then`: the actions that follow it in the same request.
   * @param {number} version @param {Action} action @param {ActionDetails} details
   */
  act(version, action, { evidence, keep, setAside, then } = {}) {
    const forced = action.do === "throw" ? { forced: true } : {}; // an only choice is done with its throw
    return this.change("actions", version, { action, ...forced, evidence, keep, set_aside: setAside, then });
  }

  /** @param {string} path */
  get(path) {
    return fetchJson(`${this.api}/${path}`);
  }

  /** Sends a document that changes the table, and returns what the server tells.
   * @param {string} path @param {Command} body */
  post(path, body) {
    return fetchJson(`${this.api}/${path}`, postOptions(body));
  }

  /** Changes the table by a command that is no step of the game. @param {string} path @param {Command} body */
  async command(path, body) {
    this.takeState(await this.post(path, body));
  }

  /** @param {string} path */
  async remove(path) {
    this.takeState(await fetchJson(`${this.api}/${path}`, { method: "DELETE" }));
  }

  /** @param {number} version @param {number[] | null} keep */
  look(version, keep) {
    const options = postOptions({ version, keep });
    return this.sendUntilAnswered((timeout) => fetchJson(`${this.api}/look`, options, timeout));
  }

  /** @param {string} reading */
  discard(reading) {
    const bound = this.playsFor === null ? "" : `?plays_for=${this.playsFor}`;
    return this.remove(`photos/${encodeURIComponent(reading)}${bound}`);
  }

  /** A page of the steps: the newest, or the one that `after` names. */
  history(after = "") {
    return this.get(`history?limit=60${after && `&after=${after}`}`);
  }
}

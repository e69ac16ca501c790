// Talking with the server: the table's state as it changes, and asking for changes so that each counts once.

const POLL_MS = 1500;
const QUIET_MS = 20000; // the server says something at least every 15 seconds
const TRIES = 4;
const TIMEOUT_MS = 12000;

/** What the server refused: {reason, params, message}. */
export class Refused extends Error {
  constructor(error, status) {
    super(error.message);
    this.reason = error.reason;
    this.params = error.params;
    this.status = status;
  }
}

const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function ask(address, options = {}, timeout = TIMEOUT_MS) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await fetch(address, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      signal: stop.signal,
    });
    if (response.status === 204) return null;
    const body = await response.json();
    if (!response.ok) throw new Refused(body.error, response.status);
    return body;
  } finally {
    clearTimeout(timer);
  }
}

/** One table on the server. `heard(state)` is called with every newer state, `online(bool)` when the connection changes. */
export class Table {
  constructor(base, state, heard, online) {
    this.base = base;
    this.state = state;
    this.heard = heard;
    this.online = online;
    this.source = null;
    this.last = 0;
    this.playsFor = null;
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.wake(); });
    window.addEventListener("pageshow", (event) => { if (event.persisted) this.wake(); });
    window.addEventListener("online", () => this.wake());
    this.listen();
    setInterval(() => this.watch(), POLL_MS);
  }

  listen() {
    if (this.source) this.source.close();
    this.source = new EventSource(`${this.base}/events`);
    this.last = Date.now();
    this.source.addEventListener("state", (event) => {
      this.last = Date.now();
      this.take(JSON.parse(event.data));
      this.online(true);
    });
    this.source.addEventListener("here", () => { this.last = Date.now(); });
    this.source.addEventListener("error", () => { this.last = 0; });
  }

  /** After sleep or a lost network: look at once, and listen anew. */
  wake() {
    this.poll();
    this.listen();
  }

  /** Whenever the stream is not to be trusted, asks instead. */
  watch() {
    if (document.hidden) return;
    const streaming = this.source && this.source.readyState === EventSource.OPEN;
    if (streaming && Date.now() - this.last < QUIET_MS) return;
    this.poll();
    if (!this.source || this.source.readyState === EventSource.CLOSED || Date.now() - this.last > 2 * QUIET_MS) this.listen();
  }

  async poll() {
    try {
      const state = await ask(`${this.base}/state?stamp=${encodeURIComponent(this.state.stamp)}`);
      if (state) this.take(state);
      this.online(true);
    } catch (error) {
      this.online(error instanceof Refused);
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

  /** Sends a change until the server has answered; it carries one id, so that it counts once however often it is sent. */
  async change(path, body) {
    const wanted = { version: this.state.version, request: randomId(), ...body };
    if (this.playsFor !== null && path === "actions") wanted.plays_for = this.playsFor;
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) };
    for (let tried = 1; ; tried += 1) {
      try {
        this.take(await ask(`${this.base}/${path}`, options));
        this.online(true);
        return;
      } catch (error) {
        if (error instanceof Refused) {
          if (error.status === 409) await this.poll();
          throw error;
        }
        this.online(false);
        if (tried === TRIES) throw error;
        await pause(400 * tried);
      }
    }
  }

  act(action, evidence) { return this.change("actions", evidence ? { action, evidence } : { action }); }

  undo() { return this.change("undo", {}); }

  async upload(file) {
    const form = new FormData();
    form.append("photo", file, "photo");
    form.append("version", String(this.state.version));
    this.take(await ask(`${this.base}/photos`, { method: "POST", body: form }, 60000));
  }

  async look() {
    const body = JSON.stringify({ version: this.state.version });
    this.take(await ask(`${this.base}/look`, { method: "POST", headers: { "Content-Type": "application/json" }, body }));
  }

  async discard(reading) {
    this.take(await ask(`${this.base}/readings/${encodeURIComponent(reading)}`, { method: "DELETE" }));
  }

  history() { return ask(`${this.base}/history`); }

  preview(step, action) {
    const body = JSON.stringify({ step, action });
    return ask(`${this.base}/corrections/preview`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  }

  correct(step, action, dropTail) { return this.change("corrections", { step, action, drop_tail: dropTail }); }
}

// The little of a browser that talking with the server needs: page events, a stream, and answers to be given by hand.

/** Puts `window`, `document` and the rest in place; returns what a test acts with. */
export function startBrowser() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const streams = [];
  const asked = [];
  class Stream extends EventTarget {
    static OPEN = 1;
    static CLOSED = 2;

    constructor(address) {
      super();
      this.address = address;
      this.readyState = Stream.OPEN;
      streams.push(this);
    }

    close() {
      this.readyState = Stream.CLOSED;
    }

    /** An event from the server. */
    say(name, data) {
      this.dispatchEvent(Object.assign(new Event(name), { data }));
    }
  }
  Object.assign(globalThis, {
    window: new EventTarget(),
    document: page,
    EventSource: Stream,
    location: {
      reloads: 0,
      reload() {
        this.reloads += 1;
      },
    },
  });
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages: [] } });
  globalThis.fetch = (address, options = {}) =>
    new Promise((answer, fail) => {
      const say = (status, body, headers = {}) =>
        answer({
          status,
          ok: status < 300,
          headers: new Headers(headers),
          text: async () => (typeof body === "string" ? body : JSON.stringify(body)),
        });
      options.signal?.addEventListener("abort", () => fail(options.signal.reason));
      asked.push({
        address,
        method: options.method ?? "GET",
        body: options.body && JSON.parse(options.body),
        answer: say,
        refuse: (reason, status = 409) => say(status, { reason, params: {}, detail: `${reason}!` }),
        fail: () => fail(new TypeError("no network")),
      });
    });
  return { page, streams, asked };
}

/** Lets everything that is already settled go on. */
export async function settle() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

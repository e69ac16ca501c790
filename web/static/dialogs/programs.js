// Programs at the table: lights, overlays, logs. Each gets a token, which is shown once and can be taken back.

import { at } from "../shared/address.js";
import { button } from "../shared/buttons.js";
import { field, html } from "../shared/dom.js";
import { radio, textField } from "../shared/fields.js";
import { failureText } from "../shared/net.js";
import { t, timeOfDay, tn } from "../shared/text.js";
import { panelHead } from "./panel.js";

const TOLD = "told"; // at an address of its own
const EXAMPLE = "http://192.168.1.20:8123/";

/** @type {() => Record<string, string>} */
const rights = () => ({
  read: t("It may only read"),
  act: t("It may act as well"),
  show: t("A link that only shows the table, for a stream"),
});

/** @param {Page} ctx */
async function openPrograms(ctx) {
  try {
    const asked = Promise.all([ctx.table().get("programs"), ctx.table().get("webhooks")]);
    const found = await ctx.panel.unlessLeft(asked);
    if (found) ctx.panel.open(new ProgramList(ctx, found[0], found[1].items));
  } catch (error) {
    ctx.toast(failureText(error));
  }
}

/** The programs of the table, as the server told when the list was opened. */
class ProgramList {
  kind = "tall";

  /** @param {Page} ctx @param {ListedProgram[]} programs @param {ListedWebhook[]} webhooks */
  constructor(ctx, programs, webhooks) {
    this.ctx = ctx;
    this.programs = programs;
    this.webhooks = webhooks;
  }

  content() {
    return html`${panelHead(t("Connect a program"))}
      ${this.programs.length + this.webhooks.length
        ? html`<ul class="seats-now">
            ${this.programs.map(programLine)}${this.webhooks.map(webhookLine)}
          </ul>`
        : ""}
      <div class="fields">
        ${textField(t("Name of the program, as it stands in the list of steps"), { id: "program-name", maxlength: 40 })}
        <fieldset class="field">
          <legend>${t("What it may do")}</legend>
          ${Object.entries({ ...rights(), [TOLD]: t("It is told what happens, at its address") }).map(([may, words]) =>
            radio(words, "program-may", may, may === "read"),
          )}
        </fieldset>
        ${textField(
          t("Its address, in the same network"),
          { id: "program-address", inputmode: "url", maxlength: 300, placeholder: EXAMPLE },
          { kind: "field told-address" },
        )}
        ${button("button primary wide", "program-connect", t("Connect"))}
      </div>
      <p class="hint"><a class="quiet" href="${at("/api")}">${t("What programs can do (in English)")}</a></p>`;
  }

  /** @type {Handlers} */
  handlers = {
    "program-connect": async () => {
      const { ctx } = this;
      const name = field("program-name").value.trim();
      if (!name) return ctx.toast(t("Give the program a name."));
      /** @type {HTMLInputElement} */
      const { value: may } = ctx.panel.place.querySelector('[name="program-may"]:checked');
      const address = field("program-address").value.trim();
      return ctx.attempt(async () => {
        if (may === TOLD) {
          const { secret } = await ctx.table().post("webhooks", { name, address });
          const say = t("Give this secret to the program, so that it knows who tells it:");
          openSecret(ctx, name, secret, html`<p>${say}</p>`);
        } else openToken(ctx, name, may, await ctx.table().post("programs", /** @type {NewProgram} */ ({ name, may })));
      });
    },
    "webhook-out": (webhook) => this.change(() => this.ctx.table().command("webhooks/removed", { webhook })),
    "program-out": (program) => this.change(() => this.ctx.table().command("programs/removed", { program })),
  };

  /** Changes one, and then shows all anew. @param {() => Promise<unknown>} what */
  async change(what) {
    if (await this.ctx.panel.unlessLeft(this.ctx.attempt(what))) await openPrograms(this.ctx);
  }
}

/** @param {string} at */
const since = (at) => t("here since {time}", { time: timeOfDay(at) });

/** @param {ListedProgram} listed */
const programLine = ({ program, name, may, at }) =>
  connectionLine(`program-${program}`, name, html`${rights()[may]} · ${since(at)}`, "program-out", program);

/**
 * What is connected to the table, and the button that ends it.
 * @param {string} key @param {string} name @param {Content} about @param {string} act @param {string} id
 * @param {Content} where
 */
const connectionLine = (key, name, about, act, id, where = "") =>
  html`<li data-key="${key}">
    <span class="who"><span class="name">${name}</span>${where}<span class="soft small-line">${about}</span></span>
    <span class="changes"
      >${button("button", act, t("Disconnect"), { arg: id, label: t("Disconnect {name}", { name }) })}</span
    >
  </li>`;

/** @type {() => Record<string, string>} */
const failures = () => ({
  "no-answer": t("It did not answer."),
  "unknown-host": t("Nobody knows this address."),
  "not-allowed": t("This address is not in the same network."),
  certificate: t("Its certificate is not trusted."),
});

/** How it went to tell a program, "" if it went well. @param {ListedWebhook} webhook */
function webhookStatus({ failure, missed }) {
  const why = failure && (failures()[failure] ?? t("It answered {status}.", { status: failure }));
  const lost = missed ? tn("It missed {count} event.", "It missed {count} events.", missed) : "";
  return `${why} ${lost}`.trim();
}

/** @param {ListedWebhook} hook */
const webhookLine = (hook) =>
  connectionLine(
    `webhook-${hook.webhook}`,
    hook.name,
    webhookStatus(hook) || since(hook.at),
    "webhook-out",
    hook.webhook,
    html`<span class="soft small-line told-where">${hook.address}</span>`,
  );

/** Shows a new token, this once. @param {Page} ctx @param {string} name @param {string} may @param {NewToken} made */
function openToken(ctx, name, may, { token, table }) {
  const { server } = ctx.setup;
  const shows = may === "show";
  const secret = shows ? `${server}o/${token}` : token;
  const address = `${server}api/v1/tables/${table}`;
  const say = shows ? t("Open this link where the stream is made:") : t("Give this token to the program:");
  const where = html`<p>${t("The table's address for it:")}</p>
    <p class="secret">${address}</p>`;
  openSecret(ctx, name, secret, html`<p>${say}</p>`, shows ? "" : where);
}

/** @param {Page} ctx @param {string} name @param {string} secret @param {Content} before @param {Content} after */
function openSecret(ctx, name, secret, before, after = "") {
  ctx.panel.open({
    kind: "tall",
    content: () =>
      html`${panelHead(name)} ${before}
        <p class="secret" id="secret">${secret}</p>
        ${after}
        <p class="hint">${t("It is shown this once. If it is lost, disconnect the program and connect it again.")}</p>
        ${navigator.clipboard && button("button primary wide", "secret-copy", t("Copy"))}`,
    handlers: {
      "secret-copy": () =>
        navigator.clipboard.writeText(secret).then(
          () => ctx.toast(t("Copied.")),
          () => {}, // the browser forbids it: the secret can be marked and copied
        ),
    },
  });
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({ programs: () => openPrograms(ctx) });

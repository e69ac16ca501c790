// What only the phone that started a table can do: close it, delete it, and remove phones.

import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { failureText } from "../shared/net.js";
import { phoneName, t, timeOfDay } from "../shared/text.js";
import { endingEntry, entry } from "./menu-entries.js";
import { panelHead } from "./panel.js";

/**
 * The entry for the table's phones, on the phone that started it.
 * @param {Page} ctx
 */
export const phonesEntry = ({ setup }) => (setup.owner ? entry("phone", "phones", t("Phones at this table")) : "");

/**
 * The entry that closes the table or opens it again, on the phone that started it.
 * @param {Page} ctx
 */
export function closingEntry({ setup, state }) {
  if (!setup.owner) return "";
  return state.closed
    ? entry("lock", "table-open", t("Open this table again"))
    : endingEntry("lock", "table-close", t("Close this table"));
}

/**
 * The entry that deletes the game, on a phone that may.
 * @param {Page} ctx
 */
export const deleteEntry = ({ setup }) =>
  setup.may_delete ? endingEntry("trash", "delete", t("Delete this game")) : "";

/** @param {Page} ctx */
const askDelete = (ctx) =>
  ctx.panel.ask(
    t("Delete this game"),
    html`<p>
      ${t("It goes from all phones, from statistics and from this server's disk. For one minute you can undo it.")}
    </p>`,
    { back: t("Leave it as it is"), on: t("Delete"), act: "delete-now", sign: "trash" },
  );

/** @param {Page} ctx */
async function openPhones(ctx) {
  let phones;
  try {
    phones = await ctx.table().get("phones");
  } catch (error) {
    ctx.toast(failureText(error));
    return;
  }
  ctx.panel.open(new PhoneList(ctx, phones));
}

/** The phones of the table, as the server told when the list was opened. */
class PhoneList {
  kind = "tall";

  /**
   * @param {Page} ctx
   * @param {ListedPhone[]} phones
   */
  constructor(ctx, phones) {
    this.ctx = ctx;
    this.phones = phones;
  }

  content() {
    const others = this.phones.filter((phone) => !phone.owner && !phone.out);
    return html`${panelHead(t("Phones at this table"))}
      <ul class="seats-now">
        ${this.phones.map(phoneLine)}
      </ul>
      <p class="hint">
        ${t("A removed phone sees nothing more of this table, and its link no longer opens.")}
        ${t("From then on new phones come by six new letters, which “Invite a phone” shows.")}
      </p>
      ${others.length > 1 &&
      html`<div class="row end">
        ${button("button", "phone-ask", t("Remove all other phones"), { arg: "others" })}
      </div>`}`;
  }

  handlers = {
    /** Asks before one phone is removed, or all others are. */
    "phone-ask": (phone) => {
      const found = this.phones.find((each) => each.phone === phone);
      const title = found ? t("Remove {name}", { name: phoneName(found.name) }) : t("Remove all other phones");
      this.ctx.panel.ask(title, html`<p>${t("What was played stays as it is.")}</p>`, {
        back: t("Leave it as it is"),
        on: found ? t("Remove") : title,
        act: "phone-out",
        argument: phone,
        from: this,
      });
    },
  };
}

const phoneLine = ({ phone, name, at, out, owner }) =>
  html`<li data-key="phone-${phone}">
    <span class="who"
      ><span class="name">${phoneName(name)}</span
      ><span class="soft small-line"
        >${owner ? t("this phone") : out ? t("removed") : t("here since {time}", { time: timeOfDay(at) })}</span
      ></span
    >
    ${!owner &&
    html`<span class="changes"
      >${button("button", out ? "phone-back" : "phone-ask", out ? t("Let in again") : t("Remove"), {
        arg: phone,
        label: out
          ? t("Let {name} in again", { name: phoneName(name) })
          : t("Remove {name}", { name: phoneName(name) }),
      })}</span
    >`}
  </li>`;

/** @param {Page} ctx */
const askClose = (ctx) =>
  ctx.panel.ask(
    t("Close this table"),
    html`<p>
      ${t("Nobody can do anything more here until you open it again. Everyone can still look at the sheet.")}
    </p>`,
    { back: t("Leave it as it is"), act: "table-close-now" },
  );

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => ({
  phones: () => openPhones(ctx),
  "phone-out": async (phone) => {
    if (await ctx.attempt(() => ctx.table().command("phones", { phone, out: true }))) await openPhones(ctx);
  },
  "phone-back": async (phone) => {
    if (await ctx.attempt(() => ctx.table().command("phones", { phone, out: false }))) await openPhones(ctx);
  },
  delete: () => askDelete(ctx),
  "delete-now": () => ctx.attempt(() => ctx.table().deleteTable()),
  "table-close": () => askClose(ctx),
  "table-close-now": async () => {
    if (await ctx.attempt(() => ctx.table().command("closed", { closed: true }))) ctx.panel.close();
  },
  "table-open": async () => {
    if (await ctx.attempt(() => ctx.table().command("closed", { closed: false }))) ctx.panel.close();
  },
});

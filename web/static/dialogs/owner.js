// What only the phone that started a table can do: close it, and remove phones.

import { html, json } from "../shared/dom.js";
import { failureText } from "../shared/net.js";
import { phoneName, t, timeOfDay } from "../shared/text.js";
import { panelHead } from "./panel.js";

/**
 * The owner's entries of the menu.
 * @param {Page} ctx
 */
export const menuEntries = ({ setup, state }) =>
  setup.owner
    ? html`<li><button type="button" data-act="phones">${t("Phones at this table")}</button></li>
        <li>
          ${state.closed
            ? html`<button type="button" data-act="table-open">${t("Open this table again")}</button>`
            : html`<button type="button" data-act="table-close">${t("Close this table")}</button>`}
        </li>`
    : "";

/** @param {Page} ctx */
async function openPhones(ctx) {
  let phones;
  try {
    phones = await ctx.table().phones();
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
      ${others.length > 1
        ? html`<div class="row end">
            <button type="button" class="button" data-act="phone-ask" data-arg="${json("others")}">
              ${t("Remove all other phones")}
            </button>
          </div>`
        : ""}`;
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
    ${owner
      ? ""
      : html`<span class="changes"
          ><button
            type="button"
            class="button"
            data-act="${out ? "phone-back" : "phone-ask"}"
            data-arg="${json(phone)}"
            aria-label="${out
              ? t("Let {name} in again", { name: phoneName(name) })
              : t("Remove {name}", { name: phoneName(name) })}"
          >
            ${out ? t("Let in again") : t("Remove")}
          </button></span
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
    if (await ctx.attempt(() => ctx.table().setPhoneRemoved(phone, true))) await openPhones(ctx);
  },
  "phone-back": async (phone) => {
    if (await ctx.attempt(() => ctx.table().setPhoneRemoved(phone, false))) await openPhones(ctx);
  },
  "table-close": () => askClose(ctx),
  "table-close-now": async () => {
    if (await ctx.attempt(() => ctx.table().setClosed(true))) ctx.panel.close();
  },
  "table-open": async () => {
    if (await ctx.attempt(() => ctx.table().setClosed(false))) ctx.panel.close();
  },
});

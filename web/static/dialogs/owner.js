// What only the phone that started a table can do: close it, delete it, and remove phones.

import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { failureText } from "../shared/net.js";
import { phoneName, t, timeOfDay } from "../shared/text.js";
import { panelHead } from "./panel.js";

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
  try {
    const phones = await ctx.panel.unlessLeft(ctx.table().get("phones"));
    if (phones) ctx.panel.open(new PhoneList(ctx, phones));
  } catch (error) {
    ctx.toast(failureText(error));
  }
}

/** The phones of the table, as the server told when the list was opened. */
class PhoneList {
  kind = "tall";

  /** @param {Page} ctx @param {ListedPhone[]} phones */
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

  /** @type {Handlers} */
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

/** @param {ListedPhone} listed */
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

/** Removes a phone or lets it in again, and shows all anew. @param {Page} ctx @param {RemovePhone} change */
async function letIn(ctx, change) {
  if (await ctx.panel.unlessLeft(ctx.command("phones", change))) await openPhones(ctx);
}

/** @param {Page} ctx */
const askClose = (ctx) =>
  ctx.panel.ask(
    t("Close this table"),
    html`<p>
      ${t("Nobody can do anything more here until you open it again. Everyone can still look at the sheet.")}
    </p>`,
    { back: t("Leave it as it is"), act: "table-close-now" },
  );

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  phones: () => openPhones(ctx),
  "phone-out": (phone) => letIn(ctx, { phone, out: true }),
  "phone-back": (phone) => letIn(ctx, { phone, out: false }),
  delete: () => askDelete(ctx),
  "delete-now": async () => {
    // The page then says so, and offers to undo it.
    if (await ctx.attempt(() => ctx.table().post("deleted", { deleted: true }))) location.reload();
  },
  "table-close": () => askClose(ctx),
  "table-close-now": () => ctx.panel.closeAfter(ctx.command("closed", { closed: true })),
  "table-open": () => ctx.panel.closeAfter(ctx.command("closed", { closed: false })),
});

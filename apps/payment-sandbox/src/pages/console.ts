import type { SandboxState } from "../state.ts";
import { dollars, escape, form, layout, when } from "./layout.ts";

/** The sandbox's own page: clock, subscriptions, events. */
export function consolePage(state: SandboxState, token: string): string {
  const { subscriptions, customers, products, events, sendTwice, holdEvents } = state.data;
  const action = (path: string, label: string, fields = ""): string =>
    form(path, token, `${fields}<button class="quiet">${label}</button>`);
  const release = (order: "oldest" | "newest", label: string): string =>
    action("/release", label, `<input type="hidden" name="order" value="${order}">`);
  const forward = (days: number): string =>
    action(
      "/clock",
      `${days === 1 ? "1 day" : `${days} days`} forward`,
      `<input type="hidden" name="days" value="${days}">`,
    );
  const subscriptionRows = Object.values(subscriptions).map((subscription) => {
    const item = subscription.items.data[0]!;
    return `<tr><td><code>${subscription.id}</code></td><td>${escape(customers[subscription.customer]?.email ?? "")}</td><td>${escape(products[item.price.product]?.name ?? "")} ${dollars(item.price.unit_amount)}</td><td>${subscription.status}${subscription.cancel_at_period_end ? ", ends then" : ""}${subscription.schedule ? ", change scheduled" : ""}</td><td>${when(item.current_period_end)}</td></tr>`;
  });
  const eventRows = Object.values(events)
    .toReversed()
    .slice(0, 100)
    .map(
      (event) =>
        `<tr><td>${when(event.created)}</td><td>${escape(event.type)}<br><code>${event.id}</code></td><td>${event.delivered ? "delivered" : "not yet accepted"} (${event.attempts})</td><td>${action(`/events/${event.id}/send`, "Send again")}</td></tr>`,
    );
  return layout(
    "Payment sandbox",
    `<h1>Payment sandbox</h1><p>Stands in for the card payment provider while no keys are set, and keeps the mails that a mail server would send.</p>
<div class="card"><h2>Clock</h2><p>${when(state.now())} UTC</p><p>Moving it ahead renews, ends and fails what is due. Trials and storage times of this installation follow it. It does not go back.</p><div class="row">${[1, 4, 10, 31].map(forward).join("")}</div>${deletions(state, token)}</div>
<div class="card"><h2>Webhooks</h2><div class="row">${action("/send-twice", sendTwice ? "Send each event once" : "Send each event twice")}${holdEvents ? release("oldest", "Deliver in order") + release("newest", "Deliver in reverse order") : action("/hold", "Hold events back")}</div></div>
<div class="card scroll"><h2>Subscriptions</h2>${table(["Subscription", "Customer", "Plan", "Status", "Period ends (UTC)"], subscriptionRows, "Nobody has a subscription yet.")}</div>
<div class="card scroll"><h2>Events</h2>${table(["Time (UTC)", "Event", "Delivery", ""], eventRows, "Nothing has happened yet.")}</div>`,
  );
}

/** Asks the operator to confirm before the shifted clock deletes anything. */
function deletions({ data }: SandboxState, token: string): string {
  if (data.deletesAheadMs >= data.clockAheadMs) return "";
  const content = `<label for="secret">Operator's secret</label><input id="secret" name="secret" type="password" autocomplete="off" required><button class="quiet">Delete projects past their storage period</button>`;
  return `<p>Projects past their storage period only on this clock are kept until you delete them here. The operator's secret is in the file operator-secret in the data folder.</p><div class="row">${form("/deletions", token, content)}</div>`;
}

function table(headings: string[], rows: string[], empty: string): string {
  if (rows.length === 0) return `<p>${empty}</p>`;
  return `<table><tr>${headings.map((heading) => `<th>${heading}</th>`).join("")}</tr>${rows.join("")}</table>`;
}

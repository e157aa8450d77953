import type { SandboxState } from "../state.ts";
import { dollars, escape, layout } from "./layout.ts";

function when(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 19);
}

/** The sandbox's own page: clock, subscriptions, events. */
export function consolePage(state: SandboxState): string {
  const { subscriptions, customers, products, events, sendTwice } = state.data;
  const forward = (days: number): string =>
    `<form method="post" action="/clock"><input type="hidden" name="days" value="${days}"><button class="quiet">${days === 1 ? "1 day" : `${days} days`} forward</button></form>`;
  const subscriptionRows = Object.values(subscriptions).map((subscription) => {
    const item = subscription.items.data[0]!;
    return `<tr><td><code>${subscription.id}</code></td><td>${escape(customers[subscription.customer]?.email ?? "")}</td><td>${escape(products[item.price.product]?.name ?? "")} ${dollars(item.price.unit_amount)}</td><td>${subscription.status}${subscription.cancel_at_period_end ? ", ends then" : ""}${subscription.schedule ? ", change scheduled" : ""}</td><td>${when(item.current_period_end)}</td></tr>`;
  });
  const eventRows = Object.values(events)
    .toReversed()
    .slice(0, 100)
    .map(
      (event) =>
        `<tr><td>${when(event.created)}</td><td>${escape(event.type)}<br><code>${event.id}</code></td><td>${event.delivered ? "delivered" : "not yet taken"} (${event.attempts})</td><td><form method="post" action="/events/${event.id}/send"><button class="quiet">Send again</button></form></td></tr>`,
    );
  return layout(
    "Payment sandbox",
    `<h1>Payment sandbox</h1><p>Stands in for the card payment provider while no keys are set.</p>
<div class="card"><h2>Clock</h2><p>${when(state.now())} UTC</p><div class="row">${[1, 4, 10, 31].map(forward).join("")}</div></div>
<div class="card"><h2>Webhooks</h2><form method="post" action="/send-twice"><button class="quiet">${sendTwice ? "Send each event once" : "Send each event twice"}</button></form></div>
<div class="card scroll"><h2>Subscriptions</h2><table><tr><th>Subscription</th><th>Customer</th><th>Plan</th><th>Status</th><th>Period ends (UTC)</th></tr>${subscriptionRows.join("")}</table></div>
<div class="card scroll"><h2>Events</h2><table><tr><th>Time (UTC)</th><th>Event</th><th>Delivery</th><th></th></tr>${eventRows.join("")}</table></div>`,
  );
}

import { CARDS } from "../cards.ts";
import type { CheckoutSession, Price, Product } from "../objects.ts";
import { dollars, escape, form, layout } from "./layout.ts";

/** The hosted checkout page of an open session. */
export function checkoutPage(
  session: CheckoutSession,
  price: Price,
  product: Product,
  email: string,
  error: string | null,
  token: string,
): string {
  const monthly = session.mode === "subscription";
  return layout(
    `Checkout: ${product.name}`,
    `<div class="card narrow">
<h1>${escape(product.name)}</h1>
<div>${escape(email)}</div>
<div class="price">${dollars(price.unit_amount)}${monthly ? " <small>per month</small>" : ""}</div>
${form(
  `/checkout/${session.id}`,
  token,
  `<label for="card">Card number</label>
<input id="card" name="card" value="${CARDS[0].number}" inputmode="numeric" autocomplete="off" required>
${error ? `<div class="error" role="alert">${escape(error)}</div>` : ""}
<button class="wide" type="submit">${monthly ? "Subscribe" : "Pay"}</button>`,
)}
<p style="text-align:center;margin-bottom:0"><a href="${escape(session.cancel_url)}">Cancel</a></p>
</div>
<div class="card narrow"><h2>Test cards</h2><table class="cards">${CARDS.map(
      ({ number, what }) => `<tr><td><code>${number}</code></td><td>${what}</td></tr>`,
    ).join("")}</table></div>`,
  );
}

/** Shown at the address of a finished or unknown session. */
export function closedPage(message: string, link: string | null): string {
  return layout(
    "Checkout",
    `<div class="card narrow"><h1>${escape(message)}</h1>${link ? `<p><a href="${escape(link)}">Back to Stipple</a></p>` : ""}</div>`,
  );
}

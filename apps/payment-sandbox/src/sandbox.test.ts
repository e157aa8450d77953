import { createServer, type Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildSandbox } from "./app.ts";
import { readSettings, type SandboxSettings } from "./settings.ts";
import { oneMonthLater } from "./billing-cycle.ts";

const SECRET = "whsec_test";
const KEY = "sk_test_sandbox";

let folder: string;
let receiver: Server;
let received: Stripe.Event[];
let refuse: boolean;
let settings: SandboxSettings;
let app: FastifyInstance;
let stripe: Stripe;

/** The real SDK on one side, the sandbox on the other, and a webhook that verifies signatures with the SDK. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  received = [];
  refuse = false;
  receiver = createServer((request, response) => {
    let payload = "";
    request.on("data", (chunk: Buffer) => (payload += chunk.toString()));
    request.on("end", () => {
      const signature = request.headers["stripe-signature"] as string;
      if (!refuse) received.push(stripe.webhooks.constructEvent(payload, signature, SECRET));
      response.writeHead(refuse ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as { port: number };
  settings = readSettings({
    PORT: "1",
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STIPPLE_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    STIPPLE_DATA_DIR: folder,
    STIPPLE_OPERATOR_SECRET: "the operator",
  });
  await start();
});

async function start(): Promise<void> {
  app = buildSandbox(settings);
  const address = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
  stripe = new Stripe(KEY, {
    host: address.hostname,
    port: Number(address.port),
    protocol: "http",
  });
}

afterEach(async () => {
  await app.close();
  receiver.close();
  await rm(folder, { recursive: true });
});

async function openCheckout(recurring: boolean): Promise<Stripe.Checkout.Session> {
  const customer = await stripe.customers.create({ email: "ada@example.org" });
  const product = await stripe.products.create({ name: "Basic Tier" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 75_000,
    ...(recurring ? { recurring: { interval: "month" } } : {}),
  });
  return stripe.checkout.sessions.create({
    mode: recurring ? "subscription" : "payment",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "http://localhost/success?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost/pricing",
    metadata: { user: "7" },
  });
}

function pay(session: Stripe.Checkout.Session, card: string) {
  return app.inject({
    method: "POST",
    url: `/checkout/${session.id}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `card=${encodeURIComponent(card)}`,
  });
}

function forward(days: number) {
  return app.inject({
    method: "POST",
    url: "/clock",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `days=${days}`,
  });
}

const types = (): string[] =>
  received
    .map((event): string => event.type)
    .filter((type) => !type.startsWith("sandbox."))
    .sort();

describe("one-time checkout", () => {
  it("charges a good card once, however often Pay is pressed, and notifies the webhook", async () => {
    const session = await openCheckout(false);
    const page = await app.inject({ url: `/checkout/${session.id}` });
    expect(page.body).toContain(">Pay</button>");
    expect(page.body).toContain("$750.00");
    const paid = await pay(session, "4242 4242 4242 4242");
    expect(paid.statusCode).toBe(303);
    expect(paid.headers.location).toBe(`http://localhost/success?session=${session.id}`);
    expect((await pay(session, "4242 4242 4242 4242")).statusCode).toBe(303);
    await expect.poll(types).toEqual(["checkout.session.completed"]);
    const again = await stripe.checkout.sessions.retrieve(session.id);
    expect(again).toMatchObject({ payment_status: "paid", metadata: { user: "7" } });
  });

  it("declines the test card for declines, says so, and leaves the checkout open", async () => {
    const session = await openCheckout(false);
    const page = await pay(session, "4000 0000 0000 0002");
    expect(page.statusCode).toBe(402);
    expect(page.body).toContain("Your card was declined");
    await expect.poll(types).toEqual(["payment_intent.payment_failed"]);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
  });
});

it("announces part of a day in whole milliseconds, as the server takes them", async () => {
  await forward(1.1);
  await forward(4.1);
  const moves = () => received.map(({ data }) => (data.object as { ahead_ms?: number }).ahead_ms);
  await expect.poll(() => moves().sort()).toEqual([449_280_000, 95_040_000]);
});

describe("subscription", () => {
  it("renews each month on the moved clock and ends after cancellation", async () => {
    const session = await openCheckout(true);
    await pay(session, "4242 4242 4242 4242");
    const id = (await stripe.checkout.sessions.retrieve(session.id)).subscription as string;
    const first = await stripe.subscriptions.retrieve(id);
    await forward(31);
    const second = await stripe.subscriptions.retrieve(id);
    expect(second.items.data[0].current_period_start).toBe(first.items.data[0].current_period_end);
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
    await forward(31);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    await expect
      .poll(types)
      .toEqual(
        [
          "customer.subscription.created",
          "invoice.paid",
          "checkout.session.completed",
          "invoice.paid",
          "customer.subscription.updated",
          "customer.subscription.updated",
          "customer.subscription.deleted",
        ].sort(),
      );
  });

  it("dates what a long move of the clock catches up on by when it was due", async () => {
    const dates = async (session: Stripe.Checkout.Session): Promise<number[]> => {
      const { data } = await stripe.invoices.list({ customer: session.customer as string });
      return data.map(({ created }) => created);
    };
    const good = await openCheckout(true);
    await pay(good, "4242 4242 4242 4242");
    const failing = await openCheckout(true);
    await pay(failing, "4000 0000 0000 0341");
    await forward(62);
    const [start] = (await dates(good)).toReversed();
    const second = oneMonthLater(start);
    expect(await dates(good)).toEqual([oneMonthLater(second), second, start]);
    // It may have been bought a second later.
    const [begun] = (await dates(failing)).toReversed();
    const failed = oneMonthLater(begun);
    expect(await dates(failing)).toEqual([failed, begun]);
    const { subscription } = await stripe.checkout.sessions.retrieve(failing.id);
    const { ended_at } = await stripe.subscriptions.retrieve(subscription as string);
    expect(ended_at).toBe(failed + 7 * 86_400);
    // No event is left to arrive during the next test.
    const left = async () => (await stripe.events.list({ delivery_success: false })).data.length;
    await expect.poll(left).toBe(0);
  });

  it("fails at renewal with the failing card, and ends a week later", async () => {
    const session = await openCheckout(true);
    await pay(session, "4000 0000 0000 0341");
    const id = (await stripe.checkout.sessions.retrieve(session.id)).subscription as string;
    await forward(31);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("past_due");
    await forward(10);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    await expect.poll(() => types().includes("customer.subscription.deleted")).toBe(true);
  });

  it("changes the price at the end of the period if scheduled", async () => {
    const session = await openCheckout(true);
    await pay(session, "4242 4242 4242 4242");
    const id = (await stripe.checkout.sessions.retrieve(session.id)).subscription as string;
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0];
    const product = await stripe.products.create({ name: "Smaller" });
    const smaller = await stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 10_000,
      recurring: { interval: "month" },
    });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: "release",
      phases: [
        {
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: item.current_period_start,
          end_date: item.current_period_end,
        },
        { items: [{ price: smaller.id, quantity: 1 }] },
      ],
    });
    expect((await stripe.subscriptions.retrieve(id)).items.data[0].price.unit_amount).toBe(75_000);
    await forward(31);
    const after = await stripe.subscriptions.retrieve(id);
    expect(after.items.data[0].price.unit_amount).toBe(10_000);
    // The second phase, which has no end, lasts a month.
    expect(after.schedule).toBe(schedule.id);
    const { phases } = await stripe.subscriptionSchedules.retrieve(schedule.id);
    expect(phases[1].end_date).toBe(after.items.data[0].current_period_end);
    await forward(31);
    const later = await stripe.subscriptions.retrieve(id);
    expect(later.items.data[0].price.unit_amount).toBe(10_000);
    expect(later.schedule).toBeNull();
  });
});

it("redelivers refused events once the webhook responds again, even after a restart", async () => {
  refuse = true;
  const session = await openCheckout(false);
  await pay(session, "4242 4242 4242 4242");
  await app.close();
  refuse = false;
  await start();
  await expect.poll(types).toEqual(["checkout.session.completed"]);
});

it("gives a repeated idempotency key the same answer", async () => {
  const options = { idempotencyKey: "k1" };
  const first = await stripe.customers.create({ email: "a@b.c" }, options);
  const second = await stripe.customers.create({ email: "a@b.c" }, options);
  expect(second.id).toBe(first.id);
});

it("refuses a wrong key", async () => {
  const address = new URL(app.listeningOrigin);
  const stranger = new Stripe("sk_other", {
    host: address.hostname,
    port: Number(address.port),
    protocol: "http",
  });
  await expect(stranger.invoices.list()).rejects.toThrow("Invalid API Key");
});

it("uses the last day of shorter months", () => {
  const utc = (text: string): number => Date.parse(text) / 1000;
  expect(oneMonthLater(utc("2027-01-31T10:00:00Z"))).toBe(utc("2027-02-28T10:00:00Z"));
  expect(oneMonthLater(utc("2028-01-31T10:00:00Z"))).toBe(utc("2028-02-29T10:00:00Z"));
  expect(oneMonthLater(utc("2027-12-15T00:00:00Z"))).toBe(utc("2028-01-15T00:00:00Z"));
  const begun = utc("2027-01-31T10:00:00Z");
  expect(oneMonthLater(utc("2027-02-28T10:00:00Z"), begun)).toBe(utc("2027-03-31T10:00:00Z"));
});

import { createHmac, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PLANS } from "@stipple/contract";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { customerOf } from "../src/billing/checkout.ts";
import type { Provider } from "../src/billing/provider.ts";
import { deleteExpiredProjects } from "../src/projects/delete-expired-projects.ts";
import type { TestSandbox } from "./payment-sandbox.ts";
import type { TestServer } from "./server.ts";
import { startServerWithSandbox, type ServerWithSandbox } from "./server-with-sandbox.ts";

let both: ServerWithSandbox;
let server: TestServer;
let sandbox: TestSandbox;
let token: string;

beforeAll(async () => {
  // Every test signs someone up, on a fast machine more than sixty in a minute.
  both = await startServerWithSandbox({ STIPPLE_SIGNUPS_PER_MINUTE: "1000" });
  ({ server, sandbox } = both);
});
afterAll(() => both?.[Symbol.asyncDispose]());
beforeEach(async () => {
  token = await server.signUp();
});

/** The checkout that a click on a plan opens. */
async function open(plan: string) {
  const answer = await server.call("POST", "/create-checkout-session", { token, body: { plan } });
  // Shows what was answered instead.
  expect(answer).toMatchObject({ status: 200, json: { id: expect.stringMatching(/^cs_/) } });
  return answer.json;
}

async function checkout(plan: string): Promise<string> {
  return (await open(plan)).url as string;
}

async function buy(plan: string, card?: string): Promise<void> {
  const answer = await sandbox.pay(await checkout(plan), card);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toContain("/success?stripe_success=true");
}

/** Changes what the provider knows, a text of JSON. */
async function edit(change: (text: string) => string): Promise<void> {
  await sandbox.stop();
  const file = join(server.config.dataDir, "payment-sandbox.json");
  await writeFile(file, change(await readFile(file, "utf8")));
  await sandbox.start(server.url, server.config.dataDir);
}

/** Replaces a text in all that the provider knows. */
const rewrite = (from: string, to: string) => edit((text) => text.replaceAll(from, to));

/** Changes one of the provider's objects. */
const amend = (table: string, id: string, fields: object) =>
  edit((text) => {
    const all = JSON.parse(text);
    Object.assign(all[table][id], fields);
    return JSON.stringify(all);
  });

/** Delivers an event as the provider does. */
function send(payload: string): Promise<Response> {
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac("sha256", server.config.stripe.webhookSecret ?? "")
    .update(`${seconds}.${payload}`)
    .digest("hex");
  return fetch(`${server.url}/api/stripe-webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${mac}` },
    body: payload,
  });
}

/** Tells the server that a subscription has changed. */
async function tellUpdated(subscription: string, how = "updated"): Promise<void> {
  const type = `customer.subscription.${how}`;
  const event = { id: `evt_${randomUUID()}`, type, data: { object: { id: subscription } } };
  expect((await send(JSON.stringify(event))).status).toBe(200);
}

const standing = async () => (await server.call("GET", "/verify-subscription", { token })).json;
/** Of each payment of a monthly plan, newest first. */
const invoiceStates = async () =>
  Promise.all(
    (await payments()).map(
      async ({ id }: { id: string }) => (await sandbox.api(`/v1/invoices/${id}`)).status,
    ),
  );
const payments = async () => (await server.call("GET", "/user/transactions", { token })).json;
/** Plans that have not ended. */
const running = async () =>
  server.context.database.db
    .selectFrom("subscriptions")
    .select("tier")
    .where("user_id", "=", (await standing()).id)
    .where("status", "!=", "ended")
    .execute();

describe("buying", () => {
  it.each(PLANS)("$title is granted with its price, quota, and period", async (plan) => {
    await buy(plan.title);
    await expect.poll(standing).toMatchObject({
      subscription_tier: plan.tier,
      subscription_status: "active",
      analyses_limit: plan.analyses,
      analyses_count: 0,
      is_one_time: plan.billing === "one_time",
    });
    await expect
      .poll(payments)
      .toMatchObject([
        { plan_type: plan.title, amount: plan.priceCents / 100, status: "succeeded" },
      ]);
  });

  it("refuses an unknown plan and the current one", async () => {
    const unknown = await server.call("POST", "/create-checkout-session", {
      token,
      body: { plan: "Platinum" },
    });
    expect(unknown).toMatchObject({ status: 400, json: { code: "plan_unknown" } });
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const again = await server.call("POST", "/create-checkout-session", {
      token,
      body: { plan: "Basic Tier" },
    });
    expect(again).toMatchObject({ status: 409, json: { code: "plan_current" } });
  });

  it("sells at another price once the provider has archived one, and keeps what was bought at it", async () => {
    const before = await open("Basic Tier");
    const [archived] = (await sandbox.api("/v1/prices?lookup_keys[0]=stipple_basic_75000")).data;
    await amend("prices", archived.id, { active: false });
    const buyer = token;
    token = await server.signUp();
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    token = buyer;
    await sandbox.pay(before.url);
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    expect(await payments()).toHaveLength(1);
  });

  it("counts one purchase when Pay is pressed many times and every event arrives twice", async () => {
    await sandbox.sendTwice();
    const url = await checkout("Single Analysis");
    await Promise.all([1, 2, 3, 4].map(() => sandbox.pay(url)));
    await expect.poll(async () => (await standing()).single_analyses_purchased).toBe(1);
    await sandbox.sendTwice();
    expect(await payments()).toHaveLength(1);
    await buy("Single Analysis");
    await expect.poll(async () => (await standing()).analyses_limit).toBe(2);
  });

  it("grants nothing for a declined card, and lists the attempt until another pays", async () => {
    const url = await checkout("Single Analysis");
    expect((await sandbox.pay(url, "4000000000000002")).status).toBe(402);
    const attempt = { plan_type: "Single Analysis", amount: 250 };
    await expect.poll(payments).toMatchObject([{ ...attempt, status: "failed" }]);
    expect((await standing()).subscription_tier).toBe("trial");
    await sandbox.forward(0.5);
    await sandbox.pay(url);
    await expect.poll(payments).toMatchObject([{ ...attempt, status: "succeeded" }]);
    const [paid, ...others] = await payments();
    expect(others).toEqual([]);
    // Its date is that of the payment, from which the plan counts, not of the attempt.
    const sinceMs = Date.parse((await standing()).server_time) - Date.parse(paid.date);
    expect(sinceMs).toBeLessThan(3_600_000);
  });

  it("grants no monthly plan for a declined card", async () => {
    const url = await checkout("Basic Tier");
    expect((await sandbox.pay(url, "4000000000000002")).status).toBe(402);
    await expect.poll(() => sandbox.undelivered()).toBe(0);
    expect((await standing()).subscription_tier).toBe("trial");
    await sandbox.pay(url);
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    await expect.poll(payments).toMatchObject([{ amount: 750, status: "succeeded" }]);
  });

  it("finds a payment whose event never arrived", async () => {
    const url = await checkout("Professional Tier");
    await sandbox.stop();
    // Events are lost while the sandbox sends them to a port with no listener.
    await sandbox.start("http://127.0.0.1:9", server.config.dataDir);
    await sandbox.pay(url);
    const { billing, entitlements } = server.context;
    const id = decodeJwt(token).sub!;
    // Who asks while the provider is asked already learns the same.
    const first = billing.catchUp(id);
    await billing.catchUp(id);
    expect((await entitlements.subscriptionOf(id)).subscription_tier).toBe("professional");
    await first;
    await sandbox.stop();
    await sandbox.start(server.url, server.config.dataDir);
  });
});

describe("one purchase, whatever happens", () => {
  it("opens one checkout for many clicks, and a new one after it is paid", async () => {
    const clicks = await Promise.all([1, 2, 3, 4].map(() => open("Single Analysis")));
    expect(clicks).toEqual(clicks.map(() => clicks[0]));
    const later = await open("Single Analysis");
    expect(later).toEqual(clicks[0]);
    await sandbox.pay(later.url);
    await expect.poll(async () => (await standing()).single_analyses_purchased).toBe(1);
    expect((await open("Single Analysis")).id).not.toBe(later.id);
  });

  it("opens a checkout that the provider refused a moment before, and would go on to refuse", async () => {
    await open("Basic Tier");
    const { data } = await sandbox.api("/v1/prices?lookup_keys[0]=stipple_basic_75000");
    token = await server.signUp();
    await amend("prices", data[0].id, { id: "price_gone" });
    const body = { plan: "Basic Tier" };
    const refused = await server.call("POST", "/create-checkout-session", { token, body });
    expect(refused.json.code).toBe("payment_provider_failed");
    await amend("prices", data[0].id, { id: data[0].id });
    await open("Basic Tier");
  });

  it("makes one customer of a person, whose first clicks come at once", async () => {
    const { context } = server;
    // A provider that answers all of them at the same moment, which the sandbox does rarely.
    const retrieve = () => Promise.resolve({});
    const create = ({ metadata }: { metadata: { user_id: string } }) =>
      Promise.resolve({ id: `cus_${metadata.user_id}` });
    const provider = { stripe: { customers: { retrieve, create } } } as unknown as Provider;
    const services = { ...context, clock: context.billingClock, provider };
    for (let round = 0; round < 200; round++) {
      const id = randomUUID();
      const row = { id, email: `${id}@example.org`, password_hash: "", created_at: new Date() };
      await context.database.db.insertInto("users").values(row).execute();
      const clicks = Array.from({ length: 8 }, () => customerOf(services, id));
      expect(new Set(await Promise.all(clicks)).size).toBe(1);
    }
  });

  it("sells to someone whose customer the provider has deleted, e.g. when deleting the account failed midway", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    await server.context.billing.leave((await standing()).id);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    const [first, second] = await Promise.all([open("Basic Tier"), open("Basic Tier")]);
    expect(second).toEqual(first);
    await sandbox.pay(first.url);
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
  });

  it.each([0, 31])(
    "sells to someone whose plan is unknown at the provider, bought in test mode %d days before",
    async (days) => {
      await buy("Basic Tier");
      await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
      await open("Enterprise Tier");
      const known = await standing();
      const { customer } = await sandbox.api(`/v1/subscriptions/${known.stripe_subscription_id}`);
      await edit((text) => {
        const all = JSON.parse(text);
        delete all.customers[customer];
        for (const table of [all.sessions, all.subscriptions])
          for (const each of Object.values<{ id: string; customer: string }>(table))
            if (each.customer === customer) delete table[each.id];
        return JSON.stringify(all);
      });
      await sandbox.forward(days);
      await buy("Professional Tier");
      await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
      await expect.poll(() => sandbox.undelivered()).toBe(0);
      await server.context.billing.leave(known.id);
      await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    },
  );

  it("closes checkouts in other tabs once a plan has been bought", async () => {
    const old = await open("Basic Tier");
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    await expect.poll(async () => (await sandbox.pay(old.url)).status).toBe(410);
    expect(await payments()).toHaveLength(1);
  });

  it("leaves a checkout open that was opened after a plan was bought, in the same second", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const { stripe_subscription_id: plan } = await standing();
    const upgrade = await open("Professional Tier");
    const { created } = await sandbox.api(`/v1/subscriptions/${plan}`);
    await amend("sessions", upgrade.id, { created });
    await tellUpdated(plan);
    expect((await sandbox.pay(upgrade.url)).status).toBe(303);
    await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
  });

  it("has the same outcome when events are lost, late, or in reverse order", async () => {
    await sandbox.hold();
    await buy("Basic Tier");
    await sandbox.pay(await checkout("Professional Tier"));
    await buy("Single Analysis");
    // No event has arrived yet; the lookup finds the purchase.
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: "professional", analyses_limit: 16 });
    await sandbox.forward(31);
    await sandbox.release("newest");
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
    expect(await running()).toEqual([{ tier: "professional" }]);
    expect(await payments()).toHaveLength(4);
  });
});

describe("two plans in two tabs", () => {
  /** Plans that would be billed again, and the credit in dollars, as the provider has them. */
  async function atProvider() {
    const { id } = await standing();
    const customer = await server.context.database.db
      .selectFrom("customers")
      .select("id")
      .where("user_id", "=", id)
      .executeTakeFirstOrThrow();
    const { data } = await sandbox.api(`/v1/subscriptions?customer=${customer.id}&status=active`);
    const { balance = 0 } = await sandbox.api(`/v1/customers/${customer.id}`);
    return {
      running: (data as { metadata: { tier: string } }[]).map(({ metadata }) => metadata.tier),
      credit: 0 - balance / 100,
    };
  }
  const nextSecond = async () => {
    const second = Math.floor(Date.now() / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second);
  };

  it.each([
    ["Basic Tier", "Professional Tier", "oldest"],
    ["Basic Tier", "Professional Tier", "newest"],
    ["Professional Tier", "Basic Tier", "oldest"],
    ["Professional Tier", "Basic Tier", "newest"],
  ] as const)(
    "%s, then %s, both opened before: the first ends and is credited (%s event first)",
    async (first, second, order) => {
      const tabs = { [first]: await open(first), [second]: await open(second) };
      await sandbox.hold();
      expect((await sandbox.pay(tabs[first].url)).status).toBe(303);
      await nextSecond();
      // No event has arrived that would have closed it.
      expect((await sandbox.pay(tabs[second].url)).status).toBe(303);
      await sandbox.release(order);
      await expect.poll(() => sandbox.undelivered(), { timeout: 90_000 }).toBe(0);
      const kept = PLANS.find(({ title }) => title === second)!;
      const ended = PLANS.find(({ title }) => title === first)!;
      await expect.poll(async () => (await atProvider()).running).toEqual([kept.tier]);
      // All but the seconds that it lasted.
      expect((await atProvider()).credit).toBeCloseTo(ended.priceCents / 100, 0);
      expect(await standing()).toMatchObject({
        subscription_tier: kept.tier,
        subscription_status: "active",
        analyses_limit: kept.analyses,
      });
      expect(await payments()).toHaveLength(2);
      // The next month bills one plan, less the credit.
      await sandbox.forward(31);
      await expect.poll(async () => (await payments()).length).toBe(3);
      const [{ amount }] = await payments();
      expect(amount).toBeCloseTo(Math.max(0, kept.priceCents - ended.priceCents) / 100, 0);
    },
  );

  it("refuses the same plan twice, also before the event of the first has arrived", async () => {
    await sandbox.hold();
    await sandbox.pay((await open("Basic Tier")).url);
    const body = { plan: "Basic Tier" };
    const again = await server.call("POST", "/create-checkout-session", { token, body });
    expect(again.json.code).toBe("plan_current");
    await sandbox.release("oldest");
    await expect.poll(() => sandbox.undelivered(), { timeout: 90_000 }).toBe(0);
    expect((await atProvider()).running).toEqual(["basic"]);
    expect(await payments()).toHaveLength(1);
  });

  it("allows a single analysis beside a plan, in either order", async () => {
    const single = await open("Single Analysis");
    const basic = await open("Basic Tier");
    await sandbox.hold();
    await sandbox.pay(basic.url);
    await sandbox.pay(single.url);
    await sandbox.release("newest");
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: "basic", analyses_limit: 6, is_one_time: false });
    expect(await atProvider()).toEqual({ running: ["basic"], credit: 0 });
  });
});

describe("receipts", () => {
  it.each([
    ["Single Analysis", "$250.00"],
    ["Basic Tier", "$750.00"],
  ])("are available for a payment of %s, only to its payer", async (plan, amount) => {
    await buy(plan);
    await expect.poll(async () => (await payments()).length).toBe(1);
    const [payment] = await payments();
    expect(payment.has_receipt).toBe(true);
    const answer = await server.call("GET", `/user/transactions/${payment.id}/receipt`, { token });
    const page = await (await fetch(answer.json.url)).text();
    expect(page).toContain(amount);
    expect(page).toContain(plan);
    const stranger = await server.signUp();
    const refused = await server.call("GET", `/user/transactions/${payment.id}/receipt`, {
      token: stranger,
    });
    expect([refused.status, refused.json.code]).toEqual([404, "receipt_missing"]);
  });
});

it("a plan renews at the price at which it was bought, after the price has changed", async () => {
  await buy("Professional Tier");
  await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
  const { effective_date } = (
    await server.call("POST", "/downgrade-subscription", { token, body: { target_tier: "basic" } })
  ).json;
  // The price at the provider becomes one of another amount than the plan's today.
  await rewrite("stipple_basic_75000", "stipple_basic_70000");
  await sandbox.forward(31);
  await expect
    .poll(standing)
    .toMatchObject({ subscription_tier: "basic", subscription_status: "active" });
  expect((await standing()).subscription_end_date > effective_date).toBe(true);
  // Events arrive in any order.
  await expect.poll(async () => (await payments())[0].plan_type).toBe("Basic Tier");
  await rewrite("stipple_basic_70000", "stipple_basic_75000");
});

it("a plan goes on at a price that was made by hand at the provider", async () => {
  await buy("Basic Tier");
  await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
  const { subscription_end_date: end } = await standing();
  await rewrite("stipple_basic_75000", "discount");
  await sandbox.forward(31);
  await expect.poll(async () => (await standing()).subscription_end_date > end).toBe(true);
  await expect
    .poll(standing)
    .toMatchObject({ subscription_tier: "basic", subscription_status: "active" });
  await rewrite("discount", "stipple_basic_75000");
});

it("an invoice of a failed renewal does not look paid", async () => {
  await buy("Basic Tier", "4000000000000341");
  await sandbox.forward(31);
  await expect.poll(payments).toMatchObject([{ status: "failed" }, { status: "succeeded" }]);
  const [{ id }] = await payments();
  const { url } = (await server.call("GET", `/user/transactions/${id}/receipt`, { token })).json;
  expect(await (await fetch(url)).text()).toMatch(/Invoice in_.*\$750\.00, not paid/s);
});

describe("the moved clock", () => {
  it("does not make analyses free: purchases and usage share one clock", async () => {
    await sandbox.forward(31);
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const { id } = await standing();
    const { entitlements, database } = server.context;
    // Fifty simultaneous starts of fifty projects: the plan includes five.
    const starts = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        database.transaction((transaction) =>
          entitlements.reserveAnalysis(transaction, {
            id: crypto.randomUUID(),
            userId: id,
            projectId: crypto.randomUUID(),
          }),
        ),
      ),
    );
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const start of starts) {
      if (start.status === "rejected") {
        expect(start.reason.code).toBe("quota_used_up");
        expect(start.reason.message).not.toContain("already have");
      }
    }
    expect(await standing()).toMatchObject({ analyses_count: 5, analyses_limit: 5 });
    await sandbox.forward(31);
    await expect.poll(standing).toMatchObject({ analyses_count: 0, subscription_status: "active" });
  });

  it("ends trials and single purchases too", async () => {
    const trial = (await standing()).subscription_end_date;
    const left = Date.parse(trial) - Date.parse((await standing()).server_time);
    expect(left / 86_400_000).toBeCloseTo(4, 2);
    await sandbox.forward(4.1);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    await buy("Single Analysis");
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
    await sandbox.forward(10);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
  });
});

describe("changing", () => {
  it("stops at an unpaid renewal, shows it, and continues after a new checkout", async () => {
    await buy("Basic Tier", "4000000000000341");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    await sandbox.forward(31);
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: "basic", subscription_status: "expired" });
    const now = await standing();
    expect(Date.parse(now.subscription_end_date)).toBeLessThan(Date.parse(now.server_time));
    const body = { target_tier: "basic" };
    const lower = await server.call("POST", "/downgrade-subscription", { token, body });
    expect(lower.json.code).toBe("no_subscription");
    await expect.poll(payments).toMatchObject([{ status: "failed" }, { status: "succeeded" }]);
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
    await expect.poll(invoiceStates).toEqual(["paid", "void", "paid"]);
  });

  it.each(["past_due", "unpaid"])(
    "ends a plan at once that is canceled when %s",
    async (status) => {
      await buy("Basic Tier", "4000000000000341");
      await sandbox.forward(31);
      await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
      await rewrite('"status":"past_due"', `"status":"${status}"`);
      const { stripe_subscription_id: id, subscription_end_date: paidUntil } = await standing();
      const body = { subscription_id: id };
      const answer = await server.call("POST", "/cancel-subscription", { token, body });
      expect(answer).toMatchObject({ status: 200, json: { subscription_status: "expired" } });
      expect((await sandbox.api(`/v1/subscriptions/${id}`)).status).toBe("canceled");
      const now = await standing();
      expect([now.subscription_status, now.stripe_subscription_id]).toEqual(["expired", null]);
      expect(now.subscription_end_date >= paidUntil).toBe(true);
      const again = await server.call("POST", "/cancel-subscription", { token });
      expect(again.json.code).toBe("no_subscription");
      // The card is not tried again, and the invoice cannot be paid for nothing.
      await sandbox.forward(10);
      expect(await invoiceStates()).toEqual(["void", "paid"]);
    },
  );

  it("ends the paid time at the first unpaid renewal of a plan that goes on without payment", async () => {
    await buy("Basic Tier", "4000000000000341");
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    const { subscription_end_date: paidUntil } = await standing();
    // A provider that is set up to end no plan.
    await rewrite('"status":"past_due"', '"status":"unpaid"');
    await sandbox.forward(32);
    await expect.poll(payments).toHaveLength(3);
    await expect.poll(() => sandbox.undelivered()).toBe(0);
    expect(await standing()).toMatchObject({
      subscription_status: "expired",
      subscription_end_date: paidUntil,
      unpaid_subscription: { tier: "basic" },
    });
  });

  it("credits a plan that was paid a moment before another replaced it", async () => {
    await buy("Basic Tier", "4000000000000341");
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    const { id } = (await standing()).unpaid_subscription;
    const { customer, latest_invoice } = await sandbox.api(`/v1/subscriptions/${id}`);
    // Its event has not arrived.
    await amend("subscriptions", id, { status: "active" });
    await amend("invoices", latest_invoice, { status: "paid" });
    await buy("Enterprise Tier");
    await expect
      .poll(async () => (await sandbox.api(`/v1/subscriptions/${id}`)).status)
      .toBe("canceled");
    expect((await sandbox.api(`/v1/customers/${customer}`)).balance).toBeLessThan(-70_000);
  });

  it("credits no renewal that waits to be charged, and charges it no more", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const { stripe_subscription_id: id } = await standing();
    const { customer, latest_invoice } = await sandbox.api(`/v1/subscriptions/${id}`);
    await amend("invoices", latest_invoice, { status: "draft", auto_advance: true });
    const body = { plan: "Enterprise Tier" };
    const { json } = await server.call("POST", "/plan-preview", { token, body });
    expect(json.ends).toEqual({ plan: "Basic Tier", credit: 0 });
    await buy("Enterprise Tier");
    const draft = () => sandbox.api(`/v1/invoices/${latest_invoice}`);
    await expect.poll(draft).toMatchObject({ status: "draft", auto_advance: false });
    expect((await sandbox.api(`/v1/subscriptions/${id}`)).status).toBe("canceled");
    expect((await sandbox.api(`/v1/customers/${customer}`)).balance ?? 0).toBe(0);
  });

  it("voids every unpaid invoice of a plan that is ended", async () => {
    await buy("Basic Tier", "4000000000000341");
    await sandbox.forward(31);
    await expect.poll(payments).toHaveLength(2);
    // A provider set up to go on without payment has several.
    const [, { id: earlier }] = await payments();
    await amend("invoices", earlier, { status: "open" });
    expect((await server.call("POST", "/cancel-subscription", { token })).status).toBe(200);
    expect(await invoiceStates()).toEqual(["void", "void"]);
  });

  it("leaves nothing to pay to someone whose account is deleted while a renewal is unpaid", async () => {
    await buy("Basic Tier", "4000000000000341");
    await sandbox.forward(31);
    await expect.poll(payments).toMatchObject([{ status: "failed" }, { status: "succeeded" }]);
    await server.context.billing.leave((await standing()).id);
    expect(await invoiceStates()).toEqual(["void", "paid"]);
  });

  it("shows and ends an unpaid plan beside a single analysis, which stays", async () => {
    await buy("Basic Tier", "4000000000000341");
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
    await buy("Single Analysis");
    const single = { subscription_tier: "single_analysis", subscription_status: "active" };
    await expect
      .poll(standing)
      .toMatchObject({ ...single, unpaid_subscription: { tier: "basic" } });
    const { unpaid_subscription: unpaid, server_time: now } = await standing();
    const body = { subscription_id: unpaid.id };
    const answer = await server.call("POST", "/cancel-subscription", { token, body });
    expect(answer).toMatchObject({ status: 200, json: { subscription_status: "active" } });
    expect((await sandbox.api(`/v1/subscriptions/${unpaid.id}`)).status).toBe("canceled");
    expect(await standing()).toMatchObject({ ...single, unpaid_subscription: null });
    const { json } = await server.call("GET", "/account/activity", { token });
    const [{ about }] = json.entries.filter(
      ({ what }: { what: string }) => what === "plan_cancelled",
    );
    expect(about.plan).toBe("Basic Tier");
    expect(Math.abs(Date.parse(about.until) - Date.parse(now))).toBeLessThan(60_000);
  });

  it("continues at the lower tier when a canceled plan is downgraded", async () => {
    await buy("Professional Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
    await server.call("POST", "/cancel-subscription", { token });
    const answer = await server.call("POST", "/downgrade-subscription", {
      token,
      body: { target_tier: "basic" },
    });
    expect(answer.status).toBe(200);
    expect((await standing()).subscription_status).toBe("active");
    await sandbox.forward(31);
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: "basic", subscription_status: "active" });
  });

  it("stays canceled when its downgrade could not be scheduled", async () => {
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    const { stripe_subscription_id: id } = await standing();
    const downgrade = (target_tier: string) =>
      server.call("POST", "/downgrade-subscription", { token, body: { target_tier } });
    await downgrade("basic");
    await server.call("POST", "/cancel-subscription", { token });
    const { data } = await sandbox.api("/v1/prices?lookup_keys[0]=stipple_basic_75000");
    await amend("prices", data[0].id, { id: "price_gone" });
    expect((await downgrade("basic")).json.code).toBe("payment_provider_failed");
    expect(await sandbox.api(`/v1/subscriptions/${id}`)).toMatchObject({
      cancel_at_period_end: true,
      schedule: null,
    });
    await expect.poll(async () => (await standing()).subscription_status).toBe("cancelled");
    await amend("prices", data[0].id, { id: data[0].id });
    expect((await downgrade("basic")).status).toBe(200);
    expect((await standing()).subscription_status).toBe("active");
  });

  it("upgrades without leaving two running subscriptions", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const first = (await standing()).stripe_subscription_id;
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    expect((await standing()).stripe_subscription_id).not.toBe(first);
    // The old plan ends right after the new one arrives.
    await expect.poll(running).toEqual([{ tier: "enterprise" }]);
  });

  it("cancels a plan just bought, even before its event has arrived", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    await sandbox.hold();
    await buy("Enterprise Tier");
    const cancelled = await server.call("POST", "/cancel-subscription", { token });
    await sandbox.release("oldest");
    expect(cancelled).toMatchObject({ status: 200, json: { subscription_status: "cancelled" } });
    await expect.poll(() => sandbox.undelivered()).toBe(0);
    expect(await standing()).toMatchObject({
      subscription_tier: "enterprise",
      subscription_status: "cancelled",
    });
  });

  it("cancels at the end of the period, reactivates, and expires on the moved clock", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const wrong = await server.call("POST", "/cancel-subscription", {
      token,
      body: { subscription_id: "sub_of_somebody_else" },
    });
    expect(wrong.status).toBe(400);
    const cancelled = await server.call("POST", "/cancel-subscription", { token });
    expect(cancelled).toMatchObject({ status: 200, json: { subscription_status: "cancelled" } });
    const back = await server.call("POST", "/reactivate-subscription", { token });
    expect(back).toMatchObject({ status: 200, json: { subscription_status: "active" } });
    const { stripe_subscription_id, data_retention_end_date } = await standing();
    await server.call("POST", "/cancel-subscription", {
      token,
      body: { subscription_id: stripe_subscription_id },
    });
    await sandbox.forward(31);
    await expect.poll(standing).toMatchObject({
      subscription_tier: "basic",
      subscription_status: "expired",
      // Results are kept as long as was promised before.
      data_retention_end_date,
    });
    expect((await server.call("POST", "/reactivate-subscription", { token })).status).toBe(400);
    // An expired plan needs a new checkout.
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
  });

  it("shows when a plan ends that was canceled on the provider's own pages, and reactivates it", async () => {
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    const { stripe_subscription_id: id, subscription_end_date: end } = await standing();
    const seconds = Date.parse(end) / 1000;
    const canceledFor = async (cancel_at: number) => {
      await amend("subscriptions", id, { cancel_at });
      await tellUpdated(id);
      const { subscription_status, subscription_end_date } = await standing();
      return [subscription_status, Date.parse(subscription_end_date) / 1000];
    };
    // It is renewed before it ends.
    expect(await canceledFor(seconds + 86_400)).toEqual(["active", seconds]);
    expect(await canceledFor(seconds - 86_400)).toEqual(["cancelled", seconds - 86_400]);
    const body = { target_tier: "basic" };
    await server.call("POST", "/downgrade-subscription", { token, body });
    expect(await standing()).toMatchObject({
      subscription_status: "active",
      subscription_end_date: end,
    });
    expect(await canceledFor(seconds)).toEqual(["cancelled", seconds]);
    const back = await server.call("POST", "/reactivate-subscription", { token });
    expect(back).toMatchObject({ status: 200, json: { subscription_status: "active" } });
    expect((await sandbox.api(`/v1/subscriptions/${id}`)).cancel_at).toBe(null);
  });

  it("shows a scheduled downgrade with its date, and withdraws it", async () => {
    const undo = () => server.call("POST", "/undo-downgrade", { token });
    await buy("Professional Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
    expect((await standing()).scheduled_downgrade).toBeNull();
    expect((await undo()).json.code).toBe("no_downgrade");
    const body = { target_tier: "basic" };
    await server.call("POST", "/downgrade-subscription", { token, body });
    const { scheduled_downgrade: scheduled, subscription_end_date: end } = await standing();
    expect(scheduled).toEqual({ tier: "basic", effective_date: end });
    expect(await undo()).toMatchObject({ status: 200, json: { subscription_status: "active" } });
    expect((await standing()).scheduled_downgrade).toBeNull();
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_end_date).not.toBe(end);
    expect(await standing()).toMatchObject({
      subscription_tier: "professional",
      subscription_status: "active",
    });
    // A downgrade that has taken effect is no longer scheduled.
    await server.call("POST", "/downgrade-subscription", { token, body });
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    expect((await standing()).scheduled_downgrade).toBeNull();
  });

  it("states charges and credits before an upgrade, and applies the credit at renewal", async () => {
    const preview = async (plan: string) =>
      (await server.call("POST", "/plan-preview", { token, body: { plan } })).json;
    expect(await preview("Basic Tier")).toEqual({ charged_today: 750, ends: null });
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    expect((await preview("Basic Tier")).code).toBe("plan_current");
    expect(await preview("Single Analysis")).toEqual({ charged_today: 250, ends: null });
    await sandbox.forward(10);
    const { charged_today, ends } = await preview("Professional Tier");
    expect([charged_today, ends.plan]).toEqual([1499, "Basic Tier"]);
    // A month has 28 to 31 days, ten of which have passed.
    expect(ends.credit).toBeGreaterThan((750 * 17.9) / 28);
    expect(ends.credit).toBeLessThan((750 * 21.1) / 31);
    await buy("Professional Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
    expect((await preview("Basic Tier")).code).toBe("downgrade_instead");
    // Until the old plan has ended, it would renew as well.
    await expect.poll(running).toEqual([{ tier: "professional" }]);
    await sandbox.forward(31);
    const amounts = async () =>
      (await payments()).map(({ amount }: { amount: number }) => amount) as number[];
    await expect.poll(async () => (await amounts()).length).toBe(3);
    const [renewal, upgrade, first] = await amounts();
    expect([first, upgrade]).toEqual([750, 1499]);
    // A few seconds passed between the preview and the upgrade.
    expect(renewal).toBeCloseTo(1499 - ends.credit, 0);
    const [{ id }] = await payments();
    const receipt = await server.call("GET", `/user/transactions/${id}/receipt`, { token });
    expect(await (await fetch(receipt.json.url)).text()).toContain(
      renewal.toLocaleString("en-US", { style: "currency", currency: "USD" }),
    );
  });

  it("schedules a downgrade for the end of the period, and another for the next", async () => {
    const downgrade = (target_tier: string) =>
      server.call("POST", "/downgrade-subscription", { token, body: { target_tier } });
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    for (const [before, target] of [
      ["enterprise", "professional"],
      ["professional", "basic"],
    ]) {
      const { subscription_end_date } = await standing();
      expect(await downgrade(target)).toMatchObject({
        status: 200,
        json: { effective_date: subscription_end_date },
      });
      expect((await standing()).subscription_tier).toBe(before);
      await sandbox.forward(31);
      await expect.poll(async () => (await standing()).subscription_tier).toBe(target);
    }
    expect(await downgrade("professional")).toMatchObject({
      status: 400,
      json: { code: "not_a_downgrade" },
    });
    expect((await server.call("POST", "/cancel-subscription", { token })).status).toBe(200);
  });
});

describe("two changes of a plan at once", () => {
  it("are carried out one after the other, and our rows match the provider", async () => {
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        server.call("POST", "/cancel-subscription", { token }),
        server.call("POST", "/downgrade-subscription", { token, body: { target_tier: "basic" } }),
        server.call("POST", "/downgrade-subscription", {
          token,
          body: { target_tier: "professional" },
        }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { subscription_status: status, stripe_subscription_id: id } = await standing();
      const { cancel_at_period_end: ends } = await sandbox.api(`/v1/subscriptions/${id}`);
      expect(status).toBe(ends ? "cancelled" : "active");
      if (ends) await server.call("POST", "/reactivate-subscription", { token });
    }
  });
});

describe("webhooks", () => {
  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["no event", "{}"],
    ["an event without an object", JSON.stringify({ id: "evt_1", type: "invoice.paid" })],
    [
      "an object without an id",
      JSON.stringify({ id: "evt_1", type: "checkout.session.completed", data: { object: {} } }),
    ],
    [
      "an id that cannot be stored",
      JSON.stringify({ id: "evt_\0", type: "invoice.paid", data: { object: { id: "in_1" } } }),
    ],
    [
      "a clock that is not a number",
      JSON.stringify({
        id: "evt_2",
        type: "sandbox.clock_moved",
        data: { object: { ahead_ms: "far" } },
      }),
    ],
    [
      "a thin event",
      JSON.stringify({ id: "evt_3", object: "v2.core.event", type: "v1.invoice.paid" }),
    ],
  ])("refuses %s in one sentence, although it is signed", async (_what, payload) => {
    const answer = await send(payload);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_request" });
  });

  it("accepts an event that nothing follows from: an upcoming invoice has no id", async () => {
    const data = { object: { object: "invoice", billing_reason: "upcoming" } };
    const event = { id: "evt_upcoming", type: "invoice.upcoming", data };
    expect((await send(JSON.stringify(event))).status).toBe(200);
  });

  it("stops and continues a plan that is paused and resumed at the provider", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const { stripe_subscription_id: id } = await standing();
    await amend("subscriptions", id, { status: "paused" });
    await tellUpdated(id, "paused");
    expect((await standing()).subscription_status).toBe("expired");
    await amend("subscriptions", id, { status: "active" });
    await tellUpdated(id, "resumed");
    expect((await standing()).subscription_status).toBe("active");
  });

  it("accepts an event for an object unknown to the provider, permanently", async () => {
    const type = "checkout.session.completed";
    const event = { id: "evt_gone", type, data: { object: { id: "cs_gone" } } };
    expect((await send(JSON.stringify(event))).status).toBe(200);
  });

  it.each(["basic", "trial"])(
    "leave the %s as it is when a checkout of another plan is not paid",
    async (tier) => {
      if (tier === "basic") await buy("Basic Tier");
      await expect.poll(async () => (await standing()).subscription_tier).toBe(tier);
      const { server_time: _, ...before } = await standing();
      await sandbox.hold();
      const { id, url } = await open("Professional Tier");
      // Where the card waits for the bank, the provider has opened the subscription, and ends it with the checkout.
      await sandbox.pay(url);
      const paid = await sandbox.api(`/v1/checkout/sessions/${id}`);
      await amend("subscriptions", paid.subscription, { status: "incomplete" });
      await amend("invoices", paid.invoice, { status: "open" });
      await amend("sessions", id, { status: "open", payment_status: "unpaid" });
      await sandbox.release("oldest");
      await expect.poll(() => sandbox.undelivered()).toBe(0);
      expect((await sandbox.api(`/v1/checkout/sessions/${id}`)).status).toBe("open");
      expect(await standing()).toMatchObject(before);
      await amend("sessions", id, { status: "expired" });
      await amend("subscriptions", paid.subscription, { status: "incomplete_expired" });
      await tellUpdated(paid.subscription);
      expect(await standing()).toMatchObject(before);
    },
  );

  it("refuses a forged signature", async () => {
    const payload = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { object: {} } });
    const seconds = Math.floor(Date.now() / 1000);
    const mac = createHmac("sha256", "not the secret")
      .update(`${seconds}.${payload}`)
      .digest("hex");
    const answer = await fetch(`${server.url}/api/stripe-webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${mac}` },
      body: payload,
    });
    expect(answer.status).toBe(400);
  });
});

describe("the date until which results are kept", () => {
  /** Makes results, and returns how to ask for their date. */
  async function results(): Promise<() => Promise<string>> {
    const projectId = await server.newProject(token, "Results");
    const { id: userId } = await standing();
    const { database, entitlements } = server.context;
    await database.transaction(async (transaction) => {
      const run = { id: randomUUID(), userId, projectId };
      await entitlements.reserveAnalysis(transaction, run);
      await entitlements.completeAnalysis(transaction, projectId, 1);
    });
    return async () =>
      (await server.call("GET", "/projects", { token })).json[0].storage_expiry as string;
  }
  const until = (state: object) => expect.poll(standing).toMatchObject(state);
  /** Results of the trial that a Professional plan keeps longer. */
  async function resultsKeptLonger(): Promise<() => Promise<string>> {
    const date = await results();
    await buy("Professional Tier");
    await until({ subscription_tier: "professional" });
    return date;
  }

  it("is not brought forward when a plan ends over an unpaid renewal, or by a purchase after it", async () => {
    await buy("Basic Tier", "4000000000000341");
    await until({ subscription_tier: "basic" });
    const date = await results();
    await sandbox.forward(31);
    await until({ subscription_status: "expired" });
    const shown = await date();
    await sandbox.forward(8);
    await until({ unpaid_subscription: null });
    expect(await date()).toBe(shown);
    await buy("Single Analysis");
    await until({ subscription_tier: "single_analysis" });
    expect(await date()).toBe(shown);
  });

  it("is not brought forward by a purchase after a higher plan", async () => {
    const date = await resultsKeptLonger();
    await server.call("POST", "/cancel-subscription", { token });
    const shown = await date();
    await sandbox.forward(31);
    await until({ subscription_status: "expired" });
    expect(await date()).toBe(shown);
    await buy("Single Analysis");
    await until({ subscription_tier: "single_analysis" });
    expect(await date()).toBe(shown);
  });

  it("is not brought forward by a downgrade", async () => {
    const date = await resultsKeptLonger();
    const shown = await date();
    const body = { target_tier: "basic" };
    await server.call("POST", "/downgrade-subscription", { token, body });
    await sandbox.forward(31);
    await until({ subscription_tier: "basic" });
    expect(await date()).toBe(shown);
  });
});

it("the moved clock deletes projects only with the operator's permission", async () => {
  const { projects, billingClock } = server.context;
  const { id } = await standing();
  const name = "Past its time on the sandbox's clock";
  await server.newProject(token, name);
  const before = await billingClock.now();
  await sandbox.forward(366);
  await expect.poll(async () => (await billingClock.now()) > before).toBe(true);
  await expect.poll(async () => (await standing()).subscription_status).toBe("expired");
  await deleteExpiredProjects(server.context);
  expect((await projects.list(id)).map((project) => project.name)).toEqual([name]);
  await sandbox.confirmDeletions();
  await expect
    .poll(async () => {
      await deleteExpiredProjects(server.context);
      return projects.list(id);
    })
    .toEqual([]);
});

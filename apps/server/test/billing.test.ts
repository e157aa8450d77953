import { createHmac } from "node:crypto";
import { PLANS } from "@stipple/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepareSandbox, type TestSandbox } from "./payment-sandbox.ts";
import { startTestServer, type TestServer } from "./server.ts";

let sandbox: TestSandbox;
let server: TestServer;
let token: string;

beforeAll(async () => {
  sandbox = await prepareSandbox();
  server = await startTestServer(sandbox.environment);
  await sandbox.start(server.url, server.config.dataDir);
});
afterAll(async () => {
  await sandbox?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  token = await server.signUp();
});

async function checkout(plan: string): Promise<string> {
  const answer = await server.call("POST", "/create-checkout-session", { token, body: { plan } });
  expect(answer.status).toBe(200);
  expect(answer.json.id).toMatch(/^cs_/);
  return answer.json.url as string;
}

async function buy(plan: string, card?: string): Promise<void> {
  const answer = await sandbox.pay(await checkout(plan), card);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toContain("/success?stripe_success=true");
}

const standing = async () => (await server.call("GET", "/verify-subscription", { token })).json;
const payments = async () => (await server.call("GET", "/user/transactions", { token })).json;

describe("buying", () => {
  it.each(PLANS)("$title arrives with its price, quota and period", async (plan) => {
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

  it("counts one purchase when Pay is pressed many times and every event comes twice", async () => {
    await sandbox.sendTwice();
    const url = await checkout("Single Analysis");
    await Promise.all([1, 2, 3, 4].map(() => sandbox.pay(url)));
    await expect.poll(async () => (await standing()).single_analyses_purchased).toBe(1);
    await sandbox.sendTwice();
    expect(await payments()).toHaveLength(1);
    await buy("Single Analysis");
    await expect.poll(async () => (await standing()).analyses_limit).toBe(2);
  });

  it("gives nothing for a declined card, and lists the attempt", async () => {
    const answer = await sandbox.pay(await checkout("Basic Tier"), "4000000000000002");
    expect(answer.status).toBe(402);
    await expect
      .poll(payments)
      .toMatchObject([{ plan_type: "Basic Tier", amount: 750, status: "failed" }]);
    expect((await standing()).subscription_tier).toBe("trial");
  });

  it("finds a payment whose event never came", async () => {
    const url = await checkout("Professional Tier");
    await sandbox.stop();
    // Events go nowhere while the sandbox speaks to a port where nobody listens.
    await sandbox.start("http://127.0.0.1:9", server.config.dataDir);
    await sandbox.pay(url);
    await expect
      .poll(async () => (await standing()).subscription_tier, { timeout: 10_000 })
      .toBe("professional");
    await sandbox.stop();
    await sandbox.start(server.url, server.config.dataDir);
  });
});

describe("changing", () => {
  it("upgrades without leaving two running subscriptions", async () => {
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const first = (await standing()).stripe_subscription_id;
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    expect((await standing()).stripe_subscription_id).not.toBe(first);
    const { id } = await standing();
    const running = () =>
      server.context.database.db
        .selectFrom("subscriptions")
        .select("tier")
        .where("user_id", "=", id)
        .where("status", "!=", "ended")
        .execute();
    // The old one ends right after the new one has arrived.
    await expect.poll(running).toEqual([{ tier: "enterprise" }]);
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
    const { stripe_subscription_id } = await standing();
    await server.call("POST", "/cancel-subscription", {
      token,
      body: { subscription_id: stripe_subscription_id },
    });
    await sandbox.forward(31);
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: "basic", subscription_status: "expired" });
    expect((await server.call("POST", "/reactivate-subscription", { token })).status).toBe(400);
    // An expired plan goes through a fresh checkout.
    await buy("Basic Tier");
    await expect.poll(async () => (await standing()).subscription_status).toBe("active");
  });

  it("schedules a downgrade for the end of the period", async () => {
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    const { subscription_end_date } = await standing();
    const answer = await server.call("POST", "/downgrade-subscription", {
      token,
      body: { target_tier: "basic" },
    });
    expect(answer).toMatchObject({
      status: 200,
      json: { effective_date: subscription_end_date },
    });
    expect((await standing()).subscription_tier).toBe("enterprise");
    await sandbox.forward(31);
    await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
    const up = await server.call("POST", "/downgrade-subscription", {
      token,
      body: { target_tier: "professional" },
    });
    expect(up).toMatchObject({ status: 400, json: { code: "not_a_downgrade" } });
  });
});

describe("webhooks", () => {
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

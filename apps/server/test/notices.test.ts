import { afterAll, beforeAll, expect, it } from "vitest";
import { startServerWithSandbox, type ServerWithSandbox } from "./server-with-sandbox.ts";

let both: ServerWithSandbox;
beforeAll(async () => {
  both = await startServerWithSandbox();
});
afterAll(() => both?.[Symbol.asyncDispose]());

/** Subjects and texts of the emails to someone, oldest first, except the welcome email. */
async function mailsTo(email: string): Promise<string[]> {
  await both.server.context.background.settled();
  const page = await both.sandbox.outbox();
  return page
    .split("<article")
    .filter((part) => part.includes(`To ${email},`) && !part.includes("/verify-email#"))
    .map((part) => part.replaceAll("&#39;", "'").replaceAll("&amp;", "&"))
    .toReversed();
}

const call = (method: string, path: string, token: string, body?: object) =>
  both.server.call(method, path, { token, body });

it("emails tell of a payment, its renewal, and a cancellation, once each", async () => {
  const { server, sandbox } = both;
  const email = "payer@example.org";
  const token = await server.signUp(email);
  const standing = async () => (await call("GET", "/verify-subscription", token)).json;
  const buy = async (plan: string) => {
    const { json } = await call("POST", "/create-checkout-session", token, { plan });
    await sandbox.pay(json.url);
  };
  await sandbox.sendTwice();
  await buy("Single Analysis");
  await expect.poll(async () => (await standing()).single_analyses_purchased).toBe(1);
  await buy("Basic Tier");
  await expect.poll(async () => (await standing()).subscription_tier).toBe("basic");
  await expect.poll(() => sandbox.undelivered()).toBe(0);
  const [single, basic, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(single).toContain("Stipple: payment of $250.00 received");
  expect(single).toContain("It adds one analysis. Results are kept for 10 days.");
  expect(single).toMatch(/Receipt:[^]*\/receipts\/ch_/);
  expect(basic).toContain("We received your payment of $750.00 for Basic Tier.");
  expect(basic).toMatch(/Your plan renews on \w+ \d+, \d{4}\./);
  expect(basic).toMatch(/Receipt:[^]*\/receipts\/in_/);

  await call("POST", "/cancel-subscription", token, {});
  const until = new Date((await standing()).subscription_end_date);
  const day = until.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  const cancelled = (await mailsTo(email)).at(-1);
  expect(cancelled).toContain("Stipple: Basic Tier is canceled");
  expect(cancelled).toContain(`You can use everything until ${day}.`);
  expect(cancelled).toContain("/profile");

  await call("POST", "/reactivate-subscription", token);
  await sandbox.forward(31);
  await expect.poll(() => sandbox.undelivered()).toBe(0);
  await expect
    .poll(async () => (await mailsTo(email)).at(-1))
    .toContain("Your plan has been renewed until");
  expect(await mailsTo(email)).toHaveLength(4);
  await sandbox.sendTwice();
});

it("an email tells of a failed renewal", async () => {
  const { server, sandbox } = both;
  const email = "declined@example.org";
  const token = await server.signUp(email);
  const { json } = await call("POST", "/create-checkout-session", token, { plan: "Basic Tier" });
  // Pays once, is declined at the renewal.
  await sandbox.pay(json.url, "4000000000000341");
  await expect.poll(async () => (await mailsTo(email)).length).toBe(1);
  await sandbox.forward(31);
  await expect
    .poll(async () => (await mailsTo(email)).at(-1))
    .toContain("Your card could not be charged $750.00 for Basic Tier, so the plan is paused.");
});

it("an email tells of a sign-in from a new browser, not of the first one or of known ones", async () => {
  const { server } = both;
  const email = "traveler@example.org";
  await server.signUp(email);
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const signIn = (headers: Record<string, string>) =>
    server.call("POST", "/login", { body: { email, password: "secret1" }, headers });
  const { headers } = await signIn({ "user-agent": firefox });
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("Stipple: new sign-in to your account");
  expect(mails[0]).toContain("Firefox on Linux, address ");
  // The same browser and address, and the same browser elsewhere, which is known by its cookie.
  await signIn({ "user-agent": firefox });
  const cookie = headers.get("set-cookie")!.split(";", 1)[0];
  await signIn({ "user-agent": firefox.replaceAll("140", "141"), cookie });
  await signIn({ "user-agent": "another program", cookie });
  expect(await mailsTo(email)).toHaveLength(1);
});

it("none is sent where the operator has turned them off", async () => {
  await using quiet = await startServerWithSandbox({
    STIPPLE_PLAN_MAILS: "false",
    STIPPLE_SIGN_IN_MAILS: "false",
  });
  const { server, sandbox } = quiet;
  const token = await server.signUp("quiet@example.org");
  const body = { plan: "Single Analysis" };
  const { json } = await server.call("POST", "/create-checkout-session", { token, body });
  await sandbox.pay(json.url);
  await expect
    .poll(async () => (await server.call("GET", "/user/transactions", { token })).json)
    .toHaveLength(1);
  await server.call("POST", "/login", {
    body: { email: "quiet@example.org", password: "secret1" },
    headers: { "user-agent": "another" },
  });
  await server.context.background.settled();
  expect(await sandbox.outbox()).not.toMatch(/payment of|new sign-in/);
});

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { passUntil, settle, stopClock } from "./clock.ts";
import { answer, arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let account: Person;
let person: Person;
let page: Page;
/** Number of subscription requests. */
let checks: number;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  account = await newPerson(browser, url, "session");
}, 120_000);

beforeEach(async () => {
  person = await openPerson(browser, url, { token: account.token, email: account.email });
  page = person.page;
  checks = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/verify-subscription")) checks += 1;
  });
  await page.clock.install();
});

afterEach(async () => {
  expect(person.faults).toEqual([]);
  await person.context.close();
});

afterAll(async () => {
  await browser?.close();
});

const storedToken = () => page.evaluate("localStorage.getItem('token')");
const toasts = () => page.getByText(/subscription/i).count();

/** Opens a page as a signed-in user and stops its clock. */
async function open(path = "/projects", heading = "Your Projects"): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { name: heading }).waitFor();
  await page.getByRole("button", { name: account.email }).waitFor();
  await stopClock(page);
  checks = 0;
}

describe("checking the subscription every 30 seconds", () => {
  it("is silent, and never runs twice at a time", async () => {
    await open();
    await page.clock.runFor(30_000);
    await expect.poll(() => checks).toBe(1);
    await page.clock.runFor(29_000);
    await settle(page);
    expect(checks).toBeLessThanOrEqual(2);
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    await page.route("**/api/verify-subscription", async (route) => {
      await held;
      await route.continue();
    });
    checks = 0;
    await page.clock.runFor(120_000);
    await settle(page);
    expect(checks).toBe(1);
    letGo();
    await settle(page);
    await expect.poll(storedToken).toBe(account.token);
    await expect.poll(toasts).toBe(0);
  });

  it.each([401, 403])("signs out immediately on a %i", async (status) => {
    await open();
    await answer(page, "/verify-subscription", { status, json: { error: "no" } });
    await page.clock.runFor(30_000);
    await arrives(page, "/login");
    expect(checks).toBe(1);
    await sees(page, "Failed to verify subscription");
    await expect.poll(storedToken).toBeNull();
  });

  it("retries a server error after 0.3 and 0.9 seconds", async () => {
    await open();
    await answer(page, "/verify-subscription", { status: 503, times: 2 });
    await page.clock.runFor(30_000);
    await expect.poll(() => checks).toBe(1);
    await settle(page);
    await page.clock.runFor(290);
    await settle(page);
    expect(checks).toBe(1);
    await page.clock.runFor(20);
    await expect.poll(() => checks).toBe(2);
    await settle(page);
    await page.clock.runFor(880);
    await settle(page);
    expect(checks).toBe(2);
    await page.clock.runFor(40);
    await expect.poll(() => checks).toBe(3);
    await settle(page);
    await expect.poll(storedToken).toBe(account.token);
    expect(new URL(page.url()).pathname).toBe("/projects");
  });

  it("signs out after three lost responses in a row", async () => {
    await open();
    await page.route("**/api/verify-subscription", (route) => route.abort());
    await page.clock.runFor(30_000);
    for (const pause of [310, 910]) {
      await settle(page);
      await page.clock.runFor(pause);
    }
    await arrives(page, "/login");
    expect(checks).toBe(3);
    await sees(page, "Failed to verify subscription");
  });

  it("pauses while offline", async () => {
    await open();
    await person.context.setOffline(true);
    await page.clock.runFor(300_000);
    await settle(page);
    expect(checks).toBe(0);
    await expect.poll(storedToken).toBe(account.token);
    await person.context.setOffline(false);
    await page.clock.runFor(30_000);
    await expect.poll(() => checks).toBe(1);
  });

  it("leads to the login without the Session Expired dialog over it", async () => {
    await open();
    await page.evaluate(`postMessage({ type: "session_expired" }, origin)`);
    const dialog = page.getByRole("alertdialog", { name: "Session Expired" });
    await passUntil(page, dialog);
    await answer(page, "/verify-subscription", { status: 401 });
    await page.clock.runFor(30_000);
    await arrives(page, "/login");
    await sees(page, /^Your session has ended/);
    await dialog.waitFor({ state: "detached" });
  });

  it("signs nobody out whose network is lost during a check", async () => {
    await open();
    await page.route(
      "**/api/verify-subscription",
      async (route) => {
        await person.context.setOffline(true);
        await route.abort();
      },
      { times: 1 },
    );
    await page.clock.runFor(30_000);
    for (const pause of [310, 910]) {
      await settle(page);
      await page.clock.runFor(pause);
    }
    await expect.poll(() => checks).toBe(3);
    await settle(page);
    await expect.poll(storedToken).toBe(account.token);
    await person.context.setOffline(false);
    await page.clock.runFor(30_000);
    await expect.poll(() => checks).toBe(4);
  });
});

describe("loading a page", () => {
  it.each([401, 403, 404])("signs out on a %i", async (status) => {
    await answer(page, "/verify-subscription", { status });
    await page.goto("/dashboard");
    await arrives(page, "/login");
    await expect.poll(storedToken).toBeNull();
  });

  it("says after a reload that the session was ended, and returns after the login", async () => {
    const { email } = account;
    const password = "Correct-horse-9!";
    const { token } = await call(url, "POST", "/login", { body: { email, password } });
    const other = await openPerson(browser, url, { token });
    await other.page.goto("/projects");
    await other.page.getByRole("heading", { name: "Your Projects" }).waitFor();
    await other.page.evaluate("localStorage.setItem('stipple.note', 'unsent')");
    await call(url, "POST", "/logout", { token });
    await other.page.reload();
    await arrives(other.page, "/login");
    await sees(other.page, /^Your session has ended\. Please log in again/);
    await expectNoBarriers(other.page);
    await other.page.getByLabel("Email").fill(email);
    await other.page.getByLabel("Password", { exact: true }).fill(password);
    await other.page.getByRole("button", { name: "Sign In", exact: true }).click();
    await arrives(other.page, "/projects");
    const note = () => other.page.evaluate("localStorage.getItem('stipple.note')");
    await expect.poll(note).toBe("unsent");
    // What one user left is not kept for another.
    const next = await newPerson(browser, url, "session-next");
    await next.context.close();
    await other.page.evaluate(`localStorage.setItem("token", ${JSON.stringify(next.token)})`);
    await other.page.reload();
    await other.page.getByRole("button", { name: next.email }).waitFor();
    await expect.poll(note).toBeNull();
    await other.context.close();
  });

  it("waits for a slow server, and says so", async () => {
    let letGo = (): void => undefined;
    const slow = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/api/verify-subscription", async (route) => {
      await slow;
      await route.continue();
    });
    await page.goto("/projects");
    await expect.poll(() => checks).toBe(1);
    await page.clock.runFor(60_000);
    await sees(page, /^The server is slow to respond\. You are still signed in/);
    await expect.poll(storedToken).toBe(account.token);
    letGo();
    await page.getByRole("heading", { name: "Your Projects" }).waitFor();
  });

  it("checks a token that another tab stores while the earlier one is being checked", async () => {
    const other = await newPerson(browser, url, "session-other");
    await other.context.close();
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    await page.route(
      "**/api/verify-subscription",
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    const asked = page.waitForRequest("**/api/verify-subscription");
    await page.goto("/projects");
    await asked;
    const tab = await person.context.newPage();
    await tab.goto("/terms");
    await tab.evaluate(`localStorage.setItem("token", ${JSON.stringify(other.token)})`);
    await tab.close();
    await page.getByRole("button", { name: other.email }).waitFor();
    letGo();
    await page.getByRole("heading", { name: "Your Projects" }).waitFor();
  });

  it("signs out on a persistent error after two retries", async () => {
    await answer(page, "/verify-subscription", { status: 500 });
    await page.goto("/dashboard");
    await arrives(page, "/login");
    expect(checks).toBe(3);
    await expect.poll(storedToken).toBeNull();
  });
});

describe("returning from a payment", () => {
  const SUCCESS = "/success?stripe_success=true";

  async function payAndReturn(): Promise<void> {
    await page.goto(SUCCESS);
    await page.getByRole("button", { name: account.email }).waitFor();
    await expect.poll(() => checks).toBe(1);
  }

  it("checks the plan two seconds later, and reports success", async () => {
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await payAndReturn();
    await page.clock.runFor(1_900);
    await settle(page);
    expect(checks).toBe(1);
    await page.clock.runFor(200);
    await sees(page, "Subscription updated successfully!");
    expect(checks).toBe(2);
  });

  it.each([500, 404])("reports a %i, and forgets the user", async (status) => {
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await payAndReturn();
    await answer(page, "/verify-subscription", { status });
    await passUntil(page, page.getByText("Error updating subscription. Please contact support."));
    await expect.poll(() => page.getByText(account.email).count()).toBe(0);
  });

  it.each([500, 401])("reports a %i at load as well", async (status) => {
    await answer(page, "/verify-subscription", { status });
    await page.goto(SUCCESS);
    await passUntil(page, page.getByText("Error updating subscription. Please contact support."));
    await expect.poll(storedToken).toBeNull();
  });
});

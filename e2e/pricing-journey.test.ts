import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { alter, answer, arrives, newPerson, restore, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

const MONTHLY = ["Basic Tier", "Professional Tier", "Enterprise Tier"];
const TITLES = ["Single Analysis", ...MONTHLY, "Custom Analysis"];
const DAY_MS = 86_400_000;

let url: string;
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  person = await newPerson(browser, url, "pricing");
  page = person.page;
}, 120_000);

beforeEach(async () => {
  await restore(page);
  person.alerts.length = 0;
});

afterAll(async () => {
  await browser?.close();
});

interface Standing {
  subscription_tier: string;
  subscription_status: string;
  is_one_time?: boolean;
  [other: string]: unknown;
}

/** Opens a page as a user with this plan; the rest is the server's real response. */
async function openAs(standing: Standing, path: string): Promise<void> {
  await alter(page, "/verify-subscription", standing);
  await page.goto(path);
  await page.getByRole("button", { name: person.email }).waitFor();
}

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const longDate = (iso: string): string =>
  new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
const card = (title: string) => page.getByRole("article", { name: title });
const button = (title: string) => card(title).getByRole("button");
const lastAlert = () => expect.poll(() => person.alerts.at(-1));

describe("pricing", () => {
  it("shows five cards with their prices, analyses, and storage times", async () => {
    await openAs({ subscription_tier: "trial", subscription_status: "trial" }, "/pricing");
    await button("Basic Tier").waitFor();
    await expect
      .poll(() => page.getByRole("article").getByRole("heading").allTextContents())
      .toEqual(TITLES);
    for (const [title, ...words] of [
      ["Single Analysis", "$250", "one-time", "1 analysis", "10 days"],
      ["Basic Tier", "$750", "/month", "5 analyses per month", "30 days"],
      ["Professional Tier", "$1,499", "/month", "15 analyses per month", "3 months"],
      ["Enterprise Tier", "$4,999", "/month", "Unlimited analyses", "6 months"],
    ]) {
      const text = await card(title).innerText();
      for (const word of words) expect(text).toContain(word);
    }
    await card("Custom Analysis").getByRole("link").click();
    await arrives(page, "/contact");
  });

  const SELECT = "Select Plan";
  const DOWN = "Downgrade Plan";
  const CURRENT = "Current Plan";
  const AGAIN = "Purchase Another";
  it.each([
    ["trial", "trial", false, [SELECT, SELECT, SELECT, SELECT]],
    ["trial", "expired", false, [SELECT, SELECT, SELECT, SELECT]],
    ["single_analysis", "active", true, [AGAIN, SELECT, SELECT, SELECT]],
    ["basic", "active", false, [SELECT, CURRENT, SELECT, SELECT]],
    ["professional", "active", false, [SELECT, DOWN, CURRENT, SELECT]],
    ["professional", "cancelled", false, [SELECT, DOWN, CURRENT, SELECT]],
    ["enterprise", "active", false, [SELECT, DOWN, DOWN, CURRENT]],
    ["enterprise", "expired", false, [SELECT, SELECT, SELECT, SELECT]],
  ])("buttons of %s, %s", async (tier, status, oneTime, labels) => {
    await openAs(
      { subscription_tier: tier, subscription_status: status, is_one_time: oneTime },
      "/pricing",
    );
    const titles = TITLES.slice(0, 4);
    await expect
      .poll(() => Promise.all(titles.map((title) => button(title).textContent())))
      .toEqual(labels);
    for (const [at, title] of titles.entries()) {
      await expect
        .poll(() => button(title).isDisabled(), { message: title })
        .toBe(labels[at] === CURRENT);
    }
  });

  it("shows 'Login to Select' without a token, and a click alerts and leads to /login", async () => {
    await page.clock.install();
    await openAs({ subscription_tier: "trial", subscription_status: "trial" }, "/pricing");
    await button("Basic Tier").waitFor();
    await page.evaluate("localStorage.removeItem('token')");
    await page.clock.runFor(5_100);
    await expect.poll(() => button("Basic Tier").textContent()).toBe("Login to Select");
    await button("Basic Tier").click();
    await lastAlert().toBe("Please login to select a plan");
    await arrives(page, "/login");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(person.token)})`);
  });

  it("alerts why a checkout could not be opened", async () => {
    await openAs({ subscription_tier: "enterprise", subscription_status: "expired" }, "/pricing");
    const path = "/create-checkout-session";
    const failing = async (text: string): Promise<void> => {
      person.alerts.length = 0;
      await button("Enterprise Tier").click();
      await lastAlert().toBe(text);
      await expect.poll(() => button("Enterprise Tier").isEnabled()).toBe(true);
    };
    await answer(page, path, { status: 400, json: { error: "Not today." }, times: 1 });
    await failing("Not today.");
    await answer(page, path, { status: 500, times: 1 });
    await failing("Failed to create checkout session");
    await answer(page, path, { json: { id: "cs_1" }, times: 1 });
    await failing("Failed to initialize Stripe");
    await answer(page, path, { json: { id: "cs_1", url: "javascript:alert(1)" }, times: 1 });
    await failing("Failed to initialize Stripe");
    await page.route(`**/api${path}`, (route) => route.abort(), { times: 1 });
    await failing("Payment processing error. Please try again.");
  });

  it("can be used again when the way back from a checkout restores the page as it was left", async () => {
    await openAs({ subscription_tier: "trial", subscription_status: "trial" }, "/pricing");
    const checkout = `${url}/checkout`;
    await answer(page, "/create-checkout-session", { json: { id: "cs_1", url: checkout } });
    // The browser stays on the page.
    await page.route(checkout, (route) => route.fulfill({ status: 204 }));
    const left = page.waitForRequest(checkout);
    await button("Basic Tier").click();
    await left;
    await expect.poll(() => button("Enterprise Tier").isEnabled()).toBe(false);
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    await expect.poll(() => button("Enterprise Tier").isEnabled()).toBe(true);
  });

  it("asks before a downgrade at the end of the period, and alerts the outcome", async () => {
    const end = inDays(20);
    await openAs(
      {
        subscription_tier: "enterprise",
        subscription_status: "active",
        subscription_end_date: end,
      },
      "/pricing",
    );
    const opener = button("Professional Tier");
    await opener.click();
    const dialog = page.getByRole("alertdialog", { name: "Downgrade to Professional Tier?" });
    await dialog.getByText(/takes effect at the end of the current billing period/).waitFor();
    await dialog.getByText(longDate(end)).waitFor();
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect
      .poll(() => opener.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);

    const path = "/downgrade-subscription";
    await opener.click();
    await answer(page, path, { status: 500, times: 1 });
    await dialog.getByRole("button", { name: "Confirm Downgrade" }).click();
    await lastAlert().toBe("Failed to schedule downgrade. Please try again.");
    const asked = page.waitForRequest(`**/api${path}`);
    await answer(page, path, { json: { effective_date: "2027-03-04T05:06:07Z" }, times: 1 });
    await dialog.getByRole("button", { name: "Confirm Downgrade" }).click();
    await lastAlert().toBe("Downgrade scheduled. Will take effect on: March 4, 2027");
    expect((await asked).postDataJSON()).toEqual({ target_tier: "professional" });
    await dialog.waitFor({ state: "hidden" });
  });
});

describe("profile", () => {
  const value = (label: string) =>
    page.getByRole("term").filter({ hasText: label }).locator("xpath=following-sibling::dd[1]");
  const main = () => page.locator("main");

  it.each([
    [
      { subscription_tier: "trial", subscription_status: "trial" },
      ["Trial (Trial)", "Subscription", "Subscription End Date", "0 / 1", "0"],
    ],
    [
      {
        subscription_tier: "basic",
        subscription_status: "active",
        analyses_count: 2,
        analyses_limit: 5,
      },
      ["Basic (Active)", "Subscription", "Subscription End Date", "2 / 5", "40"],
    ],
    [
      {
        subscription_tier: "enterprise",
        subscription_status: "cancelled",
        analyses_count: 31,
        analyses_limit: -1,
      },
      ["Enterprise (Cancelled)", "Subscription", "Subscription End Date", "31 / Unlimited", "20"],
    ],
    [
      {
        subscription_tier: "single_analysis",
        subscription_status: "active",
        is_one_time: true,
        analyses_count: 1,
        analyses_limit: 1,
      },
      ["Single Analysis", "One-time purchase", "Valid Until", "1 / 1", "100"],
    ],
  ] as [Standing, string[]][])("of $subscription_tier", async (standing, words) => {
    const [plan, heading, label, usage, percent] = words as [
      string,
      string,
      string,
      string,
      string,
    ];
    const end = inDays(8.5);
    await openAs({ ...standing, subscription_end_date: end }, "/profile");
    await expect.poll(() => value("Email").textContent()).toBe(person.email);
    await expect.poll(() => value("Plan Type").textContent()).toBe(plan);
    await main().getByRole("heading", { name: heading, exact: true }).waitFor();
    await expect.poll(() => value(label).textContent()).toBe(longDate(end));
    await sees(page, "9 days remaining");
    await sees(page, usage);
    const bar = page.getByRole("progressbar", { name: "Analyses used" });
    await expect.poll(() => bar.getAttribute("aria-valuenow")).toBe(percent);
    await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe(usage);
    const status = standing.subscription_status;
    await sees(page, new RegExp(`^${status}$`, "i"));
    const oneTime = standing.is_one_time === true;
    const has = (name: string) => main().getByRole("button", { name }).count();
    await expect
      .poll(() => has("Cancel Subscription"))
      .toBe(status === "active" && !oneTime ? 1 : 0);
    await expect
      .poll(() => has("Reactivate Subscription"))
      .toBe(status === "cancelled" && !oneTime ? 1 : 0);
    await expect
      .poll(() => main().getByRole("link", { name: "Upgrade Now" }).count())
      .toBe(standing.subscription_tier === "trial" ? 1 : 0);
    await sees(page, "No transaction history available");
  });

  it("shows a trial if the response says nothing about the plan", async () => {
    await answer(page, "/verify-subscription", { json: {} });
    await page.goto("/profile");
    await expect.poll(() => value("Plan Type").textContent()).toBe("Trial (Trial)");
    await sees(page, "0 / 1");
  });

  it("asks before a cancellation, alerts its failure, and sends the subscription's id", async () => {
    const standing = {
      subscription_tier: "professional",
      subscription_status: "active",
      stripe_subscription_id: "sub_1",
      subscription_end_date: inDays(12),
    };
    await openAs(standing, "/profile");
    await main().getByRole("button", { name: "Cancel Subscription" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Keep Subscription" }).waitFor();
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Keep Subscription" }).click();
    await dialog.waitFor({ state: "hidden" });

    await main().getByRole("button", { name: "Cancel Subscription" }).click();
    const asked = page.waitForRequest("**/api/cancel-subscription");
    await answer(page, "/cancel-subscription", { status: 500, times: 1 });
    await dialog.getByRole("button", { name: "Confirm Cancellation" }).click();
    await lastAlert().toBe("Failed to cancel subscription. Please try again.");
    expect((await asked).postDataJSON()).toEqual({ subscription_id: "sub_1" });
  });

  it("shows when a canceled plan ends, and asks before reactivating it", async () => {
    const end = inDays(12);
    await openAs(
      {
        subscription_tier: "basic",
        subscription_status: "cancelled",
        subscription_end_date: end,
      },
      "/profile",
    );
    await main()
      .getByText(`Your subscription ends on ${longDate(end)}.`)
      .waitFor();
    await main().getByRole("button", { name: "Reactivate Subscription" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Cancel", exact: true }).waitFor();
    await expectNoBarriers(page);
    await answer(page, "/reactivate-subscription", { status: 500, times: 1 });
    await dialog.getByRole("button", { name: "Confirm Reactivation" }).click();
    await lastAlert().toBe("Failed to reactivate subscription. Please try again.");
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  it.each([
    ["basic", "expired", { stripe_subscription_id: "sub_1" }],
    ["single_analysis", "active", { is_one_time: true }],
  ])(
    "says to %s that a renewal is unpaid, and asks before it stops the charges",
    async (tier, status, more) => {
      await openAs(
        {
          subscription_tier: tier,
          subscription_status: status,
          ...more,
          unpaid_subscription: { id: "sub_1", tier: "basic" },
          subscription_end_date: inDays(-1),
        },
        "/profile",
      );
      await main().getByText("The renewal of Basic Tier could not be charged.").waitFor();
      await main().getByRole("button", { name: "Stop Further Charges" }).click();
      const dialog = page.getByRole("alertdialog");
      await expectNoBarriers(page);
      const asked = page.waitForRequest("**/api/cancel-subscription");
      await answer(page, "/cancel-subscription", { status: 500, times: 1 });
      await dialog.getByRole("button", { name: "Stop Charges" }).click();
      await lastAlert().toBe("Failed to stop further charges. Please try again.");
      expect((await asked).postDataJSON()).toEqual({ subscription_id: "sub_1" });
    },
  );

  it("merges payments within ten seconds, with the largest amount, as succeeded if any did, and opens the receipt of each", async () => {
    const payment = (id: string, date: string, amount: number, status: string) => ({
      id,
      date: `2026-11-01T10:00:${date}Z`,
      plan_type: id === "d" ? "Single Analysis" : "Basic Tier",
      amount,
      status,
      has_receipt: id === "b" || id === "e",
    });
    await answer(page, "/user/transactions", {
      json: [
        payment("a", "00", 0, "failed"),
        payment("b", "04", 750, "succeeded"),
        payment("e", "06", 750, "succeeded"),
        payment("c", "15", 750, "failed"),
        payment("d", "05", 1234.5, "succeeded"),
      ],
    });
    await page.goto("/profile");
    const payments = page.getByRole("table", { name: "Transaction History" });
    await payments.waitFor();
    const rows = await payments
      .getByRole("row")
      .evaluateAll((all) =>
        all.map((row) =>
          Array.from(row.children, (cell) => (cell as { innerText: string }).innerText),
        ),
      );
    expect(rows.slice(1)).toEqual([
      ["Basic Tier", "November 1, 2026", "$750.00", "Failed", "–"],
      ["Single Analysis", "November 1, 2026", "$1,234.50", "Succeeded", "–"],
      ["Basic Tier 3 records", "November 1, 2026", "$750.00", "Succeeded", "Receipt\nReceipt"],
    ]);
    await expectNoBarriers(page);
  });
});

describe("password and data", () => {
  it("exports all stored data as a file", async () => {
    await page.goto("/profile");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Data" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("stipple-account.json");
    const chunks = await (await download.createReadStream()).toArray();
    expect(Buffer.concat(chunks).toString()).toContain(person.email);
  });

  it("changes the password after asking for the current one", async () => {
    const opener = page.getByRole("button", { name: "Change Password" });
    await opener.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change Password" });
    const save = dialog.getByRole("button", { name: "Save Password" });
    await save.click();
    await dialog.getByRole("alert").getByText("All fields are required").waitFor();
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    const fill = (name: string, text: string) =>
      dialog.getByLabel(name, { exact: true }).fill(text);
    await fill("Current password", "Wrong-horse-9!");
    await fill("New password", "Another-horse-9!");
    await fill("Confirm new password", "Another-horse-9!");
    await save.click();
    await dialog
      .getByRole("alert")
      .getByText(/password/i)
      .waitFor();
    await fill("Current password", "Correct-horse-9!");
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await expect
      .poll(() => opener.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
  });

  it("deletes the account after asking for the password, and goes to the home site", async () => {
    await page.getByRole("button", { name: "Delete Account" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete your account?" });
    const confirm = dialog.getByRole("button", { name: "Delete Everything" });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Your password", { exact: true }).fill("Wrong-horse-9!");
    await confirm.click();
    await dialog
      .getByRole("alert")
      .getByText(/password/i)
      .waitFor();
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    await dialog.getByLabel("Your password", { exact: true }).fill("Another-horse-9!");
    await confirm.click();
    await arrives(page, "/");
    await page.getByRole("button", { name: "Try It Free" }).first().waitFor();
    expect(person.faults).toEqual([]);
  });
});

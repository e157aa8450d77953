import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PLANS } from "@stipple/contract";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { call, newAccount } from "./client.ts";
import { startPlatform, type Platform } from "./platform.ts";

let platform: Platform;
let browser: Browser;

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform(), openBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

let people = 0;
/** A page of a newly registered user; alerts are recorded and accepted. */
async function newPerson(): Promise<{ page: Page; token: string; alerts: string[] }> {
  const token = await newAccount(platform.url, `buyer${++people}@example.org`);
  const context = await browser.newContext();
  await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
  const page = await context.newPage();
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  return { page, token, alerts };
}

const card = (page: Page, title: string) => page.getByRole("article", { name: title });
const standing = (token: string) => call(platform.url, "GET", "/verify-subscription", { token });
const tierOf = async (token: string): Promise<string> => (await standing(token)).subscription_tier;

async function choose(page: Page, title: string, button = "Select Plan"): Promise<void> {
  await page.goto(`${platform.url}/pricing`);
  await card(page, title).getByRole("button", { name: button }).click();
}

describe("buying in the sandbox", () => {
  it.each(PLANS)("$title", async (plan) => {
    const { page, token } = await newPerson();
    await choose(page, plan.title);
    await page.getByText("no real card is charged").waitFor();
    await page
      .getByRole("button", { name: plan.billing === "monthly" ? "Subscribe" : "Pay" })
      .click();
    await page.waitForURL("**/success?stripe_success=true");
    await page.getByText(/Your plan is active/).waitFor();
    await expect(tierOf(token)).resolves.toBe(plan.tier);
    await page.context().close();
  });

  it("goes back without paying, reports a declined card, and pays with another", async () => {
    const { page, token } = await newPerson();
    await choose(page, "Professional Tier");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL("**/pricing");
    await expect(tierOf(token)).resolves.toBe("trial");
    await choose(page, "Professional Tier");
    await page.getByLabel("Card number").fill("4000 0000 0000 0002");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByText("Your card was declined").waitFor();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.waitForURL("**/success?stripe_success=true");
    await expect.poll(() => tierOf(token)).toBe("professional");
    await page.context().close();
  });
});

it("cancels, reactivates, and downgrades a plan, and renews it at the lower tier on the moved clock", async () => {
  const { page, token, alerts } = await newPerson();
  await choose(page, "Professional Tier");
  await page.getByRole("button", { name: "Subscribe" }).waitFor();
  const sandbox = page.url();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.waitForURL("**/success?stripe_success=true");
  await expect.poll(() => tierOf(token)).toBe("professional");

  await page.goto(`${platform.url}/profile`);
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("button", { name: "Confirm Cancellation" }).click();
  await page.getByText(/Your subscription ends on/).waitFor();
  await page.getByRole("button", { name: "Reactivate Subscription" }).click();
  await page.getByRole("button", { name: "Confirm Reactivation" }).click();
  await page.getByRole("button", { name: "Cancel Subscription" }).waitFor();

  await choose(page, "Basic Tier", "Downgrade Plan");
  await page.getByRole("button", { name: "Confirm Downgrade" }).click();
  await expect.poll(() => alerts.at(-1)).toMatch(/^Downgrade scheduled\. Will take effect on: /);
  await expect(tierOf(token)).resolves.toBe("professional");

  // It is shown with its date, and can be withdrawn and chosen again.
  await card(page, "Basic Tier").getByText("Scheduled", { exact: true }).waitFor();
  await card(page, "Professional Tier")
    .getByText(/^Changes to Basic on /)
    .waitFor();
  await page.goto(`${platform.url}/profile`);
  await page.getByText(/^Your plan changes to Basic on .+\. Nothing changes until then/).waitFor();
  await page.getByText("Basic Tier, $750.00").waitFor();
  await page.getByRole("button", { name: "Undo Downgrade" }).click();
  await page.getByText("Professional Tier, $1,499.00").waitFor();
  await expect.poll(() => page.getByText(/^Your plan changes to/).count()).toBe(0);
  await choose(page, "Basic Tier", "Downgrade Plan");
  await page.getByRole("button", { name: "Confirm Downgrade" }).click();
  await expect
    .poll(() => alerts.filter((text) => /^Downgrade scheduled/.test(text)).length)
    .toBe(2);
  await card(page, "Enterprise Tier")
    .getByText(
      /^\$4,999\.00 is charged today\. Your Professional Tier ends immediately, and \$1,49\d\.\d\d for its unused days is credited toward your next payments\.$/,
    )
    .waitFor();

  await page.goto(new URL("/", sandbox).href);
  await page.getByRole("button", { name: "31 days forward" }).click();
  await expect.poll(() => tierOf(token)).toBe("basic");
  await page.goto(`${platform.url}/profile`);
  await page.getByText("Basic (Active)").waitFor();
  // The page counts days using the same clock.
  await page.getByText(/^(2\d|3[01]) days remaining$/).waitFor();
  const [receipt] = await Promise.all([
    page.context().waitForEvent("page"),
    page
      .getByRole("button", { name: /^Receipt for Basic Tier/ })
      .first()
      .click(),
  ]);
  await receipt.getByText("$750.00").waitFor();
  await page.context().close();
});

it("ends a share link with its owner's trial on the moved clock, and leads to the plans", async () => {
  const token = await newAccount(platform.url, "sharer@example.org");
  const { project_id } = await call(platform.url, "POST", "/create_project", {
    token,
    body: {
      project_name: "Shared",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    },
  });
  const share = await call(platform.url, "POST", `/projects/${project_id}/shares`, {
    token,
    body: { days: 30 },
  });
  const page = await browser.newPage();
  await page.goto(share.url);
  await page.getByText("Results are not ready yet").waitFor();
  const checkout = await call(platform.url, "POST", "/create-checkout-session", {
    token,
    body: { plan: "Basic Tier" },
  });
  await page.goto(new URL("/", checkout.url).href);
  await page.getByRole("button", { name: "31 days forward" }).click();
  await expect
    .poll(() =>
      call(platform.url, "POST", `/start_visualization?project_id=${project_id}`, { token }).catch(
        (error: Error) => error.message,
      ),
    )
    .toContain("The 4-day trial has ended");
  await page.goto(share.url);
  await page.getByText("The trial has ended").waitFor();
  await page.getByRole("link", { name: "See plans" }).click();
  await page.waitForURL("**/login");
  await page.close();
});

it("resets a forgotten password through a link in the outbox", async () => {
  await newAccount(platform.url, "forgetful@example.org");
  const page = await browser.newPage();
  await page.goto(`${platform.url}/login`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send Link" }).waitFor();
  await page.getByLabel("Email").fill("forgetful@example.org");
  await page.getByRole("button", { name: "Send Link" }).click();
  const outbox = page.getByRole("link", { name: "Open its outbox" });
  await page.goto((await outbox.getAttribute("href")) ?? "");
  // The outbox is for the operator, who finds the secret in the data folder.
  const secret = await readFile(join(platform.dataDir, "operator-secret"), "utf8");
  await page.getByLabel("Operator's secret").fill(secret.trim());
  await page.getByRole("button", { name: "Open the Outbox" }).click();
  const mail = page
    .getByRole("article")
    .filter({ hasText: "forgetful@example.org" })
    .filter({ hasText: "reset-password" });
  const link = mail.getByRole("link");
  // The response arrives before the mail is written.
  await expect.poll(() => page.reload().then(() => link.count())).toBe(1);
  await link.click();
  await page.getByLabel("New password", { exact: true }).fill("Another-horse-9!");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Another-horse-9!");
  await page.getByRole("button", { name: "Set Password" }).click();
  await page.getByText("Your password has been changed").waitFor();
  await page.locator("main").getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill("forgetful@example.org");
  await page.getByLabel("Password", { exact: true }).fill("Another-horse-9!");
  await page.locator("main form").getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/dashboard");
});

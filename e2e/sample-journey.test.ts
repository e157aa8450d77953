import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { startPlatform, type Platform } from "./platform.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "Correct-horse-9!";

let platform: Platform;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

/** Notes script errors and refused requests of a page. */
function watch(watched: Page): void {
  watched.on("pageerror", (error) => complaints.push(error.message));
  watched.on("response", (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  watched.on("requestfailed", (request) => {
    // A request that the page itself gave up (it was left) is no fault.
    const why = request.failure()?.errorText ?? "";
    if (!why.includes("ERR_ABORTED")) complaints.push(`${why} ${request.url()}`);
  });
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform(), openBrowser()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  context.on("page", watch);
  watch(page);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

describe("a newcomer with the sample dataset", () => {
  it("registers and logs in", async () => {
    await page.goto(platform.url);
    await page
      .getByRole("link", { name: "Try It Free" })
      .or(page.getByRole("button", { name: "Try It Free" }))
      .first()
      .click();
    await page.waitForURL("**/login");
    await page.goto(`${platform.url}/register`);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Confirm password").fill(PASSWORD);
    await page.locator("main form").getByRole("button", { name: "Register" }).click();
    await page
      .getByText(/Registration successful|Account created/)
      .first()
      .waitFor();
    await page.goto(`${platform.url}/login`);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page
      .locator("main form")
      .getByRole("button", { name: /log in|sign in/i })
      .click();
    await page.waitForURL("**/dashboard");
    await page.getByText("No projects yet. Start your first analysis!").waitFor();
  });

  it("runs all eight steps of the sample", async () => {
    await page.getByRole("button", { name: "Try the sample dataset" }).first().click();
    await page.waitForURL("**/analysis/step3**");
    const started = performance.now();
    await page.getByRole("button", { name: "Start Workflow" }).click();
    await page.getByRole("button", { name: /View results/i }).waitFor({ timeout: 150_000 });
    const seconds = (performance.now() - started) / 1000;
    console.log(`sample dataset: ${seconds.toFixed(0)} s from start to results`);
    await page.getByRole("button", { name: /View results/i }).click();
    await page.waitForURL("**/analysis/step4**");
  }, 200_000);

  it("sees the four figures and the two images", async () => {
    for (const figure of ["Total Spots", "Total Cells", "Total Genes", "Average Cells per Spot"]) {
      const tile = page.getByText(figure, { exact: true }).locator("..");
      await expect.poll(() => tile.textContent()).toMatch(/\d/);
    }
    await expect.poll(() => page.locator("main img").count()).toBeGreaterThanOrEqual(2);
    for (const image of await page.locator("main img").all()) {
      await expect
        .poll(() =>
          image.evaluate(
            (element) => (element as unknown as { naturalWidth: number }).naturalWidth,
          ),
        )
        .toBeGreaterThan(200);
    }
    await page.getByText("Subscribe to Download Results").waitFor();
  });

  it("opens the interactive view in a new tab and colours cells by a gene", async () => {
    const [view] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("button", { name: "Start Interactive Visualization" }).click(),
    ]);
    await view.waitForURL("**/visualization/**");
    await view
      .getByText(/[\d,]+ cells/)
      .first()
      .waitFor({ timeout: 30_000 });
    await view.getByText("Gene", { exact: true }).first().click();
    const [answer] = await Promise.all([
      view.waitForResponse((response) => response.url().includes("/gene?")),
      (async () => {
        await view.getByRole("combobox", { name: "Gene" }).fill("CD3");
        await view.getByRole("option").first().click();
      })(),
    ]);
    // One little-endian float32 a cell, and not all of them alike.
    const rates = new Float32Array(new Uint8Array(await answer.body()).buffer);
    expect(rates.length).toBeGreaterThan(1000);
    expect(Math.max(...rates)).toBeGreaterThan(Math.min(...rates));
    await view.close();
  });

  it("buys a single analysis in the sandbox and downloads the zip", async () => {
    await page.goto(`${platform.url}/pricing`);
    await page.getByRole("button", { name: "Select Plan" }).first().click();
    await page.getByRole("button", { name: "Pay" }).click();
    await page.waitForURL("**/success?stripe_success=true");
    await page.goto(`${platform.url}/projects`);
    await page.getByRole("button", { name: "View" }).first().click();
    await page.waitForURL("**/analysis/step4**");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Results" }).click(),
    ]);
    const zip = await readFile(await download.path());
    expect(zip.subarray(0, 2).toString()).toBe("PK");
    expect(zip.includes("analysis_results/output/cell_expression_processed.h5ad")).toBe(true);
  });

  it("saw no error in the browser's console", () => {
    expect(complaints).toEqual([]);
  });
});

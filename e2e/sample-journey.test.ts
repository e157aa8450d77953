import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import {
  alter,
  answer,
  arrives,
  newPerson,
  openPerson,
  restore,
  sees,
  type Person,
} from "./person.ts";
import { sharedPlatform, type SharedPlatform } from "./shared-platform.ts";

let shared: SharedPlatform;
let browser: Browser;
let ada: Person;
let page: Page;

beforeAll(async () => {
  [shared, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  ada = await openPerson(browser, shared.url, { token: shared.token });
  ({ page } = ada);
}, 120_000);

beforeEach(async () => {
  await restore(page);
});

afterAll(async () => {
  await browser?.close();
});

const FIGURES = ["Total Spots", "Total Cells", "Total Genes", "Average Cells per Spot"];
const main = () => page.locator("main");
const figure = (name: string) =>
  main().getByText(name, { exact: true }).locator("xpath=following-sibling::*[1]");
const startButton = () => page.getByRole("button", { name: "Start Interactive Visualization" });
const downloadButton = () => page.getByRole("button", { name: "Download Results", exact: true });
const asTrial = () =>
  alter(page, "/verify-subscription", { subscription_tier: "trial", subscription_status: "trial" });

async function openResults(): Promise<void> {
  await page.goto(`/analysis/step4?project_id=${shared.projectId}`);
  await page.getByRole("heading", { name: "Step 4 Results" }).waitFor();
}

/** Whether the text or what is around it is red. */
async function isRed(text: Locator): Promise<boolean> {
  const color = (one: Locator) =>
    one.evaluate((at) => at.ownerDocument.defaultView!.getComputedStyle(at).color);
  return (
    (await color(text)) === "rgb(180, 35, 24)" ||
    (await color(text.locator(".."))) === "rgb(180, 35, 24)"
  );
}

describe("the sample dataset", () => {
  it("runs through all eight steps in view of the user", async () => {
    const started = performance.now();
    await page.goto(`/analysis/step3?project_id=${shared.projectId}`);
    await page.getByRole("button", { name: "View results" }).waitFor({ timeout: 400_000 });
    console.log(
      `waited ${((performance.now() - started) / 1000).toFixed(0)} s for the sample's results`,
    );
    await page.getByRole("button", { name: "View results" }).click();
    await arrives(page, "/analysis/step4");
  }, 420_000);

  it("shows four figures and two images, with an arrow between them", async () => {
    for (const name of FIGURES)
      await expect.poll(() => figure(name).textContent()).toMatch(/^[\d,.]+$/);
    await expect.poll(() => figure("Average Cells per Spot").textContent()).toMatch(/^\d+\.\d\d$/);
    for (const name of ["Input (spot-based)", "Output (cell-based)"]) {
      const image = page.getByRole("figure").filter({ hasText: name }).getByRole("img");
      await expect
        .poll(() =>
          image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBeGreaterThan(200);
    }
    for (const name of ["Input image (spot-based)", "Output image (cell-based)"])
      await page.getByRole("img", { name }).waitFor();
    await sees(page, "Transformation");
    // One below the other, at every width.
    const top = async (name: string): Promise<number> =>
      (await page.getByRole("img", { name }).boundingBox())?.y ?? 0;
    const gap = async (): Promise<number> =>
      (await top("Output image (cell-based)")) - (await top("Input image (spot-based)"));
    await expect.poll(gap).toBeGreaterThan(200);
    await sees(page, "Sample dataset");
    await sees(page, /^Visium · H&E · Advanced · Finished \w+ \d+, \d{4}$/);
    await expectNoBarriers(page);
  });

  it("says how far to trust the results, and why", async () => {
    const verdict = page.locator("section").filter({
      has: page.getByRole("heading", { name: /^How much you can trust these results/ }),
    });
    await verdict
      .getByText(/^(Good|Limited|Poor)$/)
      .first()
      .waitFor();
    await expect
      .poll(() => verdict.locator("dt").allTextContents())
      .toEqual(
        ["Genes", "Held-out counts", "Cells", "Cell types", "Registration", "Image"].map(
          (topic): unknown => expect.stringMatching(new RegExp(`^${topic}(Good|Limited|Poor)$`)),
        ),
      );
  });

  it("has a report that prints at paper width, with the first rows of long tables, and keeps its colors in high contrast", async () => {
    await page.goto(`/report?project_id=${shared.projectId}`);
    const frame = page.locator("iframe[title=Report]");
    await frame.contentFrame().getByRole("button", { name: "Print" }).waitFor();
    await page.emulateMedia({ media: "print" });
    await sees(page, "The report's own Print button, at its top, prints the whole report.");
    await expect.poll(() => frame.isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    // Its button prints it alone.
    const report = await page.context().newPage();
    await report.setContent((await frame.getAttribute("srcdoc"))!);
    await report.emulateMedia({ media: "print" });
    // A4 minus margins.
    await report.setViewportSize({ width: 718, height: 1000 });
    const root = report.locator("html");
    await expect
      .poll(() => root.evaluate((html) => html.scrollWidth - html.clientWidth))
      .toBeLessThanOrEqual(0);
    const rows = () =>
      report
        .locator("table")
        .evaluateAll((tables) =>
          tables.map(
            (table) =>
              [...table.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility()).length,
          ),
        );
    await expect.poll(async () => Math.max(...(await rows()))).toBe(40);
    // A box of a button would be left out of heads that are repeated on the next page.
    const heading = report.locator("thead button").first();
    await expect
      .poll(() =>
        heading.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).display),
      )
      .toBe("contents");
    await report.emulateMedia({ media: "screen", forcedColors: "active" });
    const files = report.locator("#files table");
    await files.getByRole("button", { name: "Size, kB" }).click();
    const sizes = (await files.locator("td:nth-child(2)").allTextContents()).map((size) =>
      Number(size.replaceAll(",", "")),
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    const colors = () =>
      report
        .locator(".swatch")
        .evaluateAll((all) =>
          all.map((one) => one.ownerDocument.defaultView!.getComputedStyle(one).backgroundColor),
        );
    await expect.poll(async () => new Set(await colors()).size).toBeGreaterThan(3);
    await report.close();
  });

  it("shows reduced images, and the full size in a separate tab", async () => {
    await openResults();
    const button = page.getByRole("button", { name: /^Open full size\s*: Input/ });
    const [tab, answer] = await Promise.all([
      page.waitForEvent("popup"),
      page.waitForResponse(
        (response) =>
          response.url().includes("/get_image/step0_output/") && !response.url().includes("width="),
      ),
      button.click(),
    ]);
    expect(answer.status()).toBe(200);
    await expect.poll(() => tab.url()).toMatch(/^blob:/);
    const width = (): Promise<number> => tab.evaluate("document.images[0]?.naturalWidth ?? 0");
    await expect.poll(width).toBeGreaterThan(1600);
    await tab.close();
  });

  it("compares the two images with a slider that arrow keys move", async () => {
    await openResults();
    const compare = page.getByRole("button", { name: "Compare", exact: true });
    await expect.poll(() => compare.isEnabled()).toBe(true);
    await compare.press("Enter");
    const slider = page.getByRole("slider");
    const cut = () =>
      page
        .getByRole("img", { name: /single cells/ })
        .locator("xpath=ancestor::*[contains(@style, 'clip-path')]")
        .evaluate((one) => (one as unknown as { style: { clipPath: string } }).style.clipPath);
    await expect.poll(() => slider.inputValue()).toBe("50");
    const before = await cut();
    await slider.focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowRight");
    expect(Number(await slider.inputValue())).toBeGreaterThan(50);
    await expect.poll(cut).not.toBe(before);
    await page.keyboard.press("End");
    await expect.poll(() => slider.inputValue()).toBe("100");
    await expectNoBarriers(page);
    // Only the tissue is cut: the colors of both figures are explained in full.
    for (const name of ["Input (spot-based)", "Output (cell-based)"])
      await page.getByRole("img", { name: `Colors of ${name}` }).waitFor();
    // The strip with the scale bar ends where the colors begin, even where its sides are many of its pixels.
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 375, height: 800 });
    /** Upper and lower edge of a part, as fractions of its figure's height. */
    const edges = async (name: string): Promise<[number, number]> => {
      const image = page.getByRole("img", { name, exact: true });
      const [whole, part] = [await image.boundingBox(), await image.locator("..").boundingBox()];
      const from = (y: number) => (y - whole!.y) / whole!.height;
      return [from(part!.y), from(part!.y + part!.height)];
    };
    await expect
      .poll(async () => {
        const [[colors], [, scaleBar]] = [
          await edges("Colors of Input (spot-based)"),
          await edges("Scale bar"),
        ];
        return Math.abs(colors - scaleBar);
      })
      .toBeLessThan(0.002);
    await page.setViewportSize(size);
    await page.getByRole("button", { name: "Both images" }).click();
    await page.getByRole("link", { name: "Back to Workflow Control" }).click();
    await arrives(page, "/analysis/step3");
  });

  it("reruns with other options: shows beforehand what runs and for how long, and counts nothing", async () => {
    await openResults();
    await page.getByRole("button", { name: "Change and Run Again" }).click();
    const dialog = page.getByRole("dialog", { name: "Change and run again" });
    await dialog
      .getByText("You haven't changed anything yet, so no step would run again.")
      .waitFor();
    const run = dialog.getByRole("button", { name: "Run Again" });
    await expect.poll(() => run.isDisabled()).toBe(true);
    await dialog.getByLabel("Tissue", { exact: true }).selectOption({ label: "brain" });
    await dialog.getByText(/^4 steps run again\. About .+, based on the last run\.$/).waitFor();
    await dialog.getByText("This won't use one of your analyses.").waitFor();
    await dialog.getByText(/^4\. Vector Transformation · .+ · 7\. Finalization$/).waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole("radio", { name: "Basic" }).check();
    await dialog.getByText(/^4 steps run again\. About .+ \(estimated\)\.$/).waitFor();
    const section = dialog.getByText("Try the detection threshold on a tile");
    // Of the arrow above the middle of its title, which takes two lines on a phone.
    const rise = () =>
      section.evaluate((line) => {
        const { y, height } = line.querySelector("svg")!.getBoundingClientRect();
        const title = line.ownerDocument.createRange();
        title.selectNodeContents(line.lastChild!);
        const text = title.getBoundingClientRect();
        return Math.round(text.y + text.height / 2 - (y + height / 2));
      });
    const usual = page.viewportSize()!;
    for (const width of [usual.width, 375]) {
      await page.setViewportSize({ ...usual, width });
      await expect.poll(rise).toBeLessThan(3);
    }
    await page.setViewportSize(usual);
    await section.click();
    const threshold = dialog.getByRole("slider", { name: "Detection threshold" });
    await threshold.press("ArrowRight");
    await dialog.getByText(/^\d+ nuclei in this tile/).waitFor();
    await dialog.getByText(/^6 steps run again\. About .+ \(estimated\)\.$/).waitFor();
    await expectNoBarriers(page);
    // Other journeys share the results, so the run is requested but not performed.
    await answer(page, "/run_workflow", {
      status: 403,
      json: { error: "Not today.", code: "internal" },
    });
    const sent = page.waitForRequest("**/api/run_workflow");
    await run.click();
    expect((await sent).postDataJSON()).toEqual({
      project_id: shared.projectId,
      start_step: 7,
      analysis_type: "basic",
      parameters: { "morphological-analysis": { nuclei: { network: { minScore: 0.35 } } } },
      settings: { tissue: "brain" },
    });
    await dialog.getByText("Error: Not today.").waitFor();
    await dialog.getByRole("button", { name: "Keep Results" }).click();
    await dialog.waitFor({ state: "hidden" });

    await page.goto(`/analysis/step4?project_id=${shared.projectId}&change=basic`);
    await expect.poll(() => dialog.getByRole("radio", { name: "Basic" }).isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(new URL(page.url()).searchParams.has("change")).toBe(false);
  });

  it("does not count as an analysis", async () => {
    const path = "/verify-subscription";
    const account = await call(shared.url, "GET", path, { token: shared.token });
    expect(account).toMatchObject({ analyses_count: 0, analyses_limit: 1 });
    expect(account.total_spots).toBeGreaterThan(0);
  });

  it("shows a trial's remaining time and limits, and links to a plan", async () => {
    await asTrial();
    await openResults();
    await page.getByText(/^Trial Expires in \d+ days \d+ hours$/).waitFor();
    await sees(page, "Trial limitations");
    await sees(page, "Interactive visualization for 4 days");
    await expect.poll(() => downloadButton().count()).toBe(0);
    await expectNoBarriers(page);
    for (const name of ["Upgrade Now", "Subscribe to Download Results"]) {
      await openResults();
      await main().getByRole("link", { name }).click();
      await arrives(page, "/pricing");
    }
  });

  it("opens its interactive view in a new tab, behind an overlay while it starts", async () => {
    // The only page here that uses WebGL, which slows down all others.
    await using withWebGl = await openBrowser({ webgl: true });
    const { page: own } = await openPerson(withWebGl, shared.url, { token: shared.token });
    await own.goto(`/analysis/step4?project_id=${shared.projectId}`);
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    await own.route("**/api/start_visualization?**", async (route) => {
      await held;
      await route.continue();
    });
    const [view] = await Promise.all([
      own.waitForEvent("popup"),
      own.getByRole("button", { name: "Start Interactive Visualization" }).click(),
    ]);
    await own.getByRole("dialog", { name: "Starting Visualization Server" }).waitFor();
    await own.bringToFront();
    await expectNoBarriers(own);
    await own.keyboard.press("Escape");
    await own.getByRole("dialog", { name: "Starting Visualization Server" }).waitFor();
    letGo();
    await view.waitForURL("**/visualization/**");
    await view
      .getByText(/[\d,]+ cells/)
      .first()
      .waitFor();
    expect(view.url()).not.toContain(shared.token);
    await view.close();
    await own.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("waits half a minute for the view to start, then reports failure", async () => {
    const { page: own, context } = await openPerson(browser, shared.url, { token: shared.token });
    await own.clock.install();
    // Never respond.
    await own.route("**/api/start_visualization?**", () => undefined);
    await own.goto(`/analysis/step4?project_id=${shared.projectId}`);
    await own.getByRole("button", { name: "Start Interactive Visualization" }).click();
    const overlay = own.getByRole("dialog", { name: "Starting Visualization Server" });
    await overlay.waitFor();
    await own.clock.pauseAt(Date.now() + 20_000);
    await overlay.waitFor();
    await own.clock.runFor(15_000);
    await own.getByRole("alert").getByText("Failed to start visualization").waitFor();
    await overlay.waitFor({ state: "hidden" });
    await expect.poll(() => context.pages().length).toBe(1);
    await context.close();
  });

  it("retries when the status could not be loaded", async () => {
    const { page: own, context } = await openPerson(browser, shared.url, { token: shared.token });
    await own.clock.install();
    // The first attempt and its two retries.
    await answer(own, "/status", { status: 500, times: 3 });
    await own.goto(`/analysis/step4?project_id=${shared.projectId}`);
    const failure = own.getByText("Error loading statistics", { exact: true });
    await failure.waitFor();
    await own.clock.runFor(11_000);
    await failure.waitFor({ state: "hidden" });
    const start = own.getByRole("button", { name: "Start Interactive Visualization" });
    await expect.poll(() => start.isEnabled()).toBe(true);
    await context.close();
  });

  it("reports in the specified words what could not be loaded or started", async () => {
    await answer(page, "/get_statistics", { status: 404, json: { error: "No figures." } });
    const reason = "A file of step 6 is damaged on the server. Run the workflow again from step 6.";
    await page.route("**/api/get_image/**", (route) => {
      const isOutput = route.request().url().includes("showspatial");
      return route.fulfill({ status: 404, json: isOutput ? { error: reason } : {} });
    });
    await openResults();
    const failures = [
      main().getByText("Error loading statistics", { exact: true }),
      main().getByText("Error loading analysis images", { exact: true }),
    ];
    for (const failure of failures) {
      await failure.waitFor();
      await expect.poll(() => isRed(failure)).toBe(true);
    }
    await sees(page, ": No figures.");
    await sees(page, "This image could not be loaded.");
    await sees(page, reason);
    for (const name of FIGURES) await expect.poll(() => figure(name).textContent()).toBe("–");
    await expectNoBarriers(page);
    for (const [status, json, text] of [
      [500, { error: "No room." }, "Error starting visualization: No room."],
      [500, {}, "Failed to start visualization"],
      [200, { error: "No room." }, "Error starting visualization: No room."],
      [200, {}, "Failed to start visualization"],
    ] as const) {
      await answer(page, "/start_visualization", { status, json, times: 1 });
      await startButton().click();
      await main().getByRole("alert").getByText(text, { exact: true }).waitFor();
    }
  });
});

describe("missing results", () => {
  it("show a warning with a link to step 1 if there is no project", async () => {
    await page.goto("/analysis/step4");
    await page
      .getByRole("alert")
      .getByText("Project ID is missing. Please create a project first.")
      .waitFor();
    await page.getByRole("link", { name: "Create a project" }).click();
    await arrives(page, "/analysis/step1");
  });

  it("are treated as an unfinished project if the response has no list for step 7", async () => {
    await answer(page, "/status", {
      json: { status: "processing", output_files: {}, shiny_app: false, input_files: {} },
    });
    await openResults();
    await sees(page, "Results are not ready yet");
  });

  it("show dashes and a link to the workflow for an unfinished project", async () => {
    const { page: own, token, context } = await newPerson(browser, shared.url, "early");
    const { project_id: id } = await call(shared.url, "POST", "/create_project", {
      token,
      body: {
        project_name: "Early",
        analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
      },
    });
    await own.goto(`/analysis/step4?project_id=${id}`);
    await sees(own, "Results are not ready yet");
    for (const name of FIGURES) {
      const tile = own
        .locator("main")
        .getByText(name, { exact: true })
        .locator("xpath=following-sibling::*[1]");
      await expect.poll(() => tile.textContent()).toBe("–");
    }
    await expect
      .poll(() => own.getByRole("button", { name: "Start Interactive Visualization" }).isDisabled())
      .toBe(true);
    await expectNoBarriers(own);
    await own.getByRole("link", { name: "Go to Workflow Control" }).click();
    await arrives(own, "/analysis/step3");
    await context.close();
  });
});

describe("the download", () => {
  /** Makes the next download report 600 MB. */
  const large = () =>
    page.route(
      "**/api/download_output?**",
      (route) =>
        route.fulfill({
          contentType: "application/zip",
          headers: { "Content-Length": `${600 * 1024 ** 2}` },
          body: "PK",
        }),
      { times: 1 },
    );

  it("stays unlocked when another single analysis is bought", async () => {
    await page.goto("/pricing");
    await page.getByRole("article", { name: "Single Analysis" }).getByRole("button").click();
    await page.getByRole("button", { name: "Pay" }).click();
    await page.waitForURL("**/success?stripe_success=true");
    await page.getByText("Your plan is active: Single Analysis.").waitFor();
    await openResults();
    await downloadButton().waitFor();
    await expect.poll(() => page.getByText("Subscribe to Download Results").count()).toBe(0);
    await expect.poll(() => page.getByText("Trial limitations").count()).toBe(0);
  });

  it("shows the server's reason or its status", async () => {
    for (const [json, text] of [
      [
        { error: "The files are being moved." },
        "Failed to download results: The files are being moved.",
      ],
      [{}, "Download failed with status code 503"],
    ] as const) {
      await answer(page, "/download_output", { status: 503, json, times: 1 });
      await downloadButton().click();
      const message = main().getByRole("alert").getByText(text, { exact: true });
      await message.waitFor();
      // Only messages with the word Error are red; the icon and the role say that this one failed.
      await expect.poll(() => isRed(message)).toBe(false);
    }
  });

  it("shows its progress over the page, and can be canceled", async () => {
    const network = await ada.context.newCDPSession(page);
    const limit = (downloadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput,
        uploadThroughput: -1,
      });
    await limit(50_000);
    await downloadButton().click();
    const overlay = page.getByRole("dialog", { name: "Downloading results" });
    await overlay.getByText(/^Downloading: \d+% \(\d+\.\d MB \/ \d+\.\d MB\)$/).waitFor();
    await expectNoBarriers(page);
    await expectFocusKept(page, overlay);
    await overlay.getByRole("button", { name: "Cancel" }).press("Enter");
    await sees(page, "The download was canceled.");
    await overlay.waitFor({ state: "hidden" });
    await limit(-1);
  });

  it("is left to the browser for a large result where pages cannot write files", async () => {
    await large();
    await page.evaluate("window.showSaveFilePicker = undefined");
    const [download] = await Promise.all([page.waitForEvent("download"), downloadButton().click()]);
    expect(download.url()).not.toContain(shared.token);
    expect(download.suggestedFilename()).toMatch(/_analysis_results\.zip$/);
    const told = main().getByText(/so your browser is downloading it directly/);
    await told.waitFor();
    await expect.poll(() => isRed(told)).toBe(false);
    const zip = await readFile(await download.path());
    expect(zip.subarray(0, 2).toString()).toBe("PK");
  });

  it("treats a dismissed picker as Cancel for a large result, and reports if the file cannot be written", async () => {
    await large();
    await page.evaluate(
      `window.showSaveFilePicker = () => Promise.reject(new DOMException("closed", "AbortError"))`,
    );
    await downloadButton().click();
    const cancelled = main().getByText("The download was canceled.", { exact: true });
    await cancelled.waitFor();
    await expect.poll(() => isRed(cancelled)).toBe(false);
    for (const handle of [
      `{ createWritable: () => Promise.reject(new DOMException("no", "NotAllowedError")) }`,
      `{ createWritable: async () => ({ abort: async () => undefined,
           write: () => Promise.reject(new DOMException("full", "QuotaExceededError")) }) }`,
    ]) {
      await large();
      await page.evaluate(`window.showSaveFilePicker = async () => (${handle})`);
      await downloadButton().click();
      const failed = main().getByText(
        "Failed to download results: The file could not be saved. Check that your disk has enough space.",
      );
      await failed.waitFor();
      await expect.poll(() => isRed(failed)).toBe(false);
    }
  });

  it("produces a file with everything in it", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), downloadButton().click()]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    const zip = await readFile(await download.path());
    expect(zip.subarray(0, 2).toString()).toBe("PK");
    expect(zip.includes("analysis_results/output/cell_expression_processed.h5ad")).toBe(true);
    const done = main().getByText("Download completed successfully!", { exact: true });
    await done.waitFor();
    await expect.poll(() => isRed(done)).toBe(false);
    expect(ada.faults).toEqual([]);
  });
});

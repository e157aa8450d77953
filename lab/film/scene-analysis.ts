import type { Page } from "playwright-core";
import { PROJECT_NAME } from "./actors.ts";
import { closeTo, WHOLE, type Film } from "./film.ts";

/** Steps 1 to 3: name, options, files, and the run. Ends at the finished project's step 3. */
export async function filmAnalysis(
  film: Film,
  page: Page,
  outs: string,
  finished: string,
  stopRun: () => Promise<void>,
): Promise<void> {
  await filmConfiguration(film, page);
  await filmUpload(film, page, outs);
  await filmRun(film, page);
  await stopRun();
  await filmFinished(film, page, finished);
}

async function filmConfiguration(film: Film, page: Page): Promise<void> {
  await page.goto("/analysis/step1");
  await page.getByLabel("Project name").waitFor();
  film.caption("configuration");
  await film.cutTo(page);
  await film.pass(0.5);
  await film.click(page.getByLabel("Project name"), { seconds: 0.5 });
  await film.type(PROJECT_NAME);
  for (const name of [/^Visium/, /^H&E/]) {
    await film.click(page.getByRole("radio", { name }), { seconds: 0.45 });
    await film.pass(0.1);
  }
  const advanced = page.getByRole("radio", { name: /^Advanced/ });
  await advanced.scrollIntoViewIfNeeded();
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  await film.settle(true);
  await film.pass(0.3);
  await film.click(advanced, { seconds: 0.45 });
  await film.click(page.getByRole("button", { name: "Next" }), { seconds: 0.6, soft: true });
  await page.waitForURL("**/analysis/step2**");
}

/** Upload limit in bytes per second, so that progress is visible. */
const UPLOAD_PACE = 2_500_000;

async function filmUpload(film: Film, page: Page, outs: string): Promise<void> {
  const zone = page.getByRole("heading", { name: "Drop" }).locator("..");
  await zone.waitFor();
  await page.evaluate("window.scrollTo(0, 0)");
  film.caption("upload");
  await film.settle(true);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const pace = (bytes: number): Promise<unknown> =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytes,
    });
  await pace(UPLOAD_PACE);
  film.carries = true;
  await film.moveTo([1180, 660], 0.1);
  await zone.dispatchEvent("dragover");
  await film.moveTo(zone, 0.9);
  await film.settle();
  await film.pass(0.3);
  film.carries = false;
  await zone.dispatchEvent("dragleave");
  await page.locator("input[webkitdirectory]").setInputFiles(outs);
  await film.shoot();
  const first = page.getByText("barcodes.tsv.gz").first();
  await first.waitFor();
  await film.pass(0.2);
  await film.scrollTo(first, 200);
  await film.moveTo([1240, 560], 0.3);
  const all = page.getByText("All required files are uploaded.");
  for (let look = 0; look < 40 && !(await all.isVisible()); look++) {
    await film.shoot();
    await film.pass(0.12);
    await page.waitForTimeout(120);
  }
  await pace(-1);
  await all.waitFor();
  await film.settle();
  await film.pass(0.5);
  const next = page.getByRole("link", { name: "Next" });
  await next.scrollIntoViewIfNeeded();
  await film.settle(true);
  await film.click(next, { soft: true });
  await page.waitForURL("**/analysis/step3**");
}

/** The beginning of a real run, sped up. */
async function filmRun(film: Film, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Start Workflow" }).waitFor();
  film.caption("processing");
  await film.settle(true);
  await film.pass(0.4);
  await film.click(page.getByRole("button", { name: "Start Workflow" }));
  await page.getByRole("dialog").waitFor();
  await film.settle();
  await film.pass(0.6);
  await film.click(page.getByRole("button", { name: "Hide" }), { seconds: 0.5 });
  await film.moveTo([1250, 690], 0.3);
  for (let look = 0; look < 14; look++) {
    await film.shoot();
    await film.pass(0.16);
    await page.waitForTimeout(900);
    const refresh = page.getByRole("button", { name: "Refresh" });
    if (look % 2 === 1 && (await refresh.isEnabled())) await refresh.click();
  }
}

/** The finished run of the same files. */
async function filmFinished(film: Film, page: Page, finished: string): Promise<void> {
  await page.goto(`/analysis/step3?project_id=${finished}`);
  await page.getByText("100%").first().waitFor();
  await film.settle(true);
  await film.pass(0.8, { view: closeTo([640, 260], 1.08) });
  await film.pass(0.3, { view: WHOLE });
  const results = page.getByText("View results").first();
  await film.click(results, { soft: true });
  await page.waitForURL("**/analysis/step4**");
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { call, newAccount } from "./client.ts";
import { startPlatform, type Platform } from "./platform.ts";

let platform: Platform;
let browser: Browser;
let page: Page;
let folder: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-upload-"));
  [platform, browser] = await Promise.all([startPlatform(), openBrowser()]);
  await simulateTissue({
    out: join(folder, "outs"),
    sizeUm: 400,
    nGenes: 200,
    seed: 5,
  });
  token = await newAccount(platform.url, "grace@example.org");
  const context = await browser.newContext();
  await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
  page = await context.newPage();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("uploading one's own files", () => {
  it("asks for a name and for every choice", async () => {
    await page.goto(`${platform.url}/analysis/step1`);
    const next = page.getByRole("button", { name: "Next" });
    expect(await next.isDisabled()).toBe(true);
    await page.getByLabel("Project name").fill("Colon, section 4");
    await next.click();
    await page.getByText("Please complete all analysis options selections").waitFor();
    await page.getByRole("radio", { name: /^Visium/ }).click();
    await page.getByRole("radio", { name: /^H&E/ }).click();
    await page.getByRole("radio", { name: /^Basic/ }).click();
    await next.click();
    await page.waitForURL("**/analysis/step2**");
  });

  it("refuses a file of the wrong type with the reason, and keeps the rest", async () => {
    const wrong = join(folder, "notes.docx");
    await writeFile(wrong, "not a data file");
    await page.locator('input[type="file"][multiple]:not([webkitdirectory])').setInputFiles(wrong);
    await page
      .getByText(/notes\.docx/)
      .first()
      .waitFor();
  });

  it("recognises a whole Space Ranger folder and uploads its nine files", async () => {
    await page.locator("input[webkitdirectory]").setInputFiles(join(folder, "outs"));
    await expect
      .poll(() => page.getByText("Uploaded", { exact: true }).count(), { timeout: 60_000 })
      .toBe(9);
    await page.getByText("All files are there.").waitFor();
    // The image is a small one, which draws the warning and stops nothing.
    await page
      .getByText(/too small/i)
      .first()
      .waitFor();
  });

  it("still has them after a reload", async () => {
    await page.reload();
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(9);
  });

  it("starts the workflow, refuses a second one, and stops on request", async () => {
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/analysis/step3**");
    await page.getByRole("button", { name: "Start Workflow" }).click();
    await page.getByRole("dialog").getByText("Processing your data").waitFor();
    const projectId = new URL(page.url()).searchParams.get("project_id");
    await expect(
      call(platform.url, "POST", "/run_workflow", {
        token,
        body: { project_id: projectId, start_step: 0 },
      }),
    ).rejects.toThrow(/403 .*already have/);
    await call(platform.url, "POST", "/cancel_workflow", {
      token,
      body: { project_id: projectId },
    });
    await expect
      .poll(
        async () =>
          (await call(platform.url, "GET", `/status?project_id=${projectId}`, { token })).status,
      )
      .not.toMatch(/processing|pending/);
    await page.getByRole("button", { name: "Hide" }).click();
    // The page asks every ten seconds.
    await page.getByRole("button", { name: /Start Workflow|Resume Workflow/ }).waitFor();
  });
});

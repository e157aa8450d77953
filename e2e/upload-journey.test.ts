import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { expectNoBarriers } from "./barriers.ts";
import { dropFolder } from "./drop-folder.ts";
import { answer, newPerson, sees, type Person } from "./person.ts";
import { writeReference } from "./reference-file.ts";
import { finishedSample } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let person: Person;
let page: Page;
let folder: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-upload-"));
  // The worker must be idle: runs started here must start immediately.
  [{ url }, browser] = await Promise.all([finishedSample(), openBrowser()]);
  await simulateTissue({
    out: join(folder, "outs"),
    sizeUm: 400,
    nGenes: 200,
    seed: 5,
  });
  person = await newPerson(browser, url, "grace");
  ({ page, token } = person);
}, 400_000);

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const choice = (name: RegExp) => page.getByRole("radio", { name });

describe("uploading files", () => {
  it("asks for a name, every option, and a resolution for HD bins", async () => {
    await page.goto("/analysis/step1");
    const next = page.getByRole("button", { name: "Next" });
    await expect.poll(() => next.isDisabled()).toBe(true);
    const name = page.getByLabel("Project name");
    await name.fill("   ");
    await expect.poll(() => next.isDisabled()).toBe(true);
    await name.press("Enter");
    await name.fill("Colon, section 4");
    await next.click();
    await sees(page, "Please complete all analysis options selections");
    await expectNoBarriers(page);
    await choice(/^HD Visium/).click();
    await choice(/^H&E/).click();
    await choice(/^Basic/).click();
    await next.click();
    await sees(page, "Please select a resolution for HD Visium analysis");
    await choice(/^8x/).waitFor();
    await choice(/^16x/).waitFor();
    await expectNoBarriers(page);
    await choice(/^Visium/).click();
    await expect.poll(() => choice(/^8x/).count()).toBe(0);
    await page.getByText("Species, tissue, segmentation, reference").click();
    await page.getByLabel("Species", { exact: true }).selectOption({ label: "human" });
    await page.getByLabel("Reference (.h5ad)").setInputFiles({
      name: "cells.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a"),
    });
    await sees(page, "The reference must be an .h5ad file.");
    await expectNoBarriers(page);
  });

  it("reports why a project could not be created, then creates it", async () => {
    const next = page.getByRole("button", { name: "Next" });
    await answer(page, "/create_project", { status: 400, json: { error: "No room." }, times: 1 });
    await next.click();
    await sees(page, "Error: No room.");
    await answer(page, "/create_project", { status: 500, times: 1 });
    await next.click();
    await sees(page, "Error: Failed to create project");
    const asked = page.waitForRequest("**/api/create_project");
    await next.click();
    await sees(page, "Project created successfully! Proceeding to file upload...");
    expect((await asked).postDataJSON()).toEqual({
      project_name: "Colon, section 4",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
      settings: { species: "human" },
    });
    await page.waitForURL("**/analysis/step2**");
  });

  it("recognizes a dropped Space Ranger folder, and uploads its nine files", async () => {
    await page.getByText("Still missing:").waitFor();
    await dropFolder(person, join(folder, "outs"));
    await sees(page, "All required files are uploaded.");
    // The small image triggers a warning but blocks nothing.
    await sees(page, /seems too small .*full resolution image/);
    await expectNoBarriers(page);
  });

  it("still has them after a reload", async () => {
    await page.reload();
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(9);
  });

  it("keep when a wrong platform is corrected", async () => {
    const name = page.getByLabel("Project name");
    await page.goBack();
    await expect.poll(() => name.inputValue()).toBe("Colon, section 4");
    await page.goForward();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await expect.poll(() => name.inputValue()).toBe("Colon, section 4");
    await expectNoBarriers(page);
    await choice(/^HD Visium/).click();
    // Renamed in another browser, which the page finds out when it is looked at again.
    const id = new URL(page.url()).searchParams.get("project_id");
    await call(url, "POST", `/projects/${id}/name`, { token, body: { project_name: "Colon 4" } });
    const renamed = async (): Promise<string> => {
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
      return name.inputValue();
    };
    await expect.poll(renamed).toBe("Colon 4");
    await choice(/^8x/).click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Colon 4", { exact: true }).waitFor();
    await sees(page, /describes the hexagonal array .*set the platform to Visium\.$/);
    await sees(page, /HD Visium · H&E · Basic · 8x/);
    await page.getByRole("link", { name: "Change the configuration" }).click();
    await choice(/^Visium/).click();
    await page.getByRole("button", { name: "Next" }).click();
    await sees(page, "All required files are uploaded.");
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(9);
  });

  it("removes a file uploaded by mistake", async () => {
    await page.getByRole("button", { name: "Remove Tissue image, low resolution" }).click();
    await sees(page, "tissue_lowres_image.png was removed");
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(8);
    await sees(page, "All required files are uploaded.");
  });

  it("starts the workflow; the next user waits in the queue", async () => {
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/analysis/step3**");
    await page.getByRole("button", { name: "Start Workflow" }).click();
    await page.getByRole("dialog").getByText("Processing your data").waitFor();
    const projectId = new URL(page.url()).searchParams.get("project_id");
    await expect(
      call(url, "POST", "/run_workflow", { token, body: { project_id: projectId, start_step: 0 } }),
    ).rejects.toThrow(/403 .*already have/);

    const next = await newPerson(browser, url, "next");
    await next.page.goto("/dashboard");
    await next.page.getByRole("button", { name: "Try the sample dataset" }).first().click();
    // It starts automatically.
    await next.page.waitForURL("**/analysis/step3**");
    await next.page
      .getByRole("dialog", { name: "Waiting in the queue" })
      .getByText("Position 1", { exact: true })
      .waitFor();
    await next.page.getByRole("button", { name: "Hide" }).click();
    await next.page.getByRole("button", { name: "In Queue (Position: 1)" }).waitFor();
    await next.page.getByRole("button", { name: "Cancel run" }).click();
    await next.page.getByRole("alertdialog").getByRole("button", { name: "Cancel run" }).click();
    await next.page.getByRole("button", { name: "Start Workflow" }).waitFor();

    await call(url, "POST", "/cancel_workflow", { token, body: { project_id: projectId } });
    await expect
      .poll(
        async () => (await call(url, "GET", `/status?project_id=${projectId}`, { token })).status,
      )
      .not.toMatch(/processing|pending/);
    await page.getByRole("button", { name: "Hide" }).click();
    // The page polls every ten seconds.
    await page.getByRole("button", { name: /Start Workflow|Resume Workflow/ }).waitFor();
    expect([...person.faults, ...next.faults]).toEqual([]);
  });

  // Takes minutes: two runs.
  it.runIf(process.env["LONG_TESTS"])(
    "finishes, and becomes an advanced analysis by adding a reference, without another upload or analysis",
    async () => {
      const analyses = async () =>
        (await call(url, "GET", "/verify-subscription", { token })).analyses_count;
      await page.getByRole("button", { name: /Start Workflow|Resume Workflow/ }).click();
      const results = page.getByRole("button", { name: "View results" });
      await results.click({ timeout: 240_000 });
      await page.getByRole("link", { name: /^Open Report/ }).waitFor();
      const counted = await analyses();

      await page.getByRole("button", { name: "Change and Run Again" }).click();
      const dialog = page.getByRole("dialog", { name: "Change and run again" });
      await dialog.getByRole("radio", { name: "Advanced" }).check();
      const reference = join(folder, "true-cells.h5ad");
      await writeReference(reference, join(folder, "outs"));
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        dialog.getByRole("button", { name: /^Choose/ }).click(),
      ]);
      await chooser.setFiles(reference);
      await dialog.getByText("Uploaded", { exact: true }).waitFor();
      await dialog.getByText(/^\d steps run again\./).waitFor();
      await dialog.getByText("This won't use one of your analyses.").waitFor();
      await dialog.getByRole("button", { name: "Run Again" }).click();
      await page.waitForURL("**/analysis/step3**");
      await results.click({ timeout: 240_000 });
      await page.getByRole("link", { name: /^Open Report/ }).waitFor();

      await expect(analyses()).resolves.toBe(counted);
      const projectId = new URL(page.url()).searchParams.get("project_id")!;
      const view = await call(url, "POST", `/start_visualization?project_id=${projectId}`, {
        token,
      });
      const link = new URL((view as { url: string }).url).pathname;
      const { spatial } = await call(url, "GET", `${link}/statistics`, { token });
      expect(spatial).not.toBeNull();
      const status = await call(url, "GET", `/status?project_id=${projectId}`, { token });
      expect(String(status.output_files.step_5)).toContain("spot_proportions.csv");
      expect(person.faults).toEqual([]);
    },
    600_000,
  );
});

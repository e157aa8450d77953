import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { alter, newPerson, restore, sees, type Person } from "./person.ts";
import { writeReference } from "./reference-file.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let person: Person;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-reference-journey-"));
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  await simulateTissue({ out: join(folder, "tissue"), sizeUm: 300, nGenes: 200, seed: 5 });
  await writeReference(join(folder, "colon-cells.h5ad"), join(folder, "tissue"));
  person = await newPerson(browser, url, "rosa");
  ({ page } = person);
}, 400_000);
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const api = (method: string, path: string, body?: unknown) =>
  call(url, method, path, { token: person.token, ...(body !== undefined && { body }) });

describe("keeping a reference", () => {
  it("keeps one that was uploaded to a project, with its source and citation", async () => {
    const { project_id: id } = await api("POST", "/create_sample_project");
    // Results to make again, which would take minutes.
    await alter(page, "/status", {
      status: "completed",
      output_files: { step_7: ["report.html"] },
    });
    await page.goto(`/analysis/step4?project_id=${id}&change=basic`);
    const dialog = page.getByRole("dialog", { name: "Change and run again" });
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      dialog.getByRole("button", { name: /^Choose/ }).click(),
    ]);
    await chooser.setFiles(join(folder, "colon-cells.h5ad"));
    await dialog.getByText("Uploaded", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Keep this reference" }).click();
    const form = dialog.getByRole("form", { name: "Keep this reference" });
    await expect.poll(() => form.getByLabel("Name").inputValue()).toBe("colon-cells");
    const keep = form.getByRole("button", { name: "Keep", exact: true });
    await expect.poll(() => keep.isDisabled()).toBe(true);
    await form.getByLabel("Tissue").fill("colon");
    await form.getByLabel("Column of labels").fill("celltype");
    await keep.click();
    await form
      .getByText(
        /^The reference colon-cells\.h5ad has no column celltype in obs: choose one of cell_type/,
      )
      .waitFor();
    await expectNoBarriers(page);
    await form.getByLabel("Column of labels").fill("");
    await form.getByLabel("Citation").fill("Doe et al. 2020");
    await keep.click();
    await page.getByText("colon-cells is kept for your other projects.").waitFor();
    await dialog.getByText("Doe et al. 2020").waitFor();
    await expectNoBarriers(page);
  });

  it("offers it for a new project by tissue, and fills that project's slot", async () => {
    await restore(page);
    await page.goto("/analysis/step1");
    await page.getByLabel("Project name").fill("Colon again");
    for (const name of [/^Visium/, /^H&E/, /^Basic/])
      await page.getByRole("radio", { name }).click();
    await page.getByText("Species, tissue, segmentation, reference").click();
    const choice = page.getByLabel("Kept reference");
    await choice.selectOption({ label: "blood-pbmc68k (human, built in)" });
    await sees(page, "Zheng et al. 2017, Nature Communications 8:14049");
    await expect
      .poll(() => page.getByRole("button", { name: "Remove from kept references" }).count())
      .toBe(0);
    await choice.selectOption({ label: "colon-cells (human, yours)" });
    await expect
      .poll(() =>
        choice
          .locator("optgroup")
          .evaluateAll((all) => all.map((one) => one.getAttribute("label"))),
      )
      .toEqual(["blood", "intestine"]);
    await sees(page, /^\d+ cells, \d+ labels: /);
    await sees(page, "colon-cells.h5ad");
    await sees(page, "Doe et al. 2020");
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForURL("**/analysis/step2**");
    await sees(page, /^colon-cells\.h5ad · /);
    const id = new URL(page.url()).searchParams.get("project_id");
    await expect(api("GET", `/upload/reference/chunks?project_id=${id}`)).resolves.toMatchObject({
      file_name: "colon-cells.h5ad",
      complete: true,
    });
  });

  it("removes it; a project that uses it keeps its copy", async () => {
    await page.goto("/analysis/step1");
    await page.getByText("Species, tissue, segmentation, reference").click();
    const choice = page.getByLabel("Kept reference");
    await choice.selectOption({ label: "colon-cells (human, yours)" });
    await page.getByRole("button", { name: "Remove from kept references" }).click();
    await sees(page, "Removed colon-cells. Projects that use it keep their copy.");
    await expect
      .poll(() => choice.getByRole("option").allTextContents())
      .toEqual(["None", "blood-pbmc68k (human, built in)"]);
    await expect(api("GET", "/references")).resolves.toMatchObject([{ name: "blood-pbmc68k" }]);
    expect(person.faults).toEqual([]);
  });
});

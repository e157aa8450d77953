import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERRORS, EXPORTS_FOLDER, STEP_NUMBERS, stepFolder, type Study } from "@stipple/contract";
import { writeSimulatedSample } from "@stipple/pipeline/internal/study/testing/simulated-sample";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { placeInAccount } from "./project-on-platform.ts";
import { sharedPlatform, type SharedPlatform } from "./shared-platform.ts";

let shared: SharedPlatform;
let browser: Browser;
let ada: Person;
let grace: Person;
let study: string;

const NAMES = ["S1", "S2", "S3", "S4"] as const;
const CONDITIONS = ["normal", "normal", "tumor", "tumor"] as const;

/** Four small samples with the results that comparisons read, as if they had been analyzed; two of a tumor. */
beforeAll(async () => {
  [shared, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  ada = await newPerson(browser, shared.url, "study");
  grace = await openPerson(browser, shared.url);
  for (const [at, name] of NAMES.entries()) {
    const folder = await mkdtemp(join(tmpdir(), "stipple-study-"));
    await writeResults(folder, at);
    await placeInAccount(shared, ada.token, folder, name);
    await rm(folder, { recursive: true });
  }
}, 300_000);
afterAll(() => browser?.close());

async function writeResults(folder: string, at: number): Promise<void> {
  for (const step of STEP_NUMBERS) await mkdir(join(folder, stepFolder(step)), { recursive: true });
  const isTumor = CONDITIONS[at] === "tumor";
  await writeSimulatedSample(folder, {
    ...{ cells: 300, genes: 200, umis: 300, batch: 0.2, bleed: 0, seed: at + 1 },
    ...{ shares: isTumor ? [0.3, 0.7] : [0.7, 0.3], condition: isTumor ? 1 : 0 },
  });
  await mkdir(join(folder, EXPORTS_FOLDER), { recursive: true });
  const figures = {
    ...{ reliableGenes: 30, heldoutCorrelation: 0.4, spotsOnTissue: 1 },
    ...{ tissueBlurred: at / 10, tissueObscured: 0 },
  };
  const statistics = {
    ...{ total_spots: 50, total_cells: 300, total_genes: 200 },
    verdict: { grade: "good", figures },
  };
  const quality = { medianCountsPerSpot: 900, medianGenesPerSpot: 38 };
  for (const [name, content] of Object.entries({
    statistics,
    provenance: { settings: { platform: "visium" }, sample: { quality } },
  })) {
    await writeFile(join(folder, EXPORTS_FOLDER, `${name}.json`), JSON.stringify(content));
  }
}

const stored = (): Promise<Study> =>
  call(shared.url, "GET", `/studies/${study}`, { token: ada.token }) as Promise<Study>;
const designOnly = (sample: Study["samples"][number]) => {
  const { project_id, name, condition, patient, batch, more } = sample;
  return { project_id, name, condition, patient, batch, more };
};
const button = (name: string) => ada.page.getByRole("button", { name, exact: true });

describe("a study", () => {
  it("is made from the projects page", async () => {
    const { page } = ada;
    await page.goto("/projects");
    await page.getByRole("main").getByRole("link", { name: "Studies", exact: true }).click();
    await arrives(page, "/studies");
    await button("New Study").click();
    const dialog = page.getByRole("dialog");
    await button("Create study").click();
    await sees(page, "Please enter a name");
    await dialog.getByLabel("Study name").fill("Sections");
    for (const name of NAMES)
      await dialog.getByRole("checkbox", { name: new RegExp(name) }).check();
    await button("Create study").click();
    await page.getByRole("heading", { name: "Sections", exact: true }).waitFor();
    study = new URL(page.url()).pathname.split("/").at(-1)!;
    const { samples } = await stored();
    expect(samples.map(({ name }) => name).toSorted()).toEqual(NAMES);
  });

  it("has a design, which is edited as a table", async () => {
    const { page } = ada;
    await page.getByRole("textbox", { name: "Condition of S1" }).fill("tumor");
    await sees(page, "Changes are not saved yet.");
    await button("Add column").click();
    await page.getByRole("dialog").getByLabel("Name of the column").fill("slide");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("textbox", { name: "slide of S1" }).fill("V1");
    await button("Save").click();
    await sees(page, "Saved.");
    await sees(page, "Fill in two conditions and save to compare them.");
    const rows = NAMES.map((name, at) => `${name},${CONDITIONS[at]},6${at}`);
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "design.csv", mimeType: "text/csv" },
      buffer: Buffer.from(`sample,condition,age\n${rows.join("\n")}\n`),
    });
    await sees(page, "4 rows imported. Save to keep them.");
    await button("Save").click();
    await sees(page, "Saved.");
    await expect.poll(stored).toMatchObject({ columns: ["slide", "age"] });
    const first = (await stored()).samples.find(({ name }) => name === "S1");
    expect(first).toMatchObject({ condition: "normal", more: { slide: "V1", age: "60" } });
  });

  it("has its samples in the order that is chosen", async () => {
    const { page } = ada;
    const names = async () => (await stored()).samples.map(({ name }) => name);
    const [first, second, ...rest] = await names();
    await expect(button(`Move ${first} up`).isDisabled()).resolves.toBe(true);
    const focused = () => page.locator(":focus").getAttribute("aria-label");
    await button(`Move ${second} up`).press("Enter");
    await expect.poll(focused).toBe("Samples and design");
    await button("Save").click();
    await sees(page, "Saved.");
    await expect(names()).resolves.toEqual([second, first, ...rest]);
    for (const gone of [`Remove ${first} from the study`, "Remove column slide"]) {
      await button(gone).press("Enter");
      await expect.poll(() => button(gone).count()).toBe(0);
      await expect.poll(focused).toBe("Samples and design");
    }
    await button("Discard changes").click();
    const rows = page.getByRole("table", { name: "Quality side by side" }).getByRole("row");
    await expect.poll(() => rows.nth(1).textContent()).toMatch(new RegExp(`^${second}`));
  });

  it("keeps what is typed while it is saved", async () => {
    const { page } = ada;
    const held = Promise.withResolvers<void>();
    const path = `**/api/studies/${study}`;
    await page.route(path, async (route) => {
      if (route.request().method() === "POST") await held.promise;
      await route.continue();
    });
    const slide = page.getByRole("textbox", { name: "slide of S2" });
    await slide.fill("V");
    await button("Save").click();
    await slide.fill("V2");
    held.resolve();
    await sees(page, "Saved.");
    await page.unroute(path);
    await expect.poll(() => slide.inputValue()).toBe("V2");
    await button("Save").click();
    await expect
      .poll(async () => (await stored()).samples.find(({ name }) => name === "S2"))
      .toMatchObject({ more: { slide: "V2" } });
    // The page knows it as well.
    await expect.poll(() => button("Discard changes").count()).toBe(0);
  });

  it("keeps what is not saved when the page is left and loaded again", async () => {
    const { page } = ada;
    const slide = page.getByRole("textbox", { name: "slide of S3" });
    await slide.fill("V9");
    await page.getByRole("link", { name: "S3", exact: true }).click();
    await arrives(page, "/analysis/step4");
    await page.goBack();
    await expect.poll(() => slide.inputValue()).toBe("V9");
    await page.reload();
    await expect.poll(() => slide.inputValue()).toBe("V9");
    await sees(page, "Changes are not saved yet.");
    await button("Save").click();
    await sees(page, "Saved.");
    await page.reload();
    await expect.poll(() => slide.inputValue()).toBe("V9");
    await expect.poll(() => page.getByText("Changes are not saved yet.").count()).toBe(0);
    await slide.fill("mistaken");
    await page.reload();
    await button("Discard changes").click();
    await expect.poll(() => slide.inputValue()).toBe("V9");
    await expect.poll(() => button("Discard changes").count()).toBe(0);
  });

  it("knows what was saved while the page was left", async () => {
    const { page } = ada;
    const slide = page.getByRole("textbox", { name: "slide of S3" });
    const answered = Promise.withResolvers<void>();
    const path = `**/api/studies/${study}`;
    await page.route(path, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const response = await route.fetch();
      await answered.promise;
      await route.fulfill({ response });
    });
    await slide.fill("V10");
    await button("Save").click();
    await page.getByRole("link", { name: "S3", exact: true }).click();
    await page.getByRole("heading", { name: "Step 4 Results" }).waitFor();
    answered.resolve();
    await expect.poll(() => page.evaluate("window.callsUnderWay")).toBe(0);
    await page.unroute(path);
    await page.goBack();
    await expect.poll(() => slide.inputValue()).toBe("V10");
    await expect.poll(() => button("Discard changes").count()).toBe(0);
    await slide.fill("V9");
    await button("Save").click();
    await sees(page, "Saved.");
  });

  it("does not overwrite what was changed elsewhere", async () => {
    const { page } = ada;
    const cell = (name: string) => page.getByRole("textbox", { name });
    await cell("slide of S2").fill("V3");
    const { columns, samples } = await stored();
    const body = {
      columns,
      samples: samples.map((one) => ({ ...designOnly(one), more: { ...one.more, age: "70" } })),
    };
    await call(shared.url, "POST", `/studies/${study}`, { token: ada.token, body });
    await button("Save").click();
    await sees(page, /^Not saved, because the study was changed elsewhere\./);
    await expect.poll(() => cell("age of S1").inputValue()).toBe("70");
    await button("Save").click();
    await sees(page, "Saved.");
    const more = { slide: "V3", age: "70" };
    expect((await stored()).samples.find(({ name }) => name === "S2")).toMatchObject({ more });
  });

  it("shows the quality of its samples, and what differs between conditions", async () => {
    const { page } = ada;
    const quality = page.getByRole("table", { name: "Quality side by side" });
    await quality.getByRole("cell", { name: "Good", exact: true }).nth(3).waitFor();
    await quality.getByRole("cell", { name: "70%", exact: true }).waitFor();
    await page.getByRole("img", { name: "Clear image: 70% (S4) to 100% (S1)" }).waitFor();
    await sees(page, /^2 units of tumor are compared with 2 of normal;/);
    await sees(page, "The share of 2 of 2 cell types differs at a false discovery rate of 5%.");
    const composition = page.getByRole("table", { name: "Composition" });
    await composition.getByRole("row", { name: /^Type 1 / }).waitFor();
    await page
      .getByRole("table", { name: "Genes of Type 0" })
      .getByText(/^G\d+$/)
      .first()
      .waitFor();
    await page.getByRole("img", { name: /^Genes of Type 0/ }).waitFor();
    await page
      .getByText(/has no spatial statistics: run it again/)
      .first()
      .waitFor();
    await expectNoBarriers(page);
  });

  it("compares the cells in a region that all its samples have", async () => {
    const { page } = ada;
    await expect.poll(() => page.getByLabel("Cells", { exact: true }).count()).toBe(0);
    // The left half of the cells.
    const corners = [
      [-5, -5],
      [95, -5],
      [95, 200],
      [-5, 200],
    ];
    const draw = async (projectId: string | null, name: string, revision = 0): Promise<void> => {
      const value = { name, class: null, color: "#aa0000", polygons: [[corners]], excluded: false };
      const changes = [{ id: "r", kind: "region", value, revision }];
      const body = { id: crypto.randomUUID(), changes };
      const path = `/projects/${projectId}/annotations`;
      await call(shared.url, "POST", path, { token: ada.token, body });
    };
    const { samples } = await stored();
    for (const { project_id } of samples) await draw(project_id, "Core");
    await page.reload();
    await page.getByLabel("Cells", { exact: true }).selectOption("In region Core");
    await sees(page, 'Only cells in the regions called "Core" are compared.');
    await page.getByLabel("Cell type to show").selectOption("All cells");
    await page.getByRole("img", { name: /^Genes of All cells/ }).waitFor();
    await expectNoBarriers(page);
    // Back from a view where the region got another name.
    await draw(samples[0]!.project_id, "Border", 1);
    const refusal = page.getByText(/ has no region called "Core": draw one in its view/);
    await expect
      .poll(async () => {
        await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
        return refusal.count();
      })
      .toBe(1);
    await page.getByLabel("Cells", { exact: true }).selectOption("All cells");
    await page
      .getByText(/has no spatial statistics/)
      .first()
      .waitFor();
  });

  it("has all cells in one space", async () => {
    const { page } = ada;
    await button("Place in one space").click();
    const points = (by: string) =>
      page.getByRole("img", { name: `UMAP, after correction: 1,200 points colored by ${by}` });
    await points("sample").waitFor();
    await page.getByRole("radio", { name: "Condition" }).check();
    await points("condition").waitFor();
    const legend = page.getByRole("list", { name: "Legend" });
    await legend.getByText("tumor", { exact: true }).waitFor();
    const clusters = page.getByRole("table", { name: "Shares of the joint clusters" });
    await clusters.getByRole("columnheader", { name: "S4" }).waitFor();
    await expectNoBarriers(page);
  });

  it("shows a guest what differs, and all cells in one space", async () => {
    const { page } = grace;
    const body = { days: 7, note: "" };
    const { url } = await call(shared.url, "POST", `/studies/${study}/shares`, {
      ...{ token: ada.token, body },
    });
    await page.goto(url as string);
    await sees(page, /^2 units of tumor are compared with 2 of normal;/);
    const composition = page.getByRole("table", { name: "Composition" });
    await composition.getByRole("row", { name: /^Type 1 / }).waitFor();
    await page.getByRole("img", { name: /^Genes of Type 0/ }).waitFor();
    await page.getByRole("button", { name: "Place in one space", exact: true }).click();
    const plot = "UMAP, after correction: 1,200 points colored by sample";
    await page.getByRole("img", { name: plot }).waitFor();
    const clusters = page.getByRole("table", { name: "Shares of the joint clusters" });
    await clusters.getByRole("columnheader", { name: "S4" }).waitFor();
    // Trials give no files away, not even to guests.
    await expect.poll(() => page.getByText("Tables, report, and R code").count()).toBe(0);
    await expectNoBarriers(page);
  });

  it("says why there is no comparison, and to a guest who can change that", async () => {
    const owner = "Only the study's owner can change its samples and its table.";
    const { columns, samples } = await stored();
    const change = async (of: readonly Study["samples"][number][]): Promise<void> => {
      const body = { columns, samples: of.map(designOnly) };
      await call(shared.url, "POST", `/studies/${study}`, { token: ada.token, body });
      await Promise.all([ada.page.reload(), grace.page.reload()]);
    };
    const refused = async (reason: string): Promise<void> => {
      for (const { page } of [ada, grace]) await sees(page, reason);
      await sees(grace.page, owner);
      await expect.poll(() => ada.page.getByText(owner).count()).toBe(0);
    };
    await change(samples.map((one) => ({ ...one, batch: one.condition })));
    await refused(
      'Conditions and batches cannot be told apart: no batch has both "normal" and "tumor"; leave the batch out, or add samples.',
    );
    await expectNoBarriers(grace.page);
    await change(samples.filter(({ name }) => name !== "S2"));
    await refused(
      'Only one patient has the condition "normal", but a comparison needs at least two patients in each group: add samples.',
    );
    await change(samples.slice(0, 1));
    await sees(ada.page, "Fill in two conditions and save to compare them.");
    await sees(ada.page, "Add a second sample to place both in one space.");
    await change(samples);
    const { project_id: id } = samples.find(({ name }) => name === "S4")!;
    await call(shared.url, "DELETE", `/projects/${id}`, { token: ada.token });
    await Promise.all([ada.page.reload(), grace.page.reload()]);
    await refused("The results of S4 have ended with its project: remove it from the study.");
    expect(grace.faults).toEqual([]);
  });

  it("gives no files away in a trial", async () => {
    const { page } = ada;
    await button("Download Report of all samples").click();
    await sees(page, ERRORS.download_not_in_trial.error);
  });

  it("is deleted, and its projects stay", async () => {
    const { page } = ada;
    await button("Delete").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await arrives(page, "/studies");
    await sees(page, 'Study "Sections" deleted.');
    const projects = await call(shared.url, "GET", "/projects", { token: ada.token });
    expect(projects).toHaveLength(NAMES.length - 1);
    await page.goto(`/studies/${study}`);
    await sees(page, "Failed to load study: Study not found.");
    expect(ada.faults).toEqual([]);
  });
});

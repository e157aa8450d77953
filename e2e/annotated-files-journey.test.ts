import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { buyPlan, call } from "./client.ts";
import { csvRows, downloadedPart, openH5ad, textInZip } from "./downloaded-files.ts";
import { dropFolder } from "./drop-folder.ts";
import { newPerson, sees, type Person } from "./person.ts";
import { startPlatform, type Platform } from "./platform.ts";

/** A type renamed and a region drawn in the view are in every file of the next run. On a platform of its own: it runs twice. */
let folder: string;
let platform: Platform;
let browser: Browser;
let person: Person;
let page: Page;
let projectId: string;
let renamed: string;
let inRegion: number;

const isLong = process.env["LONG_TESTS"] !== undefined;
const RUN_MS = 600_000;
const press = (name: string | RegExp, on: Page = page) =>
  on.getByRole("button", { name, exact: true }).click();

beforeAll(async () => {
  if (!isLong) return;
  folder = await mkdtemp(join(tmpdir(), "stipple-annotated-"));
  [platform, browser] = await Promise.all([startPlatform(), openBrowser({ webgl: true })]);
  await simulateTissue({
    ...{ out: join(folder, "outs"), sizeUm: 320, umPerPx: 0.8, nGenes: 220, seed: 3 },
  });
  person = await newPerson(browser, platform.url, "ada");
  ({ page } = person);
  // Trial accounts take no files away.
  await buyPlan(platform.url, person.token, "Single Analysis");
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await platform?.close();
  if (folder) await rm(folder, { recursive: true });
});

it.runIf(isLong)(
  "analyzes a small sample",
  async () => {
    await page.goto("/analysis/step1");
    await page.getByLabel("Project name").fill("Annotated");
    for (const choice of [/^Visium/, /^H&E/, /^Basic/]) {
      await page.getByRole("radio", { name: choice }).click();
    }
    await press("Next");
    await page.waitForURL("**/analysis/step2**");
    await dropFolder(person, join(folder, "outs"));
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/analysis/step3**");
    projectId = new URL(page.url()).searchParams.get("project_id")!;
    await press("Start Workflow");
    await page.getByRole("button", { name: "View results" }).click({ timeout: RUN_MS });
    await page.getByRole("link", { name: /^Open Report/ }).waitFor();
  },
  RUN_MS + 60_000,
);

it.runIf(isLong)("renames a type and draws a region in the view, for the next run", async () => {
  const { token } = person;
  const view = await call(platform.url, "POST", `/start_visualization?project_id=${projectId}`, {
    token,
  });
  const open = await person.context.newPage();
  await open.goto(`${new URL(view.url as string).pathname}?view=tissue`);
  const tissue = open.getByRole("application", { name: /^Tissue/ });
  await tissue.waitFor();
  await open.locator("[inert]").first().waitFor({ state: "detached" });
  const edit = open.getByRole("button", { name: /^Rename or recolor / }).first();
  renamed = (await edit.getAttribute("aria-label"))!.replace("Rename or recolor ", "");
  await edit.click();
  const name = open.getByRole("textbox", { name: `Name of ${renamed}` });
  await name.fill("Our own type");
  await name.press("Enter");
  await press("Regions", open);
  await press("Polygon", open);
  await sees(open, "Polygon is ready.");
  const { x, y, width, height } = (await tissue.boundingBox())!;
  for (const [across, down] of [
    [0.4, 0.35],
    [0.6, 0.35],
    [0.6, 0.65],
    [0.4, 0.65],
  ] as const) {
    await open.mouse.click(x + across * width, y + down * height);
  }
  await open.keyboard.press("Enter");
  const row = open.getByRole("button", { name: /^Region 1/ }).first();
  await expect.poll(() => row.textContent()).toMatch(/Region 1[\d,]+$/);
  inRegion = Number(/([\d,]+)$/.exec((await row.textContent())!.replace("Region 1", ""))![1]);
  expect(inRegion).toBeGreaterThan(5);
  await press("Notes", open);
  await sees(open, "All changes are saved in the project.");
  await press("Use in the next run", open);
  await open
    .getByText(/Run the analysis again from the project's page\.$/)
    .first()
    .waitFor();
  await open.close();
});

it.runIf(isLong)(
  "finds name, region, and author in the files of the next run, for which one step is repeated",
  async () => {
    await press("Change and Run Again");
    const dialog = page.getByRole("dialog", { name: "Change and run again" });
    await dialog.getByText(/^1 step runs again\./).waitFor();
    await dialog.getByRole("button", { name: "Run Again" }).click();
    await page.waitForURL("**/analysis/step3**");
    await page.getByRole("button", { name: "View results" }).click({ timeout: RUN_MS });
    await page.getByRole("link", { name: /^Open Report/ }).waitFor();

    const part = (id: Parameters<typeof downloadedPart>[3]) =>
      downloadedPart(platform.url, person.token, projectId, id);
    const cells = csvRows(textInZip(await part("tables"), "cell_metadata.csv"));
    const ours = cells.filter((cell) => cell["cell_type_annotated"] === "Our own type");
    expect(ours.length).toBeGreaterThan(0);
    expect(new Set(ours.map((cell) => cell["cell_type"]))).toEqual(new Set([renamed]));
    const inside = cells.filter((cell) => cell["tissue_region"] === "Region 1");
    expect(inside.length).toBe(inRegion);
    for (const cell of cells) {
      const distance = Number(cell["distance_to_Region_1_um"]);
      expect(inside.includes(cell) ? distance <= 0 : distance >= 0).toBe(true);
    }

    using h5ad = await openH5ad(await part("h5ad"), folder);
    expect(h5ad.labels("cell_type_annotated")).toEqual(
      cells.map((cell) => cell["cell_type_annotated"]),
    );
    expect(h5ad.labels("tissue_region")).toEqual(cells.map((cell) => cell["tissue_region"]));
    expect(h5ad.texts("uns/stipple/regions/name")).toEqual(["Region 1"]);
    expect(h5ad.texts("uns/stipple/regions/author")).toEqual(["member 1"]);

    const outlines = JSON.parse(textInZip(await part("outlines"), "cells.geojson")) as {
      features: { properties: { classification: { name: string } } }[];
    };
    const classed = outlines.features.filter(
      ({ properties }) => properties.classification.name === "Our own type",
    );
    expect(classed.length).toBe(ours.length);

    const report = (await part("report")).toString();
    expect(report).toMatch(/id="regions"[\s\S]*Region 1[\s\S]*member 1/);
    expect(report).toMatch(/id="annotations"[\s\S]*Our own type/);
    for (const text of [report, JSON.stringify(cells)]) expect(text).not.toContain(person.email);
    expect(person.faults).toEqual([]);
  },
  RUN_MS + 120_000,
);

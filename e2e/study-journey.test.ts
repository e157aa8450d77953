import type { Study, StudyComparison } from "@stipple/contract";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { answer, arrives, openPerson, restore, sees, type Person } from "./person.ts";
import { finishedSample, type SharedPlatform } from "./shared-platform.ts";

let shared: SharedPlatform;
let browser: Browser;
let ada: Person;
let study: string;

beforeAll(async () => {
  [shared, browser] = await Promise.all([finishedSample(), openBrowser()]);
  ada = await openPerson(browser, shared.url, { token: shared.token });
}, 600_000);
afterAll(() => browser?.close());

const stored = (): Promise<Study> =>
  call(shared.url, "GET", `/studies/${study}`, { token: shared.token }) as Promise<Study>;
const button = (name: string) => ada.page.getByRole("button", { name, exact: true });

/** What four finished samples would show; they would take minutes. */
const COMPARISON: StudyComparison = {
  groups: ["normal", "tumor"],
  summary: ["2 units of tumor are compared with 2 of normal."],
  composition: [
    {
      ...{ type: "T cell", shares: [0.1, 0.2], odds_ratio: 2.25, low: 1.3, high: 3.9 },
      ...{ p: 0.01, fdr: 0.02 },
      units: unitsOf([0.09, 0.11, 0.19, 0.21]),
    },
  ],
  expression: [
    {
      ...{ type: "T cell", refusal: null, units: 4, genes: 812, different: 1 },
      top: [{ gene: "GZMB", log2_fold_change: 1.8, low: 1.1, high: 2.5, p: 0.00002, fdr: 0.016 }],
      points: [
        ["GZMB", 1.8, 4.7, true],
        ["CD3E", -0.2, 0.3, false],
      ],
    },
    {
      ...{ type: "Mast cell", units: 0, genes: 0, different: 0, top: [], points: [] },
      refusal: 'Units with at least 10 cells: No patient has the condition "tumor".',
    },
  ],
  space: [
    {
      ...{ title: "Which types are neighbors", of: "types", measure: "log2 ratio" },
      ...{ sentence: "1 of 1 pair of types differs.", refusal: null, reliability: "So far." },
      rows: [
        {
          ...{ name: "B cell – T cell", means: [0.1, 0.9], units: unitsOf([0, 0.2, 0.8, 1]) },
          ...{ difference: 0.8, low: 0.3, high: 1.3, p: 0.01, fdr: 0.01 },
        },
      ],
    },
    {
      ...{ title: "Which genes have a pattern", of: "genes", measure: "Moran's I" },
      ...{ sentence: null, reliability: "", rows: [] },
      refusal: "S1 has no spatial statistics: run it again as an advanced analysis.",
    },
  ],
  reliability: { composition: "Shares depend on names.", expression: "Look at all types." },
  files: ["report.html", "composition.csv", "repeat.R"],
};

/** Two units of each condition. */
function unitsOf(values: readonly number[]): StudyComparison["composition"][number]["units"] {
  return values.map((value, i) => ({ value, group: i < 2 ? 0 : 1, patient: `P${i}` }));
}

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
    await dialog.getByRole("checkbox").first().check();
    await button("Create study").click();
    await page.getByRole("heading", { name: "Sections", exact: true }).waitFor();
    study = new URL(page.url()).pathname.split("/").at(-1)!;
    expect((await stored()).samples).toHaveLength(1);
  });

  it("has a design, which is edited as a table", async () => {
    const { page } = ada;
    const { name } = (await stored()).samples[0];
    await page.getByRole("textbox", { name: `Condition of ${name}` }).fill("tumor");
    await sees(page, "Changes are not saved yet.");
    await button("Add column").click();
    await page.getByRole("dialog").getByLabel("Name of the column").fill("slide");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("textbox", { name: `slide of ${name}` }).fill("V1");
    await button("Save").click();
    await sees(page, "Saved.");
    expect((await stored()).samples[0]).toMatchObject({
      condition: "tumor",
      more: { slide: "V1" },
    });
    const text = `sample,condition,age\n${name},normal,61\n`;
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "design.csv", mimeType: "text/csv", buffer: Buffer.from(text) },
    });
    await sees(page, "1 row imported. Save to keep them.");
    await button("Save").click();
    await sees(page, "Saved.");
    await expect.poll(stored).toMatchObject({
      columns: ["slide", "age"],
      samples: [{ condition: "normal", more: { slide: "V1", age: "61" } }],
    });
  });

  it("shows the quality of its samples, and what a comparison needs", async () => {
    const { page } = ada;
    const quality = page.getByRole("table", { name: "Quality side by side" });
    await quality.getByRole("cell", { name: /^(Good|Limited|Poor)$/ }).waitFor();
    await sees(page, "Fill in two conditions and save to compare them.");
    await expectNoBarriers(page);
  });

  it("shows what differs between conditions", async () => {
    const { page } = ada;
    const now = await stored();
    const [sample] = now.samples;
    const samples = ["normal", "normal", "tumor", "tumor"].map((condition, i) => ({
      ...{ ...sample, condition, name: `S${i + 1}`, project_id: `p${i}` },
    }));
    await answer(page, `/studies/${study}`, { json: { ...now, samples } });
    await answer(page, `/studies/${study}/comparison`, {
      json: { refusal: null, comparison: COMPARISON },
    });
    await page.reload();
    const composition = page.getByRole("table", { name: "Composition" });
    await composition.getByRole("cell", { name: "2.25 (1.3 to 3.9)" }).waitFor();
    await page.getByRole("table", { name: "Genes of T cell" }).getByText("GZMB").waitFor();
    await page.getByRole("img", { name: /^Genes of T cell/ }).waitFor();
    const neighbors = page.getByRole("table", { name: "Which types are neighbors" });
    await neighbors.getByRole("cell", { name: "0.8 (0.3 to 1.3)" }).waitFor();
    await sees(page, "S1 has no spatial statistics: run it again as an advanced analysis.");
    const refusal = "S1 is not analyzed yet: run it, or remove it from the study.";
    await answer(page, `/studies/${study}/download`, { json: { refusal, download: null } });
    await button("Download Report of all samples").click();
    await sees(page, refusal);
    await expectNoBarriers(page);
    await restore(page);
  });

  it("is deleted, and its project stays", async () => {
    const { page } = ada;
    await page.reload();
    await button("Delete").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await arrives(page, "/studies");
    await sees(page, 'Study "Sections" deleted.');
    const projects = await call(shared.url, "GET", "/projects", { token: shared.token });
    expect((projects as { id: string }[]).map(({ id }) => id)).toContain(shared.projectId);
    expect(ada.faults).toEqual([]);
  });
});

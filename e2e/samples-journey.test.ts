import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { newPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let grace: Person;
let folder: string;

const SHEET = `sample,folder,platform,tissue,Condition,Patient,age
S1,S1,visium,brain,tumor,P1,61
S2,S2,visium,moon,normal,P1,
S3,S3,,,normal,P3,
S4,S9,visium,,normal,P3,
`;

/** A folder with a sheet: two whole samples, one without its table of positions, and one that is not there. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-samples-"));
  const study = join(folder, "study");
  await simulateTissue({ out: join(study, "S1"), sizeUm: 300, nGenes: 200, seed: 5 });
  for (const name of ["S2", "S3"])
    await cp(join(study, "S1"), join(study, name), { recursive: true });
  await rm(join(study, "S3/spatial"), { recursive: true });
  await writeFile(join(study, "samples.csv"), SHEET);
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  grace = await newPerson(browser, url, "grace");
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

describe("a folder of samples", () => {
  it("is checked as one table before anything is uploaded", async () => {
    const { page } = grace;
    await page.goto("/studies");
    await page.getByRole("link", { name: "New Study from Files" }).click();
    await page.getByRole("heading", { name: "New study from files" }).waitFor();
    await page.locator("input[webkitdirectory]").setInputFiles(join(folder, "study"));
    await sees(page, "The folder S9 is not among the dropped ones: drop it, or correct the sheet.");
    await page.getByLabel("Staining", { exact: true }).selectOption("h_and_e");
    await sees(page, 'The tissue "moon" is unknown: choose another in this row.');
    await page.getByLabel("Platform of S3").selectOption("visium");
    await page.getByText(/^Missing: /).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel("Tissue of S2").selectOption("brain");
    await page.getByRole("textbox", { name: "Patient of S2" }).fill("P2");
    await page.getByRole("textbox", { name: "Name of S2", exact: true }).fill("S1");
    await sees(page, "There is a sample S1 already; give each its own name.");
    await page.getByRole("textbox", { name: "Name of S1", exact: true }).nth(1).fill("S2");
    for (const name of ["S3", "S4"]) {
      await page.getByRole("button", { name: `Remove ${name} from the study` }).click();
    }
    await page.getByText("Ready", { exact: true }).nth(1).waitFor();
    await page.getByText(/^2 samples are 2 analyses, and your plan has 1 left/).waitFor();
    await expect(call(url, "GET", "/projects", { token: grace.token })).resolves.toEqual([]);
  });

  it("becomes a study whose samples are uploaded and wait for their turn", async () => {
    const { page, token } = grace;
    const body = await call(url, "POST", "/create_sample_project", { token });
    await call(url, "POST", "/run_workflow", { token, body });
    await page.getByLabel("Study name").fill("Two sections");
    await page.getByRole("button", { name: "Add 2 samples and start" }).click();
    await page.getByRole("heading", { name: "Samples on their way" }).waitFor();
    await page.getByText("Waits for your other runs", { exact: true }).nth(1).waitFor();
    const [listed] = await call(url, "GET", "/studies", { token });
    const { columns, samples } = await call(url, "GET", `/studies/${listed.id}`, { token });
    expect(columns).toEqual(["age"]);
    expect(samples).toMatchObject([
      { name: "S1", condition: "tumor", patient: "P1", more: { age: "61" }, waits: true },
      { name: "S2", condition: "normal", patient: "P2", more: { age: "" }, waits: true },
    ]);
    // Their runs would keep the worker from other journeys.
    for (const { project_id } of [...samples, body]) {
      await call(url, "POST", "/cancel_workflow", { token, body: { project_id } });
    }
    await page.reload();
    await page.getByRole("button", { name: "Start S2" }).waitFor();
    await expectNoBarriers(page);
    expect(grace.faults).toEqual([]);
  });
});

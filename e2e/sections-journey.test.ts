import type { Study } from "@stipple/contract";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { alter, answer, openPerson, sees, type Person } from "./person.ts";
import { finishedSample } from "./shared-platform.ts";

let browser: Browser;
let person: Person;
let page: Page;
let study: string;
let projectId: string;
/** As the study is stored, with two samples. */
let shownStudy: Study;
/** Of the link to the sample's view. */
let token: string;

const OTHER = "00000000-0000-4000-8000-000000000002";
const NAMES = ["First section", "Second section"] as const;

/** A study of one real sample, which stands for two serial sections: two would take minutes. */
beforeAll(async () => {
  const shared = await finishedSample();
  ({ projectId } = shared);
  const { url } = shared;
  const session = { token: shared.token };
  const body = { name: "Serial", project_ids: [projectId] };
  study = ((await call(url, "POST", "/studies", { ...session, body })) as { id: string }).id;
  const stored = (await call(url, "GET", `/studies/${study}`, session)) as Study;
  const { views } = (await call(url, "GET", `/studies/${study}/views`, session)) as {
    views: { url: string }[];
  };
  browser = await openBrowser({ webgl: true });
  person = await openPerson(browser, url, { ...session, acceptDownloads: true });
  ({ page } = person);
  const ids = [projectId, OTHER];
  const samples = ids.map((project_id, at) => ({
    ...{ ...stored.samples[0], project_id, name: NAMES[at] },
  }));
  token = views[0].url.split("/").at(-1)!;
  shownStudy = { ...stored, samples };
  await answer(page, `/studies/${study}`, { json: shownStudy });
  await answer(page, `/studies/${study}/views`, {
    json: { views: ids.map((project_id) => ({ ...views[0], project_id })), landmarks: [] },
  });
}, 600_000);
afterAll(() => browser?.close());

const section = (at: 0 | 1) => page.getByRole("region", { name: NAMES[at], exact: true });
const stage = (at: 0 | 1) => section(at).getByRole("application");
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const scaleOf = (at: 0 | 1) => section(at).getByText("Scale bar:").locator("..").textContent();

it("shows the sections of a study together, with one color scale", async () => {
  await page.goto(`/studies/${study}`);
  await page.getByRole("link", { name: "Look together" }).click();
  await stage(1).locator("canvas").waitFor();
  await page.getByRole("region", { name: "Cell types" }).getByRole("button").first().click();
  await button("Show all").waitFor();
  await page.getByLabel("Color by").selectOption("Gene");
  const gene = page.getByRole("combobox", { name: "Gene", exact: true });
  const [first] = await page
    .locator("datalist option")
    .evaluateAll((options) => options.map((option) => option.getAttribute("value") ?? ""));
  await gene.fill(first);
  await page
    .getByRole("region", { name: first })
    .getByText(/one scale for all/)
    .waitFor();
  await expectNoBarriers(page);
});

it("moves them together, and one alone where that is wanted", async () => {
  await button(`Move ${NAMES[1]} on its own`).click();
  const before = await scaleOf(1);
  await stage(0).focus();
  for (let times = 0; times < 6; times++) await page.keyboard.press("+");
  await button(`Move ${NAMES[0]} on its own`).click();
  // Each has a scale bar of its own now.
  await expect.poll(() => scaleOf(0)).not.toBe(before);
  await expect.poll(() => scaleOf(1)).toBe(before);
  await button(`Move ${NAMES[0]} with the others`).click();
  await button(`Move ${NAMES[1]} with the others`).click();
  await expect.poll(() => section(1).getByText("Scale bar:").count()).toBe(0);
});

/** Waits until a section lies still: keys move it gradually, and a landmark lies at its center. */
async function settled(at: 0 | 1): Promise<void> {
  let before: Buffer | undefined;
  await expect
    .poll(async () => {
      const shown = await stage(at).screenshot();
      const still = before?.equals(shown);
      before = shown;
      return still;
    })
    .toBe(true);
}

it("keeps landmarks of serial sections", async () => {
  let kept: { between: string[]; points: number[][] } | undefined;
  await page.route(`**/api/studies/${study}/landmarks`, async (route) => {
    kept = route.request().postDataJSON() as typeof kept;
    const saved = { ...kept, author: "ada@example.org", at: "2026-01-02T03:04:05.000Z" };
    await route.fulfill({ json: { landmarks: [saved] } });
  });
  await button("Match two sections").click();
  await sees(page, "Place at least three that do not lie on a line.");
  for (const [number, key] of ["ArrowRight", "ArrowDown", "ArrowLeft"].entries()) {
    for (const at of [0, 1] as const) {
      await stage(at).focus();
      await page.keyboard.press(key);
      await settled(at);
      const mark = section(at).locator("[role=application] ~ svg.size-6");
      await expect.poll(() => mark.isVisible()).toBe(true);
      await page.keyboard.press("Enter");
    }
    await sees(page, `Landmark ${number + 1}`);
  }
  await button("Save landmarks").click();
  await sees(page, `${NAMES[0]} and ${NAMES[1]}`);
  expect(kept).toMatchObject({ between: [projectId, OTHER] });
  expect(kept!.points).toHaveLength(3);
  // It is one section twice, so its landmarks are the same in both.
  for (const [x, y, toX, toY] of kept!.points) {
    expect(toX).toBeCloseTo(x, 3);
    expect(toY).toBeCloseTo(y, 3);
  }
});

/** Where a figure's drawing begins, CSS px. */
const DRAWING = { x: 16, y: 68 };

async function saved(kind: "SVG" | "PNG"): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), button(`Save ${kind}`).click()]);
  expect(file.suggestedFilename()).toBe(`Serial-sections.${kind.toLowerCase()}`);
  return readFile(await file.path());
}

it("reads sections and their names anew at each visit, and names samples without results", async () => {
  const types = page.getByRole("region", { name: "Cell types" }).getByRole("listitem");
  await page.getByLabel("Color by").selectOption("Cell type");
  const group = await types.first().locator("span").nth(1).textContent();
  const value = { of: "type", group, label: "Renamed" };
  await alter(page, `/visualization/${token}/annotations`, { items: [{ kind: "name", value }] });
  const samples = [...shownStudy.samples];
  samples.push({ ...samples[0], project_id: null, name: "Third section" });
  await answer(page, `/studies/${study}`, { json: { ...shownStudy, samples } });
  await page.getByRole("link", { name: "Back to the study" }).click();
  await page.getByRole("link", { name: "Look together" }).click();
  await sees(page, "No results to show: Third section");
  await types.getByText("Renamed").waitFor();
});

it("saves all sections as one figure, with all their cells", async () => {
  // The sides of the sections are no whole pixels.
  await page.setViewportSize({ width: 1301, height: 851 });
  const png = await saved("PNG");
  const grid = (await section(0).boundingBox())!;
  for (const at of [0, 1] as const) {
    const { x, y, width, height } = (await stage(at).boundingBox())!;
    const inside = { left: 0, top: 0, width: Math.floor(width), height: Math.floor(height) - 60 };
    const clip = { x, y, width: inside.width, height: inside.height };
    const shown = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer();
    const drawn = await sharp(png)
      .extract({
        left: Math.round(2 * (DRAWING.x + x - grid.x)),
        top: Math.round(2 * (DRAWING.y + y - grid.y)),
        width: 2 * inside.width,
        height: 2 * inside.height,
      })
      .resize(inside.width, inside.height)
      .removeAlpha()
      .raw()
      .toBuffer();
    let difference = 0;
    for (let i = 0; i < shown.length; i++) difference += Math.abs(shown[i] - drawn[i]);
    expect(difference / shown.length).toBeLessThan(12);
  }
  const [, first, second] = (await saved("SVG")).toString().split('<clipPath id="cells');
  const cells = (svg: string): number =>
    [...svg.matchAll(/ d="([^"]*Z)"/g)].join("").split("Z").length + svg.split("<circle").length;
  expect(cells(first)).toBeGreaterThan(10);
  expect(cells(second)).toBe(cells(first));
  await page.getByLabel("Color by").selectOption("Nothing: tissue only");
  await expect.poll(async () => (await saved("SVG")).includes('id="cells')).toBe(false);
  expect(person.faults).toEqual([]);
});

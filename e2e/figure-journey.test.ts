import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import sharp from "sharp";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { openPerson, sees, type Person } from "./person.ts";
import { annotationsTurn, finishedSample, type SharedPlatform } from "./shared-platform.ts";

let shared: SharedPlatform;
let browser: Browser;
let ada: Person;
let page: Page;
let turn: Disposable;
let link: string;

beforeAll(async () => {
  [shared, browser] = await Promise.all([finishedSample(), openBrowser({ webgl: true })]);
  turn = await annotationsTurn();
  const path = `/start_visualization?project_id=${shared.projectId}`;
  const { url } = (await call(shared.url, "POST", path, { token: shared.token })) as {
    url: string;
  };
  link = new URL(url).pathname;
  await removeFigures();
  ada = await openPerson(browser, shared.url, { token: shared.token });
  page = ada.page;
  await page.goto(`${link}?view=both`);
  await openComposer(page);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  if (link) await removeFigures();
  turn?.[Symbol.dispose]();
});

/** Other journeys look at the same project's annotations. */
async function removeFigures(): Promise<void> {
  const { token } = shared;
  const { items } = (await call(shared.url, "GET", `${link}/annotations`, { token })) as {
    items: { id: string; kind: string }[];
  };
  const changes = items
    .filter(({ kind }) => kind === "figure")
    .map((item) => ({ ...item, value: null }));
  if (changes.length === 0) return;
  const body = { id: crypto.randomUUID(), changes };
  await call(shared.url, "POST", `/projects/${shared.projectId}/annotations`, { token, body });
}

const openComposer = (of: Page) => of.getByRole("button", { name: "Figure", exact: true }).click();
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const focused = () => page.locator(":focus").getAttribute("aria-label");
const panel = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

async function saved(kind: "SVG" | "PDF" | "PNG"): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), press(`Save as ${kind}`)]);
  return readFile(await download.path());
}

it("adds views and a plot to a page", async () => {
  await press("Add tissue view to a figure");
  await panel("Panel A").waitFor();
  // While its place is not there yet.
  const stage = (await page.locator("#stage-umap").elementHandle())!;
  await stage.evaluate((element) => (element.id = "later"));
  // The message is gone after three seconds, which a click on a busy page can take.
  const told = sees(page, "The UMAP is still being drawn. Add it again in a moment.");
  await Promise.all([told, press("Add UMAP to a figure")]);
  await stage.evaluate((element) => (element.id = "stage-umap"));
  await press("Add UMAP to a figure");
  await panel("Panel B").waitFor();
  await press("Plots");
  await page.getByRole("button", { name: /^Add “.*” to a figure$/ }).click();
  await openComposer(page);
  await panel(/^Panel C: /).click();
  await press("Wider");
  await expect.poll(focused).toBe("Wider");
  await page.getByRole("img", { name: "Figure 1, 174 × 140 mm" }).waitFor();
  await expect.poll(() => page.getByText("Drawing the page…").count()).toBe(0);
  await expectNoBarriers(page);
});

it("saves it as SVG with text, shapes, and its size in mm", async () => {
  const svg = (await saved("SVG")).toString();
  await expect.poll(focused).toBe("Save as SVG");
  expect(svg.slice(0, 200)).toContain(`width="174mm" height="140mm"`);
  // Not the whole file in the message of a failure.
  expect(/<text[^>]*font-weight="700">A<\/text>/.test(svg)).toBe(true);
  expect(/>\d+ (µm|mm)<\/text>/.test(svg)).toBe(true);
  expect(svg.split("<circle cx=").length).toBeGreaterThan(1000);
  expect(svg.split("<image ").length).toBe(3);
});

it("saves it as PDF of exactly that size, with text as text", async () => {
  const pdf = await saved("PDF");
  const text = pdf.toString("latin1");
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)!;
  expect((Number(width) / 72) * 25.4).toBeCloseTo(174, 2);
  expect((Number(height) / 72) * 25.4).toBeCloseTo(140, 2);
  expect(text.includes("/FontFile2")).toBe(true);
  expect(contentsOf(text).some((contents) => /\bT[Jj]\b/.test(contents))).toBe(true);
});

it("has pictures in the PDF of letters that its fonts lack", async () => {
  const images = async () => (await saved("PDF")).toString("latin1").split("/Image\n").length;
  const before = await images();
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  await panel("Panel A").click();
  await title.fill("组织 tissue");
  await title.press("Enter");
  await panel("Panel A: 组织 tissue").waitFor();
  // The picture, and what of it is see-through.
  await expect(images()).resolves.toBe(before + 2);
  await title.fill("");
  await title.press("Enter");
  await panel("Panel A").waitFor();
  await panel(/^Panel C: /).click();
});

/** The compressed parts of a PDF that can be read. */
function contentsOf(pdf: string): string[] {
  return [...pdf.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, bytes]) => {
    try {
      return inflateSync(Buffer.from(bytes!, "latin1")).toString("latin1");
    } catch {
      return "";
    }
  });
}

it("saves it as PNG of as many pixels as its size has at the chosen resolution", async () => {
  await page.getByRole("combobox", { name: "Resolution of images" }).selectOption("150");
  const { width, height, density } = await sharp(await saved("PNG")).metadata();
  expect([width, height]).toEqual([Math.round((174 / 25.4) * 150), Math.round((140 / 25.4) * 150)]);
  expect(density).toBe(150);
});

it("puts the view in the place of a panel, which keeps its size", async () => {
  await press("Replace C with tissue view");
  await panel("Panel C").waitFor();
  await page.getByRole("img", { name: "Figure 1, 174 × 140 mm" }).waitFor();
  await expect.poll(() => panel("Panel C").getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Control+z");
  await panel(/^Panel C: /).waitFor();
});

it("keeps it in the project: reopened after a reload, and undone", async () => {
  await page.reload();
  await openComposer(page);
  await panel(/^Panel C: /).waitFor();
  await panel("Panel A").click();
  await press("Remove panel");
  await expect.poll(() => panel(/^Panel C: /).count()).toBe(0);
  await page.keyboard.press("Control+z");
  await panel(/^Panel C: /).waitFor();
});

it("draws the page without what was removed since, and says so", async () => {
  const { token, projectId } = shared;
  const polygons = [
    [
      [
        [0, 0],
        [900, 0],
        [0, 900],
      ],
    ],
  ];
  const region = { name: "Fold", class: null, color: "#d55e00", polygons, excluded: false };
  const fold = { id: crypto.randomUUID(), kind: "region", revision: 0 };
  const change = (one: object) => {
    const body = { id: crypto.randomUUID(), changes: [one] };
    return call(shared.url, "POST", `/projects/${projectId}/annotations`, { token, body });
  };
  const { revision } = (await change({ ...fold, value: region })) as { revision: number };
  await page.goto(`${link}?by=measure&measure=border:Fold`);
  await press("Plots");
  await page.getByRole("button", { name: /^Add “.*” to a figure$/ }).click();
  await openComposer(page);
  await panel(/^Panel D: /).waitFor();
  await press("Add tissue view to a figure");
  await panel(/^Panel E: /).waitFor();
  await expect.poll(() => page.getByText("Drawing the page…").count()).toBe(0);
  await change({ ...fold, revision, value: null });
  await page.reload();
  await openComposer(page);
  const remarks = page.getByRole("list", { name: "About this page" });
  const gone = remarks.getByText("“Distance from Fold (µm)” cannot be shown");
  await expect.poll(() => gone.count()).toBe(2);
  expect((await saved("SVG")).includes(">A</text>")).toBe(true);
  await page.goto(`${link}?by=measure&measure=border:Fold`);
  const shown = page.getByRole("combobox", { name: "Measure" }).locator("option:checked");
  await expect.poll(() => shown.textContent()).toBe("Distance from Fold (µm): not here");
  await openComposer(page);
});

it("shows a change that was refused, whichever panel is open, until it is discarded", async () => {
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Figure\t2");
  await name.press("Enter");
  await press("Discard my change");
  await page.getByRole("img", { name: /^Figure 1, / }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Discard my change" }).count()).toBe(0);
  expect(ada.faults).toEqual([]);
});

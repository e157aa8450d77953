import { readFile } from "node:fs/promises";
import { unpackRates } from "@stipple/contract/packed-rates";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { openPerson, type Person } from "./person.ts";
import { finishedSample } from "./shared-platform.ts";
import { stripeStatistics } from "./space-statistics.ts";

let person: Person;
let page: Page;
let view: string;
let manifest: ViewerManifest;
/** One byte per cell, and two. */
let observed: Uint8Array;
let typeOf: Uint16Array;
/** One byte per gene. */
let reliable: Uint8Array;
let close: () => Promise<void>;

beforeAll(async () => {
  const shared = await finishedSample();
  const body = { token: shared.token };
  const path = `/start_visualization?project_id=${shared.projectId}`;
  const { url } = (await call(shared.url, "POST", path, body)) as { url: string };
  view = url;
  const link = `/visualization/${new URL(url).pathname.split("/").at(-1)!}`;
  ({ manifest } = (await call(shared.url, "GET", `${link}/manifest`)) as {
    manifest: ViewerManifest;
  });
  const column = async (
    name: "cells.observed" | "cells.type" | "genes.reliable",
  ): Promise<ArrayBuffer> =>
    (await fetch(`${shared.url}/api${link}/file/${manifest.columns[name]!.file}`)).arrayBuffer();
  observed = new Uint8Array(await column("cells.observed"));
  typeOf = new Uint16Array(await column("cells.type"));
  reliable = new Uint8Array(await column("genes.reliable"));
  const browser = await openBrowser({ webgl: true });
  close = () => browser.close();
  person = await openPerson(browser, shared.url);
  ({ page } = person);
}, 600_000);
afterAll(() => close?.());

const panel = () => page.locator("#viewer-tool");
const figure = (title: string | RegExp) => panel().getByRole("figure", { name: title });
const press = (name: string, within: Locator = panel()) =>
  within.getByRole("button", { name, exact: true }).first().click();
const choose = (label: string, option: string) =>
  panel().getByRole("combobox", { name: label, exact: true }).selectOption({ label: option });
const pick = (label: string) => panel().getByText(label, { exact: true }).click();

async function open(address = view): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Plots", exact: true }).click();
}

async function saved(kind: "CSV" | "SVG" | "PNG", within: Locator): Promise<Download> {
  const name = kind === "CSV" ? "Save the numbers as CSV" : `Save as ${kind}`;
  const [download] = await Promise.all([page.waitForEvent("download"), press(name, within)]);
  return download;
}

async function csv(within: Locator): Promise<string[][]> {
  const text = await readFile(await (await saved("CSV", within)).path(), "utf8");
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
}

/** Mean of the values of matching cells, and their number. */
function meanOf(values: Float32Array, fits: (cell: number) => boolean): [number, number] {
  const found = values.filter((_, cell) => fits(cell));
  return [found.reduce((sum, value) => sum + value, 0) / found.length, found.length];
}

describe("plots of cells", () => {
  it("are recomputed after the worker once failed to start", async () => {
    await page.goto(view);
    await page.evaluate(`{
      const Real = Worker;
      let broke = false;
      window.Worker = function (url, options) {
        const breaks = !broke && String(url).includes("summary");
        broke ||= breaks;
        return new Real(breaks ? "/no-such-file.js" : url, options);
      };
    }`);
    await page.getByRole("button", { name: "Plots", exact: true }).click();
    await panel().getByText("We couldn't compute the plot.").waitFor();
    await pick("Logarithmic axis, log10(1 + value)");
    await figure("Observed counts by cell type").locator("svg[role=img]").waitFor();
  });

  it("draws a gene by type as violins, with the same numbers as the server", async () => {
    await open();
    await figure("Observed counts by cell type").locator("svg[role=img]").waitFor();
    await pick("Gene");
    await panel().getByText("Choose a gene to see how it differs").waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => /\/gene\?.*name=LUM\b/.test(response.url())),
      (async () => {
        await panel().getByRole("combobox", { name: "Gene" }).fill("LUM");
        await page.getByRole("option", { name: "LUM", exact: true }).click();
      })(),
    ]);
    const values = unpackRates(new Uint16Array(new Uint8Array(await answer.body()).buffer));
    const drawn = figure("LUM by cell type");
    await drawn.locator("svg[role=img]").waitFor();
    await drawn.getByText(/^Inferred \(rate\); [\d,]+ shown cells$/).waitFor();
    await drawn.getByText(/^The median of LUM is highest in Fibroblast/).waitFor();
    await panel()
      .getByText(/LUM is (not )?reliable in this sample/)
      .waitFor();
    const [header, ...rows] = await csv(drawn);
    expect(header.slice(0, 4)).toEqual(["Group", "Cells", "Share of zeros", "Mean"]);
    const shown = manifest.types.filter(({ count }) => count > 0);
    expect(rows.map(([group]) => group)).toEqual(shown.map(({ name }) => name));
    manifest.types.forEach(({ name }, type) => {
      const [mean, n] = meanOf(values, (cell) => typeOf[cell] === type);
      const row = rows.find(([group]) => group === name);
      if (!row) return expect(n).toBe(0);
      expect(Number(row[1])).toBe(n);
      expect(Number(row[3])).toBeCloseTo(mean, 4);
    });
  });

  it("uses observed counts only from cells in spots, and respects which cells are shown", async () => {
    await pick("Observed (counts)");
    const inSpots = observed.reduce((sum, flag) => sum + flag, 0).toLocaleString("en-US");
    const drawn = figure("LUM by cell type");
    await drawn
      .getByText(`Observed (counts); ${inSpots} shown cells with counts`, { exact: true })
      .waitFor();
    const first = manifest.types[0].name;
    await page
      .getByRole("listitem")
      .filter({ hasText: new RegExp(`^${first}`) })
      .getByRole("button", { name: `Show only ${first}` })
      .click();
    await press("Show as table", drawn);
    await expect.poll(() => drawn.getByRole("row").count()).toBe(2);
    await choose("Cells", "All cells");
    await expect.poll(() => drawn.getByRole("row").count()).toBeGreaterThan(5);
    await press("Show as plot", drawn);
    await choose("Cells", "Selected cells");
    await panel().getByText("No cells are selected. Draw around cells").waitFor();
    await choose("Cells", "All cells");
    await page.getByRole("button", { name: "Show all", exact: true }).first().click();
  });

  it("draws histograms of measures, separate or stacked", async () => {
    await choose("Plot", "Histogram");
    await pick("Measure");
    await choose("Measure", "Cell area (µm²)");
    const drawn = figure("Histogram of Cell area (µm²) by cell type");
    await drawn.locator("svg[role=img]").waitFor();
    await pick("Stacked");
    await expect.poll(async () => drawn.locator("[data-legend] text").count()).toBeGreaterThan(5);
    const [, ...rows] = await csv(drawn);
    const cells = rows.reduce((sum, row) => sum + Number(row[3]), 0);
    const typed = manifest.types.reduce((sum, { count }) => sum + count, 0);
    expect(cells).toBe(typed);
    await choose("Groups", "All cells together");
    await figure("Histogram of Cell area (µm²)").locator("svg[role=img]").waitFor();
    await choose("Groups", "Cell types");
  });

  it("draws markers as dots and as a heatmap, and saves them with title and legend", async () => {
    await choose("Plot", "Dot plot");
    const dots = figure(/^\d+ genes by cell type$/);
    await dots.locator("svg[role=img]").waitFor();
    const picture = await saved("SVG", dots);
    expect(picture.suggestedFilename()).toMatch(/^Sample-dataset-\d+-genes-by-cell-type\.svg$/);
    const text = await readFile(await picture.path(), "utf8");
    for (const part of ["genes by cell type", "Share above", "standard deviations", "Fibroblast"])
      expect(text).toContain(part);
    expect(text).not.toMatch(/currentColor|var\(--/);
    await choose("Plot", "Heatmap");
    await pick("Mean");
    const map = figure(/^\d+ genes by cell type$/);
    await map.getByText("Mean, observed (counts)").waitFor();
    const png = await readFile(await (await saved("PNG", map)).path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBeGreaterThan(1400);
    await pick("List");
    await panel().getByText("No genes chosen yet").waitFor();
    for (const gene of ["EPCAM", "LUM"]) {
      await panel().getByRole("combobox", { name: "Add a gene" }).fill(gene);
      await page.getByRole("option", { name: gene, exact: true }).click();
      await panel()
        .getByRole("button", { name: `Remove ${gene}` })
        .waitFor();
    }
    await figure("2 genes by cell type").waitFor();
    await expectNoBarriers(page);
  });

  it("marks unreliable genes in a set, and says when there are too many", async () => {
    const settings = page.getByRole("complementary", { name: "Settings" });
    await settings.getByRole("radio", { name: "Gene set", exact: true }).check();
    await settings.getByLabel("Genes in the set").fill(manifest.genes.join(" "));
    await settings.getByRole("button", { name: "Add genes" }).click();
    await settings.getByText(`Left out: ${manifest.genes[200]}, `).waitFor();
    const unreliable = reliable.subarray(0, 200).filter((flag) => flag === 0).length;
    await expect
      .poll(() => settings.getByTitle("not reliable in this sample").count())
      .toBe(unreliable);
    await settings.getByRole("radio", { name: "Cell type", exact: true }).check();
  });

  it("has more room in a dialog, which returns focus", async () => {
    const enlarge = panel().getByRole("button", { name: "Enlarge" });
    await enlarge.click();
    const dialog = page.getByRole("dialog", { name: "Plots" });
    const drawing = dialog.getByRole("figure").locator("svg[role=img]");
    await drawing.waitFor();
    await expect.poll(async () => (await dialog.boundingBox())!.width).toBeGreaterThan(1200);
    await expectNoBarriers(page);
    await expectFocusKept(page, dialog);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => enlarge.evaluate((button) => button.matches(":focus"))).toBe(true);
  });
});

describe("the table of markers", () => {
  it("lists all types, sorts, filters, colors by a gene, and is saved as CSV", async () => {
    await page.goto(view);
    await page.getByRole("button", { name: "Markers", exact: true }).click();
    const rows = panel().locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(10);
    await expectNoBarriers(page);
    const size = page.viewportSize()!;
    const hidden = () =>
      panel()
        .getByRole("region", { name: "Table of markers" })
        .evaluate((region) => region.scrollWidth - region.clientWidth);
    for (const width of [size.width, 1100, 375]) {
      await page.setViewportSize({ ...size, width });
      await expect.poll(hidden, { message: `${width} px` }).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize(size);
    const types = new Set(await rows.locator("td:nth-of-type(1)").allInnerTexts());
    const column = async (at: number) =>
      (await rows.locator(`td:nth-of-type(${at})`).allInnerTexts()).map((text) =>
        Number(text.replace("−", "-")),
      );
    await press("AUC");
    const auc = await column(3);
    expect(auc).toEqual(auc.toSorted((a, b) => b - a));
    await panel()
      .getByRole("combobox", { name: "Group" })
      .selectOption([...types][0]);
    const gene = (await rows.first().getByRole("rowheader").innerText()).trim();
    await rows.first().getByRole("button", { name: gene }).click();
    await expect.poll(() => page.url()).toContain(gene);
    await panel().getByRole("searchbox", { name: "Search the genes" }).fill(gene);
    await expect.poll(() => rows.filter({ hasNotText: gene }).count()).toBe(0);
    const [download] = await Promise.all([page.waitForEvent("download"), press("Table as CSV")]);
    const [header, line] = (await readFile(await download.path(), "utf8")).split("\r\n");
    expect(header).toBe("group,gene,log2_fold_change,auc,fraction,fraction_others,reliable");
    expect(line.split(",").slice(0, 2)).toEqual([[...types][0], gene]);
    await panel().getByRole("searchbox", { name: "Search the genes" }).fill("no such gene");
    await panel()
      .getByText(/^No markers match\./)
      .waitFor();
    await open();
  });
});

describe("statistics of the tissue", () => {
  it("says why a basic analysis has none, and how to get them", async () => {
    // As a basic analysis answers.
    await page.route("**/statistics", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), spatial: null } });
    });
    await open();
    await choose("Plot", "Neighborhood enrichment");
    await panel().getByText("Basic doesn't include this plot.").waitFor();
    await page.unroute("**/statistics");
  });

  it("draws what an advanced analysis computed", async () => {
    const spatial = { ...(await stripeStatistics(manifest)), notes: ["A note."] };
    await page.route("**/statistics", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), spatial } });
    });
    await open();
    const [a, b] = manifest.types.map(({ name }) => name);
    await choose("Plot", "Neighborhood enrichment");
    const matrix = figure("Neighborhood enrichment");
    await matrix.locator("svg[role=img]").waitFor();
    await matrix.getByText(/^No two different types are neighbors more often/).waitFor();
    await panel().getByText("A note.").waitFor();
    const scores = await csv(matrix);
    expect(scores).toHaveLength(10);
    expect(scores[2].slice(0, 2)).toEqual([a, b]);
    expect(Number(scores[2][2])).toBeCloseTo(spatial.enrichment!.zscore[0][1]!, 4);

    await choose("Plot", "Co-occurrence");
    await choose("Around cells of type", b);
    const curves = figure(`Types around ${b} cells`);
    await curves.locator("svg[role=img]").waitFor();
    const [, near] = await csv(curves);
    expect(Number(near[3])).toBeCloseTo(spatial.coOccurrence!.occ[0][1][0]!, 4);

    await choose("Plot", "Ligands and receptors");
    const pairs = figure("Ligand–receptor pairs between neighboring cells");
    await pairs.locator("svg[role=img]").waitFor();
    await panel().getByLabel("Only FDR below 0.05").uncheck();
    await pairs
      .getByText(`of ${spatial.ligandReceptor!.ligand.length} combinations match`)
      .waitFor();
    await choose("Senders", a);
    await press("Show as table", pairs);
    await pairs.getByRole("cell", { name: "VEGFA" }).first().waitFor();
    await press("Show as plot", pairs);

    await choose("Plot", "Spatial domains");
    await figure("Cell types in each spatial domain").locator("svg[role=img]").waitFor();
    const tried = await csv(figure("How well each number of domains explains the tissue"));
    expect(tried.filter((row) => row[2] === "chosen")).toEqual([
      [`${spatial.domains!.count}`, expect.any(String), "chosen"],
    ]);
    await expectNoBarriers(page);
  });

  it("colors the cells by a gene chosen from Moran's I", async () => {
    await choose("Plot", "Moran's I");
    const genes = figure("Genes with a spatial pattern");
    const drawing = genes.locator("svg[role=img]");
    await drawing.waitFor();
    await drawing.scrollIntoViewIfNeeded();
    await drawing.hover({ position: { x: 150, y: 30 } });
    await drawing.getByText("Click to color the cells by it").waitFor();
    await drawing.click({ position: { x: 150, y: 30 } });
    await panel()
      .getByText(/^The cells are colored by /)
      .waitFor();
    const gene = () => new URL(page.url()).searchParams.get("gene");
    await expect.poll(gene).not.toBeNull();
    await press("Show as table", genes);
    const last = genes.getByRole("row").last().getByRole("button");
    const name = await last.textContent();
    await last.focus();
    await page.keyboard.press("Enter");
    await expect.poll(gene).toBe(name);
  });

  it("fits a phone", async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await press("Enlarge");
    const dialog = page.getByRole("dialog", { name: "Plots" });
    await dialog.getByRole("figure").first().waitFor();
    await expect.poll(async () => (await dialog.boundingBox())!.width).toBe(375);
    await expectNoBarriers(page);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  });

  it("has no script errors", () => expect(person.faults).toEqual([]));
});

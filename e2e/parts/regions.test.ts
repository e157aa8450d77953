import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoBarriers } from "../barriers.ts";
import { openBrowser } from "../browser.ts";
import { answer, openPerson, sees, type Person } from "../person.ts";
import { builtPage, type BuiltPage } from "./built-page.ts";

let built: BuiltPage;
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  [built, browser] = await Promise.all([
    builtPage(join(import.meta.dirname, "pages/regions")),
    openBrowser({ webgl: true }),
  ]);
  person = await openPerson(browser, built.url);
  ({ page } = person);
  await page.route("**/api/projects/p1/pieces", (route) =>
    route.fulfill({ json: { pieces: PIECES, noun: "spot", fault: null } }),
  );
  await page.goto("/");
  await page.evaluate("openWork(true)");
});
afterAll(async () => {
  await browser?.close();
  await built?.close();
});

const ring = (x: number, y: number, side: number): number[][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];
/** What the server says of pieces of tissue on the slide. */
const PIECES = [20, 420].map((y, at) => ({
  name: `Piece ${at + 1}`,
  n_spots: 1200 + at,
  polygons: [[ring(20, y, 340).slice(0, 4)]],
}));

interface Kept {
  name: string;
  excluded: boolean;
  polygons: [number, number][][][];
}
const regions = async (): Promise<Kept[]> =>
  (await page.evaluate(
    "[...viewer.annotations.getState().items.values()].filter(({ kind }) => kind === 'region').map(({ value }) => value)",
  )) as Kept[];
const named = async (name: string) => (await regions()).find((region) => region.name === name);
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Chooses a tool and waits until it has the pointer. */
async function use(tool: string): Promise<void> {
  await button(tool).click();
  await sees(page, `${tool} is ready.`);
}
const stage = () => page.locator("#stage-tissue");

/** A place of the tissue, which is 800 × 800 px and fitted to the stage, on the page. */
async function at(x: number, y: number): Promise<[number, number]> {
  const [left, top, perPx] = (await page.evaluate(`(() => {
    const { width, height, left, top } = document.querySelector("#stage-tissue").getBoundingClientRect();
    const { x, y, zoom } = viewer.store.getState().places.tissue;
    return [left + width / 2 - x * 2 ** zoom, top + height / 2 - y * 2 ** zoom, 2 ** zoom];
  })()`)) as [number, number, number];
  return [left + x * perPx, top + y * perPx];
}
async function middleOf(one: Locator): Promise<number[]> {
  const { x, y, width, height } = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x + width / 2, y + height / 2];
}
async function polygon(...corners: [number, number][]): Promise<void> {
  for (const corner of corners) await page.mouse.click(...(await at(...corner)));
  await page.keyboard.press("Enter");
}
const choose = (text: string, name = "regions.geojson") =>
  page.locator("input[type=file]").setInputFiles({
    name,
    mimeType: "application/geo+json",
    buffer: Buffer.from(text),
  });

const feature = (rings: number[][][], properties: object): object => ({
  type: "Feature",
  geometry: { type: "Polygon", coordinates: rings },
  properties: { objectType: "annotation", ...properties },
});
const cellsOf = (name: RegExp) => expect.poll(() => button(name).textContent());

it("draws a polygon, counts its cells, and cuts a hole", async () => {
  await use("Polygon");
  await polygon([200, 200], [400, 200], [400, 400], [200, 400]);
  // 5 × 5 cells have their centers in it.
  await cellsOf(/^Region 1/).toContain("25");
  await page.getByText("is cut out").click();
  await polygon([250, 250], [350, 250], [350, 350], [250, 350]);
  await expect.poll(async () => (await named("Region 1"))?.polygons[0]!.length).toBe(2);
  await cellsOf(/^Region 1/).toContain("16");
  await sees(page, /0\.03 mm²/);
});

it("paints with the brush, erases, and moves a corner", async () => {
  await use("Brush");
  await page.getByLabel("Brush radius (µm)").fill("30");
  await page.mouse.move(...(await at(300, 300)));
  await page.mouse.down();
  await page.mouse.move(...(await at(300, 301)));
  await page.mouse.up();
  // The middle of the hole is filled, but not its corners.
  await cellsOf(/^Region 1/).toContain("17");
  await use("Eraser");
  await page.mouse.click(...(await at(300, 300)));
  await cellsOf(/^Region 1/).toContain("16");
  await use("Move corners");
  await page.mouse.move(...(await at(200, 200)));
  await page.mouse.down();
  await page.mouse.move(...(await at(100, 100)), { steps: 3 });
  await page.mouse.up();
  await expect
    .poll(async () => Math.min(...((await named("Region 1"))?.polygons[0]![0]!.flat() ?? [])))
    .toBeLessThan(110);
});

it("draws with a finger on a phone, where no cell covers what is drawn", async () => {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 812 });
  const session = await page.context().newCDPSession(page);
  await use("Polygon");
  await page.getByText("is a new region").click();
  const corners: [number, number][] = [
    [440, 440],
    [600, 440],
    [600, 600],
    [440, 440],
  ];
  const tap = async (corner: [number, number]): Promise<void> => {
    const [x, y] = await at(...corner);
    const touch = { touchPoints: [{ x, y }] };
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", ...touch });
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  for (const corner of corners.slice(0, 2)) await tap(corner);
  await tap([500, 700]);
  await button("Remove last corner").click();
  await sees(page, "Polygon is ready.");
  for (const corner of corners.slice(2)) await tap(corner);
  await expect.poll(async () => (await named("Region 2"))?.polygons[0]![0]!.length).toBe(3);
  const xs = (await named("Region 2"))!.polygons.flat(2).map(([x]) => Math.round(x / 10));
  expect(xs.toSorted()).toEqual([44, 60, 60]);
  await expect(page.evaluate("viewer.store.getState().hovered")).resolves.toBe(-1);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await session.detach();
  await button("Delete Region 2").click();
  await page.setViewportSize(size);
});

it("ends what is drawn over the edge of the image there: it is read back, and by the next run", async () => {
  await use("Freehand");
  await page.getByText("is a new region").click();
  await page.mouse.move(...(await at(-100, 500)));
  await page.mouse.down();
  for (const [x, y] of [
    [60, 500],
    [60, 700],
    [-100, 700],
  ] as const) {
    await page.mouse.move(...(await at(x, y)), { steps: 3 });
  }
  await page.mouse.up();
  await expect.poll(async () => (await named("Region 2"))?.polygons.length).toBe(1);
  const xs = (await named("Region 2"))!.polygons.flat(2).map(([x]) => x);
  expect(Math.min(...xs)).toBe(0);
  await use("Move corners");
  await page.mouse.move(...(await at(60, 500)));
  await page.mouse.down();
  await page.mouse.move(...(await at(60, 480)), { steps: 3 });
  await page.mouse.move(...(await at(-60, 480)), { steps: 3 });
  await page.mouse.up();
  await expect
    .poll(async () =>
      (await named("Region 2"))!.polygons.flat(2).some(([x, y]) => x < 40 && y < 520),
    )
    .toBe(true);
  expect(Math.min(...(await named("Region 2"))!.polygons.flat(2).map(([x]) => x))).toBe(0);
  await button("Delete Region 2").click();
});

it("draws without a pointer", async () => {
  await page.keyboard.press("p");
  await sees(page, "Polygon is ready.");
  await page.getByText("is a new region").click();
  const mark = page.locator("#stage-tissue ~ svg.size-6");
  await expect.poll(() => mark.isVisible()).toBe(false);
  await stage().focus();
  await expect.poll(() => middleOf(mark)).toEqual(await middleOf(stage()));
  for (const key of ["c", "ArrowRight", "c", "ArrowDown", "c", "Enter"])
    await page.keyboard.press(key);
  await expect.poll(async () => (await named("Region 2"))?.polygons[0]![0]!.length).toBe(3);
  await page.keyboard.press("0");
});

it("goes on with a polygon that was not closed when its page was", async () => {
  for (const x of [600, 680]) await page.mouse.click(...(await at(x, 20)));
  const again = await person.context.newPage();
  await again.goto("/");
  await again.evaluate("openWork(true)");
  await again.getByRole("button", { name: "Polygon", exact: true }).click();
  await sees(again, "Polygon is ready.");
  await again.locator("#stage-tissue").focus();
  for (const key of ["c", "Enter"]) await again.keyboard.press(key);
  const drawn = () =>
    again.evaluate(
      "[...viewer.annotations.getState().items.values()].map(({ value }) => value.polygons[0][0])",
    ) as Promise<number[][][]>;
  await expect.poll(async () => (await drawn()).at(-1)?.length).toBe(3);
  const corners = (await drawn()).at(-1)!.map((corner) => corner.map((px) => Math.round(px / 10)));
  expect(corners).toEqual(
    expect.arrayContaining([
      [60, 2],
      [68, 2],
    ]),
  );
  await again.close();
  await page.keyboard.press("Escape");
});

it("measures with the ruler", async () => {
  await page.keyboard.press("m");
  await sees(page, "Ruler is ready.");
  await page.mouse.move(...(await at(100, 500)));
  await page.mouse.down();
  await page.mouse.move(...(await at(400, 500)), { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => page.getByText(/^(29|30)\d µm$/).count()).toBe(1);
  await page.keyboard.press("v");
  await expect.poll(() => page.getByText(/^(29|30)\d µm$/).count()).toBe(0);
});

it("renames, recolors, and excludes a region, with a name of its own", async () => {
  await button("Edit Region 2").click();
  await page.getByLabel("Name", { exact: true }).fill("Region 1");
  await sees(page, "Another region is called Region 1: choose another name.");
  await page.getByLabel("Name", { exact: true }).fill("Fold");
  await page.getByLabel(/^Excluded/).check();
  await expectNoBarriers(page);
  await button("Done").click();
  await expect.poll(() => named("Fold")).toMatchObject({ excluded: true });
  await cellsOf(/^Fold \(excluded\)/).not.toBe("");
});

it("imports what QuPath wrote, and writes the same again", async () => {
  const tumor = { name: "Tumor", color: [200, 0, 0] };
  const features = [
    // Two of one class and without names are one region.
    ...[10, 60].map((x) => feature([ring(x, 720, 20)], { classification: { name: "Debris" } })),
    {
      ...feature([ring(510, 510, 180), ring(560, 560, 80)], {
        name: "Nest",
        color: [200, 0, 0],
        classification: tumor,
        isLocked: true,
        measurements: { "Area µm^2": 26_000 },
      }),
      id: "2c4f7f5e-92c1-4a52-9f7c-1d1f7d0a8a11",
    },
  ];
  await choose(JSON.stringify({ type: "FeatureCollection", features }));
  await sees(page, "2 regions imported.");
  await cellsOf(/^Nest/).toContain("12");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button("Export GeoJSON").click(),
  ]);
  const written = JSON.parse(await readFile(await download.path(), "utf8")) as {
    features: object[];
  };
  expect(written.features).toEqual(expect.arrayContaining(features));
  await button("Delete Debris").click();
});

it("takes over the regions that were uploaded with the project, once", async () => {
  const files: Record<string, { name: string; rings: number[][] }> = {
    regions: { name: "Own cortex", rings: ring(20, 20, 100) },
    excluded: { name: "Own fold", rings: ring(600, 600, 50) },
  };
  await page.route("**/api/upload/more_files/chunks?**", (route) => {
    const type = new URL(route.request().url()).searchParams.get("type")!;
    const none = { received: [], chunks: null, size: 9, sha256: [] };
    return route.fulfill({ json: { ...none, complete: true, file_name: `${type}.geojson` } });
  });
  await page.route("**/api/projects/p1/own_files/*", (route) => {
    const { name, rings } = files[route.request().url().split("/").at(-1)!]!;
    return route.fulfill({ body: JSON.stringify(feature([rings], { name })) });
  });
  const before = (await regions()).length;
  await button("Close regions").click();
  await button("Regions").click();
  await button("Import uploaded regions").click();
  await expect.poll(async () => (await named("Own fold"))?.excluded).toBe(true);
  expect((await named("Own cortex"))?.excluded).toBe(false);
  await button("Import uploaded regions").click();
  await sees(page, "All uploaded regions are in the list already.");
  await expect.poll(regions).toHaveLength(before + 2);
  // A button that is gone once it was pressed leaves the focus to its tool.
  for (const name of ["Own cortex", "Own fold"]) await button(`Delete ${name}`).press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("viewer-tool");
  await button(/^Nest/).click();
  await page.unroute("**/api/upload/more_files/chunks?**");
});

it("says in a sentence what is wrong with a file", async () => {
  for (const [text, sentence] of [
    ["{", "regions.geojson is not valid GeoJSON"],
    [
      JSON.stringify(feature([ring(9000, 0, 100)], { name: "Far" })),
      "regions.geojson was drawn on another image: the region Far reaches x 9,000, y 0, but the image is 800 × 800 pixels.",
    ],
    [
      JSON.stringify(feature([ring(0, 0, 10)], { objectType: "cell" })),
      "regions.geojson holds 1 detected objects and no drawn ones: export the annotations, not the cells.",
    ],
  ] as const) {
    await choose(text);
    await expect.poll(() => page.getByRole("alert").textContent()).toContain(sentence);
  }
  expect((await regions()).length).toBe(3);
});

it("selects the cells near a region, and colors by the distance", async () => {
  await page.getByLabel("Distance from", { exact: true }).selectOption("border:Nest");
  await page.getByLabel("At most (µm)").fill("-1");
  await sees(page, "Enter a distance of 0 µm or more.");
  await page.getByLabel("At most (µm)").fill("25");
  await page.getByLabel("Leave out cells inside the region", { exact: false }).check();
  await button("Color by distance").last().click();
  await expect.poll(() => page.evaluate("viewer.store.getState().measure")).toBe("border:Nest");
  await button("Select these cells").click();
  // 20 cells around it lie 10 µm from its border, and 4 in the hole 20 µm.
  await expect.poll(() => page.evaluate("viewer.store.getState().selection?.count")).toBe(24);
  await page.getByLabel("Composition compared with").selectOption({ label: "Nest (12)" });
  await sees(page, "Bar: share within the selection. Line: share among Nest.");
  await page.evaluate(`viewer.store.setState({ panel: "regions" })`);
});

it("offers regions to the comparison", async () => {
  await button("Compare two regions").click();
  await expect
    .poll(() => page.getByRole("option", { name: /^Nest \(12\)$/ }).count())
    .toBeGreaterThan(0);
});

it("keeps only one region: all else is excluded", async () => {
  await page.evaluate(`viewer.store.setState({ panel: "regions" })`);
  await button("Keep only this region").click();
  await sees(page, /^Everything else is excluded now/);
  await expect.poll(() => named("Outside Nest")).toMatchObject({ excluded: true });
  // The image around the nest, and its hole.
  const outside = (await named("Outside Nest"))!.polygons;
  expect(outside.map((rings) => rings.length).sort()).toEqual([1, 2]);
  expect(outside.flat(2).flat()).toContain(800);
});

it("proposes pieces of tissue that lie apart, as regions and as samples", async () => {
  const names = PIECES.map(({ name }) => ({ id: name, name: `Breast 1 – ${name}` }));
  await page.route("**/api/projects/p1/split", (route) =>
    route.fulfill({ status: 201, json: { projects: names, message: "2 projects were created." } }),
  );
  await sees(page, /^This slide has 2 pieces of tissue\./);
  await button("Show as regions").click();
  await expect.poll(() => named("Piece 2")).toMatchObject({ polygons: PIECES[1]!.polygons });
  await expect.poll(() => button("Show as regions").count()).toBe(0);
  await button("Split into samples…").click();
  await sees(page, "1,201 spots");
  await sees(page, /^The first run of each new project uses one of your analyses: 2 in all\./);
  await expectNoBarriers(page);
  await button("Create projects").click();
  await sees(page, "Breast 1 – Piece 2");
  await button("Close").first().click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

it("chooses, deletes, splits, and adds nuclei, and merges only those that touch", async () => {
  await answer(page, "/projects/p1/nucleus_edits", { json: { fault: null, in_use: null } });
  await page.evaluate("openWork(true)");
  await button("Nuclei").click();
  await use("Choose");
  const edits = async () =>
    (await page.evaluate(
      "[...viewer.annotations.getState().items.values()].filter(({ kind }) => kind === 'outlines').map(({ value }) => value)",
    )) as { how: string; removed: number[]; added: [number, number][][] }[];
  // Cells 0 and 1 of a row of 20, 40 px apart.
  for (const x of [20, 60]) await page.mouse.click(...(await at(x, 20)));
  await sees(page, "2 nuclei chosen");
  await button("Merge").click();
  await sees(page, /^These nuclei do not touch/);
  await button("Delete").click();
  await expect.poll(edits).toMatchObject([
    { how: "deleted", removed: [0], added: [] },
    { how: "deleted", removed: [1], added: [] },
  ]);
  await sees(page, "2 deleted");
  await use("Split");
  await page.mouse.move(...(await at(100, 5)));
  await page.mouse.down();
  await page.mouse.move(...(await at(100, 35)), { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await edits())[2]?.added.length).toBe(2);
  // Both halves touch.
  await use("Choose");
  for (const x of [96, 104]) await page.mouse.click(...(await at(x, 20)));
  await sees(page, "2 nuclei chosen");
  await button("Merge").click();
  await expect.poll(async () => (await edits())[2]).toMatchObject({ how: "merged", removed: [2] });
  await use("Add");
  await polygon([300, 300], [316, 300], [316, 316]);
  await expect.poll(async () => (await edits())[3]).toMatchObject({ how: "added", removed: [] });
  await sees(page, "2 deleted, 1 merged, 1 added");
  await expectNoBarriers(page);
  await button("Undo all edits").click();
  await sees(page, "No nucleus is changed.");
});

it("shows regions to those who may not change them, without tools for drawing", async () => {
  await page.evaluate("openWork(false)");
  await cellsOf(/^Nest/).toContain("12");
  await expect.poll(() => button("Ruler").count()).toBe(1);
  for (const name of ["Polygon", "Import regions", "Delete Nest", "Undo"])
    await expect(button(name).count()).resolves.toBe(0);
  await stage().focus();
  await page.keyboard.press("p");
  await expect(page.evaluate("viewer.store.getState().tool")).resolves.toBe("pan");
  await expectNoBarriers(page);
});

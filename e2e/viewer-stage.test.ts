import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { openPerson, sees, type Person } from "./person.ts";
import { annotationsTurn, finishedSample } from "./shared-platform.ts";

let browser: Browser;
let person: Person;
let page: Page;
let address: string;

beforeAll(async () => {
  const shared = await finishedSample();
  const { url } = (await call(
    shared.url,
    "POST",
    `/start_visualization?project_id=${shared.projectId}`,
    { token: shared.token },
  )) as { url: string };
  address = url;
  browser = await openBrowser({ webgl: true });
  person = await openPerson(browser, shared.url, {
    viewport: { width: 1000, height: 640 },
    acceptDownloads: true,
  });
  ({ page } = person);
  await page.goto(url);
  await tissue().waitFor();
}, 600_000);
afterAll(() => browser?.close());

const tissue = () => page.getByRole("application", { name: /^Tissue/ });
const summary = () => page.locator("p[aria-live=polite].sr-only").first();

/** Pixels of a part of the tissue view free of overlays. */
async function pixels(from = 0.3, to = 0.7): Promise<{ data: Buffer; width: number }> {
  const { x, y, width, height } = (await tissue().boundingBox())!;
  const png = await page.screenshot({
    clip: {
      x: x + from * width,
      y: y + 0.15 * height,
      width: (to - from) * width,
      height: 0.2 * height,
    },
  });
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width };
}

/** Share of pixels that differ clearly. */
function changed(one: { data: Buffer }, other: { data: Buffer }): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 3) {
    const apart =
      Math.abs(one.data[at] - other.data[at]) +
      Math.abs(one.data[at + 1] - other.data[at + 1]) +
      Math.abs(one.data[at + 2] - other.data[at + 2]);
    if (apart > 40) count += 1;
  }
  return count / (one.data.length / 3);
}

/** The picture once nothing is loading and it has stayed the same three times. */
async function settled(from?: number, to?: number): Promise<{ data: Buffer; width: number }> {
  let last = await pixels(from, to);
  let still = 0;
  await expect
    .poll(async () => {
      const next = await pixels(from, to);
      const rests = changed(last, next) === 0 && (await page.evaluate("callsUnderWay === 0"));
      last = next;
      return (still = rests ? still + 1 : 0);
    })
    .toBeGreaterThan(2);
  return last;
}

/** Opens the view with another query. */
async function show(query: string): Promise<void> {
  await page.goto(`${address}?${query}`);
  await tissue().waitFor();
  await expect.poll(() => summary().textContent()).toMatch(/^Tissue, /);
}

it("describes what it shows", async () => {
  await expect
    .poll(() => summary().textContent())
    .toMatch(/^Tissue, [\d,]+ cells colored by cell type, [\d.]+ mm wide\.$/);
  await tissue().focus();
  for (let press = 0; press < 8; press++) await page.keyboard.press("+");
  await expect.poll(() => summary().textContent()).toMatch(/in view .* µm wide, drawn as outlines/);
  await page.keyboard.press("0");
  await expect.poll(() => summary().textContent()).toMatch(/mm wide\.$/);
});

it("colors cells by a gene, and spots by their own counts of it", async () => {
  const byType = await pixels();
  await page.getByRole("radio", { name: "Gene set", exact: true }).check();
  await page.getByText("Add genes to color the cells by their score.").waitFor();
  await page.getByRole("radio", { name: "Gene", exact: true }).check();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/gene")) asked.push(searchParams.get("name")!);
  });
  await page.getByRole("combobox", { name: "Gene" }).fill("CD3E");
  // Highlighted in the list, it is requested before it is chosen, and then not again.
  await expect.poll(() => asked).toEqual(["CD3E"]);
  await page.getByRole("option", { name: "CD3E", exact: true }).click();
  await page.getByText("≥", { exact: false }).first().waitFor();
  await expect.poll(async () => changed(byType, await pixels())).toBeGreaterThan(0.02);
  expect(asked).toEqual(["CD3E"]);
  const byGene = await pixels();
  await page.getByRole("checkbox", { name: "Spots", exact: true }).check();
  await page.getByText("Spots: observed counts").waitFor();
  await expect.poll(async () => changed(byGene, await pixels())).toBeGreaterThan(0.05);
});

it("compares spots on the left with cells on the right of a divider that keys move", async () => {
  await show("swipe=0.5");
  const border = page.getByRole("slider", { name: /^Spots on the left/ });
  await page.getByText("Spots: clusters").waitFor();
  const right = await settled(0.72, 0.85);
  const left = await pixels(0.15, 0.28);
  await border.focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press("PageDown");
  await expect.poll(() => border.getAttribute("aria-valuenow")).toBe("10");
  await expect.poll(async () => changed(left, await pixels(0.15, 0.28))).toBeGreaterThan(0.02);
  expect(changed(right, await pixels(0.72, 0.85))).toBe(0);
  await page.getByRole("checkbox", { name: "Compare spots with cells" }).uncheck();
  await expect.poll(() => border.count()).toBe(0);
});

it("allows dragging the divider while drawing regions, without selecting anything", async () => {
  await show("swipe=0.5");
  const border = page.getByRole("slider", { name: /^Spots on the left/ });
  await page.getByRole("button", { name: /^Lasso/ }).click();
  const { x, y, width, height } = (await border.boundingBox())!;
  await page.mouse.move(x + width / 2, y + 0.6 * height);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 120, y + 0.7 * height, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(async () => Number(await border.getAttribute("aria-valuenow")))
    .toBeGreaterThan(55);
  await expect.poll(() => page.getByText(/cells? selected$/).count()).toBe(0);
});

it("keeps its tools uncovered on a phone with both views and an open tool", async () => {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 812 });
  await show("view=both&by=gene&gene=CD3E&swipe=0.5");
  await page.getByRole("button", { name: "Plots", exact: true }).click();
  await page.getByText("Spots: observed counts").waitFor();
  await page.getByText("Logarithmic axis").first().waitFor();
  const tools = {
    stage: tissue(),
    pointer: page.getByRole("group", { name: "Pointer", exact: true }).first(),
    export: page.getByRole("button", { name: "Export the Tissue view" }),
    legend: page.getByText("Spots: observed counts"),
    scale: page.getByText("Scale bar:").first().locator(".."),
  };
  /** Overlapping pairs, and parts cut off by the view's bottom edge; the tool has its final height once loaded. */
  const troubles = async (): Promise<string[]> => {
    const boxes = await Promise.all(
      Object.entries(tools).map(async ([name, part]) => ({ name, ...(await part.boundingBox())! })),
    );
    const [stage, ...parts] = boxes;
    return [
      ...(stage.height > 200 ? ["the view is still high"] : []),
      ...parts.filter((one) => one.y + one.height > stage.y + stage.height).map(({ name }) => name),
      ...parts.flatMap((one, at) =>
        parts
          .slice(at + 1)
          .filter((other) => overlap(one, other))
          .map((other) => `${one.name} and ${other.name}`),
      ),
    ];
  };
  await expect.poll(troubles).toEqual([]);
  await page.setViewportSize(size);
});

it("shows the settings or a tool on a phone, so that the view keeps its room", async () => {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 740 });
  const heightPx = async () => (await tissue().boundingBox())?.height ?? 0;
  const settings = page.getByRole("complementary", { name: "Settings" });
  const opener = page.getByRole("button", { name: "Settings", exact: true });
  await opener.click();
  await settings.waitFor();
  await page.getByRole("button", { name: "Plots", exact: true }).click();
  await settings.waitFor({ state: "hidden" });
  await expect.poll(heightPx).toBeGreaterThan(100);
  await opener.click();
  await settings.waitFor();
  await page.getByRole("region", { name: "Plots" }).waitFor({ state: "hidden" });
  await opener.click();
  await settings.waitFor({ state: "hidden" });
  await page.setViewportSize(size);
});

it("leaves the view room beside a tool on a tablet, and all tools within reach in a low window", async () => {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.getByRole("button", { name: "Plots", exact: true }).click();
  await page.getByText("Logarithmic axis").first().waitFor();
  await expect.poll(async () => (await tissue().boundingBox())!.width).toBeGreaterThan(300);
  const verdict = page.getByRole("status").filter({ hasText: /Reliability/ });
  await expect.poll(async () => (await verdict.boundingBox())!.height).toBeLessThan(80);
  await page.setViewportSize({ width: 1000, height: 520 });
  const last = page.getByRole("button", { name: "Share", exact: true });
  await last.focus();
  await expect
    .poll(async () => {
      const { y, height } = (await last.boundingBox())!;
      return y + height;
    })
    .toBeLessThanOrEqual(520);
  await page.getByRole("button", { name: "Close plots" }).click();
  await page.setViewportSize(size);
});

it("never scrolls as a page, whichever tool is open", async () => {
  const before = page.viewportSize()!;
  const tools = ["Select", "Compare", "Markers", "Plots", "Share"];
  const longer: string[] = [];
  for (const size of [
    { width: 1000, height: 640 },
    { width: 375, height: 812 },
  ]) {
    await page.setViewportSize(size);
    for (const name of tools) {
      const tool = page.getByRole("button", { name, exact: true });
      if ((await tool.getAttribute("aria-expanded")) !== "true") await tool.click();
      // The last tool has been replaced, and this one's code is there.
      await page.getByRole("region", { name, exact: true }).locator("h2, p, h3").nth(1).waitFor();
      await expect.poll(() => page.evaluate("callsUnderWay")).toBe(0);
      const scrolls = await page.evaluate(
        "[document.scrollingElement.scrollHeight > innerHeight, document.scrollingElement.scrollWidth > innerWidth]",
      );
      if (String(scrolls) !== "false,false") longer.push(`${name} at ${size.width} px`);
    }
  }
  expect(longer).toEqual([]);
  await page.getByRole("button", { name: "Close share" }).click();
  // At a zoom of 400% there is room for the view before anything is closed.
  await page.setViewportSize({ width: 360, height: 225 });
  await expect
    .poll(async () => (await page.locator("#stage-tissue").boundingBox())!.height)
    .toBeGreaterThan(80);
  await page.setViewportSize({ width: 375, height: 812 });
  // Nor does a long name push the settings out of a phone's window.
  await page
    .locator("header p")
    .first()
    .evaluate("(name) => void (name.textContent = 'x'.repeat(80))");
  const settings = page.getByRole("button", { name: "Settings", exact: true });
  await expect
    .poll(async () => {
      const { x, width } = (await settings.boundingBox())!;
      return x + width;
    })
    .toBeLessThanOrEqual(375);
  await page.setViewportSize(before);
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

it("leaves no gaps while outlines are missing", async () => {
  let release = () => undefined as void;
  const held = new Promise<void>((done) => (release = done));
  await page.route(/polygons\.bin/, async (route) => {
    await held;
    await route.continue();
  });
  await show("at.tissue=1000,1000,0.3&tissue=0");
  const dark = async () => (await pixels()).data.filter((value) => value < 150).length;
  await expect.poll(dark).toBeGreaterThan(1_000);
  const points = await pixels();
  release();
  // Screenshots are slow on a busy machine.
  await expect.poll(async () => changed(points, await pixels())).toBeGreaterThan(0.1);
});

it("requests lost tissue tiles again, and then no longer reports them missing", async () => {
  // No other journey draws a region here meanwhile.
  const turn = await annotationsTurn();
  onTestFinished(() => turn[Symbol.dispose]());
  const tiles = /tissue_files/;
  await page.route(tiles, (route) => route.abort());
  await show("at.tissue=1000,1000,-2&cells=0");
  const remark = page.getByText("Parts of the tissue image didn't load.");
  await remark.waitFor();
  const dark = async () => (await pixels()).data.filter((value) => value < 200).length;
  await expect.poll(dark).toBe(0);
  await page.unroute(tiles);
  await tissue().focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("+");
  await expect.poll(() => remark.count()).toBe(0);
  await expect.poll(dark).toBeGreaterThan(1_000);
});

it("stays when a tool does not load, and so do the other tools", async () => {
  const other = await person.context.newPage();
  await other.route(/plots-panel.*js/, (route) => route.abort());
  await other.goto(address);
  const stage = other.getByRole("application", { name: /^Tissue/ });
  await stage.locator("canvas").waitFor();
  const tool = (name: string) => other.getByRole("button", { name, exact: true });
  await tool("Plots").click();
  const failure = other.getByRole("alert").getByRole("button", { name: "Reload" });
  await failure.waitFor();
  await expect.poll(() => stage.isVisible()).toBe(true);
  await tool("Select").click();
  await tool("All shown").waitFor();
  await expect.poll(() => failure.count()).toBe(0);
  await other.close();
});

it("stays when a part of it does not load, and says so", async () => {
  const other = await person.context.newPage();
  await other.route(/export-menu.*js/, (route) => route.abort());
  await other.goto(address);
  const stage = other.getByRole("application", { name: /^Tissue/ });
  await stage.locator("canvas").waitFor();
  await other.getByRole("button", { name: "Export the Tissue view" }).click();
  await sees(other, /^A part of this page didn't load\./);
  await expect.poll(() => stage.isVisible()).toBe(true);
  await other.close();
});

it("exports what is shown as a bitmap and as a vector image", async () => {
  await show("at.tissue=1000,1000,-0.2&by=gene&gene=CD3E&swipe=0.4");
  await page.getByText("Spots: observed counts").waitFor();
  const save = async (item: RegExp) => {
    await page.getByRole("button", { name: "Export the Tissue view" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const png = await save(/PNG/);
  expect(png.name).toMatch(/CD3E-Tissue\.png$/);
  const { width } = (await tissue().boundingBox())!;
  const picture = await sharp(png.bytes).metadata();
  expect(picture.width).toBeGreaterThan(2 * width);
  const { channels } = await sharp(png.bytes).stats();
  expect(channels[0].stdev).toBeGreaterThan(10);

  const svg = await save(/SVG/);
  const text = svg.bytes.toString();
  expect(svg.name).toMatch(/CD3E-Tissue\.svg$/);
  const parts = [
    "CD3E",
    "µm",
    "Spots: observed counts",
    "Spots | Cells",
    `clip-path="url(#cells)"`,
  ];
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
  expect((await sharp(svg.bytes).metadata()).format).toBe("svg");

  await page.evaluate("HTMLCanvasElement.prototype.toBlob = (done) => done(null)");
  await page.getByRole("button", { name: "Export the Tissue view" }).click();
  await page.getByRole("menuitem", { name: /PNG/ }).click();
  await sees(page, "Error exporting the view: the browser couldn't save the file.");
});

it("can be redrawn after losing the WebGL context", async () => {
  await page.evaluate(
    `document.querySelector("canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext()`,
  );
  await page.getByText("The view stopped drawing").waitFor();
  await page.getByRole("button", { name: "Draw again" }).click();
  await expect.poll(() => page.getByText("The view stopped drawing").count()).toBe(0);
  await expect
    .poll(async () => (await pixels()).data.filter((value) => value < 200).length)
    .toBeGreaterThan(1_000);
  expect(person.faults).toEqual([]);
});

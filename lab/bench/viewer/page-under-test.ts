import { readFile } from "node:fs/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import { installProbe, type Point, type Probe } from "./probe.ts";
import { MARGIN } from "./synthetic-cells.ts";

declare global {
  interface Window {
    viewProbe: Probe;
    /** When tissue and cells were first seen. */
    firstSights: Promise<[tissue: number, cells: number]>;
  }
}

/** A page with the probe installed, and its DevTools session. */
export interface PageUnderTest {
  page: Page;
  session: CDPSession;
  /** Bytes received over the wire since the page was created. */
  received(): number;
  close(): Promise<void>;
}

export const WINDOW = { width: 1440, height: 900 } as const;

/** A page in a fresh profile with an empty cache. */
export async function openPage(browser: Browser): Promise<PageUnderTest> {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  // A step may take long when millions of cells are drawn on the CPU.
  page.setDefaultTimeout(120_000);
  await page.addInitScript(installProbe);
  const session = await context.newCDPSession(page);
  let bytes = 0;
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  return { page, session, received: () => bytes, close: () => context.close() };
}

/**
 * Loads `url`; returns ms from the request to the first frames with tissue and with cells at their expected positions.
 */
export async function timeLoad(
  page: Page,
  url: string,
  placement: Placement,
): Promise<[tissue: number, cells: number]> {
  await page.addInitScript(
    ([tissue, cells]) => {
      window.firstSights = Promise.all([
        window.viewProbe.untilSeen("tissue", tissue),
        window.viewProbe.untilSeen("cells", cells),
      ]);
    },
    [tissuePoints(placement), cellPoints(placement)] as const,
  );
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(() => window.firstSights);
}

/** Page position of an image point (0 to 1 on each axis), when the whole image fits the canvas except for a margin. */
export interface Placement {
  /** Center of the canvas, and size of the whole (square) image in CSS px. */
  middle: Point;
  imagePx: number;
}

/** Placement of a square image that fits a canvas with `marginPx` on every side. */
export function fittedImage(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  marginPx: number,
): Placement {
  return {
    middle: [x + width / 2, y + height / 2],
    imagePx: Math.min(width, height) - 2 * marginPx,
  };
}

function pointOf({ middle, imagePx }: Placement, u: number, v: number): Point {
  return [middle[0] + (u - 0.5) * imagePx, middle[1] + (v - 0.5) * imagePx];
}

/** Points outside the cells, where there is only tissue. */
export function tissuePoints(placement: Placement): Point[] {
  return [0.2, 0.35, 0.5, 0.65, 0.8].map((v) => pointOf(placement, MARGIN / 2, v));
}

/** Points spread over all the cells. */
export function cellPoints(placement: Placement): Point[] {
  const at = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9];
  return at.flatMap((u) => at.map((v) => pointOf(placement, u, v)));
}

export interface Memory {
  /** JavaScript heap after garbage collection, bytes; excludes typed arrays. */
  heap: number;
  /** Resident memory of the page's process and of the GPU process, bytes. */
  renderer: number;
  gpu: number;
}

export async function memoryOf(browser: Browser, { session }: PageUnderTest): Promise<Memory> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? NaN;
  const root = await browser.newBrowserCDPSession();
  const { processInfo } = await root.send("SystemInfo.getProcessInfo");
  await root.detach();
  const resident = async (type: string): Promise<number> => {
    const sizes = await Promise.all(
      processInfo.filter((process) => process.type === type).map(({ id }) => residentBytes(id)),
    );
    return Math.max(0, ...sizes);
  };
  return { heap, renderer: await resident("renderer"), gpu: await resident("GPU") };
}

/** NaN if the system does not provide it (Linux does). */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return 1024 * Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN);
}

/** Intervals in ms between frames that draw something, during `work`. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => window.viewProbe.startFrames());
  await work();
  return page.evaluate(() => window.viewProbe.stopFrames());
}

/** Duration of each kind of movement, ms. */
const MOVING_MS = 2500;

/**
 * Drags in circles starting at the center. Moves as fast as the page handles them, at most about 60 times per second.
 */
export async function drag(page: Page, [x, y]: Point): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  const start = performance.now();
  for (let ms = 0; ms < MOVING_MS; ms = performance.now() - start) {
    const angle = (2 * Math.PI * ms) / 1000;
    await page.mouse.move(x + 120 * Math.sin(angle), y + 60 * (1 - Math.cos(angle)));
    await page.waitForTimeout(12);
  }
  await page.mouse.up();
}

/** Zooms in and out around the center with the wheel. */
export async function zoom(page: Page, [x, y]: Point): Promise<void> {
  await page.mouse.move(x, y);
  const start = performance.now();
  for (let ms = 0; ms < MOVING_MS; ms = performance.now() - start) {
    await page.mouse.wheel(0, ms % 1000 < 500 ? -40 : 40);
    await page.waitForTimeout(20);
  }
}

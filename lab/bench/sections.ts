import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "../../e2e/browser.ts";
import { call, newAccount } from "../../e2e/client.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { placeInAccount } from "../../e2e/project-on-platform.ts";
import { TOGETHER_TEXTS as TEXTS } from "../../apps/web/src/features/studies/together/texts.ts";
import { openPage } from "./viewer/page-under-test.ts";
import { geneName, writeSyntheticProject } from "./viewer/synthetic-project.ts";

/**
 * Speed of the sections of a study side by side: synthetic samples on the whole platform in a real Chromium. Prints
 * the times to the frame in which the cells of all sections, and their colors by a gene, are drawn.
 *
 *   npm run bench:sections -- --sections 8 --cells 100000 --data FOLDER
 */
const { values } = parseArgs({
  options: {
    sections: { type: "string", default: "8" },
    cells: { type: "string", default: "100000" },
    data: { type: "string", default: resolve(import.meta.dirname, "../../.stipple-bench") },
  },
});
const [sections, cells] = [Number(values.sections), Number(values.cells)];
const LOADS = 3;
const GENES = [0, 300, 600, 900, 1200].map(geneName);

async function resultsOf(): Promise<string> {
  const results = join(resolve(values.data), String(cells), "results");
  if (existsSync(results)) return results;
  await mkdir(`${results}.partial`, { recursive: true });
  await writeSyntheticProject(`${results}.partial`, cells, () => undefined);
  await rename(`${results}.partial`, results);
  return results;
}

declare global {
  interface Window {
    /** When a section's drawing last changed in its middle, and whether it shows cells there; in the order of first drawing. */
    sectionsSeen: { at: number; cells: boolean }[];
    pressedAt: number;
  }
}

/** Runs in the page before its own scripts: looks at the middle of each drawing right after it was drawn. */
function installSectionsProbe(): void {
  const drawn = new Set<WebGL2RenderingContext>();
  const known = new Map<WebGL2RenderingContext, string>();
  window.sectionsSeen = [];
  addEventListener("keydown", ({ timeStamp }) => (window.pressedAt = timeStamp), true);
  const prototype = WebGL2RenderingContext.prototype;
  for (const name of [
    "drawArrays",
    "drawElements",
    "drawArraysInstanced",
    "drawElementsInstanced",
  ] as const) {
    const original = prototype[name] as (...parameters: number[]) => void;
    prototype[name] = function (this: WebGL2RenderingContext, ...parameters: number[]) {
      drawn.add(this);
      original.apply(this, parameters);
    };
  }
  const look = (gl: WebGL2RenderingContext): void => {
    if (!(gl.canvas instanceof HTMLCanvasElement) || !gl.canvas.closest('[role="application"]'))
      return;
    const bytes = new Uint8Array(4 * 32 * 32);
    const [x, y] = [gl.drawingBufferWidth / 2 - 16, gl.drawingBufferHeight / 2 - 16];
    gl.readPixels(x, y, 32, 32, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    const now = bytes.join();
    if (known.get(gl) === now) return;
    known.set(gl, now);
    let green = 0;
    for (let at = 0; at < bytes.length; at += 4) {
      // Cells are green to blue, tissue is not.
      if (Math.max(bytes[at + 1]!, bytes[at + 2]!) > bytes[at]! + 8) green += 1;
    }
    window.sectionsSeen[[...known.keys()].indexOf(gl)] = {
      at: performance.now(),
      cells: green > 128,
    };
  };
  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      drawn.clear();
      callback(time);
      for (const gl of drawn) look(gl);
    });
}

/** Ms from the request until all sections show their cells. */
async function timeOpen(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  const seen = await page.waitForFunction(
    (count) => {
      const looks = window.sectionsSeen;
      return looks.length === count && looks.every(({ cells }) => cells) && performance.now();
    },
    sections,
    { polling: "raf" },
  );
  return Number(await seen.jsonValue());
}

/** Ms from Enter until the last section has changed its colors. */
async function timeGene(page: Page, gene: string): Promise<number> {
  const box = page.getByRole("combobox", { name: TEXTS.gene, exact: true });
  await box.fill(gene.toLowerCase());
  await box.press("Enter");
  const took = await page.waitForFunction((count) => {
    const ats = window.sectionsSeen.map(({ at }) => at);
    const last = Math.max(...ats);
    const isDone = ats.filter((at) => at > window.pressedAt).length === count;
    return isDone && performance.now() - last > 1500 && last - window.pressedAt;
  }, sections);
  return Number(await took.jsonValue());
}

const shown = (times: readonly number[]): string => times.map((ms) => Math.round(ms)).join(", ");

const results = await resultsOf();
const platform = await startPlatform({
  dataDir: await mkdtemp(join(resolve(values.data), "platform-")),
});
const browser = await openBrowser({ webgl: true });
try {
  const token = await newAccount(platform.url, "sections@example.org");
  const ids: string[] = [];
  for (let at = 0; at < sections; at++) {
    ids.push(await placeInAccount(platform, token, results, `section${at + 1}`));
  }
  const body = { name: "Sections", project_ids: ids };
  const study = await call(platform.url, "POST", "/studies", { token, body });
  const opens: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const { page, received, close } = await openPage(browser);
    await page.addInitScript((kept) => localStorage.setItem("token", kept), token);
    await page.addInitScript(installSectionsProbe);
    opens.push(await timeOpen(page, `${platform.url}/studies/${study.id}/view`));
    if (load === LOADS - 1) {
      console.log(`MB received: ${(received() / 1e6).toFixed(1)}`);
      await page.waitForLoadState("networkidle");
      await page.getByLabel(TEXTS.colorBy).selectOption({ label: TEXTS.colorings.gene });
      const genes: number[] = [];
      for (const gene of GENES) genes.push(await timeGene(page, gene));
      console.log(`Gene over ${sections} sections: ${shown(genes)} ms`);
    }
    await close();
  }
  console.log(`${sections} sections of ${cells} cells: ${shown(opens)} ms`);
  console.log(`${cpus().length} cores, ${browser.version()}`);
} finally {
  await browser.close();
  await platform.close();
}

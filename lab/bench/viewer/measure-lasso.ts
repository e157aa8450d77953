import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { serveFolders } from "./static-server.ts";

const CELLS = 1_000_000;
const CORNERS = 400;
const TIMES = 12;

/**
 * The view's own selection worker in a page without the view: ms from sending a drawn region with 400 vertices and
 * about 0.4 million cells to receiving those cells. The first region is excluded because it also waits for the worker
 * to start.
 */
export async function measureLasso(browser: Browser): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-lasso-"));
  await build({
    root: join(import.meta.dirname, "lasso"),
    base: "./",
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, target: "es2022" },
  });
  const server = await serveFolders({ lasso: folder });
  const page = await browser.newPage();
  try {
    await page.goto(`${server.url}/lasso/index.html`);
    const took = await page.evaluate(
      ([cells, corners, times]) => window.measureLasso(cells, corners, times),
      [CELLS, CORNERS, TIMES] as const,
    );
    return took.slice(1);
  } finally {
    await page.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { viewerFolder } from "@stipple/pipeline/view";
import { openBrowser } from "../../e2e/browser.ts";
import { call, newAccount } from "../../e2e/client.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { placeInAccount } from "../../e2e/project-on-platform.ts";
import { manyPolygons } from "./viewer/many-polygons.ts";
import { openPage } from "./viewer/page-under-test.ts";
import { writeSyntheticProject } from "./viewer/synthetic-project.ts";

/**
 * Imports 20,000 polygons of 24 corners, in 40 classes, into the interactive view of a synthetic slide on the whole
 * platform, in a real Chromium: `node lab/bench/region-import.ts --cells 160000`. Prints the seconds after which the
 * regions are listed, all their cells counted, and everything is saved, and the processor time of pages, server, and database.
 */
const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "160000" },
    rounds: { type: "string", default: "3" },
    data: { type: "string", default: resolve(import.meta.dirname, "../../.stipple-bench") },
  },
});
const CLASSES = 40;
const cells = Number(values.cells);

async function resultsOf(): Promise<string> {
  const results = join(resolve(values.data), String(cells), "results");
  if (existsSync(results)) return results;
  await mkdir(`${results}.partial`, { recursive: true });
  await writeSyntheticProject(`${results}.partial`, cells, () => undefined);
  await rename(`${results}.partial`, results);
  return results;
}

/** Processor seconds of all processes that this one has started. */
function secondsOfChildren(): number {
  const processes = readdirSync("/proc").flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${Number(name)}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ id: Number(name), parent: Number(fields[1]), fields }];
    } catch {
      return [];
    }
  });
  const ours = new Set([process.pid]);
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { id, parent } of processes) if (ours.has(parent)) ours.add(id);
  }
  // Hundredths of a second: of each process, in it and in the kernel.
  return processes
    .filter(({ id }) => ours.has(id) && id !== process.pid)
    .reduce((sum, { fields }) => sum + (Number(fields[11]) + Number(fields[12])) / 100, 0);
}

const results = await resultsOf();
const platform = await startPlatform({
  dataDir: await mkdtemp(join(resolve(values.data), "platform-")),
});
const browser = await openBrowser({ webgl: true });
try {
  const token = await newAccount(platform.url, "regions@example.org");
  const ask = (method: string, path: string) => call(platform.url, method, path, { token });
  const { widthPx: sidePx } = JSON.parse(
    readFileSync(join(viewerFolder(results), "manifest.json"), "utf8"),
  ) as { widthPx: number };
  const file = join(platform.dataDir, "regions.geojson");
  await writeFile(file, manyPolygons({ polygons: 20_000, corners: 24, classes: CLASSES, sidePx }));
  for (let round = 0; round < Number(values.rounds); round++) {
    const id = await placeInAccount(platform, token, results, `import ${round}`);
    const view = await ask("POST", `/start_visualization?project_id=${id}`);
    const { page, close } = await openPage(browser);
    await page.addInitScript((kept) => localStorage.setItem("token", kept), token);
    await page.goto(`${platform.url}${new URL(view.url as string).pathname}`);
    await page.getByRole("button", { name: "Regions", exact: true }).click();
    await page.getByRole("button", { name: "Import regions" }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(3000);
    const saved = page
      .waitForResponse((answer) => answer.url().endsWith(`/projects/${id}/annotations`))
      .then(() => performance.now());
    const spent = secondsOfChildren();
    const began = performance.now();
    await page.locator("input[type=file][accept*=geojson]").setInputFiles(file);
    const rows = (text: string) => page.getByRole("button", { name: new RegExp(text) });
    await rows("^Class \\d+")
      .nth(CLASSES - 1)
      .waitFor();
    const listed = performance.now();
    await rows("^Class \\d+ ?[\\d,]+$")
      .nth(CLASSES - 1)
      .waitFor();
    const counted = performance.now();
    const seconds = [listed, counted, await saved].map((at) => ((at - began) / 1000).toFixed(2));
    const all = (secondsOfChildren() - spent).toFixed(2);
    console.log(
      `${seconds.join(", ")} s until listed, counted, saved; ${all} s of processor time; load ${loadavg()[0]!.toFixed(1)}`,
    );
    await close();
  }
} finally {
  await browser.close();
  await platform.close();
}

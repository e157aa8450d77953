import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser } from "../../e2e/browser.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { placeOnPlatform } from "../../e2e/project-on-platform.ts";
import type { ViewerFigures } from "./viewer/figures.ts";
import { measureLasso } from "./viewer/measure-lasso.ts";
import { measureStipple, MEASURED_GENES } from "./viewer/measure-stipple.ts";
import { buildVitessce, measureVitessce } from "./viewer/measure-vitessce.ts";
import { openPage } from "./viewer/page-under-test.ts";
import { figureLines, performanceTables, replaceBlock } from "./viewer/report.ts";
import { writeSyntheticProject } from "./viewer/synthetic-project.ts";
import { writeVitessceData } from "./viewer/vitessce-data.ts";

/**
 * Speed of the interactive view: synthetic projects of several sizes on the whole platform, opened in a real Chromium,
 * compared with Vitessce on the same cells. Writes the figures to docs/performance.md.
 *
 *   npm run bench:viewer -- --cells 100000,700000,2000000 --data FOLDER --vitessce FOLDER
 *
 * --data: folder of the synthetic projects, which are made once (about a minute and 1.1 GB for 700,000 cells) and kept.
 * --vitessce: an npm project with Vitessce, which is not a dependency of this one. Create it with
 *
 *   npm init -y && npm pkg set overrides.ikonate=1.1.1 && npm install --ignore-scripts vitessce@4.0.8 react@19 react-dom@19
 *
 * (2 GB; the override replaces a dependency that npm would fetch from GitHub). Without it only our view is measured.
 * --vitessce-cells: the sizes to measure Vitessce on. --out: the document; --dry: do not change it.
 */
const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "100000,700000" },
    data: { type: "string", default: resolve(import.meta.dirname, "../../.stipple-bench") },
    vitessce: { type: "string" },
    "vitessce-cells": { type: "string", default: "100000,700000" },
    dry: { type: "boolean", default: false },
    out: { type: "string", default: resolve(import.meta.dirname, "../../docs/performance.md") },
  },
});
const sizes = values.cells.split(",").map(Number);
const sizesOfOther = new Set(values["vitessce-cells"].split(",").map(Number));
const folder = resolve(values.data);
const log = (line: string): void =>
  console.log(`${String(Math.round(performance.now() / 1000)).padStart(5)} s  ${line}`);

/**
 * A synthetic project's results; built in a temporary folder, so that an aborted run's leftovers are not mistaken for
 * it.
 */
async function resultsOf(cells: number): Promise<string> {
  const results = join(folder, String(cells), "results");
  if (existsSync(results)) return results;
  log(`${cells} cells: making the project`);
  await rm(`${results}.partial`, { recursive: true, force: true });
  await mkdir(`${results}.partial`, { recursive: true });
  await writeSyntheticProject(`${results}.partial`, cells, (what) => log(`  ${what}`));
  await rename(`${results}.partial`, results);
  return results;
}

function tell(figures: ViewerFigures): ViewerFigures {
  for (const line of figureLines(figures)) log(`  ${line}`);
  return figures;
}

interface Measured {
  figures: ViewerFigures[];
  lasso: number[];
  browser: string;
  renderer: string;
}

async function measure(): Promise<Measured> {
  for (const cells of sizes) await resultsOf(cells);
  const vitessce = values.vitessce ? await buildVitessce(resolve(values.vitessce)) : null;
  const figures: ViewerFigures[] = [];
  // On the same disk as the results, so that files are linked instead of copied.
  const dataDir = await mkdtemp(join(folder, "platform-"));
  const platform = await startPlatform({ dataDir });
  const browser = await openBrowser({ webgl: true });
  try {
    const first = await openPage(browser);
    await first.page.goto(platform.url);
    const renderer = await first.page.evaluate(() => window.viewProbe.renderer());
    await first.close();
    log("lasso");
    const lasso = await measureLasso(browser);
    log(`  ${lasso.map((ms) => Math.round(ms)).join(", ")} ms`);
    for (const cells of sizes) {
      log(`${cells} cells: Stipple`);
      const url = await placeOnPlatform(platform, await resultsOf(cells), `cells${cells}`);
      figures.push(tell(await measureStipple(browser, url, cells)));
      if (vitessce === null || !sizesOfOther.has(cells)) continue;
      log(`${cells} cells: Vitessce`);
      const other = join(folder, String(cells), "vitessce");
      const data = await writeVitessceData(other, await resultsOf(cells), MEASURED_GENES);
      figures.push(
        tell(await measureVitessce(browser, vitessce, other, data, MEASURED_GENES, cells)),
      );
    }
    return { figures, lasso, browser: browser.version(), renderer };
  } finally {
    await browser.close();
    await platform.close();
  }
}

const { figures, lasso, browser, renderer } = await measure();
// Folder locations are irrelevant to the record.
const flags = process.argv.slice(2).map((flag) => (flag.includes("/") ? "FOLDER" : flag));
const tables = performanceTables(figures, lasso, {
  command: `npm run bench:viewer -- ${flags.join(" ")}`.trim(),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
  browser,
  renderer,
  commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
});
console.log(tables);
if (!values.dry) {
  await writeFile(values.out, replaceBlock(await readFile(values.out, "utf8"), tables));
  log(`Written to ${values.out}`);
}

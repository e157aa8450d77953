import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { noFigures, type ViewerFigures } from "./figures.ts";
import {
  cellPoints,
  drag,
  framesDuring,
  memoryOf,
  openPage,
  timeLoad,
  zoom,
  type Placement,
} from "./page-under-test.ts";
import { serveFolders } from "./static-server.ts";
import type { VitessceData } from "./vitessce-data.ts";

const LOADS = 3;
/** Measurement stops after this long, keeping the results so far. */
const MAX_MS = 300_000;
/** Size of the image on the page, CSS px, as in our view in a window of this size. */
const IMAGE_PX = 836;

/**
 * Builds a page with Vitessce: `folder` is an npm project with vitessce, react, and react-dom installed. Returns the
 * page's folder.
 */
export async function buildVitessce(folder: string): Promise<string> {
  const source = join(folder, "page-source");
  const page = join(folder, "page");
  // Inside that folder, so that packages resolve there.
  await mkdir(source, { recursive: true });
  for (const [name, target] of [
    ["vitessce-page.html", "index.html"],
    ["vitessce-page.js", "vitessce-page.js"],
  ] as const) {
    await copyFile(join(import.meta.dirname, name), join(source, target));
  }
  await build({
    root: source,
    base: "./",
    configFile: false,
    logLevel: "error",
    build: { outDir: page, emptyOutDir: true, target: "es2022" },
  });
  return page;
}

/** Measures Vitessce with the same cells, as far as it gets. `page` is from {@link buildVitessce}. */
export async function measureVitessce(
  browser: Browser,
  page: string,
  dataFolder: string,
  data: VitessceData,
  genes: readonly string[],
  cells: number,
): Promise<ViewerFigures> {
  const figures = noFigures("Vitessce", cells);
  const setting = { ...data, zoom: Math.log2(IMAGE_PX / data.sidePx) };
  await writeFile(join(page, "setting.js"), `window.setting = ${JSON.stringify(setting)};\n`);
  const server = await serveFolders({ page, data: dataFolder });
  let doing = "loading";
  let opened = await openPage(browser);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    void opened.close();
  }, MAX_MS);
  try {
    const url = `${server.url}/page/index.html`;
    await answerForTheWeb(opened.page);
    const placement = await whereShown(opened.page, url);
    for (let load = 0; load < LOADS; load++) {
      await opened.close();
      opened = await openPage(browser);
      await answerForTheWeb(opened.page);
      const [tissue, all] = await timeLoad(opened.page, url, placement);
      figures.firstTissue.push(tissue);
      figures.allCells.push(all);
      figures.bytes.push(opened.received());
    }
    await sleep(1000);
    doing = "moving";
    figures.panFrames = await framesDuring(opened.page, () => drag(opened.page, placement.middle));
    figures.zoomFrames = await framesDuring(opened.page, () => zoom(opened.page, placement.middle));
    doing = "coloring by a gene";
    for (const [n, gene] of genes.entries()) {
      const time = await recolor(opened.page, gene, placement);
      (n === 0 ? figures.firstGene : figures.newGene).push(time);
    }
    for (const gene of genes.slice(0, -1)) {
      figures.knownGene.push(await recolor(opened.page, gene, placement));
    }
    figures.memory = await memoryOf(browser, opened);
  } catch (error) {
    const why = isLate ? `${MAX_MS / 1000} s exceeded` : (error as Error).message.split("\n")[0];
    figures.remarks.push(`${doing}: ${why}`);
  } finally {
    clearTimeout(limit);
    await opened.close();
    server.close();
  }
  return figures;
}

/** Vitessce's gene list waits for a table of gene names from the web; this immediately returns an empty one. */
async function answerForTheWeb(page: Page): Promise<void> {
  await page.route("https://**", (route) => route.fulfill({ json: {} }));
}

/** Opens the page once before measuring. The zoom is known, so only the center has to be determined. */
async function whereShown(page: Page, url: string): Promise<Placement> {
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(
    () => (document.querySelector("canvas")?.getBoundingClientRect().width ?? 0) > 400,
  );
  const box = (await page.locator("canvas").first().boundingBox())!;
  return { middle: [box.x + box.width / 2, box.y + box.height / 2], imagePx: IMAGE_PX };
}

/** Time from a click on a gene in the list to the frame that shows it. */
async function recolor(page: Page, gene: string, placement: Placement): Promise<number> {
  const shown = page.evaluate(
    (points) => window.viewProbe.untilRecolored("click", points),
    cellPoints(placement),
  );
  // Rejections are handled where it is awaited, after the click.
  shown.catch(() => undefined);
  await page.getByText(gene, { exact: true }).first().click();
  return shown;
}

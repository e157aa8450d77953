import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { viewerTexts } from "../../../apps/web/src/features/viewer/texts.ts";
import { noFigures, type ViewerFigures } from "./figures.ts";
import {
  cellPoints,
  drag,
  fittedImage,
  framesDuring,
  memoryOf,
  openPage,
  timeLoad,
  zoom,
  type Placement,
} from "./page-under-test.ts";
import { GENES, geneName } from "./synthetic-project.ts";

const LOADS = 3;
const NEW_GENES = 5;
/** From common to rare. */
export const MEASURED_GENES: readonly string[] = Array.from({ length: NEW_GENES + 1 }, (_, n) =>
  geneName(Math.floor((n * GENES) / 60)),
);
const MARKED_GENES = MEASURED_GENES.map((_, n) => geneName(Math.floor((n * GENES) / 60) + 1));
/** How long a user looks at the list before choosing. */
const MARKED_MS = 500;
const HOVERS = 10;
const STAGE = '[role="application"]';
/** Margin around a fitted image in the view, CSS px. */
const FIT_MARGIN_PX = 32;

/** Measures the interactive view at `url`; no gene may have been requested there before. */
export async function measureStipple(
  browser: Browser,
  url: string,
  cells: number,
): Promise<ViewerFigures> {
  const figures = noFigures("Stipple", cells);
  const placement = await whereFitted(browser, url);
  let opened = await openPage(browser);
  for (let load = 1; ; load++) {
    const [tissue, all] = await timeLoad(opened.page, url, placement);
    figures.firstTissue.push(tissue);
    figures.allCells.push(all);
    figures.bytes.push(opened.received());
    if (load === LOADS) break;
    await opened.close();
    opened = await openPage(browser);
  }
  const { page } = opened;
  await settled(page);

  figures.panFrames = await framesDuring(page, () => drag(page, placement.middle));
  figures.zoomFrames = await framesDuring(page, () => zoom(page, placement.middle));
  await fit(page);
  figures.hover = await hovers(page, placement);

  await page.getByRole("radio", { name: viewerTexts.colorings.gene, exact: true }).check();
  for (const gene of MEASURED_GENES) {
    const times = gene === MEASURED_GENES[0] ? figures.firstGene : figures.newGene;
    times.push(await recolor(page, gene, placement));
  }
  for (const gene of MEASURED_GENES.slice(0, -1)) {
    figures.knownGene.push(await recolor(page, gene, placement));
  }
  figures.memory = await memoryOf(browser, opened);
  for (const gene of MARKED_GENES) {
    figures.markedGene.push(await recolor(page, gene, placement, MARKED_MS));
  }

  for (let step = 0; step < nearness(placement); step++) {
    await page.getByRole("button", { name: viewerTexts.zoomIn, exact: true }).click();
  }
  await settled(page);
  figures.closeFrames = await framesDuring(page, () => drag(page, placement.middle));
  await opened.close();
  return figures;
}

/** Position of the fitted image on the page. Opens the view once before measuring, to warm the disk cache. */
async function whereFitted(browser: Browser, url: string): Promise<Placement> {
  const opened = await openPage(browser);
  await opened.page.goto(url);
  const canvas = opened.page.locator(`${STAGE} canvas`).first();
  await canvas.waitFor();
  await settled(opened.page);
  // On a busy machine, the canvas may be resized only after that.
  await opened.page.waitForFunction((stage) => {
    const drawn = document.querySelector(`${stage} canvas`);
    return drawn !== null && drawn.clientWidth === document.querySelector(stage)?.clientWidth;
  }, STAGE);
  const box = await canvas.boundingBox();
  await opened.close();
  if (!box) throw new Error("The view has no canvas.");
  return fittedImage(box, FIT_MARGIN_PX);
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await sleep(500);
}

async function fit(page: Page): Promise<void> {
  await page.getByRole("button", { name: viewerTexts.fit, exact: true }).click();
  await settled(page);
}

/** Levels by which to zoom in from the fitted image until a cell is about 25 px wide. */
function nearness({ imagePx }: Placement): number {
  return Math.round(Math.log2(26_000 / imagePx));
}

/** Time from choosing a gene, highlighted in the list for a while, to the frame that shows it. */
async function recolor(
  page: Page,
  gene: string,
  placement: Placement,
  marked = 0,
): Promise<number> {
  const box = page.getByRole("combobox", { name: viewerTexts.gene, exact: true });
  await box.fill(gene);
  await page.getByRole("option", { name: gene, exact: true }).waitFor();
  const shown = page.evaluate(
    (points) => window.viewProbe.untilRecolored("keydown", points),
    cellPoints(placement),
  );
  await sleep(marked);
  await box.press("Enter");
  return shown;
}

/** Time from moving the pointer to another cell until its card appears. */
async function hovers(page: Page, { middle, imagePx }: Placement): Promise<number[]> {
  const times: number[] = [];
  const stage = page.locator(STAGE).locator("..");
  await page.mouse.move(middle[0], middle[1]);
  for (let n = 0; n < HOVERS; n++) {
    await sleep(150);
    const before = (await stage.textContent()) ?? "";
    const changed = page.evaluate(
      (text) => window.viewProbe.untilTextChanges('*:has(> [role="application"])', text),
      before,
    );
    await page.mouse.move(middle[0] + (imagePx * (n + 1)) / 40, middle[1] + (imagePx * n) / 50);
    const shown = await Promise.race([changed, sleep(2000)]);
    if (shown === undefined) continue;
    times.push(shown - (await page.evaluate(() => window.viewProbe.eventAt("pointermove"))));
  }
  return times;
}

/**
 * The landing page's overview video, filmed from the running product: `npm run overview-video [DATA_FOLDER]`.
 *
 * Drives a real Chromium through a sample tissue, from the landing page to the download, and writes
 * apps/web/public/overview/: overview.webm (VP9), captions.vtt, poster.avif, and poster.webp. The account and its
 * finished project stay in the data folder, so that a second take needs no minute-long run. Makes no external requests.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { OVERVIEW_SCENES } from "../../apps/web/src/features/marketing/home/overview-scenes.ts";
import { openBrowser } from "../../e2e/browser.ts";
import { call } from "../../e2e/client.ts";
import { findActors, spaceRangerFolder } from "./actors.ts";
import { captionFile } from "./captions.ts";
import { encodeWithin } from "./encode.ts";
import { Film, SIZE } from "./film.ts";
import { filmAnalysis } from "./scene-analysis.ts";
import { filmLanding } from "./scene-landing.ts";
import { filmDownload, filmResults } from "./scene-results.ts";
import { filmViewer } from "./scene-viewer.ts";
import { ROOT, startPlatform } from "../../e2e/platform.ts";

const OUT = join(ROOT, "apps/web/public/overview");
const MAX_BYTES = 2_900_000;
/** Picture pixels per page pixel, so that the film can zoom in without blur. */
const DETAIL = 1.5;

async function openPage(
  browser: Browser,
  url: string,
  { token = "", detail = DETAIL } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: detail,
    colorScheme: "light",
    baseURL: url,
    acceptDownloads: true,
  });
  context.setDefaultTimeout(60_000);
  if (token) {
    await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
  }
  return context.newPage();
}

/** The film shows only the beginning of a run, so the rest is not needed. */
async function stopRun(url: string): Promise<void> {
  if (!token) return;
  const queue = await call(url, "GET", "/workflow-queue-status", { token });
  if (queue.has_workflow) {
    await call(url, "POST", "/cancel_workflow", { token, body: { project_id: queue.project_id } });
    while ((await call(url, "GET", "/workflow-queue-status", { token })).has_workflow) {
      await sleep(200);
    }
  }
}

const given = process.argv[2];
if (given) await mkdir(resolve(given), { recursive: true });
const work = await mkdtemp(join(tmpdir(), "stipple-film-"));
const [platform, browser, drawing] = await Promise.all([
  startPlatform(
    given ? { dataDir: resolve(given), environment: { STIPPLE_THROWAWAY_DATABASE: "" } } : {},
  ),
  openBrowser(),
  // Only the interactive view needs WebGL, which is slow without a graphics card.
  openBrowser({ webgl: true }),
]);
const { url } = platform;
let token = "";
let page: Page | undefined;
try {
  const actors = await findActors(platform, browser, work);
  ({ token } = actors);
  await stopRun(url);
  const film = new Film();
  await filmLanding(film, await openPage(browser, url));
  page = await openPage(browser, url, { token });
  await filmAnalysis(film, page, await spaceRangerFolder(platform, work), actors.projectId, () =>
    stopRun(url),
  );
  const view = await openPage(drawing, url, { detail: 1 });
  await view.goto(await filmResults(film, page));
  const posterAt = await filmViewer(film, view);
  await filmDownload(film, page);
  console.log(`${film.seconds.toFixed(1)} s in ${film.pictures.length} pictures; encoding …`);

  const { webm, poster } = await encodeWithin(MAX_BYTES, browser, `${url}/about`, film, posterAt);
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, "overview.webm"), webm);
  await sharp(poster).avif({ quality: 50 }).toFile(join(OUT, "poster.avif"));
  await sharp(poster).webp({ quality: 72 }).toFile(join(OUT, "poster.webp"));
  const texts = new Map<string, string>(OVERVIEW_SCENES.map(({ id, text }) => [id, text]));
  const captions = film.captions.map(({ id, at }) => ({ text: texts.get(id) ?? id, at }));
  await writeFile(join(OUT, "captions.vtt"), captionFile(captions, film.seconds));
  console.log(`${(webm.length / 1e6).toFixed(2)} MB in ${OUT}`);
} catch (error) {
  await page?.screenshot({ path: join(tmpdir(), "stipple-film-failure.png") });
  throw error;
} finally {
  await stopRun(url);
  await Promise.all([browser.close(), drawing.close()]);
  if (given) await platform.interrupt();
  else await platform.close();
  await rm(work, { recursive: true, force: true });
}

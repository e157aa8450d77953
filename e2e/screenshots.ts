/**
 * Screenshots of every page at 1440 and 375 px, in light and dark mode, on a platform with a finished sample project:
 * `npm run screenshots [FOLDER]` (default: screenshots/). Also updates docs/images/, which the README shows.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { call, newAccount, runSample } from "./client.ts";
import { PROJECT_PAGES, PUBLIC_PAGES, SIGNED_IN_PAGES, WIDTHS } from "./pages.ts";
import { ROOT, startPlatform } from "./platform.ts";

type Scheme = "light" | "dark";

/** Tabs of the Validation page are in the URL fragment. */
const TABS = ["/validation#metrics", "/validation#comparison", "/validation#study-details"];

function nameOf(path: string, width: number, scheme: Scheme): string {
  const page = path.replace(/\?.*/, "").replaceAll(/[/#]/g, "-").replace(/^-/, "") || "home";
  return `${page}-${width}${scheme === "dark" ? "-dark" : ""}.png`;
}

async function openContext(
  browser: Browser,
  width: number,
  scheme: Scheme,
  token?: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width > 800 ? 900 : 812 },
    reducedMotion: "reduce",
    colorScheme: scheme,
  });
  if (token) {
    await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
  }
  return context;
}

const folder = resolve(process.argv[2] ?? join(ROOT, "screenshots"));
await mkdir(folder, { recursive: true });
const [platform, browser, drawing] = await Promise.all([
  startPlatform(),
  openBrowser(),
  // The interactive view needs WebGL.
  openBrowser({ webgl: true }),
]);
try {
  const token = await newAccount(platform.url, "ada@example.org");
  const projectId = await runSample(platform.url, token);
  const { url: view } = await call(
    platform.url,
    "POST",
    `/start_visualization?project_id=${projectId}`,
    { token },
  );
  for (const [width, scheme] of WIDTHS.flatMap((one) => [
    [one, "light"] as const,
    [one, "dark"] as const,
  ])) {
    const fileOf = (path: string): string => nameOf(path, width, scheme);
    const shoot = async (context: BrowserContext, path: string, file: string): Promise<void> => {
      const page = await context.newPage();
      await page.goto(new URL(path, platform.url).href);
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(1000);
      await page.screenshot({
        path: join(folder, file),
        fullPage: !path.includes("/visualization/"),
      });
      await page.close();
    };
    const visitor = await openContext(browser, width, scheme);
    for (const path of [...PUBLIC_PAGES, ...TABS]) await shoot(visitor, path, fileOf(path));
    const person = await openContext(browser, width, scheme, token);
    for (const path of SIGNED_IN_PAGES) await shoot(person, path, fileOf(path));
    for (const path of PROJECT_PAGES) {
      await shoot(person, `${path}?project_id=${projectId}`, fileOf(path));
    }
    const viewer = await openContext(drawing, width, scheme);
    await shoot(viewer, view as string, fileOf("visualization"));
    await Promise.all([visitor, person, viewer].map((context) => context.close()));
  }
  const images = join(ROOT, "docs/images");
  await mkdir(images, { recursive: true });
  await copyFile(join(folder, "visualization-1440.png"), join(images, "interactive-view.png"));
  console.log(`Pictures are in ${folder}; docs/images is renewed.`);
} finally {
  await Promise.all([browser.close(), drawing.close()]);
  await platform.close();
}

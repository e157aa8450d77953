import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { call, newAccount } from "./client.ts";
import { PROJECT_PAGES, PUBLIC_PAGES, SIGNED_IN_PAGES } from "./pages.ts";
import { startPlatform, type Platform } from "./platform.ts";

/** JavaScript that a page may bring as it is sent (Brotli), kB. React and its router alone are 82. */
const LANDING_KB = 95;
const APP_KB = 170;

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

let platform: Platform;
let browser: Browser;
let token: string;
let projectId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform(), openBrowser()]);
  token = await newAccount(platform.url, "audit@example.org");
  ({ project_id: projectId } = await call(platform.url, "POST", "/create_sample_project", {
    token,
  }));
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

function addressOf(path: string): string {
  const url = new URL(path, platform.url);
  if ((PROJECT_PAGES as readonly string[]).includes(path)) {
    url.searchParams.set("project_id", projectId);
  }
  return url.href;
}

/** A fresh browser for each page, so that nothing comes from a cache. */
async function visit(
  path: string,
  width: number,
  scheme: "light" | "dark",
  look: (page: Page, requests: string[]) => Promise<void>,
): Promise<void> {
  const signedIn = !(PUBLIC_PAGES as readonly string[]).includes(path);
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
    colorScheme: scheme,
    // axe is put into the page from outside, which the page's own policy rightly forbids.
    bypassCSP: true,
  });
  try {
    if (signedIn) {
      await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
    }
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(addressOf(path));
    await page.waitForLoadState("networkidle");
    await look(page, requests);
  } finally {
    await context.close();
  }
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  )) as { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  return result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(" | ")})`,
  );
}

const PAGES = [...PUBLIC_PAGES, ...SIGNED_IN_PAGES, ...PROJECT_PAGES];

describe.each(PAGES)("the page %s", (path) => {
  it("on a desktop, in the light: no barrier, no foreign request, within its budget", async () => {
    await visit(path, 1440, "light", async (page, requests) => {
      expect(await violations(page)).toEqual([]);
      const own = new URL(platform.url).origin;
      const foreign = requests.filter((url) => !url.startsWith(own) && !/^(data|blob):/.test(url));
      expect(foreign).toEqual([]);
      const bytes = (await page.evaluate(
        `performance.getEntriesByType("resource")
          .filter(({ name }) => name.endsWith(".js"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
      )) as number;
      expect(bytes).toBeGreaterThan(0);
      expect(Math.round(bytes / 1000)).toBeLessThanOrEqual(path === "/" ? LANDING_KB : APP_KB);
    });
  });

  it("on a telephone, in the dark: no barrier, nothing beyond the edge", async () => {
    await visit(path, 375, "dark", async (page) => {
      expect(await violations(page)).toEqual([]);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);
    });
  });
});

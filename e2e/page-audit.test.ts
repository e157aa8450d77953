import { brotliCompressSync, gzipSync } from "node:zlib";
import { TABLE_SCRIPT_HASH } from "@stipple/pipeline/report-script";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { PROJECT_PAGES, PUBLIC_PAGES, SIGNED_IN_PAGES } from "./pages.ts";
import { openPerson, type Person } from "./person.ts";
import { annotationsTurn, finishedSample, type SharedPlatform } from "./shared-platform.ts";

/** JavaScript budgets of the landing page and of any other page; gzip, kB. */
const LANDING_KB = 93;
const APP_KB = 205;
/** Total JavaScript budget of the interactive view until its cells are drawn and annotated; kB. */
const VIEWER = { raw: 1120, brotli: 306 };
/** Cumulative layout shift: unnoticeable below this (0.1 is the threshold for a good page). */
const MAX_SHIFT = 0.05;

let shared: SharedPlatform;
let browser: Browser;

beforeAll(async () => {
  [shared, browser] = await Promise.all([finishedSample(), openBrowser()]);
}, 300_000);

afterAll(async () => {
  await browser?.close();
});

const isOneOf = (path: string, pages: readonly string[]): boolean => pages.includes(path);

function addressOf(path: string): string {
  const url = new URL(path, shared.url);
  if (isOneOf(path, PROJECT_PAGES)) url.searchParams.set("project_id", shared.projectId);
  return url.href;
}

interface Visit {
  page: Page;
  /** Requested URLs. */
  requests: string[];
  policy: string;
  status: number | undefined;
}

const WATCH_SHIFTS = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) window.layoutShift += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Loads a page in a separate context, so that nothing comes from a cache. */
async function visit(
  address: string,
  token: string,
  look: (visit: Visit) => Promise<void>,
  within = browser,
): Promise<void> {
  const person: Person = await openPerson(within, shared.url, { colorScheme: "light", token });
  const { context, page, faults } = person;
  try {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.addInitScript(WATCH_SHIFTS);
    const answer = await page.goto(address);
    await page.waitForLoadState("networkidle");
    const policy = answer?.headers()["content-security-policy"] ?? "";
    await look({ page, requests, policy, status: answer?.status() });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Cached script sizes, because most pages share scripts. */
const sizes = new Map<string, Promise<number>>();

async function gzippedSize(script: string): Promise<number> {
  return gzipSync(await (await fetch(script)).bytes(), { level: 9 }).length;
}

/** Total size of scripts at maximum gzip compression; kB. */
async function gzippedKb(scripts: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const script of scripts) {
    if (!sizes.has(script)) sizes.set(script, gzippedSize(script));
    bytes += await sizes.get(script)!;
  }
  return bytes / 1000;
}

const scriptsOf = ({ requests }: Visit): Set<string> =>
  new Set(requests.filter((to) => new URL(to).pathname.endsWith(".js")));

async function expectStillness(page: Page): Promise<void> {
  await expect(page.evaluate("layoutShift")).resolves.toBeLessThan(MAX_SHIFT);
}

/** Expects no external requests, and no scripts except the product's own files. */
async function expectOwnScriptsOnly({ page, requests, policy }: Visit): Promise<void> {
  const own = new URL(shared.url).origin;
  expect(requests.filter((to) => !to.startsWith(own) && !/^(data|blob):/.test(to))).toEqual([]);
  const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
  const sources = (name: string) => directives.find(([first]) => first === name)?.slice(1);
  // The report's script is allowed by its hash.
  expect(sources("script-src")).toEqual(["'self'", TABLE_SCRIPT_HASH]);
  expect(sources("object-src")).toEqual(["'none'"]);
  expect(sources("base-uri")).toEqual(["'self'"]);
  expect(sources("frame-ancestors")).toEqual(["'none'"]);
  const inline = "[...document.scripts].filter(({ src }) => !src).map(({ text }) => text)";
  await expect(page.evaluate(inline)).resolves.toEqual([]);
}

const tokenFor = (path: string): string => (isOneOf(path, PUBLIC_PAGES) ? "" : shared.token);

// Each in a separate browser context: one loads while another is being inspected.
it.concurrent.each([...PUBLIC_PAGES, ...SIGNED_IN_PAGES, ...PROJECT_PAGES])(
  "the page %s",
  async (path) => {
    await visit(addressOf(path), tokenFor(path), async (seen) => {
      const { page, status } = seen;
      expect(status).toBe(path === "/404" ? 404 : 200);
      // Without it, text moves when the font arrives late.
      await expect(page.locator('link[rel="preload"][as="font"]').count()).resolves.toBe(1);
      await expectStillness(page);
      await expect(barriers(page)).resolves.toEqual([]);
      await expectOwnScriptsOnly(seen);
      const kB = await gzippedKb(scriptsOf(seen));
      expect(kB).toBeGreaterThan(60);
      expect(kB).toBeLessThanOrEqual(path === "/" ? LANDING_KB : APP_KB);

      // Again at phone width, in dark mode.
      await page.setViewportSize({ width: 375, height: 900 });
      await page.emulateMedia({ colorScheme: "dark" });
      // A reload restores the narrower window's scroll position; a new visitor starts at the top.
      await page.evaluate("scrollTo(0, 0)");
      await page.reload();
      await page.waitForLoadState("networkidle");
      await expectStillness(page);
      await expect(barriers(page)).resolves.toEqual([]);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);
    });
  },
);

describe("the interactive view", () => {
  it("loads only its own scripts, within the budget", async () => {
    // What annotations show loads with them.
    const turn = await annotationsTurn();
    const { url: address } = (await call(
      shared.url,
      "POST",
      `/start_visualization?project_id=${shared.projectId}`,
      { token: shared.token },
    )) as { url: string };
    const look = async (seen: Visit): Promise<void> => {
      await seen.page
        .getByText(/[\d,]+ cells/)
        .first()
        .waitFor();
      await expectOwnScriptsOnly(seen);
      let [raw, brotli] = [0, 0];
      for (const script of scriptsOf(seen)) {
        const bytes = await (await fetch(script)).bytes();
        raw += bytes.length / 1000;
        brotli += brotliCompressSync(bytes).length / 1000;
      }
      expect(raw).toBeGreaterThan(500);
      expect(raw).toBeLessThanOrEqual(VIEWER.raw);
      expect(brotli).toBeLessThanOrEqual(VIEWER.brotli);
    };
    await using withWebGl = await openBrowser({ webgl: true });
    await visit(address, "", look, withWebGl).finally(() => turn[Symbol.dispose]());
  });
});

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { pass, stopClock } from "./clock.ts";
import { alter, newPerson, type Person } from "./person.ts";
import { call } from "./client.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let person: Person;
let tabs: [Page, Page];
let projectId: string;
/** Number of requests by each tab since the last reset: [first, second]. */
let asked: Record<string, [number, number]>;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
}, 120_000);

/** Two tabs of one browser at the workflow of a project that is being processed. */
beforeEach(async () => {
  person = await newPerson(browser, url, "tabs");
  ({ project_id: projectId } = await call(url, "POST", "/create_sample_project", {
    token: person.token,
  }));
  tabs = [person.page, await person.context.newPage()];
  await person.context.clock.install();
  for (const [at, tab] of tabs.entries()) {
    tab.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (path.startsWith("/api/")) (asked[path.slice(5)] ??= [0, 0])[at] += 1;
    });
    await alter(tab, "/status", { status: "processing", percent: 10 * (at + 1) });
    asked = {};
    await tab.goto(`/analysis/step3?project_id=${projectId}`);
    await tab
      .getByRole("heading", { name: /Step 3|Processing/ })
      .first()
      .waitFor();
    await expect.poll(() => asked["status"]?.[at]).toBe(1);
  }
  await stopClock(tabs[0]);
  asked = {};
});

afterEach(async () => {
  expect(person.faults).toEqual([]);
  await person.context.close();
});
afterAll(async () => {
  await browser?.close();
});

/** Waits until the only remaining tab is the leader for all its requests. */
async function leads(tab: Page): Promise<void> {
  const standing =
    "navigator.locks.query().then((all) => [all.held.length > 0, all.pending.length])";
  await expect.poll(() => tab.evaluate(standing)).toEqual([true, 0]);
}

// One second longer than the interval, to allow for response times.
it("requests status and subscription in one tab and shows the answers in both", async () => {
  await pass(tabs[0], 11);
  expect(asked["status"]).toEqual([0, 1]);
  await tabs[0].getByText("20%").first().waitFor();
  await pass(tabs[0], 20);
  expect(asked["status"]).toEqual([0, 3]);
  expect(asked["verify-subscription"]).toEqual([0, 1]);
});

it("lets the other tab take over in time when that tab closes", async () => {
  await pass(tabs[0], 4);
  await tabs[1].close();
  await leads(tabs[0]);
  await pass(tabs[0], 7);
  expect(asked["status"]).toEqual([1, 0]);
  await pass(tabs[0], 10);
  expect(asked["status"]).toEqual([2, 0]);
});

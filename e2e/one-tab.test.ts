import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { alter, newPerson, type Person } from "./person.ts";
import { call } from "./client.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let person: Person;
let tabs: [Page, Page];
let projectId: string;
/** What each tab has asked the server since it was last forgotten: [first, second]. */
let asked: Record<string, [number, number]>;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
}, 120_000);

/** Two tabs of one browser at the workflow of a project that somebody's worker is busy with. */
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
      if (path.startsWith("/api/")) (asked[path.slice(5)] ??= [0, 0])[at]! += 1;
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
  await person.context.clock.pauseAt(Date.now() + 3_600_000);
  await settled();
  asked = {};
});

afterEach(async () => {
  expect(person.faults).toEqual([]);
  await person.context.close();
});
afterAll(async () => {
  await browser?.close();
});

const settled = (): Promise<unknown> => new Promise((done) => setTimeout(done, 400));

/** Lets time pass in both tabs at once. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await person.context.clock.runFor(1_000);
    await new Promise((done) => setTimeout(done, 15));
  }
  await settled();
}

it("status and subscription are asked for in one tab, and the other shows the answers", async () => {
  await pass(10_000);
  expect(asked["status"]).toEqual([0, 1]);
  await tabs[0].getByText("20%").first().waitFor();
  await pass(20_000);
  expect(asked["status"]).toEqual([0, 3]);
  expect(asked["verify-subscription"]).toEqual([0, 1]);
});

it("when that tab closes, the other goes on in time", async () => {
  await pass(4_000);
  await tabs[1].close();
  await settled();
  await pass(6_000);
  expect(asked["status"]?.[0]).toBe(1);
  await pass(10_000);
  expect(asked["status"]?.[0]).toBe(2);
});

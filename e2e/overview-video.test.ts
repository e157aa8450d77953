import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OVERVIEW_SCENES } from "../apps/web/src/features/marketing/home/overview-scenes.ts";
import { openBrowser } from "./browser.ts";
import { openPerson } from "./person.ts";
import { ROOT } from "./platform.ts";
import { sharedPlatform } from "./shared-platform.ts";

const VIDEO = "/overview/overview.webm";
let url: string;
let browser: Browser;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
});

describe("the overview video", () => {
  it("is loaded only on request, plays with captions, and has a matching transcript", async () => {
    const { page, faults, context } = await openPerson(browser, url);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto("/");
    const play = page.getByRole("button", { name: "Play the overview video" });
    await play.scrollIntoViewIfNeeded();
    const button = await play.locator("span").boundingBox();
    expect([button?.width, button?.height]).toEqual([72, 72]);
    await page.waitForLoadState("networkidle");
    expect(loaded).not.toContain(VIDEO);
    expect(loaded).toContain("/overview/poster.avif");

    await play.click();
    const inVideo = (what: string): Promise<unknown> =>
      page.evaluate(`((video) => ${what})(document.querySelector("video"))`);
    await expect.poll(() => inVideo("video.currentTime")).toBeGreaterThan(0.5);
    await expect.poll(() => inVideo("video.videoWidth")).toBe(1280);
    const seconds = await inVideo("video.duration");
    expect(seconds).toBeGreaterThan(35);
    expect(seconds).toBeLessThan(75);
    await expect
      .poll(() => inVideo("video.textTracks[0].cues?.length"))
      .toBe(OVERVIEW_SCENES.length);
    // Seeking requires range requests to work.
    await inVideo("(video.currentTime = 0.8 * video.duration)");
    await expect.poll(() => inVideo("video.seeking || video.currentTime < 1")).toBe(false);
    await page.getByText("Transcript", { exact: true }).click();
    await page.getByText(OVERVIEW_SCENES[2].text).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("falls back to the animated illustration if it cannot be played", async () => {
    const { page, context } = await openPerson(browser, url);
    await page.route(`**${VIDEO}`, (route) => route.abort());
    await page.goto("/");
    await page.getByRole("button", { name: "Play the overview video" }).click();
    await page.getByText(/This video can.t be played here/).waitFor();
    await page
      .getByRole("img", { name: /Animated illustration/ })
      .nth(1)
      .waitFor();
    await context.close();
  });

  it("is small, and served in cacheable ranges", async () => {
    const file = await readFile(join(ROOT, "apps/web/public/overview/overview.webm"));
    expect(file.length).toBeLessThan(3_000_000);
    const answer = await fetch(url + VIDEO, { headers: { range: "bytes=100-199" } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes 100-199/${file.length}`);
    expect(answer.headers.get("content-type")).toBe("video/webm");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(file.subarray(100, 200));
    const etag = answer.headers.get("etag");
    expect(etag).toBeTruthy();
    const again = await fetch(url + VIDEO, {
      headers: { "if-none-match": etag!, "cache-control": "max-age=0" },
    });
    expect(again.status).toBe(304);
    const captions = await fetch(`${url}/overview/captions.vtt`);
    await expect(captions.text()).resolves.toMatch(/^WEBVTT/);
  });
});

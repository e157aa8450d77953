import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { builtPage, type BuiltPage } from "./built-page.ts";
import { colorAt } from "./color-at.ts";

let built: BuiltPage;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  [built, browser] = await Promise.all([
    builtPage(join(import.meta.dirname, "pages/view")),
    openBrowser({ webgl: true }),
  ]);
  page = await browser.newPage({ viewport: { width: 864, height: 864 } });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(built.url);
});
afterAll(async () => {
  await browser?.close();
  await built?.close();
});
beforeEach(() => page.evaluate("told.length = 0"));

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const TISSUE = [0, 170, 68];

const told = (): Promise<unknown[]> => page.evaluate("told");
const seen = () => page.evaluate("opened.scene.seen()") as Promise<Record<string, unknown>>;
/** The tissue is 800 units wide, with a margin of 32 px. */
const at = (x: number, y: number): [number, number] => [x + 32, y + 32];

describe("a view from memory", () => {
  it("draws every cell over the tissue", async () => {
    await page.evaluate("openMemory()");
    await expect.poll(() => colorAt(page, ...at(60, 60))).toEqual(RED);
    await expect.poll(() => colorAt(page, ...at(740, 60))).toEqual(BLUE);
    await expect.poll(() => colorAt(page, ...at(40, 40))).toEqual(TISSUE);
    await expect(seen()).resolves.toMatchObject({ drawn: 400, inView: 400, outlined: false });
  });

  it("names the cell under the pointer", async () => {
    await page.mouse.move(...at(60, 60));
    await expect.poll(told).toContainEqual(["hover", 21]);
    await page.mouse.move(...at(40, 40));
    await expect.poll(told).toContainEqual(["hover", -1]);
  });

  it("names the cell that a finger taps, until the view moves", async () => {
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...fingers: [number, number][]) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: fingers.map(([x, y]) => ({ x, y })),
      });
    await touch("touchStart", at(60, 60));
    await touch("touchEnd");
    await expect.poll(told).toContainEqual(["hover", 21]);
    const hovers = async () => (await told()).filter((one) => (one as unknown[])[0] === "hover");
    await expect.poll(hovers).toEqual([["hover", 21]]);
    await page.evaluate("opened.scene.fit()");
    await expect.poll(hovers).toEqual([
      ["hover", 21],
      ["hover", -1],
    ]);
    await touch("touchStart", at(60, 60));
    await touch("touchEnd");
    await touch("touchStart", at(300, 300));
    for (const moved of [320, 340, 360]) await touch("touchMove", at(moved, 300));
    await touch("touchEnd");
    await expect.poll(async () => (await hovers()).at(-1)).toEqual(["hover", -1]);
    await session.detach();
    await page.evaluate("opened.scene.fit()");
  });

  it("draws outlines up close, and says so", async () => {
    await page.evaluate("opened.scene.goTo({ x: 60, y: 60, zoom: 3 })");
    await expect.poll(told).toContainEqual(["view", true]);
    await expect.poll(seen).toMatchObject({ outlined: true });
    // Its area lets the tissue shine through, which a dot does not.
    await expect.poll(() => colorAt(page, 432, 432)).not.toEqual(RED);
    await expect(colorAt(page, 432, 432)).resolves.not.toEqual(TISSUE);
    await expect(colorAt(page, 432 + 72, 432)).resolves.toEqual(TISSUE);
    await page.evaluate("opened.scene.fit()");
    await expect.poll(told).toContainEqual(["view", false]);
  });

  it("shows the same cells in pictures of stages whose sides are no whole pixels", async () => {
    const red = async (height: string): Promise<number> => {
      await page.evaluate(`document.querySelector("#stage").style.height = "${height}"`);
      await page.evaluate("openMemory()");
      await expect.poll(() => page.evaluate("opened.scene.isWhole()")).toBe(true);
      const url = (await page.evaluate(
        "opened.scene.picture(2, { cells: true, regions: true }).toDataURL()",
      )) as string;
      const pixels = await sharp(Buffer.from(url.split(",")[1], "base64"))
        .raw()
        .toBuffer();
      let count = 0;
      for (let at = 0; at < pixels.length; at += 4)
        if (pixels[at] > 250 && pixels[at + 1] < 5) count += 1;
      return count;
    };
    const whole = await red("600px");
    expect(whole).toBeGreaterThan(10_000);
    const share = (await red("599.75px")) / whole;
    expect(share).toBeGreaterThan(0.98);
    expect(share).toBeLessThan(1.02);
    await page.evaluate('document.querySelector("#stage").style.height = ""');
  });

  it("reports tiles that are missing, and asks for them again", async () => {
    await page.evaluate("memory.isOffline = true; openMemory()");
    await expect.poll(told).toContainEqual(["missing", "tiles", true]);
    await page.evaluate("memory.isOffline = false; openMemory()");
    await expect.poll(() => colorAt(page, ...at(40, 40))).toEqual(TISSUE);
  });
});

describe("a tool", () => {
  it("selects the cells in a region without moving the view", async () => {
    await page.evaluate("useLasso()");
    await page.mouse.move(...at(5, 5));
    await page.mouse.down();
    for (const [x, y] of [
      [75, 5],
      [75, 75],
      [5, 75],
    ] as const)
      await page.mouse.move(...at(x, y), { steps: 4 });
    await page.mouse.up();
    await expect.poll(told).toContainEqual(["region", [0, 1, 20, 21]]);
    await expect(seen()).resolves.toMatchObject({ inView: 400 });
  });

  it("draws a region with a hole over the tissue", async () => {
    const before = await colorAt(page, ...at(420, 420));
    await page.evaluate("usePolygons()");
    const draw = async (...corners: [number, number][]) => {
      for (const corner of corners) await page.mouse.click(...at(...corner));
      await page.keyboard.press("Enter");
    };
    await draw([300, 300], [500, 300], [500, 500], [300, 500]);
    await expect.poll(() => colorAt(page, ...at(440, 440))).not.toEqual(TISSUE);
    await expect.poll(() => colorAt(page, ...at(420, 420))).not.toEqual(before);
    await draw([405, 405], [480, 405], [480, 480], [405, 480]);
    await expect.poll(() => colorAt(page, ...at(440, 440))).toEqual(TISSUE);
    await expect(colorAt(page, ...at(360, 360))).resolves.not.toEqual(TISSUE);
    await page.evaluate("opened.scene.use(null)");
    await expect.poll(told).toContainEqual(["corners", 0]);
  });
});

describe("a turned view", () => {
  it("draws tissue and cells turned, and knows what the pointer is on", async () => {
    await page.evaluate("openMemory().then(() => opened.scene.turn([0, -1, 1, 0]))");
    // A quarter turn clockwise: what was on the left is above.
    await expect.poll(() => colorAt(page, ...at(740, 60))).toEqual(RED);
    await expect.poll(() => colorAt(page, ...at(60, 740))).toEqual(BLUE);
    await expect.poll(() => colorAt(page, ...at(760, 40))).toEqual(TISSUE);
    await page.mouse.move(...at(740, 60));
    await expect.poll(told).toContainEqual(["hover", 21]);
    await page.mouse.move(0, 0);
    await page.evaluate("opened.scene.turn([1, 0, 0, -1])");
    await page.mouse.move(...at(60, 740));
    await expect.poll(told).toContainEqual(["hover", 21]);
  });

  it("follows the pointer that drags it, and keys", async () => {
    await page.evaluate("opened.scene.turn([0, -1, 1, 0]); opened.scene.zoomBy(1)");
    const pointed = (x: number, y: number) =>
      page.evaluate(`opened.scene.unproject(${x}, ${y})`) as Promise<[number, number]>;
    const [x, y] = await pointed(432, 432);
    await page.mouse.move(432, 432);
    await page.mouse.down();
    await page.mouse.move(502, 402, { steps: 5 });
    // A drag begins some pixels late.
    const away = ([u, v]: [number, number]): number => Math.hypot(u - x, v - y);
    await expect.poll(async () => away(await pointed(502, 402))).toBeLessThan(10);
    await page.mouse.up();
    await page.evaluate(`opened.scene.goTo({ x: ${x}, y: ${y}, zoom: 1 })`);
    await page.evaluate("opened.scene.panBy(70, -30)");
    expect(away(await pointed(432 - 70, 432 + 30))).toBeLessThan(1e-6);
  });

  it("draws outlines up close where the dots were", async () => {
    const [cos, sin] = [Math.cos(0.5), Math.sin(0.5)];
    await page.evaluate(
      `opened.scene.turn([${cos}, ${-sin}, ${sin}, ${cos}]); opened.scene.goTo({ x: 60, y: 60, zoom: 3 })`,
    );
    await expect.poll(seen).toMatchObject({ outlined: true });
    const isTissue = async (angle: number): Promise<boolean> => {
      const [x, y] = [Math.cos(angle), Math.sin(angle)].map((at) => Math.round(432 + 77 * at));
      return (await colorAt(page, x, y)).join() === TISSUE.join();
    };
    // Outlines are squares: their corners reach farther than their sides.
    await expect.poll(() => isTissue(0.5 + Math.PI / 4)).toBe(false);
    await expect(isTissue(0.5)).resolves.toBe(true);
  });
});

it("has thrown nothing", () => {
  expect(faults).toEqual([]);
});

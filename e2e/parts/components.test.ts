import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "../barriers.ts";
import { openBrowser } from "../browser.ts";
import { answer, openPerson, restore, sees, type Person } from "../person.ts";
import { builtPage, type BuiltPage } from "./built-page.ts";

let built: BuiltPage;
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  [built, browser] = await Promise.all([
    builtPage(join(import.meta.dirname, "pages/components")),
    openBrowser(),
  ]);
  person = await openPerson(browser, built.url);
  ({ page } = person);
  await page.goto("/");
});
afterEach(() => restore(page));
afterAll(async () => {
  await browser?.close();
  await built?.close();
});

const show = (name: string, props: object = {}) =>
  page.evaluate(`show(${JSON.stringify(name)}, ${JSON.stringify(props)})`);
const told = () => page.evaluate("told");
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const PROJECT = { id: "p1", name: "Breast 1", status: "pending" };

describe("the progress of a project", () => {
  it("shows its place in the queue", async () => {
    await answer(page, "/status", { json: { status: "pending" } });
    const queue = { has_workflow: true, project_id: "p1", project_name: "Breast 1" };
    await answer(page, "/workflow-queue-status", {
      json: { ...queue, status: "pending", position: 3, estimated_wait: 4 },
    });
    await show("progress", { project: PROJECT });
    await sees(page, "Position 3, about 4 minutes remaining");
    await expectNoBarriers(page);
  });

  it("shows step, percentage, and log of a run, and leads to its workflow", async () => {
    await answer(page, "/status", {
      json: { status: "processing", current_step: 4, percent: 41.6, log: ["Fitting 24 types"] },
    });
    await show("progress", { project: { ...PROJECT, id: "p2" } });
    await sees(page, "Step 4: Vector Transformation");
    await sees(page, "42%");
    await sees(page, "Fitting 24 types");
    await button("Open Workflow").click();
    await expect.poll(told).toEqual([["workflow"]]);
  });

  it("says why a run stopped, and asks no more", async () => {
    let asked = 0;
    await page.route("**/api/status*", (route) => {
      asked += 1;
      return route.fulfill({ json: { status: "failed", error: "The image is damaged." } });
    });
    await show("progress", { project: { ...PROJECT, id: "p3" } });
    await sees(page, "The image is damaged.");
    expect(asked).toBe(1);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect.poll(told).toEqual([["closed"]]);
  });
});

describe("the deletion of a project", () => {
  it("deletes it once confirmed, and says so", async () => {
    const calls: string[] = [];
    await page.route("**/api/projects/p1", (route) => {
      calls.push(route.request().method());
      return route.fulfill({ json: { message: "deleted" } });
    });
    await show("deletion", { project: PROJECT });
    await sees(page, /delete project Breast 1\? This action cannot be undone/);
    expect(calls).toEqual([]);
    await button("Delete").click();
    await sees(page, 'Project "Breast 1" deleted.');
    expect(calls).toEqual(["DELETE"]);
  });

  it("gives the server's reason if it is refused", async () => {
    await answer(page, "/projects/p1", { status: 409, json: { error: "It is being analyzed." } });
    await show("deletion", { project: PROJECT });
    await button("Delete").click();
    await sees(page, "Failed to delete project: It is being analyzed.");
    await expect.poll(told).toEqual([["closed"]]);
  });
});

describe("the list of steps", () => {
  const states = async () =>
    (await page.locator("ol > li > div > p:nth-child(3)").allTextContents()).map(
      (text) => text.split(",")[0],
    );

  it("marks what is done, runs, and waits", async () => {
    const output_files = { step_0: ["a.csv", "b.csv"], step_1: ["c.csv"] };
    const status = { status: "processing", current_step: 2, step_progress: 0.25, output_files };
    await show("steps", { status, phase: "processing" });
    await expect
      .poll(states)
      .toEqual(["Done", "Done", "Running", ...Array<string>(5).fill("Waiting")]);
    await sees(page, "Running, 25% of this step");
    await expect.poll(() => page.locator("[aria-current=step]").count()).toBe(1);
    await expectNoBarriers(page);
  });

  it("marks where a run failed", async () => {
    const status = { status: "failed", current_step: 1, output_files: { step_0: ["a.csv"] } };
    await show("steps", { status, phase: "failed" });
    await expect.poll(states).toEqual(["Done", "Failed", ...Array<string>(6).fill("Waiting")]);
  });
});

describe("the choices of a run", () => {
  const CHOICES = {
    settings: {
      type: "object",
      properties: { species: { type: "string", enum: ["human", "mouse"], description: "Whose." } },
    },
    steps: [
      {
        number: 5,
        id: "cluster-analysis",
        name: "Cluster Analysis",
        parameters: {
          type: "object",
          properties: { resolution: { type: "number", default: 1, minimum: 0.1, maximum: 5 } },
        },
      },
    ],
    chosen: { settings: {}, parameters: {} },
    analysis_type: "basic",
  };

  it("are sent only where they differ from the defaults", async () => {
    await answer(page, "/workflow_choices", { json: CHOICES });
    await show("choices");
    await page.getByText("Settings and parameters").click();
    await page.getByText("5. Cluster Analysis").click();
    await page.getByLabel("Resolution").fill("2");
    await expect
      .poll(told)
      .toContainEqual([
        "changed",
        { settings: {}, parameters: { "cluster-analysis": { resolution: 2 } } },
      ]);
    await expect.poll(() => page.getByText("1 changed").count()).toBe(2);
    await expectNoBarriers(page);
    await button("Reset to defaults").click();
    await expect.poll(() => page.getByText("1 changed").count()).toBe(0);
    await expect.poll(() => page.getByLabel("Resolution").inputValue()).toBe("");
  });
});

describe("the groups of a view", () => {
  const TYPES = [
    { name: "T cell", color: "#0000ff", count: 30 },
    { name: "B cell", color: "#aa0000", count: 60 },
    { name: "Unknown", color: "#888888", count: 10 },
  ];
  const last = async () => ((await told()) as unknown[]).at(-1);

  it("are counted without the unknown, hidden, and shown alone", async () => {
    await show("groups", { types: TYPES });
    await button(/^Cell types \(2\)/).waitFor();
    await sees(page, "60.0%");
    await page.getByRole("checkbox", { name: "B cell" }).uncheck();
    await expect.poll(last).toEqual([["B cell"], {}]);
    await sees(page, "1 hidden");
    await button("Show only B cell").click();
    await expect.poll(last).toEqual([["T cell", "Unknown"], {}]);
    await button("Show all").click();
    await expect.poll(last).toEqual([[], {}]);
  });

  it("are renamed, and give the focus back", async () => {
    await show("groups", { types: TYPES });
    const pencil = page.getByRole("listitem").nth(0).getByRole("button").last();
    await pencil.click();
    const name = page.getByRole("textbox", { name: "Name of T cell" });
    await name.fill("Lymphocyte");
    await name.press("Enter");
    await expect.poll(last).toEqual([[], { "T cell": { name: "Lymphocyte" } }]);
    await expect.poll(() => pencil.evaluate((one) => one.matches(":focus"))).toBe(true);
  });
});

describe("samples side by side", () => {
  it("go with the sample that was removed, even where two share a name", async () => {
    await show("samples", { names: ["S1", "S4", "S4", "S6"] });
    await button("Remove the first").click();
    const names = () => page.getByRole("cell", { name: /^S\d$/ }).allTextContents();
    await expect.poll(names).toEqual(["S4", "S4", "S6"]);
  });

  it("are a closed table on a phone, until it is opened or the window is wider", async () => {
    await show("samples", { names: ["S1", "S2"] });
    const table = page.getByRole("table");
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 375, height: 800 });
    await table.waitFor({ state: "hidden" });
    await page.getByText("Table with 2 rows").click();
    await table.waitFor();
    await page.getByText("Table with 2 rows").click();
    await table.waitFor({ state: "hidden" });
    await page.setViewportSize(wide);
    await table.waitFor();
  });
});

describe("the verdict", () => {
  const reason = (topic: string, grade: string, sentence: string) => ({
    topic,
    grade,
    sentence,
    next: grade === "good" ? null : "Read groups of cells.",
    action: null,
  });
  const VERDICT = {
    grade: "limited",
    sentence: "Read single cells with caution.",
    next: "Read groups of cells.",
    reasons: [
      reason("genes", "good", "812 genes are reliable."),
      reason("types", "limited", "Half of the cells have an uncertain type."),
    ],
  };

  it("gives its main reason, all of them when asked, and can be hidden", async () => {
    await show("verdict", { verdict: VERDICT });
    await sees(page, /with caution\. Half of the cells have an uncertain type\.$/);
    await button("Show all checks").click();
    const dialog = page.getByRole("dialog", { name: "How much you can trust these results" });
    await dialog.getByText("812 genes are reliable.").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await button("Hide the reliability notice").click();
    await expect.poll(told).toEqual([["hidden"]]);
  });
});

describe("a new password", () => {
  it("is checked as it is typed, and shown on request", async () => {
    await show("passwords");
    const met = () => page.getByText("(met)").count();
    await expect.poll(met).toBe(0);
    const password = page.locator("[name=new-password]");
    await password.fill("Correct-horse-9");
    await page
      .getByRole("listitem")
      .filter({ hasText: 'One special character from !@#$%^&*(),.?":{}|<>' })
      .filter({ hasText: "(not met yet)" })
      .waitFor();
    await password.fill("Correct-horse-9!");
    await expect.poll(() => page.getByText("(not met)").count()).toBe(0);
    await expect.poll(met).toBeGreaterThan(2);
    await expect.poll(() => password.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: /show/i }).first().click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await expectNoBarriers(page);
  });
});

describe("spots over the image", () => {
  const look = {
    ...{ width_px: 1000, height_px: 1000, microns_per_pixel: 2, spot_size_um: 60, n_spots: 4 },
    picture: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
    picture_file: "tissue.tif",
    spots: [100, 100, 800, 100, 100, 800, 800, 800],
    ...{ map: null, landmarks: null, tone: "ok", sentence: "100% of the spots lie on tissue." },
  };
  const click = async (x: number, y: number) => {
    const image = page.getByRole("img", { name: "Positions over tissue.tif" });
    const { width, height } = (await image.boundingBox())!;
    await image.click({ position: { x: (x / 1000) * width, y: (y / 1000) * height } });
  };
  const number = (name: string) => page.getByRole("textbox", { name });
  const type = async (name: string, value: number) => {
    await number(name).fill(`${value}`);
    await number(name).press("Enter");
  };
  const onServer = () =>
    page.evaluate(() => localStorage.removeItem("stipple.landmarks.p1")).then(() => look);

  it("follow landmarks: clicked, typed, undone, removed, and reset", async () => {
    await show("registration", { look: await onServer() });
    await sees(page, "100% of the spots lie on tissue.");
    await sees(page, "Choose a position.");
    await click(120, 90);
    await sees(page, "Now choose its place on the image.");
    await click(150, 100);
    await sees(page, "2 more landmarks are needed.");
    // A spot is chosen where it is drawn, and is where the files have it.
    await expect.poll(() => number("Landmark 1, From x").inputValue()).toBe("100");
    await type("Landmark 1, To x", 150);
    await type("Landmark 1, To y", 100);
    await click(790, 90);
    await click(850, 100);
    await click(110, 790);
    await click(150, 800);
    for (const [n, x, y] of [
      [2, 850, 100],
      [3, 150, 800],
    ] as const) {
      await type(`Landmark ${n}, To x`, x);
      await type(`Landmark ${n}, To y`, y);
    }
    await sees(page, "3 landmarks fit to within 0.0 px (0.0 µm).");
    await button("Add landmark").click();
    await sees(page, /4 landmarks fit to within [1-9]/);
    await type("Landmark 4, From x", 800);
    await type("Landmark 4, From y", 800);
    await type("Landmark 4, To x", 854);
    await type("Landmark 4, To y", 800);
    // One that is 4 px off is shared by all four.
    await sees(page, "4 landmarks fit to within 1.0 px (2.0 µm).");
    await expect.poll(() => page.getByText("1.0 px (2.0 µm)", { exact: true }).count()).toBe(4);
    await expectNoBarriers(page);
    await button("Remove landmark 4").click();
    await sees(page, "3 landmarks fit to within 0.0 px (0.0 µm).");
    await button("Undo").click();
    await sees(page, "4 landmarks fit to within 1.0 px (2.0 µm).");
    await button("Reset").click();
    await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
    await button("Undo").click();
    await sees(page, "4 landmarks fit to within 1.0 px (2.0 µm).");
  });

  it("say when landmarks lie on a line, and outlive a closed page", async () => {
    await show("registration", { look: await onServer() });
    for (const n of [1, 2, 3]) {
      await button("Add landmark").click();
      await type(`Landmark ${n}, From x`, 100 * n);
      await type(`Landmark ${n}, From y`, 100 * n);
      await type(`Landmark ${n}, To x`, 100 * n);
      await type(`Landmark ${n}, To y`, 100 * n);
    }
    await sees(page, "The landmarks lie on a line: add one that does not.");
    await expect.poll(() => button("Use This Alignment").isDisabled()).toBe(true);
    await show("registration", { look });
    await expect.poll(() => number("Landmark 3, From x").inputValue()).toBe("300");
    await type("Landmark 3, From x", 500);
    // They would still be brought to a line.
    await sees(page, "The landmarks lie on a line: add one that does not.");
    await type("Landmark 3, To x", 500);
    await sees(page, /3 landmarks fit to within/);
  });

  it("keep landmarks as the project's alignment", async () => {
    const pair = (x: number, y: number) => ({ from: [x, y], to: [x + 50, y] });
    const landmarks = [pair(100, 100), pair(800, 100), pair(100, 800)];
    await show("registration", {
      look: { ...(await onServer()), map: [1, 0, 50, 0, 1, 0], landmarks },
    });
    await sees(page, "3 landmarks fit to within 0.0 px (0.0 µm).");
    await expect.poll(() => button("Use This Alignment").isDisabled()).toBe(true);
    await type("Landmark 1, To x", 155);
    const sent: unknown[] = [];
    const held = Promise.withResolvers<void>();
    await page.route("**/api/projects/p1/landmarks", async (route) => {
      sent.push(route.request().postDataJSON());
      await held.promise;
      await route.fulfill({ json: { message: "kept" } });
    });
    const use = button("Use This Alignment");
    await use.press("Enter");
    await expect.poll(() => use.isDisabled()).toBe(true);
    // It has the focus while it waits, and sends nothing again.
    await expect.poll(() => page.evaluate("document.activeElement.ariaDisabled")).toBe("true");
    await page.keyboard.press("Enter");
    held.resolve();
    await sees(page, "The alignment is saved. The next run uses it.");
    const [first, ...others] = landmarks;
    expect(sent).toEqual([{ landmarks: [{ ...first, to: [155, 100] }, ...others] }]);
  });
});

it("has thrown nothing", () => {
  expect(person.faults).toEqual([]);
});

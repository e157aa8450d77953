import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { pass, settle, stopClock } from "./clock.ts";
import { answer, arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

const STEPS = [0, 1, 2, 3, 4, 5, 6, 7];
const NAMES = [
  "Feature Initialization",
  "Optical Decomposition",
  "Morphological Analysis",
  "Matrix Integration",
  "Vector Transformation",
  "Cluster Analysis",
  "Projection Analysis & Visualization",
  "Finalization",
];
/** Percent after each step: the sums of 10, 10, 15, 15, 15, 15, 15 and 5. */
const SUMS = [10, 20, 35, 50, 65, 80, 95, 100];

let url: string;
let browser: Browser;
let account: Person;
let projectId: string;
let person: Person;
let page: Page;
/** Mocked server responses; journeys change them as the run progresses. */
let state: Record<string, unknown>;
let queue: Record<string, unknown>;
let asked: { status: number; queue: number };

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  account = await newPerson(browser, url, "workflow");
  ({ project_id: projectId } = await call(url, "POST", "/create_project", {
    token: account.token,
    body: {
      project_name: "Section 7",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    },
  }));
}, 120_000);

beforeEach(async () => {
  person = await openPerson(browser, url, { token: account.token, email: account.email });
  page = person.page;
  await page.clock.install();
  state = status("created", 0);
  queue = NO_QUEUE;
  asked = { status: 0, queue: 0 };
});

afterEach(async () => {
  expect(person.faults).toEqual([]);
  await person.context.close();
});

afterAll(async () => {
  await browser?.close();
});

const NO_QUEUE = {
  has_workflow: false,
  project_id: null,
  project_name: null,
  status: null,
  position: null,
  estimated_wait: null,
};

/** A status response with the first `done` steps finished. */
function status(word: string, done: number, more: Record<string, unknown> = {}) {
  const running = word === "processing";
  return {
    status: word,
    output_files: Object.fromEntries(STEPS.map((n) => [`step_${n}`, n < done ? ["file"] : []])),
    shiny_app: done === 8,
    input_files: {},
    project_name: "Section 7",
    current_step: running ? done : null,
    step_progress: 0,
    percent: 0,
    step_seconds: {},
    seconds_left: running ? 240 : null,
    started_at: running ? "2026-11-02T10:00:00Z" : null,
    finished_at: null,
    log: [],
    error: null,
    ...more,
  };
}

const place = (word: "pending" | "running", position: number | null, wait: number | null) => ({
  has_workflow: true,
  project_id: projectId,
  project_name: "Section 7",
  status: word,
  position,
  estimated_wait: wait,
});

/** Mocks the server from `state` and `queue`, and counts requests. */
async function standIn(): Promise<void> {
  await page.route("**/api/status?**", (route) => {
    asked.status += 1;
    return route.fulfill({ json: state });
  });
  await page.route("**/api/workflow-queue-status", (route) => {
    asked.queue += 1;
    return route.fulfill({ json: queue });
  });
}

async function open(): Promise<void> {
  await page.goto(`/analysis/step3?project_id=${projectId}`);
  await page.getByRole("heading", { name: "Step 3 Processing" }).waitFor();
  await page.getByRole("heading", { name: "Section 7" }).waitFor();
}

async function stop(): Promise<void> {
  await stopClock(page);
  asked = { status: 0, queue: 0 };
}

const start = (label: string) => page.getByRole("button", { name: label, exact: true });
const selector = () => page.getByLabel("Start from step");
const bar = () =>
  page.locator("main").getByRole("progressbar", { name: "Overall progress" }).first();
const percent = async () => Number(await bar().getAttribute("aria-valuenow"));
const disabled = async () => [
  await selector().isDisabled(),
  await page.getByRole("button", { name: "Refresh" }).isDisabled(),
  (await page.getByRole("button", { name: "Back", exact: true }).count()) === 1 &&
    (await page.getByRole("button", { name: "Back", exact: true }).isDisabled()),
];
const hide = () => page.getByRole("button", { name: "Hide" }).click();

describe("before a run", () => {
  it("reports a missing project, with a link to step 1", async () => {
    await page.goto("/analysis/step3");
    await sees(page, "Project ID is required. Please go back and create a project first.");
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Create a project" }).click();
    await arrives(page, "/analysis/step1");
  });

  it("lists the eight steps; the label follows the selector; Back leads to the upload", async () => {
    await open();
    await start("Start Workflow").waitFor();
    await expect
      .poll(() => selector().locator("option").allTextContents())
      .toEqual(NAMES.map((name, step) => `${step}. ${name}`));
    for (const step of ["3", "7", "0"]) {
      await selector().selectOption(step);
      await start(step === "0" ? "Start Workflow" : "Resume Workflow").waitFor();
    }
    await expect.poll(disabled).toEqual([false, false, false]);
    await expectNoBarriers(page);
    // The real server refuses because nothing has been uploaded.
    const answered = page.waitForResponse("**/api/run_workflow");
    await start("Start Workflow").click();
    const { error } = (await (await answered).json()) as { error: string };
    await sees(page, `Error: ${error}`);
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await arrives(page, "/analysis/step2");
  });

  it("sends the chosen settings and parameters", async () => {
    await open();
    await start("Start Workflow").waitFor();
    await answer(page, "/workflow_plan", {
      json: {
        steps: [{ number: 2, name: "Morphological Analysis", seconds: 200 }],
        seconds: 200,
        is_measured: true,
        counts_analysis: false,
        refusal: null,
        ends_share_links: 0,
        cell_annotations: 2,
        files_fault: null,
      },
    });
    await page.getByText("Settings and parameters", { exact: true }).click();
    const group = (name: string) => page.locator("summary", { hasText: name });
    // Collapsed by step: the whole form is no longer than a phone screen.
    await group("2. Morphological Analysis").waitFor();
    await expect.poll(() => page.getByLabel("Species", { exact: true }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 375, height: 800 });
    const form = page.locator("details", { hasText: "Settings and parameters" }).first();
    await expect.poll(async () => (await form.boundingBox())!.height).toBeLessThan(900);
    await page.setViewportSize({ width: 1440, height: 900 });
    await group("Settings").last().click();
    await page.getByLabel("Species", { exact: true }).selectOption({ label: "mouse" });
    await group("2. Morphological Analysis").click();
    await page.getByLabel("Max expansion (µm)", { exact: true }).fill("4.5");
    await sees(page, "2 changed");
    await group("2. Morphological Analysis").getByText("1 changed").waitFor();
    await sees(page, "1 step runs again. About 3 minutes, based on the last run.");
    await sees(page, /^2 groups, assigned types, or clusterings refer to the current cells\./);
    await expectNoBarriers(page);
    await answer(page, "/run_workflow", {
      json: { message: "Workflow started", status: "running" },
    });
    const sent = page.waitForRequest("**/api/run_workflow");
    await start("Start Workflow").click();
    expect((await sent).postDataJSON()).toEqual({
      project_id: projectId,
      start_step: 0,
      settings: { species: "mouse" },
      parameters: { "morphological-analysis": { maxExpansionUm: 4.5 } },
    });
  });

  it("accepts a response with only the specified fields", async () => {
    state = { status: "created", output_files: {}, shiny_app: false, input_files: {} };
    await standIn();
    await page.goto(`/analysis/step3?project_id=${projectId}`);
    await start("Start Workflow").waitFor();
    await expect.poll(percent).toBe(0);
  });

  it("proposes the first step without files", async () => {
    state = status("failed", 4, { error: "Error: No nuclei were found in he.tif." });
    await standIn();
    await open();
    await start("Resume Workflow").waitFor();
    await expect.poll(() => selector().inputValue()).toBe("4");
    await expect.poll(percent).toBe(50);
    await sees(page, "Error: No nuclei were found in he.tif.");
    await expectNoBarriers(page);
  });
});

describe("starting", () => {
  it("sends project and step; any other success response means that it runs", async () => {
    await standIn();
    await open();
    await selector().selectOption("2");
    const sent = page.waitForRequest("**/api/run_workflow");
    await answer(page, "/run_workflow", { json: { message: "ok", status: "running" } });
    state = status("processing", 2);
    await start("Resume Workflow").click();
    expect((await sent).postDataJSON()).toEqual({ project_id: projectId, start_step: 2 });
    const overlay = page.getByRole("dialog", { name: "Processing your data" });
    await overlay.getByText("Step 2: Morphological Analysis").waitFor();
    await overlay.getByText("About 4 minutes left", { exact: true }).waitFor();
    await expectFocusKept(page, overlay);
    await expectNoBarriers(page);
    await hide();
    await start("Processing...").waitFor();
    await expect.poll(disabled).toEqual([true, true, true]);
    await expectNoBarriers(page);
  });

  it("treats 202 as queued: polls position and wait every five seconds until it runs", async () => {
    await standIn();
    await open();
    await answer(page, "/run_workflow", {
      status: 202,
      json: { message: "queued", status: "pending", position: 2, estimated_wait: 7 },
    });
    state = status("pending", 0);
    queue = place("pending", 2, 7);
    await start("Start Workflow").click();
    const overlay = page.getByRole("dialog", { name: "Waiting in the queue" });
    await overlay.getByText("Position 2", { exact: true }).waitFor();
    await overlay.getByText("Estimated wait: 7 minutes.").waitFor();
    await expectNoBarriers(page);
    await hide();
    await start("In Queue (Position: 2)").waitFor();
    await expect.poll(disabled).toEqual([true, true, true]);

    await stop();
    // An interval starts with the previous response.
    await pass(page, 21);
    expect(asked).toEqual({ queue: 4, status: 2 });
    queue = place("pending", 1, 0.5);
    await pass(page, 6);
    await start("In Queue (Position: 1)").waitFor();
    await sees(page, "Position 1. Estimated wait: less than a minute.");
    await expect.poll(() => page.getByText(/position 2/i).count()).toBe(0);
    queue = place("running", null, null);
    await pass(page, 6);
    await start("Processing...").waitFor();
    state = status("processing", 0);
    await pass(page, 11);
    asked.queue = 0;
    await pass(page, 20);
    expect(asked.queue).toBeLessThanOrEqual(1);
  });

  it("treats 403 with 'already have' as success and follows the existing run", async () => {
    await standIn();
    await open();
    await answer(page, "/run_workflow", {
      status: 403,
      json: { error: "You already have a workflow in progress.", code: "workflow_active" },
    });
    state = status("pending", 0);
    queue = place("pending", 4, null);
    await start("Start Workflow").click();
    await page.getByRole("dialog").getByText("Position 4", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("Error").count()).toBe(0);
  });

  it("treats 403 for another reason as a failure, with a link to the plans", async () => {
    await standIn();
    await open();
    const error = "Your plan's analyses are used up.";
    await answer(page, "/run_workflow", { status: 403, json: { error, code: "quota_used_up" } });
    await start("Start Workflow").click();
    await sees(page, `Error: ${error}`);
    await page.getByRole("link", { name: "See plans" }).waitFor();
    await page.unroute("**/api/run_workflow");
    await answer(page, "/run_workflow", { status: 500 });
    await start("Start Workflow").click();
    await sees(page, "Error: Failed to run workflow");
    await start("Start Workflow").waitFor();
  });

  it("never shows another project's queue position", async () => {
    queue = { ...place("pending", 5, 1), project_id: "other", project_name: "Section 8" };
    await standIn();
    await open();
    await sees(page, "Your project Section 8 is queued or running.");
    await start("Start Workflow").waitFor();
  });
});

describe("while it runs", () => {
  it("polls the status every ten seconds, one call at a time, until it is final", async () => {
    state = status("processing", 0);
    await standIn();
    await open();
    await start("Processing...").waitFor();
    await stop();
    // Three times ten seconds, plus response times.
    await pass(page, 35);
    expect(asked.status).toBe(3);
    // A slow response delays the next request.
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    await page.route("**/api/status?**", async (route) => {
      asked.status += 1;
      await held;
      await route.fulfill({ json: state });
    });
    asked.status = 0;
    await page.clock.runFor(45_000);
    await settle(page);
    expect(asked.status).toBe(1);
    letGo();
    state = status("completed", 8, { percent: 100, finished_at: "2026-11-02T10:09:00Z" });
    await pass(page, 11);
    await page.getByRole("dialog", { name: "Your results are ready" }).waitFor();
    asked.status = 0;
    await pass(page, 60);
    expect(asked.status).toBe(0);
    await page.clock.resume();
    await expectNoBarriers(page);
    await hide();
    await start("Start Workflow").waitFor();
    await expect.poll(disabled).toEqual([true, true, true]);
    await page.getByRole("button", { name: "View results" }).click();
    await arrives(page, "/analysis/step4");
  });

  it("shows progress by the steps' weights, never going backward", async () => {
    state = status("processing", 0);
    await standIn();
    await open();
    await start("Processing...").waitFor();
    await page.getByRole("heading", { name: "Log (times in UTC)" }).waitFor();
    await stop();
    for (const done of [1, 2, 3, 4, 5, 6, 7]) {
      state = status("processing", done);
      await pass(page, 11);
      await expect.poll(percent).toBe(SUMS[done - 1]);
      await page
        .getByRole("listitem")
        .filter({ hasText: NAMES[done] })
        .and(page.locator("[aria-current=step]"))
        .waitFor();
    }
    state = status("processing", 3);
    await pass(page, 11);
    await expect.poll(percent).toBe(95);
    expect(asked.status).toBeGreaterThanOrEqual(8);
  });

  it("ignores a lost connection but reports an error response", async () => {
    state = status("processing", 1);
    await standIn();
    await open();
    await start("Processing...").waitFor();
    await stop();
    await page.route("**/api/status?**", (route) => route.abort(), { times: 2 });
    await pass(page, 21);
    await expect.poll(() => page.getByText(/Error/).count()).toBe(0);
    await expect.poll(percent).toBe(10);
    await page.route(
      "**/api/status?**",
      (route) => route.fulfill({ status: 503, json: { error: "The database rests." } }),
      { times: 1 },
    );
    await pass(page, 11);
    await sees(page, "Error checking status: The database rests.");
    await page.clock.resume();
    await expectNoBarriers(page);
    await page.clock.runFor(10_000);
    await page.getByText("Error checking status").waitFor({ state: "detached" });
  });

  it("treats a failed run as final, and shows its reason in red", async () => {
    state = status("processing", 2);
    await standIn();
    await open();
    await start("Processing...").waitFor();
    await stop();
    state = status("failed", 2, { error: "The image has no nuclei." });
    await pass(page, 11);
    await page.getByRole("alert").getByText("Error: The image has no nuclei.").waitFor();
    await start("Resume Workflow").waitFor();
    await expect.poll(disabled).toEqual([false, false, false]);
    asked.status = 0;
    await pass(page, 40);
    expect(asked.status).toBe(0);
  });

  it("keeps the processing flag across reloads until the run ends", async () => {
    const flags = () =>
      page.evaluate("Object.keys(localStorage).filter((key) => key.includes('processing'))");
    await standIn();
    await open();
    await answer(page, "/run_workflow", { json: { message: "ok", status: "running" } });
    state = status("processing", 0);
    await start("Start Workflow").click();
    await page.getByRole("dialog", { name: "Processing your data" }).waitFor();
    await expect.poll(flags).toHaveLength(1);
    await page.reload();
    await start("Processing...").waitFor();
    state = status("completed", 8);
    await page.clock.runFor(10_000);
    await page.getByRole("dialog", { name: "Your results are ready" }).waitFor();
    await expect.poll(flags).toEqual([]);
  });

  it("asks before canceling a run", async () => {
    state = status("processing", 3);
    await standIn();
    await open();
    await page.getByRole("button", { name: "Cancel run" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Cancel this run?" });
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Keep running" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Cancel run" }).click();
    await answer(page, "/cancel_workflow", { json: { message: "ok" } });
    state = status("cancelled", 3);
    await dialog.getByRole("button", { name: "Cancel run" }).click();
    await sees(
      page,
      "The run was canceled. Finished steps are kept, and you can resume from any step.",
    );
    await sees(page, "Canceled");
    await start("Resume Workflow").waitFor();
  });
});

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { pass, passUntil, settle, stopClock } from "./clock.ts";
import {
  alter,
  answer,
  arrives,
  newPerson,
  openPerson,
  restore,
  sees,
  type Person,
} from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let url: string;
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  person = await newPerson(browser, url, "projects");
  page = person.page;
}, 120_000);

beforeEach(async () => {
  await restore(page);
});

afterAll(async () => {
  await browser?.close();
});

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
const longDate = (iso: string): string =>
  new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

/** A project as listed by the API. */
function project(name: string, status: string, days: number, options = {}) {
  return {
    id: `id-${name}`,
    name,
    created_at: "2026-11-02T10:00:00Z",
    status,
    storage_expiry: later(days * DAY_MS - HOUR_MS),
    analysis_options: {
      platform: "visium",
      staining: "h_and_e",
      analysis_type: "basic",
      ...options,
    },
  };
}

const MANY = [
  project("Alpha", "completed", 31),
  project("Beta", "processing", 30),
  project("Gamma", "failed", 8),
  project("Delta", "pending", 7),
  project("Epsilon", "created", 1),
  project("Zeta", "archived", 0.01, {
    platform: "hd_visium",
    staining: "if",
    analysis_type: "advanced",
    resolution: "16",
  }),
];

const STATUS = {
  status: "processing",
  output_files: Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((step) => [`step_${step}`, step < 2 ? ["a"] : []]),
  ),
  shiny_app: false,
  input_files: {},
  project_name: "Beta",
  current_step: 2,
  step_progress: 0.5,
  percent: 27,
  step_seconds: {},
  seconds_left: 240,
  started_at: "2026-11-02T10:00:00Z",
  finished_at: null,
  log: [],
  error: null,
};
const NO_QUEUE = {
  has_workflow: false,
  project_id: null,
  project_name: null,
  status: null,
  position: null,
  estimated_wait: null,
};

const tile = (section: string, label: string) =>
  page
    .getByRole("region", { name: section, exact: true })
    .getByText(label, { exact: true })
    .locator("xpath=following-sibling::*[1]");
const colorOf = (text: Locator): Promise<string> =>
  text.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).color);
const row = (name: string) => page.getByRole("row").filter({ hasText: name });
const view = (name: string) => page.getByRole("button", { name: `View ${name}` });

describe("dashboard", () => {
  it("says before anything is created that no analysis is left, and links to the plans", async () => {
    await alter(page, "/verify-subscription", { analyses_count: 1 });
    for (const path of ["/dashboard", "/analysis/step1"]) {
      await page.goto(path);
      await sees(page, "You have used your plan's analysis");
      await page.getByRole("link", { name: "See plans" }).waitFor();
      await page.getByRole("button", { name: "Try the sample dataset" }).first().waitFor();
    }
    await expectNoBarriers(page);
    await restore(page);
  });

  it("shows tiles, an empty table, and next steps to a new user", async () => {
    await page.goto("/dashboard");
    await sees(page, "No projects yet. Start your first analysis!");
    const expected = {
      Subscription: {
        "Current Plan": "Trial",
        Status: "Trial",
        "Days Remaining": "4",
        "Analyses Remaining": "1",
      },
      Projects: { Total: "0", Completed: "0", Processing: "0", Failed: "0" },
    };
    for (const [section, tiles] of Object.entries(expected)) {
      for (const [label, value] of Object.entries(tiles)) {
        await expect.poll(() => tile(section, label).textContent()).toBe(value);
      }
    }
    await expectNoBarriers(page);
    for (const [name, path] of [
      ["New Analysis", "/analysis/step1"],
      ["Manage", "/profile"],
      ["View All", "/projects"],
    ] as const) {
      await page.goto("/dashboard");
      await page.locator("main").getByRole("link", { name }).first().click();
      await arrives(page, path);
    }
  });

  it("leaves people on the page to which they went while the sample dataset is prepared", async () => {
    const created = { project_id: "sample", project_name: "Sample dataset" };
    await answer(page, "/create_sample_project", { status: 201, json: created });
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route("**/api/run_workflow", async (route) => {
      await released;
      await route.fulfill({ status: 202, json: { position: 1, estimated_wait: 1 } });
    });
    await page.goto("/analysis/step1");
    const started = page.waitForRequest("**/api/run_workflow");
    await page.getByRole("button", { name: "Try the sample dataset" }).click();
    await started;
    await page.getByRole("link", { name: "Contact", exact: true }).first().click();
    await arrives(page, "/contact");
    const answered = page.waitForResponse("**/api/run_workflow");
    release();
    await (await answered).finished();
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await arrives(page, "/contact");
  });

  it("counts projects and lists the first five", async () => {
    await answer(page, "/projects", { json: MANY });
    await page.goto("/dashboard");
    const table = page.getByRole("table", { name: "Recent Projects" });
    await table.waitFor();
    await expect
      .poll(() => table.getByRole("columnheader").allTextContents())
      .toEqual(["Project Name", "Created", "Status", "Storage Expiry"]);
    // The headings shown next to each value on narrow screens are drawn by CSS, not repeated as text.
    await expect.poll(() => page.getByText("Storage Expiry", { exact: true }).count()).toBe(1);
    const cells = await table
      .getByRole("row")
      .evaluateAll((all) =>
        all.map((one) =>
          Array.from(one.children, (cell) => (cell as { innerText: string }).innerText),
        ),
      );
    expect(cells.slice(1).map(([name, , status]) => [name, status])).toEqual([
      ["Alpha", "Completed"],
      ["Beta", "Processing"],
      ["Gamma", "Failed"],
      ["Delta", "Queued"],
      ["Epsilon", "Created"],
    ]);
    expect(cells[1]).toEqual([
      "Alpha",
      "November 2, 2026",
      "Completed",
      longDate(MANY[0].storage_expiry),
    ]);
    for (const [label, value] of Object.entries({
      Total: "6",
      Completed: "1",
      Processing: "2",
      Failed: "1",
    })) {
      await expect.poll(() => tile("Projects", label).textContent()).toBe(value);
    }
    await page.setViewportSize({ width: 375, height: 812 });
    await expect
      .poll(() =>
        row("Alpha")
          .getByRole("cell")
          .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length),
      )
      .toBe(4);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("links from a count to those projects, and from there to all", async () => {
    await answer(page, "/projects", { json: MANY });
    await page.goto("/dashboard");
    await page
      .getByRole("region", { name: "Projects", exact: true })
      .getByText("Processing")
      .click();
    await sees(page, "Processing: 2 of 6 projects");
    await expect.poll(() => page.getByRole("button", { name: /^View / }).count()).toBe(2);
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Show all" }).click();
    await expect.poll(() => page.getByRole("button", { name: /^View / }).count()).toBe(6);
  });

  it("warns a subscriber about projects whose storage ends within a week", async () => {
    await answer(page, "/projects", { json: MANY });
    await alter(page, "/verify-subscription", {
      subscription_tier: "basic",
      subscription_status: "active",
    });
    await page.goto("/dashboard");
    await sees(page, "3 projects will soon be deleted, because their storage periods end");
    await sees(page, /"Epsilon" and its results will be deleted on .*, within a day\./);
    await sees(page, /"Delta" and its results will be deleted on .*, in 7 days\./);
    await sees(page, "Download what you need, or choose a plan with longer storage.");
    await expectNoBarriers(page);
    // A renewal extends their time.
    await alter(page, "/verify-subscription", {
      subscription_tier: "basic",
      subscription_status: "active",
      stripe_subscription_id: "sub_1",
      subscription_end_date: later(5 * DAY_MS),
    });
    await page.reload();
    await sees(page, /^renews on /);
    await expect.poll(() => page.getByText("will soon be deleted").count()).toBe(0);
    // After the plan has ended, nothing can be downloaded.
    await alter(page, "/verify-subscription", {
      subscription_tier: "basic",
      subscription_status: "expired",
    });
    await page.reload();
    await sees(page, "Choose a plan to open these results again and download what you need.");
  });

  it("reports when projects cannot be loaded, and retries", async () => {
    await answer(page, "/projects", { status: 400 });
    await page.goto("/dashboard");
    await sees(page, "Failed to load projects. Please try again.");
    await expectNoBarriers(page);
    await restore(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await sees(page, "No projects yet. Start your first analysis!");
  });

  it("shows a trial banner that counts down by the minute and turns red below two days", async () => {
    const { page: own, context } = await openPerson(browser, url, { token: person.token });
    await alter(own, "/verify-subscription", {
      subscription_end_date: later(2 * DAY_MS + 2 * HOUR_MS + 30_000),
      // The page would rightly prefer the server's clock to the one moved here.
      scheduled_downgrade: null,
      server_time: "",
    });
    await own.clock.install();
    await own.goto("/dashboard");
    await sees(own, "Trial Expires in 2 days 2 hours");
    const banner = own.getByText("Trial Expires in").first();
    const calm = await colorOf(banner);
    await stopClock(own);
    await pass(own, 60);
    await sees(own, "Trial Expires in 2 days 0 hours");
    await expect
      .poll(() => own.getByText("Projects are deleted when the trial ends.").count())
      .toBe(0);
    await own.clock.runFor(HOUR_MS);
    await settle(own);
    await sees(own, "Trial Expires in 1 days 23 hours");
    await sees(own, "Projects are deleted when the trial ends.");
    await expect.poll(() => colorOf(banner)).not.toBe(calm);
    await own.clock.resume();
    await expectNoBarriers(own);
    await own.getByRole("link", { name: "Upgrade Now" }).click();
    await arrives(own, "/pricing");
    await context.close();
  });
});

it("reports an expired trial as expired", async () => {
  const { page: own, context } = await openPerson(browser, url, { token: person.token });
  await alter(own, "/verify-subscription", {
    subscription_end_date: later(-HOUR_MS),
    subscription_status: "expired",
  });
  await own.goto("/dashboard");
  await sees(own, "Your trial has expired.");
  await sees(own, "Trial projects will be deleted soon.");
  await own.goto("/profile");
  await sees(own, "Trial (Expired)");
  await sees(own, "Your trial has expired");
  await expectNoBarriers(own);
  await context.close();
});

describe("projects", () => {
  it("are empty for a new user", async () => {
    await page.goto("/projects");
    await page.getByRole("heading", { name: "Your Projects" }).waitFor();
    await sees(page, "No projects yet");
    await sees(page, "Start by creating a new analysis project");
    await expectNoBarriers(page);
    await page.locator("main").getByRole("link", { name: "New Analysis" }).first().click();
    await arrives(page, "/analysis/step1");
  });

  it("lists project details, days left in green, yellow, or red, and Delete unless busy", async () => {
    await answer(page, "/projects", { json: MANY });
    await page.goto("/projects");
    await row("Alpha").waitFor();
    await expect
      .poll(() => page.getByRole("columnheader").allTextContents())
      .toEqual([
        "Project Name",
        "Created",
        "Status",
        "Days Remaining",
        "Analysis Configuration",
        "Actions",
      ]);
    const colors: Record<string, string> = {};
    for (const [name, days, deletable, configuration] of [
      ["Alpha", "31 days", true, "Visium · H&E · Basic"],
      ["Beta", "30 days", false, "Visium · H&E · Basic"],
      ["Gamma", "8 days", true, "Visium · H&E · Basic"],
      ["Delta", "7 days", false, "Visium · H&E · Basic"],
      ["Epsilon", "1 day", true, "Visium · H&E · Basic"],
      ["Zeta", "0 days", true, "HD Visium · IF · Advanced · 16x"],
    ] as const) {
      const pill = row(name).getByText(days, { exact: true });
      await pill.waitFor();
      colors[name] = await colorOf(pill);
      await row(name).getByText(configuration, { exact: true }).waitFor();
      await view(name).waitFor();
      await expect
        .poll(() => page.getByRole("button", { name: `Delete ${name}` }).count())
        .toBe(deletable ? 1 : 0);
    }
    expect(new Set(Object.values(colors)).size).toBe(3);
    expect(colors["Beta"]).toBe(colors["Gamma"]);
    expect(colors["Delta"]).toBe(colors["Zeta"]);
    // An unknown status is shown verbatim, in the default style.
    await row("Zeta").getByText("archived", { exact: true }).waitFor();
    await expectNoBarriers(page);
  });

  it.each([
    ["Alpha", "/analysis/step4"],
    ["Gamma", "/analysis/step3"],
    ["Epsilon", "/analysis/step3"],
  ])("View of %s leads to %s", async (name, path) => {
    await answer(page, "/projects", { json: MANY });
    await page.goto("/projects");
    await view(name).click();
    await arrives(page, path);
    expect(new URL(page.url()).searchParams.get("project_id")).toBe(`id-${name}`);
  });

  it("View of a running project opens its progress, polled every ten seconds; closing leads to step 4", async () => {
    const { page: own, context } = await openPerson(browser, url, { token: person.token });
    await own.clock.install();
    await answer(own, "/projects", { json: MANY });
    let asked = 0;
    let percent = 27;
    await own.route("**/api/status?**", (route) => {
      asked += 1;
      return route.fulfill({ json: { ...STATUS, percent } });
    });
    await own.goto("/projects");
    await own.getByRole("button", { name: "View Beta" }).click();
    const dialog = own.getByRole("dialog", { name: "Beta" });
    await dialog.getByText("Step 2: Morphological Analysis").waitFor();
    const bar = dialog.getByRole("progressbar");
    await expect.poll(() => bar.getAttribute("aria-valuenow")).toBe("27");
    await expectNoBarriers(own);
    await expectFocusKept(own, dialog);
    await stopClock(own);
    const before = asked;
    percent = 55;
    // Three times ten seconds, plus response times.
    await pass(own, 35);
    expect(asked - before).toBe(3);
    await expect.poll(() => bar.getAttribute("aria-valuenow")).toBe("55");
    await own.clock.resume();
    await dialog.getByRole("button", { name: "Close" }).click();
    await arrives(own, "/analysis/step4");
    await sees(own, "Results are not ready yet");
    await context.close();
  });

  it("counts a project that waits for other runs as processing, and follows it", async () => {
    const { page: own, context } = await openPerson(browser, url, { token: person.token });
    await own.clock.install();
    await answer(own, "/projects", { json: [{ ...project("Next", "created", 5), waits: true }] });
    await own.goto("/projects?show=processing");
    await sees(own, "Queued");
    await answer(own, "/projects", { json: [project("Next", "processing", 5)] });
    await stopClock(own);
    await passUntil(own, own.getByRole("cell").getByText("Processing", { exact: true }));
    await context.close();
  });

  it("View of a queued project shows its position", async () => {
    await answer(page, "/projects", { json: MANY });
    await answer(page, "/status", { json: { ...STATUS, status: "pending", percent: 0 } });
    await answer(page, "/workflow-queue-status", {
      json: {
        has_workflow: true,
        project_id: "id-Delta",
        project_name: "Delta",
        status: "pending",
        position: 3,
        estimated_wait: 12,
      },
    });
    await page.goto("/projects");
    await view("Delta").press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delta" });
    await dialog.getByText("Position 3, about 12 minutes remaining").waitFor();
    await page.keyboard.press("Escape");
    await arrives(page, "/analysis/step4");
    // The queue entry now belongs to another project.
    await answer(page, "/workflow-queue-status", { json: NO_QUEUE });
  });

  it("asks before deleting, in the specified words, and shows the server's refusal", async () => {
    const { project_id: id } = await call(url, "POST", "/create_project", {
      token: person.token,
      body: { project_name: "Colon & liver", analysis_options: MANY[0].analysis_options },
    });
    await page.goto("/projects");
    const opener = page.getByRole("button", { name: "Delete Colon & liver" });
    await opener.click();
    const dialog = page.getByRole("alertdialog", { name: "Delete project" });
    await dialog
      .getByText(
        "Are you sure you want to delete project Colon & liver? This action cannot be undone.",
        { exact: true },
      )
      .waitFor();
    await expectFocusKept(page, dialog);
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect
      .poll(() => opener.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
    await opener.click();
    await answer(page, `/projects/${id}`, {
      status: 409,
      json: { error: "It is busy." },
      times: 1,
    });
    // The refreshed list never arrives: the dialog and the table must not wait for it.
    await page.route("**/api/projects", () => new Promise(() => undefined));
    await dialog.getByRole("button", { name: "Delete" }).click();
    await sees(page, "Failed to delete project: It is busy.");
    await opener.click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await sees(page, 'Project "Colon & liver" deleted.');
    await sees(page, "No projects yet");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => page.locator("main :focus").count()).toBe(1);
  });

  it("keeps the focus when another tab has deleted the project", async () => {
    const { token } = person;
    const body = { analysis_options: MANY[0].analysis_options };
    const [{ project_id: id }, { project_id: kept }] = await Promise.all(
      ["Gone", "Kept"].map((project_name) =>
        call(url, "POST", "/create_project", { token, body: { ...body, project_name } }),
      ),
    );
    await page.goto("/projects");
    await page.getByRole("button", { name: "Delete Gone" }).press("Enter");
    await call(url, "DELETE", `/projects/${id}`, { token });
    const dialog = page.getByRole("alertdialog", { name: "Delete project" });
    await dialog.getByRole("button", { name: "Delete" }).press("Enter");
    await sees(page, "Failed to delete project: Project not found.");
    await expect.poll(() => page.getByRole("button", { name: "Delete Gone" }).count()).toBe(0);
    await expect.poll(() => page.locator("main :focus").count()).toBe(1);
    await call(url, "DELETE", `/projects/${kept}`, { token });
  });

  it("keeps the actions on the screen of a tablet and of a small laptop", async () => {
    await answer(page, "/projects", {
      json: [project("A long name of a project", "completed", 4)],
    });
    await page.goto("/projects");
    const last = page.getByRole("button", { name: /^Delete / });
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(async () => {
          const { x, width: wide } = (await last.boundingBox())!;
          return x + wide;
        })
        .toBeLessThan(width);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("shows a name that is one long word in full, even on a phone", async () => {
    const name = `GSM7782699_${"Visium_".repeat(14)}A1`;
    await answer(page, "/projects", { json: [project(name, "created", 4)] });
    await page.setViewportSize({ width: 375, height: 800 });
    const wider = (element: string) =>
      page.evaluate(`${element}.scrollWidth - ${element}.clientWidth`);
    await page.goto(`/analysis/step2?project_id=id-${name}`);
    await page.getByText(name).waitFor();
    await expect.poll(() => wider("document.documentElement")).toBe(0);
    await page.goto("/projects");
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await page.getByRole("alertdialog").getByText(name).waitFor();
    await expect.poll(() => wider("document.querySelector('[role=alertdialog]')")).toBe(0);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 800 });
    await expect.poll(() => wider("document.querySelector('table').parentElement")).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

it("finds, sorts, and renames projects", async () => {
  const analysis_options = MANY[0].analysis_options;
  for (const project_name of ["Liver", "Brain 10", "Brain 9"]) {
    const body = { project_name, analysis_options };
    await call(url, "POST", "/create_project", { token: person.token, body });
  }
  await page.goto("/projects");
  const views = page.getByRole("button", { name: /^View / });
  const names = async (): Promise<string[]> =>
    views.evaluateAll((all) => all.map((one) => one.ariaLabel?.replace("View ", "") ?? ""));
  await expect.poll(names).toEqual(["Brain 9", "Brain 10", "Liver"]);
  await page.getByRole("combobox", { name: "Order of the projects" }).selectOption("By name");
  await page.getByRole("searchbox").fill("brain");
  await expect.poll(names).toEqual(["Brain 9", "Brain 10"]);
  await page.getByRole("searchbox").fill("kidney");
  await sees(page, "No project is called “kidney”.");
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.getByRole("button", { name: "Rename Liver" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename project" });
  await expectFocusKept(page, dialog);
  await expectNoBarriers(page);
  await dialog.getByLabel("Project name").fill(" ");
  await dialog.getByLabel("Project name").press("Enter");
  await dialog.getByText("Please enter a project name").waitFor();
  await dialog.getByLabel("Project name").fill("Human liver");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(names).toEqual(["Brain 9", "Brain 10", "Human liver"]);
});

it("has no script errors", () => {
  expect(person.faults).toEqual([]);
});

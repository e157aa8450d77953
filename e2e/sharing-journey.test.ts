import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { alter, answer, arrives, openPerson, sees, type Person } from "./person.ts";
import { finishedSample, type SharedPlatform } from "./shared-platform.ts";

let shared: SharedPlatform;
let browser: Browser;
/** The sample's owner, with separate sessions, because they are ended here. */
let ada: Person;
let view: Page;

beforeAll(async () => {
  [shared, browser] = await Promise.all([finishedSample(), openBrowser({ webgl: true })]);
  ada = await signedIn();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  if (shared) await deleteViews();
});

async function signedIn(): Promise<Person> {
  const body = { email: "ada@example.org", password: "Correct-horse-9!" };
  const { token } = await call(shared.url, "POST", "/login", { body });
  return openPerson(browser, shared.url, {
    token,
    permissions: ["clipboard-read", "clipboard-write"],
  });
}

/** Restores the project, because other journeys share it. */
async function deleteViews(): Promise<void> {
  const { url, token, projectId } = shared;
  const started = await call(url, "POST", `/start_visualization?project_id=${projectId}`, {
    token,
  });
  const link = new URL(started.url).pathname;
  for (const { id } of await call(url, "GET", `${link}/views`)) {
    await call(url, "DELETE", `/projects/${projectId}/views/${id}`, { token });
  }
}

/** Starts the view from step 4 and waits until it is usable. */
async function startView({ page }: Person, press: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent("popup"), press()]);
  await opened.getByRole("button", { name: "Share", exact: true }).waitFor();
  return opened;
}
const startButton = (page: Page) =>
  page.getByRole("button", { name: "Start Interactive Visualization" });
const stepFour = () => `/analysis/step4?project_id=${shared.projectId}`;
const openShare = (page: Page) => page.getByRole("button", { name: "Share", exact: true }).click();
const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");
/** Like Safari, copies only what is given during a click. */
const COPY_ONLY_IN_CLICKS = `{
  let clicked = false;
  const click = () => {
    clicked = true;
    setTimeout(() => (clicked = false));
  };
  addEventListener("click", click, { capture: true });
  const { clipboard } = navigator;
  for (const name of ["write", "writeText"]) {
    const copy = clipboard[name].bind(clipboard);
    const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
    clipboard[name] = (what) => (clicked ? copy(what) : refuse());
  }
  document.execCommand = () => false;
}`;
/** Simulates returning to the tab: the view checks whether it may stay open. */
const comeBack = (page: Page) =>
  page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');

describe("the owner", () => {
  it("opens the view from step 4, in a tab that knows its opener", async () => {
    await ada.page.goto(stepFour());
    view = await startView(ada, () => startButton(ada.page).click());
    await expect.poll(() => view.evaluate("window.opener !== null")).toBe(true);
    // Platform, stain, kind of analysis, and date of the results.
    await view.getByText(/^Visium · H&E · \w+ · \w+ \d+, \d{4}$/).waitFor();
    const back = view.getByRole("link", { name: "Back to results" });
    await back.waitFor();
    await expect
      .poll(() => back.getAttribute("href"))
      .toBe(`/analysis/step4?project_id=${shared.projectId}`);
  });

  it("copies a link to what she sees", async () => {
    await view.getByRole("radio", { name: "UMAP" }).check();
    await openShare(view);
    await view.evaluate(COPY_ONLY_IN_CLICKS);
    await view.getByRole("button", { name: "Copy link to this view" }).click();
    await sees(view, "Copied. The link is in the list below.");
    const link = new URL(await clipboard(view));
    expect(link.searchParams.get("view")).toBe("umap");
    // Not her own URL, which could not be revoked.
    expect(link.pathname).not.toBe(new URL(view.url()).pathname);

    const revoke = view.getByRole("button", {
      name: /^Revoke the share link “Copied from the view”/,
    });
    await revoke.click();
    await view.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    // Other journeys share the project, too.
    await expect.poll(() => revoke.count()).toBe(0);
    const guest = await openPerson(browser, shared.url);
    await guest.page.goto(link.href);
    await sees(guest.page, "This share link no longer works");
    await guest.context.close();
  });

  it("cannot save files on trial, and is offered a plan in their place", async () => {
    const own = await signedIn();
    const path = `/visualization/${new URL(view.url()).pathname.split("/").at(-1)!}/manifest`;
    await alter(own.page, path, { may_export: false });
    await own.page.goto(new URL(view.url()).pathname);
    await own.page.getByRole("button", { name: "Markers", exact: true }).click();
    const offers = own.page.getByRole("link", { name: "Subscribe to Download" });
    await expect.poll(() => offers.count()).toBe(2);
    await expect.poll(() => offers.last().getAttribute("href")).toBe("/pricing");
    await expect.poll(() => own.page.getByRole("button", { name: /CSV/ }).count()).toBe(0);
    await expectNoBarriers(own.page);
    await own.context.close();
  });

  it("saves, replaces, opens, renames, and deletes named views", async () => {
    const save = async (name: string) => {
      await view.getByLabel("Name of the view").fill(name);
      await view.getByRole("button", { name: "Save", exact: true }).click();
      await sees(view, `Saved “${name}”.`);
    };
    await save("UMAP only");
    await view.getByRole("radio", { name: "Tissue", exact: true }).check();
    await save("Tissue only");
    await view.getByRole("button", { name: "Open the view UMAP only" }).click();
    await sees(view, "Opened “UMAP only”.");
    await expect.poll(() => view.getByRole("radio", { name: "UMAP" }).isChecked()).toBe(true);

    await view.getByRole("button", { name: "Rename the view UMAP only" }).click();
    const dialog = view.getByRole("dialog");
    await dialog.getByLabel("Name of the view").fill("Tissue only");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await sees(view, "A view with this name already exists.");
    await dialog.getByLabel("Name of the view").fill("For the paper");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await view.getByRole("button", { name: "Open the view For the paper" }).waitFor();

    await view.getByRole("button", { name: "Delete the view Tissue only" }).click();
    await view.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await sees(view, "Deleted “Tissue only”.");
    await expect.poll(() => view.getByRole("button", { name: /^Open the view/ }).count()).toBe(1);
    await expectNoBarriers(view);
  });

  it("sees how other programs open the files", async () => {
    await view.getByLabel("Program").selectOption({ label: "Vitessce (browser)" });
    await view.getByRole("button", { name: "Copy Vitessce (browser), step 2" }).click();
    await sees(view, "Copied");
    expect(JSON.parse(await clipboard(view))).toMatchObject({ version: "1.0.18" });
  });
});

describe("a share link", () => {
  let guest: Person;
  let link: string;

  it("shows a guest everything, but allows no changes", async () => {
    await view.getByLabel("Note").fill("For Grace");
    await view.getByRole("button", { name: "Create share link" }).click();
    await sees(view, "Copy it now; it won't be shown again.");
    link = await view.getByLabel("Address of the new share link").inputValue();

    guest = await openPerson(browser, shared.url);
    await guest.page.goto(link);
    await openShare(guest.page);
    await guest.page.getByText(/^You opened a shared link/).waitFor();
    await guest.page.getByRole("button", { name: "Open the view For the paper" }).click();
    await sees(guest.page, "Opened “For the paper”.");
    await expect.poll(() => guest.page.getByLabel("Name of the view").count()).toBe(0);
    await expect
      .poll(() => guest.page.getByRole("button", { name: "Create share link" }).count())
      .toBe(0);
    await expect
      .poll(() => guest.page.getByRole("link", { name: "Back to results" }).count())
      .toBe(0);
    await expectNoBarriers(guest.page);
  });

  it("closes open views once revoked, and no longer opens", async () => {
    await view.getByRole("button", { name: /^Revoke the share link “For Grace”/ }).click();
    await view.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await sees(view, "You revoked the share link.");
    await sees(view, "No active links.");
    await expect.poll(() => view.getByLabel("Address of the new share link").count()).toBe(0);
    await comeBack(guest.page);
    await sees(guest.page, "This share link no longer works");
    await guest.page.goto(link);
    await sees(guest.page, "This share link no longer works");
    await expectNoBarriers(guest.page);
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });
});

it("shows a new share link even if the list of links cannot be loaded", async () => {
  const list = `**/api/projects/${shared.projectId}/shares`;
  await view.route(list, (route) =>
    route.request().method() === "GET" ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await view.getByLabel("Note").fill("For Alan");
  await view.getByRole("button", { name: "Create share link" }).click();
  await sees(view, "The share links didn't load.");
  await view.getByLabel("Address of the new share link").waitFor();
  await view.unroute(list);
  await view.getByRole("button", { name: "Close share" }).click();
  await expect.poll(() => view.evaluate("document.activeElement.textContent")).toBe("Share");
  await openShare(view);
  await view.getByRole("button", { name: /^Revoke the share link “For Alan”/ }).click();
  await view.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await sees(view, "You revoked the share link.");
});

describe("the live example", () => {
  it("opens from the landing page without an account, once it is prepared", async () => {
    const { url, token, projectId } = shared;
    const { page, context } = await openPerson(browser, url);
    const button = page.getByRole("button", { name: "See a live example" });
    await page.goto("/");
    await button.waitFor();
    // Its states are acted, because making it takes a run of a minute; the view is real.
    await answer(page, "/live_example", { json: { state: "none" } });
    await button.click();
    await sees(page, "The example isn't available right now. Please try again later.");
    const preparing = { state: "preparing", seconds_left: 48 };
    await answer(page, "/live_example", { status: 202, json: preparing });
    await button.click();
    await sees(page, "Preparing the example: about a minute.");
    await expectNoBarriers(page);
    const body = { days: 1, note: "" };
    const made = await call(url, "POST", `/projects/${projectId}/shares`, { token, body });
    await answer(page, "/live_example", { json: { state: "ready", url: made.url } });
    await page.getByRole("button", { name: "Share", exact: true }).waitFor();
    expect(page.url()).toContain(made.url);
    await call(url, "DELETE", `/projects/${projectId}/shares/${made.id}`, { token });

    await answer(page, "/live_example", { json: { state: "off" } });
    await page.goto("/");
    await expect.poll(() => button.count()).toBe(0);
    await context.close();
  });
});

describe("a view that ends", () => {
  it("notifies its opener and the user when the session has ended", async () => {
    await view.getByRole("button", { name: "Select the cells of T cell", exact: true }).click();
    await view.getByRole("button", { name: /cells? selected$/ }).waitFor();
    await call(shared.url, "POST", "/logout", { token: ada.token });
    // The next call that requires the session is refused.
    await view.getByRole("button", { name: "Create share link" }).click();
    await sees(view, "Your session has ended");
    await ada.page.getByRole("alertdialog", { name: "Session Expired" }).waitFor();
    await expect.poll(() => view.getByRole("link", { name: "Log in" }).isVisible()).toBe(true);
    await expectNoBarriers(view);
  });

  it("reopens after the next login, with the selection restored", async () => {
    const link = new URL(view.url()).pathname;
    await view.getByRole("link", { name: "Log in" }).click();
    await arrives(view, "/login");
    await view.getByLabel("Email").fill("ada@example.org");
    await view.getByLabel("Password", { exact: true }).fill("Correct-horse-9!");
    await view.getByRole("button", { name: "Sign In" }).click();
    await arrives(view, link);
    await view.getByRole("button", { name: /cells? selected$/ }).waitFor();
    expect(ada.faults).toEqual([]);
    await ada.context.close();
  });

  it("does not notify its opener when only its link has ended", async () => {
    const person = await signedIn();
    await person.page.goto(stepFour());
    const opened = await startView(person, () => startButton(person.page).click());
    await person.page.evaluate(
      'window.heard = []; addEventListener("message", ({ data }) => heard.push(data))',
    );
    await answer(opened, `${new URL(opened.url()).pathname}/file/manifest.json`, {
      status: 403,
      json: { code: "visualization_expired", error: "" },
    });
    await comeBack(opened);
    await sees(opened, "This link has expired");
    // Messages arrive in order.
    await opened.evaluate('opener.postMessage("last", location.origin)');
    await expect.poll(() => person.page.evaluate("heard")).toEqual(["last"]);
    await person.context.close();
  });

  it("follows a sign-out in another tab, even if its own tab had to be opened manually", async () => {
    const person = await signedIn();
    await person.page.addInitScript("window.open = () => null");
    await person.page.goto(stepFour());
    await startButton(person.page).click();
    await sees(person.page, "Your browser blocked the new tab.");
    const opened = await startView(person, () =>
      person.page.getByRole("link", { name: "Open the visualization" }).click(),
    );
    await expect.poll(() => opened.evaluate("window.opener !== null")).toBe(true);
    const third = await person.context.newPage();
    await third.goto("/about");
    await third.evaluate('localStorage.removeItem("token")');
    await sees(opened, "Your session has ended");
    await person.page.getByRole("alertdialog", { name: "Session Expired" }).waitFor();
    await person.context.close();
  });

  it("has a page for every reason", async () => {
    const { page, context } = await openPerson(browser, shared.url);
    const manifest = "/visualization/token/manifest";
    for (const [code, status, title, way] of [
      ["trial_ended", 403, "The trial has ended", "See plans"],
      ["subscription_expired", 403, "The plan has ended", "See plans"],
      ["visualization_expired", 403, "This link has expired", "Your projects"],
      ["project_not_found", 404, "This project has been deleted", "Your projects"],
      ["results_outdated", 409, "These results are from an earlier version", "Your projects"],
      ["not_found", 404, "This link doesn't work", "Your projects"],
    ] as const) {
      await answer(page, manifest, { status, json: { code, error: "" }, times: 1 });
      await page.goto("/visualization/token");
      await sees(page, title);
      await page.getByRole("link", { name: way }).waitFor();
    }
    await page.route(`**/api${manifest}`, (route) => route.abort());
    await page.goto("/visualization/token");
    await sees(page, "The view didn't load");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await expectNoBarriers(page);
    await context.close();
  });

  it("explains what is missing without WebGL 2", async () => {
    const { page, context } = await openPerson(browser, shared.url);
    await page.addInitScript("HTMLCanvasElement.prototype.getContext = () => null");
    await page.goto("/visualization/token");
    await sees(page, "This browser can't show the view");
    await context.close();
  });
});

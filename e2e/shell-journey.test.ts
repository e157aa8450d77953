import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { answer, arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

let url: string;
let browser: Browser;
let visitor: Person;
let person: Person;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  visitor = await openPerson(browser, url);
  person = await newPerson(browser, url, "shell");
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

const PROTECTED = [
  "/dashboard",
  "/profile",
  "/pricing",
  "/projects",
  "/analysis",
  "/analysis/step1",
  "/analysis/step2",
  "/analysis/step3",
  "/analysis/step4",
];
const USER_MENU = [
  ["Dashboard", "/dashboard"],
  ["Your Profile", "/profile"],
  ["Your Projects", "/projects"],
  ["Start New Analysis", "/analysis/step1"],
] as const;

const topLinks = (page: Page) =>
  page.getByRole("banner").getByRole("navigation").getByRole("link").allTextContents();
const focused = (page: Page) =>
  page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel");

describe("top navigation and footer", () => {
  it("show a visitor five links and Log In; the logo links home", async () => {
    const { page } = visitor;
    await page.goto("/about");
    await sees(page, "Log In");
    await expect
      .poll(() => topLinks(page))
      .toEqual(["Home", "Validation", "Services", "About", "Contact"]);
    await page.getByRole("banner").getByRole("link", { name: "Stipple" }).click();
    await arrives(page, "/");
    await page.getByRole("banner").getByRole("link", { name: "Log In" }).click();
    await arrives(page, "/login");
  });

  it("include Pricing, legal pages, email, social links, and the current year in the footer", async () => {
    const { page } = visitor;
    await page.clock.setFixedTime(new Date("2031-02-03T12:00:00Z"));
    await page.goto("/about");
    const footer = page.getByRole("contentinfo");
    await footer.getByRole("heading", { name: "Quick Links" }).waitFor();
    const links = await footer
      .getByRole("link")
      .evaluateAll((all) =>
        all.map((one) => [one.ariaLabel ?? one.textContent, one.getAttribute("href")]),
      );
    expect(links).toEqual([
      ["Stipple", "/"],
      ["Help", "/help"],
      ["About", "/about"],
      ["Services", "/services"],
      ["Pricing", "/pricing"],
      ["Contact", "/contact"],
      ["Terms of Service", "/terms"],
      ["Privacy Policy", "/privacy"],
      ["contact@example.org", "mailto:contact@example.org"],
      ["LinkedIn", "https://www.linkedin.com/"],
      ["YouTube", "https://www.youtube.com/"],
      ["X", "https://x.com/"],
    ]);
    await sees(page, /© 2031 Stipple/);
  });

  it("show a signed-in user Pricing and a user menu headed by the email address, all usable by keyboard", async () => {
    const { page, email } = person;
    await page.goto("/about");
    const button = page.getByRole("button", { name: email });
    await button.waitFor();
    await expect
      .poll(() => topLinks(page))
      .toEqual(["Home", "Validation", "Services", "Pricing", "About", "Contact"]);
    await button.focus();
    await page.keyboard.press("Enter");
    const menu = page.getByRole("menu");
    await menu.getByText(email, { exact: true }).waitFor();
    await expect
      .poll(() => menu.getByRole("menuitem").allTextContents())
      .toEqual([...USER_MENU.map(([label]) => label), "Sign Out"]);
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await expect
      .poll(() => button.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
    for (const [label, path] of USER_MENU) {
      const before = await page.title();
      await expect
        .poll(async () => {
          if (await menu.isVisible()) await page.keyboard.press("ArrowDown");
          else await button.press("ArrowDown");
          return focused(page);
        })
        .toBe(label);
      await page.keyboard.press("Enter");
      await arrives(page, path);
      // The URL changes first; the page takes focus once it has loaded.
      await expect.poll(() => page.title()).not.toBe(before);
    }
  });

  it("keep the page when a part of them does not load, as after an update, and try again once online", async () => {
    const { context, email } = person;
    const page = await context.newPage();
    await page.route(/assets\/(user-menu|expired-dialog)-.*js/, (route) => route.abort());
    await page.goto("/analysis/step1");
    const name = page.getByRole("textbox", { name: "Project Name" });
    await name.fill("Kept");
    await page.getByRole("button", { name: email }).click();
    await sees(page, /^A part of this page didn't load\./);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.evaluate("window.postMessage('session_expired', '*')");
    await sees(page, /^A part of this page didn't load\./);
    await expect.poll(() => name.inputValue()).toBe("Kept");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(true);
    await context.setOffline(false);
    await sees(page, "Session Expired");
    await page.getByRole("menuitem", { includeHidden: true, name: "Sign Out" }).waitFor();
    await page.close();
  });

  it("become one menu with the same items on a small screen", async () => {
    const { page, email } = person;
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto("/about");
    const open = page.getByRole("button", { name: "Open menu" });
    await open.press("Enter");
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByText(email, { exact: true }).waitFor();
    await expect
      .poll(() => menu.getByRole("link").allTextContents())
      .toEqual([
        ...["Home", "Validation", "Services", "Pricing", "About", "Contact"],
        ...USER_MENU.map(([label]) => label),
      ]);
    await menu.getByRole("button", { name: "Sign Out" }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await expect.poll(() => focused(page)).toBe("Open menu");
    await open.click();
    await menu.getByRole("link", { name: "Your Projects" }).click();
    await arrives(page, "/projects");
    await menu.waitFor({ state: "hidden" });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("offer to skip to the content on the first Tab, and show focus at every stop", async () => {
    const { page } = visitor;
    await page.goto("/login");
    await page.getByLabel("Email").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Skip to content");
    const stops = new Set<unknown>();
    for (let stop = 0; stop < 12; stop++) {
      const [name, outline] = (await page.evaluate(`(() => {
        const { activeElement: at } = document;
        return [at.textContent || at.name, getComputedStyle(at).outlineStyle];
      })()`)) as [string, string];
      expect([name, outline]).not.toEqual([name, "none"]);
      stops.add(name);
      await page.keyboard.press("Tab");
    }
    expect(stops.size).toBeGreaterThan(9);
    await page.goto("/login");
    await page.getByLabel("Email").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
  });
});

describe("access control", () => {
  it("redirects a visitor from every protected page to /login", async () => {
    for (const path of PROTECTED) {
      await visitor.page.goto(path);
      await arrives(visitor.page, "/login");
    }
  });

  it("redirects the bare /analysis to step 1", async () => {
    await person.page.goto("/analysis");
    await arrives(person.page, "/analysis/step1");
    await person.page.getByRole("heading", { name: "Step 1 Configuration" }).waitFor();
  });

  it("redirects unknown URLs to /404, with status 404", async () => {
    const { page } = visitor;
    for (const path of ["/no/such/page", "/analysis/step9", "/404"]) {
      expect((await page.goto(path))?.status()).toBe(404);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/404");
    }
  });

  it("shows neither the page nor /login while the session is being verified", async () => {
    const { page } = person;
    const seen: string[] = [];
    const note = (): unknown => seen.push(new URL(page.url()).pathname);
    page.on("framenavigated", note);
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    await page.route("**/api/verify-subscription", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/profile");
    await sees(page, "Loading");
    await expect.poll(() => page.getByRole("heading", { name: "Your Profile" }).count()).toBe(0);
    const logIn = page.getByText("Log In", { exact: true });
    await expect.poll(() => logIn.count()).toBe(0);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByText("Contact").waitFor();
    await expect.poll(() => logIn.count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    letGo();
    await page.getByRole("heading", { name: "Your Profile" }).waitFor();
    expect(new Set(seen)).toEqual(new Set(["/profile"]));
    page.off("framenavigated", note);
    await page.unrouteAll();
  });
});

describe("code that fails to load", () => {
  it("is requested again, and breaks one page at most", async () => {
    const { page } = await openPerson(browser, url);
    const menu = page.getByRole("navigation", { name: "Main" });
    await page.goto("/about");
    await page.route(/services-page.*js$/, (route) => route.abort(), { times: 1 });
    await menu.getByRole("link", { name: "Services" }).click();
    await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
    await page.route(/contact-page/, (route) => route.abort());
    await menu.getByRole("link", { name: "Contact" }).click();
    await page.getByRole("heading", { name: "This page could not be displayed" }).waitFor();
    await menu.getByRole("link", { name: "About" }).click();
    await page.getByRole("heading", { name: "Our Story" }).waitFor();
    await page.context().close();
  });
});

describe("what the shell shows above a page", () => {
  it("includes a toast at the bottom right for three seconds, longer under the pointer", async () => {
    const { context, page } = await openPerson(browser, url, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.clock.install();
    await page.goto("/contact");
    for (const name of ["Name", "Email", "Subject", "Message"]) {
      await page.getByLabel(name, { exact: true }).fill(name);
    }
    await page.clock.pauseAt(Date.now() + 60_000);
    const toast = page.getByRole("status").getByText("Message copied.", { exact: true });
    const copy = page.getByRole("button", { name: "Copy message" });
    await copy.click();
    await toast.waitFor();
    const box = (await toast.locator("..").boundingBox())!;
    expect(box.x + box.width).toBeGreaterThan(1440 - 40);
    expect(box.y + box.height).toBeGreaterThan(900 - 40);
    await page.clock.runFor(2_900);
    await expect.poll(() => toast.count()).toBe(1);
    await page.clock.runFor(200);
    await toast.waitFor({ state: "detached" });

    await copy.click();
    await toast.hover();
    await page.clock.runFor(30_000);
    await expect.poll(() => toast.count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(3_100);
    await toast.waitFor({ state: "detached" });
    await context.close();
  });

  it.each([
    [
      "a session_expired message from this site",
      `postMessage({ type: "session_expired" }, origin)`,
    ],
    ["the bare string", `postMessage("session_expired", origin)`],
    [
      "the page's own event",
      `dispatchEvent(new MessageEvent("message", { data: { type: "session_expired" } }))`,
    ],
  ])("opens the Session Expired dialog on %s", async (_, script) => {
    const { page } = person;
    await page.goto("/projects");
    await page.getByRole("heading", { name: "Your Projects" }).waitFor();
    // Messages from other origins are ignored.
    await page.evaluate(
      `dispatchEvent(new MessageEvent("message", { data: "session_expired", origin: "https://elsewhere.example" }))`,
    );
    await expect.poll(() => page.getByRole("alertdialog").count()).toBe(0);
    await page.evaluate(script);
    await page.getByRole("alertdialog", { name: "Session Expired" }).waitFor();
  });

  it("closes the Session Expired dialog when the user logs in again in another tab", async () => {
    const { page, context, token } = person;
    const dialog = page.getByRole("alertdialog", { name: "Session Expired" });
    await dialog.waitFor();
    const other = await context.newPage();
    await other.goto("/about");
    await other.evaluate("localStorage.removeItem('token')");
    await other.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
    await dialog.waitFor({ state: "hidden" });
    await other.close();
  });

  it("opens the Session Expired dialog on a refused call, traps focus, and returns after the login", async () => {
    const { page, email } = person;
    await page.goto("/profile");
    await page.getByRole("heading", { name: "Your Profile" }).waitFor();
    await answer(page, "/projects", { status: 401, json: { error: "The session has ended." } });
    await page.getByRole("button", { name: email }).press("Enter");
    await page.getByRole("menuitem", { name: "Your Projects" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Session Expired" });
    await dialog.waitFor();
    await expectNoBarriers(page);
    await expectFocusKept(page, dialog);
    await page.keyboard.press("Escape");
    await dialog.waitFor();
    await page.unrouteAll();
    await dialog.getByRole("button", { name: "Log In" }).click();
    await arrives(page, "/login");
    await expect.poll(() => page.evaluate("localStorage.getItem('token')")).toBeNull();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("Correct-horse-9!");
    await page.getByRole("button", { name: "Sign In" }).click();
    await arrives(page, "/projects");
  });

  it("has the form that was filled in when the session ended", async () => {
    const { page, email } = person;
    await page.goto("/analysis/step1");
    await page.getByLabel("Project name").fill("Section 12");
    await page.getByRole("radio", { name: "H&E" }).press("Space");
    await page.evaluate(`postMessage("session_expired", location.origin)`);
    await page
      .getByRole("alertdialog", { name: "Session Expired" })
      .getByRole("button", { name: "Log In" })
      .click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("Correct-horse-9!");
    await page.getByRole("button", { name: "Sign In" }).click();
    await arrives(page, "/analysis/step1");
    await expect.poll(() => page.getByLabel("Project name").inputValue()).toBe("Section 12");
    await expect.poll(() => page.getByRole("radio", { name: "H&E" }).isChecked()).toBe(true);
    // Whoever leaves the page on purpose begins anew.
    await page.getByRole("button", { name: email }).press("Enter");
    await page.getByRole("menuitem", { name: "Your Projects" }).click();
    await page.getByRole("heading", { name: "Your Projects" }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel("Project name").inputValue()).toBe("");
  });

  it.each(["/report?project_id=any", "/studies/any/view"])(
    "has the Session Expired dialog on %s too, which does without the shell",
    async (path) => {
      const { page } = person;
      const refused = { status: 401, json: { error: "The session has ended." } };
      for (const call of ["/get_report", "/studies/any"]) await answer(page, call, refused);
      await page.goto(path);
      await page.getByRole("alertdialog", { name: "Session Expired" }).waitFor();
      await expectNoBarriers(page);
      await page.unrouteAll();
    },
  );
});

it("has no script errors", () => {
  expect([...visitor.faults, ...person.faults]).toEqual([]);
});

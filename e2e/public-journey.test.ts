import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";
import HEADLINE from "../docs/headline.json" with { type: "json" };

let url: string;
let browser: Browser;
let visitor: Person;
let member: Person;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  visitor = await openPerson(browser, url, { permissions: ["clipboard-read", "clipboard-write"] });
  member = await newPerson(browser, url, "public");
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

describe("the landing page", () => {
  it("makes the five claims and names the three features", async () => {
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const claim of [
      /10-100x\s+higher resolution/,
      /99%\s+cell type accuracy/,
      /no\s+additional lab work/i,
      /validated\s+against gold-standard imaging-based reference data/i,
      /10X Visium, HD Visium, H&E images and IF images/,
    ]) {
      await page.getByText(claim).first().waitFor();
    }
    // Our own figures are in the validation teaser, in the same size as the study's, and match the benches.
    const claims = page.getByRole("region", { name: "Key claims" });
    await expect.poll(() => claims.getByText("Measured by us").count()).toBe(0);
    const title = page.getByRole("heading", { name: "Compared with imaging-based reference data" });
    const figures = page.locator("section").filter({ has: title }).locator("span.block");
    const fonts = await figures.evaluateAll((all) =>
      all.map((one) => one.ownerDocument.defaultView!.getComputedStyle(one).font),
    );
    expect(new Set(fonts).size).toBe(1);
    const { rate, types, section, nuclei, foundForEach } = HEADLINE;
    expect((await figures.allInnerTexts()).map((text) => text.trim())).toEqual([
      "0.442",
      section.toFixed(2),
      "0.546",
      nuclei.toFixed(2),
      "2.7x",
      `${foundForEach.toFixed(2)}x`,
      `${Math.round(100 * types)}%`,
      rate.toFixed(2),
    ]);
    for (const name of ["AI Cell Detection", "Spatial Intelligence", "Interactive Analysis"]) {
      await page.getByRole("heading", { name }).waitFor();
    }
  });

  it("offers Try It Free only to visitors; a click checks whether another tab has signed in", async () => {
    const { page } = visitor;
    const tryFree = page.getByRole("button", { name: "Try It Free" }).first();
    await page.goto("/");
    await tryFree.click();
    await arrives(page, "/login");
    await page.goto("/");
    await tryFree.waitFor();
    // Set without the page noticing: no event fires.
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(member.token)})`);
    await tryFree.click();
    await arrives(page, "/dashboard");
    await page.evaluate("localStorage.clear()");

    await member.page.goto("/");
    await member.page.getByRole("button", { name: member.email }).waitFor();
    await expect.poll(() => member.page.getByText("Try It Free").count()).toBe(0);
  });

  it("disappears from an open page when another tab signs in", async () => {
    const { page, context } = visitor;
    await page.goto("/");
    await page.getByRole("button", { name: "Try It Free" }).first().waitFor();
    const other = await context.newPage();
    await other.goto("/about");
    await other.evaluate(`localStorage.setItem("token", ${JSON.stringify(member.token)})`);
    await page.getByRole("button", { name: member.email }).waitFor();
    await expect.poll(() => page.getByText("Try It Free").count()).toBe(0);
    await other.evaluate("localStorage.clear()");
    await page.getByRole("button", { name: "Try It Free" }).first().waitFor();
    await other.close();
  });

  it("links to the validation results", async () => {
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("link", { name: "View Validation Results" }).first().click();
    await arrives(page, "/validation");
  });

  it("is animated and can be stopped; with reduced motion it is still", async () => {
    const { page, context } = await openPerson(browser, url, { reducedMotion: "no-preference" });
    const picture = page.getByRole("img", { name: /^Animated illustration/ });
    const shot = () => picture.evaluate((one) => one.toDataURL());
    const standsFor = (ms: number) =>
      expect
        .poll(async () => {
          const before = await shot();
          await page.waitForTimeout(ms);
          return (await shot()) === before;
        })
        .toBe(true);
    await page.goto("/");
    await picture.waitFor();
    const first = await shot();
    await expect.poll(async () => (await shot()) !== first).toBe(true);
    await page.getByRole("button", { name: "Pause animation" }).click();
    await standsFor(400);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.reload();
    await picture.waitFor();
    await standsFor(1_500);
    await expect
      .poll(() => page.getByRole("button", { name: "Pause animation" }).isVisible())
      .toBe(false);
    await context.close();
  });
});

describe("informational pages", () => {
  it.each([
    ["/about", ["Our Story", "Mission", "Values", "Research impact", "Community"]],
    ["/services", ["Services", "Spatial transcriptomics", "Bioinformatics services"]],
    ["/terms", ["Terms of Service"]],
    ["/privacy", ["Privacy Policy"]],
  ])("%s", async (path, headings) => {
    const { page } = visitor;
    await page.goto(path);
    for (const name of headings) await page.getByRole("heading", { name }).first().waitFor();
  });

  it("show the date on legal pages; services link to the contact page", async () => {
    const { page } = visitor;
    for (const path of ["/terms", "/privacy"]) {
      await page.goto(path);
      await sees(page, "Last updated April 21, 2025");
    }
    await page.goto("/services");
    for (const service of ["RNA-seq", "Single-cell RNA-seq", "Genomics", "Variant", "Neoantigen"]) {
      await page
        .getByRole("heading", { name: new RegExp(service, "i") })
        .first()
        .waitFor();
    }
    await page.getByRole("heading", { name: /ATAC-seq/ }).waitFor();
    await page.locator("main").getByRole("link", { name: "Contact Us" }).first().click();
    await arrives(page, "/contact");
  });

  it("have four tabs on /validation, accessible by keyboard, reflected in the URL, and with a next step", async () => {
    const { page } = visitor;
    await page.goto("/validation");
    const tabs = page.getByRole("tab");
    await tabs.first().waitFor();
    await expect
      .poll(() => tabs.allTextContents())
      .toEqual(["Overview", "Metrics", "Comparison", "Study Details"]);
    const text = await page.locator("main").innerText();
    for (const figure of ["0.442", "306", "0.546", "2.7x"]) expect(text).toContain(figure);
    await tabs.first().focus();
    for (const name of ["Metrics", "Comparison", "Study Details"]) {
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.getByRole("tab", { name, selected: true }).waitFor();
      await expectNoBarriers(page);
    }
    expect(new URL(page.url()).hash).toBe("#study-details");
    await page.reload();
    await page.getByRole("tab", { name: "Study Details", selected: true }).waitFor();
    await page.locator("main").getByRole("link", { name: "Contact Us" }).click();
    await arrives(page, "/contact");
    await page.goBack();
    await page.locator("main").getByRole("link", { name: "Go to Dashboard" }).click();
    await arrives(page, "/login");
  });
});

describe("the contact form", () => {
  const FIELDS = {
    Name: "Ada Lovelace",
    Email: "ada@example.org",
    Subject: "Two sections & a question?",
    Message: "Is 100 % fine?\nThank you.",
  };

  it("requires all four fields", async () => {
    const { page } = visitor;
    await page.goto("/contact");
    const open = page.getByRole("button", { name: "Open in Email App" });
    for (const left of Object.keys(FIELDS)) {
      for (const [name, text] of Object.entries(FIELDS)) {
        await page.getByLabel(name, { exact: true }).fill(name === left ? "  " : text);
      }
      await open.click();
      await page.getByRole("alert").getByText("Please fill in all four fields.").waitFor();
    }
    await expectNoBarriers(page);
  });

  it("opens the visitor's email app with the message filled in, and sends nothing", async () => {
    const { page, context } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    const mail = new Promise<string>((done) =>
      session.on("Page.frameRequestedNavigation", ({ url: to }) => done(to)),
    );
    for (const [name, text] of Object.entries(FIELDS)) {
      await page.getByLabel(name, { exact: true }).fill(text);
    }
    await page.getByRole("button", { name: "Open in Email App" }).click();
    const address = new URL(await mail);
    expect(address.protocol + address.pathname).toBe("mailto:contact@example.org");
    expect(address.searchParams.get("subject")).toBe(FIELDS.Subject);
    expect(address.searchParams.get("body")?.replaceAll("\r\n", "\n")).toBe(
      `${FIELDS.Message}\n\n${FIELDS.Name}\n${FIELDS.Email}`,
    );
    await page
      .getByRole("status")
      .getByText(/Your email app should open now/)
      .waitFor();
    expect(sent.filter((to) => !to.startsWith("mailto:"))).toEqual([]);
  });

  it("can be copied instead", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Copy message" }).click();
    const toast = page.getByText("Message copied.", { exact: true });
    await toast.hover();
    await expectNoBarriers(page);
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toContain(FIELDS.Message);
  });
});

describe("the payment success page", () => {
  it.each(["/success", "/success?stripe_success=false", "/success?stripe_success=TRUE"])(
    "redirects %s to the home page",
    async (path) => {
      await visitor.page.goto(path);
      await arrives(visitor.page, "/");
    },
  );

  it("is shown after a payment, with links to the dashboard and the projects", async () => {
    const { page } = member;
    for (const [name, path] of [
      ["Go to Dashboard", "/dashboard"],
      ["View Projects", "/projects"],
    ] as const) {
      await page.goto("/success?stripe_success=true");
      await page.getByRole("heading", { name: "Payment successful" }).waitFor();
      await page.locator("main").getByRole("link", { name }).click();
      await arrives(page, path);
    }
  });
});

it("prints dark letters on white paper in dark mode, too", async () => {
  const { page } = visitor;
  const colors = () =>
    page.evaluate(
      "[getComputedStyle(document.body).color, getComputedStyle(document.body).background]",
    );
  await page.emulateMedia({ colorScheme: "light" });
  const light = await colors();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(colors).not.toEqual(light);
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await expect.poll(colors).toEqual(light);
  await page.emulateMedia({ colorScheme: null, media: null });
});

it("shows in high contrast which tab is open", async () => {
  const { page } = visitor;
  await page.goto("/validation");
  await page.emulateMedia({ forcedColors: "active" });
  const ground = (isOpen: boolean) =>
    page
      .getByRole("tab", { selected: isOpen })
      .first()
      .evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).backgroundColor);
  await expect.poll(async () => (await ground(true)) === (await ground(false))).toBe(false);
  await page.emulateMedia({ forcedColors: null });
});

it("has no script errors", () => {
  expect([...visitor.faults, ...member.faults]).toEqual([]);
});

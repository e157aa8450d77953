import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { settle } from "./clock.ts";
import { answer, arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

const PASSWORD = "Correct-horse-9!";
const NOW = Date.now().toString(36);

let url: string;
let browser: Browser;
let visitor: Person;
let page: Page;

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

/** A visitor whose clock can be moved. */
beforeEach(async () => {
  await visitor?.context.close();
  visitor = await openPerson(browser, url);
  page = visitor.page;
  await page.clock.install();
});

const form = () => page.locator("main form");
const message = () => form().getByRole("alert").or(form().getByRole("status"));
const storedToken = () => page.evaluate("localStorage.getItem('token')");

async function fill(email: string, password: string, confirmation?: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  if (confirmation !== undefined) await page.getByLabel(/^Confirm password$/i).fill(confirmation);
}

/** Clicks the form's button and expects this message. */
async function submitting(button: string, text: string): Promise<void> {
  await form().getByRole("button", { name: button, exact: true }).click();
  await expect.poll(() => message().first().textContent()).toBe(text);
}

describe("the combined screen", () => {
  it("validates email, then password, then confirmation, with the specified messages", async () => {
    await page.goto("/login");
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await expect.poll(() => page.getByLabel("Confirm Password").count()).toBe(0);
    await fill("", "");
    await submitting("Sign In", "Please enter a valid email address.");
    await fill("nobody@example", "short");
    await submitting("Sign In", "Please enter a valid email address.");
    await fill("nobody@example.org", "short");
    await submitting("Sign In", "Password must be at least 6 characters long.");
    await expectNoBarriers(page);

    await page.getByRole("button", { name: "Create one" }).click();
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    // Switching modes clears fields and message.
    await expect.poll(() => message().first().textContent()).toBe("");
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("");
    await expect.poll(() => page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    await fill("nobody", "short", "other");
    await submitting("Create Account", "Please enter a valid email address.");
    await fill("nobody@example.org", "short", "other");
    await submitting("Create Account", "Password must be at least 6 characters long.");
    await fill("nobody@example.org", "long enough", "other");
    await submitting("Create Account", "Passwords do not match.");
    await sees(page, "Password strength: Fair");
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await expect.poll(() => message().first().textContent()).toBe("");
  });

  it("registers, clears the fields, and offers sign-in five seconds later", async () => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Create one" }).click();
    await fill(`combined.${NOW}@example.org`, "secret", "secret");
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await form().getByRole("button", { name: "Create Account" }).click();
    await page.getByRole("button", { name: "Continue now" }).waitFor();
    await expect.poll(() => message().first().textContent()).not.toBe("");
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("");
    await expect.poll(() => page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    await page.clock.runFor(4_900);
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await page.clock.runFor(200);
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await expect.poll(() => message().first().textContent()).toBe("");
  });

  it("shows the server's message, or a fallback, and reports lost or empty responses", async () => {
    await page.goto("/login");
    await fill(`unknown.${NOW}@example.org`, PASSWORD);
    const real = page.waitForResponse("**/api/login");
    await form().getByRole("button", { name: "Sign In" }).click();
    const { error } = (await (await real).json()) as { error: string };
    expect(error).toBeTruthy();
    await expect.poll(() => message().first().textContent()).toBe(error);
    await answer(page, "/login", { status: 418, json: { error: "No <b>tea</b> here" }, times: 1 });
    await submitting("Sign In", "No <b>tea</b> here");
    await answer(page, "/login", { status: 500, times: 1 });
    await submitting("Sign In", "Authentication failed");
    await page.route("**/api/login", (route) => route.abort(), { times: 1 });
    await submitting("Sign In", "Connection error. Please try again.");
    await answer(page, "/login", { json: { message: "ok", sub: "1", userId: "1" }, times: 1 });
    await submitting("Sign In", "Connection error. Please try again.");
    await expect.poll(storedToken).toBeNull();
  });

  it("signs in: token stored, 'Login successful!', dashboard", async () => {
    const { email, token, context } = await newPerson(browser, url, "accounts");
    await context.close();
    await page.goto("/login");
    await fill(email.toUpperCase(), PASSWORD);
    await form().getByRole("button", { name: "Sign In" }).click();
    await sees(page, "Login successful!");
    await arrives(page, "/dashboard");
    const stored = (await storedToken()) as string;
    expect(stored.split(".")).toHaveLength(3);
    const claims = (text: string) =>
      JSON.parse(Buffer.from(text.split(".")[1], "base64url").toString());
    expect(claims(stored)).toMatchObject({ email, sub: claims(token).sub });
    // Already signed in: the sign-in screen redirects.
    await page.goto("/login");
    await arrives(page, "/dashboard");
  });
});

describe("the register screen", () => {
  it("shows unmet password requirements, and reveals each password on request", async () => {
    await page.goto("/login");
    await page.getByRole("link", { name: /Register/ }).click();
    await form().getByRole("button", { name: "Register", exact: true }).waitFor();
    await arrives(page, "/register");
    const password = page.getByLabel("Password", { exact: true });
    const states = () =>
      page
        .getByRole("listitem")
        .filter({ hasText: /met/ })
        .evaluateAll((all) => all.map((one) => !one.textContent?.includes("not met yet")));
    for (const [text, met] of [
      ["abc", [false, false, true, false, false]],
      ["abcdefgH", [true, true, true, false, false]],
      ["abcdefgH1'", [true, true, true, true, false]],
      ["abcdefgH1|", [true, true, true, true, true]],
    ] as const) {
      await password.fill(text);
      await expect.poll(states).toEqual(met);
    }
    await expectNoBarriers(page);
    const confirmation = page.getByLabel("Confirm Password", { exact: true });
    for (const [field, name] of [
      [password, "password"],
      [confirmation, "confirmation"],
    ] as const) {
      await expect.poll(() => field.getAttribute("type")).toBe("password");
      await page.getByRole("button", { name: `Show ${name}` }).press("Enter");
      await expect.poll(() => field.getAttribute("type")).toBe("text");
      await page.getByRole("button", { name: `Hide ${name}` }).press("Enter");
      await expect.poll(() => field.getAttribute("type")).toBe("password");
    }
  });

  it("reports errors in order, with the specified messages", async () => {
    await page.goto("/register");
    await submitting("Register", "All fields are required");
    await fill("a b@example.org", "short", "");
    await submitting("Register", "All fields are required");
    await fill("a b@example.org", "short", "other");
    await submitting("Register", "Please enter a valid email address");
    await fill("a@example", "short", "other");
    await submitting("Register", "Please enter a valid email address");
    await fill("a@example.org", "short", "other");
    await submitting("Register", "Passwords do not match");
    await fill("a@example.org", "secret1", "secret1");
    await submitting("Register", "Please meet all password requirements");
    await expectNoBarriers(page);
    await fill("a@example.org", PASSWORD, PASSWORD);
    await answer(page, "/register", { status: 409, json: { error: "Taken." }, times: 1 });
    await submitting("Register", "Taken.");
    await answer(page, "/register", { status: 500, times: 1 });
    await submitting("Register", "Registration failed");
    await page.route("**/api/register", (route) => route.abort(), { times: 1 });
    await submitting("Register", "Registration failed");
  });

  it("goes to /login five seconds after success, or immediately on request", async () => {
    await page.goto("/register");
    await fill(`screen.${NOW}@example.org`, PASSWORD, PASSWORD);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await form().getByRole("button", { name: "Register", exact: true }).click();
    await page.getByRole("link", { name: "Continue now" }).waitFor();
    await expect.poll(() => message().first().textContent()).not.toBe("");
    await page.clock.runFor(4_900);
    expect(new URL(page.url()).pathname).toBe("/register");
    await page.clock.runFor(200);
    await arrives(page, "/login");
  });
});

describe("the token", () => {
  it.each(["not a token", "a.b.c", `x.${Buffer.from("{}").toString("base64url")}.y`])(
    "is removed when it cannot be decoded: %s",
    async (token) => {
      await page.goto("/about");
      await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
      await page.goto("/dashboard");
      await arrives(page, "/login");
      await expect.poll(storedToken).toBeNull();
    },
  );

  it("is removed by Sign Out, which goes to the home site after 100 ms; another tab follows", async () => {
    const person = await newPerson(browser, url, "signout");
    const [here, there] = [person.page, await person.context.newPage()];
    await there.goto("/projects");
    await there.getByRole("heading", { name: "Your Projects" }).waitFor();
    await here.clock.install();
    await here.goto("/profile");
    await here.getByRole("heading", { name: "Your Profile" }).waitFor();
    await here.evaluate("localStorage.setItem('stipple.note', '1'); window.before = true");
    await here.getByRole("button", { name: person.email }).click();
    const item = here.getByRole("menuitem", { name: "Sign Out" });
    await item.waitFor();
    // The browser first asks about unsaved work; declining changes nothing.
    here.removeAllListeners("dialog");
    await here.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())");
    const asked = here.waitForEvent("dialog").then((dialog) => dialog.dismiss());
    await item.click();
    await asked;
    await expect.poll(() => here.evaluate("localStorage.getItem('token')")).toBe(person.token);
    here.on("dialog", (dialog) => void dialog.accept());
    await item.waitFor({ state: "hidden" });
    await here.getByRole("button", { name: person.email }).click();
    await item.waitFor();
    await here.clock.pauseAt(Date.now() + 3_600_000);
    await item.click();
    await arrives(there, "/login");
    await expect.poll(() => here.evaluate("localStorage.length")).toBe(0);
    // The 100 ms start when the server has responded.
    await settle(here);
    await here.clock.runFor(90);
    await expect
      .poll(() => here.evaluate("[location.pathname, window.before]"))
      .toEqual(["/profile", true]);
    await here.clock.runFor(20);
    // A full page load, not only a URL change.
    await expect
      .poll(() => here.evaluate("[location.pathname, window.before]").catch(() => null))
      .toEqual(["/", undefined]);
    const refused = await fetch(`${url}/api/verify-subscription`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(refused.status).toBe(401);
    await person.context.close();
  });
});

import { Secret, TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { arrives, newPerson, openPerson, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

/** The password set by `newAccount`. */
const PASSWORD = "Correct-horse-9!";

let url: string;
let browser: Browser;
let person: Person;
let page: Page;
/** Authenticator app secret, as shown on the page. */
let secret: string;
let recovery: string[];

beforeAll(async () => {
  [{ url }, browser] = await Promise.all([sharedPlatform(), openBrowser()]);
  person = await newPerson(browser, url, "safety");
  page = person.page;
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

const dialog = () => page.getByRole("dialog").or(page.getByRole("alertdialog"));
const card = (title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
const codeNow = (aheadMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + aheadMs });

async function signIn(visitor: Page): Promise<void> {
  await visitor.goto("/login");
  await visitor.getByLabel("Email").fill(person.email);
  await visitor.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await visitor.getByRole("button", { name: "Sign In", exact: true }).click();
}

/** Adds a virtual authenticator in Chromium whose passkey always approves, like a fingerprint. */
async function addAuthenticator(of: Page): Promise<void> {
  const devtools = await of.context().newCDPSession(of);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describe("the profile", () => {
  it("sets up an authenticator app with a QR code and issues ten recovery codes", async () => {
    await page.goto("/profile");
    await card("Two-Step Sign-In").getByRole("button", { name: "Set Up" }).click();
    await dialog().getByLabel("Your password", { exact: true }).fill("wrong one");
    await press("Continue");
    await sees(page, "The password is incorrect.");
    await dialog().getByLabel("Your password", { exact: true }).fill(PASSWORD);
    await press("Continue");
    await dialog().getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    secret = (await dialog().locator("code").textContent()) ?? "";
    await expectNoBarriers(page);
    await dialog().getByLabel("Code from the app").fill(codeNow());
    await press("Turn On");
    await sees(page, "Save these recovery codes");
    recovery = await dialog().getByRole("listitem").allTextContents();
    expect(recovery).toHaveLength(10);
    await expectNoBarriers(page);
    await press("Done");
    await card("Two-Step Sign-In").getByText("On since").waitFor();
  });

  it("adds a passkey created by the browser", async () => {
    await addAuthenticator(page);
    await card("Two-Step Sign-In").getByRole("button", { name: "Add Passkey" }).click();
    await dialog().getByLabel("Name").fill("Ada's laptop");
    await dialog().getByLabel("Your password", { exact: true }).fill(PASSWORD);
    await press("Continue");
    await card("Two-Step Sign-In").getByText("Ada's laptop", { exact: true }).waitFor();
    await expectNoBarriers(page);
  });
});

describe("signing in", () => {
  it("asks for the second step, and accepts the app's code once", async () => {
    const visitor = await openPerson(browser, url);
    await signIn(visitor.page);
    await visitor.page.getByRole("heading", { name: "Confirm it's you" }).waitFor();
    await expectNoBarriers(visitor.page);
    await visitor.page.getByLabel("Code", { exact: true }).fill("000000");
    await visitor.page.getByRole("button", { name: "Confirm", exact: true }).click();
    await sees(
      visitor.page,
      "This code is incorrect or was already used. Please enter the newest one.",
    );
    // The current code may be the one already used to enable the app.
    await visitor.page.getByLabel("Code", { exact: true }).fill(codeNow(30_000));
    await visitor.page.getByRole("button", { name: "Confirm", exact: true }).click();
    await arrives(visitor.page, "/dashboard");
    expect(visitor.faults).toEqual([]);
    await visitor.context.close();
  });

  it("accepts a recovery code", async () => {
    const visitor = await openPerson(browser, url);
    await signIn(visitor.page);
    await visitor.page.getByLabel("Code", { exact: true }).fill(recovery[0] ?? "");
    await visitor.page.getByRole("button", { name: "Confirm", exact: true }).click();
    await arrives(visitor.page, "/dashboard");
    await visitor.context.close();
  });

  it("accepts the passkey after the password, and instead of it", async () => {
    await page.evaluate("localStorage.removeItem('token')");
    await signIn(page);
    await page.getByRole("button", { name: "Use a Passkey" }).click();
    await arrives(page, "/dashboard");
    await page.evaluate("localStorage.removeItem('token')");
    await page.goto("/login");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await arrives(page, "/dashboard");
    // The header shows who is signed in.
    await page.getByRole("button", { name: person.email }).waitFor();
  });
});

describe("the lists of the profile", () => {
  it("end other sessions, and report what has happened", async () => {
    await page.goto("/profile");
    const sessions = card("Where You Are Signed In");
    await sessions.getByText("This session").waitFor();
    await expect
      .poll(() => sessions.getByRole("button", { name: "Sign Out", exact: true }).count())
      .toBe(4);
    await sessions.getByRole("button", { name: "Sign Out", exact: true }).first().click();
    await sees(page, "The session was signed out.");
    await expect
      .poll(() => sessions.getByRole("button", { name: "Sign Out", exact: true }).count())
      .toBe(3);
    await sessions.getByRole("button", { name: "Sign Out Everywhere Else" }).click();
    await expect
      .poll(() => sessions.getByRole("button", { name: "Sign Out", exact: true }).count())
      .toBe(0);
    const activity = card("Activity");
    for (const sentence of [
      "All other sessions signed out",
      "Signed in with a passkey",
      "Signed in with a recovery code",
      "Signed in with an authenticator app",
      "Sign-in failed: correct password, wrong code",
      "Passkey “Ada's laptop” added",
      "Authenticator app set up",
      "Wrong password entered for an account change",
      "Account created",
    ]) {
      await activity.getByText(sentence, { exact: true }).first().waitFor();
    }
    await expectNoBarriers(page);
    const token = (await page.evaluate("localStorage.getItem('token')")) as string;
    expect(token).not.toBe(person.token);
    const answer = await fetch(`${url}/api/projects`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(answer.status).toBe(401);
  });

  it("turn the second factors off", async () => {
    const safety = card("Two-Step Sign-In");
    await safety.getByRole("button", { name: "Remove Ada's laptop" }).click();
    await dialog().getByLabel("Your password", { exact: true }).fill(PASSWORD);
    await press("Remove");
    await safety.getByRole("button", { name: "Turn Off" }).click();
    await dialog().getByLabel("Your password", { exact: true }).fill(PASSWORD);
    await press("Remove");
    await safety.getByText("Recovery codes").waitFor({ state: "hidden" });
    expect(person.faults).toEqual([]);
    const visitor = await openPerson(browser, url);
    await signIn(visitor.page);
    await arrives(visitor.page, "/dashboard");
    await visitor.context.close();
  });
});

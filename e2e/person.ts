import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { newAccount } from "./client.ts";
import { COUNT_CALLS } from "./clock.ts";
import { slowDown } from "./slow-pages.ts";

/** A user with an isolated browser context, without shared cache or storage. */
export interface Person {
  context: BrowserContext;
  page: Page;
  /** Empty for a visitor. */
  token: string;
  email: string;
  /** Texts of native alerts, which are accepted. */
  alerts: string[];
  /** Script errors and CSP violations. */
  faults: string[];
}

/** Opens a browser for a visitor or, with a token, for a signed-in user; nothing is loaded yet. */
export async function openPerson(
  browser: Browser,
  url: string,
  options: BrowserContextOptions & { token?: string; email?: string } = {},
): Promise<Person> {
  const { token = "", email = "", ...rest } = options;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    baseURL: url,
    reducedMotion: "reduce",
    ...(token && {
      storageState: {
        cookies: [],
        origins: [{ origin: new URL(url).origin, localStorage: [{ name: "token", value: token }] }],
      },
    }),
    ...rest,
  });
  context.setDefaultTimeout(90_000);
  await context.addInitScript(COUNT_CALLS);
  context.on("page", slowDown);
  interceptOnDemand(context);
  const person: Person = {
    context,
    page: await context.newPage(),
    token,
    email,
    alerts: [],
    faults: [],
  };
  person.page.on("dialog", (dialog) => {
    // Leaving a page with uploads in progress asks for confirmation; that is not an alert.
    if (dialog.type() === "alert") person.alerts.push(dialog.message());
    void dialog.accept();
  });
  person.page.on("pageerror", (error) => person.faults.push(error.message));
  person.page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) person.faults.push(message.text());
  });
  return person;
}

/**
 * Removing a page's last route loses a call made at that moment, so its context gets one that stays, with the first: calls
 * that are intercepted are not cached, which makes every page slower.
 */
function interceptOnDemand(context: BrowserContext): void {
  let staying: Promise<unknown> | undefined;
  context.on("page", (page) => {
    const route = page.route.bind(page);
    page.route = async (...given) => {
      await (staying ??= context.route("**/never-called", (never) => never.abort()));
      return route(...given);
    };
  });
}

/** Registers a trial user and opens their browser; the email address starts with the name. */
export async function newPerson(
  browser: Browser,
  url: string,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const email = `${name}.${Date.now().toString(36)}@example.org`;
  const token = await newAccount(url, email);
  return openPerson(browser, url, { ...options, token, email });
}

/** Waits until an exact text appears on the page. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/** Waits until the URL has this path. */
export async function arrives(page: Page, path: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}

/** Mocks responses for one path, for situations the real server cannot be put in; `times` = how often. */
export async function answer(
  page: Page,
  path: string,
  { status = 200, json = {}, times }: { status?: number; json?: unknown; times?: number } = {},
): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api${path}`,
    (route) => route.fulfill({ status, json }),
    times === undefined ? {} : { times },
  );
}

/** Overrides parts of the server's real responses for a path. */
export async function alter(
  page: Page,
  path: string,
  part: Record<string, unknown>,
): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api${path}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...part } });
    },
  );
}

/** Removes all mocks by `answer` and `alter`. */
export async function restore(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { newAccount } from "./client.ts";
import { COUNT_CALLS } from "./clock.ts";
import { slowDown } from "./slow-pages.ts";

/** Somebody at a browser of their own, without a cache or storage of others. */
export interface Person {
  context: BrowserContext;
  page: Page;
  /** Empty for a visitor. */
  token: string;
  email: string;
  /** Texts of native alerts, which are answered with OK. */
  alerts: string[];
  /** Errors thrown by scripts, and complaints about the page's own security policy. */
  faults: string[];
}

/** Opens a browser for a visitor or, with a token, for a signed-in person; nothing is loaded yet. */
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
  context.setDefaultTimeout(30_000);
  await context.addInitScript(COUNT_CALLS);
  context.on("page", slowDown);
  // When the last route of a page is taken back, a call that the page makes at that moment is lost: this one stays.
  await context.route("**/never-called", (route) => route.abort());
  const person: Person = {
    context,
    page: await context.newPage(),
    token,
    email,
    alerts: [],
    faults: [],
  };
  person.page.on("dialog", (dialog) => {
    // Leaving a page with running uploads asks; that is no alert.
    if (dialog.type() === "alert") person.alerts.push(dialog.message());
    void dialog.accept();
  });
  person.page.on("pageerror", (error) => person.faults.push(error.message));
  person.page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) person.faults.push(message.text());
  });
  return person;
}

/** Registers somebody on trial and opens their browser; the address begins with the name. */
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

/** Waits until a text stands on the page, word for word. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/** Waits until the address has this path. */
export async function arrives(page: Page, path: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}

/** Answers the calls of one path in the server's place, for what the real one cannot be brought to; `times` = how often. */
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

/** Changes parts of the server's own answers to a path. */
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

/** Takes back what `answer` and `alter` did to a path. */
export async function restore(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

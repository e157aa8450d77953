import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { arrives, openPerson, sees, type Person } from "./person.ts";
import { finishedSample } from "./shared-platform.ts";

let browser: Browser;
let ada: Person;
let grace: Person;
let link: string;

beforeAll(async () => {
  const { url, token, projectId } = await finishedSample();
  browser = await openBrowser({ webgl: true });
  [ada, grace] = await Promise.all([openPerson(browser, url, { token }), openPerson(browser, url)]);
  const body = { name: "Shared sections", project_ids: [projectId] };
  const { id } = await call(url, "POST", "/studies", { token, body });
  await ada.page.goto(`/studies/${id}`);
}, 600_000);
afterAll(() => browser?.close());

const inDialog = (name: string | RegExp) =>
  ada.page.getByRole("dialog").getByRole("button", { name, exact: true });

describe("a share link of a study", () => {
  it("is made on the study's page", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Share links" });
    await sees(page, "No active links.");
    await dialog.getByLabel("Note").fill("For Grace");
    await inDialog("Create share link").click();
    await sees(page, "Copy it now; it won't be shown again.");
    link = await dialog.getByLabel("Address of the new share link").inputValue();
    await sees(page, "For Grace");
    await expectNoBarriers(page);
  });

  it("shows a guest the samples and their quality", async () => {
    const { page } = grace;
    await page.goto(link);
    await page.getByRole("heading", { name: "Shared sections", exact: true }).waitFor();
    await page.getByText(/^You opened a shared link/).waitFor();
    const quality = page.getByRole("table", { name: "Quality side by side" });
    await quality.getByRole("cell", { name: /^(Good|Limited|Poor)$/ }).waitFor();
    await page.getByRole("link", { name: /^Open the interactive view of/ }).waitFor();
    await expectNoBarriers(page);
  });

  it("opens the sections, which a guest does not match", async () => {
    const { page } = grace;
    await page.getByRole("link", { name: "Look together" }).click();
    await page.getByRole("application").locator("canvas").waitFor();
    await sees(page, "Sections");
    await expect.poll(() => page.getByText("Serial sections").count()).toBe(0);
    const back = page.getByRole("link", { name: "Back to the study" });
    await expect.poll(() => back.getAttribute("href")).toBe(new URL(link).pathname);
    expect(grace.faults).toEqual([]);
  });

  it("stops working when it is revoked", async () => {
    await inDialog(/^Revoke the share link “For Grace”/).click();
    await ada.page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await sees(ada.page, "No active links.");
    await grace.page.reload();
    // The sections lead back to the page that says why.
    await arrives(grace.page, new URL(link).pathname);
    await sees(grace.page, "This link doesn't open a study");
    await grace.page.getByText(/^The study's owner revoked it/).waitFor();
    await expectNoBarriers(grace.page);
    expect(ada.faults).toEqual([]);
  });
});

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { openPerson, sees, type Person } from "./person.ts";
import { annotationsTurn, finishedSample, type SharedPlatform } from "./shared-platform.ts";

/** Notes only: other journeys look at the same project's names and groups meanwhile. */
let shared: SharedPlatform;
let browser: Browser;
let ada: Person;
let page: Page;
let turn: Disposable;
let share: { id: string; url: string };

const ask = (method: string, path: string, body?: object) =>
  call(shared.url, method, path, { token: shared.token, ...(body && { body }) });

beforeAll(async () => {
  [shared, browser] = await Promise.all([finishedSample(), openBrowser({ webgl: true })]);
  turn = await annotationsTurn();
  const { url } = await ask("POST", `/start_visualization?project_id=${shared.projectId}`);
  share = await ask("POST", `/projects/${shared.projectId}/shares`, { days: 1, note: "" });
  await removeAll(new URL(url).pathname);
  ada = await openPerson(browser, shared.url, { token: shared.token });
  page = ada.page;
  await page.goto(new URL(url).pathname);
  await openNotes(page);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  if (share) await ask("DELETE", `/projects/${shared.projectId}/shares/${share.id}`);
  turn?.[Symbol.dispose]();
});

/** What an earlier run left, if it failed. */
async function removeAll(link: string): Promise<void> {
  const { items } = (await ask("GET", `${link}/annotations`)) as { items: { id: string }[] };
  const changes = items.map((item) => ({ ...item, value: null }));
  const path = `/projects/${shared.projectId}/annotations`;
  if (items.length > 0) await ask("POST", path, { id: crypto.randomUUID(), changes });
  for (const { id } of (await ask("GET", `${path}/versions`)) as { id: string }[]) {
    await ask("DELETE", `${path}/versions/${id}`);
  }
}

const openNotes = (of: Page) => of.getByRole("button", { name: "Notes", exact: true }).click();
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const note = (of: Page, text: string) => of.getByRole("button", { name: text, exact: true });
const gone = (text: string) => expect.poll(() => note(page, text).count()).toBe(0);

it("keeps a note in the project, and undoes and redoes it", async () => {
  await page.getByRole("textbox", { name: "New note" }).fill("A fold");
  await press("Add note");
  await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("New note");
  await note(page, "A fold").waitFor();
  await sees(page, "All changes are saved in the project.");
  await sees(page, "Added note “A fold”");
  await press("Undo");
  await gone("A fold");
  // The same with the keyboard.
  await page.getByRole("heading", { name: "History" }).click();
  await page.keyboard.press("Control+Shift+Z");
  await note(page, "A fold").waitFor();
  await expectNoBarriers(page);
});

it("shows a note below the tools of the view, which it does not cover", async () => {
  for (let times = 0; times < 3; times++) await press("Zoom in");
  const lasso = page.getByRole("button", { name: "Lasso", exact: true });
  const middle = async (one: Locator) => {
    const { x, y, width, height } = (await one.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  // A drag may end short of its way.
  await expect
    .poll(async () => {
      const [from, to] = [await middle(note(page, "Note: A fold")), await middle(lasso)];
      const way = [to[0] - from[0], to[1] - from[1]] as const;
      await page.mouse.move(800, 550);
      await page.mouse.down();
      await page.mouse.move(800 + way[0], 550 + way[1], { steps: 8 });
      await page.mouse.up();
      return Math.hypot(...way);
    })
    .toBeLessThan(10);
  await lasso.click();
  await press("Move the view");
  // A note that the tools cover in part is a small target, and reloads keep the view.
  await press("Show everything");
});

it("restores a named version, even after a reload", async () => {
  await expect.poll(() => page.getByRole("button", { name: "Redo" }).isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Name of the version" }).fill("With the fold");
  await press("Save version");
  await page.getByText("With the fold", { exact: true }).waitFor();
  await press("Remove the note “A fold”");
  await gone("A fold");
  await sees(page, "Removed note “A fold”");
  await page.reload();
  await openNotes(page);
  await press("Restore version “With the fold”");
  await note(page, "A fold").waitFor();
  await sees(page, "Restored version “With the fold”");
});

it("keeps a gene list in the account, from where a project gets it back", async () => {
  await page.getByRole("button", { name: "Gene lists", exact: true }).click();
  // Genes that the sample lacks: other journeys look at the scores of lists.
  await page.getByRole("textbox", { name: "Genes or GMT lines" }).fill("NOT_A_GENE NOR_THIS");
  await page.getByRole("textbox", { name: "Name of the list" }).fill("Ours");
  await press("Add");
  await press("Keep Ours in your account");
  await press("Ours is in your account: remove it there");
  await press("Keep Ours in your account");
  await press("Delete Ours");
  await press("Add Ours to this project");
  await press("Delete Ours");
  await expectNoBarriers(page);
  await press("Remove Ours from your account");
  await expect.poll(() => page.getByText("In your account", { exact: true }).count()).toBe(0);
  await openNotes(page);
});

it("shows it to those who hold a share link, who cannot change it", async () => {
  const guest = await openPerson(browser, shared.url);
  await guest.page.goto(share.url);
  await openNotes(guest.page);
  await note(guest.page, "A fold").waitFor();
  await sees(guest.page, /Only the project’s owner, signed in, can change them/);
  const changing = guest.page.getByRole("button", { name: /^(Remove|Undo|Redo)/ });
  await expect.poll(() => changing.count()).toBe(0);
  await note(guest.page, "Note: A fold").click();
  await guest.page.getByRole("dialog", { name: "Notes" }).getByText("A fold").waitFor();
  await guest.page.keyboard.press("Escape");
  await note(guest.page, "A fold").click();
  await expect.poll(() => new URL(guest.page.url()).searchParams.get("at.tissue")).not.toBeNull();
  await guest.context.close();

  await press("Remove the note “A fold”");
  await press("Delete version “With the fold”");
  await expect
    .poll(() => page.locator(":focus").getAttribute("aria-label"))
    .toBe("Name of the version");
  await gone("A fold");
  await sees(page, "No versions yet. Save one before larger changes.");
  await sees(page, "All changes are saved in the project.");
  expect(ada.faults).toEqual([]);
});

import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectFocusKept, expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { arrives, openPerson, type Person } from "./person.ts";
import { finishedSample } from "./shared-platform.ts";

let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  const shared = await finishedSample();
  const { url } = (await call(
    shared.url,
    "POST",
    `/start_visualization?project_id=${shared.projectId}`,
    { token: shared.token },
  )) as { url: string };
  browser = await openBrowser({ webgl: true });
  person = await openPerson(browser, shared.url);
  ({ page } = person);
  await page.goto(`${url}?view=both`);
  await tissue().waitFor();
  // Keys work once the cells have loaded.
  await page.locator("[inert]").first().waitFor({ state: "detached" });
}, 600_000);
afterAll(() => browser?.close());

const tissue = () => page.getByRole("application", { name: /^Tissue/ });
const umap = () => page.getByRole("application", { name: /^UMAP/ });
const tool = () => page.locator("#viewer-tool");
const press = (name: string, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: true }).first().click();
/** The summary for screen readers. */
const spoken = () =>
  page
    .getByRole("status")
    .filter({ hasText: /^([\d,]+ cells? selected: |No cells selected)/ })
    .first();

async function selectedCells(): Promise<number> {
  const text = await page
    .getByRole("button", { name: /cells? selected$/ })
    .first()
    .textContent();
  return Number(text!.replaceAll(/\D/g, ""));
}

/** Waits until this pointer tool is active. */
const isChosen = (pointer: string) =>
  page.getByRole("button", { name: pointer, pressed: true }).first().waitFor();

/** Draws through points given as shares of the view's width and height. */
async function draw(
  view: Locator,
  places: readonly (readonly [number, number])[],
  key?: "Shift" | "Alt",
): Promise<void> {
  const { x, y, width, height } = (await view.boundingBox())!;
  const [first, ...rest] = places.map(([across, down]) => [x + across * width, y + down * height]);
  if (key) await page.keyboard.down(key);
  await page.mouse.move(first[0], first[1]);
  await page.mouse.down();
  for (const place of rest) await page.mouse.move(place[0], place[1], { steps: 5 });
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}

async function downloadBy(act: () => Promise<void>): Promise<{ name: string; rows: string[] }> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const text = await readFile(await download.path(), "utf8");
  return { name: download.suggestedFilename(), rows: text.trimEnd().split("\r\n") };
}

const MIDDLE = [
  [0.35, 0.4],
  [0.65, 0.4],
  [0.65, 0.6],
  [0.35, 0.6],
] as const;

let inTissue = 0;

it("says how far to trust the results; when hidden, the grade stays next to the name", async () => {
  await press("Hide the reliability notice");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("stage-tissue");
  await page.getByRole("button", { name: /^Reliability: (Good|Limited|Poor)\. Show why$/ }).click();
  const reasons = page.getByRole("dialog", { name: "How much you can trust these results" });
  await expect.poll(() => reasons.locator("dt").count()).toBe(6);
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await reasons.waitFor({ state: "detached" });
});

it("handles keys wherever no text is being edited, and lists them", async () => {
  await page.getByRole("radio", { name: "Both" }).focus();
  await page.keyboard.press("r");
  await isChosen("Rectangle");
  await page.keyboard.press("v");
  await isChosen("Move the view");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.getByText("Lasso", { exact: true }).waitFor();
  await expectNoBarriers(page);
  await expectFocusKept(page, list);
  // Keys do nothing behind the dialog.
  await page.keyboard.press("l");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await isChosen("Move the view");
  // Nor in a text.
  await page.getByRole("radio", { name: "Gene", exact: true }).check();
  const search = page.getByRole("combobox", { name: "Gene" });
  await search.fill("l");
  await search.press("r");
  await expect.poll(() => search.inputValue()).toBe("lr");
  await search.press("Escape");
  await isChosen("Move the view");
  await page.getByRole("radio", { name: "Cell type", exact: true }).check();
});

it("draws a lasso around tissue cells after a key press", async () => {
  await tissue().focus();
  await page.keyboard.press("l");
  await isChosen("Lasso");
  await draw(tissue(), MIDDLE);
  await spoken().filter({ hasText: "cells selected: " }).waitFor();
  inTissue = await selectedCells();
  expect(inTissue).toBeGreaterThan(50);
});

it("adds UMAP cells with Shift, and subtracts some with Alt", async () => {
  await draw(
    umap(),
    [
      [0.02, 0.02],
      [0.5, 0.02],
      [0.5, 0.98],
      [0.02, 0.98],
    ],
    "Shift",
  );
  await expect.poll(selectedCells).toBeGreaterThan(inTissue);
  const both = await selectedCells();
  await tissue().focus();
  await page.keyboard.press("r");
  await isChosen("Rectangle");
  await draw(tissue(), [MIDDLE[0], MIDDLE[2]], "Alt");
  await expect.poll(selectedCells).toBeLessThan(both);
  await expect.poll(selectedCells).toBeGreaterThan(both - inTissue - 20);
});

it("undoes selections, and draws nothing after Escape", async () => {
  await press("Select");
  await press("Undo", tool());
  await press("Undo", tool());
  await expect.poll(selectedCells).toBe(inTissue);
  const { x, y, width, height } = (await tissue().boundingBox())!;
  await page.mouse.move(x + 0.3 * width, y + 0.4 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.4 * width, y + 0.5 * height, { steps: 3 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.keyboard.press("Escape");
  await isChosen("Move the view");
  await expect.poll(selectedCells).toBe(inTissue);
});

it("keeps a named group, which can be removed and restored", async () => {
  await tool().getByRole("textbox", { name: "Name of the group" }).fill("Middle, =left");
  await press("Save as group", tool());
  await press("Clear", tool());
  await spoken().filter({ hasText: "No cells selected." }).waitFor();
  await press("Remove Middle, =left", tool());
  const undo = tool().getByRole("status").getByRole("button", { name: "Undo" });
  await expect.poll(() => undo.evaluate((button) => button.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
  await tool().getByTitle("Select the cells of Middle, =left").click();
  await expect.poll(selectedCells).toBe(inTissue);
});

it("restores groups and selection after a reload and after navigating away", async () => {
  const kept = "JSON.parse(Object.values(sessionStorage)[0] ?? null)";
  await expect
    .poll(() => page.evaluate(`${kept}?.selection !== null && ${kept}?.groups.groups.length`))
    .toBe(1);
  await page.reload();
  await expect.poll(selectedCells).toBe(inTissue);
  await page.getByRole("link", { name: "Stipple" }).first().click();
  await arrives(page, "/");
  await page.goBack();
  await expect.poll(selectedCells).toBe(inTissue);
  await press("Select");
  await tool().getByTitle("Select the cells of Middle, =left").waitFor();
});

it("exports the selected cells with their groups", async () => {
  const { name, rows } = await downloadBy(() => press("Cells as CSV", tool()));
  expect(name).toMatch(/selected-cells\.csv$/);
  expect(rows).toHaveLength(inTissue + 1);
  expect(rows[0]).toMatch(
    /^cell,type,cluster,domain,evidence,image_quality,groups,x_um,y_um,umap_1,umap_2,in_spot,total_counts/,
  );
  expect(rows[1]).toMatch(/^cell_\d+,(?:[^,]+,){5}"Middle, =left",[\d.]+,[\d.]+,/);
  await expectNoBarriers(page);
});

it("selects by group without drawing, and only shown cells", async () => {
  const row = page.getByRole("listitem").filter({ hasText: /^T cell/ });
  await row.getByRole("button", { name: "Show only T cell" }).click();
  await press("All shown", tool());
  const name = "Select the cells of T cell";
  // The heading shows the number of shown cells.
  const shown = await page
    .locator("header")
    .getByText(/ of [\d,]+ cells$/)
    .textContent();
  const count = Number.parseInt(shown!.replaceAll(",", ""), 10);
  await expect.poll(selectedCells).toBe(count);
  await press("Clear", tool());
  await page.getByRole("button", { name: "Show all", exact: true }).first().click();
  await row.getByRole("button", { name, exact: true }).click();
  await expect.poll(selectedCells).toBe(count);
  await expect.poll(() => spoken().textContent()).toBe(`${count} cells selected: ${count} T cell.`);
});

it("finds what distinguishes T cells from the rest", async () => {
  await press("Compare");
  await press("Compare", tool());
  await tool()
    .getByRole("heading", { name: "Current selection against All other cells" })
    .waitFor();
  const genes = await tool().locator("tbody th").allTextContents();
  expect(genes).toHaveLength(25);
  const known = ["CD3D", "CD3E", "CD3G", "CD2", "TRAC", "TRBC1", "TRBC2", "IL7R", "CCL5", "LTB"];
  expect(genes.slice(0, 10).filter((gene) => known.includes(gene)).length).toBeGreaterThan(2);
  const { rows } = await downloadBy(() => press("Table as CSV", tool()));
  expect(rows[0]).toBe("gene,log2_fold_change,auc,fdr,pvalue,t,fraction_a,fraction_b,reliable,a,b");
  expect(rows.length).toBeGreaterThan(100);

  await tool().getByRole("button", { name: genes[0], exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("gene")).toBe(genes[0]);
  const plot = tool().getByRole("img", { name: "Volcano plot" });
  const name = plot.getByText(genes[0]!, { exact: true }).first();
  await name.scrollIntoViewIfNeeded();
  // The dot is at either side of its name. A plot that is drawn anew knows the pointer only once it moves.
  await expect
    .poll(async () => {
      const { x, y, width, height } = (await name.boundingBox())!;
      for (const at of [x + width + 4, x - 4]) {
        await page.mouse.move(at, y + height / 2);
        if (await plot.getByText("log₂ FC +").isVisible()) return true;
      }
      return false;
    })
    .toBe(true);
  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    press("Save as SVG", tool()),
  ]);
  const svg = await readFile(await picture.path(), "utf8");
  expect(svg).toContain(">More in A");
  // Of a name and its light edge, the name comes last.
  const drawn = svg.match(new RegExp(`<text[^>]*>${genes[0]!}<`, "g"))!;
  expect(drawn.map((text) => text.includes('stroke="none"'))).toEqual([false, true]);
  await expectNoBarriers(page);

  await press("Enlarge", tool());
  const dialog = page.getByRole("dialog");
  const fdr = dialog.getByLabel("FDR below");
  await fdr.fill("2");
  await expect.poll(() => fdr.getAttribute("aria-invalid")).toBe("true");
  await fdr.fill("0.001");
  await expect.poll(() => fdr.getAttribute("aria-invalid")).toBeNull();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => tool().getByLabel("FDR below").inputValue()).toBe("0.001");
});

it("explains what it cannot compare", async () => {
  const chosen = await tool().getByLabel("Cells (A)").locator("option:checked").textContent();
  await tool().getByLabel("Compared with (B)").selectOption({ label: chosen! });
  await tool().getByText("Every cell of B is also in A.").waitFor();
  await expect
    .poll(() => tool().getByRole("button", { name: "Compare", exact: true }).first().isDisabled())
    .toBe(true);
  expect(person.faults).toEqual([]);
});

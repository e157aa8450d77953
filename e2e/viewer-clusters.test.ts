import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { openPerson } from "./person.ts";
import { finishedSample } from "./shared-platform.ts";

let browser: Browser;
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
  ({ page } = await openPerson(browser, shared.url));
  await page.goto(url);
  // Panels open once the cells have loaded.
  await page.locator("[inert]").first().waitFor({ state: "detached" });
}, 600_000);
afterAll(() => browser?.close());

const tool = () => page.locator("#viewer-tool");
const press = (name: string) => tool().getByRole("button", { name, exact: true }).first().click();
const open = (name: string) =>
  page.getByRole("navigation", { name: "Tools" }).getByRole("button", { name }).click();
const says = (text: string | RegExp) => tool().getByText(text).first().waitFor();
const groups = () => tool().getByRole("region", { name: "Its groups" }).getByRole("checkbox");

it("clusters all cells again; the result is a grouping like the others", async () => {
  await open("Clusters");
  const compared = tool().getByRole("combobox", { name: "First grouping" });
  await expect.poll(() => compared.inputValue()).toBe("cluster");
  await press("Cluster");
  await says(/^\d+ clusters of [\d,]+ cells\.$/);
  await page.getByRole("radio", { name: "Own cluster", checked: true }).waitFor();
  await page.getByRole("region", { name: "Own clusters" }).getByRole("checkbox").first().waitFor();
  await says(/^Adjusted Rand index/);
  await expect.poll(() => compared.inputValue()).toMatch(/^own /);
  await expectNoBarriers(page);
});

it("merges marked groups, and divides one", async () => {
  const before = await groups().count();
  await groups().nth(0).check();
  await groups().nth(1).check();
  await press("Merge 2 groups");
  await expect.poll(() => groups().count()).toBe(before - 1);
  await press("Cluster 1 + 2 again");
  await says("The new clusters replace 1 + 2.");
  await press("Cluster");
  await tool().getByRole("checkbox", { name: "Mark 1 + 2.1 for merging" }).waitFor();
});

it("says what is wrong with a resolution, and lists the markers of the groups", async () => {
  const resolution = tool().getByRole("textbox", { name: "Resolution" });
  await resolution.fill("many");
  await says("Enter a number from 0.01 to 20.");
  await resolution.fill("1");
  await press("Markers of these groups");
  await tool().getByRole("radio", { name: "Own", checked: true }).waitFor();
  await tool().getByRole("table").getByRole("row").nth(1).waitFor();
});

it("scores a pasted list, looks for it among markers, and finds genes like one", async () => {
  const gene = await tool().getByRole("table").getByRole("rowheader").first().textContent();
  await open("Gene lists");
  await tool().getByRole("textbox", { name: "Genes or GMT lines" }).fill(`${gene} NOT_A_GENE`);
  await tool().getByRole("textbox", { name: "Name of the list" }).fill("Mine");
  await press("Add");
  await says("1 list added; the sample has 1 of 2 genes.");
  await press("Mine 1 of 2");
  await says("Not in this sample: NOT_A_GENE.");
  await press("Color the cells by the score of Mine");
  await page.getByRole("radio", { name: "Gene set", checked: true }).waitFor();
  // Whether the gene is one of the first cluster's markers is up to the sample.
  await tool()
    .getByRole("table")
    .getByText(/^[01] of 1$/)
    .waitFor();
  const tables = tool().getByRole("combobox", { name: "Genes", exact: true });
  const ofOwn = await tables
    .locator("option", { hasText: /\(.+\)$/ })
    .first()
    .textContent();
  await tables.selectOption(ofOwn);
  await says(/tested ones, the background\. Markers: FDR|no gene below its thresholds/);
  await expect.poll(() => tables.locator("option:checked").textContent()).toBe(ofOwn);
  await tool().getByRole("combobox", { name: "Gene", exact: true }).fill(gene!);
  await page.getByRole("option", { name: gene!, exact: true }).click();
  await press("Find");
  await says(/^Correlation over/);
  await expectNoBarriers(page);
});

it("names a list without a name as no other list, whichever were deleted", async () => {
  const add = async (gene: string): Promise<void> => {
    await tool().getByRole("textbox", { name: "Genes or GMT lines" }).fill(gene);
    await press("Add");
  };
  await add("CD3E");
  await add("CD8A");
  await press("Delete Mine");
  await add("MS4A1");
  await expect
    .poll(() =>
      tool()
        .getByRole("button", { name: /^List \d [01] of 1$/ })
        .allTextContents(),
    )
    .toHaveLength(3);
});

it("keeps the focus in the list when a new name makes a type part of another", async () => {
  await page.getByRole("radio", { name: "Cell type", exact: true }).check();
  const types = page.getByRole("region", { name: "Cell types" });
  const pencils = types.getByRole("button", { name: /^Rename or recolor / });
  await pencils.nth(1).waitFor();
  const count = await pencils.count();
  const first = (await pencils.first().getAttribute("aria-label"))!;
  await pencils.nth(1).press("Enter");
  await types
    .getByRole("textbox", { name: /^Name of/ })
    .fill(first.replace("Rename or recolor ", ""));
  await page.keyboard.press("Enter");
  await expect.poll(() => pencils.count()).toBe(count - 1);
  await expect
    .poll(() => page.evaluate("document.activeElement.textContent"))
    .toMatch(/^Cell types/);
});

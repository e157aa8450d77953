import type { Page } from "playwright-core";
import { closeTo, WHOLE, type Film } from "./film.ts";

/** A marker in the sample tissue that separates epithelium from the rest. */
const GENE = "EPCAM";

/** The interactive view: zoomed in, by gene, next to the UMAP. Returns the time in seconds of a good poster frame. */
export async function filmViewer(film: Film, page: Page): Promise<number> {
  const tissue = page.getByRole("application").first();
  await tissue.waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(1500);
  film.caption("viewer");
  await film.cutTo(page);
  await film.pass(1.4);
  const posterAt = film.seconds;
  const box = await tissue.boundingBox();
  if (!box) throw new Error("The tissue is not to be seen.");
  const center = [box.x + box.width * 0.5, box.y + box.height * 0.45] as const;
  await film.moveTo(center, 0.6);
  film.caption("zoom");
  await film.pass(2.4, {
    every: 2,
    each: async () => {
      await page.mouse.wheel(0, -11);
      await page.waitForTimeout(60);
    },
  });
  await film.settle();
  await film.pass(0.8);
  film.caption("gene");
  await film.click(page.getByText("Gene", { exact: true }).first());
  await film.click(page.getByRole("combobox", { name: "Gene" }), { seconds: 0.4 });
  await film.type(GENE);
  await page.keyboard.press("Enter");
  await film.settle(true);
  await film.pass(0.5);
  await film.moveTo(center, 0.5);
  await film.pass(1.2, {
    every: 2,
    each: async () => {
      await page.mouse.wheel(0, 28);
      await page.waitForTimeout(60);
    },
  });
  film.caption("umap");
  await page.waitForTimeout(1500);
  await film.shoot();
  await film.click(page.getByText("Both", { exact: true }), { soft: true });
  await film.pass(1.2, { view: closeTo([760, 360], 1.12) });
  await film.pass(0.6, { view: WHOLE });
  return posterAt;
}

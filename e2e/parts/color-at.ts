import type { Page } from "playwright-core";
import sharp from "sharp";

/** The color that a page shows at a place, CSS px: red, green, blue. */
export async function colorAt(page: Page, x: number, y: number): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  return [...(await sharp(picture).removeAlpha().raw().toBuffer())];
}

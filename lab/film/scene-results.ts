import type { Page } from "playwright-core";
import { closeTo, SIZE, WHOLE, type Film } from "./film.ts";

/** Step 4: figures, both images, the slider between them. Returns the URL of the interactive view. */
export async function filmResults(film: Film, page: Page): Promise<string> {
  await page.getByText("Total Cells").waitFor();
  await page.waitForLoadState("networkidle");
  film.caption("results");
  await film.settle(true);
  await film.pass(0.4);
  await film.pass(0.9, { view: closeTo([640, 250], 1.15) });
  await film.pass(0.6);
  await film.pass(0.5, { view: WHOLE });
  const images = page.getByRole("heading", { name: "From spots to cells" });
  await film.scrollTo(images, 84);
  await film.pass(0.8);
  film.caption("compare");
  await film.click(page.getByRole("button", { name: "Compare" }), { soft: true });
  const slider = page.getByRole("slider").first();
  const box = await slider.boundingBox();
  if (!box) throw new Error("The slider between the images is not to be seen.");
  const y = Math.min(box.y + box.height / 2, SIZE.height - 200);
  await film.moveTo([box.x + box.width / 2, y], 0.6);
  await page.mouse.down();
  for (const [share, seconds] of [
    [0.2, 0.8],
    [0.85, 1.4],
    [0.5, 0.8],
  ] as const) {
    await film.pass(seconds, {
      cursor: [box.x + share * box.width, y],
      every: 2,
      each: (_, cursor) => page.mouse.move(cursor[0], cursor[1]),
    });
  }
  await page.mouse.up();
  await page.evaluate("window.scrollTo(0, 0)");
  await film.settle(true);
  const opened = page.context().waitForEvent("page");
  await film.click(page.getByRole("button", { name: "Start Interactive Visualization" }));
  const view = await opened;
  await view.waitForURL("**/visualization/**");
  const address = view.url();
  await view.close();
  return address;
}

/** Download limit in bytes per second, so that progress is visible. */
const DOWNLOAD_PACE = 40_000_000;

export async function filmDownload(film: Film, page: Page): Promise<void> {
  await page.bringToFront();
  await page.evaluate("window.scrollTo(0, 0)");
  film.caption("download");
  await film.cutTo(page);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: DOWNLOAD_PACE,
    uploadThroughput: -1,
  });
  await film.click(page.getByRole("button", { name: "Download Results" }));
  const done = page.getByText("Download completed successfully!");
  for (let look = 0; look < 30 && !(await done.isVisible()); look++) {
    await film.shoot();
    await film.pass(0.12);
    await page.waitForTimeout(250);
  }
  await done.waitFor();
  await film.settle();
  await film.moveTo([1000, 640], 0.8);
  await film.pass(1.6);
}

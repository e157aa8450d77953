import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose outcome depends on colors. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/** What WCAG 2.2 AA forbids and the page does, as it stands now; one line each with the elements at fault. */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  // Half a megabyte of script: once for each document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules ?? WCAG)}, resultTypes: ["violations"] })`,
  )) as { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  return result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(" | ")})`,
  );
}

/** Two frames: what was just changed is painted. */
const PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Expects no barrier in the page as it stands now, in the light nor, as for colors, in the dark. Not with a clock that stands still. */
export async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(PAINTED);
    const rules = colorScheme === "dark" ? OF_COLORS : WCAG;
    await expect(barriers(page, rules), `${page.url()}, ${colorScheme}`).resolves.toEqual([]);
  }
}

/** Expects that Tab and Shift+Tab, pressed more often than there are stops, never leave a dialog that is open. */
export async function expectFocusKept(page: Page, dialog: Locator): Promise<void> {
  const stops = (await dialog.locator("a[href], button, input, select, textarea").count()) + 2;
  for (const key of ["Shift+Tab", "Tab", "Shift+Tab"]) {
    for (let stop = 0; stop < stops; stop++) {
      await page.keyboard.press(key);
      // Guards at both ends pass the focus on to the other end.
      await expect
        .poll(
          () =>
            dialog.evaluate((one) => {
              const { activeElement: focused, body } = one.ownerDocument;
              // From the browser's own modal dialogs Tab may go on to the browser's own controls.
              if (one.matches("dialog:modal") && focused === body) return true;
              return one.contains(focused) && !focused?.hasAttribute("data-base-ui-focus-guard");
            }),
          {
            interval: 10,
            message: `${key} ${stop}`,
          },
        )
        .toBe(true);
    }
  }
}

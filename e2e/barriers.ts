import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose outcome depends on colors. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/** WCAG 2.2 AA violations in the page's current state; one line each with the affected elements. */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  // Half a megabyte of script: inject it once per document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules ?? WCAG)}, resultTypes: ["violations"] })`,
  )) as { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  return result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(" | ")})`,
  );
}

/** Waits two frames, so that recent changes are painted. */
const PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/**
 * Expects no violations in the page's current state in light mode, nor color violations in dark mode. Does not work
 * with a stopped clock.
 */
export async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(PAINTED);
    const rules = colorScheme === "dark" ? OF_COLORS : WCAG;
    // A page that has just changed may still be moving, and marks under a tool for a moment.
    const message = `${page.url()}, ${colorScheme}`;
    await expect.poll(() => barriers(page, rules), { message }).toEqual([]);
  }
}

/** Expects that Tab and Shift+Tab, pressed more often than there are tab stops, never leave an open dialog. */
export async function expectFocusKept(page: Page, dialog: Locator): Promise<void> {
  const stops = (await dialog.locator("a[href], button, input, select, textarea").count()) + 2;
  for (const key of ["Shift+Tab", "Tab", "Shift+Tab"]) {
    for (let stop = 0; stop < stops; stop++) {
      await page.keyboard.press(key);
      // Focus guards at both ends move focus to the other end.
      await expect
        .poll(
          () =>
            dialog.evaluate((one) => {
              const { activeElement: focused, body } = one.ownerDocument;
              // From native modal dialogs, Tab may move on to the browser's controls.
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

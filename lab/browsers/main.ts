/**
 * Opens all pages and the interactive view in Firefox and WebKit, whichever is installed (Debian: firefox-esr,
 * webkit2gtk-driver, xvfb), saves their pictures, and ends with 1 if one scrolls sideways or lacks what it shows:
 * LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -s "-screen 0 1600x1200x24" node lab/browsers/main.ts [FOLDER screenshots]
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call, newAccount, runSample } from "../../e2e/client.ts";
import { PROJECT_PAGES, PUBLIC_PAGES, SIGNED_IN_PAGES } from "../../e2e/pages.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { DRIVERS } from "./drivers.ts";

/** What is wrong with a page; nothing once it is complete. A group of choices ends where its content does. */
const FAULTS = `[
  [!document.querySelector(location.pathname.startsWith("/visualization") ? "canvas" : "h1"), "empty"],
  [document.querySelector(".animate-spin, .animate-pulse"), "still loading"],
  [document.documentElement.scrollWidth > innerWidth, "scrolls sideways"],
  [[...document.images].some((one) => one.complete && one.naturalWidth === 0), "a broken image"],
  [[...document.querySelectorAll("fieldset")].some((one) => one.getBoundingClientRect().bottom
    - one.lastElementChild.getBoundingClientRect().bottom > 22), "a group of choices with a gap"],
].filter(([wrong]) => wrong).map(([, fault]) => fault)`;

const folder = process.argv[2] ?? "screenshots";
await mkdir(folder, { recursive: true });
const platform = await startPlatform();
try {
  const token = await newAccount(platform.url, "ada@example.org");
  const project = await runSample(platform.url, token);
  const own = PROJECT_PAGES.map((path) => `${path}?project_id=${project}`);
  const start = `/start_visualization?project_id=${project}`;
  own.push((await call(platform.url, "POST", start, { token })).url);
  for (const { name, open } of DRIVERS) {
    const driver = await open();
    for (const path of [...PUBLIC_PAGES, ...SIGNED_IN_PAGES, ...own]) {
      const { href, pathname } = new URL(path, platform.url);
      await driver.open(href);
      let faults: unknown[] = [];
      for (let second = 0; second < 60 && (second === 0 || faults.length > 0); second++) {
        await sleep(1_000);
        faults = (await driver.run(FAULTS)) as unknown[];
      }
      const file = `${name}${pathname.replaceAll("/", "-").slice(0, 40)}.png`;
      await writeFile(join(folder, file), await driver.picture(), "base64");
      console.log(`${file}: ${faults.join(", ") || "good"}`);
      if (faults.length > 0) process.exitCode = 1;
      if (path === "/404") await driver.run(`localStorage.setItem("token", "${token}")`);
    }
    await driver.close();
  }
} finally {
  await platform.close();
}

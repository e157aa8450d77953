import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { PLATFORM_IDS } from "@stipple/contract";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Where a platform is made: its entry, its reader, and what simulates it. */
const HOMES = [
  "packages/contract/src/platforms/",
  "packages/pipeline/src/readers/",
  "packages/tissue/src/platforms/",
  "packages/tissue/src/capture/",
];

it("names a platform nowhere but in its registry", async () => {
  const named: string[] = [];
  for (const folder of ["apps", "packages"]) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const shown = relative(ROOT, path);
      if (!entry.isFile() || !/\/src\/.*(?<!\.test)\.tsx?$/.test(shown)) continue;
      if (shown.includes("node_modules/") || HOMES.some((home) => shown.startsWith(home))) continue;
      const text = await readFile(path, "utf8");
      if (PLATFORM_IDS.some((id) => text.includes(`"${id}"`))) named.push(shown);
    }
  }
  expect(named).toEqual([]);
});

import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { PLANS, PLATFORM_IDS } from "@stipple/contract";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");

it.each([
  {
    what: "a platform",
    ids: PLATFORM_IDS,
    // Its entry, its reader, and its simulator; and what tells its files from those of others.
    homes: [
      "packages/contract/src/platforms/",
      "packages/contract/src/recognition/",
      "packages/pipeline/src/readers/",
      "packages/tissue/src/platforms/",
      "packages/tissue/src/capture/",
    ],
  },
  {
    what: "a plan",
    // "basic" is also a kind of analysis.
    ids: PLANS.map(({ tier }) => tier).filter((tier) => tier !== "basic"),
    homes: [
      "packages/contract/src/business/plan-list.ts",
      "packages/contract/src/business/testing/",
    ],
  },
])("names $what only in its list", async ({ ids, homes }) => {
  const named: string[] = [];
  for (const folder of ["apps", "packages"]) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const shown = relative(ROOT, path);
      if (!entry.isFile() || !/\/src\/.*(?<!\.test)\.tsx?$/.test(shown)) continue;
      if (shown.includes("node_modules/") || homes.some((home) => shown.startsWith(home))) continue;
      const text = await readFile(path, "utf8");
      if (ids.some((id) => text.includes(`"${id}"`))) named.push(shown);
    }
  }
  expect(named).toEqual([]);
});

import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const text = await readFile(`${root}docs/security.md`, "utf8");
const rows = text.split("\n").filter((line) => /^\| \d+\.\d+\.\d+/.test(line));

/** Number of level 1 and 2 requirements in each chapter of ASVS 5.0.0. */
const CHAPTERS = [27, 12, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

it("lists every level 1 and 2 requirement once", () => {
  const ids = rows.flatMap((row) => row.split("|")[1].match(/\d+\.\d+\.\d+/g) ?? []);
  expect(ids.length).toBe(new Set(ids).size);
  CHAPTERS.forEach((count, i) => {
    const own = ids.filter((id) => id.startsWith(`${i + 1}.`));
    expect([`V${i + 1}`, own.length]).toEqual([`V${i + 1}`, count]);
  });
});

it("states the status of every requirement", () => {
  const states = rows.map((row) => row.split("|")[2].trim());
  expect(new Set(states)).toEqual(new Set(["Met", "Partly", "Not met", "n/a"]));
});

/** Why a row does not meet this document's rules, or null. */
function faultOf(row: string): string | null {
  const [, , state = "", how = ""] = row.split("|").map((cell) => cell.trim());
  const shown = /\.test\.ts`|`npm run |\.md\b|docs\//.test(how);
  // A test shows what is met, not what is missing.
  const words = how.replaceAll(/`[^`]*`/g, "").match(/[\p{L}\d]{2,}/gu) ?? [];
  if (state === "n/a") return words.length > 0 ? null : "no reason";
  if (state === "Met") return shown || how.startsWith("nothing to test: ") ? null : "no test";
  return words.length >= 5 ? null : "no reason why not";
}

it("names a test or a reason for each requirement", () => {
  expect(rows.filter((row) => faultOf(row) !== null)).toEqual([]);
  expect(faultOf("| 1.1.1 decode once | Met | – |")).toBe("no test");
  expect(faultOf("| 1.1.1 decode once | Not met | `csv.test.ts` |")).toBe("no reason why not");
  expect(faultOf("| 1.1.1 decode once | Partly | – |")).toBe("no reason why not");
});

it("names tests that exist", () => {
  const patterns = [
    "apps/**/*.test.ts",
    "packages/*/src/**/*.test.ts",
    "e2e/*.test.ts",
    "{lab,scripts}/**/*.test.ts",
  ];
  const tests = globSync(patterns, { cwd: root, exclude: (name) => name.includes("node_modules") });
  const names = new Set(tests.map((file) => basename(file)));
  const named = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => basename(file));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !names.has(file))).toEqual([]);
});

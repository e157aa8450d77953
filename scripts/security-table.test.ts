import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const text = await readFile(`${root}docs/security.md`, "utf8");
const rows = text.split("\n").filter((line) => /^\| \d+\.\d+\.\d+/.test(line));

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const CHAPTERS = [27, 12, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

it("lists every requirement of levels 1 and 2 once", () => {
  const ids = rows.flatMap((row) => row.split("|")[1]!.match(/\d+\.\d+\.\d+/g) ?? []);
  expect(ids.length).toBe(new Set(ids).size);
  CHAPTERS.forEach((count, i) => {
    const own = ids.filter((id) => id.startsWith(`${i + 1}.`));
    expect([`V${i + 1}`, own.length]).toEqual([`V${i + 1}`, count]);
  });
});

it("says of every requirement where it stands", () => {
  const states = rows.map((row) => row.split("|")[2]!.trim());
  expect(new Set(states)).toEqual(new Set(["Met", "Partly", "Not met", "Open", "n/a"]));
});

it("names tests that exist", () => {
  const patterns = [
    "apps/**/*.test.ts",
    "packages/*/src/**/*.test.ts",
    "e2e/*.test.ts",
    "scripts/**/*.test.ts",
  ];
  const tests = globSync(patterns, { cwd: root, exclude: (name) => name.includes("node_modules") });
  const names = new Set(tests.map((file) => basename(file)));
  const named = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => basename(file!));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !names.has(file))).toEqual([]);
});

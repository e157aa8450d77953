import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as constants from "../packages/pipeline/src/model/constants.ts";
import * as limits from "../packages/pipeline/src/model/limits.ts";

const source = new URL("../packages/pipeline/src/", import.meta.url);
const HOMES = ["model/constants.ts", "model/limits.ts"];
const read = (name: string): string => readFileSync(new URL(name, source), "utf8");

/** What does not shape results: memory, threads, layouts, pauses, and the progress bar. */
const TECHNICAL = new Set(
  `BLOCK BLOCK_ENTRIES CACHED_SPOTS CACHE_BYTES CELLS_PER_PAUSE COST DENSE ENTRY GENE_BLOCK GENE_LAG GROUP LEVELS MAX_COUNTS MAX_ROOMS
  MEMBERS NO_PART OF_FITS OF_NEIGHBORS OF_PREDICTIONS OF_SHAPES PAGE READS_WORTH_KEEPING ROOM_SHARES SAMPLED_ENTRIES SLICE
  SPOTS_PER_PAUSE STATE STEP SUMS TILE TILE_COUNTS TOGETHER USUAL_SWEEPS WATCH_MS WORTH_THREADS`.split(
    /\s+/,
  ),
);

/** Names of a text's module-level constants in capitals whose values hold a number. */
function numericConstants(text: string): string[] {
  const found = text.matchAll(/^(?:export )?const \[?([A-Z][A-Z0-9_]*)\b[^=;]*=([^;]*);/gm);
  return [...found].flatMap(([, name, value]) =>
    /(?<![\w$])\.?\d/.test(value.replaceAll(/"[^"]*"|`[^`]*`|\/\*[\s\S]*?\*\//g, "")) ? [name] : [],
  );
}

it("constants that shape the results of steps 4 and 5 are in one file, limits in another", () => {
  const files = globSync(
    ["steps/4-*/**/*.ts", "steps/5-*/**/*.ts", "{types,model,cell-types,reference}/**/*.ts"],
    { cwd: source.pathname },
  ).filter((name) => !/\.test\.ts$|\/testing\//.test(name));
  expect(files.length).toBeGreaterThan(100);
  const elsewhere = files
    .filter((name) => !HOMES.includes(name))
    .flatMap((name) =>
      numericConstants(read(name))
        .filter((constant) => !TECHNICAL.has(constant))
        .map((constant) => `${name}: ${constant}`),
    );
  expect(elsewhere).toEqual([]);
});

it("sees numbers, tuples, and tables, and no words", () => {
  const text = `const ONE = 1;
export const TWO: readonly number[] = [0.5];
const [THREE, FOUR] = [-1, 2];
const WORDS = ["a1", "2"];
const { FIVE } = NAMES;
  const INSIDE = 3;
const TABLE: Record<string, number> = { a: 1 / 3 };`;
  expect(numericConstants(text)).toEqual(["ONE", "TWO", "THREE", "TABLE"]);
});

it("each of them says what it means, and they only become fewer", () => {
  const lines = HOMES.flatMap((name) => read(name).split("\n"));
  const without = lines.filter(
    (line, i) => /^ {2}[A-Z]\w*: /.test(line) && !lines[i - 1].trim().endsWith("*/"),
  );
  expect(without).toEqual([]);
  const numberOf = (groups: object): number =>
    Object.values(groups).flatMap((group) => Object.keys(group as object)).length;
  expect(numberOf(constants)).toBeLessThanOrEqual(94);
  expect(numberOf(limits)).toBeLessThanOrEqual(63);
});

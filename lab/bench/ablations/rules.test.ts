import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RULES } from "./rules.ts";

it("every rule can be taken out: what is replaced is in the sources", () => {
  const source = (file: string): string =>
    readFileSync(new URL(`../../../packages/pipeline/src/${file}`, import.meta.url), "utf8");
  const missing = RULES.filter(({ edits }) =>
    edits.some(({ file, find }) => !source(file).includes(find)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

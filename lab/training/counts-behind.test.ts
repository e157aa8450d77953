import { expect, it } from "vitest";
import { countsBehind } from "./counts-behind.ts";

const counts = [0, 3, 250, 1, 0, 12];
const totals = [2_500, 900];
const normalized = (scale: number): Float32Array =>
  Float32Array.from(counts, (count, i) =>
    Number(Math.log1p((scale * count) / totals[Math.floor(i / 3)]).toFixed(4)),
  );

it("restores counts from log1p of UMIs per 10,000", () => {
  expect([...countsBehind({ values: normalized(10_000), nGenes: 3, totals })]).toEqual(counts);
});

it("refuses values that were normalized in another way", () => {
  const values = normalized(7_300);
  expect(() => countsBehind({ values, nGenes: 3, totals })).toThrow(
    "Cell 0 has 2.190 UMIs of gene 1: not log1p of UMIs per 10,000",
  );
});

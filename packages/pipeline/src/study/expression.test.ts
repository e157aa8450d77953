import { describe, expect, it } from "vitest";
import reference from "./testing/reference.json" with { type: "json" };
import { compareComposition } from "./compare-composition.ts";
import { compareExpression } from "./compare-expression.ts";
import { designOf, type ComparisonDesign } from "./design.ts";
import { trimmedMeanFactors } from "./trimmed-means.ts";

// testing/reference.R wrote these with the versions in the file: limma 3.54.1, edgeR 3.40.2.
const { units, counts, cells } = reference;
const samples = counts.map((row) => Float64Array.from(row));

function design(name: "groups" | "paired" | "batch"): ComparisonDesign {
  const found = designOf(
    units.condition.map((condition, i) => ({
      condition,
      patient: name === "paired" ? units.patient[i] : `P${i}`,
      batch: name === "batch" ? units.batch[i] : "",
      samples: [`S${i}`],
    })),
    ["normal", "tumor"],
  );
  if ("refusal" in found) throw new Error(found.refusal);
  return found;
}

describe.each(["groups", "paired", "batch"] as const)("the design %s", (name) => {
  it("gives what edgeR and limma give for expression", () => {
    const expected = reference.expression[name];
    const rows = compareExpression(samples, design(name));
    expect(rows.map(({ gene }) => gene)).toEqual(expected.keep);
    const keys = [
      ["logFold", "logFC"],
      ["low", "low"],
      ["high", "high"],
      ["mean", "average"],
      ["t", "t"],
      ["p", "p"],
      ["fdr", "fdr"],
    ] as const;
    for (const [own, theirs] of keys) {
      for (const [i, row] of rows.entries()) {
        const value = expected[theirs][i];
        // Differences near zero have fewer digits than p values, which are never rounded to it.
        const near = own === "p" || own === "fdr" ? 0 : 1e-6;
        expect(Math.abs(row[own] - value)).toBeLessThan(near + 1e-4 * Math.abs(value));
      }
    }
  });

  it("gives what lm gives for the composition", () => {
    const types = Object.keys(cells) as (keyof typeof cells)[];
    const table = samples.map((_, i) => types.map((type) => cells[type][i]));
    for (const row of compareComposition(types, table, design(name))) {
      const values = reference.composition[name][row.type as keyof typeof cells];
      const own = [row.logOdds, row.t, row.p, row.low, row.high];
      if (row.type === "F") {
        // 0 to 4 of 610 cells and more.
        expect(own.every(Number.isNaN)).toBe(true);
        continue;
      }
      own.forEach((value, i) => expect(value / values[i]).toBeCloseTo(1, 5));
    }
  });
});

it("trims means as edgeR does", () => {
  const { keep, factors } = reference.expression.groups;
  const kept = samples.map((row) => Float64Array.from(keep, (gene) => row[gene]));
  trimmedMeanFactors(kept).forEach((factor, i) => expect(factor).toBeCloseTo(factors[i], 6));
});

it("takes no difference in numbers of cells for one in shares", () => {
  // One of 1,000 cells is as much as five of 5,000; fewer are mostly none.
  const rare = [1, 0, 0, 1, 0, 0, 1, 0];
  const totals = [5000, 5000, 5000, 5000, 1000, 1000, 1000, 1000];
  const table = rare.map((n, i) => [n, 0.4 * totals[i], 0.6 * totals[i] - n]);
  const [row, other] = compareComposition(["Rare", "A", "B"], table, design("groups"));
  expect([row.logOdds, row.p, row.fdr]).toEqual([NaN, NaN, NaN]);
  expect(row.shares[0]).toBeCloseTo(1e-4, 10);
  expect(Math.abs(other.logOdds)).toBeLessThan(1e-3);
  // A type that all cells are of does not differ, either.
  const [all] = compareComposition(
    ["A"],
    totals.map((n) => [n]),
    design("groups"),
  );
  expect([all.p, all.shares]).toEqual([NaN, [1, 1]]);
});

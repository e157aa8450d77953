import { expect, it } from "vitest";
import { svgOf } from "../../../figures/figure.ts";
import { coOccurrenceFigure } from "./co-occurrence-figure.ts";

/** Ratios of types that are all mixed, in one step. */
function mixed(types: string[]) {
  const occ = types.map(() => types.map(() => [1]));
  return { types, intervalUm: [0, 20], occ, centers: 100, pairs: 1000 };
}

it("says each type's share of all cells, also where only some types have a panel", async () => {
  const groups = Array.from({ length: 10 }, (_, at) => ({
    name: `Type ${at}`,
    color: "#0072B2",
    count: 100,
  }));
  const figure = coOccurrenceFigure(mixed(groups.map(({ name }) => name)), groups);
  const svg = await svgOf(figure);
  expect(svg.match(/100 · 10\.0%/g)).toHaveLength(9);
});

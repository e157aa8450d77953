import { expect, it } from "vitest";
import { geneSetScore } from "./gene-set-score.ts";

it("is the mean of standardized logs; a constant gene adds nothing", () => {
  const everyCell = new Uint8Array(3).fill(1);
  // log(1 + x) = 0, 1, 2: mean 1, deviation √(2/3).
  const rising = (): Float32Array => Float32Array.of(0, Math.E - 1, Math.E ** 2 - 1);
  const flat = new Float32Array(3).fill(5);
  const high = Math.sqrt(3 / 2);
  const alone = geneSetScore([rising()], everyCell);
  [-high, 0, high].forEach((value, cell) => expect(alone[cell]).toBeCloseTo(value, 5));
  const both = geneSetScore([rising(), flat], everyCell);
  [-high / 2, 0, high / 2].forEach((value, cell) => expect(both[cell]).toBeCloseTo(value, 5));
});

it("is standardized over the marked cells only", () => {
  const values = Float32Array.of(0, Math.E - 1, Math.E ** 3 - 1);
  const score = geneSetScore([values], Uint8Array.of(1, 1, 0));
  [-1, 1, 5].forEach((value, cell) => expect(score[cell]).toBeCloseTo(value, 4));
});

import { RATE_SOURCES } from "@stipple/contract";
import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { chooseSource, type SourceChoice } from "./choose-source.ts";
import { HeldoutMoments } from "./heldout-moments.ts";

const FOLDS = 5;

/** Chooses from predictions equal to the observed values plus noise, with an SD given per source and gene. */
function chosenWith(
  size: { nGenes: number; nSpots: number; seed: number; voting?: number },
  noise: Record<(typeof RATE_SOURCES)[number], (gene: number) => number>,
): SourceChoice {
  const { nGenes, nSpots, seed, voting } = size;
  const random = new Random(seed);
  const observed = Float32Array.from({ length: nGenes * nSpots }, () => random.normal());
  const guess = (sd: (gene: number) => number): Float32Array =>
    observed.map((value, i) => value + sd(Math.floor(i / nSpots)) * random.normal());
  const predicted = {
    model: guess(noise.model),
    interpolation: guess(noise.interpolation),
    spot: guess(noise.spot),
  };
  const nBlocks = Math.max(FOLDS, Math.round(nSpots / 5));
  const blocks = Array.from({ length: nBlocks }, (_, block) => block);
  const starts = blocks.map((block) => Math.floor((block * nSpots) / nBlocks));
  const moments = new HeldoutMoments(nGenes, RATE_SOURCES.length, { starts, nSpots });
  for (let gene = 0; gene < nGenes; gene++) {
    const of = (values: Float32Array): Float32Array =>
      values.subarray(gene * nSpots, (gene + 1) * nSpots);
    moments.add(
      gene,
      RATE_SOURCES.map((name) => of(predicted[name])),
      of(observed),
    );
  }
  const blockFold = blocks.map((block) => block % FOLDS);
  const genes = Array.from({ length: voting ?? nGenes }, (_, gene) => gene);
  return chooseSource(moments, { genes, blockFold, folds: FOLDS });
}
const [GOOD, BAD] = [() => 1, () => 8];
const indexOf = (name: (typeof RATE_SOURCES)[number]): number => RATE_SOURCES.indexOf(name);

describe("the source of rates", () => {
  const size = { nGenes: 200, nSpots: 300, seed: 1 };

  it("stays the model for every gene when the model wins", () => {
    const choice = chosenWith(size, { model: GOOD, interpolation: BAD, spot: BAD });
    expect(choice.source.every((source) => source === indexOf("model"))).toBe(true);
    expect(choice.ofOthers).toBe(indexOf("model"));
    expect(choice.medians.chosen).toBeCloseTo(choice.medians.model, 6);
  });

  it("is the better predictor when the model loses", () => {
    for (const name of ["interpolation", "spot"] as const) {
      const noise = { model: BAD, interpolation: BAD, spot: BAD, [name]: GOOD };
      const choice = chosenWith(size, noise);
      expect(choice.source.every((source) => source === indexOf(name))).toBe(true);
      expect(choice.ofOthers).toBe(indexOf(name));
    }
  });

  it("is chosen per gene when genes differ and there are many spots", () => {
    const even = (gene: number): number => (gene % 2 === 0 ? 2 : 4);
    const odd = (gene: number): number => (gene % 2 === 0 ? 4 : 2);
    const choice = chosenWith(size, { model: even, interpolation: odd, spot: BAD });
    expect(choice.rule).toBe("by gene");
    const right = choice.source.filter((source, gene) => source === gene % 2).length;
    expect(right).toBeGreaterThan(0.95 * size.nGenes);
    expect(choice.medians.chosen).toBeGreaterThan(choice.medians.interpolation + 0.05);
    expect(choice.medians.chosen).toBeGreaterThan(choice.medians.model + 0.05);
  });

  it("is not influenced by genes without a vote, however many there are", () => {
    const noise = {
      model: (gene: number) => (gene < 100 ? 1 : 9),
      interpolation: () => 3,
      spot: BAD,
    };
    const many = { nGenes: 2000, nSpots: 49, seed: 2 };
    expect(chosenWith(many, noise).ofOthers).toBe(indexOf("interpolation"));
    const choice = chosenWith({ ...many, voting: 100 }, noise);
    expect(choice.source).toHaveLength(100);
    expect(choice.source.every((source) => source === indexOf("model"))).toBe(true);
    expect(choice.ofOthers).toBe(indexOf("model"));
  });

  it("is chosen for all genes together when differences are only noise", () => {
    const same = { model: () => 3, interpolation: () => 3, spot: BAD };
    const choice = chosenWith({ nGenes: 400, nSpots: 49, seed: 3 }, same);
    expect(new Set(choice.source).size).toBe(1);
  });
});

it.each([24, 49, 200])("never chooses rates worse than interpolation, with %i spots", (nSpots) => {
  for (let seed = 0; seed < 12; seed++) {
    const random = new Random(100 + seed);
    const sds = Array.from({ length: 3 }, () => 1 + 8 * random.uniform());
    const noise = (source: number) => (gene: number) => sds[source]! * (1 + (gene % 5) / 5);
    const { medians } = chosenWith(
      { nGenes: 60, nSpots, seed },
      { model: noise(0), interpolation: noise(1), spot: noise(2) },
    );
    expect(medians.chosen).toBeGreaterThanOrEqual(medians.interpolation);
    expect(medians.chosen).toBeGreaterThanOrEqual(medians.model);
  }
});

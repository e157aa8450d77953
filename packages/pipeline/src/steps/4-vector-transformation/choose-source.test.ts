import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { chooseSource, type SourceChoice } from "./choose-source.ts";
import { HeldoutMoments } from "./heldout-moments.ts";

/** Chooses from predictions equal to the observed values plus noise, with an SD given per source. */
function chosenWith(
  {
    nGenes,
    nSpots,
    seed,
    voting,
  }: { nGenes: number; nSpots: number; seed: number; voting?: number },
  noise: Record<RateSource, (gene: number) => number>,
): SourceChoice {
  const random = new Random(seed);
  const nBlocks = Math.max(5, Math.round(nSpots / 5));
  const starts = Array.from({ length: nBlocks }, (_, b) => Math.floor((b * nSpots) / nBlocks));
  const moments = new HeldoutMoments(nGenes, RATE_SOURCES.length, { starts, nSpots });
  for (let gene = 0; gene < nGenes; gene++) {
    const observed = Float32Array.from({ length: nSpots }, () => random.normal());
    const guesses = RATE_SOURCES.map((name) =>
      observed.map((value) => value + noise[name](gene) * random.normal()),
    );
    moments.add(gene, guesses, observed);
  }
  return chooseSource(
    moments,
    Array.from({ length: voting ?? nGenes }, (_, gene) => gene),
  );
}

const [GOOD, BAD] = [() => 1, () => 8];
const size = { nGenes: 200, nSpots: 300, seed: 1 };

describe("the source of rates", () => {
  it("stays the model when the model wins", () => {
    const choice = chosenWith(size, { model: GOOD, interpolation: BAD, spot: BAD });
    expect(choice.source).toBe("model");
    expect(choice.medians.model).toBeGreaterThan(choice.medians.interpolation + 0.3);
  });

  it("is the better predictor when the model clearly loses", () => {
    for (const name of ["interpolation", "spot"] as const) {
      const noise = { model: BAD, interpolation: BAD, spot: BAD, [name]: GOOD };
      expect(chosenWith(size, noise).source).toBe(name);
    }
  });

  it("is not influenced by genes without a vote, however many there are", () => {
    const noise = {
      model: (gene: number) => (gene < 100 ? 1 : 9),
      interpolation: () => 3,
      spot: BAD,
    };
    const many = { nGenes: 2000, nSpots: 49, seed: 2 };
    expect(chosenWith(many, noise).source).toBe("interpolation");
    expect(chosenWith({ ...many, voting: 100 }, noise).source).toBe("model");
  });

  it("stays the model when differences are only noise", () => {
    const same = { model: () => 3, interpolation: () => 3, spot: () => 3 };
    const chosen = Array.from({ length: 20 }, (_, seed) =>
      chosenWith({ nGenes: 100, nSpots: 49, seed }, same),
    );
    const leading = chosen.filter(({ medians }) => medians.interpolation > medians.model);
    expect(leading.length).toBeGreaterThan(4);
    expect(chosen.filter(({ source }) => source === "model").length).toBeGreaterThan(17);
  });
});

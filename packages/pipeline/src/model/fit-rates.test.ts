import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { fitRates } from "./fit-rates.ts";

/** Counts of places that show three groups, drawn with the given rates. */
function drawn(truth: readonly number[], nPlaces: number, seed: number) {
  const random = new Random(seed);
  const k = truth.length;
  const exposure = Float32Array.from({ length: nPlaces * k }, () => 5 * random.uniform());
  const counts = Float64Array.from({ length: nPlaces }, (_, i) =>
    random.poisson(truth.reduce((sum, rate, j) => sum + rate * exposure[i * k + j], 0)),
  );
  const mass = truth.map((_, j) => {
    let sum = 0;
    for (let i = 0; i < nPlaces; i++) sum += exposure[i * k + j];
    return sum;
  });
  return { exposure, counts, mass };
}

const NO_PRIOR = { counts: [0, 0, 0], exposure: 0 };

describe("rates of groups", () => {
  it("are found from the counts of places that show several", () => {
    const truth = [2, 0.5, 0];
    const { exposure, counts, mass } = drawn(truth, 4000, 1);
    const rates = Float64Array.of(1, 1, 1);
    const places = Uint32Array.from(counts.keys());
    fitRates({ exposure, places, counts, mass, prior: NO_PRIOR, rounds: 400 }, rates);
    truth.forEach((rate, j) => expect(rates[j]).toBeCloseTo(rate, 1));
  });

  it("do not depend on places without counts, except by their exposure", () => {
    const { exposure, counts, mass } = drawn([0.05, 0.02, 0.1], 300, 2);
    const counted = [...counts.keys()].filter((i) => counts[i] > 0);
    const fitted = [[...counts.keys()], counted].map((places) => {
      const rates = Float64Array.of(1, 1, 1);
      const own = places.map((i) => counts[i]);
      fitRates({ exposure, places, counts: own, mass, prior: NO_PRIOR, rounds: 50 }, rates);
      return [...rates];
    });
    expect(counted.length).toBeLessThan(200);
    fitted[0].forEach((rate, j) => expect(rate).toBeCloseTo(fitted[1][j], 12));
  });

  it("stay near the prior where it has more counts than the places", () => {
    const { exposure, counts, mass } = drawn([1, 1, 1], 5, 3);
    const places = [...counts.keys()];
    const prior = { counts: [4e4, 2e4, 1e4], exposure: 1e4 };
    const rates = Float64Array.of(1, 1, 1);
    fitRates({ exposure, places, counts, mass, prior, rounds: 50 }, rates);
    [4, 2, 1].forEach((rate, j) => expect(rates[j]).toBeCloseTo(rate, 1));
  });

  it("give abundant places less weight if counts are overdispersed", () => {
    // Two places of one group: a rate of 1 says the abundant one, of 3 the other.
    const problem = {
      exposure: Float64Array.of(1000, 10),
      places: [0, 1],
      counts: [1000, 30],
      mass: [1010],
      prior: { counts: [0], exposure: 0 },
      rounds: 100,
    };
    const [poisson, dispersed] = [0, 1].map((dispersion) => {
      const rates = Float64Array.of(1);
      fitRates({ ...problem, dispersion }, rates);
      return rates[0];
    });
    expect(poisson).toBeCloseTo(1030 / 1010, 6);
    expect(dispersed).toBeGreaterThan(1.5);
  });
});

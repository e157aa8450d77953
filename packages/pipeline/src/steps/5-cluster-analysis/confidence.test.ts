import { expect, it } from "vitest";
import {
  calibrated,
  probability,
  signalsOf,
  surenessOf,
  type ConfidenceSignals,
} from "./confidence.ts";
import table from "./confidence-table.json" with { type: "json" };

const signals = (way: ConfidenceSignals["way"]): ConfidenceSignals => ({
  way,
  posterior: Float32Array.of(0.6, 0.9, 0.9, 0.9),
  evidence: Float32Array.of(0, 0, 3, 3),
  byCluster: new Uint8Array(4),
  purity: Float32Array.of(0.3, 0.3, 0.3, 0.8),
  sureness: 0.7,
  lookGain: 0.05,
});
const chosen = {
  type: Int32Array.of(0, 0, 0, 0),
  posterior: Float32Array.of(0.6, 0.9, 0.9, 0.9),
  margin: new Float32Array(4),
  names: ["T cell"],
};

it("leaves the posterior as it is with the weights of no calibration", () => {
  const own = calibrated(chosen, signals("fit"), {
    fit: [0, 1, 0, 0, 0, 0],
    scores: [],
    cluster: [],
  });
  own.forEach((value, cell) => expect(value).toBeCloseTo(chosen.posterior[cell], 5));
});

it.each(["fit", "scores", "cluster"] as const)(
  "never falls with posterior, evidence or purity (%s)",
  (way) => {
    expect(table[way].slice(1).every((weight) => weight >= 0)).toBe(true);
    const byCluster = new Uint8Array(4).fill(way === "cluster" ? 1 : 0);
    const found = calibrated(chosen, {
      ...signals(way === "cluster" ? "fit" : way),
      byCluster,
    });
    expect([...found]).toEqual([...found].toSorted((a, b) => a - b));
    expect(found[3]).toBeLessThan(1);
  },
);

it("is no higher where the look of cells adds nothing", () => {
  const least = calibrated(chosen, { ...signals("scores"), lookGain: null });
  const none = calibrated(chosen, { ...signals("scores"), lookGain: -0.02 });
  expect([...none]).toEqual([...least]);
  calibrated(chosen, signals("scores")).forEach((own, cell) =>
    expect(own).toBeGreaterThanOrEqual(least[cell]),
  );
});

it("has a map of its own for names that are the cluster's", () => {
  const byCluster = Uint8Array.of(1, 0, 0, 0);
  const known = { fit: [0, 1, 0, 0, 0, 0], scores: [], cluster: [0, 0, 0, 0, 0, 0] };
  const found = calibrated(chosen, { ...signals("fit"), byCluster }, known);
  expect(found[0]).toBe(0.5);
  expect(found[1]).toBeCloseTo(0.9, 5);
});

it("says nothing new of cells without a name", () => {
  const unnamed = { ...chosen, type: Int32Array.of(-1, 0, 0, 0) };
  expect(calibrated(unnamed, signals("scores"))[0]).toBeCloseTo(0.6, 6);
});

it("knows how sure the sample is, without the cells that are to have no type", () => {
  const type = Int32Array.of(0, 0, -1, -1);
  const posterior = Float32Array.of(0.5, 1, 0.4, 0);
  expect(surenessOf({ type, posterior }, undefined)).toBeCloseTo(1.5 / 4, 6);
  expect(surenessOf({ type, posterior }, Uint8Array.of(0, 0, 0, 1))).toBeCloseTo(1.5 / 3, 6);
});

it("is a logistic map", () => {
  expect(probability([0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6])).toBe(0.5);
  expect(probability([1, 0, 0, 0, 0, 0], signalsOf(signals("fit"), 0))).toBeCloseTo(
    1 / (1 + Math.exp(-1)),
    12,
  );
});

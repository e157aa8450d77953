import { expect, it } from "vitest";
import { MARKER_SETS } from "../../markers/index.ts";
import table from "./confidence-table.json" with { type: "json" };
import {
  calibrated,
  posteriorOfNames,
  probability,
  sharesOfNames,
  SIGNALS,
  signalsOf,
  type ConfidenceSignals,
  type NamingWay,
} from "./confidence.ts";

const WAYS = ["fit", "scores", "cluster"] as const;

/** Four cells, each at least as certain as the one before in every respect. */
const signals = (way: NamingWay, others: Partial<ConfidenceSignals> = {}): ConfidenceSignals => ({
  way: way === "cluster" ? "fit" : way,
  posterior: Float32Array.of(0.6, 0.9, 0.9, 0.9),
  ofHalves: Float32Array.of(0.4, 0.8, 0.8, 0.9),
  evidence: Float32Array.of(0, 0, 3, 3),
  byCluster: new Uint8Array(4).fill(way === "cluster" ? 1 : 0),
  purity: Float32Array.of(0.3, 0.3, 0.3, 0.8),
  share: Float32Array.of(0.1, 0.1, 0.2, 0.2),
  raised: { rival: Float32Array.of(4, 4, 1, 1), lead: Float32Array.of(0, 0, 0.5, 1) },
  lookGain: 0.05,
  spots: 70,
  bins: false,
  ...others,
});
const chosen = {
  type: Int32Array.of(0, 0, 0, 0),
  posterior: Float32Array.of(0.6, 0.9, 0.9, 0.9),
  margin: new Float32Array(4),
  names: ["T cell"],
};

it("returns the posterior unchanged with the weights of no calibration", () => {
  const asItIs = SIGNALS.scores.map((name) => (name === "posterior" ? 1 : 0));
  const own = calibrated(chosen, signals("scores"), {
    fit: [],
    scores: asItIs,
    cluster: [],
    counts: [],
  });
  own.forEach((value, cell) => expect(value).toBeCloseTo(chosen.posterior[cell], 5));
});

it.each(WAYS)(
  "has a weight for each signal and never decreases with evidence for a name (%s)",
  (way) => {
    expect(table[way]).toHaveLength(SIGNALS[way].length);
    for (const [i, name] of SIGNALS[way].entries()) {
      if (name !== "constant") expect(table[way][i]).toBeGreaterThanOrEqual(0);
    }
    const found = calibrated(chosen, signals(way));
    expect([...found]).toEqual([...found].toSorted((a, b) => a - b));
    expect(found[0]).toBeLessThan(found[3]);
    expect(found[3]).toBeLessThan(1);
  },
);

it.each([
  ["the look of cells adds nothing", { lookGain: null }],
  ["there are few spots", { spots: 25 }],
  ["the image is out of focus", { poorImage: new Uint8Array(4).fill(1) }],
  ["halves of the spots say something else", { ofHalves: new Float32Array(4).fill(0.2) }],
  [
    "markers of another type are raised as well",
    { raised: { rival: new Float32Array(4).fill(8), lead: new Float32Array(4).fill(-0.5) } },
  ],
] as const)("is no higher where %s, and lower for fitted types", (_, worse) => {
  for (const way of WAYS) {
    const least = calibrated(chosen, signals(way, worse));
    calibrated(chosen, signals(way)).forEach((own, cell) =>
      expect(own).toBeGreaterThanOrEqual(least[cell]),
    );
  }
  const [own, less] = [signals("fit"), signals("fit", worse)].map((of) => calibrated(chosen, of));
  if ("lookGain" in worse && table.fit[SIGNALS.fit.indexOf("lookGain")] === 0) return;
  expect(less[3]).toBeLessThan(own[3]);
});

it("treats no gain from looks like a loss", () => {
  const none = calibrated(chosen, signals("scores", { lookGain: -0.02 }));
  expect([...none]).toEqual([...calibrated(chosen, signals("scores", { lookGain: null }))]);
});

it("has a separate calibration for names that come from the cluster", () => {
  const byCluster = Uint8Array.of(1, 0, 0, 0);
  const known = {
    fit: SIGNALS.fit.map((name) => (name === "ofHalves" ? 1 : 0)),
    scores: [],
    cluster: SIGNALS.cluster.map(() => 0),
    counts: [],
  };
  const found = calibrated(chosen, { ...signals("fit"), byCluster }, known);
  expect(found[0]).toBe(0.5);
  expect(found[1]).toBeCloseTo(0.8, 5);
});

it("does not change cells without a name", () => {
  const unnamed = { ...chosen, type: Int32Array.of(-1, 0, 0, 0) };
  expect(calibrated(unnamed, signals("scores"))[0]).toBeCloseTo(0.6, 6);
});

it("sums the fitted posteriors of the types that a name covers", () => {
  const sets = ["B cell", "T cell", "Macrophage"].map((name) =>
    MARKER_SETS.find((set) => set.name === name)!,
  );
  const rows = [
    [0.2, 0.3, 0.4, 0.1],
    [0.6, 0.1, 0.2, 0.1],
  ];
  const names = ["B cell", "Lymphocyte", "Immune", "CD4 T cell", "Fibroblast"];
  const of = (type: number[]): number[] =>
    [
      ...posteriorOfNames(
        { type: Int32Array.from(type), names },
        sets,
        Float32Array.from(rows.flat()),
      ),
    ].map((value) => Number(value.toFixed(4)));
  expect(of([0, 1])).toEqual([0.2, 0.7]);
  expect(of([2, 3])).toEqual([0.9, 0.1]);
  expect(of([4, -1])).toEqual([0, 0]);
});

it("computes shares of names among all cells, including unnamed ones", () => {
  const shares = sharesOfNames({ type: Int32Array.of(0, 0, 1, -1), names: ["T cell", "B cell"] });
  expect([...shares]).toEqual([0.5, 0.5, 0.25, 0]);
});

it("is a logistic function", () => {
  expect(probability([0, 0, 0], [1, 2, 3])).toBe(0.5);
  const [one] = signalsOf(signals("fit"), 0);
  expect(probability([one], [1])).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
});

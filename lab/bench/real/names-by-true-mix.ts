import { readResult } from "@stipple/pipeline/results";
import { designMatrix, standardize } from "@stipple/pipeline/internal/model/cell-features";
import { membership, type Gate } from "@stipple/pipeline/internal/model/prototypes";
import { openAdam } from "@stipple/numerics/adam";
import { macroF1 } from "@stipple/tissue/metrics/labels";
import { matchSection, type Half } from "./match-section.ts";
import type { MeasuredSection } from "./section.ts";
import { typesInSpots } from "./types-in-spots.ts";

/** Width of the Gaussian weights of the spots around a cell, in pitches; .4 and .6 differ by up to .007. */
const NEAR_PITCHES = 0.5;
/** Share of the section's mean mix that is added to that of the spots around a cell. */
const ELSEWHERE = 0.02;
/** Added to the share of each type in the section's mean mix. */
const MIN_SHARE = 1e-3;
/** Of the regression on looks: steps (twice as many: .001), their size, and the weight decay. */
const [ROUNDS, LEARNING_RATE, DECAY] = [150, 0.05, 1e-3];

export interface TrueMixFigures {
  accuracy: number;
  macroF1: number;
}

/**
 * Names if the mix of types in every spot were known: the looks of types, by a logistic regression on the true types of the
 * section's other half, times the true mix of the spots around the cell. A cell that was not found is wrong. A reference
 * for fits of types to spots, not a bound: it is linear in the looks. O(rounds · cells · types · features + cells · spots).
 */
export async function namesByTrueMix(
  section: MeasuredSection,
  results: string,
  half: Half,
): Promise<TrueMixFigures> {
  const { type, xy } = section.cells;
  const found = await readResult(results, "cells/xy");
  const { judged, matched } = matchSection(section, found.data, "all");
  const labels = [...new Set(type.filter((one) => one !== null))].sort();
  const known = [...judged.keys()].filter((i) => type[judged[i]] !== null);
  const isLeft = (i: number): boolean => xy[2 * judged[i]] < section.widthUm / 2;
  const { nRows, nCols, data } = await readResult(results, "cells/features");
  const phi = designMatrix(nRows, [standardize(data, nRows, nCols)]);
  const mixAt = await trueMix(section, results, labels);
  const names = new Map<number, string>();
  for (const left of [true, false]) {
    const matching = known.filter((i) => matched[i] >= 0);
    const training = matching.filter((i) => isLeft(i) !== left);
    const kinds = training.map((i) => labels.indexOf(type[judged[i]]!));
    const gate = learnedLooks(rowsOf(phi, training, matched), kinds, labels.length);
    const named = matching.filter((i) => isLeft(i) === left);
    const chances = membership(rowsOf(phi, named, matched), gate);
    const sizes = labels.map((_, t) => kinds.filter((kind) => kind === t).length);
    named.forEach((i, row) => {
      const mix = mixAt(xy[2 * judged[i]], xy[2 * judged[i] + 1]);
      const odds = labels.map((_, t) =>
        sizes[t] > 0 ? (mix[t] * chances[row * labels.length + t]) / sizes[t] : 0,
      );
      names.set(i, labels[odds.indexOf(Math.max(...odds))]);
    });
  }
  const shown = known.filter((i) => half === "all" || isLeft(i) === (half === "left"));
  const truth = shown.map((i) => type[judged[i]]!);
  const given = shown.map((i) => names.get(i) ?? null);
  return {
    accuracy: truth.filter((label, k) => given[k] === label).length / truth.length,
    macroF1: macroF1(truth, given).macroF1,
  };
}

interface Features {
  data: Float32Array;
  nCols: number;
}

/** Features of the found cells that match some measured ones. */
function rowsOf({ data, nCols }: Features, some: readonly number[], matched: Int32Array): Features {
  const out = new Float32Array(some.length * nCols);
  some.forEach((i, row) => {
    out.set(data.subarray(matched[i] * nCols, (matched[i] + 1) * nCols), row * nCols);
  });
  return { data: out, nCols };
}

/** Shares of types around a place, µm. */
async function trueMix(
  section: MeasuredSection,
  results: string,
  labels: readonly string[],
): Promise<(x: number, y: number) => number[]> {
  const { pitchUm } = await readResult(results, "sample/scale");
  const spots = (await readResult(results, "spots/xy")).data;
  const inSpot = typesInSpots(section, spots, labels);
  const mean = labels.map(
    (label) =>
      MIN_SHARE +
      section.cells.type.filter((one) => one === label).length / section.cells.type.length,
  );
  return (x, y) => {
    const shares = labels.map(() => 0);
    for (let spot = 0; 2 * spot < spots.length; spot++) {
      const away = Math.hypot(
        spots[2 * spot] * section.umPerPx - x,
        spots[2 * spot + 1] * section.umPerPx - y,
      );
      const weight = Math.exp(-((away / (NEAR_PITCHES * pitchUm)) ** 2) / 2);
      labels.forEach((_, t) => (shares[t] += weight * inSpot[spot * labels.length + t]));
    }
    const total = shares.reduce((sum, share) => sum + share, 0) || 1;
    return shares.map((share, t) => share / total + ELSEWHERE * mean[t]);
  };
}

/** Multinomial logistic regression of kinds on features, the first of which is 1. */
function learnedLooks(phi: Features, kinds: readonly number[], k: number): Gate {
  const gate = { weights: new Float64Array(phi.nCols * k), k };
  const step = openAdam(gate.weights, LEARNING_RATE);
  for (let round = 0; round < ROUNDS; round++) {
    const chances = membership(phi, gate);
    const gradient = gate.weights.map((weight) => -DECAY * weight);
    kinds.forEach((kind, row) => {
      for (let t = 0; t < k; t++) {
        const residual = ((kind === t ? 1 : 0) - chances[row * k + t]) / kinds.length;
        for (let p = 0; p < phi.nCols; p++) {
          gradient[p * k + t] += residual * phi.data[row * phi.nCols + p];
        }
      }
    });
    step((weight) => gradient[weight]);
  }
  return gate;
}

import { readResult } from "@stipple/pipeline/results";
import { standardize } from "@stipple/pipeline/internal/model/cell-features";
import { openAdam } from "@stipple/numerics/adam";
import { macroF1 } from "@stipple/tissue/metrics/labels";
import { matchSection, type Half } from "./match-section.ts";
import type { MeasuredSection } from "./section.ts";

/** Width of the Gaussian weights of the spots around a cell, in pitches: about the best. */
const NEAR_PITCHES = 0.5;
const SPOT_RADIUS_UM = 27.5;
/** Share of the section's mean composition that is added to that of the spots around a cell. */
const ELSEWHERE = 0.02;
const MIN_SHARE = 1e-3;
/** Of the regression on looks: steps, their size, and the weight decay. Twice as many steps change nothing. */
const [ROUNDS, LEARNING_RATE, DECAY] = [150, 0.05, 1e-3];

export interface NameCeiling {
  accuracy: number;
  macroF1: number;
}

/**
 * What names could reach on spots if the types of all cells were known but the one that is named: the looks of types are
 * learned from the true types of the section's other half (linear discriminants), and multiplied by the true composition of
 * the spots around the cell. A cell that was not found is wrong. O(cells · (features² + types · features)).
 */
export async function nameCeiling(
  section: MeasuredSection,
  results: string,
  half: Half,
): Promise<NameCeiling> {
  const { type, xy } = section.cells;
  const found = (await readResult(results, "cells/xy")).data;
  const { judged, matched } = matchSection(section, found, "all");
  const labels = [...new Set(type.filter((one) => one !== null))].sort();
  const kindOf = Int32Array.from(type, (one) => (one === null ? -1 : labels.indexOf(one)));
  const features = await readResult(results, "cells/features");
  const looks = standardize(features.data, features.nRows, features.nCols);
  const isLeft = (cell: number): boolean => xy[2 * cell] < section.widthUm / 2;
  const known = [...judged.keys()].filter((i) => matched[i] >= 0 && kindOf[judged[i]] >= 0);
  const around = await trueComposition(section, results, kindOf, labels.length);
  const names = judged.map((): string | null => null);
  for (const left of [true, false]) {
    const seen = known.filter((i) => isLeft(judged[i]) !== left);
    const rows = seen.map((i) => matched[i]);
    const kinds = Int32Array.from(seen, (i) => kindOf[judged[i]]);
    const score = learnedLooks(looks, rows, kinds, labels.length);
    for (const i of known) {
      if (isLeft(judged[i]) !== left) continue;
      const odds = score(matched[i]);
      const place = around(xy[2 * judged[i]], xy[2 * judged[i] + 1]);
      odds.forEach((_, t) => (odds[t] += Math.log(place[t])));
      names[i] = labels[odds.indexOf(Math.max(...odds))];
    }
  }
  const shown = [...judged.keys()].filter(
    (i) => kindOf[judged[i]] >= 0 && (half === "all" || isLeft(judged[i]) === (half === "left")),
  );
  const truth = shown.map((i) => labels[kindOf[judged[i]]]);
  const given = shown.map((i) => names[i]);
  return {
    accuracy: truth.filter((label, k) => given[k] === label).length / truth.length,
    macroF1: macroF1(truth, given).macroF1,
  };
}

/** Shares of types in the spots around a place, µm. */
async function trueComposition(
  { cells: { xy }, umPerPx }: MeasuredSection,
  results: string,
  kindOf: Int32Array,
  nKinds: number,
): Promise<(x: number, y: number) => Float64Array> {
  const { pitchUm } = await readResult(results, "sample/scale");
  const spots = (await readResult(results, "spots/xy")).data.map((px) => px * umPerPx);
  const nSpots = spots.length / 2;
  const squaredUm = (spot: number, x: number, y: number): number =>
    (spots[2 * spot] - x) ** 2 + (spots[2 * spot + 1] - y) ** 2;
  const mean = new Float64Array(nKinds).fill(MIN_SHARE);
  const inSpot = new Float64Array(nSpots * nKinds);
  kindOf.forEach((kind, cell) => {
    if (kind < 0) return;
    mean[kind] += 1 / kindOf.length;
    for (let spot = 0; spot < nSpots; spot++) {
      if (squaredUm(spot, xy[2 * cell], xy[2 * cell + 1]) > SPOT_RADIUS_UM ** 2) continue;
      inSpot[spot * nKinds + kind]++;
    }
  });
  return (x, y) => {
    const shares = new Float64Array(nKinds);
    for (let spot = 0; spot < nSpots; spot++) {
      const weight = Math.exp(-squaredUm(spot, x, y) / (NEAR_PITCHES * pitchUm) ** 2 / 2);
      for (let t = 0; t < nKinds; t++) shares[t] += weight * inSpot[spot * nKinds + t];
    }
    const total = shares.reduce((sum, share) => sum + share, 0) || 1;
    return shares.map((share, t) => share / total + ELSEWHERE * mean[t]);
  };
}

/**
 * Log likelihood of each kind by a cell's features, up to a constant of the cell: multinomial logistic regression on the
 * training cells, relative to the kinds' shares of these.
 */
function learnedLooks(
  { data, nCols }: { data: Float32Array; nCols: number },
  rows: readonly number[],
  kinds: Int32Array,
  nKinds: number,
): (row: number) => Float64Array {
  const sizes = new Float64Array(nKinds);
  for (const kind of kinds) sizes[kind]++;
  // The last weight of each kind belongs to a feature that is 1.
  const width = nCols + 1;
  const weights = new Float64Array(nKinds * width);
  const logOdds = (row: number): Float64Array =>
    Float64Array.from(sizes, (_, t) => {
      let sum = weights[t * width + nCols];
      for (let p = 0; p < nCols; p++) sum += data[row * nCols + p] * weights[t * width + p];
      return sum;
    });
  const step = openAdam(weights, LEARNING_RATE);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight) => -DECAY * weight);
    rows.forEach((row, i) => {
      chances(logOdds(row)).forEach((chance, t) => {
        const residual = ((kinds[i] === t ? 1 : 0) - chance) / rows.length;
        for (let p = 0; p < nCols; p++) {
          gradient[t * width + p] += residual * data[row * nCols + p];
        }
        gradient[t * width + nCols] += residual;
      });
    });
    step((weight) => gradient[weight]);
  }
  return (row) =>
    logOdds(row).map((odds, t) => (sizes[t] > 0 ? odds - Math.log(sizes[t]) : -Infinity));
}

function chances(logOdds: Float64Array): Float64Array {
  const most = Math.max(...logOdds);
  const odds = logOdds.map((value) => Math.exp(value - most));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / total);
}

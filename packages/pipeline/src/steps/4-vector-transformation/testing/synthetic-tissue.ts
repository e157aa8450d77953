import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import type { Fields } from "../../../store/in-memory.ts";
import { nearestSpots } from "../../../model/nearest-spots.ts";
import { drawSpots, spotComponents } from "../../../self-test/draw-spots.ts";

export interface SyntheticOptions {
  seed: number;
  /** Side of the square tissue, µm. */
  sideUm: number;
  /** Mean distance between neighboring cells, µm. */
  spacingUm?: number;
  nTypes?: number;
  nGenes?: number;
  nFeatures?: number;
  /** Separation of the types' features, in standard deviations of a cell; 0 = morphology is uninformative. */
  morphology?: number;
  umisPerSpot?: number;
}

/** A tissue in which every cell is known, measured with Visium spots. Distances in µm = pixels. */
export interface SyntheticTissue {
  nCells: number;
  nGenes: number;
  /** True counts of the cells, nCells × nGenes dense. */
  truth: Float32Array;
  /** Noise-free rates. */
  rate: Float32Array;
  type: Int32Array;
  cellsXy: Matrix<Float32Array>;
  features: Matrix<Float32Array>;
  observed: Uint8Array;
  spotsXy: Matrix<Float64Array>;
  /** nSpots × nGenes. */
  counts: SparseMatrix;
  /** The overlap matrix that step 3 would estimate: bleed of 0.25 over 80 µm, regardless of the true bleed. */
  overlap: SparseMatrix;
  /** The ten leading principal components of the spots' log-normalized counts. */
  spotPca: Matrix<Float32Array>;
}

const PITCH = 100;
const RADIUS = 27.5;

/** Creates a {@link SyntheticTissue}: domains from smooth random fields, types by domain, bleed 25 % over 70 µm. */
export function syntheticTissue(options: SyntheticOptions): SyntheticTissue {
  const { seed, sideUm: side, spacingUm: spacing = 12.5 } = options;
  const { nTypes = 10, nGenes = 300, nFeatures = 30, morphology = 1, umisPerSpot = 6000 } = options;
  const random = new Random(seed);
  const cellsXy = scatteredCells(random, side, spacing);
  const nDomains = 6;
  const domainOf = smoothDomains(random, nDomains, 500);
  const domain = Int32Array.from({ length: cellsXy.nRows }, (_, i) =>
    domainOf(cellsXy.data[2 * i], cellsXy.data[2 * i + 1]),
  );
  const type = typesByDomain(random, domain, nDomains, nTypes);
  const features = featuresOf(random, type, { nTypes, nFeatures, morphology });
  const profile = profilesOfTypes(random, nTypes, nGenes);
  const cellsPerSpot = (Math.PI * RADIUS * RADIUS) / (spacing * spacing);
  const expression = expressionOf(random, {
    ...{ type, domain, nDomains, nGenes, nTypes, profile },
    umisPerCell: umisPerSpot / cellsPerSpot,
  });
  const spotsXy = spotGrid(side);
  const observed = new Uint8Array(cellsXy.nRows);
  const overlap = overlapMatrix(cellsXy, spotsXy, 0.25, 80, observed);
  const capture = overlapMatrix(cellsXy, spotsXy, 0.25, 70, observed);
  const efficiency = Float64Array.from({ length: spotsXy.nRows }, () =>
    Math.exp(0.25 * random.normal()),
  );
  const counts = drawSpots(random, capture, expression.truth, nGenes, efficiency);
  return {
    ...{ nCells: cellsXy.nRows, nGenes, type, cellsXy, features },
    ...{ observed, spotsXy, counts, overlap },
    ...expression,
    spotPca: spotComponents(counts),
  };
}

/** Cells near the nodes of a square grid. */
function scatteredCells(random: Random, side: number, spacing: number): Matrix<Float32Array> {
  const perSide = Math.floor(side / spacing);
  const nCells = perSide * perSide;
  const data = new Float32Array(nCells * 2);
  for (let i = 0; i < nCells; i++) {
    data[2 * i] = ((i % perSide) + 0.5 + 0.7 * (random.uniform() - 0.5)) * spacing;
    data[2 * i + 1] = (Math.floor(i / perSide) + 0.5 + 0.7 * (random.uniform() - 0.5)) * spacing;
  }
  return { nRows: nCells, nCols: 2, data };
}

function typesByDomain(
  random: Random,
  domain: Int32Array,
  nDomains: number,
  nTypes: number,
): Int32Array {
  const mixture = Array.from({ length: nDomains }, () => {
    const weights = Array.from({ length: nTypes }, () => random.gamma(0.5) + 0.02);
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  });
  return domain.map((own) => {
    let left = random.uniform();
    for (let t = 0; t < nTypes; t++) {
      left -= mixture[own][t];
      if (left < 0) return t;
    }
    return nTypes - 1;
  });
}

/** Half of the features depend on the type, half are noise. */
function featuresOf(
  random: Random,
  type: Int32Array,
  { nTypes, nFeatures, morphology }: { nTypes: number; nFeatures: number; morphology: number },
): Matrix<Float32Array> {
  const centers = new Float64Array(nTypes * nFeatures);
  for (let t = 0; t < nTypes; t++)
    for (let f = 0; f < nFeatures >> 1; f++)
      centers[t * nFeatures + f] = morphology * 0.5 * random.normal();
  const data = new Float32Array(type.length * nFeatures);
  for (let i = 0; i < type.length; i++)
    for (let f = 0; f < nFeatures; f++)
      data[i * nFeatures + f] = centers[type[i] * nFeatures + f] + random.normal();
  return { nRows: type.length, nCols: nFeatures, data };
}

/** A quarter of the genes mark one type, a third vary, and the rest hardly do. nTypes × nGenes. */
function profilesOfTypes(random: Random, nTypes: number, nGenes: number): Float64Array {
  const profile = new Float64Array(nTypes * nGenes);
  const base = Float64Array.from({ length: nGenes }, () => Math.exp(1.2 * random.normal()));
  for (let g = 0; g < nGenes; g++) {
    const kind = random.uniform();
    const marks = random.below(nTypes);
    for (let t = 0; t < nTypes; t++) {
      const change =
        kind < 0.25
          ? t === marks
            ? 8
            : 0.3
          : Math.exp((kind < 0.6 ? 0.8 : 0.15) * random.normal());
      profile[t * nGenes + g] = base[g] * change;
    }
  }
  return profile;
}

/** Rates and counts of cells: each has a total of its own, and domains change genes. */
function expressionOf(
  random: Random,
  cells: {
    type: Int32Array;
    domain: Int32Array;
    nDomains: number;
    nGenes: number;
    nTypes: number;
    profile: Float64Array;
    umisPerCell: number;
  },
): Pick<SyntheticTissue, "truth" | "rate"> {
  const { type, domain, nDomains, nGenes, nTypes, profile, umisPerCell } = cells;
  const shift = Float64Array.from({ length: nDomains * nGenes }, () =>
    Math.exp(0.25 * random.normal()),
  );
  let mean = 0;
  for (const value of profile) mean += value / nTypes;
  const depth = umisPerCell / mean;
  const truth = new Float32Array(type.length * nGenes);
  const rate = new Float32Array(type.length * nGenes);
  for (let i = 0; i < type.length; i++) {
    const library = depth * Math.exp(0.35 * random.normal());
    for (let g = 0; g < nGenes; g++) {
      const lambda = library * profile[type[i] * nGenes + g] * shift[domain[i] * nGenes + g];
      rate[i * nGenes + g] = lambda;
      truth[i * nGenes + g] = random.poisson((lambda * random.gamma(3)) / 3);
    }
  }
  return { truth, rate };
}

/** Spots on a hexagonal grid. */
function spotGrid(side: number): Matrix<Float64Array> {
  const spots: number[] = [];
  for (let r = 0, y = 60; y < side - 40; y += (PITCH * Math.sqrt(3)) / 2, r++)
    for (let x = 60 + (r % 2) * (PITCH / 2); x < side - 40; x += PITCH) spots.push(x, y);
  return { nRows: spots.length / 2, nCols: 2, data: Float64Array.from(spots) };
}

function smoothDomains(
  random: Random,
  n: number,
  lengthUm: number,
): (x: number, y: number) => number {
  const waves = Array.from({ length: n * 12 }, () => ({
    kx: random.normal() / lengthUm,
    ky: random.normal() / lengthUm,
    phase: 2 * Math.PI * random.uniform(),
  }));
  return (x, y) => {
    let best = 0;
    let most = -Infinity;
    for (let d = 0; d < n; d++) {
      let sum = 0;
      for (let w = d * 12; w < d * 12 + 12; w++) {
        const { kx, ky, phase } = waves[w];
        sum += Math.cos(kx * x * 2 + ky * y * 2 + phase);
      }
      if (sum > most) {
        most = sum;
        best = d;
      }
    }
    return best;
  };
}

/** (1 − β) · inside + β · κ exp(−d/ℓ), with κ scaled so that each spot's bleed sums to the content of its inside. */
function overlapMatrix(
  cells: Matrix<Float32Array>,
  spots: Matrix<Float64Array>,
  beta: number,
  length: number,
  observed: Uint8Array,
): SparseMatrix {
  const indptr = new Uint32Array(spots.nRows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let s = 0; s < spots.nRows; s++) {
    const near: [cell: number, inside: number, far: number][] = [];
    let inside = 0;
    let far = 0;
    for (let i = 0; i < cells.nRows; i++) {
      const dx = cells.data[2 * i] - spots.data[2 * s];
      const dy = cells.data[2 * i + 1] - spots.data[2 * s + 1];
      if (Math.abs(dx) > 240 || Math.abs(dy) > 240) continue;
      const d = Math.hypot(dx, dy);
      if (d > 240) continue;
      const within = Math.max(0, Math.min(1, (RADIUS + 4 - d) / 8));
      if (within > 0) observed[i] = 1;
      const reach = Math.exp(-d / length);
      inside += within;
      far += reach;
      near.push([i, within, reach]);
    }
    for (const [cell, within, reach] of near) {
      indices.push(cell);
      data.push((1 - beta) * within + (beta * reach * inside) / far);
    }
    indptr[s + 1] = indices.length;
  }
  return {
    nRows: spots.nRows,
    nCols: cells.nRows,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

/** Fields that steps 0–3 would write for a synthetic tissue, µm = px. */
export function syntheticFields(tissue: SyntheticTissue): Fields {
  const { spotsXy, cellsXy, nCells, nGenes, spotPca } = tissue;
  const near = nearestSpots(cellsXy, spotsXy, { lengthPx: 80, width: 1, always: true });
  return {
    "sample/scale": {
      micronsPerPixel: 1,
      source: "array_pitch",
      residualPx: 0,
      pitchUm: 100,
      spotSizeUm: 55,
      spotShape: "disc",
      warnings: [],
    },
    "sample/segmentation": {
      method: "network",
      fallbackReason: null,
      nNuclei: nCells,
      medianNucleusAreaUm2: 40,
      workingMicronsPerPixel: 0.5,
      maxExpansionUm: 8,
      imageQuality: null,
      warnings: [],
    },
    "spots/xy": spotsXy,
    "spots/counts": tissue.counts,
    "spots/X_pca": spotPca,
    "spots/cells": tissue.overlap,
    "cells/xy": cellsXy,
    "cells/features": tissue.features,
    "features/name": Array.from({ length: tissue.features.nCols }, (_, f) => `feature_${f}`),
    "cells/observed": tissue.observed,
    "cells/spot": near.spot,
    "genes/symbol": Array.from({ length: nGenes }, (_, g) => `Gene${g}`),
    "genes/id": Array.from({ length: nGenes }, (_, g) => `Gene${g}`),
  };
}

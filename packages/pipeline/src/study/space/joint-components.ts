import { covarianceOf } from "@stipple/numerics/covariance";
import { concatenated } from "@stipple/numerics/concatenated";
import type { Matrix } from "@stipple/numerics/matrices";
import { openGraph, type GraphRun } from "@stipple/numerics/onnx-graph";
import { principalAxes, type PrincipalAxes } from "@stipple/numerics/principal-axes";
import { release } from "@stipple/numerics/release";
import { pause } from "../../engine/pause.ts";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { SharedGenes } from "../shared-genes.ts";
import type { SpaceSample } from "./space-sample.ts";

export const N_COMPONENTS = 30;
const MAX_GENES = 2000;
/** Rows of a sample from which variable genes are found. */
const MAX_FOR_GENES = 2000;
/** Rows of all samples from which axes are found. */
const MAX_FOR_AXES = 30_000;
/** Rows read together. */
const BLOCK = 2048;

export interface JointOptions {
  seed: number;
  signal: AbortSignal;
  reached(fraction: number): void;
}

/**
 * Principal components of log-normalized values over the genes that vary most within samples; all totals are scaled to one
 * value, and each sample weighs by its part of the landmarks (sample by sample, row numbers). All kept rows are projected,
 * sample after sample, in blocks: the memory is that of the components.
 */
export async function jointComponents(
  samples: readonly SpaceSample[],
  shared: SharedGenes,
  landmarks: readonly Uint32Array<ArrayBuffer>[],
  { seed, signal, reached }: JointOptions,
): Promise<{ components: Matrix<Float32Array<ArrayBuffer>>; genes: number[] }> {
  const scale = await commonTotal(samples, landmarks);
  const genes = await variableGenes(samples, shared, landmarks, scale, signal);
  reached(0.15);
  const own = samples.map((_, s) => Uint32Array.from(genes, (gene) => shared.at[s][gene]));
  const blockOf = (s: number, rows: Uint32Array) => samples[s].block(rows, own[s], scale);
  const most = Math.ceil(MAX_FOR_AXES / samples.length);
  const training: Float32Array[] = [];
  for (const [s, rows] of landmarks.entries()) {
    training.push(await blockOf(s, evenly(rows, most)));
    throwIfCancelled(signal);
  }
  const data = concatenated(training);
  const nCols = genes.length;
  const axes = principalAxes(data, nCols, N_COMPONENTS, seed, await covarianceOf(data, nCols));
  release(data);
  reached(0.3);
  const total = samples.reduce((sum, { kept }) => sum + kept.length, 0);
  const components = new Float32Array(total * axes.nAxes);
  const scoresOf = await openProjection(axes);
  let row = 0;
  for (const [s, { kept }] of samples.entries()) {
    for (let from = 0; from < kept.length; from += BLOCK) {
      const block = await blockOf(s, kept.subarray(from, from + BLOCK));
      const scores = await scoresOf(block);
      release(block);
      center(scores, axes, components, row * axes.nAxes);
      row += Math.min(BLOCK, kept.length - from);
      reached(0.3 + 0.7 * (row / total));
      await pause(signal);
    }
  }
  return { components: { nRows: total, nCols: axes.nAxes, data: components }, genes };
}

/** The median total of the landmarks, to which all totals are scaled. */
async function commonTotal(
  samples: readonly SpaceSample[],
  landmarks: readonly Uint32Array[],
): Promise<number> {
  const totals: number[] = [];
  for (const [s, sample] of samples.entries()) {
    for (const total of await sample.totals(landmarks[s])) totals.push(total);
  }
  totals.sort((a, b) => a - b);
  return totals[totals.length >> 1];
}

/**
 * Genes usable in all samples with the largest variability, averaged over samples, so that what differs between samples does
 * not count.
 */
async function variableGenes(
  samples: readonly SpaceSample[],
  { at, id }: SharedGenes,
  landmarks: readonly Uint32Array[],
  scale: number,
  signal: AbortSignal,
): Promise<number[]> {
  const sums = new Float64Array(id.length);
  for (const [s, sample] of samples.entries()) {
    const own = await sample.variability(evenly(landmarks[s], MAX_FOR_GENES), scale);
    at[s].forEach((gene, i) => (sums[i] += own[gene]));
    throwIfCancelled(signal);
  }
  const order = Array.from(sums.keys()).filter((gene) => Number.isFinite(sums[gene]));
  if (order.length < 2) {
    throw new InputError(
      "No genes are seen in all samples, so there is no joint space: use samples with more counts.",
    );
  }
  order.sort((a, b) => sums[b] - sums[a] || a - b);
  return order.slice(0, MAX_GENES).sort((a, b) => a - b);
}

function evenly(rows: Uint32Array, most: number): Uint32Array {
  if (rows.length <= most) return rows;
  return Uint32Array.from({ length: most }, (_, i) => rows[Math.floor((i * rows.length) / most)]);
}

function openProjection({ axes, mean, nAxes }: PrincipalAxes): Promise<GraphRun> {
  const data = Float32Array.from(axes);
  return openGraph({
    nodes: [{ operator: "MatMul", inputs: ["rows", "axes"], output: "scores" }],
    constants: [{ name: "axes", shape: [mean.length, nAxes], data }],
    inputs: [{ name: "rows", shape: ["rows", mean.length] }],
    output: { name: "scores", shape: ["rows", nAxes] },
  });
}

/** Puts scores less those of the mean into the components. */
function center(
  scores: Float32Array,
  { axes, mean, nAxes }: PrincipalAxes,
  components: Float32Array,
  to: number,
): void {
  const offset = new Float64Array(nAxes);
  mean.forEach((value, gene) => {
    for (let a = 0; a < nAxes; a++) offset[a] += value * axes[gene * nAxes + a];
  });
  for (let i = 0; i < scores.length; i++) components[to + i] = scores[i] - offset[i % nAxes];
}

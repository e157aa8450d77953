import { isIndependent } from "@stipple/numerics/least-squares";
import type { StudySpace } from "./embed-samples.ts";

/** Samples count as mixed without correction from this share of full mixing on. */
const MIXED = 0.9;
/** Own conditions are more frequent among neighbors than by chance from here on. */
const DIFFERENT = 1.25;

/** What correction should not be trusted with, a sentence each. `samples` are the study's, in its order. */
export function correctionWarnings({
  samples,
  mixing,
  over,
}: Pick<StudySpace, "samples" | "mixing" | "over">): string[] {
  const warnings: string[] = [];
  const inseparable = inseparableConditions(samples);
  if (inseparable.length > 0) {
    warnings.push(
      `Batches and conditions cannot be told apart (${inseparable.join(", ")}): correction removes what distinguishes these conditions with what distinguishes the batches. Compare them by counts, or add samples of other conditions to each batch.`,
    );
  }
  const own = mixing.ownCondition;
  if (own && own.before >= DIFFERENT && own.after - 1 < (own.before - 1) / 2) {
    warnings.push(
      `Before correction, neighbors from other samples are of the same condition ${times(own.before)} as often as by chance, after it ${times(own.after)}: correction over ${over === "batch" ? "batches" : "samples"} has removed much of what distinguishes the conditions. Look for it in the uncorrected space.`,
    );
  }
  return warnings;
}

/** What was found, a sentence each. */
export function spaceSummary(space: StudySpace): string[] {
  const { kind, samples, mixing, over, nGenes, nClusters } = space;
  const placed = samples.reduce((sum, { rows }) => sum + rows.length, 0);
  const left = samples.reduce((sum, { nRows }) => sum + nRows, 0) - placed;
  const { before, after, full } = mixing.samples;
  const what = kind.on === "counts" ? "observed counts" : "inferred rates";
  const sentences = [
    `${whole(placed)} ${kind.of} of ${samples.length} samples in one space, from ${what} of ${whole(nGenes)} genes${left > 0 ? `; ${whole(left)} ${kind.of} without enough ${kind.on === "counts" ? "counts" : "evidence"} are left out` : ""}.`,
    `The neighborhood of a ${kind.of === "cells" ? "cell" : "spot"} holds ${figure(before)} samples before correction and ${figure(after)} after it (LISI; ${figure(full)} if all were mixed). Corrected over ${over === "batch" ? "batches" : "samples"} (Harmony); ${nClusters} joint clusters.`,
  ];
  if (mixing.types) {
    sentences.push(
      `It holds ${figure(mixing.types.before)} cell types before and ${figure(mixing.types.after)} after correction: the closer to 1, the better types stay apart.`,
    );
  }
  if (before >= MIXED * full) {
    sentences.push("The samples are mixed without correction: use the uncorrected space.");
  }
  return sentences;
}

/** Conditions that are the same as some batches. */
function inseparableConditions(samples: StudySpace["samples"]): string[] {
  const levels = (key: "condition" | "batch"): string[] => [
    ...new Set(samples.map((sample) => sample[key])),
  ];
  const [conditions, batches] = [levels("condition"), levels("batch")];
  if (conditions.length < 2 || batches.length < 2) return [];
  const is = (key: "condition" | "batch", level: string): number[] =>
    samples.map((sample) => (sample[key] === level ? 1 : 0));
  const design = [samples.map(() => 1), ...batches.slice(1).map((batch) => is("batch", batch))];
  return conditions.filter((one) => !isIndependent(design, is("condition", one)));
}

function times(ratio: number): string {
  return `${figure(ratio)} times`;
}

function figure(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

function whole(value: number): string {
  return value.toLocaleString("en-US");
}

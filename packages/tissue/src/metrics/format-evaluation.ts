import { MIN_COUNTS } from "@stipple/pipeline/self-test";
import type { Evaluation } from "./evaluate-results.ts";
import { METHODS, type Method } from "./predictions.ts";

const NAME_WIDTH = Math.max(...Object.values(METHODS).map((name) => name.length));

/** Formats the figures as a table for the terminal. */
export function formatEvaluation(evaluation: Evaluation): string {
  const { nuclei, centers, typing, conservation, heldout, blind, truth } = evaluation;
  const figure = (value: number): string => value.toFixed(3).padStart(8);
  const lines = [
    `${truth.nCells} true cells, ${evaluation.nPredicted} found; ${truth.nGenes} genes; ${truth.platform}, ${truth.staining}, ` +
      `seed ${truth.seed}, ${truth.species}, morphology ${truth.morphologyInformative}`,
    "",
    "Detection                          F1  precision  recall",
    `  nuclei, overlap ≥ 0.5      ${figure(nuclei.f1)}   ${figure(nuclei.precision)}${figure(nuclei.recall)}`,
    `  centers within 6 µm        ${figure(centers.f1)}   ${figure(centers.precision)}${figure(centers.recall)}`,
    "",
    `Median per-gene Pearson over all true cells (a missed cell is 0)`,
    `  ${"".padEnd(NAME_WIDTH)}     all  306 var markers`,
    ...(Object.keys(METHODS) as Method[]).flatMap((method) => {
      const score = evaluation.expression[method];
      if (!score) return [];
      return [
        `  ${METHODS[method].padEnd(NAME_WIDTH)}${figure(score.all)}${figure(score.variable)}${figure(score.markers)}`,
      ];
    }),
    "",
    "Cell types",
    `  macro-F1, all true cells   ${figure(typing.macroF1)}`,
    `  macro-F1, detected cells   ${figure(typing.macroF1Detected)}`,
    `  ARI of types / clusters    ${figure(typing.ari)} /${figure(typing.clusterAri)}`,
    `  without a true name        ${figure(typing.unknownFraction)}`,
    `  calibration error          ${figure(typing.calibrationError)}`,
    ...Object.entries(typing.perLabel).map(
      ([label, { f1, precision, recall, count }]) =>
        `    ${label.padEnd(22)}${figure(f1)}  precision${figure(precision)}  recall${figure(recall)}  n ${count}`,
    ),
    "",
    ...(evaluation.domainAri === null
      ? []
      : [`Spatial domains, ARI: ${evaluation.domainAri.toFixed(3)}`]),
    `Conservation: worst gene off by ${conservation.worstGeneDifference} counts, ${conservation.relative.toExponential(1)} of all`,
    `Held-out estimate vs. truth, rank correlation over ${heldout.nGenes} genes: ${heldout.rho.toFixed(3)}`,
    ...(evaluation.selfTest === null
      ? []
      : [
          `Genes with ${MIN_COUNTS} UMIs or more: expected ${evaluation.selfTest.expected?.toFixed(3) ?? "–"}, in the self-test's twin ${evaluation.selfTest.twin.toFixed(3)}; the true median is ${evaluation.selfTest.actual.toFixed(3)}`,
        ]),
    "Correlations across genes, blind to wrong cells, for comparison only:",
    `  means      ${blind.rate.acrossGenes.toFixed(5)}, with the cells shuffled ${blind.shuffled.acrossGenes.toFixed(5)}`,
    `  detection  ${blind.rate.detection.toFixed(5)}, with the cells shuffled ${blind.shuffled.detection.toFixed(5)}`,
  ];
  return `${lines.join("\n")}\n`;
}

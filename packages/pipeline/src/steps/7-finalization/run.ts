import { mainReason } from "@stipple/contract";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StepContext } from "../../step.ts";
import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { hashAhead, hashFile } from "../../store/hash-file.ts";
import { runSelfTest } from "../../self-test/run-self-test.ts";
import { writeAnnotatedFigures } from "./annotated-figures.ts";
import { checksumOf, type FileChecksum } from "./checksum.ts";
import { checkConservation } from "./conservation.ts";
import { filesIn } from "./files-in.ts";
import { environment, inputChecksums, STIPPLE_VERSION, type Provenance } from "./provenance.ts";
import { readmeText } from "./readme-text.ts";
import { readResults, type Results } from "./read-results.ts";
import type { ReportContent } from "./report/report-content.ts";
import { tellingSpotGenes, writeSpotGeneFigures } from "./report/spot-gene-figures.ts";
import { writeReport } from "./report/write-report.ts";
import { sampleNameOf } from "./spatial-slot.ts";
import { countedIn, statisticsOf } from "./statistics.ts";
import type { FinalizationParameters } from "./step.ts";
import { verdictOf } from "./verdict/verdict.ts";
import { collectTables, takesOutlines, writeExports, writeSmallTables } from "./write-exports.ts";

/** Number of gene maps in a report without reliable genes. */
const SPOT_GENES = 4;

/** Writes all exports, the report, and everything needed to repeat the analysis. */
export async function run(context: StepContext<FinalizationParameters>): Promise<void> {
  const { progress, signal, log, warn } = context;
  const output = context.shared("analysis_results/output");
  await mkdir(output);
  const writeJson = (path: string, value: unknown): Promise<void> =>
    writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

  const results = await readResults(context);
  const { cells, genes, facts } = results;
  const conservation = checkConservation(genes.observed, genes.assigned, genes.unassigned);
  if (conservation.exact) {
    log(
      `Counts are conserved exactly: ${conservation.observedCounts.toLocaleString("en-US")} observed = ${conservation.assignedCounts.toLocaleString("en-US")} in ${results.spotLevel ? "spots" : "cells"} + ${conservation.unassignedCounts.toLocaleString("en-US")} unassigned.`,
    );
  } else {
    warn(
      `Counts are not conserved for ${conservation.genesOff} genes (largest difference ${conservation.largestDifference}). Don't use the counts layer, and report this problem.`,
    );
  }
  progress(0.05);

  const verdict = verdictOf(results, context.settings);
  log(
    `Verdict: ${verdict.grade}. ${verdict.sentence} ${mainReason(verdict)?.sentence ?? ""}`.trimEnd(),
  );
  // This thread runs the self-test and draws the report's maps while other threads compute the exports.
  const [ofExports, ofSelfTest, ofInputs] = progressParts([0.75, 0.07, 0.05], (done) =>
    progress(0.05 + done),
  );
  const [written, selfTest, inputs, spotGenes] = await sideBySide(signal, [
    (either) => writeExports({ ...context, signal: either }, results, verdict, output, ofExports),
    async (either) =>
      context.params.selfTest
        ? runSelfTest(context.read, results.rates, {
            types: await context.readIfAny("sample/type_fit"),
            seed: context.settings.seed,
            signal: either,
            progress: ofSelfTest,
          })
        : null,
    (either) =>
      inputChecksums(context.files, { tasks: context.tasks, signal: either, progress: ofInputs }),
    async (either) =>
      verdict.figures.reliableGenes === 0
        ? spotGeneMaps({ ...context, signal: either }, results)
        : [],
  ]);
  log(
    written.h5ad.droppedBelow > 0
      ? `Wrote the h5ad with ${written.h5ad.entries.toLocaleString("en-US")} rates; those below ${written.h5ad.droppedBelow.toPrecision(3)} (${(100 * written.h5ad.droppedFraction).toFixed(2)}% of all inferred expression) are left out.`
      : `Wrote the h5ad with ${written.h5ad.entries.toLocaleString("en-US")} rates.`,
  );
  if (selfTest) {
    await context.write("sample/self_test", selfTest);
    log(selfTest.sentence);
  }
  progress(0.92);
  await writeSmallTables(context, results, output);
  const tables = await collectTables(context, output);
  const annotatedFigures = await writeAnnotatedFigures(context, results, output);
  progress(0.93);
  const statistics = statisticsOf(
    cells.barcodes.length,
    genes.names.length,
    cells.evidence,
    verdict,
    countedIn(facts.scale, facts.fineBins),
  );
  await writeJson(join(output, "statistics.json"), statistics);
  const sample = sampleNameOf(context);
  await writeFile(
    join(output, "README.txt"),
    readmeText({
      version: STIPPLE_VERSION,
      sample,
      spotLevel: results.spotLevel,
      bins: results.facts.scale.spotShape === "square",
      looksHelp: results.facts.expression.morphologyHelps,
      spaceRanger: takesOutlines(context, results),
      nCells: cells.xy.nRows,
      nGenes: genes.names.length,
      countsFrom: statistics.counts_from,
      nReliable: genes.reliable.reduce((sum, flag) => sum + flag, 0),
      proportions: results.spots.proportions !== null,
      regions: results.regions !== null,
      annotations: results.annotations !== null,
      annotatedFigures: annotatedFigures.length > 0,
      proteins: results.proteins !== null,
      written,
      tables,
    }),
  );

  const provenance: Provenance = {
    ...environment(),
    created: new Date().toISOString(),
    settings: context.settings,
    seed: context.settings.seed,
    input: {
      layout: context.files.layout,
      files: inputs,
    },
    sample: facts,
    steps: context.history.map(
      ({ warnings: _warnings, fields: _fields, files: _files, ...manifest }) => manifest,
    ),
    conservation,
    rates: written.h5ad,
    warnings: context.history.flatMap(({ step, warnings }) =>
      warnings.map((message) => ({ step, message })),
    ),
  };
  await writeJson(join(output, "provenance.json"), provenance);

  const extras = await reportExtras(context);
  const checksums = exportChecksums(context, output, (done) => progress(0.93 + 0.06 * done));
  // This thread draws the report while others read gigabytes.
  const [exports] = await sideBySide(signal, [
    () => checksums,
    () =>
      writeReport(join(output, "report.html"), {
        sample,
        results,
        statistics,
        provenance,
        written,
        selfTest,
        ...extras,
        annotatedFigures,
        spotGenes,
        exports: checksums,
        noun: results.spotLevel ? "spot" : "cell",
      }),
  ]);
  exports.push(await checksumOf(join(output, "report.html"), signal));
  await writeJson(context.output("summary.json"), { folder: "analysis_results/output", exports });
  log(`Exported ${(await readdir(output)).sort().join(", ")}.`);
}

/** Maps of the genes that differ most between clusters of spots. */
async function spotGeneMaps(
  { read, output, signal }: StepContext,
  { spots, genes, facts, rates, spotCounts }: Results,
): Promise<string[]> {
  const isHeld = rates.evidence.spotCounts === "spots/counts";
  const counts = isHeld ? spotCounts : await read("spots/counts");
  const sample = {
    ...spots,
    counts,
    names: genes.names,
    scale: facts.scale,
    facts: facts.image,
  };
  const chosen = tellingSpotGenes(sample, SPOT_GENES);
  return writeSpotGeneFigures(sample, chosen, (file) => output(file), signal);
}

/** Content shown only in the report: markers, statistics, and the figures from all steps. */
async function reportExtras({
  read,
  readIfAny,
}: StepContext): Promise<Pick<ReportContent, "markers" | "spatial" | "figures">> {
  return {
    markers: (await readIfAny("sample/markers")) ?? [],
    spatial: await readIfAny("sample/spatial_statistics"),
    figures: [
      ...(await read("spots/figures")),
      ...(await read("image/figures")),
      ...(await read("cells/figures")),
      ...(await read("sample/figures")),
    ],
  };
}

/** Size and SHA-256 of each exported file, by its path in the folder. */
async function exportChecksums(
  { tasks, signal }: StepContext,
  folder: string,
  progress: (fraction: number) => void,
): Promise<FileChecksum[]> {
  const paths = await filesIn(folder);
  await hashAhead(paths, { tasks, signal, progress });
  const checksums: FileChecksum[] = [];
  for (const path of paths) {
    const { size, sha256 } = await hashFile(path);
    checksums.push({
      file: path.slice(folder.length + 1).replaceAll("\\", "/"),
      bytes: size,
      sha256,
    });
  }
  return checksums;
}

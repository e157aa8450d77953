import { counted } from "@stipple/contract/counted";
import { mainReason, type Verdict } from "@stipple/contract";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RateSummary } from "../../exports/anndata/write-rates.ts";
import type { StepContext } from "../../step.ts";
import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { captureNoun, rowNoun } from "../../model/row-noun.ts";
import { runSelfTest } from "../../self-test/run-self-test.ts";
import { writeAnnotatedFigures } from "./annotated-figures.ts";
import { checksumsOf, type FileChecksum, filesIn } from "./checksum.ts";
import { checkConservation, type Conservation } from "./conservation.ts";
import { inputChecksums, provenanceOf, STIPPLE_VERSION } from "./provenance.ts";
import { readmeText, type ReadmeFacts } from "./readme-text.ts";
import { readResults, type Results } from "./read-results.ts";
import type { ReportContent } from "./report/report-content.ts";
import { distinctiveSpotGenes, writeSpotGeneFigures } from "./report/spot-gene-figures.ts";
import { writeReport } from "./report/write-report.ts";
import { sampleNameOf } from "./spatial-slot.ts";
import { countedIn, statisticsOf } from "./statistics.ts";
import type { FinalizationParameters } from "./step.ts";
import { verdictOf } from "./verdict/verdict.ts";
import { collectTables, takesOutlines, writeExports, writeSmallTables } from "./write-exports.ts";

/** Number of gene maps in a report without reliable genes. */
const SPOT_GENES = 4;

type Context = StepContext<FinalizationParameters>;

/** Writes all exports, the report, and everything needed to repeat the analysis. */
export async function run(given: Context): Promise<void> {
  const warnings: string[] = [];
  // The report and provenance.json state this step's own warnings, too.
  const warn = (message: string): void => {
    warnings.push(message);
    given.warn(message);
  };
  const context = { ...given, warn };
  const { progress, signal, log } = context;
  const output = context.shared("analysis_results/output");
  await mkdir(output);
  const results = await readResults(context);
  const conservation = conservationOf(context, results);
  progress(0.05);
  const verdict = verdictOf(results, context.settings);
  log(
    `Verdict: ${verdict.grade}. ${verdict.sentence} ${mainReason(verdict)?.sentence ?? ""}`.trimEnd(),
  );
  const { written, selfTest, inputs, spotGenes } = await computeSideBySide(
    context,
    results,
    verdict,
    output,
  );
  log(ratesInWords(written.h5ad));
  if (selfTest) {
    await context.write("sample/self_test", selfTest);
    log(selfTest.sentence);
  }
  progress(0.92);
  await writeSmallTables(context, results, output);
  const tables = await collectTables(context, output);
  const annotatedFigures = await writeAnnotatedFigures(context, results, output);
  progress(0.93);
  const { cells, genes, facts } = results;
  const countsFrom = countedIn(facts.scale, facts.fineBins);
  const statistics = statisticsOf(
    cells.barcodes.length,
    genes.names.length,
    cells.evidence,
    verdict,
    countsFrom,
  );
  await writeJson(join(output, "statistics.json"), statistics);
  const sample = sampleNameOf(context);
  const readme = readmeText({
    ...factsOf(results, context),
    ...{ sample, countsFrom, written, tables },
    annotatedFigures: annotatedFigures.length > 0,
  });
  await writeFile(join(output, "README.txt"), readme);
  const provenance = provenanceOf({ ...context, warnings }, results, inputs, {
    conservation,
    rates: written.h5ad,
  });
  await writeJson(join(output, "provenance.json"), provenance);

  const extras = await reportExtras(context);
  const checksums = exportChecksums(context, output, (done) => progress(0.93 + 0.06 * done));
  const report = {
    ...{ sample, results, statistics, provenance, written, selfTest, annotatedFigures, spotGenes },
    ...extras,
    exports: checksums,
    noun: rowNoun(facts.segmentation, facts.scale),
    spotNoun: captureNoun(facts.scale),
  } as const;
  // This thread draws the report while others read gigabytes.
  const [exports] = await sideBySide(signal, [
    () => checksums,
    () => writeReport(join(output, "report.html"), report),
  ]);
  exports.push(...(await checksumsOf([join(output, "report.html")], { signal })));
  await writeJson(context.output("summary.json"), { folder: "analysis_results/output", exports });
  log(`Exported ${(await readdir(output)).sort().join(", ")}.`);
}

/** Checks that no count was lost, and says so. */
function conservationOf({ log, warn }: Context, { genes, facts }: Results): Conservation {
  const conservation = checkConservation(genes.observed, genes.assigned, genes.unassigned);
  if (conservation.exact) {
    log(
      `Counts are conserved exactly: ${conservation.observedCounts.toLocaleString("en-US")} observed = ${conservation.assignedCounts.toLocaleString("en-US")} in ${rowNoun(facts.segmentation, facts.scale)}s + ${conservation.unassignedCounts.toLocaleString("en-US")} unassigned.`,
    );
  } else {
    warn(
      `Counts are not conserved for ${counted(conservation.genesOff, "gene")} (largest difference ${conservation.largestDifference}). Don't use the counts layer, and report this problem.`,
    );
  }
  return conservation;
}

/** This thread runs the self-test and draws the report's maps while other threads compute the exports. */
async function computeSideBySide(
  context: Context,
  results: Results,
  verdict: Verdict,
  output: string,
) {
  const { files, params, read, readIfAny, settings, signal } = context;
  const [ofExports, ofSelfTest, ofInputs] = progressParts([0.75, 0.07, 0.05], (done) =>
    context.progress(0.05 + done),
  );
  const [written, selfTest, inputs, spotGenes] = await sideBySide(signal, [
    (either) => writeExports({ ...context, signal: either }, results, verdict, output, ofExports),
    async (either) =>
      params.selfTest
        ? runSelfTest(read, results.rates, {
            types: await readIfAny("sample/type_fit"),
            seed: settings.seed,
            signal: either,
            progress: ofSelfTest,
          })
        : null,
    (either) => inputChecksums(files, { signal: either, progress: ofInputs }),
    async (either) =>
      verdict.figures.reliableGenes === 0
        ? spotGeneMaps({ ...context, signal: either }, results)
        : [],
  ]);
  return { written, selfTest, inputs, spotGenes };
}

/** Says which rates the h5ad has. */
function ratesInWords({ entries, droppedBelow, droppedFraction }: RateSummary): string {
  const wrote = `Wrote the h5ad with ${entries.toLocaleString("en-US")} rates`;
  return droppedBelow > 0
    ? `${wrote}; those below ${droppedBelow.toPrecision(3)} (${(100 * droppedFraction).toFixed(2)}% of all inferred expression) are left out.`
    : `${wrote}.`;
}

/** What the README says of the results themselves. */
function factsOf(results: Results, context: Context) {
  const { cells, genes, facts, spots, spotLevel } = results;
  return {
    version: STIPPLE_VERSION,
    spotLevel,
    spotNoun: captureNoun(facts.scale),
    looksHelp: facts.expression.morphologyHelps,
    imagePixel: facts.image.scale,
    spaceRanger: takesOutlines(context, results),
    nCells: cells.xy.nRows,
    nGenes: genes.names.length,
    nReliable: genes.reliable.reduce((sum, flag) => sum + flag, 0),
    proportions: spots.proportions !== null,
    regions: results.regions !== null,
    annotations: results.annotations !== null,
    proteins: results.proteins !== null,
  } satisfies Partial<ReadmeFacts>;
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
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
  const chosen = distinctiveSpotGenes(sample, SPOT_GENES);
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
  { signal }: StepContext,
  folder: string,
  progress: (fraction: number) => void,
): Promise<FileChecksum[]> {
  const paths = await filesIn(folder);
  const checksums = await checksumsOf(paths, { signal, progress });
  return checksums.map((checksum, at) => ({
    ...checksum,
    file: paths[at].slice(folder.length + 1).replaceAll("\\", "/"),
  }));
}

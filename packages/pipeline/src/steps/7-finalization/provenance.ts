import { LAST_STEP, type StepNumber } from "@stipple/contract";
import { arch, platform } from "node:os";
import type * as facts from "../../facts.ts";
import { samplePaths, type SampleFiles } from "../../readers/sample-files.ts";
import type { AnalysisSettings } from "../../settings.ts";
import type { StepContext } from "../../step.ts";
import type { StepManifest } from "../../store/manifest.ts";
import formats from "@stipple/formats/package.json" with { type: "json" };
import numerics from "@stipple/numerics/package.json" with { type: "json" };
import tasks from "@stipple/tasks/package.json" with { type: "json" };
import packageFile from "../../../package.json" with { type: "json" };
import { checksumsOf, type FileChecksum } from "./checksum.ts";
import type { Conservation } from "./conservation.ts";
import type { Results } from "./read-results.ts";

/** Content of provenance.json: everything needed to repeat and assess the analysis. */
export interface Provenance {
  stipple: string;
  created: string;
  node: string;
  system: string;
  /** Exact versions of the libraries that computed the results. */
  libraries: Record<string, string>;
  settings: AnalysisSettings;
  /** The seed from which every random choice of the run derives. */
  seed: number;
  input: { layout: string; files: FileChecksum[] };
  sample: {
    scale: facts.AlignmentScale;
    image: facts.ImageFacts;
    stain: facts.StainModel;
    quality: facts.QualityReport;
    segmentation: facts.SegmentationReport;
    bleed: facts.BleedModel;
    fineBins: facts.FineBinReport | null;
    expression: facts.ExpressionReport;
    typing: facts.TypingReport;
  };
  /** Records of the finished steps 0–6; the last step cannot time itself. */
  steps: Pick<StepManifest, "step" | "name" | "version" | "key" | "params" | "seconds">[];
  conservation: Conservation;
  /** Rates left out of the h5ad to limit its size. */
  rates: { entries: number; droppedBelow: number; droppedFraction: number };
  warnings: { step: StepNumber; message: string }[];
}

/** The running version of Stipple. */
export const STIPPLE_VERSION: string = packageFile.version;

function environment(): Pick<Provenance, "stipple" | "node" | "system" | "libraries"> {
  const libraries = [packageFile, formats, numerics, tasks]
    .flatMap(({ dependencies }) => Object.entries(dependencies))
    .filter(([name]) => !name.startsWith("@stipple/"))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    stipple: STIPPLE_VERSION,
    node: process.version,
    system: `${platform()} ${arch()}`,
    libraries: Object.fromEntries(libraries),
  };
}

/** Everything needed to repeat the run, for provenance.json. `warnings`: of this step. */
export function provenanceOf(
  {
    settings,
    files,
    history,
    warnings: own,
  }: Pick<StepContext, "settings" | "files" | "history"> & { warnings: readonly string[] },
  { facts }: Pick<Results, "facts">,
  inputs: FileChecksum[],
  written: Pick<Provenance, "conservation" | "rates">,
): Provenance {
  return {
    ...environment(),
    created: new Date().toISOString(),
    settings,
    seed: settings.seed,
    input: { layout: files.layout, files: inputs },
    sample: facts,
    steps: history.map(
      ({ warnings: _warnings, fields: _fields, files: _files, ...manifest }) => manifest,
    ),
    ...written,
    warnings: [...history, { step: LAST_STEP, warnings: own }].flatMap(({ step, warnings }) =>
      warnings.map((message) => ({ step, message })),
    ),
  };
}

/** Sizes and SHA-256 of all input files. */
export function inputChecksums(
  files: SampleFiles,
  options: Parameters<typeof checksumsOf>[1],
): Promise<FileChecksum[]> {
  return checksumsOf(samplePaths(files), options);
}

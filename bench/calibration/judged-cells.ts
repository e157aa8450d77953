import { matchByCentre } from "../../packages/tissue/src/metrics/detection.ts";
import { alignTypeNames } from "../../packages/tissue/src/metrics/type-names.ts";
import { analysisSettings } from "@stipple/pipeline";
import { readResult } from "@stipple/pipeline/store/results-folder";
import { assignTypes } from "@stipple/pipeline/steps/5-cluster-analysis/assign-types";
import { signalsOf, type TypingWay } from "@stipple/pipeline/steps/5-cluster-analysis/confidence";
import { typingInput } from "@stipple/pipeline/steps/5-cluster-analysis/typing-input";
import { readTruth } from "@stipple/tissue";
import { acceptedNames, foldersOf, runSteps, type CalibrationTissue } from "./tissues.ts";

/** A found cell stands for a true one within this distance. */
const MATCH_UM = 6;

/** The named, detected cells of a tissue: what was known of each, and whether its name is right. */
export interface JudgedTissue extends CalibrationTissue {
  way: TypingWay;
  signals: number[][];
  /** The model's own posterior, before any calibration. */
  posterior: number[];
  right: boolean[];
  namedShare: number;
}

/** Types the cells of a prepared tissue and compares the names with the truth. */
export async function judge(work: string, tissue: CalibrationTissue): Promise<JudgedTissue> {
  const folders = foldersOf(work, tissue);
  await runSteps(folders, [5]);
  const read: Parameters<typeof typingInput>[0] = (key) => readResult(folders.results, key);
  const clusters = await read("cells/cluster");
  const settings = analysisSettings.parse({ platform: "visium", staining: "h_and_e" });
  const found = await assignTypes(
    {
      ...(await typingInput(read, settings, { typeBeyondReach: false })),
      clusters,
      nClusters: clusters.reduce((most, cluster) => Math.max(most, cluster + 1), 0),
    },
    { signal: new AbortController().signal, progress: () => undefined },
  );
  const truth = await readTruth(folders.tissue);
  const xy = await read("cells/xy");
  const matched = matchByCentre(truth.xy, xy.data, MATCH_UM / truth.parameters.umPerPx);
  const isRight = await judgeOf(tissue.kind, truth.type, found.names);
  const cells = [...matched.keys()].filter((cell) => matched[cell]! >= 0);
  const named = cells.filter((cell) => found.names[found.cellType[matched[cell]!]!] !== "Unknown");
  return {
    ...tissue,
    way: found.signals.way,
    signals: named.map((cell) => signalsOf(found.signals, matched[cell]!)),
    posterior: named.map((cell) => found.signals.posterior[matched[cell]!]!),
    right: named.map((cell) =>
      isRight(truth.type[cell]!, found.names[found.cellType[matched[cell]!]!]!),
    ),
    namedShare: named.length / Math.max(1, cells.length),
  };
}

/** Whether a name is right for a true type. */
async function judgeOf(
  kind: CalibrationTissue["kind"],
  trueTypes: readonly string[],
  names: readonly string[],
): Promise<(type: string, name: string) => boolean> {
  const accepted = await acceptedNames(kind);
  if (accepted) return (type, name) => accepted.get(type)!.includes(name);
  const { predicted, classOf } = alignTypeNames([...new Set(trueTypes)], names);
  return (type, name) => predicted.get(name) === classOf.get(type);
}

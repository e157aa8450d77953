import { platformById, type VerdictFigures } from "@stipple/contract";
import type { ExpressionReport, SegmentationReport, StepContext } from "@stipple/pipeline";
import type { TypingWay } from "@stipple/pipeline/cell-types";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import { verdictFigures } from "@stipple/pipeline/internal/steps/7-finalization/verdict/verdict";
import { readTruth } from "@stipple/tissue";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import { acceptedNames, settingsOf, type JudgedTissue, type TissueFolders } from "./tissues.ts";
import { judgedNames, type JudgedName } from "./judged-names.ts";
import { rightNames } from "./right-names.ts";
import { worthOf, type Worth } from "./worth.ts";

/** A found cell matches a true one within this distance. */
const MATCH_UM = 6;

/** An analysis's results for a tissue, compared with the ground truth. */
export interface Judgment {
  tissue: JudgedTissue;
  way: TypingWay | null;
  names: JudgedName[];
  /** Share of named cells among found cells that match a true one. */
  namedShare: number;
  figures: VerdictFigures;
  segmentation: Pick<SegmentationReport, "method" | "fallbackReason">;
  spotNoun: string;
  worth: Worth;
  expression: Pick<ExpressionReport, "morphologyHelps" | "morphologyGain">;
}

/** Compares the results of a tissue analyzed up to the types with its ground truth. */
export async function judgmentOf(folders: TissueFolders, tissue: JudgedTissue): Promise<Judgment> {
  const read: StepContext["read"] = (key) => readResult(folders.results, key);
  const readIfAny: StepContext["readIfAny"] = (key) => readResultIfAny(folders.results, key);
  const found = await assignTypes(
    await typingInput({ read, readIfAny }, settingsOf(tissue), { typeBeyondReach: false }),
    { signal: new AbortController().signal, progress: () => undefined },
  );
  const truth = await readTruth(folders.tissue);
  const xy = await read("cells/xy");
  const matched = matchByCenter(truth.xy, xy.data, MATCH_UM / truth.parameters.umPerPx);
  const isRight = rightNames(await acceptedNames(tissue.kind), truth.type, found.names);
  const trueCellOf = new Map([...matched.entries()].map(([cell, other]) => [other, cell]));
  const names = judgedNames(found, (cell, name) => {
    const known = trueCellOf.get(cell);
    return known === undefined ? null : isRight(truth.type[known], name);
  });
  const detected = matched.reduce((n, other) => n + (other >= 0 ? 1 : 0), 0);
  const expression = await read("sample/expression");
  const segmentation = await read("sample/segmentation");
  const figures = verdictFigures({
    cells: {
      evidence: await read("cells/evidence"),
      typeOf: found.cellType,
      typeNames: found.names,
      confidence: found.confidence,
    },
    genes: { names: await read("genes/name") },
    facts: {
      expression,
      quality: await read("sample/quality"),
      image: await read("sample/image"),
      registration: await read("image/registration"),
      segmentation,
    },
  });
  return {
    tissue,
    way: found.basis?.way ?? null,
    names,
    namedShare: names.filter(({ given }) => given).length / Math.max(1, detected),
    figures,
    segmentation: {
      method: segmentation.method,
      fallbackReason: segmentation.fallbackReason,
    },
    spotNoun: platformById(tissue.platform).spotNoun,
    worth: await worthOf(truth, folders, matched),
    expression: {
      morphologyHelps: expression.morphologyHelps,
      morphologyGain: expression.morphologyGain,
    },
  };
}

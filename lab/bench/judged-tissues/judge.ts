import { platformById, type VerdictFigures } from "@stipple/contract";
import type { ExpressionReport, SegmentationReport, StepContext } from "@stipple/pipeline";
import { coarserNames } from "@stipple/pipeline/internal/markers/coarser-names";
import { ANY_EPITHELIUM, MARKER_SETS, type TypingWay } from "@stipple/pipeline/cell-types";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import { verdictFigures } from "@stipple/pipeline/internal/steps/7-finalization/verdict/verdict";
import { readTruth } from "@stipple/tissue";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import { alignTypeNames } from "@stipple/tissue/metrics/type-names";
import {
  acceptedNames,
  settingsOf,
  type JudgedTissue,
  type TissueFolders,
  type TissueKind,
} from "./tissues.ts";
import { namedCells, type NamedCell } from "./named-cells.ts";
import { worthOf, type Worth } from "./worth.ts";

/** A found cell matches a true one within this distance. */
const MATCH_UM = 6;

/** An analysis's results for a tissue, compared with the ground truth. */
export interface Judgment {
  tissue: JudgedTissue;
  way: TypingWay | null;
  named: NamedCell[];
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
  const isRight = await judgeOf(tissue.kind, truth.type, found.names);
  const trueCellOf = new Map([...matched.entries()].map(([cell, other]) => [other, cell]));
  const named = namedCells(found, (cell, name) => {
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
    named,
    namedShare: named.filter(({ right }) => right !== null).length / Math.max(1, detected),
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

/** Whether a name is right for a true type: the type's own name, or that of its lineage or class. */
async function judgeOf(
  kind: TissueKind,
  trueTypes: readonly string[],
  names: readonly string[],
): Promise<(type: string, name: string) => boolean> {
  const accepted = await acceptedNames(kind);
  if (accepted) {
    return (type, name) =>
      accepted.get(type)!.includes(name) || isWiderThan(name, accepted.get(type)!);
  }
  const types = [...new Set(trueTypes)];
  const { predicted, classOf } = alignTypeNames(types, names);
  const known = alignTypeNames(types, [...LINEAGES.keys()]).predicted;
  const namesOf = new Map(
    types.map((type) => [type, [...known.keys()].filter((name) => known.get(name) === type)]),
  );
  return (type, name) =>
    predicted.get(name) === classOf.get(type) || isWiderThan(name, namesOf.get(type)!);
}

const LINEAGES = new Map(
  [...MARKER_SETS, ANY_EPITHELIUM].map(({ name, lineage }) => [name, lineage]),
);

/** Whether a name is the lineage, or the broad class, of one of these types. */
function isWiderThan(name: string, types: readonly string[]): boolean {
  return types.some((type) => {
    const lineage = LINEAGES.get(type);
    return lineage !== undefined && coarserNames(type, lineage).includes(name);
  });
}

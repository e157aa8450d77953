import { coarserNames } from "@stipple/pipeline/internal/markers/coarser-names";
import { ANY_EPITHELIUM, MARKER_SETS } from "@stipple/pipeline/cell-types";
import { macroF1 } from "@stipple/tissue/metrics/labels";
import { alignTypeNames } from "@stipple/tissue/metrics/type-names";
import type { TrueLabels } from "./rendered-tissues.ts";

const LINEAGES = new Map(
  [...MARKER_SETS, ANY_EPITHELIUM].map(({ name, lineage }) => [name, lineage]),
);

/** Broad classes: lineages, with immune ones merged unless the tissue contains nothing else. */
export function broadClasses(truth: readonly string[]): (name: string) => string {
  const wide = (lineage: string): string => coarserNames(lineage, lineage)[0] ?? lineage;
  const immune = (lineage: string): string => (wide(lineage) === "Immune" ? "Immune" : lineage);
  const finer = truth.every((lineage) => immune(lineage) === "Immune");
  return (name) => {
    const lineage = LINEAGES.get(name) ?? name;
    return finer ? lineage : immune(lineage);
  };
}

export interface NameScore {
  types: ReturnType<typeof macroF1>;
  broad: ReturnType<typeof macroF1>;
  unknown: number;
}

/** Compares the names of the true cells (null if not found) with their labels. */
export function scoreNames(
  kinds: readonly string[],
  names: readonly (string | null)[],
  { labelOf, accepted, classes }: TrueLabels,
): NameScore {
  const labels = kinds.map((kind) => labelOf[kind]);
  const broadOf = broadClasses([...new Set(labels)].map((label) => classes[label]));
  const distinct = [...new Set(names.filter((name) => name !== null))];
  const { predicted, classOf } = accepted
    ? {
        classOf: new Map(labels.map((label) => [label, label])),
        predicted: new Map(
          distinct.map((name) => [
            name,
            labels.find((label) => accepted.get(label)!.includes(name)) ?? null,
          ]),
        ),
      }
    : alignTypeNames([...new Set(labels)], distinct);
  return {
    types: macroF1(
      labels.map((label) => classOf.get(label)!),
      names.map((name) => (name === null ? null : predicted.get(name)!)),
    ),
    broad: macroF1(
      labels.map((label) => broadOf(classes[label])),
      names.map((name) => (name === null ? null : broadOf(name))),
    ),
    unknown: names.filter((name) => name === "Unknown").length / names.length,
  };
}

/** Macro-F1 of groups, each matched to at most one label, best pairs first: the score of perfectly named groups. */
export function matchedOneToOne(
  labels: readonly string[],
  groups: readonly (number | null)[],
): number {
  const shared = new Map<string, number>();
  const [sizes, counts] = [new Map<number, number>(), new Map<string, number>()];
  labels.forEach((label, cell) => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    const group = groups[cell] ?? null;
    if (group === null) return;
    sizes.set(group, (sizes.get(group) ?? 0) + 1);
    shared.set(`${group} ${label}`, (shared.get(`${group} ${label}`) ?? 0) + 1);
  });
  const pairs = [...sizes.keys()].flatMap((group) =>
    [...counts.keys()].map((label) => ({
      group,
      label,
      f1: (2 * (shared.get(`${group} ${label}`) ?? 0)) / (sizes.get(group)! + counts.get(label)!),
    })),
  );
  const given = new Map<number, string>();
  for (const { group, label } of pairs.sort((a, b) => b.f1 - a.f1)) {
    if (!given.has(group) && ![...given.values()].includes(label)) given.set(group, label);
  }
  return macroF1(
    labels,
    labels.map((_, cell) => given.get(groups[cell] ?? -1) ?? null),
  ).macroF1;
}

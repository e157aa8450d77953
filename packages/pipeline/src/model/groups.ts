import {
  CELL_EVIDENCE,
  IMAGE_QUALITIES,
  type CellEvidence,
  type ImageQuality,
} from "@stipple/contract";
import type { DomainSummary } from "@stipple/contract/statistical-facts";
import type { LegendEntry } from "../figures/legend.ts";
import { categoryColors, spotColors } from "../figures/palette.ts";

/** Cell types with their colors and cell counts. */
export function typeGroups(
  typeOf: Int32Array,
  names: readonly string[],
  colors: readonly string[],
): LegendEntry[] {
  const counts = countsOf(typeOf, names.length);
  return names.map((name, type) => ({ name, color: colors[type], count: counts[type] }));
}

/** Clusters of cells, named by their number from 0, as in scanpy. */
export function clusterGroups(clusterOf: Int32Array): LegendEntry[] {
  return numberedGroups(clusterOf, categoryColors);
}

/** Clusters of spots, numbered from 0, in colors of their own. */
export function spotClusterGroups(clusterOf: Int32Array): LegendEntry[] {
  return numberedGroups(clusterOf, spotColors);
}

function numberedGroups(
  clusterOf: Int32Array,
  colorsOf: (count: number) => string[],
): LegendEntry[] {
  let nClusters = 0;
  for (const cluster of clusterOf) nClusters = Math.max(nClusters, cluster + 1);
  const counts = countsOf(clusterOf, nClusters);
  return colorsOf(nClusters).map((color, cluster) => ({
    name: String(cluster),
    color,
    count: counts[cluster],
  }));
}

/** Kinds of evidence for cells, in the order of CELL_EVIDENCE. */
const EVIDENCE_LOOKS: Record<CellEvidence, { name: string; color: string }> = {
  measured: { name: "Measured", color: "#0072B2" },
  inferred: { name: "Inferred", color: "#E69F00" },
  beyond_reach: { name: "Beyond reach", color: "#9AA5B1" },
};

/** Measured, inferred, and unreachable cells, even if there are none of a kind. */
export function evidenceGroups(evidence: Uint8Array): LegendEntry[] {
  const counts = countsOf(Int32Array.from(evidence), CELL_EVIDENCE.length);
  return CELL_EVIDENCE.map((word, index) => ({ ...EVIDENCE_LOOKS[word], count: counts[index] }));
}

const QUALITY_LOOKS: Record<ImageQuality, { name: string; color: string }> = {
  good: { name: "Good", color: "#56B4E9" },
  blurred: { name: "Blurred", color: "#D55E00" },
  dark: { name: "Dark", color: "#4A4A4A" },
  pen: { name: "Pen", color: "#CC79A7" },
  not_judged: { name: "Not judged", color: "#9AA5B1" },
};

/** Cells by image quality at their position, in the order of IMAGE_QUALITIES; undefined if no quality was assessed. */
export function imageQualityGroups(quality: Uint8Array): LegendEntry[] | undefined {
  const counts = countsOf(Int32Array.from(quality), IMAGE_QUALITIES.length);
  if (counts[IMAGE_QUALITIES.indexOf("not_judged")] === quality.length) return undefined;
  return IMAGE_QUALITIES.map((word, index) => ({ ...QUALITY_LOOKS[word], count: counts[index] }));
}

/** Spatial domains; none if they were not searched for. */
export function domainGroups(domains: DomainSummary | null): LegendEntry[] {
  if (!domains) return [];
  const { names, colors, cells } = domains;
  return names.map((name, domain) => ({ name, color: colors[domain], count: cells[domain] }));
}

function countsOf(groupOf: Int32Array, nGroups: number): number[] {
  const counts = new Array<number>(nGroups).fill(0);
  for (const group of groupOf) if (group >= 0) counts[group] += 1;
  return counts;
}

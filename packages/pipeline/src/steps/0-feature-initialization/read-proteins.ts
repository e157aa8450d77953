import { chooseRows } from "@stipple/numerics/sparse";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { FeatureType, Genes } from "../../readers/counts/count-matrix.ts";
import type { Sample } from "../../readers/sample.ts";
import { uniqueNames } from "./name-genes.ts";

const PROTEINS: FeatureType = "Antibody Capture";

/** Whether a type of feature, as a file spells it, is that of proteins. */
export function areProteins(type: string): boolean {
  return type.toLowerCase() === PROTEINS.toLowerCase();
}

/** Counts of the antibody features. */
export interface ProteinCounts {
  /** Unique. */
  name: string[];
  /** nSpots × nProteins, in the order of the spots asked for. */
  counts: SparseMatrix;
}

/**
 * Counts of proteins in the spots of these barcodes; null if the sample has none. Reads the counts a second time, which
 * only samples with antibodies need.
 */
export async function readProteins(
  sample: Pick<Sample, "readCounts">,
  { leftOut }: Pick<Genes, "leftOut">,
  barcodes: readonly string[],
  signal: AbortSignal,
): Promise<ProteinCounts | null> {
  if (!Object.keys(leftOut).some(areProteins)) return null;
  // What is unusual about the files was said when the genes were read.
  const warn = (): void => undefined;
  const { barcode, genes, counts } = await sample.readCounts({ features: PROTEINS, warn, signal });
  const rowOf = new Map(barcode.map((name, row) => [name, row]));
  return {
    name: uniqueNames(genes.symbol),
    counts: chooseRows(
      counts,
      barcodes.map((name) => rowOf.get(name)!),
    ),
  };
}

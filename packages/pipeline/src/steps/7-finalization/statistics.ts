import { CELL_EVIDENCE, type Verdict } from "@stipple/contract";
import type { AlignmentScale, FineBinReport } from "../../facts.ts";

/** Content of statistics.json: the four tiles of the results page, and the verdict. */
export interface Statistics {
  total_spots: number;
  total_cells: number;
  total_genes: number;
  /** Number of cells touching a spot, divided by the number of spots. */
  average_cells_per_spot: number;
  /** The units in which the cell counts were measured: "spots", "bins of 8 µm", "bins of 2 µm". */
  counts_from: string;
  verdict: Verdict;
}

/** `evidence`: one value per cell. These figures are computed only here. */
export function statisticsOf(
  nSpots: number,
  nGenes: number,
  evidence: Uint8Array,
  verdict: Verdict,
  countsFrom: string,
): Statistics {
  const measured = CELL_EVIDENCE.indexOf("measured");
  const touched = evidence.reduce((sum, value) => sum + (value === measured ? 1 : 0), 0);
  return {
    total_spots: nSpots,
    total_cells: evidence.length,
    total_genes: nGenes,
    average_cells_per_spot: nSpots === 0 ? 0 : touched / nSpots,
    counts_from: countsFrom,
    verdict,
  };
}

/**
 * In words, the units in which the cell counts were measured: the finest bins if the sample has them, else its
 * spots.
 */
export function countedIn(
  { spotShape, spotSizeUm }: Pick<AlignmentScale, "spotShape" | "spotSizeUm">,
  fineBins: Pick<FineBinReport, "binUm"> | null,
): string {
  if (spotShape === "disc") return "spots";
  return `${fineBins?.binUm ?? spotSizeUm} µm bins`;
}

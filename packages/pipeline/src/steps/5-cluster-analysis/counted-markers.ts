import type { SparseMatrix } from "../../fields.ts";
import { isWholeTranscriptome } from "../../model/whole-transcriptome.ts";

/** UMIs in all spots from which counts say in which cells a marker is raised. */
const LEAST_UMIS = 20;

/**
 * Tells which genes (nGenes × nSpots counts) were counted often enough to tell types by: those of a panel all are; of a
 * whole transcriptome, where most listed markers are hardly counted in any one tissue, those with 20 UMIs or more.
 */
export function countedMarkers({ nRows, indptr, data }: SparseMatrix): (gene: number) => boolean {
  if (!isWholeTranscriptome(nRows)) return () => true;
  return (gene) => {
    let umis = 0;
    for (let k = indptr[gene]; k < indptr[gene + 1] && umis < LEAST_UMIS; k++) umis += data[k];
    return umis >= LEAST_UMIS;
  };
}

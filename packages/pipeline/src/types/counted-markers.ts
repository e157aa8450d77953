import type { SparseMatrix } from "@stipple/numerics/matrices";
import { isWholeTranscriptome } from "../model/whole-transcriptome.ts";
import { ENOUGH } from "../model/constants.ts";

const { COUNTS: MIN_UMIS } = ENOUGH;

/**
 * Tests which genes (nGenes × nSpots counts) have enough counts for typing: in a panel, all of them; in a whole
 * transcriptome, where most listed markers have few counts in any given tissue, those with 20 UMIs or more.
 */
export function countedMarkers({ nRows, indptr, data }: SparseMatrix): (gene: number) => boolean {
  if (!isWholeTranscriptome(nRows)) return () => true;
  return (gene) => {
    let umis = 0;
    for (let k = indptr[gene]; k < indptr[gene + 1] && umis < MIN_UMIS; k++) umis += data[k];
    return umis >= MIN_UMIS;
  };
}

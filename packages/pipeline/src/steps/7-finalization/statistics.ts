/** Content of statistics.json: the four tiles of the results page. */
export interface Statistics {
  total_spots: number;
  total_cells: number;
  total_genes: number;
  /** Cells that belong to a spot (their own or, between spots, the nearest within reach) divided by the number of spots. */
  average_cells_per_spot: number;
}

export function statisticsOf(nSpots: number, nGenes: number, spotOf: Int32Array): Statistics {
  let inSpots = 0;
  for (const spot of spotOf) if (spot >= 0) inSpots += 1;
  return {
    total_spots: nSpots,
    total_cells: spotOf.length,
    total_genes: nGenes,
    average_cells_per_spot: nSpots === 0 ? 0 : inSpots / nSpots,
  };
}

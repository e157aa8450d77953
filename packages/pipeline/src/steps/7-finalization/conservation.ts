export interface Conservation {
  /** For every gene: counts of all cells + unassigned = counts of all spots. */
  exact: boolean;
  genesOff: number;
  largestDifference: number;
  observedCounts: number;
  assignedCounts: number;
  unassignedCounts: number;
}

/**
 * Compares observed spot counts with counts assigned to cells, gene by gene. Sums of integers are exact in
 * float64.
 */
export function checkConservation(
  observed: Float64Array,
  assigned: Float64Array,
  unassigned: Float64Array,
): Conservation {
  const result: Conservation = {
    exact: true,
    genesOff: 0,
    largestDifference: 0,
    observedCounts: 0,
    assignedCounts: 0,
    unassignedCounts: 0,
  };
  for (let gene = 0; gene < observed.length; gene++) {
    const difference = Math.abs(observed[gene] - assigned[gene] - unassigned[gene]);
    if (difference > 0) result.genesOff += 1;
    result.largestDifference = Math.max(result.largestDifference, difference);
    result.observedCounts += observed[gene];
    result.assignedCounts += assigned[gene];
    result.unassignedCounts += unassigned[gene];
  }
  result.exact = result.genesOff === 0;
  return result;
}

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
  const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
  const off = observed.map((value, gene) => Math.abs(value - assigned[gene] - unassigned[gene]));
  const genesOff = off.filter((difference) => difference > 0).length;
  return {
    ...{ exact: genesOff === 0, genesOff },
    largestDifference: off.reduce((most, difference) => Math.max(most, difference), 0),
    observedCounts: sum(observed),
    assignedCounts: sum(assigned),
    unassignedCounts: sum(unassigned),
  };
}

/** Summed counts: for each unit, one number per gene. */
export type Counts = readonly Float64Array[];

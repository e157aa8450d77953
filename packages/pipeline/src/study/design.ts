import { isIndependent } from "@stipple/numerics/least-squares";

/** What is compared: a patient under a condition. Samples of the same patient and condition are one unit. */
export interface Unit {
  condition: string;
  patient: string;
  batch: string;
  /** Names of the samples that it sums. */
  samples: string[];
}

/** A matrix that a comparison can be estimated with. */
export interface ComparisonDesign {
  /** Indices of the units that take part, in the order given. */
  units: number[];
  /** Columns of the design matrix, a number for each of them; the first is 1 throughout. */
  columns: Float64Array[];
  /** Which column is 1 for the second group and 0 for the first. */
  condition: number;
  /** The terms in words: "condition, patient, batch". */
  terms: string[];
  /** What was left out, a sentence each. */
  notes: string[];
}

/**
 * The design of a comparison of two groups with patients as units: patients who have both conditions are compared with
 * themselves, batches are a covariate. A sentence says why it cannot be estimated.
 */
export function designOf(
  units: readonly Unit[],
  groups: readonly [string, string],
): ComparisonDesign | { refusal: string } {
  const of = (group: string): Unit[] => units.filter(({ condition }) => condition === group);
  const [first, second] = groups.map((group) => new Set(of(group).map(({ patient }) => patient)));
  const both = [...first].filter((patient) => second.has(patient));
  for (const [i, group] of groups.entries()) {
    const n = (i === 0 ? first : second).size;
    if (n < 2) {
      return {
        refusal: `${n === 0 ? "No patient has" : "Only one patient has"} the condition "${group}", but a comparison needs at least two patients in each group: add samples.`,
      };
    }
  }
  const isPaired = both.length > 0;
  if (both.length === 1) {
    return {
      refusal: `Patient "${both[0]}" has both conditions but no other does, so the groups are neither paired nor independent: leave out one of this patient's samples.`,
    };
  }
  const taking = Array.from(units.keys());
  const kept = taking.filter(
    (i) => groups.includes(units[i].condition) && (!isPaired || both.includes(units[i].patient)),
  );
  const alone = new Set([...first, ...second]).size - both.length;
  const notes =
    isPaired && alone > 0
      ? [
          `${alone === 1 ? "1 patient with only one of the conditions is" : `${alone} patients with only one of the conditions are`} left out of the paired comparison.`,
        ]
      : [];
  return columnsOf(units, kept, groups, isPaired, notes);
}

function columnsOf(
  units: readonly Unit[],
  kept: number[],
  groups: readonly [string, string],
  isPaired: boolean,
  notes: string[],
): ComparisonDesign | { refusal: string } {
  const indicator = (holds: (unit: Unit) => boolean): Float64Array =>
    Float64Array.from(kept, (i) => (holds(units[i]) ? 1 : 0));
  const levels = (key: "patient" | "batch"): string[] =>
    [...new Set(kept.map((i) => units[i][key]))].slice(1);
  const columns = [indicator(() => true)];
  const terms = ["condition"];
  if (isPaired) {
    terms.push("patient");
    for (const level of levels("patient"))
      columns.push(indicator((unit) => unit.patient === level));
  }
  const batches = levels("batch");
  const withBatch = columns.slice();
  for (const level of batches) {
    const column = indicator((unit) => unit.batch === level);
    if (isIndependent(withBatch, column)) withBatch.push(column);
  }
  if (withBatch.length > columns.length) {
    terms.push("batch");
    if (kept.some((i) => units[i].batch === "")) {
      notes.push("Samples without a batch count as one batch.");
    }
  } else if (batches.length > 0) {
    notes.push("Batches are the same within patients, so the pairing already accounts for them.");
  }
  const condition = indicator((unit) => unit.condition === groups[1]);
  if (!isIndependent(withBatch, condition)) {
    const byBatch = Map.groupBy(kept, (i) => units[i].batch);
    const hasBoth = [...byBatch.values()].some(
      (own) => new Set(own.map((i) => units[i].condition)).size > 1,
    );
    const why = hasBoth
      ? "within patients, batches change with conditions"
      : `no batch has both "${groups[0]}" and "${groups[1]}"`;
    return {
      refusal: `Conditions and batches cannot be told apart: ${why}; leave the batch out, or add samples.`,
    };
  }
  const all = [withBatch[0], condition, ...withBatch.slice(1)];
  if (kept.length <= all.length) {
    return {
      refusal: `${kept.length} units are too few for a design with ${terms.join(", ")} (${all.length} coefficients): leave out the batch, or add samples.`,
    };
  }
  return { units: kept, columns: all, condition: 1, terms, notes };
}

import { sixDigits, tableLines } from "../exports/csv/table.ts";
import type { SpatialComparison } from "./compare-in-space.ts";
import type { Comparison, TypeComparison } from "./compare-samples.ts";

/** A table as CSV text; numbers have six digits, but counts all of theirs. */
function csv(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const short = rows.map((row) =>
    row.map((cell) =>
      typeof cell === "number" && !Number.isInteger(cell) ? sixDigits(cell) : cell,
    ),
  );
  return [...tableLines(head, short)].join("");
}

export function compositionTable({ composition, groups }: Comparison): string {
  return csv(
    [
      ...["cell_type", `share_${groups[0]}`, `share_${groups[1]}`, "log_odds", "low", "high"],
      ...["t", "df", "p", "fdr"],
    ],
    composition.map((row) => [
      ...[row.type, ...row.shares, row.logOdds, row.low, row.high],
      ...[row.t, row.degrees, row.p, row.fdr],
    ]),
  );
}

/** A type's genes, most certain first. */
export function expressionTable(
  { genes }: Comparison,
  type: Extract<TypeComparison, { genes: unknown }>,
): string {
  return csv(
    ["gene_id", "gene", "log2_fold_change", "low", "high", "mean_log2_cpm", "t", "p", "fdr"],
    type.genes
      .toSorted((a, b) => a.p - b.p)
      .map((row) => [
        ...[genes.id[row.gene], genes.name[row.gene], row.logFold, row.low, row.high],
        ...[row.mean, row.t, row.p, row.fdr],
      ]),
  );
}

/** The units that were compared, by the names of the columns of other tables. */
export function unitsTable({ units, design }: Comparison): string {
  return csv(
    ["unit", "condition", "patient", "batch", "samples", "compared"],
    units.map((unit, i) => [
      ...[unitName(i), unit.condition, unit.patient, unit.batch],
      ...[unit.samples.join("; "), design.units.includes(i) ? 1 : 0],
    ]),
  );
}

export function cellsTable({ cells }: Comparison): string {
  return csv(
    ["unit", ...cells.types],
    cells.numbers.map((row, i) => [unitName(i), ...row]),
  );
}

/** A spatial comparison, most certain first, with the value of every unit. */
export function spaceTable(
  { design, groups }: Comparison,
  space: Exclude<SpatialComparison, { refusal: string }>,
): string {
  return csv(
    [
      ...["name", `mean_${groups[0]}`, `mean_${groups[1]}`, "difference", "low", "high"],
      ...["t", "p", "fdr", ...design.units.map(unitName)],
    ],
    space.rows
      .toSorted((a, b) => a.p - b.p)
      .map((row) => [
        ...[row.name, ...row.means, row.difference, row.low, row.high],
        ...[row.t, row.p, row.fdr, ...row.values],
      ]),
  );
}

/** Summed counts of a type, a column for each unit with enough cells. */
export function countsTable(
  { genes }: Comparison,
  type: Extract<TypeComparison, { genes: unknown }>,
): string {
  const rows = genes.id.map((id, gene) => [
    ...[id, genes.name[gene]],
    ...type.counts.map((counts) => counts[gene]),
  ]);
  return csv(["gene_id", "gene", ...type.units.map(unitName)], rows);
}

function unitName(index: number): string {
  return `U${index + 1}`;
}

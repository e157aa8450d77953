import type { AnnDataTarget } from "../../exports/anndata/target.ts";
import { cellName } from "../../exports/cell-names.ts";
import { plainColumns } from "../../exports/column-names.ts";
import { cellFile, type CombinedSample, type CombinedStudy } from "./combined-study.ts";
import { JOINT_CLUSTER } from "./joint-space.ts";
import { SampleTable, type Column } from "./sample-table.ts";

/** Groups that a sample numbers on its own: cluster 0 of one is not cluster 0 of another. */
const OWN_GROUPS = ["cluster", "domain"];

/** Types as people corrected them: where they corrected none, the computed ones. */
const [ANNOTATED, COMPUTED] = ["cell_type_annotated", "cell_type"];

/** Names of a sample's cells in the study. */
export function cellNames({ key, nCells }: CombinedSample): string[] {
  return Array.from({ length: nCells }, (_, cell) => `${key}_${cellName(cell)}`);
}

/** A cell's columns: the sample, its design, and what all samples know of their cells. */
export interface ObsColumns {
  /** Of the design, and the name of each in obs, where one of a sample has its name already. */
  design: readonly { column: string; name: string }[];
  /** Of the samples. */
  shared: readonly string[];
}

export async function obsColumns({ samples, design }: CombinedStudy): Promise<ObsColumns> {
  const lists: string[][] = [];
  for (const sample of samples) {
    using table = await SampleTable.open(cellFile(sample));
    lists.push(table.columns());
  }
  const shared = [...new Set(lists.flat())].filter(
    (name) =>
      name !== "sample" &&
      lists.every((list) => list.includes(name) || (name === ANNOTATED && list.includes(COMPUTED))),
  );
  return { shared, design: designNames(design, lists.flat()) };
}

/**
 * Names in obs of the design's columns, in addition to those that samples have. SpatialData takes only letters, digits, and "_", and no names
 * that differ only in case.
 */
export function designNames(
  design: readonly string[],
  others: readonly string[],
): ObsColumns["design"] {
  const taken = new Set(
    ["sample", "_index", JOINT_CLUSTER, ...others].map((name) => name.toLowerCase()),
  );
  const names = plainColumns(design, (plain) => {
    let name = plain;
    while (taken.has(name.toLowerCase())) name = `study_${name}`;
    return name;
  });
  return design.map((column, at) => ({ column, name: names[at] }));
}

/** The columns of types. */
export const TYPE_COLUMNS = [COMPUTED, ANNOTATED];

/** The column of a sample from which one of the study is. */
export function sourceOf(table: SampleTable, name: string): string {
  return name === ANNOTATED && !table.has(`obs/${name}`) ? COMPUTED : name;
}

/** A sample's column as it is in the study. */
export function columnOf(sample: CombinedSample, table: SampleTable, name: string): Column {
  const column = table.column(sourceOf(table, name));
  if (column.kind !== "categories" || !OWN_GROUPS.includes(name)) return column;
  return { ...column, categories: column.categories.map((one) => `${sample.key}_${one}`) };
}

/** Writes obs, a column at a time: memory is that of one column of all cells. */
export async function writeObs(
  target: AnnDataTarget,
  study: CombinedStudy,
  { design, shared }: ObsColumns,
): Promise<void> {
  const { samples, nCells, space } = study;
  target.dataframe("obs", samples.flatMap(cellNames), [
    ...["sample", ...design.map(({ name }) => name)],
    ...shared,
    ...(space ? [JOINT_CLUSTER] : []),
  ]);
  if (space) {
    const names = space.clusters.map(({ name }) => name);
    target.categorical(`obs/${JOINT_CLUSTER}`, space.cluster, names);
  }
  const perSample = (name: string, valueOf: (sample: CombinedSample) => string): void => {
    const categories = [...new Set(samples.map(valueOf).filter((value) => value !== ""))];
    const codes = new Int32Array(nCells);
    for (const sample of samples) {
      const from = sample.firstCell;
      codes.fill(categories.indexOf(valueOf(sample)), from, from + sample.nCells);
    }
    target.categorical(`obs/${name}`, codes, categories);
  };
  perSample("sample", ({ library }) => library);
  for (const { column, name } of design) perSample(name, (sample) => sample.design[column] ?? "");
  for (const name of shared) {
    const columns: Column[] = [];
    for (const sample of samples) {
      using table = await SampleTable.open(cellFile(sample));
      columns.push(columnOf(sample, table, name));
    }
    writeColumn(target, `obs/${name}`, columns, nCells);
  }
}

function writeColumn(
  target: AnnDataTarget,
  path: string,
  columns: readonly Column[],
  nCells: number,
): void {
  const of = <K extends Column["kind"]>(kind: K): Extract<Column, { kind: K }>[] =>
    columns.filter((column): column is Extract<Column, { kind: K }> => column.kind === kind);
  const categories = of("categories");
  if (categories.length === columns.length)
    return writeCategories(target, path, categories, nCells);
  const booleans = of("booleans");
  if (booleans.length === columns.length) {
    return target.booleans(path, joined(new Uint8Array(nCells), booleans));
  }
  const numbers = of("numbers");
  if (numbers.length === columns.length) {
    const { values: first } = numbers[0];
    const isSame = numbers.every(({ values }) => values.constructor === first.constructor);
    const all = isSame
      ? new (first.constructor as Float64ArrayConstructor)(nCells)
      : new Float64Array(nCells);
    return target.array(path, joined(all, numbers));
  }
  target.strings(path, columns.flatMap(textsOf));
}

function joined<T extends { set(values: ArrayLike<number>, at: number): void }>(
  into: T,
  columns: readonly { values: ArrayLike<number> }[],
): T {
  let at = 0;
  for (const { values } of columns) {
    into.set(values, at);
    at += values.length;
  }
  return into;
}

function writeCategories(
  target: AnnDataTarget,
  path: string,
  columns: readonly Extract<Column, { kind: "categories" }>[],
  nCells: number,
): void {
  const all = [...new Set(columns.flatMap(({ categories }) => categories))];
  const codes = new Int32Array(nCells);
  let at = 0;
  for (const column of columns) {
    const places = column.categories.map((name) => all.indexOf(name));
    for (const code of column.codes) codes[at++] = places[code] ?? -1;
  }
  target.categorical(path, codes, all);
}

/** A column's values as text; empty where there is none. */
export function textsOf(column: Column): string[] {
  if (column.kind === "texts") return column.values;
  if (column.kind === "categories") {
    return Array.from(column.codes, (code) => column.categories[code] ?? "");
  }
  if (column.kind === "booleans")
    return Array.from(column.values, (one) => (one ? "True" : "False"));
  return Array.from(column.values, (value) =>
    Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "",
  );
}

import accuracy from "../../../../../docs/accuracy.json";
import measured from "../../../../../docs/measured.json";
import real from "../../../../../docs/real.json";

/** Our own figures, as the benchmarks wrote them. Nothing here is typed by hand. */
export const ACCURACY = {
  ...accuracy,
  realCells: {
    ...accuracy.realCells,
    tissues: accuracy.realCells.tissues.map((one) => ({ ...one, label: capital(one.cells) })),
  },
  tissues: accuracy.tissues.map((one) => ({
    ...one,
    name: capital(one.name),
    expression: one.expression.map((by) => ({ ...by, name: capital(by.name) })),
  })),
};
export const MEASURED = measured;
export const REAL = real;

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export type Tissue = (typeof ACCURACY.tissues)[number];
export type MethodFigures = Tissue["expression"][number];
export type GeneSet = "all" | "variable" | "markers";
export interface Spread {
  mean: number;
  low: number;
  high: number;
}

/** The tissue with this id, e.g. human-1; throws when the benchmark no longer has it. */
export function tissue(id: string): Tissue {
  return found(ACCURACY.tissues, (one) => one.id === id, id);
}

export function method(of: Tissue, id: string): MethodFigures {
  return found(of.expression, (one) => one.id === id, id);
}

export function measure(of: Tissue, id: string): Spread {
  const { value } = found([...of.measures, ...of.blind], (one) => one.id === id, id);
  if (!value) throw new Error(`Not measured: ${id}`);
  return value;
}

/** Figures of one set of labeled images by the method that the product uses. */
export function nuclei(set: string) {
  return found(measured.nuclei, (one) => one.set === set, set);
}

/** Mean macro-F1 of cell types for such real cells with all genes, where nuclei of different types look different. */
export function typesOfRealCells(cells: string): number {
  const own = ACCURACY.realCells.tissues.filter((one) => one.cells === cells);
  const most = Math.max(...own.map(({ genes }) => genes));
  const told = own.filter(({ genes, morphology }) => genes === most && morphology === 1);
  if (told.length === 0) throw new Error(`No figure ${cells}`);
  return told.reduce((sum, { types }) => sum + types, 0) / told.length;
}

function found<One>(list: readonly One[], is: (one: One) => boolean, id: string): One {
  const one = list.find(is);
  if (one === undefined) throw new Error(`No figure ${id}`);
  return one;
}

/** Three decimals, or none for counts. */
export function figure(value: number): string {
  return (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(3)).replace("-", "−");
}

/** Lowest and highest over the seeds; empty where there was one seed only. */
export function range({ low, high }: Spread): string {
  return figure(low) === figure(high) ? "" : `${figure(low)}–${figure(high)}`;
}

export function withRange(spread: Spread): string {
  const over = range(spread);
  return over ? `${figure(spread.mean)} (${over})` : figure(spread.mean);
}

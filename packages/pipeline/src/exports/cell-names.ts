/** Name of a cell in every export: cells are numbered from 1 in the order of the results. */
export function cellName(cell: number): string {
  return `cell_${cell + 1}`;
}

/** The cell with a name of {@link cellName}; NaN if it is none. */
export function cellOfName(name: string): number {
  return name.startsWith("cell_") ? Number(name.slice("cell_".length)) - 1 : Number.NaN;
}

/** Name of a cell in every export: cells are numbered from 1 in the order of the results. */
export function cellName(cell: number): string {
  return `cell_${cell + 1}`;
}

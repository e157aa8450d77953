import type { CellAnnotations } from "../../annotations/annotate-cells.ts";
import type { UnsValue } from "./statistics-elements.ts";
import { keyOf } from "./target.ts";

/** Annotations that are not of cells: gene lists by name, and notes with their places, full-resolution px. */
export function annotationsForUns({ geneLists, notes }: CellAnnotations): UnsValue {
  const place = (values: number[]): UnsValue => ({
    array: Float64Array.from(values),
    shape: [values.length],
  });
  return {
    dict: {
      gene_lists: {
        dict: Object.fromEntries(geneLists.map(({ value }) => [keyOf(value.name), value.genes])),
      },
      notes: {
        dict: {
          text: notes.map(({ value }) => value.text),
          x: place(notes.map(({ value }) => value.x)),
          y: place(notes.map(({ value }) => value.y)),
        },
      },
    },
  };
}

import type { CellAnnotations } from "../../annotations/annotate-cells.ts";
import type { CellRegions } from "../../regions/measure-regions.ts";
import type { UnsValue } from "./statistics-elements.ts";
import { keysOf } from "./target.ts";

/** Annotations that are not of cells: gene lists by name, and notes with their authors and places, full-resolution px. */
export function annotationsForUns({ geneLists, notes }: CellAnnotations): UnsValue {
  const keys = keysOf(geneLists.map(({ value }) => value.name));
  return {
    dict: {
      gene_lists: {
        dict: Object.fromEntries(geneLists.map(({ value }, at) => [keys[at], value.genes])),
      },
      notes: {
        dict: {
          text: notes.map(({ value }) => value.text),
          author: notes.map(({ author }) => author ?? ""),
          at: notes.map(({ at }) => at),
          x: numbers(notes.map(({ value }) => value.x)),
          y: numbers(notes.map(({ value }) => value.y)),
        },
      },
    },
  };
}

/** The regions that obs names: what they are, and who drew them when, where that is known. */
export function regionsForUns({ regions }: CellRegions): UnsValue {
  return {
    dict: {
      name: regions.map(({ name }) => name),
      class: regions.map(({ kind }) => kind ?? ""),
      area_mm2: numbers(regions.map(({ areaMm2 }) => areaMm2)),
      author: regions.map(({ signed }) => signed?.author ?? ""),
      at: regions.map(({ signed }) => signed?.at ?? ""),
    },
  };
}

function numbers(values: number[]): UnsValue {
  return { array: Float64Array.from(values), shape: [values.length] };
}

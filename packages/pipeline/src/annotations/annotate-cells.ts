import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import type { AnnotationOf } from "@stipple/contract";
import type { FiledAnnotation, FiledKind } from "@stipple/contract/annotation-file";
import type { Matrix } from "@stipple/numerics/matrices";
import { InputError } from "../errors.ts";
import type { LegendEntry } from "../figures/legend.ts";
import { annotatedGroups, ownGroups, type CellGroups } from "./annotated-groups.ts";
import { kindsInWords } from "./read-annotations.ts";

type Grouping = { groupOf: Int32Array; groups: readonly Omit<LegendEntry, "count">[] };

/** What people said about the cells of this result. */
export interface CellAnnotations {
  /** As people named, merged, and assigned them; null if they changed none. */
  types: CellGroups | null;
  clusters: CellGroups | null;
  domains: CellGroups | null;
  clusterings: { item: AnnotationOf<"clusters">; groups: CellGroups }[];
  /** Chosen cells with a name: 1 = in the group. */
  groups: { item: AnnotationOf<"group">; cells: Uint8Array; count: number }[];
  /** Cells with another type than the computed one. */
  assigned: { item: AnnotationOf<"group">; count: number }[];
  names: AnnotationOf<"name">[];
  geneLists: AnnotationOf<"genes">[];
  notes: AnnotationOf<"note">[];
  /** Why some are left out, in one sentence; null if none are. */
  leftOut: string | null;
}

/**
 * Applies annotations to the cells of a result. Those that refer to single cells count only if they were made on the same
 * cells; the others go by names and places. Throws {@link InputError} for cells that cannot be read.
 * @param file the name of the file with the annotations
 */
export function annotateCells(
  file: string,
  items: readonly FiledAnnotation[],
  result: { xy: Matrix; types: Grouping; clusters: Grouping; domains: Grouping | null },
): CellAnnotations {
  const key = keyOfCells(result.xy);
  const nCells = result.xy.nRows;
  const own = items.filter((item) => cellsKeyOf(item) === null || cellsKeyOf(item) === key);
  const others = items.filter((item) => !own.includes(item));
  const of = <Kind extends FiledKind>(kind: Kind): AnnotationOf<Kind>[] =>
    own.filter((item): item is FiledAnnotation & AnnotationOf<Kind> => item.kind === kind);
  const chosen = of("group").map((item) => {
    const cells = unpack(file, item, () => unpackedCells(item.value.cells, nCells));
    return { item, cells, count: cells.reduce((sum, one) => sum + one, 0) };
  });
  const assigned = chosen.filter(({ item }) => item.value.assigned !== null);
  const names = of("name");
  const named = (wanted: AnnotationOf<"name">["value"]["of"]) =>
    names.map(({ value }) => value).filter((value) => value.of === wanted);
  return {
    types: annotatedGroups(
      result.types,
      named("type"),
      assigned.map(({ item: { value }, cells }) => ({
        type: value.assigned!,
        color: value.color,
        cells,
      })),
    ),
    clusters: annotatedGroups(result.clusters, named("cluster")),
    domains: result.domains && annotatedGroups(result.domains, named("domain")),
    clusterings: of("clusters").map((item) => {
      const labels = unpack(file, item, () => unpackedLabels(item.value.labels, nCells));
      return { item, groups: ownGroups(labels, item.value.groups) };
    }),
    groups: chosen.filter(({ item }) => item.value.assigned === null),
    assigned: assigned.map(({ item, count }) => ({ item, count })),
    names,
    geneLists: of("genes"),
    notes: of("note"),
    leftOut:
      others.length === 0
        ? null
        : `Left out of the annotations in ${file}: ${kindsInWords(others)}, because they refer to cells of another result, and this one has other cells.`,
  };
}

/** The cells to which an annotation belongs; null if it does not refer to single cells. */
function cellsKeyOf(item: FiledAnnotation): string | null {
  return item.kind === "group" || item.kind === "clusters" ? item.value.cellsKey : null;
}

function unpack<T>(
  file: string,
  { kind, value }: AnnotationOf<"group"> | AnnotationOf<"clusters">,
  read: () => T,
): T {
  try {
    return read();
  } catch (cause) {
    const what = kind === "group" ? "group" : "clustering";
    throw new InputError(
      `${file} has a ${what}, ${value.name}, whose cells cannot be read: save the annotations again from the interactive view.`,
      { cause },
    );
  }
}

/**
 * Identifies the cells that annotations refer to by their index: the digest of the cells' centers, which is also that of
 * the file `cells.xy.f32` of the view.
 */
export function keyOfCells({ data }: Matrix): string {
  const centers = Float32Array.from(data);
  return createHash("sha256").update(new Uint8Array(centers.buffer)).digest("hex");
}

/** nCells: 1 for the cells of a set, given as base64 of deflated bits, lowest bit first. Throws for anything else. */
function unpackedCells(text: string, nCells: number): Uint8Array {
  const bits = unpacked(text, Math.ceil(nCells / 8));
  return Uint8Array.from({ length: nCells }, (_, cell) => (bits[cell >> 3] >> (cell & 7)) & 1);
}

/** nCells: group of each cell, given as base64 of deflated little-endian uint16. Throws for anything else. */
function unpackedLabels(text: string, nCells: number): Uint16Array {
  const bytes = unpacked(text, 2 * nCells);
  return Uint16Array.from({ length: nCells }, (_, cell) => bytes.readUInt16LE(2 * cell));
}

function unpacked(text: string, length: number): Buffer {
  const bytes = inflateSync(Buffer.from(text, "base64"), { maxOutputLength: Math.max(1, length) });
  if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes instead of ${length}.`);
  return bytes;
}

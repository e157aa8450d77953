import * as z from "zod/mini";
import { LONGEST_ANNOTATION_NAME } from "./annotation-limits.ts";
import { paperFigure } from "./paper-figure.ts";
import { shortened } from "./shortened.ts";

/** What people add to a project's results: rows of the project, shown in every view of it. */

export * from "./annotation-limits.ts";

/** Displayed as written: no control characters, halves of characters, line ends, or characters that turn the text after them. */
const oneLine = z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u);
const name = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(LONGEST_ANNOTATION_NAME), oneLine);
/** Names that come from files of others, such as a group's original name. */
const foreignName = z.string().check(z.minLength(1), z.maxLength(500), oneLine);
/** Names by index the groups that are left out, of a clustering with up to 500. */
const criterion = z.string().check(z.minLength(1), z.maxLength(3000), oneLine);
const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i));
/** Base64 of deflated bytes. */
const packed = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/));
/**
 * Which cells an item's indices refer to: the `cells` of the answer that the page had read. An item with another key
 * belongs to an earlier analysis of the project: it is kept, and not applied.
 */
const cellsKey = z.string().check(z.minLength(1), z.maxLength(64));

/** x and y of three corners or more. One check of all of them: a schema for each would copy hundreds of thousands. */
const ring = z.custom<[number, number][]>(
  (value) => Array.isArray(value) && value.length >= 3 && value.every(isCorner),
);

function isCorner(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    Number.isFinite(value[0]) &&
    Number.isFinite(value[1])
  );
}

const members = z.record(z.string(), z.unknown());
/** An object of GeoJSON, without its coordinates; without members, they are those of the object before it. */
const importedObject = z.object({
  /** Number of the region's polygons that are its own. */
  polygons: z.int().check(z.minimum(1)),
  id: z.optional(z.string().check(z.maxLength(100))),
  geometry: z.optional(members),
  properties: z.optional(members),
});

/** How outlines of nuclei are changed. */
export const NUCLEUS_CHANGES = ["deleted", "merged", "split", "added"] as const;
export type NucleusChange = (typeof NUCLEUS_CHANGES)[number];

/** Every kind of annotation and its value: a new kind is an entry here. */
export const ANNOTATION_KINDS = {
  /**
   * Name and color of a group of the analysis, by its original name. Groups of one grouping that share a label are
   * merged. Its id is `nameId(of, group)`.
   */
  name: z.object({
    of: z.enum(["type", "cluster", "domain", "evidence", "imageQuality"]),
    group: foreignName,
    label: z.optional(name),
    color: z.optional(color),
  }),
  /** Cells chosen by a person. */
  group: z.object({
    name,
    color,
    /** One bit per cell, lowest bit of the first byte first. */
    cells: packed,
    /** What they were chosen by: place, quality, or "expression GENE". */
    chosenBy: z.optional(z.array(criterion).check(z.maxLength(100))),
    /** The cell type that these cells are, instead of the computed one; null for a group that is only named. */
    assigned: z.nullable(name),
    cellsKey,
  }),
  /** An area of the tissue. */
  region: z.object({
    name,
    class: z.nullable(name),
    color,
    /** MultiPolygon in full-resolution px: polygons of rings, the first one outer, as in GeoJSON; may be unclosed. */
    polygons: z.array(z.array(ring).check(z.minLength(1))).check(z.minLength(1)),
    /** Left out of the model by the next run. */
    excluded: z.boolean(),
    /** The objects of the file that it was imported from, and what it was called then, so that they return unchanged. */
    imported: z.optional(
      z.object({
        ...{ name, class: z.nullable(name), color },
        objects: z.array(importedObject).check(z.minLength(1)),
      }),
    ),
  }),
  /** A list of genes. */
  genes: z.object({
    name,
    genes: z.array(foreignName).check(z.minLength(1), z.maxLength(5000)),
  }),
  /** A remark at a place of the tissue, full-resolution px. */
  note: z.object({
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
    x: z.number(),
    y: z.number(),
  }),
  /** A clustering of all or some cells. */
  clusters: z.object({
    name,
    settings: z.record(z.string(), z.unknown()),
    groups: z.array(z.object({ name, color })).check(z.maxLength(500)),
    /** Little-endian uint16 per cell: index into groups, 65,535 = none. */
    labels: packed,
    cellsKey,
  }),
  /** Changed outlines of nuclei, for the next run. */
  outlines: z.object({
    how: z.enum(NUCLEUS_CHANGES),
    /** Indices of the cells whose nuclei are gone. */
    removed: z.array(z.int().check(z.minimum(0))).check(z.maxLength(10_000)),
    /** Outlines of nuclei that are there instead, full-resolution px; open rings. */
    added: z.array(ring).check(z.maxLength(1_000)),
    cellsKey,
  }),
  /** Panels on a page, for a paper. */
  figure: paperFigure({ name, packed, cellsKey }),
} as const satisfies Record<string, z.ZodMiniType>;

export type AnnotationKind = keyof typeof ANNOTATION_KINDS;
export type AnnotationValue<Kind extends AnnotationKind> = z.infer<(typeof ANNOTATION_KINDS)[Kind]>;

/** Made by the client: a UUID, or what identifies it by meaning (`nameId`). */
export const annotationId = z.string().check(z.minLength(1), z.maxLength(600), oneLine);

/** What a person added, of any kind. */
export type AnnotationOf<Kind extends AnnotationKind> = {
  [K in Kind]: {
    id: string;
    kind: K;
    value: AnnotationValue<K>;
    /** The project's revision that wrote it; a change names the one it is based on. */
    revision: number;
    /** Email address; null for those who only hold a share link. */
    author: string | null;
    at: string;
  };
}[Kind];
export type Annotation = AnnotationOf<AnnotationKind>;

/** What a person wants an item to be; null deletes it. */
export type AnnotationChange = {
  [K in AnnotationKind]: { id: string; kind: K; value: AnnotationValue<K> | null };
}[AnnotationKind];

/** The id of the item that names a group. */
export function nameId(of: AnnotationValue<"name">["of"], group: string): string {
  return `name ${of} ${group}`;
}

/** What an item is called in lists: its name, or the beginning of its text. */
export function annotationLabel({ kind, value }: Pick<Annotation, "kind" | "value">): string {
  const words = value as Partial<Record<"name" | "group" | "text" | "how", string>>;
  const text = (kind === "name" ? words.group : words.name) ?? words.text ?? words.how ?? "";
  const line = text.split(/[\p{Cc}\u2028\u2029]/u)[0] ?? "";
  return line.length > LONGEST_ANNOTATION_NAME ? `${shortened(line, 79)}…` : line;
}

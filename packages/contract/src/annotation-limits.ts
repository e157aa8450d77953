/** Limits of annotations, apart from their schemas, which few pages need. */

/** Letters of a name; names are one line. */
export const LONGEST_ANNOTATION_NAME = 80;
/** Per project, and per item as JSON. */
export const MAX_ANNOTATIONS = 25_000;
export const LARGEST_ANNOTATION_BYTES = 8_000_000;
export const LARGEST_ANNOTATIONS_BYTES = 64_000_000;
/** Most bytes of JSON that one request may change. */
export const LARGEST_ANNOTATION_CHANGE_BYTES = 12_000_000;

/** Kinds that a file of annotations holds; regions and outlines have formats of their own. */
export const FILED_KINDS = ["name", "group", "clusters", "genes", "note"] as const;

export function isFiledKind(kind: string): boolean {
  return FILED_KINDS.some((filed) => filed === kind);
}

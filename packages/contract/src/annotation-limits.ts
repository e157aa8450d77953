/** Limits of annotations, apart from their schemas, which few pages need. */

/** Letters of a name; names are one line. */
export const LONGEST_ANNOTATION_NAME = 80;
/** Per project, and per item as JSON. */
export const MAX_ANNOTATIONS = 25_000;
export const LARGEST_ANNOTATION_BYTES = 8_000_000;
export const LARGEST_ANNOTATIONS_BYTES = 64_000_000;
/** Most bytes of JSON that one request may change. */
export const LARGEST_ANNOTATION_CHANGE_BYTES = 12_000_000;

import * as z from "zod/mini";
import { FILED_KINDS, isFiledKind } from "./annotation-limits.ts";
import { ANNOTATION_KINDS, annotationId, type Annotation } from "./annotations.ts";

export type FiledKind = (typeof FILED_KINDS)[number];
/** An annotation in a file; `cellsKey` of its value says to which cells it belongs. */
export type FiledAnnotation = Extract<Annotation, { kind: FiledKind }>;

const FORMAT = "stipple annotations";
const document = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  annotations: z.array(
    z.object({
      id: annotationId,
      kind: z.enum(FILED_KINDS),
      value: z.record(z.string(), z.unknown()),
      /** Who wrote it, as `namedByNumber` has it; null if unknown. */
      author: z.nullable(z.string()),
      /** When it was last changed, ISO 8601. */
      at: z.iso.datetime(),
    }),
  ),
});

/** The annotations of a project as a file, which the last step puts into the results; null if there are none. */
export function annotationFileText(items: Iterable<Annotation>): string | null {
  const annotations = namedByNumber(
    [...items].filter((item): item is FiledAnnotation => isFiledKind(item.kind)),
  ).map(({ id, kind, value, author, at }) => ({ id, kind, value, author, at }));
  if (annotations.length === 0) return null;
  return `${JSON.stringify({ format: FORMAT, version: 1, annotations })}\n`;
}

/**
 * The items with "member 1", "member 2", … instead of addresses, numbered as they first appear: files are passed on, and
 * accounts have no other name.
 */
export function namedByNumber<Item extends { author: string | null }>(
  items: readonly Item[],
): Item[] {
  const addresses = [...new Set(items.flatMap(({ author }) => (isAddress(author) ? author : [])))];
  return items.map((item) => {
    const { author } = item;
    return isAddress(author)
      ? { ...item, author: `member ${addresses.indexOf(author) + 1}` }
      : item;
  });
}

function isAddress(author: string | null): author is string {
  return author?.includes("@") ?? false;
}

/** Reads `annotationFileText`. `fail` gets what is wrong, as the end of a sentence that begins with the file's name. */
export function annotationsInFile(
  text: string,
  fail: (what: string, cause?: unknown) => never,
): FiledAnnotation[] {
  const again = "save the annotations again from the interactive view";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return fail(`is not valid JSON: ${again}.`, cause);
  }
  const read = document.safeParse(value);
  if (!read.success) return fail(`is not a file of annotations: ${again}.`, read.error);
  // Files of earlier versions have addresses.
  return namedByNumber(read.data.annotations).map((item, at) => {
    const checked = ANNOTATION_KINDS[item.kind].safeParse(item.value);
    if (checked.success) return { ...item, value: checked.data, revision: 0 } as FiledAnnotation;
    const field = checked.error.issues[0]!.path.join(".");
    return fail(
      `has an annotation that cannot be read, number ${at + 1} (${item.kind}${field && `, ${field}`}): ${again}.`,
      checked.error,
    );
  });
}

import * as z from "zod";

/** Characters that a command line, a key of the storage, and a file name all take. */
export const REFERENCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Whether this may name a reference, rather than a file. */
export function isReferenceName(given: string): boolean {
  return REFERENCE_NAME.test(given) && !given.endsWith(".h5ad");
}

/** What is known of a condensed reference; stored in its file, listed for users, and recorded in provenance. */
export const referenceDescription = z.object({
  format: z.literal(1),
  name: z.string().regex(REFERENCE_NAME),
  tissue: z.string(),
  /** In words: "human", "pig (Sus scrofa)". */
  species: z.string(),
  /** The obs column that the labels are from. */
  labelsColumn: z.string(),
  labels: z.array(z.string()),
  cells: z.int(),
  genes: z.int(),
  /** File name or URL. */
  source: z.string(),
  citation: z.string().nullable(),
  license: z.string().nullable(),
  /** SHA-256 (hex) of the file that it was condensed from. */
  sourceSha256: z.string(),
  condensedAt: z.iso.datetime(),
});
export type ReferenceDescription = z.infer<typeof referenceDescription>;

/** A condensed file that is listed: kept in the storage, or part of this version. */
export const keptReference = z.object({
  ...referenceDescription.shape,
  /** SHA-256 (hex) of the condensed file. */
  sha256: z.string(),
  size: z.int(),
});
export type KeptReference = z.infer<typeof keptReference>;

/** The order of lists: by tissue, then by name. */
export const byTissueAndName = (a: KeptReference, b: KeptReference): number =>
  a.tissue.localeCompare(b.tissue, "en") || a.name.localeCompare(b.name, "en");

/** The name that a file gives its reference: its own, without the ending. */
export function referenceNameOf(file: string): string {
  const base = file
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.h5ad$/i, "");
  return (
    base
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 60) || "reference"
  );
}

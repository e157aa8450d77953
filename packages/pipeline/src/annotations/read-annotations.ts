import { basename } from "node:path";
import { annotationsInFile, type FiledAnnotation } from "@stipple/contract/annotation-file";
import { LARGEST_ANNOTATIONS } from "@stipple/formats/limits";
import { InputError } from "../errors.ts";
import { readText } from "../readers/counts/read-text.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "a file of annotations",
  remedy: "save the annotations again from the interactive view",
} as const;

/** Reads what people said about a result. Throws {@link InputError} for a file that is something else. */
export async function readAnnotations(path: string): Promise<FiledAnnotation[]> {
  const file = basename(path);
  const text = await readText(path, WANTED, LARGEST_ANNOTATIONS);
  return annotationsInFile(text, (what, cause) => {
    throw new InputError(`${file} ${what}`, { cause });
  });
}

const WORDS = {
  name: ["name or color", "names and colors"],
  group: ["group", "groups"],
  clusters: ["clustering", "clusterings"],
  genes: ["gene list", "gene lists"],
  note: ["note", "notes"],
} as const;

/** "2 groups, 1 clustering". */
export function kindsInWords(items: readonly FiledAnnotation[]): string {
  return Object.entries(WORDS)
    .map(([kind, words]) => ({ words, count: items.filter((item) => item.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ words, count }) => `${count} ${words[count === 1 ? 0 : 1]}`)
    .join(", ");
}

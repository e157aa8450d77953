/** A file that may belong to a sample. */
export interface CandidateFile {
  /** Path from the chosen folder ("outs/spatial/x.png"), or the bare name of a file chosen by itself. */
  path: string;
  /** Bytes; undefined if not known. */
  size?: number | undefined;
  /** Whether it was chosen by itself, not found in a folder. */
  isChosen?: boolean | undefined;
  /** Bytes `start` ≤ b < `end`, fewer at the end of the file. Absent where only names are known. */
  read?: ((start: number, end: number) => Promise<Uint8Array>) | undefined;
}

/** Everything that names a sample's file: the upload slots, and files that only the command line takes. */
export type Role =
  | "barcodes"
  | "features"
  | "matrix"
  | "h5"
  | "positions"
  | "hires"
  | "lowres"
  | "scale"
  | "he_image"
  | "cells"
  | "nuclei"
  | "fine_bins"
  | "reference"
  | "coordinates"
  | "counts";

/** A candidate with its name and folder taken apart. */
export interface Named<F extends CandidateFile = CandidateFile> {
  file: F;
  /** The folder, "" for the chosen one itself; with the case of the path. */
  folder: string;
  /** The name as it is. */
  shown: string;
  /** In lower case, without the mark of a second copy: "tissue_positions (1).csv" is tissue_positions.csv. */
  name: string;
  /** What precedes Space Ranger's own name: "gsm1_a_" of gsm1_a_barcodes.tsv.gz. */
  prefix: string;
}

/** Space Ranger's own file names, where a prefix ends. */
const OWN_NAME =
  /(tissue_(positions|hires|lowres|image|fullres)|scalefactors|(filtered|raw)_(feature|gene)_bc|barcodes?\.|features\.|genes\.|matrix\.mtx|spatial\.(tar|tgz|zip)|cytassist_image|image\.)/;
const COPY_MARK = /( ?\(\d{1,2}\)| - copy( \(\d+\))?| copy( \d+)?)(?=(\.[a-z0-9]+)*$)/;

export function named<F extends CandidateFile>(file: F): Named<F> {
  const path = file.path.replaceAll("\\", "/");
  const cut = path.lastIndexOf("/");
  const shown = path.slice(cut + 1);
  const name = shown.toLowerCase().replace(COPY_MARK, "");
  return { file, folder: path.slice(0, Math.max(cut, 0)), shown, name, prefix: prefixOf(name) };
}

/** The text before Space Ranger's own file name. */
export function prefixOf(name: string): string {
  const own = OWN_NAME.exec(name);
  return own ? name.slice(0, own.index) : "";
}

/** Files that operating systems and version control leave in folders; they need no message. */
export function isClutter({ path }: CandidateFile): boolean {
  return (
    /(^|\/)(\.|__macosx\/)/i.test(path) || /(^|\/)(thumbs\.db|desktop\.ini|icon\r)$/i.test(path)
  );
}

/** Number of steps up and down between two folders. */
export function foldersBetween(a: string, b: string): number {
  const from = a === "" ? [] : a.split("/");
  const to = b === "" ? [] : b.split("/");
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return from.length - shared + (to.length - shared);
}

/** "a", "a and b", "a, b, and c"; of more than `most`, the first and their number. */
export function list(words: readonly string[], most = 4): string {
  if (words.length > most) {
    return `${words.slice(0, most - 1).join(", ")} and ${words.length - most + 1} more`;
  }
  return new Intl.ListFormat("en-US").format(words);
}

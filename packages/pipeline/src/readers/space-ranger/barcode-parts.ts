import { InputError } from "../../errors.ts";

/** A barcode's sequence or bin, in one spelling, and what stands before and after it. */
export interface BarcodeParts {
  before: string;
  core: string;
  after: string;
}

const BIN = /s[_.-](\d{3}um)[_.-](\d{5})[_.-](\d{5})/i;
const BASES = /[ACGTN]{4,}/gi;

/** The parts of a barcode; null if it contains neither bases nor a bin. */
export function partsOf(barcode: string): BarcodeParts | null {
  const bin = BIN.exec(barcode);
  if (bin) {
    const core = `s_${bin[1].toLowerCase()}_${bin[2]}_${bin[3]}`;
    return { ...around(barcode, bin.index, bin[0].length), core };
  }
  let longest: RegExpExecArray | null = null;
  for (const run of barcode.matchAll(BASES)) {
    if (longest === null || run[0].length >= longest[0].length) longest = run;
  }
  if (longest === null) return null;
  return {
    ...around(barcode, longest.index, longest[0].length),
    core: longest[0].toUpperCase(),
  };
}

function around(barcode: string, at: number, length: number): { before: string; after: string } {
  return { before: barcode.slice(0, at), after: barcode.slice(at + length) };
}

/** Most samples that are told apart. */
const MAX_AFFIXES = 100;

/**
 * What stands around the sequences of these barcodes, each pair once; null if a barcode has no sequence. O(barcodes).
 */
export function affixesOf(
  barcodes: readonly string[],
): { before: string; after: string; example: string }[] | null {
  const pairs = new Map<string, { before: string; after: string; example: string }>();
  for (const example of barcodes) {
    const parts = partsOf(example);
    if (parts === null) return null;
    const { before, after } = parts;
    const key = `${before}\n${after}`;
    if (!pairs.has(key)) pairs.set(key, { before, after, example });
    if (pairs.size > MAX_AFFIXES) break;
  }
  return [...pairs.values()].sort((a, b) =>
    a.after.localeCompare(b.after, "en", { numeric: true }),
  );
}

/**
 * Throws {@link InputError} if barcodes are those of several libraries: with several numbers (-1, -2) from an
 * aggregated run, or with several names or suffixes from a program that merges samples. O(barcodes).
 */
export function refuseSeveralSamples(
  file: string,
  barcodes: readonly string[],
  verb: "describes" | "holds",
): void {
  const affixes = affixesOf(barcodes);
  if (affixes === null || affixes.length < 2) return;
  const isAggregated = affixes.every(
    ({ before, after }) => before === affixes[0].before && /^[-._]\d+$/.test(after),
  );
  const shown = affixes
    .slice(0, 4)
    .map(({ after, example }) => (isAggregated ? after : example))
    .join(", ");
  const more = affixes.length > 4 ? ", …" : "";
  const n = affixes.length > MAX_AFFIXES ? `more than ${MAX_AFFIXES}` : String(affixes.length);
  throw new InputError(
    isAggregated
      ? `${file} ${verb} ${n} capture areas (barcodes end in ${shown}${more}), as after spaceranger aggr or a merge: analyze each from its own outs folder.`
      : `${file} ${verb} barcodes of ${n} samples (${shown}${more}), as after a merge: analyze each sample from its own outs folder.`,
  );
}

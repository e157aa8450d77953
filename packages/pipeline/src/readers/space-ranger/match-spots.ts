import type { Platform } from "@stipple/contract";
import { InputError } from "../../errors.ts";
import type { Positions } from "../sample.ts";
import { partsOf, refuseSeveralSamples, affixesOf } from "./barcode-parts.ts";

/** The files whose barcodes are matched. */
export interface MatchedFiles {
  noun: Platform["spotNoun"];
  positions: string;
  matrix: string;
  /** Whether the matrix is that of all spots, also off tissue. */
  isRaw: boolean;
}

/** Fraction of spots that may contradict the positions about being in tissue, in a filtered matrix. */
const CONTRADICTED = 0.05;

/**
 * Selects the barcodes of a matrix that are spots to analyze: those with a position in tissue. Barcodes that
 * differ from those of the positions in one plain way are matched with a warning. Throws {@link InputError} if
 * barcodes belong to several samples, if some have no position, or if nothing is in tissue. O(barcodes).
 */
export function matchSpots(
  barcodes: readonly string[],
  positions: Positions,
  names: MatchedFiles,
  warn: (message: string) => void,
  /** Explains why no barcode of the counts is among the positions, if the first barcode of each reveals it. */
  explain?: (counted: string, placed: string, names: MatchedFiles) => string | null,
): { keep: Uint8Array; positionOf: Map<string, number> } {
  refuseSeveralSamples(names.matrix, barcodes, "holds");
  refuseRepeats(barcodes, names.matrix);
  const placing = placeBarcodes(barcodes, positions);
  if (placing.without === barcodes.length) {
    throw new InputError(
      explain?.(barcodes[0], positions.barcode[0], names) ??
        nothingInCommon(barcodes[0], positions.barcode[0], names),
    );
  }
  if (placing.without > 0) requireTissueOnly(barcodes, positions, names, placing);
  if (placing.change !== null) {
    warn(
      `The barcodes in ${names.matrix} (such as ${barcodes[0]}) and ${names.positions} (such as ${positions.barcode[0]}) differ ${placing.change}, which was ignored: every barcode matches without it.`,
    );
  }
  if (placing.without > 0) {
    warn(
      `${names.positions} lists only ${names.noun}s in tissue, so the other ${placing.without} of ${barcodes.length} barcodes in ${names.matrix} ${placing.without === 1 ? "was" : "were"} left out.`,
    );
  }
  const keep = new Uint8Array(barcodes.length);
  let [kept, outside] = [0, 0];
  barcodes.forEach((barcode, i) => {
    const row = placing.rowOf.get(barcode);
    if (row !== undefined && positions.inTissue[row] === 1) kept += keep[i] = 1;
    else outside++;
  });
  if (kept === 0) {
    throw new InputError(
      `${names.positions} marks no ${names.noun}s as in tissue (in_tissue is 0 for all ${outside}): check the tissue detection.`,
    );
  }
  if (!isWholeSlide(barcodes, names)) requireSameTissue(positions, names, { kept, outside }, warn);
  return { keep, positionOf: placing.rowOf };
}

function refuseRepeats(barcodes: readonly string[], file: string): void {
  const seen = new Set<string>();
  for (const barcode of barcodes) {
    if (seen.has(barcode)) {
      throw new InputError(
        `${file} lists the barcode ${barcode} twice: two samples were put together, or a line was copied; use the matrix of one sample.`,
      );
    }
    seen.add(barcode);
  }
}

function nothingInCommon(counted: string, placed: string, names: MatchedFiles): string {
  const shown = `No barcode in ${names.matrix} (such as ${counted}) has a position in ${names.positions} (such as ${placed})`;
  const [a, b] = [partsOf(counted), partsOf(placed)];
  if (a === null && b !== null) {
    return `${shown}: the names in ${names.matrix} are not barcodes; use the barcodes that Space Ranger wrote, from the filtered_feature_bc_matrix folder.`;
  }
  return `${shown}: the files are from different samples or bin sizes; take both from one Space Ranger folder.`;
}

/**
 * Spots without a position are only expected in the matrix of all spots of a slide, next to positions of all
 * spots in tissue.
 */
function requireTissueOnly(
  barcodes: readonly string[],
  positions: Positions,
  names: MatchedFiles,
  { rowOf, without }: Placing,
): void {
  const allInTissue = positions.inTissue.every((flag) => flag === 1);
  if (isWholeSlide(barcodes, names) && allInTissue && rowOf.size === positions.barcode.length)
    return;
  const example = barcodes.find((barcode) => !rowOf.has(barcode))!;
  throw new InputError(
    `${without} of ${barcodes.length} barcodes in ${names.matrix} (such as ${example}) have no position among the ${positions.barcode.length} in ${names.positions}: one of the files is cut off, or they are from different samples; take both from one Space Ranger folder.`,
  );
}

/** Spots on the slides of Visium with areas of 6.5 and 11 mm. */
const SLIDES = [4992, 14_336];

function isWholeSlide(barcodes: readonly string[], { isRaw }: MatchedFiles): boolean {
  return isRaw || SLIDES.includes(barcodes.length);
}

/**
 * Space Ranger's filtered matrix has the spots that its positions mark as in tissue. All slides have the same
 * barcodes, so only this tells the matrix of another sample.
 */
function requireSameTissue(
  { inTissue }: Positions,
  names: MatchedFiles,
  { kept, outside }: { kept: number; outside: number },
  warn: (message: string) => void,
): void {
  const tissue = inTissue.reduce((sum, flag) => sum + flag, 0);
  const absent = tissue - kept;
  if (outside > CONTRADICTED * (kept + outside) && absent > CONTRADICTED * tissue) {
    throw new InputError(
      `${names.positions} marks ${outside} of the ${kept + outside} ${names.noun}s in ${names.matrix} as off tissue, and ${names.matrix} lacks ${absent} of its ${tissue} ${names.noun}s in tissue: the files are from different samples; take both from one Space Ranger folder.`,
    );
  }
  if (absent > CONTRADICTED * tissue) {
    warn(
      `${names.matrix} has no counts for ${absent} of the ${tissue} ${names.noun}s that ${names.positions} marks as in tissue: unless they were left out on purpose, take both files from one Space Ranger folder.`,
    );
  }
  if (outside > 0) {
    warn(
      `${names.positions} marks ${outside} of the ${kept + outside} ${names.noun}s in ${names.matrix} as off tissue; ${outside === 1 ? "it was" : "they were"} left out.`,
    );
  }
}

/** Which position each barcode of a matrix has. */
interface Placing {
  /** Row in the positions. */
  rowOf: Map<string, number>;
  /** Number of barcodes without a position; spots that are off tissue and have no place are not counted. */
  without: number;
  /** How the barcodes differ from those of the positions, in words; null if they do not. */
  change: string | null;
}

/**
 * Matches barcodes to positions: as they are, else by their sequence (or bin) alone if each side has the same text
 * around all of its sequences, and not two different sample names. O(barcodes).
 */
function placeBarcodes(barcodes: readonly string[], positions: Positions): Placing {
  const exact = placeBy((barcode) => barcode, barcodes, positions);
  if (exact.without === 0) return exact;
  const change = differenceOf(barcodes, positions.barcode);
  if (change === null) return exact;
  const coreOf = (barcode: string): string => partsOf(barcode)!.core;
  const cores = new Set(barcodes.map(coreOf));
  if (cores.size < new Set(barcodes).size) return exact;
  if (new Set(positions.barcode.map(coreOf)).size < positions.barcode.length) return exact;
  const byCore = placeBy(coreOf, barcodes, positions);
  return byCore.without < exact.without ? { ...byCore, change } : exact;
}

function placeBy(
  keyOf: (barcode: string) => string,
  barcodes: readonly string[],
  { barcode: placed, unplaced = new Set() }: Positions,
): Placing {
  const rowByKey = new Map(placed.map((barcode, row) => [keyOf(barcode), row]));
  const offTissue = new Set(Array.from(unplaced, keyOf));
  const rowOf = new Map<string, number>();
  let without = 0;
  for (const barcode of barcodes) {
    const row = rowByKey.get(keyOf(barcode));
    if (row !== undefined) rowOf.set(barcode, row);
    else if (!offTissue.has(keyOf(barcode))) without++;
  }
  return { rowOf, without, change: null };
}

/** How barcodes were changed, in words; null if they contain no sequences or carry names of different samples. */
function differenceOf(counted: readonly string[], placed: readonly string[]): string | null {
  const [ofCounts, ofPositions] = [affixesOf(counted), affixesOf(placed)];
  if (ofCounts?.length !== 1 || ofPositions?.length !== 1) return null;
  const [a, b] = [ofCounts[0], ofPositions[0]];
  const isNamed = (before: string): boolean => /[a-z0-9]/i.test(before);
  if (a.before !== b.before) {
    return isNamed(a.before) && isNamed(b.before) ? null : "in what is before the sequence";
  }
  if (a.after !== b.after) {
    return hasName(a.after) && hasName(b.after) ? null : "in what is after the sequence";
  }
  return "in the spelling of the sequence";
}

/** Whether a suffix contains more than numbers. */
function hasName(after: string): boolean {
  return /[a-z]/i.test(after);
}

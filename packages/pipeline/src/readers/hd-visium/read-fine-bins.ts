import { basename } from "node:path";
import { pause } from "../../engine/pause.ts";
import { rangesWithin } from "@stipple/numerics/ranges";
import { InputError } from "../../errors.ts";
import type { Genes } from "../counts/count-matrix.ts";
import { matrixGroups } from "../space-ranger/h5-matrix-groups.ts";
import { H5Parts, withH5File } from "../space-ranger/read-h5-matrix.ts";
import { binFolder, binUmOf } from "./bin-size.ts";

/** Side length of the finest bins, µm. */
export const FINE_BIN_UM = 2;

/** Maximum numbers of bins whose barcodes are in memory, and of counts. */
const BINS = 200_000;
const SLICE = 4_000_000;

/** Counts of one bin: entries `from` ≤ k < `to` of arrays that the next piece of the file overwrites. */
export type TakeBin = (bin: {
  /** Array position, from the barcode. */
  row: number;
  col: number;
  /** Indices into the file's genes; a gene may occur twice in files modified by their owner. */
  genes: Uint32Array;
  counts: Uint32Array;
  from: number;
  to: number;
}) => void;

/**
 * Streams the counts of the 2 µm bins, each bin once, in file order: about 200,000 barcodes and 4 million
 * counts are in memory at a time, whatever the file size. `begin` gets the genes before the first bin. Throws
 * {@link InputError} for a file that is damaged or contains other bins. O(file).
 */
export async function streamFineBins(
  path: string,
  options: {
    begin: (genes: Genes) => void;
    take: TakeBin;
    signal?: AbortSignal | undefined;
    progress?: ((fraction: number) => void) | undefined;
  },
): Promise<void> {
  await withH5File(path, async (h5, facts) => {
    const [group, other] = matrixGroups(h5, facts.file);
    const parts = new H5Parts(group, facts);
    if (other) parts.fail(`holds several matrices (${group.name}, ${other.name}, …)`);
    const { geneOf } = parts.genes;
    options.begin(parts.genes);
    const bin = {
      row: 0,
      col: 0,
      genes: new Uint32Array(1 << 16),
      counts: new Uint32Array(1 << 16),
      from: 0,
      to: 0,
    };
    for (let first = 0; first < parts.nBarcodes; first += BINS) {
      const last = Math.min(parts.nBarcodes, first + BINS);
      const barcodes = parts.barcodesOf(first, last);
      const starts = parts.startsOf(first, last);
      for (const { from, to } of rangesWithin(starts, SLICE)) {
        const start = starts[from];
        const length = starts[to] - start;
        if (length > bin.genes.length) {
          bin.genes = new Uint32Array(length);
          bin.counts = new Uint32Array(length);
        }
        const { features, featureStride, values, valueStride } = await parts.entries(
          start,
          start + length,
        );
        let used = 0;
        for (let i = from; i < to; i++) {
          bin.from = used;
          for (let k = starts[i] - start; k < starts[i + 1] - start; k++) {
            const feature = features[k * featureStride];
            const value = values[k * valueStride];
            if (!parts.isCount(feature, value)) parts.refuse(feature, value, barcodes[i]);
            if (geneOf[feature] < 0 || value === 0) continue;
            bin.genes[used] = geneOf[feature];
            bin.counts[used++] = value;
          }
          bin.to = used;
          place(barcodes[i], bin, path);
          options.take(bin);
        }
        options.progress?.((first + to) / parts.nBarcodes);
        await pause(options.signal);
      }
    }
  });
}

const PREFIX = `s_${String(FINE_BIN_UM).padStart(3, "0")}um_`;
const DIGITS = 5;

/** Row and column of a barcode like s_002um_00301_00321-1. Throws {@link InputError} for any other. */
function place(barcode: string, bin: { row: number; col: number }, path: string): void {
  bin.row = numberAt(barcode, PREFIX.length);
  bin.col = numberAt(barcode, PREFIX.length + DIGITS + 1);
  const separator = barcode[PREFIX.length + DIGITS];
  if (barcode.startsWith(PREFIX) && separator === "_" && bin.row >= 0 && bin.col >= 0) return;
  const file = basename(path);
  const binUm = binUmOf(barcode);
  const what = binUm === null ? `has the barcode ${barcode}` : `has ${binUm} µm bins`;
  throw new InputError(
    `${file} ${what}, not ${FINE_BIN_UM} µm bins: use filtered_feature_bc_matrix.h5 from binned_outputs/${binFolder(FINE_BIN_UM)}.`,
  );
}

/** The five-digit number at `at`, -1 if there is none. */
function numberAt(text: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + DIGITS; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = 10 * value + digit;
  }
  return value;
}

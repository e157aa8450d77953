import { InputError } from "../../errors.ts";
import type { Scalefactors } from "../../readers/visium/read-scalefactors.ts";

/** Bin size that a barcode of HD Visium names (s_008um_00301_00321-1), µm; null for other barcodes. */
export function binUmOf(barcode: string): number | null {
  const found = /^s_(\d{3})um_/.exec(barcode);
  return found ? Number(found[1]) : null;
}

/**
 * Bin size of an HD sample, µm: as its barcodes say, else its scale factors, else as chosen. Throws {@link InputError}
 * when another one was chosen.
 */
export function resolveBinUm(
  firstBarcode: string,
  scalefactors: Scalefactors,
  options: { resolution: "8" | "16" | undefined; file: string },
): { binUm: number; warnings: string[] } {
  const named = binUmOf(firstBarcode);
  const declared = scalefactors.bin_size_um ?? null;
  const chosen = options.resolution === undefined ? null : Number(options.resolution);
  const binUm = named ?? declared ?? chosen ?? 8;
  if (chosen !== null && chosen !== binUm) {
    const source = named === null ? "scalefactors_json.json" : options.file;
    throw new InputError(
      binUm === 8 || binUm === 16
        ? `${source} is of bins of ${binUm} µm, but ${chosen} µm was chosen: choose ${binUm} µm, or give the files of binned_outputs/square_0${String(chosen).padStart(2, "0")}um.`
        : `${source} is of bins of ${binUm} µm, but only 8 and 16 µm can be analyzed: give the files of binned_outputs/square_008um or square_016um.`,
      { file: source },
    );
  }
  if (declared !== null && declared !== binUm) {
    return {
      binUm,
      warnings: [
        `scalefactors_json.json is of bins of ${declared} µm, but ${options.file} of bins of ${binUm} µm; ${binUm} µm was used.`,
      ],
    };
  }
  return { binUm, warnings: [] };
}

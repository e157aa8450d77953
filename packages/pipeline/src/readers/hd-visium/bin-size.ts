import { HD_VISIUM } from "@stipple/contract/platforms/hd-visium";
import { InputError } from "../../errors.ts";
import type { Scalefactors } from "../space-ranger/read-scalefactors.ts";

/** Bin size in an HD Visium barcode (s_008um_00301_00321-1), µm; null for other barcodes. */
export function binUmOf(barcode: string): number | null {
  const found = /^s_(\d{3})um_/.exec(barcode);
  return found ? Number(found[1]) : null;
}

/** Space Ranger's folder for a bin size. */
export function binFolder(binUm: number): string {
  return `square_${String(binUm).padStart(3, "0")}um`;
}

const SIZES = HD_VISIUM.resolutions.map(Number);

/**
 * Bin size of an HD sample, µm: from its barcodes, else from its scale factors, else the chosen one. Throws
 * {@link InputError} if a different one was chosen, or if bins of this size cannot be analyzed.
 */
export function resolveBinUm(
  firstBarcode: string,
  scalefactors: Scalefactors,
  options: { resolution: string | undefined; file: string },
): { binUm: number; warnings: string[] } {
  const named = binUmOf(firstBarcode);
  const declared = scalefactors.bin_size_um ?? null;
  const chosen = options.resolution === undefined ? null : Number(options.resolution);
  const binUm = named ?? declared ?? chosen ?? SIZES[0];
  const source = named === null ? "scalefactors_json.json" : options.file;
  if (!SIZES.includes(binUm)) {
    throw new InputError(
      `${source} has ${binUm} µm bins, but only ${SIZES.join(" and ")} µm can be analyzed: use the files from binned_outputs/${SIZES.map(binFolder).join(" or ")}.`,
    );
  }
  if (chosen !== null && chosen !== binUm) {
    throw new InputError(
      `${source} has ${binUm} µm bins, but ${chosen} µm was chosen: choose ${binUm} µm, or use the files from binned_outputs/${binFolder(chosen)}.`,
    );
  }
  if (declared !== null && declared !== binUm) {
    return {
      binUm,
      warnings: [
        `scalefactors_json.json declares ${declared} µm bins, but ${options.file} has ${binUm} µm bins; ${binUm} µm was used.`,
      ],
    };
  }
  return { binUm, warnings: [] };
}

import type { PlatformReader } from "../platform-reader.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { binUmOf, resolveBinUm } from "./bin-size.ts";
import { HD_VISIUM } from "@stipple/contract/platforms/hd-visium";
import { InputError } from "../../errors.ts";
import type { AlignmentScale } from "../../facts.ts";
import {
  fitLattice,
  hexagonalPitch,
  nearestNeighborPitch,
  outlierWarnings,
  pitchOf,
} from "../lattice/fit-lattice.ts";
import { requireNoStrays } from "../lattice/stray-spots.ts";
import type { Positions } from "../sample.ts";
import type { Scalefactors } from "../space-ranger/read-scalefactors.ts";

/** The files of one bin size in Space Ranger's output for Visium HD. */
export const hdVisiumReader: PlatformReader = {
  id: "hd_visium",
  open: (files, { resolution }) =>
    openSpaceRanger(files, {
      noun: HD_VISIUM.spotNoun,
      scale: (positions, scalefactors, file) =>
        hdScale(positions, scalefactors, { resolution, file }),
      explainMismatch(countedBarcode, placedBarcode, names) {
        const [counted, placed] = [binUmOf(countedBarcode), binUmOf(placedBarcode)];
        if (counted === null || placed === null || counted === placed) return null;
        return `${names.matrix} has ${counted} µm bins, but ${names.positions} has ${placed} µm bins: take both from the same binned_outputs/square folder.`;
      },
    }),
};

/**
 * µm per full-resolution pixel: microns_per_pixel, else from the bin pitch, else from the nearest-neighbor
 * distance. Throws {@link InputError} for a Visium sample, for a bin size other than the chosen one, and if
 * nothing fits.
 */
export function hdScale(
  positions: Positions,
  scalefactors: Scalefactors,
  options: { resolution: string | undefined; file: string },
): AlignmentScale {
  const fit = fitLattice(positions);
  const looksHd = scalefactors.bin_size_um !== undefined || binUmOf(positions.barcode[0]) !== null;
  if (!looksHd && fit && hexagonalPitch(fit) !== null) {
    throw new InputError(
      `${options.file} describes the hexagonal array of Visium, not HD Visium: set the platform to Visium.`,
    );
  }
  const { binUm, warnings } = resolveBinUm(positions.barcode[0], scalefactors, options);
  const shared = { pitchUm: binUm, spotSizeUm: binUm, spotShape: HD_VISIUM.spotShape } as const;
  const pitch = pitchOf(fit, HD_VISIUM.lattice);
  const residualPx = fit && pitch !== null ? fit.residualPx : null;
  if (fit && pitch !== null) {
    requireNoStrays(fit, pitch, positions, options.file, HD_VISIUM.spotNoun);
    warnings.push(...outlierWarnings(fit, options.file));
  }
  const given = scalefactors.microns_per_pixel;
  if (given !== undefined) {
    if (pitch !== null && Math.abs((pitch * given) / binUm - 1) > 0.05) {
      throw new InputError(
        `By microns_per_pixel in scalefactors_json.json, the bins in ${options.file} are ${(pitch * given).toFixed(2)} µm apart, not ${binUm} µm: the positions refer to an image of a different size, or one of the files is from another sample; take both from one Space Ranger folder.`,
      );
    }
    return { ...shared, micronsPerPixel: given, source: "microns_per_pixel", residualPx, warnings };
  }
  if (pitch !== null) {
    return {
      ...shared,
      micronsPerPixel: binUm / pitch,
      source: "array_pitch",
      residualPx,
      warnings,
    };
  }
  const nearest = nearestNeighborPitch(positions.x, positions.y);
  if (nearest === null) {
    throw new InputError(
      `scalefactors_json.json lacks microns_per_pixel, and the positions in ${options.file} give no scale: use both original Space Ranger files.`,
    );
  }
  warnings.push(
    `The array indices in ${options.file} do not match the positions; the scale was taken from the distance between neighboring bins (${nearest.toFixed(1)} px = ${binUm} µm).`,
  );
  return {
    ...shared,
    micronsPerPixel: binUm / nearest,
    source: "nearest_neighbor",
    residualPx: null,
    warnings,
  };
}

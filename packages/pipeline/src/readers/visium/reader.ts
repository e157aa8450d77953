import type { PlatformReader } from "../platform-reader.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { VISIUM } from "@stipple/contract/platforms/visium";
import { InputError } from "../../errors.ts";
import type { AlignmentScale } from "../../facts.ts";
import { binUmOf } from "../hd-visium/bin-size.ts";
import { spotArrayScale } from "../lattice/spot-array-scale.ts";
import type { Positions } from "../sample.ts";
import type { Scalefactors } from "../space-ranger/read-scalefactors.ts";

/** Space Ranger's output of any version. */
export const visiumReader: PlatformReader = {
  id: "visium",
  open: (files) => openSpaceRanger(files, { noun: VISIUM.spotNoun, scale: visiumScale }),
};

/** Nominal diameter that spot_diameter_fullres refers to, µm: larger than the printed 55 µm. */
const NOMINAL_DIAMETER_UM = 65;

/**
 * µm per full-resolution pixel from the array pitch, because 55 / spot_diameter_fullres is wrong in most files.
 * Throws {@link InputError} for bins of HD Visium and if nothing gives a scale.
 */
export function visiumScale(
  positions: Positions,
  scalefactors: Scalefactors,
  file: string,
): AlignmentScale {
  if (scalefactors.bin_size_um !== undefined || binUmOf(positions.barcode[0]) !== null) {
    throw new InputError(
      `${file} describes HD Visium bins: set the platform to HD Visium and choose a bin size of 8 or 16 µm.`,
    );
  }
  const scale = spotArrayScale(positions, VISIUM, file);
  if (scale) {
    if (scale.residualPx !== null) requireSameImage(scale.micronsPerPixel, scalefactors, file);
    return scale;
  }
  const diameter = scalefactors.spot_diameter_fullres;
  if (diameter === undefined) {
    throw new InputError(
      `${file} has fewer than two different positions, so no scale can be derived: use the original Space Ranger file.`,
    );
  }
  return {
    ...VISIUM.array,
    spotShape: VISIUM.spotShape,
    micronsPerPixel: NOMINAL_DIAMETER_UM / diameter,
    source: "nearest_neighbor",
    residualPx: null,
    warnings: [
      "With a single spot, the scale could only be taken from spot_diameter_fullres (nominally 65 µm) and may be off by 20%.",
    ],
  };
}

/**
 * Files differ by a factor of up to 1.3 in what they use as a spot's diameter; beyond this limit the positions
 * belong to another image.
 */
const MAX_DIAMETER_RATIO = 1.7;

/** Rejects positions whose pitch and spot_diameter_fullres cannot belong to the same image. */
function requireSameImage(umPerPx: number, scalefactors: Scalefactors, file: string): void {
  const diameter = scalefactors.spot_diameter_fullres;
  if (diameter === undefined) return;
  const ratio = NOMINAL_DIAMETER_UM / diameter / umPerPx;
  if (ratio < MAX_DIAMETER_RATIO && ratio > 1 / MAX_DIAMETER_RATIO) return;
  const [size, factor] = ratio > 1 ? ["smaller", ratio] : ["larger", 1 / ratio];
  throw new InputError(
    `${file} and scalefactors_json.json contradict each other: neighboring spots are ${(VISIUM.array.pitchUm / umPerPx).toFixed(1)} px apart, but a spot is ${diameter.toFixed(1)} px wide, as if the image were about ${factor.toFixed(1)} times ${size}; take both files from one Space Ranger folder.`,
  );
}

import type { PlatformReader } from "../platform-reader.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { binUmOf } from "./bin-size.ts";
import { hdScale } from "./scale.ts";

/** The files of one bin size in Space Ranger's output for Visium HD. */
export const hdVisiumReader: PlatformReader = {
  id: "hd_visium",
  open: (files, { resolution }) =>
    openSpaceRanger(files, {
      scale: (positions, scalefactors, file) =>
        hdScale(positions, scalefactors, { resolution, file }),
      explainMismatch(countedBarcode, placedBarcode, names) {
        const [counted, placed] = [binUmOf(countedBarcode), binUmOf(placedBarcode)];
        if (counted === null || placed === null || counted === placed) return null;
        return `${names.matrix} has ${counted} µm bins, but ${names.positions} has ${placed} µm bins: take both from the same binned_outputs/square folder.`;
      },
    }),
};

import { DIGESTIVE } from "./digestive.ts";
import { EMBRYO } from "./embryo.ts";
import { IMMUNE } from "./immune.ts";
import { markerSet, type MarkerSet } from "./marker-set.ts";
import { LYMPHOID } from "./lymphoid.ts";
import { NERVOUS } from "./nervous.ts";
import { ORGANS } from "./organs.ts";
import { STROMA } from "./stroma.ts";
import { SURFACE_EPITHELIA } from "./surface-epithelia.ts";
import { TUMORS } from "./tumors.ts";

/**
 * All types that can be identified, in human symbols. Written from general knowledge of histology, not from a database.
 */
export const MARKER_SETS: readonly MarkerSet[] = [
  ...IMMUNE,
  ...STROMA,
  ...NERVOUS,
  ...SURFACE_EPITHELIA,
  ...DIGESTIVE,
  ...ORGANS,
  ...LYMPHOID,
  ...TUMORS,
  ...EMBRYO,
];

/** Used if the sets have no epithelium for the tissue. */
export const ANY_EPITHELIUM: MarkerSet = markerSet(
  "Epithelial",
  "Epithelial",
  ["any"],
  "EPCAM CDH1 KRT8 KRT18 KRT19 KRT7 CLDN3 CLDN4 CLDN7 ELF3 TACSTD2 ESRP1 GRHL2 CDH3 EHF TMC5 MUC1; KRT5 KRT14 KRT15 KRT17 LAMB3 SFN PERP GPRC5A ERBB2 ERBB3 EGFR MET AGR2 S100A14 CD24 WFDC2 PIGR SLPI FGFBP1 MALL SERPINB3",
);

/** Every type that a cell can be named as, and epithelium of no known kind. */
export const CATALOG: readonly MarkerSet[] = [...MARKER_SETS, ANY_EPITHELIUM];

/** The sets of these names, which must be in the catalog. */
export function setsNamed(names: readonly string[]): MarkerSet[] {
  const known = new Map(CATALOG.map((set) => [set.name, set]));
  return names.map((name) => known.get(name)!);
}

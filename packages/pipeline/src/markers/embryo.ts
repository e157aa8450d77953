import { markerSet, type MarkerSet } from "./marker-set.ts";

/** Cell types in an embryo other than those of the organs that it forms. */
export const EMBRYO: readonly MarkerSet[] = [
  markerSet(
    "Mesenchymal cell",
    "Stromal",
    ["embryo"],
    "TWIST1 TWIST2 PRRX1 PRRX2 PDGFRA MSX1 MSX2 FOXC1 FOXC2 OSR1 TBX15 TBX18 MEOX1 MEOX2 COL1A1 COL3A1 DLK1 ALX1",
  ),
  markerSet(
    "Neural crest cell",
    "Glia",
    ["embryo"],
    "SOX10 FOXD3 TFAP2A TFAP2B ERBB3 PLP1 ETS1 SNAI2 NGFR PHOX2B ISL1 EDNRB MPZ CDH6",
  ),
  markerSet(
    "Myoblast",
    "Muscle",
    ["embryo", "skeletal muscle"],
    "MYOD1 MYOG MYF5 MYMK MYMX PAX3 PAX7 ACTC1 MYH3 CDH15 TNNT1 TNNC1 MYL1 DES",
  ),
  markerSet(
    "Surface ectoderm",
    "Epithelial",
    ["embryo"],
    "KRT5 KRT8 KRT14 KRT15 KRT18 TFAP2A TFAP2C TP63 EPCAM GRHL2 GRHL3 CDH1 WNT6 PERP",
  ),
];

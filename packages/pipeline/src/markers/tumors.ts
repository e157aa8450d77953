import { markerSet, type MarkerSet } from "./marker-set.ts";

/**
 * Malignant epithelia that differ from the healthy epithelium of their organ in genes of their own. Breast and colon
 * are listed with their organs.
 */
export const TUMORS: readonly MarkerSet[] = [
  markerSet(
    "Prostate tumor epithelial",
    "Epithelial",
    ["prostate"],
    "AMACR PCA3 OR51E2 HPN GOLM1 TDRD1 DLX1 SIM2 FOLH1 TRPM8 GLYATL1 PCAT14 - KRT5 KRT14 TP63",
  ),
  markerSet(
    "Lung tumor epithelial",
    "Epithelial",
    ["lung"],
    "CEACAM5 CEACAM6 MUC21 TMPRSS4 S100P KRT7 KRT19 CLDN4 SPINK1 MDK PITX1 AGR2 - AGER SFTPC FOXJ1",
  ),
  markerSet(
    "Hepatocellular carcinoma cell",
    "Epithelial",
    ["liver"],
    "GPC3 AFP SPINK1 AKR1B10 PEG10 REG3A DLK1 TSPAN8 MDK CAP2 ROBO1 PLVAP - KRT7 KRT19",
  ),
  markerSet(
    "Renal carcinoma cell",
    "Epithelial",
    ["kidney"],
    "CA9 NDUFA4L2 ANGPTL4 NNMT EGLN3 VEGFA CD70 FABP7 SCARB1 PLIN2 SLC17A3 TMEM91 - UMOD AQP2 NPHS1",
  ),
  markerSet(
    "Ovarian tumor epithelial",
    "Epithelial",
    ["ovary"],
    "MUC16 PAX8 WFDC2 MSLN FOLR1 SOX17 EPCAM KRT7 CD24 CLDN3 CLDN4 KLK6 KLK7 - FOXL2 COL1A1",
  ),
  markerSet(
    "Melanoma cell",
    "Melanocyte",
    ["skin"],
    "PRAME MAGEA3 MAGEA6 MIA SOX10 S100B PMEL MLANA APOD CSPG4 NES TYRP1 - KRT5 KRT14",
  ),
];

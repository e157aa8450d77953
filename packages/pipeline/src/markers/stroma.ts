import { markerSet, type MarkerSet } from "./marker-set.ts";

/** Connective tissue, vessels, fat, and nerve sheaths, found in nearly every organ. */
export const STROMA: readonly MarkerSet[] = [
  markerSet(
    "Fibroblast",
    "Stromal",
    ["any"],
    "COL1A1 COL1A2 COL3A1 DCN LUM PDGFRA DPT FBLN1 FBLN2 MMP2 THY1 COL6A3 SFRP2 SFRP4 PI16 FAP POSTN C7 OGN ASPN COL5A1 COL6A1 COL6A2 COL14A1 CCDC80 MFAP4 MFAP5 CTHRC1 LRRC15 PCOLCE - RGS5 EPCAM PECAM1",
  ),
  markerSet(
    "Pericyte",
    "Stromal",
    ["any"],
    "RGS5 PDGFRB KCNJ8 ABCC9 NOTCH3 CSPG4 HIGD1B NDUFA4L2 COX4I2 VTN MCAM ANPEP GJC1 ATP13A5 - DCN LUM MYH11 DES PECAM1",
  ),
  markerSet(
    "Smooth muscle",
    "Stromal",
    ["any"],
    "ACTA2 MYH11 TAGLN CNN1 DES LMOD1 ACTG2 SYNPO2 SYNM MYLK PLN CASQ2 MYL9 SMTN RERGL HHIP CALD1 TPM2 KCNMB1 PDLIM3 - KRT5 KRT14 KRT17 DCN PECAM1",
  ),
  markerSet(
    "Endothelial",
    "Endothelial",
    ["any"],
    "PECAM1 VWF CDH5 CLDN5 KDR FLT1 EMCN PLVAP ESAM EGFL7 ERG TIE1 TEK ROBO4 ECSCR ADGRL4 CLEC14A MMRN2 SOX18 RAMP2 CD34 LY6C1 SLCO1A4 BSG SLCO1C1 ADGRF5 CD93 SOX17 NOSTRIN SHANK3 PGLYRP1 LY6A - PROX1 LYVE1 PDPN",
  ),
  markerSet(
    "Lymphatic endothelial",
    "Endothelial",
    ["any"],
    "PROX1 LYVE1 PDPN FLT4 CCL21 MMRN1 TFF3 RELN NTS SEMA3D SCN3B PKHD1L1 - EPCAM VWF PLVAP",
  ),
  markerSet(
    "Adipocyte",
    "Adipocyte",
    ["any"],
    "ADIPOQ PLIN1 PLIN4 LEP FABP4 CIDEC CIDEA LPL PNPLA2 LIPE GPD1 TRARG1 CD36 SAA1 AQP7 PCK1 GPAM LGALS12 - PECAM1 CD68",
  ),
  markerSet(
    "Schwann cell",
    "Glia",
    ["any"],
    "MPZ PMP22 PRX SOX10 S100B PLP1 NCMAP CDH19 NGFR FOXD3 L1CAM ERBB3 SCN7A EGFL8 - MOG MOBP MAG OPALIN",
  ),
  markerSet(
    "Mesothelial",
    "Mesothelial",
    ["any"],
    "MSLN UPK3B WT1 CALB2 LRRN4 KRT19 KRT8 ITLN1 BNC1 PRG4 HP UPK1B - EPCAM AMHR2 FOXL2",
  ),
];

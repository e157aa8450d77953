import { markerSet, narrowSet, type MarkerSet } from "./marker-set.ts";

const T_CELL = markerSet(
  "T cell",
  "Lymphocyte",
  ["any"],
  "CD3D CD3E CD3G CD2 CD5 TRAC TRBC1 TRBC2 CD247 LCK IL7R CD6 ITK THEMIS BCL11B CD27 LAT SKAP1 - CD19 MS4A1 FCER1G",
);
const DENDRITIC = markerSet(
  "Dendritic cell",
  "Myeloid",
  ["any"],
  "FCER1A CD1C CLEC10A CLEC9A XCR1 BATF3 CLNK CD1E FLT3 CCR7 LAMP3 FSCN1 ZBTB46 ITGAX HLA-DQA1 HLA-DPB1 HLA-DPA1 HLA-DRA HLA-DRB1 - S100A8 S100A9 MS4A1 CD79A",
);

/** Blood and immune cells. */
export const IMMUNE: readonly MarkerSet[] = [
  T_CELL,
  narrowSet(T_CELL, "CD4 T cell", "CD4 IL7R CCR7 CD40LG LTB TCF7 LEF1 MAL SELL CD28 - CD8A CD8B"),
  narrowSet(T_CELL, "CD8 T cell", "CD8A CD8B GZMK GZMH CCL5 GZMA NKG7 CST7 PRF1 CRTAM - CD4"),
  narrowSet(T_CELL, "Regulatory T cell", "FOXP3 IL2RA CTLA4 IKZF2 TIGIT TNFRSF18 RTKN2 TNFRSF4"),
  markerSet(
    "NK cell",
    "Lymphocyte",
    ["any"],
    "NKG7 GNLY KLRD1 KLRF1 NCAM1 NCR1 KLRB1 PRF1 GZMB GZMA FGFBP2 SPON2 XCL1 XCL2 FCGR3A KLRC1 CD160 EOMES KIR2DL4 CST7 CTSW - CD3D CD3E CD3G",
  ),
  markerSet(
    "B cell",
    "Lymphocyte",
    ["any"],
    "MS4A1 CD79A CD79B CD19 BANK1 CD22 PAX5 FCRL1 FCRLA TNFRSF13C VPREB3 CD37 BLK FCER2 CR2 TCL1A LINC00926 HLA-DQA1 - MZB1 SDC1 CD3D",
  ),
  markerSet(
    "Plasma cell",
    "Lymphocyte",
    ["any"],
    "MZB1 JCHAIN IGHG1 IGHG3 IGHA1 IGKC IGLC2 DERL3 SDC1 TNFRSF17 FKBP11 XBP1 IGJ CD38 PRDM1 POU2AF1 - MS4A1 CD19 HLA-DRA",
  ),
  markerSet(
    "Macrophage",
    "Myeloid",
    ["any"],
    "CD68 CD163 CSF1R C1QA C1QB C1QC MSR1 MRC1 AIF1 LYZ TYROBP FCER1G CD14 MARCO SIGLEC1 VSIG4 MS4A7 FOLR2 LYVE1 F13A1 - FCN1 S100A12",
  ),
  markerSet(
    "Monocyte",
    "Myeloid",
    ["any"],
    "FCN1 S100A8 S100A9 S100A12 VCAN CD14 LYZ LST1 CFD CSTA MS4A6A FCGR3A MS4A7 SERPINA1 CTSS AIF1 TYROBP PSAP CD300E - C1QA C1QB CD163 FCER1A",
  ),
  DENDRITIC,
  markerSet(
    "Plasmacytoid dendritic cell",
    "Myeloid",
    ["any"],
    "LILRA4 CLEC4C IL3RA GZMB IRF7 TCF4 PLD4 SPIB SERPINF1 ITM2C IRF8 PTCRA DNASE1L3 SMPD3 - MS4A1 GNLY",
  ),
  markerSet(
    "Mast cell",
    "Myeloid",
    ["any"],
    "TPSAB1 TPSB2 CPA3 KIT MS4A2 HDC HPGDS GATA2 FCER1A CMA1 SIGLEC6 IL1RL1 - EPCAM KRT18",
  ),
  markerSet(
    "Neutrophil",
    "Myeloid",
    ["any"],
    "CSF3R FCGR3B CXCR2 CXCR1 S100A8 S100A9 S100A12 MMP9 MMP8 G0S2 CEACAM8 CAMP LTF LCN2 FPR1 FPR2 IL1R2 PROK2 - CD14 CSF1R HLA-DRA",
  ),
  markerSet(
    "Eosinophil",
    "Myeloid",
    ["any"],
    "SIGLEC8 CLC EPX PRG2 PRG3 CCR3 IL5RA RNASE2 RNASE3 ALOX15 - CD14 CSF1R",
  ),
  markerSet(
    "Erythroid",
    "Erythroid",
    ["any"],
    "HBA1 HBA2 HBB HBD HBM AHSP ALAS2 GYPA GYPB SLC4A1 CA1 KLF1 EPOR BPGM HEMGN HBG1 HBG2",
  ),
  markerSet(
    "Platelet",
    "Megakaryocyte",
    ["any"],
    "PPBP PF4 GP9 ITGA2B GP1BA GP1BB ITGB3 TUBB1 CLEC1B GNG11 TREML1 SPARC CAVIN2 MYL9",
  ),
  markerSet(
    "Haematopoietic progenitor",
    "Progenitor",
    ["any"],
    "CD34 SPINK2 PRSS57 KIT GATA2 CYTL1 SOX4 STMN1 MYB HOXA9 MPO CD38 AVP CRHBP EGFL7 SMIM24 - VWF PECAM1 COL1A1 CD3D",
  ),
];

import { markerSet, type MarkerSet } from "./marker-set.ts";

/** Lymph node, tonsil, and spleen: cell types other than the immune cells found everywhere. */
export const LYMPHOID: readonly MarkerSet[] = [
  markerSet(
    "Germinal center B cell",
    "Lymphocyte",
    ["lymphoid"],
    "BCL6 AICDA RGS13 MEF2B S1PR2 MYBL1 LMO2 SUGCT ELL3 MME MKI67 STMN1 - CD3D MZB1",
  ),
  markerSet(
    "Follicular dendritic cell",
    "Stromal",
    ["lymphoid"],
    "FDCSP CR2 CXCL13 CR1 FCER2 SERPINE2 VCAM1 CLU LTBR TNFRSF1A PRNP MFGE8 - PAX5 CD3D",
  ),
  markerSet(
    "Fibroblastic reticular cell",
    "Stromal",
    ["lymphoid"],
    "CCL19 CCL21 PDPN CXCL12 IL7 TNFSF13B CH25H LUM PDGFRB COL1A2 RBP5 GREM1 - PROX1 EPCAM",
  ),
  markerSet(
    "High endothelial venule",
    "Endothelial",
    ["lymphoid"],
    "CHST4 FUT7 GLYCAM1 MADCAM1 ACKR1 SELP SELE GCNT1 IL33 CCL21 VWF CDH5 - PROX1 EPCAM",
  ),
  markerSet(
    "Red pulp macrophage",
    "Myeloid",
    ["lymphoid"],
    "SPIC CD5L VCAM1 HMOX1 SLC40A1 CD163 ADGRE1 TREML4 C1QA C1QB MERTK AXL - FCN1 S100A12",
  ),
  markerSet(
    "Splenic sinus endothelial",
    "Endothelial",
    ["lymphoid"],
    "STAB2 STAB1 LYVE1 SPARCL1 CD36 FCN3 MRC1 ENG CLEC4M DNASE1L3 CAVIN2 NOSTRIN - PDPN CCL21",
  ),
];

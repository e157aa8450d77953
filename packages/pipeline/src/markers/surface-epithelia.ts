import { markerSet, type MarkerSet } from "./marker-set.ts";

const BREAST_TUMOR =
  "EPCAM KRT8 KRT18 KRT19 MUC1 ERBB2 ESR1 GATA3 TFF1 TFF3 AGR2 AGR3 SPDEF CLDN4 CDH1 GRB7 FOXA1 SCUBE2 ANKRD30A XBP1 - ELF5 LTF KRT5 KRT14";

/** Epithelia of breast, skin, airways, and the urinary and genital tracts. */
export const SURFACE_EPITHELIA: readonly MarkerSet[] = [
  markerSet("Tumor epithelial", "Epithelial", ["breast"], BREAST_TUMOR),
  markerSet(
    "Luminal epithelial",
    "Epithelial",
    ["breast"],
    "LTF SLPI PIGR KIT ELF5 KRT23 ALDH1A3 SCGB2A2 SCGB1D2 PIP KRT15 KRT7 MUCL1 CSN2 CSN3 WFDC2 EPCAM KRT8 KRT18 - KRT5 TP63 OXTR ACTA2",
  ),
  markerSet(
    "Myoepithelial",
    "Epithelial",
    ["breast"],
    "KRT5 KRT14 KRT17 TP63 ACTA2 MYLK OXTR DST ITGB4 S100A2 COL17A1 LAMA3 LAMB3 SFN TAGLN CNN1 ACTG2 - DES LMOD1 SYNPO2 KRT1 KRT10",
  ),
  markerSet(
    "Basal keratinocyte",
    "Epithelial",
    ["skin"],
    "KRT5 KRT14 KRT15 TP63 COL17A1 ITGA6 ITGB4 DST POSTN LAMB3 ASS1 S100A2 KRT6A - ACTA2 OXTR",
  ),
  markerSet(
    "Suprabasal keratinocyte",
    "Epithelial",
    ["skin"],
    "KRT1 KRT10 DSG1 DSC1 SBSN KRTDAP DMKN CALML5 LY6D KRT2 SPINK5",
  ),
  markerSet(
    "Granular keratinocyte",
    "Epithelial",
    ["skin"],
    "LOR LORICRIN FLG IVL LCE1A LCE2B CNFN CDSN KLK7 SPRR2D TGM3 FLG2 HRNR",
  ),
  markerSet(
    "Hair follicle cell",
    "Epithelial",
    ["skin"],
    "KRT25 KRT27 KRT71 KRT35 KRT85 TCHH LHX2 SOX9 KRT75 KRT79 SHH KRT28",
  ),
  markerSet(
    "Sebocyte",
    "Epithelial",
    ["skin"],
    "MGST1 SCD FASN ELOVL5 AWAT2 FADS2 SOAT1 PLIN2 DGAT2L6 KRT79 MUC1 ELOVL3",
  ),
  markerSet(
    "Sweat gland cell",
    "Epithelial",
    ["skin"],
    "DCD SCGB2A2 SCGB1D2 MUCL1 AQP5 KRT77 CA6 KRT19 SLC12A2 PIP",
  ),
  markerSet(
    "Langerhans cell",
    "Myeloid",
    ["skin"],
    "CD207 CD1A CD1C FCGBP FCER1A EPCAM HLA-DQA1 HLA-DRA ITGAX CD74 S100B LTB - CD14 CD163",
  ),
  markerSet(
    "Melanocyte",
    "Melanocyte",
    ["skin", "retina"],
    "PMEL MLANA TYR TYRP1 DCT MITF KIT SLC24A5 SLC45A2 OCA2 SOX10 GPM6B TRPM1",
  ),
  markerSet(
    "Prostate luminal epithelial",
    "Epithelial",
    ["prostate"],
    "KLK3 KLK2 ACPP ACP3 MSMB NKX3-1 AR TMPRSS2 SLC45A3 STEAP2 FOLH1 KLK4 HOXB13 TRPM8 PLA2G2A",
  ),
  markerSet(
    "Prostate basal epithelial",
    "Epithelial",
    ["prostate"],
    "KRT5 KRT15 KRT14 TP63 DST KRT17 LAMB3 NGFR SERPINB5 JAG2 - DES ACTA2",
  ),
  markerSet(
    "Urothelial",
    "Epithelial",
    ["bladder"],
    "UPK1A UPK1B UPK2 UPK3A UPK3BL1 KRT20 GATA3 PPARG KRT13 KRT17 PSCA GRHL3 SNX31",
  ),
  markerSet(
    "Alveolar type 1",
    "Epithelial",
    ["lung"],
    "AGER RTKN2 CLIC5 CAV1 HOPX PDPN AQP5 EMP2 CLDN18 SPOCK2 COL4A3 VEGFA IGFBP2",
  ),
  markerSet(
    "Alveolar type 2",
    "Epithelial",
    ["lung"],
    "SFTPC SFTPB SFTPA1 SFTPA2 SFTPD LAMP3 ABCA3 SLC34A2 NAPSA PGC LPCAT1 ETV5 CXCL15",
  ),
  markerSet(
    "Club cell",
    "Epithelial",
    ["lung"],
    "SCGB1A1 SCGB3A1 SCGB3A2 CYP2F1 BPIFB1 MUC5B CYP2F2 WFDC2 HP MSMB AGR2",
  ),
  markerSet(
    "Ciliated cell",
    "Epithelial",
    ["lung", "uterus"],
    "FOXJ1 TPPP3 PIFO CAPS RSPH1 DNAH5 CCDC78 TUBB4B SNTN CFAP126 DYNLRB2 SEC14L3 AK7",
  ),
  markerSet(
    "Airway basal cell",
    "Epithelial",
    ["lung"],
    "KRT5 KRT15 TP63 KRT17 DAPL1 NGFR S100A2 DLK2 ITGB4 KRT14 SERPINB3",
  ),
];

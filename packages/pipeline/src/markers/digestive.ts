import { markerSet, type MarkerSet } from "./marker-set.ts";

/** Gut, liver, and pancreas. */
export const DIGESTIVE: readonly MarkerSet[] = [
  markerSet(
    "Enterocyte",
    "Epithelial",
    ["intestine"],
    "FABP1 FABP2 ALPI APOA1 APOA4 APOB ANPEP SI VIL1 RBP2 KRT20 PRAP1 SLC5A1 APOC3 CDHR5 MTTP",
  ),
  markerSet(
    "Colonocyte",
    "Epithelial",
    ["intestine"],
    "CA1 CA2 CA4 SLC26A3 AQP8 GUCA2A GUCA2B CEACAM7 CEACAM1 KRT20 MS4A12 CLCA4 BEST4 PHGR1 SLC26A2",
  ),
  markerSet(
    "Goblet cell",
    "Epithelial",
    ["intestine"],
    "MUC2 TFF3 FCGBP ZG16 CLCA1 SPINK4 AGR2 ATOH1 SPDEF REP15 ITLN1 BCAS1 FER1L6",
  ),
  markerSet(
    "Intestinal stem cell",
    "Epithelial",
    ["intestine"],
    "LGR5 OLFM4 ASCL2 SMOC2 RGMB AXIN2 EPHB2 SOX9 CDCA7 MYC SLC12A2 RNF43 PROM1",
  ),
  markerSet(
    "Colorectal tumor epithelial",
    "Epithelial",
    ["intestine"],
    "CEACAM5 CEACAM6 EPCAM AXIN2 RNF43 NKD1 ASCL2 CDX2 EREG AREG LGR5 TGFBI CLDN2 CLDN1 MMP7 NOTUM KRT8 KRT18 - CA4 AQP8 MS4A12 MUC2",
  ),
  markerSet(
    "Paneth cell",
    "Epithelial",
    ["intestine"],
    "DEFA5 DEFA6 LYZ PRSS2 REG3A ITLN2 PLA2G2A MMP7 DEFA24 DEFA17 DEFA30 PNLIPRP2",
  ),
  markerSet(
    "Enteroendocrine",
    "Epithelial",
    ["intestine", "stomach"],
    "CHGA CHGB NEUROD1 PYY GCG SCG3 SCGN TPH1 CCK NEUROG3 SCG5 PCSK1N GIP SST",
  ),
  markerSet(
    "Tuft cell",
    "Epithelial",
    ["intestine"],
    "POU2F3 TRPM5 DCLK1 AVIL SH2D6 HPGDS LRMP GFI1B PTGS1 ALOX5AP IL25",
  ),
  markerSet(
    "Enteric glia",
    "Glia",
    ["intestine", "stomach"],
    "PLP1 S100B SOX10 GFAP CDH19 SCN7A NRXN1 L1CAM ERBB3 GPM6B - MPZ PRX",
  ),
  markerSet(
    "Interstitial cell of Cajal",
    "Stromal",
    ["intestine", "stomach"],
    "KIT ANO1 ETV1 THBS4 EDN3 CACNA1G GPR20 PRKCQ ADRA1A HAND1 - TPSAB1 CPA3",
  ),
  markerSet(
    "Gastric pit cell",
    "Epithelial",
    ["stomach"],
    "MUC5AC TFF1 GKN1 GKN2 TFF2 CAPN8 CAPN9 MUCL3 PSCA VSIG1 - FABP1",
  ),
  markerSet(
    "Gastric chief cell",
    "Epithelial",
    ["stomach"],
    "PGA3 PGA4 PGA5 PGC LIPF CHIA GIF CBLIF MUC6 BHLHA15 CLPS",
  ),
  markerSet(
    "Parietal cell",
    "Epithelial",
    ["stomach"],
    "ATP4A ATP4B CBLIF KCNE2 CKB SLC26A7 ESRRG AQP4 KCNQ1 VDAC3",
  ),
  markerSet(
    "Hepatocyte",
    "Epithelial",
    ["liver", "embryo"],
    "ALB APOA1 APOA2 APOB APOC3 TTR SERPINA1 CYP3A4 CYP2E1 HP TF AHSG FGA FGB FGG TAT CPS1 CYP1A2 ASGR1 HPX APOH",
  ),
  markerSet(
    "Cholangiocyte",
    "Epithelial",
    ["liver"],
    "KRT7 KRT19 SOX9 EPCAM CFTR SPP1 ANXA4 TACSTD2 HNF1B SCTR PKHD1 SLC4A2 AQP1",
  ),
  markerSet(
    "Kupffer cell",
    "Myeloid",
    ["liver"],
    "CD5L VSIG4 MARCO TIMD4 CLEC4F C1QA C1QB C1QC CD163 HMOX1 SLC40A1 FOLR2 CD68 CSF1R - FCN1 S100A12",
  ),
  markerSet(
    "Liver sinusoidal endothelial",
    "Endothelial",
    ["liver"],
    "STAB2 STAB1 CLEC4G CLEC4M FCN2 FCN3 OIT3 LYVE1 CRHBP F8 DNASE1L3 CLEC1B FCGR2B KDR",
  ),
  markerSet(
    "Hepatic stellate cell",
    "Stromal",
    ["liver"],
    "RELN LRAT HAND2 COLEC11 RGS5 NGFR HHIP PTH1R ECM1 DCN COLEC10 CYGB ANGPTL6 PDGFRB",
  ),
  markerSet(
    "Acinar cell",
    "Epithelial",
    ["pancreas"],
    "PRSS1 PRSS2 CPA1 CPA2 CPB1 CELA3A CELA2A CELA3B AMY2A PNLIP CTRB1 CTRB2 CLPS REG1A CEL CTRC CELA1",
  ),
  markerSet(
    "Pancreatic ductal",
    "Epithelial",
    ["pancreas"],
    "KRT19 KRT7 SOX9 CFTR MMP7 SPP1 ANXA4 SLC4A4 TFF1 TFF2 MUC1 KRT18 TSPAN8 CLDN4 S100A6 - PRSS1 INS",
  ),
  markerSet(
    "Beta cell",
    "Endocrine",
    ["pancreas"],
    "INS INS1 INS2 IAPP PDX1 MAFA NKX6-1 G6PC2 SLC30A8 PCSK1 ADCYAP1 UCN3 ERO1B",
  ),
  markerSet(
    "Alpha cell",
    "Endocrine",
    ["pancreas"],
    "GCG ARX IRX2 TTR LOXL4 MAFB GC PCSK2 CRYBA2 IRX1 TM4SF4",
  ),
  markerSet(
    "Delta cell",
    "Endocrine",
    ["pancreas"],
    "SST HHEX RBP4 LEPR BCHE PCSK1 CRHR2 GHSR MS4A8",
  ),
];

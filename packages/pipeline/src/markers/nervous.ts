import { markerSet, narrowSet, type MarkerSet } from "./marker-set.ts";

const EXCITATORY = markerSet(
  "Excitatory neuron",
  "Neuron",
  ["brain"],
  "SLC17A7 SLC17A6 NEUROD6 NEUROD2 SATB2 TBR1 CAMK2A NRGN NPTX1 CUX2 RORB FEZF2 LINC00507 SV2B NEFM ENC1 ARPP21 NRN1 CAMKV SLC30A3 - GAD1 GAD2 SLC32A1",
);
const INHIBITORY = markerSet(
  "Inhibitory neuron",
  "Neuron",
  ["brain"],
  "GAD1 GAD2 SLC32A1 SLC6A1 DLX1 DLX2 DLX5 DLX6 DLX6-AS1 LHX6 ADARB2 PVALB SST VIP NPY ERBB4 ARX NXPH1 KCNC2 SP9 - SLC17A7 NEUROD6 GJA1",
);

/** Cells of the central nervous system and the eye. */
export const NERVOUS: readonly MarkerSet[] = [
  EXCITATORY,
  narrowSet(
    EXCITATORY,
    "Upper-layer excitatory neuron",
    "CUX2 CUX1 LAMP5 CALB1 RASGRF2 STARD8 OTOF LINC00507 ENPP2 WFS1 MDGA1 LMO4",
  ),
  narrowSet(
    EXCITATORY,
    "Layer 4 excitatory neuron",
    "RORB SCNN1A RSPO1 WHRN RASGRF2 COBLL1 IL1RAPL2 KCNH5 NELL1 KCNIP2",
  ),
  narrowSet(
    EXCITATORY,
    "Layer 5 excitatory neuron",
    "FEZF2 BCL11B ETV1 DEPTOR PARM1 QRFPR TOX CRYM PCP4 SULF2 RBP4 HSD11B1",
  ),
  narrowSet(
    EXCITATORY,
    "Layer 6 excitatory neuron",
    "FOXP2 SYT6 NTSR1 TLE4 SEMA3E CTGF CCN2 CPLX3 RPRM HS3ST4 NXPH4 CRYM GARNL3",
  ),
  narrowSet(
    EXCITATORY,
    "Hippocampal excitatory neuron",
    "PROX1 WFS1 SPINK8 FIBCD1 POU3F1 CABP7 NPY1R GRIK4 HS3ST4 NEUROD6 C1QL2 C1QL3",
  ),
  INHIBITORY,
  narrowSet(
    INHIBITORY,
    "PVALB interneuron",
    "PVALB TAC1 COX6A2 SULF1 KCNC2 NKX2-1 KCNAB3 KCNC1 CPLX1",
  ),
  narrowSet(INHIBITORY, "SST interneuron", "SST NPY CHODL ELFN1 CRHBP GRIK1 NOS1 PDYN CORT GRIN3A"),
  narrowSet(
    INHIBITORY,
    "VIP interneuron",
    "VIP CALB2 HTR3A CRH CHAT PROX1 TAC2 NPY2R SNCG CCK CNR1",
  ),
  narrowSet(INHIBITORY, "LAMP5 interneuron", "LAMP5 NDNF RELN SV2C KIT NXPH2 CXCL14 LSP1 EYA4"),
  markerSet(
    "Medium spiny neuron",
    "Neuron",
    ["brain"],
    "PPP1R1B DRD1 DRD2 ADORA2A GPR88 RGS9 PENK TAC1 PDE10A BCL11B MEIS2 FOXP1 GPR6 SYNDIG1L RARB - PVALB SST VIP SLC17A7",
  ),
  markerSet(
    "Dopaminergic neuron",
    "Neuron",
    ["brain"],
    "TH SLC6A3 DDC SLC18A2 NR4A2 ALDH1A1 PITX3 EN1 FOXA2 LMX1B RET",
  ),
  markerSet(
    "Cerebellar granule cell",
    "Neuron",
    ["brain"],
    "GABRA6 CBLN3 CBLN1 ZIC1 ZIC2 ZIC4 FAT2 GRIN2C CRTAM PAX6 NEUROD1 KCNK9 - SATB2 NEUROD6 CUX2",
  ),
  markerSet(
    "Purkinje cell",
    "Neuron",
    ["brain"],
    "PCP2 CALB1 CA8 PPP1R17 ITPR1 SLC1A6 GRID2 SKOR2 HOMER3 RGS8 - SATB2 CUX2 NEUROD6 SLC17A7 TBR1",
  ),
  markerSet(
    "Astrocyte",
    "Glia",
    ["brain"],
    "GFAP AQP4 GJA1 SLC1A2 SLC1A3 ALDH1L1 ALDOC S100B GJB6 FGFR3 NTSR2 AGT SOX9 CLU ATP1A2 SLC4A4 MLC1 HEPACAM MFGE8 GPR37L1 PLPP3 HTRA1 BCAN SLC6A11 PLA2G7 PPP1R3C SLC7A10 MMD2 TTYH1 ACSBG1 ATP1B2",
  ),
  markerSet(
    "Oligodendrocyte",
    "Glia",
    ["brain"],
    "MBP PLP1 MOG MOBP MAG CNP MAL OPALIN ERMN CLDN11 UGT8 ASPA TRF TF ENPP2 HAPLN2 GJC2 ENPP6 PLLP SEPTIN4 GJB1 GJC3 FA2H GPR37 MYRF NINJ2 TSPAN2 CARNS1 NDRG1 - MPZ PRX PDGFRA",
  ),
  markerSet(
    "OPC",
    "Glia",
    ["brain"],
    "PDGFRA CSPG4 VCAN OLIG1 OLIG2 SOX10 PTPRZ1 GPR17 LHFPL3 CSPG5 NEU4 TNR C1QL1 CACNG4 LUZP2 SCRG1 MEGF11 - COL1A1 COL1A2 DCN LUM MOG MOBP",
  ),
  markerSet(
    "Microglia",
    "Myeloid",
    ["brain"],
    "CX3CR1 P2RY12 TMEM119 CSF1R AIF1 C1QA C1QB C1QC HEXB CTSS TREM2 TYROBP SALL1 FCRLS SIGLECH P2RY13 GPR34 LAPTM5 SELPLG LY86 OLFML3 SPI1 IRF8 SLC15A3 - CD163 MRC1",
  ),
  markerSet(
    "Ependymal",
    "Glia",
    ["brain"],
    "FOXJ1 CCDC153 TMEM212 RARRES2 DNAH11 DNAH12 PIFO CFAP126 CFAP43 AK7 TPPP3 RSPH1 DYNLRB2 HYDIN MIA - SFTPC SCGB1A1 EPCAM",
  ),
  markerSet(
    "Tanycyte",
    "Glia",
    ["brain"],
    "RAX GPR50 COL25A1 FRZB LHX2 SCN7A CRYM DIO2 SLC16A2 MEST TGFB2 ADM VCAN - MBP MOG TTR",
  ),
  markerSet(
    "Choroid plexus",
    "Glia",
    ["brain"],
    "TTR FOLR1 KCNJ13 AQP1 CLIC6 KL ENPP2 PRLR SOSTDC1 OTX2 KCNE2 CALML4 - MBP MOG MOBP",
  ),
  markerSet(
    "Neural progenitor",
    "Neuron",
    ["brain", "embryo"],
    "SOX2 NES PAX6 HES5 VIM EOMES DCX SOX11 ASCL1 HOPX MKI67 TOP2A STMN2 IGFBPL1 - MBP GFAP",
  ),
  markerSet(
    "Photoreceptor",
    "Neuron",
    ["retina"],
    "RHO SAG PDE6A PDE6B GNAT1 GNGT1 NRL CRX ARR3 OPN1SW OPN1MW OPN1LW RCVRN ABCA4 CNGA1 PRPH2",
  ),
  markerSet(
    "Bipolar cell",
    "Neuron",
    ["retina"],
    "VSX1 VSX2 GRM6 TRPM1 PRKCA CABP5 OTX2 GRIK1 ISL1 PCP2 CAMK2B TMEM215",
  ),
  markerSet(
    "Müller glia",
    "Glia",
    ["retina"],
    "RLBP1 GLUL APOE SLC1A3 CLU DKK3 CRYM AQP4 VIM SOX9 ABCA8 KDR - MBP PLP1",
  ),
  markerSet(
    "Retinal pigment epithelium",
    "Epithelial",
    ["retina"],
    "RPE65 BEST1 RLBP1 TTR TYR PMEL MITF LRAT RGR SERPINF1 TYRP1 MLANA",
  ),
];

/** Human mitochondrial protein-coding genes. */
export const MITOCHONDRIAL: readonly string[] =
  "CO1 CO2 CO3 CYB ND1 ND2 ND3 ND4 ND4L ND5 ND6 ATP6 ATP8".split(" ").map((name) => `MT-${name}`);

/** Gene families whose members are expressed in nearly every cell: prefix, then the suffixes of the members. */
const FAMILIES: readonly (readonly [string, string])[] = [
  [
    "RPL",
    "3 4 5 6 7 7A 8 9 10 10A 11 12 13 13A 14 15 17 18 18A 19 21 22 23 23A 24 26 27 27A 28 29 30 31 32 34 35 35A 36 37 37A 38 39 41 P0 P1 P2",
  ],
  ["RPS", "2 3 3A 5 6 7 8 9 10 11 12 13 14 15 15A 16 17 18 19 20 21 23 24 25 26 27 27A 28 29"],
  ["EEF", "1A1 1B2 1D 1G 2"],
  [
    "EIF",
    "1 1AX 2A 2S1 2S2 3A 3B 3C 3D 3E 3F 3G 3H 3I 3J 3K 3L 3M 4A1 4A2 4A3 4B 4E 4G1 4G2 4H 5 5A 5B 6",
  ],
  ["PSMA", "1 2 3 4 5 6 7"],
  ["PSMB", "1 2 3 4 5 6 7"],
  ["PSMC", "1 2 3 4 5 6"],
  ["PSMD", "1 2 3 4 6 7 8 11 12 13 14"],
  ["NDUFA", "1 2 3 4 5 6 7 8 9 10 11 12 13"],
  ["NDUFB", "1 2 3 4 5 6 7 8 9 10 11"],
  ["NDUFS", "1 2 3 4 5 6 7 8"],
  ["NDUFV", "1 2 3"],
  ["COX", "4I1 5A 5B 6A1 6B1 6C 7A2 7B 7C 8A"],
  ["ATP5F1", "A B C D E"],
  ["ATP5M", "C1 C2 C3 E F G"],
  ["UQCR", "B C1 C2 FS1 H Q 10 11"],
  ["SDH", "A B C D"],
  ["HNRNP", "A0 A1 A2B1 A3 AB C D DL F H1 H3 K L M R U"],
  ["SRSF", "1 2 3 4 5 6 7 9 10 11"],
  ["SNRP", "A A1 B B2 C D1 D2 D3 E F G N"],
  ["SF3", "A1 A2 A3 B1 B2 B3 B4 B5 B6"],
  ["CCT", "2 3 4 5 7 8 6A"],
  ["HSP", "A4 A5 A8 A9 B1 D1 E1 90AA1 90AB1 90B1"],
  ["POLR2", "A B C D E F G H I J K L"],
  [
    "MRPL",
    "1 2 3 4 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 27 28 30 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 57",
  ],
  ["MRPS", "2 5 6 7 9 10 11 12 14 15 16 17 18A 18B 18C 21 22 23 24 25 26 27 28 30 31 33 34 35"],
  ["TOMM", "5 6 7 20 22 34 40 70"],
  ["TIMM", "8B 9 10 13 17A 17B 22 23 44 50"],
  ["ATP6V", "0B 0C 0D1 0E1 1A 1B2 1C1 1D 1E1 1F 1G1 1H"],
  ["VPS", "4A 4B 11 13A 16 18 25 26A 28 29 33A 35 36 37A 39 41 45 51 52 53 54"],
  ["RAB", "1A 1B 2A 5A 5B 5C 6A 7A 8A 10 11A 11B 14 18 21 22A 35"],
  ["UBE2", "A B D1 D2 D3 E1 E3 G1 G2 H I J1 J2 K L3 M N Q1 R2 V1 V2 Z"],
  ["SLC25A", "1 3 4 5 6 11 13 17 20 22 24 28 32 36 37 38 39 44 46"],
  ["TMED", "2 3 4 5 7 9 10"],
  ["ARPC", "1A 1B 2 3 4 5"],
  ["CAPZ", "A1 A2 B"],
  ["COP", "A B1 B2 E G1 Z1"],
  ["SEC", "11A 13 22B 23A 23B 24A 24C 31A 61A1 61B 61G 62 63"],
  ["PPP1", "CA CB CC R2 R7 R8 R10 R11 R12A"],
  ["PPP2", "CA CB R1A R2A R5A R5C"],
  ["YWHA", "B E G H Q Z"],
  ["SMARC", "A2 A4 B1 C1 C2 D1 D2 E1"],
  ["CNOT", "1 2 3 4 6 7 8 9 10 11"],
  ["DDX", "1 3X 5 6 17 18 19A 21 23 24 39A 39B 41 42 46 47 49 50 52 54 56"],
  ["CHD", "1 2 4 8 9"],
  ["KDM", "1A 2A 3A 3B 4A 5A 5B 5C 6A 6B"],
  ["EXOSC", "1 2 3 4 5 6 7 8 9 10"],
  ["COPS", "2 3 4 5 6 7A 8 9"],
  ["MED", "1 4 6 7 8 10 11 13 14 15 17 19 20 21 22 23 24 25 27 28 29 30 31"],
  ["TRAPPC", "1 2 3 4 5 8 9 10 11 12"],
  ["INTS", "1 2 3 4 5 6 7 8 9 10 11 12 13 14"],
  ["GTF2", "A1 A2 B E1 E2 F1 F2 H1 H2 H3 H4 H5"],
  ["XRCC", "1 4 5 6"],
  ["ANAPC", "1 2 4 5 7 10 11 13 15 16"],
  ["CUL", "1 2 3 4A 4B 5"],
  ["DNAJ", "A1 A2 A3 B1 B2 B4 B6 B9 B11 B12 C1 C2 C3 C5 C7 C8 C9 C10"],
  ["LSM", "1 2 3 4 5 6 7 8 10 12 14A 14B"],
  ["ZC3H", "4 7A 7B 11A 13 14 15 18"],
  ["TAF", "1 2 3 4 5 6 7 8 9 10 11 12 13 15"],
];

/** Genes whose expression differs among types and domains without being a marker for any. */
const VARIABLE =
  "S100A4 S100A6 S100A10 S100A11 ANXA1 ANXA2 ANXA5 VIM LGALS1 LGALS3 TIMP1 TIMP3 SPARC CTSB CTSD CTSL CD44 CD9 CD63 CD81 CD151 CAV1 CAVIN1 IGFBP4 IGFBP5 IGFBP7 CLU CRYAB MGP CCND1 CCND2 MYC JUN FOSL2 KLF2 KLF4 KLF6 ATF3 ATF4 DDIT3 DDIT4 TXNIP SOX4 ID1 ID2 ID3 HES1 NFKBIA TNFAIP3 ZFP36 ZFP36L1 SAT1 NEAT1 MALAT1 TSC22D3 FKBP5 GLUL SQSTM1 HMOX1 NQO1 TXN GPX4 PRDX1 SOD2 FTH1 FTL MT2A MT1X CXCL12 CCL2 IL6ST IFITM2 IFITM3 TGFBI TGFB1 TGFBR2 SERPINE1 SERPINH1 FN1 LAMB1 LAMC1 NID1 COL4A1 COL4A2 COL6A1 COL6A2 TPM1 TPM2 TPM4 MYL6 MYL9 MYL12A ACTN1 FLNA TLN1 VCL ITGB1 ITGA6 ITGAV LMNA PTMA TMSB10 TMSB4X STMN1 TUBA1A TUBA1B TUBB TUBB6 MARCKS BASP1 DPYSL2 GPM6B PTN CADM1 NRP1 SEMA3C JAG1 NOTCH2 FZD1 CTNNB1 APP PSAP GRN LAMP1 LAMP2".split(
    " ",
  );

/** Real human symbols by family; {@link mouseSymbol} converts them to mouse symbols. */
export const HOUSEKEEPING: readonly string[] = FAMILIES.flatMap(([prefix, endings]) =>
  endings.split(" ").map((ending) => prefix + ending),
);
export const VARIABLE_GENES: readonly string[] = VARIABLE;

/** Mouse spelling of a symbol that both species share: RPL13A → Rpl13a. */
export function mouseSymbol(human: string): string {
  return human[0] + human.slice(1).toLowerCase();
}

/** How the nuclei of a cell type look under H&E, and how much RNA its cells contain. */
export interface CellKind {
  name: string;
  /** Symbols of genes, separated by spaces. */
  markers: string;
  /** Mean nucleus area, µm², and its coefficient of variation. */
  areaUm2: number;
  areaCv: number;
  /** Axis ratio of the nucleus. */
  elongation: number;
  /** Amplitude of the outline's deviations from an ellipse, as a fraction of the radius. */
  irregularity: number;
  /** Hematoxylin concentration (optical density scale) and its variation among cells. */
  hematoxylin: number;
  hematoxylinCv: number;
  /** Amplitude of the chromatin texture, as a fraction of the concentration. */
  chromatin: number;
  /** How pale the center of the nucleus is (vesicular chromatin), 0–1. */
  vesicular: number;
  nucleoli: number;
  /** Cytoplasm around the nucleus, µm. */
  cytoplasmUm: number;
  cytoplasmEosin: number;
  cytoplasmHematoxylin: number;
  /** Relative amount of RNA. */
  rna: number;
}

/** A tissue region: the cells in it and the matrix between them. */
export interface Domain {
  name: string;
  /** Shifts the field that determines the domain's location: larger = more area. */
  bias: number;
  /** Cell density relative to the mean. */
  density: number;
  /** Relative frequency of each cell kind, by name. */
  composition: Record<string, number>;
  /** Frequencies in the ring around a lumen, if the domain has lumens. */
  ring?: Record<string, number>;
  /** Whether white lumens occur. */
  lumens: boolean;
  eosin: number;
  /** Strength of the fiber texture, 0–1. */
  fibers: number;
  /** Share of white clefts between fibers, 0–1. */
  clefts: number;
}

/** Genes whose rates follow a field over the tissue, in all cell kinds. */
export interface Program {
  name: string;
  /** Symbols, separated by spaces. */
  genes: string;
  /** Standard deviation of the log rate. */
  amplitude: number;
}

export interface TissuePlan {
  species: "human" | "mouse";
  tissue: string;
  kinds: readonly CellKind[];
  domains: readonly Domain[];
  programs: readonly Program[];
  /** Lineages of cell kinds, by name: a whole transcriptome includes genes shared by an entire lineage. */
  lineages: readonly (readonly string[])[];
  mitochondrial: readonly string[];
  /** Immunofluorescence stains in addition to DAPI, and how strongly each cell kind carries them (0–1). */
  antibodies: readonly { name: string; kinds: Record<string, number> }[];
}

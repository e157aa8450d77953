/** How the nuclei of a cell type look under H&E, and how much RNA its cells hold. */
export interface CellKind {
  name: string;
  markers: readonly string[];
  /** Mean nucleus area, µm², and its coefficient of variation. */
  areaUm2: number;
  areaCv: number;
  /** Ratio of the nucleus' axes. */
  elongation: number;
  /** Amplitude of the outline's departures from an ellipse, fraction of the radius. */
  irregularity: number;
  /** Hematoxylin concentration (optical density scale) and its variation among cells. */
  haematoxylin: number;
  haematoxylinCv: number;
  /** Amplitude of the chromatin texture, fraction of the concentration. */
  chromatin: number;
  /** How pale the middle of the nucleus is (vesicular chromatin), 0–1. */
  vesicular: number;
  nucleoli: number;
  /** Cytoplasm around the nucleus, µm. */
  cytoplasmUm: number;
  cytoplasmEosin: number;
  cytoplasmHaematoxylin: number;
  /** Relative amount of RNA. */
  rna: number;
}

/** A region of the tissue: which cells live there and the matrix between them. */
export interface Domain {
  name: string;
  /** Shifts the field that decides where the domain is: larger = more area. */
  bias: number;
  /** Cell density relative to the mean. */
  density: number;
  /** Relative frequency of each kind of cell, by name. */
  composition: Record<string, number>;
  /** Frequencies in the ring around a lumen, where the domain has lumens. */
  ring?: Record<string, number>;
  /** Whether white lumens occur. */
  lumens: boolean;
  eosin: number;
  /** Strength of the fibre texture, 0–1. */
  fibres: number;
  /** Share of white clefts between fibres, 0–1. */
  clefts: number;
}

/** Genes whose rate follows a field over the tissue, in every kind of cell. */
export interface Programme {
  name: string;
  genes: readonly string[];
  /** Standard deviation of the log rate. */
  amplitude: number;
}

export interface TissuePlan {
  species: "human" | "mouse";
  tissue: string;
  kinds: readonly CellKind[];
  domains: readonly Domain[];
  programmes: readonly Programme[];
  /** Kinds that descend from one another, by name: a whole transcriptome has genes that all of a group share. */
  lineages: readonly (readonly string[])[];
  mitochondrial: readonly string[];
  /** Stains beside DAPI under immunofluorescence, and how strongly each kind of cell carries them (0–1). */
  antibodies: readonly { name: string; kinds: Record<string, number> }[];
}

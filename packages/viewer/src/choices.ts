export type ViewName = "tissue" | "umap";

/**
 * What cells can be grouped by: the columns of `Cells` that hold an index of a group. `own`: groups that a person made,
 * of which one set at a time is shown.
 */
export const GROUPINGS = ["type", "cluster", "domain", "own", "evidence", "imageQuality"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Something for each grouping. */
export function byGrouping<Part>(partOf: (of: Grouping) => Part): Record<Grouping, Part> {
  return Object.fromEntries(GROUPINGS.map((of) => [of, partOf(of)])) as Record<Grouping, Part>;
}

/** Which layers are on and how they look; opacities 0–1. */
export interface LayerChoices {
  tissue: boolean;
  tissueOpacity: number;
  cells: boolean;
  cellOpacity: number;
  outlines: boolean;
  /** Whether outlines are filled. */
  fill: boolean;
  /** Contours of the nuclei inside the outlines. */
  nuclei: boolean;
  /** Spots or bins, colored like the cells where the same values exist at spot level. */
  spots: boolean;
  spotOpacity: number;
  /** Names of the groups on the UMAP. */
  labels: boolean;
  /** Scale factor for point size. */
  pointSize: number;
}

export const FIRST_LAYERS: LayerChoices = {
  tissue: true,
  tissueOpacity: 1,
  cells: true,
  cellOpacity: 0.85,
  outlines: true,
  fill: true,
  nuclei: false,
  spots: false,
  spotOpacity: 0.8,
  labels: true,
  pointSize: 1,
};

export const LONGEST_CHANNEL_NAME = 80;

/** How a fluorescence channel is shown. */
export interface ChannelChoice {
  /** A name given by the user. */
  name?: string;
  visible: boolean;
  /** #rrggbb */
  color: string;
  low: number;
  high: number;
}

/**
 * Center of a view and zoom: one unit is 2^zoom CSS pixels. Units: px of the largest tissue level or of the UMAP
 * drawing.
 */
export interface Place {
  x: number;
  y: number;
  zoom: number;
}

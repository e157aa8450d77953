import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/routes/visualization";
import type { GeneLayer } from "../data/viewer-source.ts";

export type ViewName = "tissue" | "umap";
export type Arrangement = ViewName | "both";
export const GROUPINGS = ["type", "cluster", "domain", "evidence", "imageQuality"] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const COLORINGS = [...GROUPINGS, "groups", "gene", "two", "score", "measure"] as const;
export type ColorBy = (typeof COLORINGS)[number];

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

/** A name and color the user gave a group. */
export interface GroupEdit {
  name?: string;
  /** #rrggbb */
  color?: string;
}

export type GroupEdits = Readonly<Record<string, GroupEdit>>;

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

/** Everything that makes up a picture, and nothing else: the contents of a URL or saved view. */
export interface ShownState {
  arrangement: Arrangement;
  colorBy: ColorBy;
  gene: string | null;
  /** Second gene, shown together with `gene`. */
  secondGene: string | null;
  scoreGenes: readonly string[];
  measure: CellMeasure;
  layer: GeneLayer;
  /** Limits of the color scale, as quantiles of the positive values. */
  quantiles: readonly [number, number];
  /** Indices of hidden groups, ascending. */
  hidden: Readonly<Record<Grouping, readonly number[]>>;
  /** By the group's original name, so that they survive a rerun that orders the groups otherwise. */
  edits: Readonly<Record<Grouping, GroupEdits>>;
  layers: LayerChoices;
  /** Spots are shown left of this share of the tissue's width, cells right of it; null = no comparison. */
  swipe: number | null;
  /** One per channel; null = as in the manifest. */
  channels: readonly ChannelChoice[] | null;
  places: Readonly<Record<ViewName, Place | null>>;
}

export const FIRST_SHOWN: ShownState = {
  arrangement: "tissue",
  colorBy: "type",
  gene: null,
  secondGene: null,
  scoreGenes: [],
  measure: CELL_MEASURES[0],
  layer: "rate",
  quantiles: [0, 0.99],
  hidden: { type: [], cluster: [], domain: [], evidence: [], imageQuality: [] },
  edits: { type: {}, cluster: {}, domain: {}, evidence: {}, imageQuality: {} },
  layers: {
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
  },
  swipe: null,
  channels: null,
  places: { tissue: null, umap: null },
};

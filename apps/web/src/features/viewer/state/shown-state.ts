import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/routes/visualization";
import type { GeneLayer } from "../data/viewer-source.ts";

export type ViewName = "tissue" | "umap";
export type Arrangement = ViewName | "both";
export const GROUPINGS = ["type", "cluster", "domain", "evidence", "imageQuality"] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const COLORINGS = [...GROUPINGS, "groups", "gene", "two", "score", "measure"] as const;
export type ColorBy = (typeof COLORINGS)[number];

/** What the person switched on and how it is to look; opacities 0–1. */
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
  /** Spots or bins, colored like the cells where their level knows the same. */
  spots: boolean;
  spotOpacity: number;
  /** Factor on the size of the points. */
  pointSize: number;
}

/** A group's own name and color, where the person gave it any. */
export interface GroupEdit {
  name?: string;
  /** #rrggbb */
  color?: string;
}

/** How a fluorescence channel is shown. */
export interface ChannelChoice {
  visible: boolean;
  /** #rrggbb */
  color: string;
  low: number;
  high: number;
}

/** Middle of a view and zoom: one unit is 2^zoom CSS pixels. Units: px of the largest tissue level, or of the UMAP drawing. */
export interface Place {
  x: number;
  y: number;
  zoom: number;
}

/** All that makes up a picture, and nothing else: what an address and a saved view hold. */
export interface ShownState {
  arrangement: Arrangement;
  colorBy: ColorBy;
  gene: string | null;
  /** Beside `gene`, when two are shown at once. */
  secondGene: string | null;
  scoreGenes: readonly string[];
  measure: CellMeasure;
  layer: GeneLayer;
  /** Ends of the color scale, as quantiles of the values above zero. */
  quantiles: readonly [number, number];
  /** Indices of groups that are switched off, ascending. */
  hidden: Readonly<Record<Grouping, readonly number[]>>;
  edits: Readonly<Record<Grouping, Readonly<Record<number, GroupEdit>>>>;
  layers: LayerChoices;
  /** Left of this share of the tissue's width spots are shown, right of it cells; null = no comparison. */
  swipe: number | null;
  /** One a channel; null = as the manifest has them. */
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
    pointSize: 1,
  },
  swipe: null,
  channels: null,
  places: { tissue: null, umap: null },
};

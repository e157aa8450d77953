import {
  byGrouping,
  FIRST_LAYERS,
  GROUPINGS,
  type ChannelChoice,
  type Grouping,
  type LayerChoices,
  type Place,
  type ViewName,
} from "@stipple/viewer/choices";
import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import type { GeneLayer } from "../../../project/view/view-server.ts";
import type { AnyMeasure } from "./measures.ts";

export type Arrangement = ViewName | "both";
export const COLORINGS = [...GROUPINGS, "groups", "gene", "two", "score", "measure"] as const;
export type ColorBy = (typeof COLORINGS)[number];

/** A name and color the user gave a group. */
export interface GroupEdit {
  name?: string;
  /** #rrggbb */
  color?: string;
}

export type GroupEdits = Readonly<Record<string, GroupEdit>>;

/** Everything that makes up a picture, and nothing else: the contents of a URL or saved view. */
export interface ShownState {
  arrangement: Arrangement;
  colorBy: ColorBy;
  /** Id of the clustering that is the grouping `own`; null = the first. */
  clustering: string | null;
  gene: string | null;
  /** Second gene, shown together with `gene`. */
  secondGene: string | null;
  scoreGenes: readonly string[];
  measure: AnyMeasure;
  layer: GeneLayer;
  /** Limits of the color scale, as quantiles of the positive values. */
  quantiles: readonly [number, number];
  /** Original names of hidden groups, so that a rerun that orders the groups otherwise hides no other one. */
  hidden: Readonly<Record<Grouping, readonly string[]>>;
  /** By the group's original name, as well. */
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
  clustering: null,
  gene: null,
  secondGene: null,
  scoreGenes: [],
  measure: CELL_MEASURES[0],
  layer: "rate",
  quantiles: [0, 0.99],
  hidden: byGrouping(() => []),
  edits: byGrouping(() => ({})),
  layers: FIRST_LAYERS,
  swipe: null,
  channels: null,
  places: { tissue: null, umap: null },
};

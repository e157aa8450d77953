import type { Layer, LayersList } from "@deck.gl/core";
import type { LayerChoices, ViewName } from "../choices.ts";
import type { DotData } from "../draw/dot-data.ts";
import type { Graphics } from "../draw/graphics.ts";
import type { NearDrawing, OutlineData } from "../draw/near-cells.ts";
import type { DrawnRegion } from "../draw/region-mesh.ts";
import type { Span } from "../draw/screen-clip.ts";
import type { SpotDrawing } from "../draw/spot-drawings.ts";
import type { ViewSource } from "../source/source.ts";
import type { ChannelLayers } from "./channels.ts";

/** How a view stands: all that layers are made from. */
export interface LayerInput {
  source: ViewSource;
  view: ViewName;
  graphics: Graphics;
  choices: LayerChoices;
  /** All cells. */
  dots: DotData;
  /** The cells of a close view, drawn instead of all cells. */
  near: NearDrawing | undefined;
  /** Contours of the nuclei in a close view. */
  nuclei: OutlineData | undefined;
  spots: SpotDrawing | undefined;
  /** Spots are shown left of this share of the width, cells right of it; null = both everywhere. */
  swipe: number | null;
  /** Fluorescence channels, drawn instead of the tissue's tiles once they are complete. */
  channels: ChannelLayers | undefined;
  /** Regions drawn on the tissue. */
  regions: readonly DrawnRegion[] | undefined;
  /** Tiles are of this many levels above those with a pixel per CSS px. */
  tileLevels: number;
  /** Changing it requests all tiles in view again. */
  tileRound: number;
  onTile: (error?: unknown) => void;
}

/** One layer of the view, or several of a kind; nothing if it is off. */
export type ViewLayer = (input: LayerInput) => Layer | LayersList | false | undefined;

/** Layers are stacked in drawing order, without depth testing. */
export const FLAT = { depthCompare: "always", depthWriteEnabled: false } as const;

/** Part of the width in which cells are drawn; null = all of it. */
export function cellClip({ view, swipe }: LayerInput): Span | null {
  return view === "tissue" && swipe !== null ? [swipe, 1] : null;
}

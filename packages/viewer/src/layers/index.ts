import type { LayersList } from "@deck.gl/core";
import { channels } from "./channels.ts";
import { cellDots, nearDots } from "./dots.ts";
import type { LayerInput, ViewLayer } from "./layer-input.ts";
import { nuclei, outlines } from "./outlines.ts";
import { regions } from "./regions.ts";
import { spots } from "./spots.ts";
import { tissue } from "./tissue.ts";

/** From bottom to top; a new layer is a file and a line. */
const LAYERS: readonly ViewLayer[] = [
  tissue,
  channels,
  spots,
  cellDots,
  outlines,
  nuclei,
  nearDots,
  regions,
];

/** Everything that is drawn, from bottom to top. */
export function viewLayers(input: LayerInput): LayersList {
  return LAYERS.map((layer) => layer(input));
}

/** Whether a layer draws regions, judging by its id. */
export function isOfRegions(layerId: string): boolean {
  return layerId.startsWith("region-");
}

/** Whether a layer draws cells, judging by its id. */
export function isOfCells(layerId: string): boolean {
  return layerId.startsWith("cells-") || layerId === "outlines";
}

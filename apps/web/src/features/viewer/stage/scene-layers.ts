import type { LayersList } from "@deck.gl/core";
import { TileLayer } from "@deck.gl/geo-layers";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { LayerChoices, ViewName } from "../state/shown-state.ts";
import { DotLayer, type DotData } from "./dot-layer.ts";
import { levelsAbove, takeTile } from "./first-tiles.ts";
import type { Graphics } from "./graphics.ts";
import { tissueTile, type TissueTile } from "./deep-zoom.ts";
import { isAbort, triedAgain } from "./tried-again.ts";
import type { NearDrawing, OutlineData } from "./near-cells.ts";
import type { ChannelLayers } from "./use-channels.ts";
import { OutlineLayer } from "./outline-layer.ts";
import type { Span } from "./screen-clip.ts";
import { SplatLayer } from "./splat-layer.ts";
import { TilePictureLayer } from "./tile-picture-layer.ts";

/** Inputs for the layers. */
export interface LayerInput {
  source: ViewerSource;
  manifest: ViewerManifest;
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
  /** Changing it requests all tiles in view again. */
  tileRound: number;
  onTile: (error?: unknown) => void;
}

/** Spots or bins as drawn. */
export interface SpotDrawing {
  /** All, or only those around a close view. */
  dots: DotData;
  /** Contains only those around a close view, so they may be drawn as large dots. */
  isPart: boolean;
  /** There are no values to fill them with. */
  onlyEdges: boolean;
}

const POINT_RADIUS_UM = 4;
const SPOT_EDGE_PX = 1.5;
/** Above this radius, dots are drawn as quads: graphics cards limit point size. */
export const LARGE_FROM_PX = 16;

/** The layers from bottom to top. Cells are passed as arrays, without per-cell objects. */
export function sceneLayers(input: LayerInput): LayersList {
  const { view, choices, swipe, spots } = input;
  const onTissue = view === "tissue";
  return [
    onTissue && choices.tissue && !input.channels?.complete && tissueLayer(input),
    onTissue && choices.tissue && input.channels?.at(choices.tissueOpacity),
    onTissue && spots && spotLayer(input, spots, swipe === null ? null : [0, swipe]),
    cellLayers(input, onTissue && swipe !== null ? [swipe, 1] : null),
  ];
}

interface LoadedTile extends TissueTile {
  image: ImageBitmap;
}

function tissueLayer({ source, manifest: { tissue }, choices, tileRound, onTile }: LayerInput) {
  const longest = Math.max(tissue.widthPx, tissue.heightPx);
  return new TileLayer<LoadedTile | null>({
    id: "tissue",
    tileSize: tissue.tileSize,
    extent: [0, 0, tissue.widthPx, tissue.heightPx],
    minZoom: Math.min(0, -Math.ceil(Math.log2(longest / tissue.tileSize))),
    maxZoom: 0,
    zoomOffset: levelsAbove(),
    opacity: choices.tissueOpacity,
    // Browsers open six connections per server; genes and columns must not wait behind tiles.
    maxRequests: 4,
    async getTileData({ index, signal }) {
      const tile = tissueTile(tissue, index.x, index.y, index.z);
      if (!tile) return null;
      const image = await triedAgain(() => takeTile(source, tile.path, signal), signal);
      return { ...tile, image };
    },
    updateTriggers: { getTileData: tileRound },
    onTileLoad: () => onTile(),
    onTileError(error: unknown) {
      if (!isAbort(error)) onTile(error);
    },
    renderSubLayers: ({ id, data, opacity }) =>
      data &&
      new TilePictureLayer({
        id,
        opacity: opacity ?? 1,
        image: data.image,
        bounds: [data.left, data.bottom, data.right, data.top],
      }),
  });
}

/** Converts micrometers to drawing units (pixels of the largest image level). */
function unitsOf(um: number, { micronsPerPixel, tissue }: ViewerManifest): number {
  return um / (micronsPerPixel * tissue.scale);
}

/** Size of the cells' points: to scale on the tissue, but never too small to see. */
export interface PointSize {
  /** Drawing units. */
  radius: number;
  radiusMinPx: number;
  radiusMaxPx: number;
}

export function pointSize(manifest: ViewerManifest, view: ViewName, factor: number): PointSize {
  const many = manifest.nCells > 100_000;
  const units = view === "tissue" ? unitsOf(POINT_RADIUS_UM, manifest) : many ? 1 : 2;
  return {
    radius: units * factor,
    radiusMinPx: many ? 0.7 : 1.5,
    radiusMaxPx: view === "tissue" ? 60 : 8,
  };
}

/** Whether a layer draws cells, judging by its id. */
export function isOfCells(layerId: string): boolean {
  return layerId.startsWith("cells-") || layerId === "outlines";
}

// Layers are stacked in drawing order, without depth testing.
const FLAT = { depthCompare: "always", depthWriteEnabled: false } as const;

function cellLayers(input: LayerInput, clip: Span | null) {
  const { view, graphics, choices, manifest, near, nuclei, dots } = input;
  if (!choices.cells) return [];
  const size = pointSize(manifest, view, choices.pointSize);
  const shared = { ...size, square: false, edgePx: 0, clip, parameters: FLAT };
  return [
    // Kept while outlines are drawn, to avoid uploading its arrays again.
    new (dotLayer(graphics, false))({
      ...shared,
      id: `cells-${view}`,
      data: dots,
      large: false,
      visible: !near,
      opacity: choices.cellOpacity,
    }),
    near?.outlines && outlineLayer("outlines", near.outlines, choices, clip),
    nuclei && outlineLayer("nuclei", nuclei, choices, clip),
    near &&
      new DotLayer({
        ...shared,
        id: `cells-near-${view}`,
        data: near.points(),
        large: true,
        opacity: choices.cellOpacity,
      }),
  ];
}

/** WebGL handles a few large dots easily, but many dots are slow with CPU rendering. */
function dotLayer(graphics: Graphics, large: boolean): typeof DotLayer | typeof SplatLayer {
  return graphics === "card" || large ? DotLayer : SplatLayer;
}

/** Area opacity relative to lines; opacities are gamma-corrected so that their steps look even. */
const AREA_SHARE = 0.45;
const GAMMA = 1 / 2.2;

function outlineLayer(
  id: "outlines" | "nuclei",
  { mesh, rgba }: OutlineData,
  { cellOpacity, fill }: LayerChoices,
  clip: Span | null,
) {
  const filled = id === "outlines" && fill;
  return new OutlineLayer({
    id,
    mesh,
    rgba,
    lineWidthPx: id === "outlines" ? 1.5 : 1,
    areaOpacity: filled ? (AREA_SHARE * cellOpacity) ** GAMMA : 0,
    lineOpacity: cellOpacity ** GAMMA,
    clip,
    parameters: FLAT,
  });
}

/** Half the width of a spot or bin in drawing units. */
export function spotRadius({ binSidePx, spotRadiusPx, tissue }: ViewerManifest): number {
  return (binSidePx === null ? spotRadiusPx : binSidePx / 2) / tissue.scale;
}

function spotLayer(
  { graphics, manifest, choices }: LayerInput,
  spots: SpotDrawing,
  clip: Span | null,
) {
  return new (dotLayer(graphics, spots.isPart))({
    id: spots.isPart ? "spots-near" : "spots",
    data: spots.dots,
    radius: spotRadius(manifest),
    radiusMinPx: 0.5,
    radiusMaxPx: Infinity,
    square: manifest.binSidePx !== null,
    angle: manifest.binAngle,
    edgePx: spots.onlyEdges ? SPOT_EDGE_PX : 0,
    large: spots.isPart,
    clip,
    opacity: choices.spotOpacity,
    parameters: FLAT,
  });
}

import type { LayersList } from "@deck.gl/core";
import { TileLayer } from "@deck.gl/geo-layers";
import { BitmapLayer, PathLayer, ScatterplotLayer, SolidPolygonLayer } from "@deck.gl/layers";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { tissueTile, type TissueTile } from "./deep-zoom.ts";
import type { PolygonSubset } from "./polygon-subset.ts";
import type { ViewName } from "./scene.ts";
import type { ViewerSource } from "./viewer-data.ts";

/** What the person switched on and how it is to look; opacities 0–1. */
export interface LayerChoices {
  tissue: boolean;
  tissueOpacity: number;
  cells: boolean;
  cellOpacity: number;
  outlines: boolean;
  spots: boolean;
  /** Factor on the size of the points. */
  pointSize: number;
}

/** Everything the layers are made of. */
export interface LayerInput {
  source: ViewerSource;
  manifest: ViewerManifest;
  view: ViewName;
  positions: Float32Array;
  rgba: Uint8Array;
  choices: LayerChoices;
  spots: Float32Array | undefined;
  outlines: PolygonSubset | undefined;
  hovered: number;
  /** The closed outline of the hovered cell, x, y of each corner, where outlines are drawn. */
  hoveredRing: Float32Array | undefined;
  onTileError: () => void;
}

const POINT_RADIUS_UM = 4;
const HIGHLIGHT = [255, 255, 255, 255] as const;
const HIGHLIGHT_EDGE = [15, 27, 42, 255] as const;
const SPOT_COLOR = [23, 92, 211, 190] as const;

/** Room around the data when everything is shown, CSS pixels. */
export function fitMargin(widthPx: number): number {
  return widthPx < 640 ? 12 : 32;
}

/** The layers from bottom to top. Cells are handed over as arrays; no object is made for any of them. */
export function sceneLayers(input: LayerInput): LayersList {
  const { view, choices } = input;
  return [
    view === "tissue" && choices.tissue && tissueLayer(input),
    view === "tissue" && choices.spots && input.spots && spotLayer(input, input.spots),
    choices.cells && !input.outlines && pointLayer(input),
    choices.cells && input.outlines && outlineLayers(input.outlines, choices),
    choices.cells && input.hovered >= 0 && highlightLayer(input),
  ];
}

interface LoadedTile extends TissueTile {
  image: ImageBitmap;
}

function tissueLayer({ source, manifest: { tissue }, choices, onTileError }: LayerInput) {
  const longest = Math.max(tissue.widthPx, tissue.heightPx);
  return new TileLayer<LoadedTile | null>({
    id: "tissue",
    tileSize: tissue.tileSize,
    extent: [0, 0, tissue.widthPx, tissue.heightPx],
    minZoom: Math.min(0, -Math.ceil(Math.log2(longest / tissue.tileSize))),
    maxZoom: 0,
    // On finely resolved screens the next larger level, so that a screen pixel shows an image pixel.
    zoomOffset: window.devicePixelRatio >= 1.5 ? 1 : 0,
    opacity: choices.tissueOpacity,
    maxRequests: 8,
    async getTileData({ index, signal }) {
      const tile = tissueTile(tissue, index.x, index.y, index.z);
      return tile ? { ...tile, image: await source.tile(tile.path, signal) } : null;
    },
    onTileError(error: unknown) {
      if (!(error instanceof DOMException && error.name === "AbortError")) onTileError();
    },
    renderSubLayers: ({ id, data, opacity }) =>
      data &&
      new BitmapLayer({
        id,
        opacity: opacity ?? 1,
        image: data.image,
        bounds: [data.left, data.bottom, data.right, data.top],
      }),
  });
}

/** Units of the drawing (pixels of the largest image level) in `um` micrometres. */
function unitsOf(um: number, { micronsPerPixel, tissue }: ViewerManifest): number {
  return um / (micronsPerPixel * tissue.scale);
}

function pointLayer({ manifest, view, positions, rgba, choices }: LayerInput) {
  const many = manifest.nCells > 100_000;
  return new ScatterplotLayer({
    id: `cells-${view}`,
    data: {
      length: positions.length / 2,
      attributes: {
        getPosition: { value: positions, size: 2 },
        getFillColor: { value: rgba, size: 4, normalized: true },
      },
    },
    getRadius: view === "tissue" ? unitsOf(POINT_RADIUS_UM, manifest) : many ? 1.5 : 3,
    radiusUnits: "common",
    radiusScale: choices.pointSize,
    radiusMinPixels: (many ? 0.8 : 1.5) * choices.pointSize,
    radiusMaxPixels: view === "tissue" ? 60 : 8,
    opacity: choices.cellOpacity,
    stroked: false,
  });
}

function outlineLayers({ length, startIndices, xy, rgba }: PolygonSubset, choices: LayerChoices) {
  const shape = { value: xy, size: 2 };
  const color = { value: rgba, size: 4, normalized: true };
  return [
    new SolidPolygonLayer({
      id: "outlines-fill",
      data: { length, startIndices, attributes: { getPolygon: shape, getFillColor: color } },
      _normalize: false,
      opacity: 0.45 * choices.cellOpacity,
    }),
    new PathLayer({
      id: "outlines-line",
      data: { length, startIndices, attributes: { getPath: shape, getColor: color } },
      _pathType: "open",
      getWidth: 1.5,
      widthUnits: "pixels",
      opacity: choices.cellOpacity,
    }),
  ];
}

function spotLayer({ manifest }: LayerInput, spots: Float32Array) {
  return new ScatterplotLayer({
    id: "spots",
    data: { length: spots.length / 2, attributes: { getPosition: { value: spots, size: 2 } } },
    getRadius: manifest.spotRadiusPx / manifest.tissue.scale,
    radiusUnits: "common",
    filled: false,
    stroked: true,
    getLineColor: [...SPOT_COLOR],
    getLineWidth: 1.25,
    lineWidthUnits: "pixels",
  });
}

function highlightLayer({ manifest, view, positions, hovered, hoveredRing }: LayerInput) {
  const strokes = [
    { id: "highlight-edge", width: 5, color: HIGHLIGHT_EDGE },
    { id: "highlight", width: 2.5, color: HIGHLIGHT },
  ] as const;
  if (hoveredRing)
    return strokes.map(
      ({ id, width, color }) =>
        new PathLayer({
          id: `${id}-ring`,
          data: {
            length: 1,
            startIndices: Uint32Array.of(0, hoveredRing.length / 2),
            attributes: { getPath: { value: hoveredRing, size: 2 } },
          },
          _pathType: "open",
          getColor: [...color],
          getWidth: width,
          widthUnits: "pixels",
          jointRounded: true,
        }),
    );
  return strokes.map(
    ({ id, width, color }) =>
      new ScatterplotLayer({
        id,
        data: {
          length: 1,
          attributes: {
            getPosition: { value: positions.slice(2 * hovered, 2 * hovered + 2), size: 2 },
          },
        },
        getRadius: view === "tissue" ? unitsOf(POINT_RADIUS_UM + 1, manifest) : 3,
        radiusUnits: "common",
        radiusMinPixels: 6,
        filled: false,
        stroked: true,
        getLineColor: [...color],
        getLineWidth: width,
        lineWidthUnits: "pixels",
      }),
  );
}

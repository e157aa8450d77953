import type { LayersList } from "@deck.gl/core";
import { TileLayer } from "@deck.gl/geo-layers";
import { BitmapLayer, PathLayer, ScatterplotLayer, SolidPolygonLayer } from "@deck.gl/layers";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { DotLayer, type DotData } from "./dot-layer.ts";
import { tissueTile, type TissueTile } from "./deep-zoom.ts";
import type { PolygonSubset } from "./polygon-subset.ts";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { LayerChoices, ViewName } from "../state/shown-state.ts";

/** Everything the layers are made of. */
export interface LayerInput {
  source: ViewerSource;
  manifest: ViewerManifest;
  view: ViewName;
  positions: Float32Array;
  dots: DotData;
  /** CSS pixels of a unit of the drawing. */
  pxPerUnit: number;
  choices: LayerChoices;
  spots: PointData | undefined;
  outlines: OutlineData | undefined;
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
    // Browsers open six connections to a server; genes and columns must not wait behind tiles.
    maxRequests: 4,
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

/** Radius of a cell's point on the screen, CSS pixels: true to scale on the tissue, but never too small to see. */
function pointRadiusPx({ manifest, view, pxPerUnit, choices }: LayerInput): number {
  const many = manifest.nCells > 100_000;
  const units = view === "tissue" ? unitsOf(POINT_RADIUS_UM, manifest) : many ? 1 : 2;
  const radius = units * pxPerUnit * choices.pointSize;
  return Math.min(view === "tissue" ? 60 : 8, Math.max(many ? 0.7 : 1.5, radius));
}

function pointLayer(input: LayerInput) {
  return new DotLayer({
    id: `cells-${input.view}`,
    data: input.dots,
    radiusPx: pointRadiusPx(input),
    opacity: input.choices.cellOpacity,
    // The order of the layers is the order of depth.
    parameters: { depthCompare: "always", depthWriteEnabled: false },
  });
}

/** Outlines as the two layers read them; made once for a part of the tissue, since cutting them into triangles is costly. */
export interface OutlineData {
  fill: object;
  line: object;
}

export function outlineData({ length, startIndices, xy, rgba }: PolygonSubset): OutlineData {
  const shape = { value: xy, size: 2 };
  const color = { value: rgba, size: 4, normalized: true };
  return {
    fill: { length, startIndices, attributes: { getPolygon: shape, getFillColor: color } },
    line: { length, startIndices, attributes: { getPath: shape, getColor: color } },
  };
}

function outlineLayers({ fill, line }: OutlineData, choices: LayerChoices) {
  return [
    new SolidPolygonLayer({
      id: "outlines-fill",
      data: fill as never,
      _normalize: false,
      opacity: 0.45 * choices.cellOpacity,
    }),
    new PathLayer({
      id: "outlines-line",
      data: line as never,
      _pathType: "open",
      getWidth: 1.5,
      widthUnits: "pixels",
      opacity: choices.cellOpacity,
    }),
  ];
}

/** Positions without further properties. */
export interface PointData {
  length: number;
  attributes: { getPosition: { value: Float32Array; size: 2 } };
}

function spotLayer({ manifest }: LayerInput, spots: PointData) {
  return new ScatterplotLayer({
    id: "spots",
    data: spots,
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

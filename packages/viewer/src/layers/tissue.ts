import { TileLayer } from "@deck.gl/geo-layers";
import { TilePictureLayer } from "../draw/tile-picture-layer.ts";
import { tissueTile, type TissueTile } from "../source/deep-zoom.ts";
import { takeTile } from "../source/first-tiles.ts";
import { isAbort } from "../source/source.ts";
import { withRetries } from "../source/with-retries.ts";
import type { LayerInput } from "./layer-input.ts";

interface LoadedTile extends TissueTile {
  image: ImageBitmap;
}

/** The tissue image, tile by tile; also below channels until their first picture is complete. */
export function tissue({
  source,
  view,
  choices,
  channels,
  tileLevels,
  tileRound,
  onTile,
}: LayerInput) {
  if (view !== "tissue" || !choices.tissue || channels?.complete) return false;
  const image = source.manifest.tissue;
  const longest = Math.max(image.widthPx, image.heightPx);
  return new TileLayer<LoadedTile | null>({
    id: "tissue",
    tileSize: image.tileSize,
    extent: [0, 0, image.widthPx, image.heightPx],
    minZoom: Math.min(0, -Math.ceil(Math.log2(longest / image.tileSize))),
    maxZoom: 0,
    zoomOffset: tileLevels,
    opacity: choices.tissueOpacity,
    // Browsers open six connections per server; genes and columns must not wait behind tiles.
    maxRequests: 4,
    async getTileData({ index, signal }) {
      const tile = tissueTile(image, index.x, index.y, index.z);
      if (!tile) return null;
      const picture = await withRetries(() => takeTile(source, tile.path, signal), signal);
      return { ...tile, image: picture };
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

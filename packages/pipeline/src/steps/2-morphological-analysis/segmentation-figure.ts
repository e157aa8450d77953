import type { Polygons } from "@stipple/numerics/matrices";
import type { Figure } from "../../figures/figure.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";

/** Side of the tissue region shown, µm, and the width of the figure, px. */
const SIDE_UM = 260;
const SIDE_PX = 1100;

/**
 * Draws outlines of nuclei and cells over the tissue where cells are densest. Polygons in full-resolution pixels,
 * `imageScale` full-resolution pixels per image pixel.
 */
export async function segmentationFigure(
  image: TissueImage,
  found: { nuclei: Polygons; cells: Polygons; xy: Float32Array },
  options: { imageScale: number; umPerImagePx: number; signal: AbortSignal },
): Promise<Figure> {
  const { imageScale, umPerImagePx } = options;
  const side = Math.max(8, Math.round(SIDE_UM / umPerImagePx));
  const width = Math.min(side, image.widthPx);
  const height = Math.min(side, image.heightPx);
  const { x, y } = densestPlace(found.xy, imageScale, image, width, height);
  const zoom = SIDE_PX / width;
  const outHeight = Math.max(1, Math.round(height * zoom));
  const { data } = await image.getRegion({
    x,
    y,
    width,
    height,
    outWidth: SIDE_PX,
    outHeight,
    signal: options.signal,
  });
  const path = (polygons: Polygons): string => {
    const parts: string[] = [];
    for (let i = 0; i + 1 < polygons.offsets.length; i++) {
      const points: string[] = [];
      let visible = false;
      for (let p = polygons.offsets[i]; p < polygons.offsets[i + 1]; p++) {
        const px = (polygons.xy[2 * p] / imageScale - x) * zoom;
        const py = (polygons.xy[2 * p + 1] / imageScale - y) * zoom;
        if (px >= 0 && py >= 0 && px < SIDE_PX && py < outHeight) visible = true;
        points.push(`${px.toFixed(1)},${py.toFixed(1)}`);
      }
      if (visible) parts.push(`M${points.join("L")}Z`);
    }
    return parts.join("");
  };
  return {
    widthPx: SIDE_PX,
    heightPx: outHeight,
    layers: [
      {
        kind: "picture",
        x: 0,
        y: 0,
        widthPx: SIDE_PX,
        heightPx: outHeight,
        channels: 3,
        pixels: data,
      },
      {
        kind: "vector",
        svg:
          `<path d="${path(found.cells)}" fill="none" stroke="#fde047" stroke-width="1.2"/>` +
          `<path d="${path(found.nuclei)}" fill="none" stroke="#052e16" stroke-width="2.6"/>` +
          `<path d="${path(found.nuclei)}" fill="none" stroke="#4ade80" stroke-width="1.4"/>`,
      },
    ],
  };
}

/** Position on a lattice of windows that holds the most cells. */
function densestPlace(
  xy: Float32Array,
  imageScale: number,
  image: { widthPx: number; heightPx: number },
  width: number,
  height: number,
): { x: number; y: number } {
  const columns = Math.max(1, Math.floor(image.widthPx / width));
  const rows = Math.max(1, Math.floor(image.heightPx / height));
  const counts = new Int32Array(columns * rows);
  for (let i = 0; i < xy.length; i += 2) {
    const column = Math.min(columns - 1, Math.floor(xy[i] / imageScale / width));
    const row = Math.min(rows - 1, Math.floor(xy[i + 1] / imageScale / height));
    counts[row * columns + column]++;
  }
  const best = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
  return { x: (best % columns) * width, y: Math.floor(best / columns) * height };
}

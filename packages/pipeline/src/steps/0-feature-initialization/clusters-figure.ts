import type { AlignmentScale, ImageFacts } from "../../facts.ts";
import type { Matrix } from "../../fields.ts";
import type { Figure } from "../../figures/figure.ts";
import { svgLegend, type LegendEntry } from "../../figures/legend.ts";
import { categoryColors, parseColor } from "../../figures/palette.ts";
import { Raster } from "../../figures/raster.ts";
import { tissueFrame } from "../../figures/tissue-frame.ts";
import { PANEL_SIDE_PX } from "../../figures/panel-size.ts";
import { tissuePanel } from "../../figures/tissue-panel.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";

export interface ClustersFigureOptions {
  xy: Matrix<Float64Array>;
  cluster: Int32Array;
  nClusters: number;
  scale: AlignmentScale;
  /** The image that cells are found in; it and the spots set the frame. */
  facts: ImageFacts;
  /** Ground of the figure, and full-resolution pixels per pixel of it. */
  ground: { image: TissueImage; scale: number } | null;
  signal: AbortSignal;
}

/** Spots in the colours of their clusters, at their true size, over the faded tissue, in the frame of step 6's figures. */
export async function clustersFigure(options: ClustersFigureOptions): Promise<Figure> {
  const { xy, cluster, nClusters, scale, facts, ground, signal } = options;
  const panel = await tissuePanel(ground, facts, xy, {
    longSidePx: PANEL_SIDE_PX,
    micronsPerPixel: scale.micronsPerPixel,
    signal,
  });
  const colors = categoryColors(nClusters);
  const raster = new Raster(panel.widthPx, panel.heightPx);
  const halfSize = Math.max(0.6, (scale.spotSizeUm / scale.micronsPerPixel / 2) * panel.scale);
  const sizes = new Uint32Array(nClusters);
  for (let spot = 0; spot < cluster.length; spot++) {
    const own = cluster[spot];
    sizes[own]++;
    const x = (xy.data[2 * spot] - panel.x) * panel.scale;
    const y = (xy.data[2 * spot + 1] - panel.y) * panel.scale;
    const color = parseColor(colors[own]);
    if (scale.spotShape === "disc") {
      raster.fillDisc(x, y, halfSize, color, 0.85);
    } else {
      const [left, right, top, bottom] = [x - halfSize, x + halfSize, y - halfSize, y + halfSize];
      raster.fillPolygon(
        Float32Array.of(left, top, right, top, right, bottom, left, bottom),
        color,
        0.75,
      );
    }
  }
  const legend: LegendEntry[] = colors.map((color, i) => ({
    name: `Cluster ${i + 1}`,
    color,
    count: sizes[i],
  }));
  const noun = scale.spotShape === "disc" ? "spots" : `bins of ${scale.spotSizeUm} µm`;
  return tissueFrame(
    panel,
    {
      title: "Spot clusters",
      subtitle: `${cluster.length.toLocaleString("en")} ${noun}, clustered by expression`,
    },
    (x, y) => ({
      kind: "picture",
      x,
      y,
      widthPx: panel.widthPx,
      heightPx: panel.heightPx,
      channels: 4,
      pixels: raster.rgba,
    }),
    (box, font) => svgLegend(legend, box, "Clusters", font),
  );
}

import type { AlignmentScale } from "../../facts.ts";
import type { Matrix } from "../../fields.ts";
import type { Figure } from "../../figures/figure.ts";
import { svgLegend, type LegendEntry } from "../../figures/legend.ts";
import { categoryColors, parseColor } from "../../figures/palette.ts";
import { Raster } from "../../figures/raster.ts";
import { svgScaleBar } from "../../figures/scale-bar.ts";
import { svgText } from "../../figures/svg.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { groundLayer, tissuePanel } from "../../figures/tissue-panel.ts";

export interface ClustersFigureOptions {
  xy: Matrix<Float64Array>;
  cluster: Int32Array;
  nClusters: number;
  scale: AlignmentScale;
  /** Ground of the figure, and full-resolution pixels per pixel of it. */
  image: TissueImage | null;
  imageScale: number;
  signal: AbortSignal;
}

/** The panel's longer side, px: with legend and margins the figure is about 1,200 px wide. */
const PANEL_PX = 1000;
const FONT = 18;
const MARGIN = 20;
const TOP = 80;
const SIDE = 250;

/** Spots in the colours of their clusters, at their true size, over the faded tissue. */
export async function clustersFigure(options: ClustersFigureOptions): Promise<Figure> {
  const { xy, cluster, nClusters, scale, image, imageScale, signal } = options;
  const panel = await tissuePanel(image, imageScale, [xy], {
    longSidePx: PANEL_PX,
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
  const sideX = MARGIN + panel.widthPx + MARGIN;
  const noun = scale.spotShape === "disc" ? "spots" : `bins of ${scale.spotSizeUm} µm`;
  const heightPx = Math.max(TOP + panel.heightPx + MARGIN, TOP + FONT * (2.5 + 1.75 * nClusters));
  return {
    // A narrow panel must not cut the title.
    widthPx: Math.max(sideX + SIDE + MARGIN, 560),
    heightPx: Math.round(heightPx),
    layers: [
      groundLayer(panel, MARGIN, TOP),
      {
        kind: "picture",
        x: MARGIN,
        y: TOP,
        widthPx: panel.widthPx,
        heightPx: panel.heightPx,
        channels: 4,
        pixels: raster.rgba,
      },
      {
        kind: "vector",
        svg: [
          svgText(MARGIN, 34, "Spot clusters", { size: FONT * 1.35, weight: 600 }),
          svgText(
            MARGIN,
            62,
            `${cluster.length.toLocaleString("en")} ${noun}, clustered by expression`,
            { size: FONT * 0.9, color: "#46566a" },
          ),
          svgScaleBar(
            MARGIN + FONT,
            TOP + panel.heightPx - FONT,
            panel.widthPx,
            panel.micronsPerPixel,
            FONT,
          ),
          svgLegend(
            legend,
            { x: sideX, y: TOP, width: SIDE, height: heightPx - TOP - MARGIN },
            "Clusters",
            FONT,
          ),
        ].join("\n"),
      },
    ],
  };
}

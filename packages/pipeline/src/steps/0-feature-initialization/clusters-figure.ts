import type { AlignmentScale, ImageFacts } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../../figures/figure.ts";
import { legend } from "../../figures/legend.ts";
import { parseColor } from "../../figures/palette.ts";
import { spotsLayer } from "../../figures/spots-layer.ts";
import { tissueFrame } from "../../figures/tissue-frame.ts";
import { PANEL_SIDE_PX, tissuePanel } from "../../figures/tissue-panel.ts";
import { spotClusterGroups } from "../../model/groups.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";

export interface ClustersFigureOptions {
  xy: Matrix<Float64Array>;
  cluster: Int32Array;
  scale: AlignmentScale;
  /** The image used for segmentation; it and the spots determine the frame. */
  facts: ImageFacts;
  /** Background image of the figure, and full-resolution pixels per figure pixel. */
  ground: { image: TissueImage; scale: number } | null;
  signal: AbortSignal;
}

/**
 * Spots in their cluster colors, at true size, over the faded tissue, in the same frame as step 6's figures.
 */
export async function clustersFigure(options: ClustersFigureOptions): Promise<Figure> {
  const { xy, cluster, scale, facts, ground, signal } = options;
  const panel = await tissuePanel(ground, facts, xy, {
    longSidePx: PANEL_SIDE_PX,
    micronsPerPixel: scale.micronsPerPixel,
    signal,
  });
  const clusters = spotClusterGroups(cluster);
  const rgb = clusters.map(({ color }) => parseColor(color));
  const entries = clusters.map((entry) => ({ ...entry, name: `Cluster ${entry.name}` }));
  const noun = scale.spotShape === "disc" ? "spots" : `${scale.spotSizeUm} µm bins`;
  return tissueFrame(
    panel,
    {
      title: "Spot clusters",
      subtitle: `${cluster.length.toLocaleString("en")} ${noun}, clustered by expression`,
    },
    (x, y) => spotsLayer(panel, x, y, { xy, scale, colorOf: (spot) => rgb[cluster[spot]] }),
    legend(entries, "Clusters"),
  );
}

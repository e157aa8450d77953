import { counted, whole } from "@stipple/contract/counted";
import type { ColorBy } from "../state/shown-state.ts";

/** Sentences of the drawn views: spots, comparison, channels, export, what a view shows. */
export const stageTexts = {
  spots: "Spots",
  bins: "Bins",
  /** Heading of the spots' own color scale. */
  spotCounts: (isBins: boolean) => `${isBins ? "Bins" : "Spots"}: observed counts`,
  spotClusters: (isBins: boolean) => `${isBins ? "Bins" : "Spots"}: clusters`,
  spotCluster: (name: string) => `Cluster ${name}`,
  spotsUnknown: (isBins: boolean) =>
    `${isBins ? "Bins" : "Spots"} have no such value, so only their outlines are shown.`,
  spotsFailed: "The values of the spots didn't load.",
  moreGroups: (count: number) => `and ${count} more`,
  compare: (isBins: boolean) => `Compare ${isBins ? "bins" : "spots"} with cells`,
  swipe: (isBins: boolean) => `${isBins ? "Bins" : "Spots"} | Cells`,
  swipeHandle: (isBins: boolean) =>
    `${isBins ? "Bins" : "Spots"} on the left, cells on the right. Arrow keys move the divider.`,
  swipeAt: (percent: number, isBins: boolean) =>
    `${isBins ? "Bins" : "Spots"} on ${percent}% of the width`,
  channels: "Channels",
  channelsMost: (most: number) => `You can show up to ${most} channels at once.`,
  channelColor: (name: string) => `Color of ${name}`,
  channelLow: (name: string) => `Darkest intensity of ${name}`,
  channelHigh: (name: string) => `Brightest intensity of ${name}`,
  channelsReset: "Reset",
  channelsLoading: "Loading the fluorescence channels…",
  channelsFailed:
    "The channels didn't load, so you see the prepared image. Turn the tissue image off and on to try again.",
  exportView: (view: string) => `Export the ${view} view`,
  exportPng: "Image (PNG)",
  exportPngHint: "As shown, at twice the resolution",
  exportSvg: "Drawing (SVG)",
  exportSvgHint: "Scale bar, legend, and cells as lines",
  exportFailed: "Error exporting the view: the browser couldn't save the file.",
  lostTitle: "The view stopped drawing",
  lostText:
    "The browser reclaimed this view's graphics memory. Your settings are kept: draw again, or reload the page.",
  drawAgain: "Draw again",
  reload: "Reload the page",
  viewNames: { tissue: "Tissue", umap: "UMAP" },
  coloredBy: {
    type: "cell type",
    cluster: "cluster",
    domain: "domain",
    own: "own cluster",
    evidence: "evidence",
    imageQuality: "image quality",
    groups: "your groups",
    gene: "a gene",
    two: "two genes",
    score: "a gene set",
    measure: "a measure",
  } satisfies Record<ColorBy, string>,
  /** What a stage shows, for people who cannot see it. `wide`: with unit, null on the UMAP. */
  summary: ({
    view,
    inView,
    drawn,
    by,
    wide,
    outlined,
    swipe,
  }: {
    view: "tissue" | "umap";
    inView: number;
    drawn: number;
    by: string;
    wide: string | null;
    outlined: boolean;
    swipe: string | null;
  }) =>
    [
      `${view === "tissue" ? "Tissue" : "UMAP"}, ${
        inView === drawn
          ? counted(drawn, "cell")
          : `${whole(inView)} of ${counted(drawn, "cell")} in view`
      } colored by ${by}`,
      wide && `${wide} wide`,
      outlined && "drawn as outlines",
      swipe,
    ]
      .filter(Boolean)
      .join(", ") + ".",
  noCells: (view: "tissue" | "umap") =>
    `${view === "tissue" ? "Tissue" : "UMAP"}, cells are turned off.`,
} as const;

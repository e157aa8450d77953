import { counted, whole } from "@stipple/contract/counted";

/** Sentences about the threshold at which nuclei are detected. */
export const detectionTexts = {
  title: "Try the detection threshold on a tile",
  hint: "Outlines are those that the network finds at this threshold. The next run uses it.",
  threshold: "Detection threshold",
  value: (threshold: number, usual: number) =>
    threshold === usual ? `${threshold} (default)` : String(threshold),
  count: (count: number, perMm2: number) =>
    `${counted(count, "nucleus", "nuclei")} in this tile (${whole(Math.round(perMm2))} per mm²)`,
  lower: "A lower threshold finds more nuclei, including faint ones",
  loading: "Finding the nuclei of a tile…",
  failed: "We couldn't find the nuclei of a tile.",
  tile: "Tile of the image with the outlines of nuclei",
  overview: "The whole image with the tile; click to choose another tile",
  place: "Choose another tile",
  densest: "Densest tissue",
  moves: {
    left: "Tile to the left",
    up: "Tile above",
    down: "Tile below",
    right: "Tile to the right",
  },
} as const;

import type { Scene, Spot } from "./scene.ts";

export interface Palette {
  slide: string;
  tissue: string;
  tissueLine: string;
  nucleus: string;
  cellLine: string;
  /** Red, green, blue (0–255) of each cell type. */
  types: readonly (readonly [number, number, number])[];
}

/**
 * A stained slide in light mode, fluorescence in dark mode. The type colors follow Okabe and Ito and are
 * colorblind-safe.
 */
export const PALETTES: Record<"light" | "dark", Palette> = {
  light: {
    slide: "#ffffff",
    tissue: "#f7e9f0",
    tissueLine: "#ecd3df",
    nucleus: "#5b4a9c",
    cellLine: "rgb(255 255 255 / 85%)",
    types: [
      [86, 180, 233],
      [0, 158, 115],
      [230, 159, 0],
      [204, 121, 167],
      [0, 114, 178],
      [213, 94, 0],
    ],
  },
  dark: {
    slide: "#0d131c",
    tissue: "#161f2c",
    tissueLine: "#263242",
    nucleus: "#8f9bff",
    cellLine: "rgb(13 19 28 / 80%)",
    types: [
      [86, 180, 233],
      [36, 186, 142],
      [240, 178, 50],
      [220, 140, 184],
      [70, 140, 220],
      [235, 118, 40],
    ],
  },
};

/** A stage of the animation: `spots` and `cells` give the visibility (0–1) of each at a position x in 0–1. */
export interface Stage {
  spots: (x: number) => number;
  cells: (x: number) => number;
  /** Nuclei of the stained image under everything, 0–1. */
  nuclei: number;
}

export const STILLS: Record<"spots" | "nuclei" | "cells", Stage> = {
  spots: { spots: () => 1, cells: () => 0, nuclei: 0.25 },
  nuclei: { spots: () => 0, cells: () => 0, nuclei: 1 },
  cells: { spots: () => 0, cells: () => 1, nuclei: 0 },
};

/** A front that runs from left (0) to right (1): cells behind it, spots before it. */
export function sweepStage(front: number): Stage {
  const width = 0.22;
  const passed = (x: number): number => {
    const at = Math.min(1, Math.max(0, (front * (1 + width) - x) / width));
    return at * at * (3 - 2 * at);
  };
  return { spots: (x) => 1 - passed(x), cells: passed, nuclei: 0.25 };
}

/** Draws the scene into a square of `size` CSS pixels. */
export function drawScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  stage: Stage,
  palette: Palette,
  size: number,
): void {
  context.fillStyle = palette.slide;
  context.fillRect(0, 0, size, size);
  path(context, scene.outline, 0, 0, size, 1);
  context.fillStyle = palette.tissue;
  context.fill();
  context.strokeStyle = palette.tissueLine;
  context.lineWidth = 1.5;
  context.stroke();

  context.fillStyle = palette.nucleus;
  for (const cell of scene.cells) {
    const seen = stage.nuclei * (1 - stage.cells(cell.x));
    if (seen <= 0) continue;
    context.globalAlpha = seen * 0.75;
    disc(context, cell.x * size, cell.y * size, cell.nucleusRadius * size * 1.35);
  }
  for (const spot of scene.spots) {
    const seen = stage.spots(spot.x);
    if (seen <= 0.01) continue;
    context.globalAlpha = 0.82 * seen;
    context.fillStyle = mixedColor(spot, palette);
    disc(context, spot.x * size, spot.y * size, spot.radius * size * (0.7 + 0.3 * seen));
  }
  context.strokeStyle = palette.cellLine;
  context.lineWidth = 0.8;
  for (const cell of scene.cells) {
    const seen = stage.cells(cell.x);
    if (seen <= 0.01) continue;
    const x = (cell.from.x + (cell.x - cell.from.x) * seen) * size;
    const y = (cell.from.y + (cell.y - cell.from.y) * seen) * size;
    context.globalAlpha = seen;
    path(context, cell.corners, x, y, size, 0.4 + 0.6 * seen);
    context.fillStyle = rgb(palette.types[cell.type] ?? [0, 0, 0]);
    context.fill();
    context.stroke();
    context.globalAlpha = 0.28 * seen;
    context.fillStyle = "#0b1017";
    disc(context, x, y, cell.nucleusRadius * size);
  }
  context.globalAlpha = 1;
}

function path(
  context: CanvasRenderingContext2D,
  points: readonly { x: number; y: number }[],
  x: number,
  y: number,
  size: number,
  scale: number,
): void {
  context.beginPath();
  for (const point of points) {
    context.lineTo(x + point.x * size * scale, y + point.y * size * scale);
  }
  context.closePath();
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function rgb([red, green, blue]: readonly [number, number, number]): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** What a spot shows: the average of the cells beneath it. */
function mixedColor(spot: Spot, palette: Palette): string {
  const total = spot.counts.reduce((sum, count) => sum + count, 0) || 1;
  const channel = (index: 0 | 1 | 2): number =>
    Math.round(
      spot.counts.reduce(
        (sum, count, type) => sum + count * (palette.types[type]?.[index] ?? 0),
        0,
      ) / total,
    );
  return rgb([channel(0), channel(1), channel(2)]);
}

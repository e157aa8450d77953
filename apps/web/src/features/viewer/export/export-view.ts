import type { ScaleBar } from "@stipple/viewer/geometry";
import type { Scene, SceneContent } from "@stipple/viewer";
import { cellsSvg } from "./cells-svg.ts";
import { figureLayout, figureSvg, type Figure } from "./figure-svg.ts";
import type { LegendPart } from "./legend-parts.ts";
import type { GroupLabel } from "../stage/group-anchors.ts";
import { saveFile, savePng } from "../../../components/save-drawing.ts";

/** Maximum number of cells drawn as vectors in an SVG file; more would make it too large to open. */
const MAX_VECTOR_CELLS = 20_000;
/** Resolution of exported pictures relative to the screen. */
const FINER = 2;

/** Text shown next to the picture in a figure. */
export interface FigureWords {
  title: string;
  subtitle: string;
  legend: readonly LegendPart[];
  labels: readonly GroupLabel[];
  scaleBar: ScaleBar | null;
  swipe: Figure["swipe"];
}

interface ShownView {
  scene: Scene;
  content: SceneContent;
  widthPx: number;
  heightPx: number;
  words: FigureWords;
}

/** Saves a view as `name`.png at twice the screen resolution. Rejects if the browser cannot write it. */
export async function exportPng(view: ShownView, name: string): Promise<void> {
  const ratio = FINER * window.devicePixelRatio;
  const drawing = view.scene.picture(ratio, true);
  const figure = figureOf(view, { raster: null, shapes: "", ground: false });
  const { width, height, x, y } = figureLayout(figure);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawing, Math.round(x * ratio), Math.round(y * ratio));
  const words = new Image();
  words.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(figureSvg(figure))}`;
  await words.decode();
  context.drawImage(words, 0, 0, canvas.width, canvas.height);
  await savePng(canvas, name);
}

/**
 * Saves a view as `name`.svg: the tissue as an embedded image; scale bar, legend, and up to 20,000 cells as vectors.
 */
export function exportSvg(view: ShownView, name: string): void {
  const { scene, content, widthPx } = view;
  const { layers, rgba, swipe } = content;
  const inView = layers.cells ? scene.cellsInView(MAX_VECTOR_CELLS) : undefined;
  const raster = scene
    .picture(FINER * window.devicePixelRatio, inView === undefined)
    .toDataURL("image/png");
  const from = view.words.swipe ? (swipe ?? 0) * widthPx : 0;
  const shapes = inView ? cellsSvg(inView, scene.positions, rgba, layers, from) : "";
  const svg = figureSvg(figureOf(view, { raster, shapes, ground: true }));
  saveFile(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

function figureOf(
  { words, widthPx, heightPx }: ShownView,
  rest: Pick<Figure, "raster" | "shapes" | "ground">,
): Figure {
  return { ...words, widthPx, heightPx, ...rest };
}

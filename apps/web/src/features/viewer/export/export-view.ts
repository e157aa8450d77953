import type { ScaleBar } from "@stipple/viewer/geometry";
import type { DrawnRegion, Scene, SceneContent } from "@stipple/viewer";
import {
  cellsSvg,
  figurePicture,
  figureSvg,
  MAX_VECTOR_CELLS,
  regionsSvg,
  type Figure,
  type GroupLabel,
  type LegendPart,
} from "@stipple/viewer/figure";
import { saveFile, savePng } from "../../../components/save-drawing.ts";

/** Resolution of exported pictures relative to the screen. */
const FINER = 2;

/** Text shown next to the picture in a figure. */
export interface FigureWords {
  title: string;
  subtitle: string;
  legend: readonly LegendPart[];
  labels: readonly GroupLabel[];
  /** Regions in view, drawn as vectors where the picture is one. */
  regions: readonly (DrawnRegion & { name: string })[];
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
  const picture = view.scene.picture(ratio, { cells: true, regions: true });
  const figure = figureOf(view, { raster: null, shapes: "" });
  await savePng(await figurePicture(figure, [{ picture, x: 0, y: 0 }], ratio), name);
}

/**
 * Saves a view as `name`.svg: the tissue as an embedded image; scale bar, legend, regions, and up to 20,000 cells as
 * vectors.
 */
export function exportSvg(view: ShownView, name: string): void {
  const { scene, content, widthPx } = view;
  const { layers, swipe } = content;
  const inView = layers.cells ? scene.cellsInView(MAX_VECTOR_CELLS) : undefined;
  const raster = scene
    .picture(FINER * window.devicePixelRatio, { cells: inView === undefined, regions: false })
    .toDataURL("image/png");
  const from = view.words.swipe ? (swipe ?? 0) * widthPx : 0;
  const cells = inView ? cellsSvg(inView, scene.positions, from) : "";
  const regions = regionsSvg(view.words.regions, (x, y) => scene.project(x, y));
  const svg = figureSvg(figureOf(view, { raster, shapes: cells + regions }));
  saveFile(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

function figureOf(
  { words, widthPx, heightPx }: ShownView,
  rest: Pick<Figure, "raster" | "shapes">,
): Figure {
  return { ...words, widthPx, heightPx, ground: true, ...rest };
}

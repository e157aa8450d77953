import type { Scene } from "@stipple/viewer";
import { scaleBar } from "@stipple/viewer/geometry";
import {
  cellsSvg,
  figurePicture,
  figureSvg,
  MAX_VECTOR_CELLS,
  scaleBarSvg,
  type Figure,
  type LegendPart,
} from "@stipple/viewer/figure";
import { saveFile, savePng } from "../../../components/save-drawing.ts";

/** A section as it stands on the page; lengths are CSS px from the grid's top left corner. */
export interface DrawnSection {
  name: string;
  scene: Scene;
  x: number;
  y: number;
  /** Whether the common scale bar holds for it. */
  sharesScale: boolean;
}

/** The whole grid and what explains it. */
export interface DrawnGrid {
  title: string;
  subtitle: string;
  widthPx: number;
  heightPx: number;
  legend: readonly LegendPart[];
  sections: readonly DrawnSection[];
}

const FINER = 2;
/** Parts of images that have not arrived by then are left out. */
const WAITS_MS = 15_000;
const LONGEST_BAR_PX = 120;
/** From the top of a drawing to the middle of the name above it. */
const NAME_PX = 16;

/** Waits until everything in view has loaded. */
export async function whenWhole({ sections }: DrawnGrid): Promise<void> {
  const start = performance.now();
  while (!sections.every(({ scene }) => scene.isWhole()) && performance.now() - start < WAITS_MS)
    await new Promise(requestAnimationFrame);
}

/** Saves the sections as `name`.svg: images as rasters; outlines, names, scale bar, and one legend as vectors. */
export function saveGridSvg(grid: DrawnGrid, name: string): void {
  // In all sections together.
  const most = Math.floor(MAX_VECTOR_CELLS / grid.sections.length);
  const shapes = grid.sections.map((section, at) => {
    const { scene } = section;
    const { widthPx, heightPx } = scene.frame();
    const inView = scene.cellsInView(most);
    const raster = scene
      .picture(FINER * window.devicePixelRatio, { cells: inView === undefined, regions: true })
      .toDataURL("image/png");
    const cells = inView ? cellsSvg(inView, scene.positions, 0, `cells${at}`) : "";
    return framed(
      section,
      `<image width="${widthPx}" height="${heightPx}" preserveAspectRatio="none" href="${raster}"/>${cells}`,
    );
  });
  const svg = figureSvg(figureOf(grid, shapes.join("")));
  saveFile(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

/** Saves the sections as `name`.png at twice the screen resolution. Rejects if the browser cannot write it. */
export async function saveGridPng(grid: DrawnGrid, name: string): Promise<void> {
  const ratio = FINER * window.devicePixelRatio;
  const pictures = grid.sections.map(({ scene, x, y }) => ({
    picture: scene.picture(ratio, { cells: true, regions: true }),
    x,
    y,
  }));
  const frames = grid.sections.map((section) => framed(section, ""));
  await savePng(await figurePicture(figureOf(grid, frames.join("")), pictures, ratio), name);
}

/** A section's drawing in its place, with a frame, and a scale bar if it needs its own. */
function framed({ scene, x, y, sharesScale }: DrawnSection, drawing: string): string {
  const { widthPx, heightPx, umPerPixel } = scene.frame();
  const bar =
    sharesScale || umPerPixel === null
      ? ""
      : scaleBarSvg(scaleBar(umPerPixel, LONGEST_BAR_PX), heightPx);
  return `<g transform="translate(${x} ${y})">${drawing}<rect width="${widthPx}" height="${heightPx}" fill="none" stroke="#d9e0e8"/>${bar}</g>`;
}

function figureOf({ sections, ...grid }: DrawnGrid, shapes: string): Figure {
  const shared = sections.find(({ sharesScale }) => sharesScale)?.scene.frame().umPerPixel;
  return {
    ...grid,
    raster: null,
    shapes,
    labels: sections.map(({ name, scene, x, y }) => ({
      ...{ name, x: x + scene.frame().widthPx / 2, y: y - NAME_PX },
    })),
    scaleBar: shared ? scaleBar(shared, LONGEST_BAR_PX) : null,
    swipe: null,
    ground: true,
  };
}

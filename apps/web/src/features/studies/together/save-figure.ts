import type { Scene } from "@stipple/viewer";
import { scaleBar } from "@stipple/viewer/geometry";
import {
  cellsSvg,
  figurePicture,
  figureSvg,
  MAX_VECTOR_CELLS,
  scaleBarSvg,
  shortened,
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
const NAME_SIZE_PX = 12;

/** Waits until everything in view has loaded. */
export async function whenWhole({ sections }: DrawnGrid): Promise<void> {
  const start = performance.now();
  while (!sections.every(({ scene }) => scene.isWhole()) && performance.now() - start < WAITS_MS)
    await new Promise(requestAnimationFrame);
}

/** Saves the sections as `name`.svg. */
export function saveGridSvg(grid: DrawnGrid, name: string): void {
  const svg = gridSvg(grid, FINER * window.devicePixelRatio);
  saveFile(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

/**
 * The sections as SVG file text: images as rasters of `ratio` pixels per CSS px; outlines, names, scale bars, and one legend
 * as vectors.
 */
export function gridSvg(grid: DrawnGrid, ratio: number): string {
  // In all sections together.
  const most = Math.floor(MAX_VECTOR_CELLS / grid.sections.length);
  const shapes = framedSections(grid, ({ scene }, at) => {
    const { widthPx, heightPx } = scene.frame();
    const inView = scene.cellsInView(most);
    const raster = scene
      .picture(ratio, { cells: inView === undefined, regions: true })
      .toDataURL("image/png");
    const cells = inView ? cellsSvg(inView, scene.positions, 0, `cells${at}`) : "";
    return `<image width="${widthPx}" height="${heightPx}" preserveAspectRatio="none" xlink:href="${raster}"/>${cells}`;
  });
  return figureSvg(figureOf(grid, shapes));
}

/** Saves the sections as `name`.png at twice the screen resolution. Rejects if the browser cannot write it. */
export async function saveGridPng(grid: DrawnGrid, name: string): Promise<void> {
  const ratio = FINER * window.devicePixelRatio;
  const pictures = grid.sections.map(({ scene, x, y }) => ({
    picture: scene.picture(ratio, { cells: true, regions: true }),
    x,
    y,
  }));
  const frames = framedSections(grid, () => "");
  await savePng(await figurePicture(figureOf(grid, frames), pictures, ratio), name);
}

/** The sections' drawings in their places, each with a frame; those of one scale have one scale bar, others their own. */
function framedSections(
  { sections }: DrawnGrid,
  drawing: (section: DrawnSection, at: number) => string,
): string {
  const first = sections.find(({ sharesScale }) => sharesScale);
  const framed = sections.map((section, at) => {
    const { scene, x, y, sharesScale } = section;
    const { widthPx, heightPx, umPerPixel } = scene.frame();
    const bar =
      umPerPixel === null || (sharesScale && section !== first)
        ? ""
        : scaleBarSvg(scaleBar(umPerPixel, LONGEST_BAR_PX), heightPx);
    return `<g transform="translate(${x} ${y})">${drawing(section, at)}<rect width="${widthPx}" height="${heightPx}" fill="none" stroke="#d9e0e8"/>${bar}</g>`;
  });
  return framed.join("");
}

function figureOf({ sections, ...grid }: DrawnGrid, shapes: string): Figure {
  return {
    ...grid,
    raster: null,
    shapes,
    labels: sections.map(({ name, scene, x, y }) => ({
      // Above its own section only; semibold letters are a little wider.
      name: shortened(name, 0.95 * scene.frame().widthPx, NAME_SIZE_PX),
      x: x + scene.frame().widthPx / 2,
      y: y - NAME_PX,
    })),
    scaleBar: null,
    swipe: null,
    ground: true,
  };
}

import type { CellsInView } from "../scene/interface.ts";

/** Fill opacity relative to the lines, as in the view. */
const FILL_SHARE = 0.45;
/** deck.gl raises the opacity of lines and areas to this power. */
const GAMMA = 1 / 2.2;

/** Most cells drawn as vectors in a file; more would make it too large to open. */
export const MAX_VECTOR_CELLS = 20_000;

/**
 * The cells in view as SVG elements in CSS px, one group per color: outlines where available, discs elsewhere.
 * `positions`: x, y of all cells in drawing units; `from`: px left of which nothing is drawn;
 * `clip`: an id of its own in the drawing. O(vertices in view).
 */
export function cellsSvg(
  { cells, rgba, layers, shape, radiusPx, toScreen, widthPx, heightPx }: CellsInView,
  positions: Float32Array,
  from: number,
  clip = "cells",
): string {
  const { cellOpacity: opacity, fill } = layers;
  const rings = new Map<number, number>();
  if (shape) for (let ring = 0; ring < shape.length; ring++) rings.set(shape.cells[ring]!, ring);
  const groups = new Map<string, { discs: string[]; paths: string[] }>();
  for (const cell of cells) {
    const [r, g, b, a] = rgba.subarray(4 * cell, 4 * cell + 4);
    const paint = `#${hex(r!)}${hex(g!)}${hex(b!)}/${(a! / 255).toFixed(3)}`;
    let group = groups.get(paint);
    if (!group) groups.set(paint, (group = { discs: [], paths: [] }));
    const ring = rings.get(cell);
    if (shape && ring !== undefined) {
      group.paths.push(
        ringPath(shape.xy, shape.startIndices[ring]!, shape.startIndices[ring + 1]! - 1, toScreen),
      );
    } else {
      const [x, y] = toScreen(positions[2 * cell]!, positions[2 * cell + 1]!);
      group.discs.push(
        `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radiusPx.toFixed(2)}"/>`,
      );
    }
  }
  const drawn = [...groups].map(([paint, { discs, paths }]) => {
    const [color, alpha] = paint.split("/") as [string, string];
    const at = (share: number) => (Number(alpha) * share).toFixed(3);
    const lines =
      paths.length > 0
        ? `<path fill-opacity="${fill ? at((FILL_SHARE * opacity) ** GAMMA) : 0}" stroke="${color}" stroke-opacity="${at(opacity ** GAMMA)}" stroke-width="1.5" d="${paths.join("")}"/>`
        : "";
    const points = discs.length > 0 ? `<g fill-opacity="${at(opacity)}">${discs.join("")}</g>` : "";
    return `<g fill="${color}">${lines}${points}</g>`;
  });
  const room = `<clipPath id="${clip}"><rect x="${from}" width="${widthPx - from}" height="${heightPx}"/></clipPath>`;
  return `${room}<g clip-path="url(#${clip})">${drawn.join("")}</g>`;
}

/** Not every program knows other ways to write colors. */
function hex(part: number): string {
  return part.toString(16).padStart(2, "0");
}

function ringPath(
  xy: Float32Array,
  start: number,
  end: number,
  toScreen: CellsInView["toScreen"],
): string {
  let path = "";
  for (let vertex = start; vertex < end; vertex++) {
    const [x, y] = toScreen(xy[2 * vertex]!, xy[2 * vertex + 1]!);
    path += `${vertex === start ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return `${path}Z`;
}

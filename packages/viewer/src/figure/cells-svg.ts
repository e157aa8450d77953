import { ringPath } from "../geometry/ring-path.ts";
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
  /** Without the repeated last corner. */
  const rings = new Map<number, Float32Array>();
  shape?.cells.forEach((cell, ring) => {
    const [from, to] = [shape.startIndices[ring]!, shape.startIndices[ring + 1]! - 1];
    rings.set(cell, shape.xy.subarray(2 * from, 2 * to));
  });
  const groups = new Map<string, { discs: string[]; paths: string[] }>();
  for (const cell of cells) {
    const [r, g, b, a] = rgba.subarray(4 * cell, 4 * cell + 4);
    const paint = `#${hex(r!)}${hex(g!)}${hex(b!)}/${(a! / 255).toFixed(3)}`;
    let group = groups.get(paint);
    if (!group) groups.set(paint, (group = { discs: [], paths: [] }));
    const ring = rings.get(cell);
    if (ring) {
      group.paths.push(ringPath(ring, toScreen));
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

import type { ExpressionRange } from "./expression-range.ts";
import type { Cells } from "./viewer-data.ts";
import { VIRIDIS } from "./viridis.ts";

export type Rgb = readonly [number, number, number];

/** Of cells whose value was not measured. */
export const MISSING: Rgb = [201, 209, 218];

/** Reads "#rrggbb"; anything else is the grey of missing values. */
export function parseColor(text: string): Rgb {
  const match = /^#([0-9a-f]{6})$/i.exec(text);
  if (!match) return MISSING;
  const value = Number.parseInt(match[1]!, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** What colours the cells. */
export type Coloring =
  | { by: "group"; of: "type" | "cluster"; palette: readonly Rgb[] }
  | {
      by: "gene";
      values: Float32Array;
      range: ExpressionRange;
      /** Grey where `observed` is 0: there the value is not known. */
      observedOnly: boolean;
    };

/** Groups that are switched off, by index. */
export interface HiddenGroups {
  type: ReadonlySet<number>;
  cluster: ReadonlySet<number>;
}

/**
 * Red, green, blue and alpha of every cell (4 × nCells; alpha 0 = not drawn) and the number of cells drawn.
 * One pass over the cells.
 */
export function cellColors(
  cells: Cells,
  coloring: Coloring,
  hidden: HiddenGroups,
): { rgba: Uint8Array; drawn: number } {
  const { type, cluster, observed } = cells;
  const rgba = new Uint8Array(type.length * 4);
  let drawn = 0;
  const scale = coloring.by === "gene" ? 255 / (coloring.range.high - coloring.range.low) : 0;
  for (let cell = 0, at = 0; cell < type.length; cell++, at += 4) {
    if (hidden.type.has(type[cell]!) || hidden.cluster.has(cluster[cell]!)) continue;
    drawn += 1;
    let color: Rgb = MISSING;
    if (coloring.by === "group") color = coloring.palette[cells[coloring.of][cell]!] ?? MISSING;
    else {
      const value = coloring.values[cell]!;
      if (Number.isFinite(value) && !(coloring.observedOnly && observed[cell] === 0)) {
        const shade =
          3 * Math.min(255, Math.max(0, Math.round((value - coloring.range.low) * scale)));
        rgba[at] = VIRIDIS[shade]!;
        rgba[at + 1] = VIRIDIS[shade + 1]!;
        rgba[at + 2] = VIRIDIS[shade + 2]!;
        rgba[at + 3] = 255;
        continue;
      }
    }
    rgba[at] = color[0];
    rgba[at + 1] = color[1];
    rgba[at + 2] = color[2];
    rgba[at + 3] = 255;
  }
  return { rgba, drawn };
}

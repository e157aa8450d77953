import { valueText } from "@stipple/viewer/cells";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import type { SectionLook } from "./use-looks.ts";

/** A cell under the pointer, and where the pointer is on the section, CSS px. */
export interface Hovered {
  cell: number;
  x: number;
  y: number;
}

/** What the cell under the pointer is. */
export function CellFacts({
  hovered: { cell, x, y },
  look: { coloring },
  type,
}: {
  hovered: Hovered;
  look: SectionLook;
  type: string | undefined;
}) {
  const value = coloring.by === "value" ? coloring.values[cell] : undefined;
  return (
    <div
      className="pointer-events-none absolute z-10 max-w-48 rounded-control border border-line bg-card px-2.5 py-1.5 text-xs shadow-lg"
      style={{ left: x + 14, top: y + 14 }}
    >
      <p className="font-semibold">{TEXTS.cell(cell)}</p>
      {type !== undefined && <p className="[overflow-wrap:anywhere]">{type}</p>}
      {value !== undefined && (
        <p>{Number.isFinite(value) ? valueText(value) : TEXTS.notMeasured}</p>
      )}
    </div>
  );
}

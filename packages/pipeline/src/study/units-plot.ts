import { html, type Html } from "../exports/report/html.ts";
import type { Comparison } from "./compare-samples.ts";

const [WIDTH, HEIGHT, MARGIN] = [160, 36, 6];

/**
 * One dot for each unit of the design at its value; a row for each condition, and a line between the two of a patient. From
 * `from`, or the least value, to the largest.
 */
export function unitsPlot(
  { units, design, groups }: Comparison,
  values: readonly number[],
  { label, from }: { label: string; from?: number },
): Html {
  const low = Math.min(...values, from ?? Infinity);
  const span = Math.max(...values) - low || 1;
  const dots = design.units.map((unit, i) => ({
    patient: units[unit].patient,
    group: groups.indexOf(units[unit].condition),
    x: (MARGIN + ((values[i] - low) / span) * (WIDTH - 2 * MARGIN)).toFixed(1),
  }));
  const pairs = dots.flatMap((dot) => {
    const other = dots.find(({ patient, group }) => patient === dot.patient && group === 1);
    return dot.group === 0 && other ? [[dot, other] as const] : [];
  });
  return html`<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">
    ${[0, 1].map((group) => html`<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${rowY(group)}" y2="${rowY(group)}" stroke="currentColor" opacity="0.2" />`)}
    ${pairs.map(([one, other]) => html`<line x1="${one.x}" x2="${other.x}" y1="${rowY(0)}" y2="${rowY(1)}" stroke="currentColor" opacity="0.5" />`)}
    ${dots.map(({ x, group }) => html`<circle cx="${x}" cy="${rowY(group)}" r="4" fill="currentColor" opacity="0.6" />`)}
  </svg>`;
}

function rowY(group: number): number {
  return group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4;
}

import { html, type Html } from "../exports/report/html.ts";
import type { Comparison } from "./compare-samples.ts";

const [WIDTH, HEIGHT, MARGIN] = [160, 36, 6];

/** One dot for each unit at a type's share of its cells; a row for each condition, from zero to the largest share. */
export function sharesPlot({ units, design, groups, cells }: Comparison, type: string): Html {
  const at = cells.types.indexOf(type);
  const dots = design.units.map((i) => {
    const numbers = cells.numbers[i];
    const share = numbers[at] / numbers.reduce((sum, number) => sum + number, 0);
    return { share, group: units[i].condition === groups[0] ? 0 : 1 };
  });
  const most = Math.max(...dots.map(({ share }) => share)) || 1;
  const label = `Shares of ${type} by unit, 0 to ${(100 * most).toFixed(1)}%; above: ${groups[0]}, below: ${groups[1]}`;
  return html`<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">
    ${[0, 1].map(
      (group) =>
        html`<line
          x1="${MARGIN}"
          x2="${WIDTH - MARGIN}"
          y1="${rowY(group)}"
          y2="${rowY(group)}"
          stroke="currentColor"
          opacity="0.2"
        />`,
    )}
    ${dots.map(
      ({ share, group }) =>
        html`<circle
          cx="${(MARGIN + (share / most) * (WIDTH - 2 * MARGIN)).toFixed(1)}"
          cy="${rowY(group)}"
          r="4"
          fill="currentColor"
          opacity="0.6"
        />`,
    )}
  </svg>`;
}

function rowY(group: number): number {
  return group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4;
}

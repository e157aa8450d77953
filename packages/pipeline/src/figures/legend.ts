import { fitText, round, svgText } from "./svg.ts";

export interface LegendEntry {
  name: string;
  color: string;
  count: number;
  /** Drawn as a ring: see `hollowGroups`. */
  hollow?: boolean;
}

/**
 * Color, name and count of every entry, one a row in the order given, within a box. Rows shrink so that all of them fit.
 * `size` is the preferred font size, px.
 */
export function svgLegend(
  entries: readonly LegendEntry[],
  box: { x: number; y: number; width: number; height: number },
  title: string,
  size: number,
): string {
  const total = entries.reduce((sum, entry) => sum + entry.count, 0) || 1;
  const rowHeight = Math.min(size * 1.75, (box.height - size * 2) / Math.max(1, entries.length));
  const font = Math.min(size, rowHeight * 0.72);
  const parts = [svgText(box.x, box.y + size, title, { size, weight: 600 })];
  entries.forEach((entry, row) => {
    const middle = box.y + size * 2 + rowHeight * (row + 0.5);
    const radius = font * 0.42;
    parts.push(
      entry.hollow
        ? `<circle cx="${round(box.x + radius)}" cy="${round(middle)}" r="${round(radius * 0.78)}" fill="none" stroke="${entry.color}" stroke-width="${round(radius * 0.44)}"/>`
        : `<circle cx="${round(box.x + radius)}" cy="${round(middle)}" r="${round(radius)}" fill="${entry.color}" stroke="#0f1b2a" stroke-opacity="0.35" stroke-width="${round(font * 0.05)}"/>`,
    );
    const numbers = `${entry.count.toLocaleString("en-US")} · ${((100 * entry.count) / total).toFixed(1)}%`;
    const nameWidth = box.width - font * 1.5 - numbers.length * font * 0.56 - font;
    const baseline = middle + font * 0.36;
    parts.push(
      svgText(box.x + font * 1.4, baseline, fitText(entry.name, font, nameWidth), { size: font }),
      svgText(box.x + box.width, baseline, numbers, {
        size: font,
        color: "#46566a",
        anchor: "end",
      }),
    );
  });
  return parts.join("\n");
}

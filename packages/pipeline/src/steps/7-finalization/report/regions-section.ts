import { countInRegions } from "../../../exports/csv/region-composition.ts";
import { count, figure, percent, table, type Section } from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { ReportContent } from "./report-content.ts";
import { SIGNED, type Signed } from "./signed.ts";

/** Types named for each region. */
const TYPES_SHOWN = 4;
const UNSIGNED: Signed = { author: null, at: "" };

/** The user's regions and what lies in them; null if there are none. */
export function regionsSection({ results }: ReportContent): Section | null {
  const { regions, shown } = results;
  if (!regions) return null;
  const counts = countInRegions(regions, shown.typeOf, shown.typeNames);
  const rows = regions.regions.map(({ name, areaMm2, signed = UNSIGNED }) => {
    const own = counts.filter(({ region }) => region === name);
    return { name, areaMm2, own, ...signed, cells: own.reduce((sum, row) => sum + row.cells, 0) };
  });
  return {
    id: "regions",
    title: "Regions",
    body: html`<p>
        A cell is in a region if its center is. The tables of cells have the distance of every cell
        from each border, and <code>region_composition.csv</code> all types.
      </p>
      ${table<(typeof rows)[number]>(
        [
          ["Region", ({ name }) => name],
          ["Area, mm²", ({ areaMm2 }) => figure(areaMm2), "number"],
          ["Cells", (row) => count(row.cells), "number"],
          ["Cells per mm²", (row) => count(Math.round(row.cells / row.areaMm2)), "number"],
          [
            "Most frequent types",
            ({ own }) =>
              own
                .slice(0, TYPES_SHOWN)
                .map(({ type, share }) => `${type} ${percent(share, 0)}`)
                .join(", "),
          ],
          ...(regions.regions.some(({ signed }) => signed) ? SIGNED : []),
        ],
        rows,
      )}`,
  };
}

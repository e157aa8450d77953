import type { CellAnnotations } from "../../../annotations/annotate-cells.ts";
import {
  type Column,
  count,
  figure,
  note,
  percent,
  type Section,
  swatched,
  table,
} from "../../../exports/report/elements.ts";
import { type Html, html } from "../../../exports/report/html.ts";
import { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";
import { ROWS } from "./words.ts";
import { countInRegions } from "../../../exports/csv/region-composition.ts";
import type { Annotation } from "@stipple/contract";

const GROUPINGS = {
  type: "Cell type",
  cluster: "Cluster",
  domain: "Spatial domain",
  evidence: "Evidence",
  imageQuality: "Image quality",
} as const;

/** What people said about the results, and who did; null if nobody did. */
export async function annotationsSection(content: ReportContent): Promise<Section | null> {
  const { results, noun, annotatedFigures } = content;
  const { annotations, facts } = results;
  if (!annotations) return null;
  const rows = ROWS[noun];
  return {
    id: "annotations",
    title: "Annotations",
    body: html`<p>
        What people said about these results. In the files, annotations are in separate columns;
        they change none of the computed values.
      </p>
      ${annotations.leftOut !== null && note("warn", html`<p>${annotations.leftOut}</p>`)}
      ${composition(annotations, rows)}
      ${await new ReportFigures(annotatedFigures, content).takeAll()} ${names(annotations)}
      ${chosenCells(annotations, rows)} ${lists(annotations)}
      ${notes(annotations, facts.scale.micronsPerPixel)}`,
  };
}

function composition({ types }: CellAnnotations, rows: string): Html | null {
  if (!types) return null;
  return html`<h3>Annotated types</h3>
    ${table(
      [
        ["Type", ({ name, color }) => swatched(name, color)],
        [rows, (group) => count(group.count), "number"],
        ["Share", (group) => percent(group.count / types.groupOf.length), "number"],
      ],
      types.groups.toSorted((a, b) => b.count - a.count),
    )}`;
}

function names({ names }: CellAnnotations): Html | null {
  return signed("Names and colors", names, [
    ["Grouping", ({ value }) => GROUPINGS[value.of]],
    ["Computed", ({ value }) => value.group],
    ["Annotated", ({ value: { label, group, color } }) => swatched(label ?? group, color ?? null)],
  ]);
}

function chosenCells({ assigned, groups, clusterings }: CellAnnotations, rows: string): Html {
  const size = [rows, ({ nCells }: { nCells: number }) => count(nCells), "number"] as const;
  const types = assigned.map(({ item, count: nCells }) => ({ ...item, nCells }));
  const named = groups.map(({ item, count: nCells }) => ({ ...item, nCells }));
  const clustered = clusterings.map(({ item, groups: { groups: own } }) => ({
    ...item,
    nGroups: own.length,
    nCells: own.reduce((sum, group) => sum + group.count, 0),
  }));
  return html`${signed("Assigned types", types, [
    ["Type", ({ value }) => swatched(value.assigned ?? "", value.color)],
    size,
  ])}
  ${signed("Groups", named, [["Group", ({ value }) => swatched(value.name, value.color)], size])}
  ${signed("Clusterings", clustered, [
    ["Clustering", ({ value }) => value.name],
    ["Clusters", ({ nGroups }) => count(nGroups), "number"],
    size,
  ])}`;
}

function lists({ geneLists }: CellAnnotations): Html | null {
  return signed("Gene lists", geneLists, [
    ["List", ({ value }) => value.name],
    ["Genes", ({ value }) => count(value.genes.length), "number"],
  ]);
}

function notes({ notes }: CellAnnotations, micronsPerPixel: number): Html | null {
  return signed("Notes", notes, [
    ["Note", ({ value }) => value.text],
    ["x, µm", ({ value }) => figure(value.x * micronsPerPixel), "number"],
    ["y, µm", ({ value }) => figure(value.y * micronsPerPixel), "number"],
  ]);
}

/** A table that ends with who said it, and when; null if there is nothing. */
function signed<Item extends Signed>(
  title: string,
  rows: readonly Item[],
  columns: readonly Column<NoInfer<Item>>[],
): Html | null {
  if (rows.length === 0) return null;
  return html`<h3>${title}</h3>
    ${table([...columns, ...SIGNED], rows)}`;
}

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

/** Who said something last, and when. */
type Signed = Pick<Annotation, "author" | "at">;

/** The columns that say so. */
const SIGNED: readonly Column<Signed>[] = [
  ["By", ({ author }) => author ?? "unknown"],
  ["When (UTC)", ({ at }) => at.slice(0, 16).replace("T", " ")],
];

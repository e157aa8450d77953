import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import { markersOf } from "@stipple/contract/markers-of";
import type { CellAnnotations } from "../../../annotations/annotate-cells.ts";
import {
  count,
  facts,
  figure,
  percent,
  swatched,
  table,
  type Column,
  type Section,
} from "../../../exports/report/elements.ts";
import { html, type Html } from "../../../exports/report/html.ts";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { Proportions } from "../../../exports/spatialdata/spots-table.ts";
import type { SpatialStatistics } from "@stipple/contract/statistical-facts";
import { UNKNOWN } from "../../../markers/type-colors.ts";
import type { CaptureNoun } from "../../../model/row-noun.ts";
import { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";
import { ROWS } from "./words.ts";

/** A type and the cells that have it. */
type TypeRow = { type: LegendEntry; own: number[] };

const MARKERS_SHOWN = 6;
const ROWS_SHOWN = 10;

/** A column with the names that people gave to computed types; null if they gave none. */
function annotatedName(annotations: CellAnnotations | null): Column<TypeRow> | null {
  const given = new Map(
    (annotations?.names ?? [])
      .filter(({ value }) => value.of === "type")
      .map(({ value: { group, label } }) => [group, label]),
  );
  return given.size === 0 ? null : ["Annotated", ({ type }) => given.get(type.name) ?? ""];
}

export async function typesSection(
  content: ReportContent,
  figures: ReportFigures,
): Promise<Section> {
  const { results, noun } = content;
  const { typing } = results.facts;
  return {
    id: "types",
    title: noun === "cell" ? "Cell types and clusters" : `Types and clusters of ${noun}s`,
    body: html`<p>
        ${
          typing.method === "reference"
            ? `Types are labels from ${referenceInWords(typing.reference?.kept)}.`
            : "Types are named by marker genes."
        }
        <em>Confidence</em> estimates the probability that the name is right.
        ${noun === "cell" ? null : `A ${noun} can contain several cells; its type describes the mixture.`}
        ${typing.speciesNote ?? null}
      </p>
      ${facts([
        ["Species", typing.speciesName ?? typing.species],
        ["Tissue", typing.tissue],
        [`${ROWS[noun]} left “Unknown”`, percent(typing.unknownFraction)],
        ["Clusters", count(results.clusters.length)],
      ])}
      ${typesTable(content)}
      ${results.spots.proportions ? proportionsTable(results.spots.proportions, content.spotNoun) : null}
      ${await figures.take(["umap_celltypes", "umap_clusters", "celltype_composition"])}
      ${await figures.take(figures.left.filter((name) => name.startsWith("markers_c")))}`,
  };
}

/** The types that cells have, the most frequent first. */
function typesTable({ results, markers, noun, spotNoun }: ReportContent): Html {
  const { typeOf, confidence, observed } = results.cells;
  const found = markers.find(({ groupBy }) => groupBy === "cell_type");
  const topOf = (name: string): string =>
    (found?.groups ?? [])
      .filter(({ group }) => group === name)
      .flatMap((group) => markersOf(group).slice(0, MARKERS_SHOWN))
      .join(", ");
  const rows = results.types
    .map((type, index) => ({
      type,
      own: Array.from(typeOf.keys()).filter((cell) => typeOf[cell] === index),
    }))
    .filter(({ type }) => type.count > 0)
    .sort((a, b) => b.type.count - a.type.count);
  return table<TypeRow>(
    [
      ["Type", ({ type }) => swatched(type.name, type.color)],
      annotatedName(results.annotations),
      [ROWS[noun], ({ type }) => count(type.count), "number"],
      ["Share", ({ type }) => percent(type.count / typeOf.length), "number"],
      noun === "cell"
        ? [
            `Touched by a ${spotNoun}`,
            ({ own }) => percent(mean(own.map((cell) => observed[cell])), 0),
            "number",
          ]
        : null,
      // "Unknown" is no name that could be right.
      [
        "Median confidence",
        ({ type, own }) =>
          type.name === UNKNOWN ? "–" : figure(median(own.map((cell) => confidence[cell]))),
        "number",
      ],
      found ? ["Top markers", ({ type }) => topOf(type.name)] : null,
    ],
    rows,
  );
}

/** Minimum proportion of a label for a spot to be counted as containing it. */
const PRESENT = 0.1;

/** The proportions of the reference's labels in the spots, fitted to the spots' own counts. */
function proportionsTable({ labels, share, low, high }: Proportions, spotNoun: CaptureNoun): Html {
  const spots = Array.from({ length: share.nRows }, (_, spot) => spot);
  const of = ({ data, nCols }: Proportions["share"], label: number): number[] =>
    spots.map((spot) => data[spot * nCols + label]);
  const rows = labels
    .map((name, label) => ({ name, label, mean: mean(of(share, label)) }))
    .sort((a, b) => b.mean - a.mean);
  return html`<h3>Labels of the reference in ${spotNoun}s</h3>
    <p>
      How much of a ${spotNoun}'s RNA comes from each label, fitted to the ${spotNoun}'s own counts
      without the image. Each gene may differ between reference and sample by a constant factor.
      <code>statistics/spot_proportions.csv</code> lists the shares and intervals of every
      ${spotNoun}.
    </p>
    ${table<(typeof rows)[number]>(
      [
        ["Label", ({ name }) => name],
        ["Mean share", (row) => percent(row.mean), "number"],
        [
          "Mean interval",
          ({ label }) => `${percent(mean(of(low, label)))} – ${percent(mean(of(high, label)))}`,
          "number",
        ],
        [
          `${ROWS[spotNoun]} with 10% or more`,
          ({ label }) => count(of(share, label).filter((value) => value >= PRESENT).length),
          "number",
        ],
      ],
      rows,
    )}`;
}

export async function statisticsSection(
  { spatial, exports, noun, spotNoun }: ReportContent,
  figures: ReportFigures,
): Promise<Section | null> {
  if (!spatial) return null;
  const tables = (await exports).filter(({ file }) => file.startsWith("statistics/"));
  const genes = /^spatial_(?!domains)/;
  return {
    id: "statistics",
    title: "Spatial statistics",
    body: html`<p>
        All tests use observed counts of reliable genes in the ${count(spatial.testedCells)}
        ${noun}s with at least ${count(spatial.minimumCounts)} UMIs; testing inferred rates would
        only confirm the model.
        ${noun === "cell" ? `Cells under one ${spotNoun} share its counts` : `Neighboring ${noun}s are alike`},
        so they are not independent: look at effect sizes, not only at p-values.
      </p>
      ${
        spatial.notes.length > 0
          ? html`<ul>
              ${spatial.notes.map((text) => html`<li>${text}</li>`)}
            </ul>`
          : null
      }
      ${facts([
        ["Genes tested", count(spatial.testedGenes)],
        [`Pairs of neighbors among tested ${noun}s`, count(spatial.graph.testedEdges)],
        [`Pairs of neighbors among all ${noun}s`, count(spatial.graph.edges)],
        ["Neighbors are at most", `${figure(spatial.graph.maxEdgeUm)} µm apart`],
        spatial.domains ? ["Spatial domains", count(spatial.domains.count)] : null,
      ])}
      ${moranTable(spatial)} ${pairsTable(spatial, noun)}
      ${await figures.take(figures.left.filter((name) => !genes.test(name)))}
      <p>
        Full tables:
        ${tables.map(({ file }, i) => html`${i > 0 ? ", " : null}<code>${file}</code>`)}.
      </p>`,
  };
}

function moranTable({ moran }: SpatialStatistics): Html | null {
  if (!moran || moran.genes.length === 0) return null;
  const rows = [...moran.genes.keys()].slice(0, ROWS_SHOWN);
  return html`<h3>Genes with the strongest spatial pattern (Moran’s I)</h3>
    ${table<number>(
      [
        ["Gene", (row) => moran.genes[row]],
        ["I", (row) => figure(moran.I[row]), "number"],
        ["False discovery rate", (row) => rate(moran.fdr[row]), "number"],
      ],
      rows,
    )}`;
}

/** A false discovery rate; too small a number is not 0. */
function rate(fdr: number): string {
  return fdr < 1e-300 ? "< 1e-300" : figure(fdr);
}

function pairsTable(
  { ligandReceptor }: SpatialStatistics,
  noun: ReportContent["noun"],
): Html | null {
  if (!ligandReceptor || ligandReceptor.ligand.length === 0) return null;
  const { fdr, zscore, ligand, receptor, sender, receiver } = ligandReceptor;
  const rows = [...ligand.keys()]
    .sort((a, b) => fdr[a] - fdr[b] || (zscore[b] ?? 0) - (zscore[a] ?? 0))
    .slice(0, ROWS_SHOWN);
  return html`<h3>Ligands and receptors on neighboring ${noun}s</h3>
    ${table<number>(
      [
        ["Ligand – receptor", (row) => `${ligand[row]} – ${receptor[row]}`],
        ["Sender → receiver", (row) => `${sender[row]} → ${receiver[row]}`],
        ["z", (row) => figure(zscore[row]), "number"],
        ["False discovery rate", (row) => rate(fdr[row]), "number"],
      ],
      rows,
    )}`;
}

/** Genes by cell if any gene is reliable at the cell level; otherwise as measured, by spot. */
export async function genesSection(
  content: ReportContent,
  figures: ReportFigures,
): Promise<Section | null> {
  const { spotGenes, spotNoun } = content;
  const shown = await figures.take(figures.left);
  const bySpot = await new ReportFigures(spotGenes, content).takeAll();
  if (!shown && !bySpot) return null;
  return {
    id: "genes",
    title: "Genes in the tissue",
    body: html`${
      bySpot &&
      html`<p>
        No gene passed the reliability check for single cells, so these maps show the measured
        counts of ${spotNoun}s, for the genes that differ most between clusters of ${spotNoun}s.
      </p>`
    }
    ${bySpot} ${shown}`,
  };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** The reference with what to cite. */
function referenceInWords(kept: ReferenceDescription | undefined): string {
  if (!kept) return "your reference";
  const { name, source, citation } = kept;
  return `the reference ${name} (${[source, citation].filter((part) => part !== null).join("; ")})`;
}

import { platformById } from "@stipple/contract";
import { bytes, facts, table, type Section } from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { FileChecksum } from "../checksum.ts";
import type { ReportContent } from "./report-content.ts";
import { SETTINGS_WORDS } from "./words.ts";

/** What the results do not show, however much they look like it. */
export function cautionsSection({ results, spatial, selfTest, noun }: ReportContent): Section {
  const { expression, typing } = results.facts;
  const cautions: (string | false)[] = [
    noun === "spot" &&
      "That a row is a cell. Every row is a whole spot, with all the cells under it.",
    "That an inferred rate was measured. It is what a model expects; a test on it asks the model whether it agrees with itself.",
    "That a gene is off where its count is zero. Most zeros mean that too few UMIs were caught" +
      (noun === "cell" ? ", or that no spot lies there." : "."),
    `Anything about single ${noun}s from a gene that is not reliable, however good its picture looks.`,
    noun === "cell" &&
      expression.morphologyHelps !== true &&
      "That two neighbouring cells differ in expression: here the look of cells adds nothing, so cells of one place get much the same values.",
    "That a type is right because its confidence is high. Confidence weighs the types that were considered; one that was not cannot win.",
    typing.unknownFraction > 0 &&
      "That “Unknown” is a new type. It means that no set of markers won, often for want of counts.",
    "That the number of clusters is a fact of the tissue, or that distances in the UMAP mean anything.",
    noun === "cell" &&
      "That outlines are membranes, or that densities are exact: nuclei that touch may be taken as one, and a section cuts through cells.",
    noun === "cell" &&
      `That ${noun}s are independent samples. Cells under one spot share its counts. Compare animals or patients, not ${noun}s.`,
    spatial !== null &&
      "That a ligand acts on its receptor: the table says that both are present on neighbours, no more.",
    selfTest?.scores
      ? "That the self-test is a measurement. Its twin obeys the model; your tissue need not."
      : false,
  ];
  return {
    id: "cautions",
    title: "What a reader should not conclude",
    body: html`<ul>
      ${cautions.filter((text) => text !== false).map((text) => html`<li>${text}</li>`)}
    </ul>`,
  };
}

export function filesSection({ exports }: ReportContent): Section {
  // A Zarr folder has hundreds of files; it counts as one here.
  const folders = new Map<string, FileChecksum[]>();
  for (const file of exports) {
    const key = /^[^/]+\.zarr\//.exec(file.file)?.[0] ?? file.file;
    folders.set(key, [...(folders.get(key) ?? []), file]);
  }
  return {
    id: "files",
    title: "Files beside this report",
    body: html`${table<[string, FileChecksum[]]>(
        [
          { title: "File", cell: ([name]) => name },
          {
            title: "Size",
            numeric: true,
            cell: ([, files]) => bytes(files.reduce((sum, file) => sum + file.bytes, 0)),
          },
          {
            title: "SHA-256",
            cell: ([, files]) =>
              files.length === 1
                ? html`<span class="hash">${files[0].sha256}</span>`
                : `${files.length} files, listed in step7_output/summary.json`,
          },
        ],
        [...folders],
      )}
      <p><code>README.txt</code> says what each holds and how to open it.</p>`,
  };
}

export function provenanceSection({ provenance }: ReportContent): Section {
  const { settings, steps, input, libraries } = provenance;
  return {
    id: "provenance",
    title: "How it was made",
    body: html`${facts([
        ["Stipple", provenance.stipple],
        ["Made", provenance.created.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
        ["Node", provenance.node],
        ["System", provenance.system],
        ["Platform", platformById(settings.platform).label],
        ["Staining", SETTINGS_WORDS.staining[settings.staining]],
        ["Analysis", settings.analysisType],
        settings.resolution ? ["Bin size", `${settings.resolution} µm`] : null,
        ["Seed", provenance.seed],
      ])}
      <h3>Steps</h3>
      ${table<(typeof steps)[number]>(
        [
          { title: "Step", cell: ({ step, name }) => `${step} ${name}` },
          { title: "Version", numeric: true, cell: ({ version }) => version },
          { title: "Seconds", numeric: true, cell: ({ seconds }) => seconds.toFixed(1) },
          {
            title: "Parameters",
            cell: ({ params }) => html`<code>${JSON.stringify(params)}</code>`,
          },
        ],
        steps,
      )}
      <h3>Input</h3>
      ${table<FileChecksum>(
        [
          { title: "File", cell: ({ file }) => file },
          { title: "Size", numeric: true, cell: (file) => bytes(file.bytes) },
          { title: "SHA-256", cell: ({ sha256 }) => html`<span class="hash">${sha256}</span>` },
        ],
        input.files,
      )}
      <details>
        <summary>Libraries</summary>
        ${facts(Object.entries(libraries))}
      </details>
      <p>All of this is in <code>provenance.json</code>, for programs.</p>`,
  };
}

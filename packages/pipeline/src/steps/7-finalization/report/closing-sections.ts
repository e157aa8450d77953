import { platformById } from "@stipple/contract";
import { bytes, facts, table, type Section } from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { FileChecksum } from "../checksum.ts";
import type { ReportContent } from "./report-content.ts";
import { SETTINGS_WORDS } from "./words.ts";

/** Conclusions that the results do not support, even if they seem to. */
export function cautionsSection({ results, spatial, selfTest, noun }: ReportContent): Section {
  const { expression, typing } = results.facts;
  const cautions: (string | false)[] = [
    noun === "spot" &&
      "That a row is a cell. Each row is a whole spot with all the cells under it.",
    "That an inferred rate was measured. It is a model prediction, so testing it only checks whether the model agrees with itself.",
    "That a gene is off where its count is zero. Most zeros mean that too few UMIs were captured" +
      (noun === "cell" ? " or that there is no spot." : "."),
    `Anything about single ${noun}s from the rates of an unreliable gene, however convincing its map looks.`,
    noun === "cell" &&
      expression.morphologyHelps !== true &&
      "That two neighboring cells differ in expression. Morphology adds nothing here, so nearby cells get similar values.",
    "That a type is right because its confidence is high. A type that was not considered can't be chosen.",
    typing.unknownFraction > 0 &&
      "That “Unknown” is a new type. It means that no marker set stood out, often because counts are too low.",
    "That the number of clusters is a property of the tissue, or that distances in the UMAP are meaningful.",
    noun === "cell" &&
      "That outlines are membranes, or that densities are exact. Touching nuclei may be merged, and a section cuts through cells.",
    noun === "cell" &&
      `That ${noun}s are independent samples. Cells under one spot share its counts. Compare animals or patients, not ${noun}s.`,
    spatial !== null &&
      "That a ligand acts on its receptor. The table only shows that neighbors express both.",
    selfTest?.scores
      ? "That the self-test is a measurement. Its twin follows the model; your tissue may not."
      : false,
  ];
  return {
    id: "cautions",
    title: "What not to conclude",
    body: html`<ul>
      ${cautions.filter((text) => text !== false).map((text) => html`<li>${text}</li>`)}
    </ul>`,
  };
}

export async function filesSection({ exports }: ReportContent): Promise<Section> {
  // A Zarr folder has hundreds of files; it counts as one here.
  const folders = new Map<string, FileChecksum[]>();
  for (const file of await exports) {
    const key = /^[^/]+\.zarr\//.exec(file.file)?.[0] ?? file.file;
    folders.set(key, [...(folders.get(key) ?? []), file]);
  }
  return {
    id: "files",
    title: "Other files",
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
      <p><code>README.txt</code> explains each file and how to open it.</p>`,
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
      <p>The same information, machine-readable: <code>provenance.json</code>.</p>`,
  };
}

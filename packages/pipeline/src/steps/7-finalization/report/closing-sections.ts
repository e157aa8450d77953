import { platformById } from "@stipple/contract";
import { bytes, facts, table, type Section } from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { FileChecksum } from "../checksum.ts";
import type { ReportContent } from "./report-content.ts";
import { SETTINGS_WORDS } from "./words.ts";

/** What the results do not show, even if they seem to. */
export function cautionsSection({ results, spatial, selfTest, noun }: ReportContent): Section {
  const { expression, typing } = results.facts;
  const cautions: (string | false)[] = [
    noun === "spot" && "A row is not a cell. Each row is a whole spot with all the cells under it.",
    "Inferred rates are predictions, not measurements. Testing them only confirms the model.",
    "A count of zero doesn't mean that a gene is off. Usually, too few UMIs were captured" +
      (noun === "cell" ? ", or there is no spot." : "."),
    `Don't read unreliable genes ${noun} by ${noun}, however convincing their maps look.`,
    noun === "cell" &&
      expression.morphologyHelps !== true &&
      "Differences between neighboring cells mean little here: morphology adds nothing, so nearby cells get similar values.",
    "High confidence doesn't prove that a type is right. Types that we didn't consider can't be chosen.",
    typing.unknownFraction > 0 &&
      "“Unknown” is not a new type. It means that no name is likely enough, often because counts are too low. A broad name, such as Lymphocyte, means that the counts don't tell which of its types a cell is.",
    "The number of clusters is not a property of the tissue, and distances in the UMAP mean little.",
    noun === "cell" &&
      "Outlines are not membranes, and densities are not exact. Touching nuclei may be merged, and a section cuts through cells.",
    noun === "cell" &&
      "Cells are not independent samples: those under one spot share its counts. Compare animals or patients, not cells.",
    spatial !== null &&
      "A ligand next to its receptor doesn't prove that it acts on it. The table only shows that neighbors express both.",
    selfTest?.scores
      ? "The self-test is not a measurement. Its twin follows the model; your tissue may not."
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
          ["File", ([name]) => name],
          [
            "Size",
            ([, files]) => bytes(files.reduce((sum, file) => sum + file.bytes, 0)),
            "number",
          ],
          [
            "SHA-256",
            ([, files]) =>
              files.length === 1
                ? html`<span class="hash">${files[0].sha256}</span>`
                : `${files.length} files, listed in step7_output/summary.json`,
          ],
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
        ["Date", provenance.created.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
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
          ["Step", ({ step, name }) => `${step} ${name}`],
          ["Version", ({ version }) => version, "number"],
          ["Seconds", ({ seconds }) => seconds.toFixed(1), "number"],
          ["Parameters", ({ params }) => html`<code>${JSON.stringify(params)}</code>`],
        ],
        steps,
      )}
      <h3>Input</h3>
      ${table<FileChecksum>(
        [
          ["File", ({ file }) => file],
          ["Size", (file) => bytes(file.bytes), "number"],
          ["SHA-256", ({ sha256 }) => html`<span class="hash">${sha256}</span>`],
        ],
        input.files,
      )}
      <details>
        <summary>Libraries</summary>
        ${facts(Object.entries(libraries))}
      </details>
      <p><code>provenance.json</code> has the same information for programs.</p>`,
  };
}

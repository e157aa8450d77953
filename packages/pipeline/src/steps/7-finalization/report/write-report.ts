import { writeFile } from "node:fs/promises";
import {
  type Section,
  count,
  note,
  kilobytes,
  facts,
  table,
} from "../../../exports/report/elements.ts";
import { reportPage } from "../../../exports/report/page.ts";
import { annotationsSection, regionsSection } from "./annotations-section.ts";
import { genesSection, statisticsSection, typesSection } from "./biology-sections.ts";
import { matricesSection, morphologySection, reliabilitySection } from "./expression-sections.ts";
import { ReportFigures } from "./figures.ts";
import { proteinsSection } from "./proteins-section.ts";
import type { ReportContent } from "./report-content.ts";
import {
  alignmentSection,
  qualitySection,
  segmentationSection,
  warningsSection,
} from "./sample-sections.ts";
import { GRADE_WORDS, platformById, TOPIC_WORDS, type VerdictGrade } from "@stipple/contract";
import { html, type Html } from "../../../exports/report/html.ts";
import { SETTINGS_WORDS } from "./words.ts";
import type { FileChecksum } from "../checksum.ts";

/** Writes report.html. */
export async function writeReport(path: string, content: ReportContent): Promise<void> {
  const figures = new ReportFigures(content.figures, content);
  const top = await overview(content, figures);
  const segmentation = await segmentationSection(content, figures);
  const types = await typesSection(content, figures);
  const statistics = await statisticsSection(content, figures);
  const genes = await genesSection(content, figures);
  const sections = [
    warningsSection(content),
    cautionsSection(content),
    qualitySection(content),
    alignmentSection(content),
    segmentation,
    matricesSection(content),
    reliabilitySection(content),
    morphologySection(content),
    types,
    await annotationsSection(content),
    regionsSection(content),
    proteinsSection(content),
    statistics,
    genes,
    await filesSection(content),
    provenanceSection(content),
  ].filter((section): section is Section => section !== null);
  await writeFile(path, reportPage(content.sample, top, sections));
}

/** Title, how much the results can be trusted, and the most important numbers. */
async function overview(content: ReportContent, figures: ReportFigures): Promise<Html> {
  const { sample, statistics, provenance, results, noun, spotNoun } = content;
  const { settings, created } = provenance;
  const platform = platformById(settings.platform);
  const nReliable = results.genes.reliable.reduce((sum, flag) => sum + flag, 0);
  const tiles: [string, string][] = [
    [count(statistics.total_spots), `${spotNoun}s`],
    ...(noun === "cell" ? [[count(statistics.total_cells), "cells"] as [string, string]] : []),
    [count(statistics.total_genes), "genes"],
    [count(nReliable), noun === "cell" ? "genes reliable in single cells" : "reliable genes"],
    ...(noun === "cell"
      ? [
          [statistics.average_cells_per_spot.toFixed(2), `cells per ${spotNoun}`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  return html`<header>
      <p class="kind">
        Stipple ${provenance.stipple} · ${noun === "cell" ? "single-cell" : `${noun}-level`} report
      </p>
      <h1>${sample}</h1>
      <p class="about">
        ${platform.label}${settings.resolution ? ` ${settings.resolution} µm` : ""} ·
        ${SETTINGS_WORDS.staining[settings.staining]} · ${settings.analysisType} analysis ·
        <time datetime="${created}">${longDate(created)}</time>
      </p>
      ${verdictPart(content)}
      <div class="tiles">
        ${tiles.map(([value, label]) => html`<div class="tile"><b>${value}</b><span>${label}</span></div>`)}
      </div>
    </header>
    ${notes(content)} ${await figures.take(["spatial_clusters", "showspatial_celltypes"])}`;
}

/** The verdict, with every reason once; none of it is repeated further down. */
function verdictPart({ statistics: { verdict } }: ReportContent): Html {
  const grade = (of: VerdictGrade): Html =>
    html`<span class="grade ${of}">${GRADE_WORDS[of]}</span>`;
  return html`<div
    class="verdict ${verdict.grade}"
    role="region"
    aria-label="How much you can trust these results"
  >
    <h2>How much you can trust these results ${grade(verdict.grade)}</h2>
    <p class="sentence">${verdict.sentence}</p>
    ${verdict.next && html`<p>${verdict.next}</p>`}
    <dl class="reasons">
      ${verdict.reasons.map(
        (reason) =>
          html`<div>
            <dt>${TOPIC_WORDS[reason.topic]} ${grade(reason.grade)}</dt>
            <dd>
              ${reason.sentence} ${reason.next && html`<span class="next">${reason.next}</span>`}
            </dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

/** Important notes that are not part of the verdict. */
function notes({ provenance }: ReportContent): Html[] {
  const shown: Html[] = [];
  if (!provenance.conservation.exact) {
    shown.push(
      note(
        "bad",
        html`<p>
          Counts are not conserved for ${count(provenance.conservation.genesOff)} genes. Don't use
          the counts layer.
        </p>`,
      ),
    );
  }
  const nWarnings = provenance.warnings.length;
  if (nWarnings > 0) {
    shown.push(
      note(
        "warn",
        html`<p>
          ${nWarnings === 1 ? "There is" : "There are"}
          <a href="#warnings">${nWarnings === 1 ? "one warning" : `${nWarnings} warnings`}</a>.
        </p>`,
      ),
    );
  }
  return shown;
}

function longDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}

/** What the results do not show, even if they seem to. */
function cautionsSection({ results, spatial, selfTest, noun, spotNoun }: ReportContent): Section {
  const { expression, typing } = results.facts;
  const cautions: (string | false)[] = [
    noun !== "cell" &&
      `A row is not a cell. Each row is a whole ${noun} with all the cells under it.`,
    "Inferred rates are predictions, not measurements. Testing them only confirms the model.",
    "A count of zero doesn't mean that a gene is off. Usually, too few UMIs were captured" +
      (noun === "cell" ? `, or no ${spotNoun} covers the cell.` : "."),
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
      `Cells are not independent samples: those under one ${spotNoun} share its counts. Compare animals or patients, not cells.`,
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

async function filesSection({ exports }: ReportContent): Promise<Section> {
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
            "Size, kB",
            ([, files]) => kilobytes(files.reduce((sum, file) => sum + file.bytes, 0)),
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

function provenanceSection({ provenance }: ReportContent): Section {
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
          ["Size, kB", (file) => kilobytes(file.bytes), "number"],
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

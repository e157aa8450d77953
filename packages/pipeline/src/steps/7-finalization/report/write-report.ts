import { writeFile } from "node:fs/promises";
import type { Section } from "../../../exports/report/elements.ts";
import { html, Html } from "../../../exports/report/html.ts";
import { STYLE } from "../../../exports/report/style.ts";
import { TABLE_SCRIPT, TABLE_SCRIPT_HASH } from "../../../exports/report/table-script.ts";
import { genesSection, statisticsSection, typesSection } from "./biology-sections.ts";
import { cautionsSection, filesSection, provenanceSection } from "./closing-sections.ts";
import { ledgersSection, morphologySection, reliabilitySection } from "./expression-sections.ts";
import { ReportFigures } from "./figures.ts";
import { overview } from "./overview.ts";
import { regionsSection } from "./regions-section.ts";
import type { ReportContent } from "./report-content.ts";
import {
  alignmentSection,
  qualitySection,
  segmentationSection,
  warningsSection,
} from "./sample-sections.ts";

/**
 * Writes report.html as a single self-contained file. Its only script sorts and filters tables, and its content
 * security policy forbids other scripts and any requests. All text from the data is escaped.
 */
export async function writeReport(path: string, content: ReportContent): Promise<void> {
  const figures = new ReportFigures(content.figures, content.noun);
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
    ledgersSection(content),
    reliabilitySection(content),
    morphologySection(content),
    types,
    regionsSection(content),
    statistics,
    genes,
    await filesSection(content),
    provenanceSection(content),
  ].filter((section): section is Section => section !== null);
  await writeFile(path, page(content.sample, top, sections).markup);
}

function page(sample: string, top: Html, sections: readonly Section[]): Html {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${TABLE_SCRIPT_HASH}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${sample} · Stipple report</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <div class="page">
          <nav aria-label="Contents">
            <strong>Contents</strong>
            <ol>
              ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            </ol>
          </nav>
          <main>
            ${top}
            ${sections.map(
              ({ id, title, body }) =>
                html`<section id="${id}" aria-labelledby="${id}-title">
                  <h2 id="${id}-title">${title}</h2>
                  ${body}
                </section> `,
            )}
            <footer>
              Made with Stipple. This page is self-contained: it loads nothing and sends nothing.
            </footer>
          </main>
        </div>
        ${new Html(`<script>${TABLE_SCRIPT}</script>`)}
      </body>
    </html> `;
}

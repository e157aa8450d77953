import { writeFile } from "node:fs/promises";
import type { Section } from "../../../exports/report/elements.ts";
import { reportPage } from "../../../exports/report/page.ts";
import { annotationsSection } from "./annotations-section.ts";
import { genesSection, statisticsSection, typesSection } from "./biology-sections.ts";
import { cautionsSection, filesSection, provenanceSection } from "./closing-sections.ts";
import { ledgersSection, morphologySection, reliabilitySection } from "./expression-sections.ts";
import { ReportFigures } from "./figures.ts";
import { overview } from "./overview.ts";
import { proteinsSection } from "./proteins-section.ts";
import { regionsSection } from "./regions-section.ts";
import type { ReportContent } from "./report-content.ts";
import {
  alignmentSection,
  qualitySection,
  segmentationSection,
  warningsSection,
} from "./sample-sections.ts";

/** Writes report.html. */
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

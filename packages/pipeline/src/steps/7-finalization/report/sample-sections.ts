import { STEPS } from "@stipple/contract";
import {
  count,
  facts,
  figure,
  note,
  percent,
  type Section,
} from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";
import { IMAGE_SOURCE, ROWS, SCALE_SOURCE, SEGMENTATION_METHOD } from "./words.ts";

export function warningsSection({ provenance }: ReportContent): Section {
  const { warnings } = provenance;
  return {
    id: "warnings",
    title: "Warnings",
    body:
      warnings.length === 0
        ? html`<p>There are no warnings.</p>`
        : html`${warnings.map(({ step, message }) =>
            note(
              "warn",
              html`<p><strong>Step ${step}, ${STEPS[step].name}.</strong> ${message}</p>`,
            ),
          )}`,
  };
}

export function qualitySection({ results, provenance, spotNoun }: ReportContent): Section {
  const { quality } = results.facts;
  return {
    id: "quality",
    title: "Quality of the input",
    body: html`${facts([
      [`${ROWS[spotNoun]} analyzed`, count(quality.nSpots)],
      ["Genes", count(quality.nGenes)],
      ["UMIs", count(quality.totalCounts)],
      [`Median UMIs per ${spotNoun}`, count(quality.medianCountsPerSpot)],
      [`Median genes per ${spotNoun}`, count(quality.medianGenesPerSpot)],
      ["Mitochondrial UMIs", percent(quality.mitochondrialFraction)],
      [`Clusters of ${spotNoun}s`, count(quality.nClusters)],
      ["Layout", provenance.input.layout],
    ])}`,
  };
}

export function alignmentSection({ results, spotNoun }: ReportContent): Section {
  const { scale, image, quality } = results.facts;
  const residualUm = scale.residualPx === null ? null : scale.residualPx * scale.micronsPerPixel;
  return {
    id: "alignment",
    title: "Scale and alignment",
    body: html`<p>
        All sizes and distances depend on the scale.
        ${scale.source === "array_pitch" && spotNoun === "spot" ? "We take it from the spots' positions, not from their diameter in the scale factors." : null}
        Check the first figure: the ${spotNoun}s should lie on the tissue.
      </p>
      ${facts([
        ["µm per full-resolution pixel", figure(scale.micronsPerPixel)],
        ["Source of the scale", SCALE_SOURCE[scale.source]],
        [`Distance between neighboring ${spotNoun}s`, `${figure(scale.pitchUm)} µm`],
        scale.residualPx === null
          ? null
          : [
              `Deviation of the ${spotNoun}s from the array`,
              `${figure(scale.residualPx)} px (${figure(residualUm)} µm)`,
            ],
        scale.moved ? ["Aligned by", `${scale.moved.file} (${scale.moved.source})`] : null,
        scale.moved?.fit
          ? [
              "Deviation from that alignment",
              `${figure(scale.moved.fit.residualPx * scale.micronsPerPixel)} µm (${count(scale.moved.fit.points)} points)`,
            ]
          : null,
        [`${ROWS[spotNoun]} on the image`, percent(quality.spotsOnImage)],
        ["Image", image.file === null ? "none" : `${image.file} (${IMAGE_SOURCE[image.source]})`],
        ["Size of the image", `${count(image.widthPx)} × ${count(image.heightPx)} px`],
        ["µm per pixel of the image", figure(image.micronsPerPixel)],
        ["Channels", `${image.channels}, ${image.bitsPerSample} bits each`],
      ])}`,
  };
}

export async function segmentationSection(
  { results, noun, spotNoun }: ReportContent,
  figures: ReportFigures,
): Promise<Section> {
  const { segmentation, image, stain } = results.facts;
  const areas = results.cells.areaUm2.toSorted();
  const observed = results.cells.observed.reduce((sum, flag) => sum + flag, 0);
  return {
    id: "segmentation",
    title: noun === "cell" ? "Nuclei and cells" : "Why there are no cells",
    body: html`${
      noun !== "cell"
        ? note("bad", html`<p>${segmentation.fallbackReason ?? "No nuclei could be seen."}</p>`)
        : segmentation.method === "given" || segmentation.method === "space_ranger"
          ? html`<p>
              The cells were outlined by
              ${segmentation.method === "given" ? "another program" : "Space Ranger"}; we didn't
              look for nuclei.
            </p>`
          : html`<p>
              We detected nuclei in the image. A cell is its nucleus plus up to
              ${figure(segmentation.maxExpansionUm)} µm around it, or up to the next cell. Membranes
              aren't visible, so cell outlines are estimates.
            </p>`
    }
    ${facts([
      ["Method", SEGMENTATION_METHOD[segmentation.method] ?? segmentation.method],
      noun === "cell" ? ["Nuclei", count(segmentation.nNuclei)] : null,
      noun === "cell"
        ? ["Median area of a nucleus", `${figure(segmentation.medianNucleusAreaUm2)} µm²`]
        : null,
      [`Median area of a ${noun}`, `${figure(areas[Math.floor(areas.length / 2)])} µm²`],
      noun === "cell"
        ? [
            "Resolution of the search",
            `${figure(segmentation.workingMicronsPerPixel)} µm per pixel`,
          ]
        : null,
      noun === "cell"
        ? [
            `Cells touched by a ${spotNoun}`,
            `${count(observed)} (${percent(observed / Math.max(1, results.cells.observed.length), 0)})`,
          ]
        : null,
      segmentation.imageQuality
        ? [
            "Tissue out of focus, too dark, under ink",
            [
              segmentation.imageQuality.blurred,
              segmentation.imageQuality.dark,
              segmentation.imageQuality.pen,
            ]
              .map((share) => percent(share, 0))
              .join(", "),
          ]
        : null,
      image.channels >= 3 && stain.fluorescence === undefined
        ? ["Stain colors", stain.source === "estimated" ? "estimated from this image" : "standard"]
        : null,
      stain.fluorescence && image.channelNames?.length
        ? ["Channels", image.channelNames.join(", ")]
        : null,
      stain.fluorescence
        ? [
            "Nuclear stain",
            channelWords(stain.fluorescence.nuclearChannel, image.channelNames ?? []),
          ]
        : null,
    ])}
    ${await figures.take(["segmentation_overview", "stain_separation"])}`,
  };
}

function channelWords(channel: number, names: readonly string[]): string {
  const name = names[channel];
  return name ? `${name} (channel ${channel + 1})` : `channel ${channel + 1}`;
}

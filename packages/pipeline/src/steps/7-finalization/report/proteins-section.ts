import { counted } from "@stipple/contract/counted";
import { decimals, table, type Column, type Section } from "../../../exports/report/elements.ts";
import { html } from "../../../exports/report/html.ts";
import type { ProteinChannel } from "../../../exports/csv/protein-channels.ts";
import type { CaptureNoun } from "../../../model/row-noun.ts";
import type { ReportContent } from "./report-content.ts";

/** The proteins that were counted, and whether they follow the channels of the image; null if there are none. */
export function proteinsSection({ results, spotNoun }: ReportContent): Section | null {
  const { proteins, proteinChannels } = results;
  if (!proteins) return null;
  return {
    id: "proteins",
    title: "Proteins",
    body: html`<p>
        Antibodies were counted for ${counted(proteins.names.length, "protein")}:
        ${proteins.names.join(", ")}. They are counted by ${spotNoun}, so their values don't tell
        the cells of one ${spotNoun} apart. Types and rates don't use them.
      </p>
      ${proteinChannels.length > 0 ? channelTable(proteins.names, proteinChannels, spotNoun) : null}`,
  };
}

function channelTable(
  names: readonly string[],
  pairs: readonly ProteinChannel[],
  spotNoun: CaptureNoun,
) {
  const channels = [...new Set(pairs.map(({ channel }) => channel))];
  const rows = names.map((name) => pairs.filter(({ protein }) => protein === name));
  return html`<p>
      Correlation of each protein's counts with the mean intensity of each image channel in the
      cells of a ${spotNoun}, over ${counted(pairs[0].spots, spotNoun)}. A protein and a channel
      that stain the same target should follow each other. If they do not, check the antibody, the
      bleed between channels, and the alignment of ${spotNoun}s and image.
    </p>
    ${table(
      [
        ["Protein", ([{ protein }]) => protein],
        ...channels.map((channel, at): Column<ProteinChannel[]> => [
          channel.replaceAll("_", " "),
          (row) => (Number.isNaN(row[at].r) ? "–" : decimals(row[at].r)),
          "number",
        ]),
      ],
      rows,
    )}`;
}

import { Card } from "../../components/card.tsx";
import { NUMBERS, Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { figure, REAL } from "./measured.ts";

const ROWS = Object.entries(REAL.captures).map(([capture, figures]) => ({ capture, ...figures }));

/** Types and rates of cells measured under their own image, by how the transcripts were captured. */
export function MeasuredSection() {
  return (
    <Card flush title={TEXTS.sectionTitle} description={TEXTS.sectionText}>
      <Table
        caption={TEXTS.sectionTitle}
        rows={ROWS}
        rowKey={({ capture }) => capture}
        columns={[
          { header: TEXTS.sectionCapture, cell: ({ capture }) => TEXTS.sectionCaptures[capture] },
          { header: TEXTS.sectionRight, ...NUMBERS, cell: ({ names }) => figure(names.accuracy) },
          {
            header: TEXTS.sectionTrueMix,
            ...NUMBERS,
            cell: ({ byTrueMix }) => (byTrueMix ? figure(byTrueMix.accuracy) : "–"),
          },
          {
            header: TEXTS.sectionMacro,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ names }) => figure(names.macroF1),
          },
          { header: TEXTS.sectionWrong, ...NUMBERS, cell: ({ names }) => figure(names.wrong) },
          {
            header: TEXTS.sectionCalibration,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ names }) => figure(names.calibrationError),
          },
          {
            header: TEXTS.sectionRate,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => `${figure(rates.rate[0]!)} / ${figure(rates.interpolated[0]!)}`,
          },
        ]}
      />
    </Card>
  );
}

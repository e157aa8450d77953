import { Card } from "../../components/card.tsx";
import { NUMBERS, Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { ACCURACY, figure } from "./measured.ts";

/** Names and rates of simulated tissues whose cells were measured. */
export function RealCellsSection() {
  return (
    <Card flush title={TEXTS.realTitle} description={TEXTS.realText}>
      <Table
        caption={TEXTS.realTitle}
        rows={ACCURACY.realCells.tissues}
        rowKey={({ id }) => id}
        columns={[
          {
            header: TEXTS.realCells,
            cell: ({ label, seed, morphology }) => TEXTS.realLook(label, seed, morphology),
          },
          { header: TEXTS.realGenes, ...NUMBERS, wideOnly: true, cell: (row) => row.genes },
          { header: TEXTS.realBroad, ...NUMBERS, cell: (row) => figure(row.broad) },
          { header: TEXTS.realTypes, ...NUMBERS, cell: (row) => figure(row.types) },
          {
            header: TEXTS.realUnknown,
            ...NUMBERS,
            cell: ({ unknown }) => `${Math.round(100 * unknown)}%`,
          },
          {
            header: TEXTS.realRate,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => rates && figure(rates.rate),
          },
          {
            header: TEXTS.realControl,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => rates && figure(rates.interpolation),
          },
        ]}
      />
      <p className="px-5 py-4 text-[0.8125rem] text-ink-3">
        {TEXTS.realCommand} <code>{ACCURACY.realCells.command}</code>
      </p>
    </Card>
  );
}

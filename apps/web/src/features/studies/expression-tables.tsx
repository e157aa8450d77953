import type { StudyComparison } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { SelectField } from "../../components/field.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { figureText, wholeText } from "./figures.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import { VolcanoPlot } from "./volcano-plot.tsx";

type Row = StudyComparison["expression"][number];
type Gene = Row["top"][number];

const COLUMNS: readonly Column<Row>[] = [
  { header: TEXTS.type, className: "font-medium", cell: ({ type }) => type },
  { header: TEXTS.units, align: "right", cell: ({ units }) => units || "–" },
  {
    header: TEXTS.genesCompared,
    align: "right",
    cell: ({ genes }) => (genes ? wholeText(genes) : "–"),
  },
  {
    header: TEXTS.different,
    className: "md:pl-8",
    cell: ({ refusal, different }) => refusal ?? wholeText(different),
  },
];

const GENE_COLUMNS: readonly Column<Gene>[] = [
  { header: TEXTS.gene, className: "font-medium", cell: ({ gene }) => gene },
  {
    header: TEXTS.ratio,
    align: "right",
    cell: ({ log2_fold_change: ratio, low, high }) =>
      `${figureText(ratio)} (${TEXTS.interval(figureText(low), figureText(high))})`,
  },
  { header: TEXTS.p, align: "right", cell: ({ p }) => figureText(p) },
  { header: TEXTS.fdr, align: "right", cell: ({ fdr }) => figureText(fdr) },
];

/** How many genes differ in each type, and the most certain ones of one of them. */
export function ExpressionTables({ comparison }: { comparison: StudyComparison }) {
  const { expression, reliability } = comparison;
  const compared = expression.filter(({ top }) => top.length > 0);
  const [chosen, setChosen] = useState("");
  const shown = compared.find(({ type }) => type === chosen) ?? compared[0];
  return (
    <>
      <h3 className="px-4 pt-6 pb-3 font-semibold md:px-6">{TEXTS.expression}</h3>
      <Table
        caption={TEXTS.expression}
        columns={COLUMNS}
        rows={expression}
        rowKey={({ type }) => type}
      />
      {shown && (
        <>
          <div className="space-y-3 px-4 pt-6 pb-3 md:px-6">
            <SelectField
              label={TEXTS.shownType}
              className="sm:w-72"
              value={shown.type}
              onValue={setChosen}
            >
              {compared.map(({ type }) => (
                <option key={type}>{type}</option>
              ))}
            </SelectField>
            <VolcanoPlot type={shown.type} points={shown.points} />
          </div>
          <Table
            caption={TEXTS.topTitle(shown.type)}
            columns={GENE_COLUMNS}
            rows={shown.top}
            rowKey={({ gene }) => gene}
          />
        </>
      )}
      <p className="px-4 pt-3 text-ink-2 md:px-6">{reliability.expression}</p>
    </>
  );
}

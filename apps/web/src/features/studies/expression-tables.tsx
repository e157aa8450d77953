import { namesBeside } from "@stipple/contract/point-names";
import type { StudyComparison } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { SelectField } from "../../components/field.tsx";
import type { Column } from "../../components/table.tsx";
import { FoldedTable } from "./folded-table.tsx";
import { CERTAINTY, intervalText, wholeText } from "./figures.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";

const [WIDTH, HEIGHT, MARGIN] = [440, 260, 32];
const NAMED = 8;

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
    cell: ({ log2_fold_change: ratio, low, high }) => intervalText(ratio, low, high),
  },
  ...CERTAINTY,
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
      <FoldedTable
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
          <FoldedTable
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

type Points = StudyComparison["expression"][number]["points"];

/** How much each gene of a type differs, and how certainly; the most certain ones that differ are named. */
function VolcanoPlot({ type, points }: { type: string; points: Points }) {
  const reach = Math.max(1, ...points.map(([, x]) => Math.abs(x)));
  const top = Math.max(2, ...points.map(([, , y]) => y));
  const xOf = (x: number): number => WIDTH / 2 + (x / reach) * (WIDTH / 2 - MARGIN);
  const yOf = (y: number): number => HEIGHT - MARGIN - (y / top) * (HEIGHT - 1.5 * MARGIN);
  const different = points.filter(([, , , isDifferent]) => isDifferent).slice(0, NAMED);
  const names = namesBeside(
    different.map(([text, x, y]) => ({ text, x: xOf(x), y: yOf(y) })),
    { right: WIDTH, top: MARGIN / 2 },
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={TEXTS.volcano(type)}
      className="w-full max-w-110 text-ink-2"
    >
      <line x1={MARGIN} x2={WIDTH - MARGIN} y1={yOf(0)} y2={yOf(0)} className="stroke-line" />
      <line x1={WIDTH / 2} x2={WIDTH / 2} y1={yOf(top)} y2={yOf(0)} className="stroke-line" />
      {points.map(([gene, x, y, isDifferent]) => (
        <circle
          key={gene}
          cx={xOf(x)}
          cy={yOf(y)}
          r={2.5}
          className={isDifferent ? "fill-primary" : "fill-ink-3"}
          opacity={isDifferent ? 1 : 0.45}
        />
      ))}
      {names.map(({ text, x, y, anchor }) => (
        <text key={text} x={x} y={y} textAnchor={anchor} className="fill-current text-[11px]">
          {text}
        </text>
      ))}
      <text x={WIDTH / 2} y={HEIGHT - 8} textAnchor="middle" className="fill-current text-[12px]">
        {TEXTS.volcanoX(reach.toFixed(1))}
      </text>
      <text x={2} y={11} className="fill-current text-[12px]">
        {TEXTS.volcanoY(top.toFixed(1))}
      </text>
    </svg>
  );
}

import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";
import { Chart } from "./chart.tsx";
import { CELL_RATIO } from "./figures.ts";

const BARS = [
  { label: TEXTS.reference, value: 1 },
  { label: TEXTS.ours, value: CELL_RATIO },
];
const WIDTH = 340;

/** Cells detected as bars, and what each kind of measurement gives. */
export function Comparison() {
  const { caption, columns, rows } = TEXTS.methods;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[2fr_3fr]">
      <Card title={TEXTS.comparisonTitle} description={TEXTS.comparisonText}>
        <Chart
          label={TEXTS.comparisonTable}
          viewBox="0 0 400 126"
          fileName="validation-cells-detected.svg"
        >
          {BARS.map(({ label, value }, at) => {
            const y = 22 + at * 62;
            const width = (value / CELL_RATIO) * WIDTH;
            return (
              <g key={label}>
                <text x={0} y={y - 8} fontSize={13} className="fill-ink">
                  {label}
                </text>
                <rect
                  x={0}
                  y={y}
                  width={width}
                  height={32}
                  rx={6}
                  className={at === 0 ? "fill-missing" : "fill-primary"}
                />
                <text x={width + 10} y={y + 21} fontSize={14} fontWeight={600} className="fill-ink">
                  {value}x
                </text>
              </g>
            );
          })}
        </Chart>
      </Card>
      <Card flush title={TEXTS.methodsTitle}>
        <Table
          caption={caption}
          rows={rows}
          rowKey={([name]) => name}
          columns={columns.map((header, at) => ({
            header,
            className: at === 0 ? "font-medium" : "text-ink-2",
            cell: (row: (typeof rows)[number]) => row[at],
          }))}
        />
      </Card>
    </div>
  );
}

import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";
import { Chart } from "./chart.tsx";
import { CELL_RATIO } from "./figures.ts";

const BARS = [
  { label: TEXTS.reference, value: 1 },
  { label: TEXTS.ours, value: CELL_RATIO },
];
const LEFT = 130;
const WIDTH = 560;

/** Cells detected as bars, and what each kind of measurement gives. */
export function Comparison() {
  const { caption, columns, rows } = TEXTS.methods;
  return (
    <div className="grid gap-4">
      <Card title={TEXTS.comparisonTitle} description={TEXTS.comparisonText}>
        <Chart
          label={TEXTS.comparisonTable}
          viewBox="0 0 800 130"
          fileName="validation-cells-detected.svg"
        >
          {BARS.map(({ label, value }, at) => {
            const y = 12 + at * 58;
            const width = (value / CELL_RATIO) * WIDTH;
            return (
              <g key={label}>
                <text x={0} y={y + 26} fontSize={14} className="fill-ink">
                  {label}
                </text>
                <rect
                  x={LEFT}
                  y={y}
                  width={width}
                  height={42}
                  rx={6}
                  className={at === 0 ? "fill-missing" : "fill-primary"}
                />
                <text
                  x={LEFT + width + 12}
                  y={y + 27}
                  fontSize={15}
                  fontWeight={600}
                  className="fill-ink"
                >
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

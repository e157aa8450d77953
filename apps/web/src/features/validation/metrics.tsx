import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";
import { Chart } from "./chart.tsx";
import { CORRELATIONS, onAxis } from "./figures.ts";

const LEFT = 190;
const RIGHT = 740;
const ROW = 56;
const HEIGHT = CORRELATIONS.length * ROW + 50;
const TICKS = [-1, -0.5, 0, 0.5, 1];

/** Both correlations as lollipops on −1…1, and as a table. */
export function Metrics() {
  return (
    <div className="grid gap-4">
      <Card title={TEXTS.metricsTitle} description={TEXTS.metricsText}>
        <Chart
          label={TEXTS.metricsTable}
          viewBox={`0 0 800 ${HEIGHT}`}
          fileName="validation-correlations.svg"
        >
          {TICKS.map((tick) => {
            const x = onAxis(tick, LEFT, RIGHT);
            return (
              <g key={tick}>
                <line
                  x1={x}
                  x2={x}
                  y1={10}
                  y2={HEIGHT - 32}
                  className={tick === 0 ? "stroke-line-input" : "stroke-line"}
                />
                <text
                  x={x}
                  y={HEIGHT - 12}
                  textAnchor="middle"
                  fontSize={13}
                  className="fill-ink-3"
                >
                  {tick < 0 ? `−${-tick}` : tick}
                </text>
              </g>
            );
          })}
          {CORRELATIONS.map(({ id, label, value }, at) => {
            const y = 40 + at * ROW;
            const x = onAxis(value, LEFT, RIGHT);
            return (
              <g key={id}>
                <text x={0} y={y + 5} fontSize={14} className="fill-ink">
                  {label}
                </text>
                <line
                  x1={onAxis(0, LEFT, RIGHT)}
                  x2={x}
                  y1={y}
                  y2={y}
                  strokeWidth={3}
                  className="stroke-primary"
                />
                <circle cx={x} cy={y} r={8} className="fill-primary" />
                <text x={x + 16} y={y + 5} fontSize={15} fontWeight={600} className="fill-ink">
                  {value}
                </text>
              </g>
            );
          })}
        </Chart>
      </Card>
      <Card flush>
        <Table
          caption={TEXTS.metricsTable}
          rows={CORRELATIONS}
          rowKey={({ id }) => id}
          columns={[
            { header: TEXTS.metric, cell: ({ label }) => label },
            { header: TEXTS.value, cell: ({ value }) => value },
            { header: TEXTS.basis, cell: ({ id }) => TEXTS.bases[id] },
          ]}
        />
      </Card>
    </div>
  );
}

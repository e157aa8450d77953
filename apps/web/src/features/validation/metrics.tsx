import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";
import { Chart } from "./chart.tsx";
import { CORRELATIONS, onAxis } from "./figures.ts";

const LEFT = 14;
const RIGHT = 386;
const ROW = 58;
const HEIGHT = CORRELATIONS.length * ROW + 34;
const TICKS = [-1, -0.5, 0, 0.5, 1];

/** Both correlations as lollipops on −1…1, and as a table. */
export function Metrics() {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
      <Card title={TEXTS.metricsTitle} description={TEXTS.metricsText}>
        <Chart
          label={TEXTS.metricsTable}
          viewBox={`0 0 400 ${HEIGHT}`}
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
                  y2={HEIGHT - 26}
                  className={tick === 0 ? "stroke-line-input" : "stroke-line"}
                />
                <text x={x} y={HEIGHT - 8} textAnchor="middle" fontSize={12} className="fill-ink-3">
                  {tick < 0 ? `−${-tick}` : tick}
                </text>
              </g>
            );
          })}
          {CORRELATIONS.map(({ id, label, value }, at) => {
            const y = 44 + at * ROW;
            const x = onAxis(value, LEFT, RIGHT);
            return (
              <g key={id}>
                <text x={LEFT} y={y - 18} fontSize={13} className="fill-ink">
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
                <circle cx={x} cy={y} r={7} className="fill-primary" />
                <text x={x + 14} y={y + 5} fontSize={14} fontWeight={600} className="fill-ink">
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

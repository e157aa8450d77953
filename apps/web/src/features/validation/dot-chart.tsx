import { Chart } from "./chart.tsx";

/** What a mark stands for; each has its own color and shape, so color is never the only cue. */
export type MarkKind = "ours" | "baseline" | "peer" | "reference" | "control";

export interface Mark {
  kind: MarkKind;
  value: number;
  /** Drawn as a thin line where given. */
  low?: number;
  high?: number;
}

export interface DotRow {
  label: string;
  marks: readonly Mark[];
}

interface LegendEntry {
  kind: MarkKind;
  name: string;
}

const ROW = 46;
const LEGEND_ROW = 22;
const LABEL_PX = 13;
/** Approximate width of a label's letter as a fraction of the font size. */
const LETTER = 0.51;
const PAINT: Record<MarkKind, { fill: string; stroke: string }> = {
  ours: { fill: "fill-primary", stroke: "stroke-primary" },
  baseline: { fill: "fill-ink-3", stroke: "stroke-ink-3" },
  peer: { fill: "fill-accent", stroke: "stroke-accent" },
  reference: { fill: "fill-card", stroke: "stroke-ok" },
  control: { fill: "fill-missing", stroke: "stroke-line-input" },
};

/** Place of a value on an axis from `left` to `right`. */
export function onAxis(
  value: number,
  [from, to]: readonly [number, number],
  [left, right]: readonly [number, number],
): number {
  return left + ((value - from) / (to - from)) * (right - left);
}

/**
 * Rows of marks on one axis: a row with one mark is a lollipop from 0 with its value; a row with several has a line
 * joining them. The legend is part of the drawing, so that saved files include it.
 */
export function DotChart({
  label,
  fileName,
  axis,
  ticks,
  rows,
  legend = [],
  figure,
}: {
  label: string;
  fileName: string;
  axis: readonly [number, number];
  ticks: readonly number[];
  rows: readonly DotRow[];
  legend?: readonly LegendEntry[];
  figure: (value: number) => string;
}) {
  const height = (columns: number): number =>
    Math.ceil(legend.length / columns) * LEGEND_ROW + (legend.length > 0 ? 8 : 0);
  // Leave room for the legend in a single column, as on narrow screens.
  const top = height(2);
  const bottom = top + rows.length * ROW + 4;
  const longest = Math.max(...rows.map(({ label: text }) => text.length));
  return (
    <Chart label={label} fileName={fileName} height={bottom + 26}>
      {(width) => {
        const sides = [10, width - 10] as const;
        const x = (value: number): number => onAxis(value, axis, sides);
        // Labels shrink together on narrow screens, where the longest would be cut.
        const labelPx = Math.min(LABEL_PX, (sides[1] - sides[0]) / (LETTER * longest));
        return (
          <>
            <Legend legend={legend} width={width} />
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={x(tick)}
                  x2={x(tick)}
                  y1={top}
                  y2={bottom}
                  className={tick === 0 ? "stroke-line-input" : "stroke-line"}
                />
                <text
                  x={x(tick)}
                  y={bottom + 18}
                  textAnchor={tick === axis[0] ? "start" : tick === axis[1] ? "end" : "middle"}
                  fontSize={12}
                  className="fill-ink-3"
                >
                  {String(tick).replace("-", "−")}
                </text>
              </g>
            ))}
            {rows.map((row, at) => (
              <Row
                key={row.label}
                row={row}
                y={top + at * ROW}
                x={x}
                left={sides[0] - 2}
                right={sides[1]}
                labelPx={labelPx}
                figure={figure}
              />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

/** Two entries a row. */
function Legend({ legend, width }: { legend: readonly LegendEntry[]; width: number }) {
  return legend.map(({ kind, name }, at) => (
    <g
      key={kind}
      transform={`translate(${8 + (at % 2) * (width / 2)} ${11 + Math.floor(at / 2) * LEGEND_ROW})`}
    >
      <Shape kind={kind} x={0} y={0} />
      <text x={12} y={4} fontSize={12} className="fill-ink-2">
        {name}
      </text>
    </g>
  ));
}

function Row({
  row: { label, marks },
  y,
  x,
  left,
  right,
  labelPx,
  figure,
}: {
  row: DotRow;
  y: number;
  x: (value: number) => number;
  left: number;
  right: number;
  labelPx: number;
  figure: (value: number) => string;
}) {
  const values = marks.map(({ value }) => value);
  const [single] = marks.length === 1 ? marks : [];
  const line = y + 32;
  const from = single ? 0 : Math.min(...values);
  const to = single ? single.value : Math.max(...values);
  const end = single ? x(Math.max(single.value, single.high ?? 0, 0)) : 0;
  // The value goes after its mark, or before it near the end of the axis.
  const inside = end + 52 > right;
  return (
    <g>
      <text x={left} y={y + 17} fontSize={labelPx} className="fill-ink">
        {label}
      </text>
      <line
        x1={x(from)}
        x2={x(to)}
        y1={line}
        y2={line}
        strokeWidth={single ? 3 : 2}
        opacity={single ? 0.45 : 1}
        className={single ? PAINT[single.kind].stroke : "stroke-missing"}
      />
      {marks.map(({ kind, value, low, high }) => (
        <g key={kind}>
          {low !== undefined && high !== undefined && (
            <line
              x1={x(low)}
              x2={x(high)}
              y1={line}
              y2={line}
              strokeWidth={1.5}
              className={PAINT[kind].stroke}
            />
          )}
          <Shape kind={kind} x={x(value)} y={line} />
        </g>
      ))}
      {single && (
        <text
          x={inside ? right : end + 12}
          y={inside ? y + 17 : line + 4}
          textAnchor={inside ? "end" : "start"}
          fontSize={12}
          fontWeight={600}
          className="fill-ink"
        >
          {figure(single.value)}
        </text>
      )}
    </g>
  );
}

function Shape({ kind, x, y }: { kind: MarkKind; x: number; y: number }) {
  const { fill, stroke } = PAINT[kind];
  const paint = `${fill} ${stroke}`;
  if (kind === "baseline") {
    return <rect x={x - 5} y={y - 5} width={10} height={10} strokeWidth={0} className={paint} />;
  }
  if (kind === "peer") {
    return (
      <path
        d={`M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`}
        strokeWidth={0}
        className={paint}
      />
    );
  }
  if (kind === "control") {
    return (
      <path
        d={`M${x - 6} ${y + 5}L${x} ${y - 6}L${x + 6} ${y + 5}Z`}
        strokeWidth={1}
        className={paint}
      />
    );
  }
  return (
    <circle
      cx={x}
      cy={y}
      r={kind === "ours" ? 7 : 5.5}
      strokeWidth={kind === "ours" ? 0 : 2.5}
      className={paint}
    />
  );
}

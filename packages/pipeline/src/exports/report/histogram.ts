import { html, type Html } from "./html.ts";

export interface Series {
  name: string;
  /** CSS class of its bars. */
  className: string;
  values: readonly number[];
}

const [WIDTH, HEIGHT] = [640, 200];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 12, 10, 40];

interface Options {
  low: number;
  high: number;
  bins: number;
  /** Spacing of the x axis ticks. */
  mark: number;
  x: string;
  y: string;
  label: string;
}

/** A stacked histogram over [low, high]; values outside are counted in the end bins. */
export function histogram(series: readonly Series[], options: Options): Html {
  const { low, high, bins } = options;
  const counts = series.map(({ values }) => countsIn(values, options));
  const totals = Array.from({ length: bins }, (_, bin) =>
    counts.reduce((sum, of) => sum + of[bin], 0),
  );
  const step = niceStep(Math.max(1, ...totals) / 3);
  const top = step * Math.max(1, Math.ceil(Math.max(...totals) / step));
  const scales: Scales = {
    x: (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - low)) / (high - low),
    y: (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / top,
  };
  const ticks = Array.from({ length: top / step + 1 }, (_, i) => i * step);
  return html`<div class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${options.label}">
      ${ticks.map((tick) => countTick(tick, scales))}
      ${stackedBars(series, counts, options, scales)} ${valueTicks(options, scales)}
      <text class="middle title" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 5}">
        ${options.x}
      </text>
    </svg>
    <p class="legend">
      ${options.y}:
      ${series.map(
        ({ name, className, values }) =>
          html`<span
            ><i class="${className}"></i>${name} (${values.length.toLocaleString("en-US")})</span
          >`,
      )}
    </p>
  </div>`;
}

/** Places of values and counts, px. */
type Scales = Record<"x" | "y", (value: number) => number>;

function countsIn(values: readonly number[], { low, high, bins }: Options): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.floor((bins * (value - low)) / (high - low));
    counts[Math.min(bins - 1, Math.max(0, bin))] += 1;
  }
  return counts;
}

function stackedBars(
  series: readonly Series[],
  counts: readonly number[][],
  { low, high, bins }: Options,
  { x, y }: Scales,
): Html[] {
  const bars: Html[] = [];
  const width = (WIDTH - LEFT - RIGHT) / bins - 1;
  for (let bin = 0; bin < bins; bin++) {
    let from = 0;
    const left = x(low + (bin * (high - low)) / bins);
    for (const [s, of] of counts.entries()) {
      if (of[bin] === 0) continue;
      const to = from + of[bin];
      bars.push(
        html`<rect
          class="${series[s].className}"
          x="${fixed(left)}"
          y="${fixed(y(to))}"
          width="${fixed(width)}"
          height="${fixed(y(from) - y(to))}"
        />`,
      );
      from = to;
    }
  }
  return bars;
}

function countTick(tick: number, { y }: Scales): Html {
  return html`<line
      class="grid"
      x1="${LEFT}"
      x2="${WIDTH - RIGHT}"
      y1="${fixed(y(tick))}"
      y2="${fixed(y(tick))}"
    /><text class="end" x="${LEFT - 6}" y="${fixed(y(tick) + 4)}"
      >${tick.toLocaleString("en-US")}</text
    >`;
}

function valueTicks({ low, high, mark }: Options, { x }: Scales): Html[] {
  const values = Array.from(
    { length: Math.round((high - low) / mark) + 1 },
    (_, i) => low + i * mark,
  );
  return values.map(
    (value) =>
      html`<text class="middle" x="${fixed(x(value))}" y="${HEIGHT - BOTTOM + 16}"
        >${Number(value.toFixed(2))}</text
      >`,
  );
}

function niceStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, about)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= about) ?? 10) * power;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

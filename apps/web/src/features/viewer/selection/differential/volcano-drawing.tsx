import { useMemo, type RefObject } from "react";
import { differentialTexts } from "./texts.ts";
import type { Thresholds } from "./gene-rows.ts";
import { shortened } from "../../plots/figure/text-width.ts";
import { geneLabels, type VolcanoPoints } from "./volcano-points.ts";

const texts = differentialTexts.volcano;
/** Margins for the heading above and for axis ticks and labels to the left and below. */
const ROOM = { top: 44, right: 8, bottom: 36, left: 40 };
/** The second line below. */
const LINE_PX = 14;
/** Okabe & Ito's vermilion and blue: more in a, more in b. */
const MORE = { fill: "fill-[#d55e00]", stroke: "stroke-[#d55e00]" };
const LESS = {
  fill: "fill-[light-dark(#0072b2,#4ba6e0)]",
  stroke: "stroke-[light-dark(#0072b2,#4ba6e0)]",
};
const MANY_GENES = 3000;

export type VolcanoScales = ReturnType<typeof volcanoScales>;

/** Scales from values to px in the drawing. */
export function volcanoScales(points: VolcanoPoints, width: number, height: number) {
  const { mostX, mostY, oneSided } = points;
  const bottom = height - ROOM.bottom - (oneSided ? LINE_PX : 0);
  const across = Math.max(1, width - ROOM.left - ROOM.right);
  const down = Math.max(1, bottom - ROOM.top);
  return {
    width,
    height,
    bottom,
    x: (value: number) =>
      ROOM.left + (across * (Math.min(mostX, Math.max(-mostX, value)) + mostX)) / (2 * mostX),
    y: (value: number) => ROOM.top + down * (1 - value / mostY),
  };
}

/** The plot itself, self-contained when saved. Thousands of points are drawn as three paths, not as elements. */
export function VolcanoDrawing({
  ref,
  title,
  genes,
  points,
  scales,
  counts,
  thresholds,
  active,
}: {
  ref?: RefObject<SVGSVGElement | null>;
  title: string;
  genes: readonly string[];
  points: VolcanoPoints;
  scales: VolcanoScales;
  /** Number of genes higher in a, and higher in b. */
  counts: readonly number[];
  thresholds: Thresholds;
  /** Row of the gene under the pointer; −1 for none. */
  active: number;
}) {
  const { width, height, x, y } = scales;
  const paths = useMemo(() => dotPaths(points, scales), [points, scales]);
  const labels = useMemo(
    () =>
      geneLabels(genes, points, scales, {
        left: ROOM.left,
        right: scales.width,
        mostEachSide: 8,
      }),
    [genes, points, scales],
  );
  const dot = genes.length > MANY_GENES ? 3.5 : 5;
  const dots = { strokeWidth: dot, strokeLinecap: "round", fill: "none" } as const;
  return (
    <svg
      ref={ref}
      aria-hidden
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block overflow-visible bg-card font-sans text-[11px]"
    >
      <Heading title={title} counts={counts} left={ROOM.left} right={width - ROOM.right} />
      <Axes points={points} scales={scales} thresholds={thresholds} />
      <path d={paths.neither} {...dots} strokeOpacity={0.6} className="stroke-missing" />
      <path d={paths.less} {...dots} strokeOpacity={0.8} className={LESS.stroke} />
      <path d={paths.more} {...dots} strokeOpacity={0.8} className={MORE.stroke} />
      {labels.map((label) => (
        <text
          key={label.row}
          x={label.x}
          y={label.y}
          textAnchor={label.anchor}
          strokeWidth={3}
          strokeLinejoin="round"
          className="fill-ink stroke-card text-[10px] [paint-order:stroke]"
        >
          {genes[label.row]}
        </text>
      ))}
      {active >= 0 && (
        <ActiveGene
          name={genes[active]!}
          x={x(points.x[active]!)}
          y={y(points.y[active]!)}
          width={width}
        />
      )}
    </svg>
  );
}

/** Title, and how many genes are higher on each side. */
function Heading({
  title,
  counts,
  left,
  right,
}: {
  title: string;
  counts: readonly number[];
  left: number;
  right: number;
}) {
  return (
    <>
      <text x={left} y={12} className="fill-ink text-[12px] font-semibold">
        {shortened(title, 0.93 * (right - left), 12)}
      </text>
      <LegendEntry x={left} fill={MORE.fill} text={texts.moreA(counts[0]!)} />
      <LegendEntry x={left + (right - left) / 2} fill={LESS.fill} text={texts.moreB(counts[1]!)} />
    </>
  );
}

/** Axes with ticks, and lines at the thresholds. */
function Axes({
  points,
  scales: { width, bottom, x, y },
  thresholds,
}: {
  points: VolcanoPoints;
  scales: VolcanoScales;
  thresholds: Thresholds;
}) {
  const [left, right] = [ROOM.left, width - ROOM.right];
  const { top } = ROOM;
  const lines = [
    ...[-thresholds.change, thresholds.change].map((at) => `M${x(at)} ${top}V${bottom}`),
    ...(points.significantY === null ? [] : [`M${left} ${y(points.significantY)}H${right}`]),
  ];
  return (
    <>
      <path
        d={`M${left} ${top}V${bottom}H${right}`}
        fill="none"
        strokeWidth={1}
        className="stroke-line-input"
      />
      <path d={lines.join("")} strokeDasharray="3 3" fill="none" className="stroke-ink-3" />
      {ticks(-points.mostX, points.mostX, 6).map((at) => (
        <text key={at} x={x(at)} y={bottom + 14} textAnchor="middle" className="fill-ink-2">
          {`${at}`.replace("-", "−")}
        </text>
      ))}
      {ticks(0, points.mostY, 5).map((at) => (
        <text key={at} x={left - 5} y={y(at) + 3.5} textAnchor="end" className="fill-ink-2">
          {at}
        </text>
      ))}
      {[texts.x, ...(points.oneSided ? [texts.oneSided] : [])].map((line, at) => (
        <text
          key={line}
          x={(left + right) / 2}
          y={bottom + 30 + LINE_PX * at}
          textAnchor="middle"
          className="fill-ink-2"
        >
          {line}
        </text>
      ))}
      <text
        transform={`translate(10 ${(top + bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
        className="fill-ink-2"
      >
        {texts.y}
      </text>
    </>
  );
}

function LegendEntry({ x, fill, text }: { x: number; fill: string; text: string }) {
  return (
    <>
      <circle cx={x + 4} cy={27} r={3.5} className={fill} />
      <text x={x + 12} y={31} className="fill-ink-2">
        {text}
      </text>
    </>
  );
}

function ActiveGene({ name, x, y, width }: { name: string; x: number; y: number; width: number }) {
  const before = x > width / 2;
  return (
    <>
      <circle cx={x} cy={y} r={5} fill="none" strokeWidth={2} className="stroke-ink" />
      <text
        x={before ? x - 9 : x + 9}
        y={y + 4}
        textAnchor={before ? "end" : "start"}
        strokeWidth={4}
        strokeLinejoin="round"
        className="fill-ink stroke-card text-[12px] font-semibold [paint-order:stroke]"
      >
        {name}
      </text>
    </>
  );
}

/** Each dot is a near-zero-length line with round caps. */
function dotPaths(
  points: VolcanoPoints,
  { x, y }: VolcanoScales,
): { more: string; less: string; neither: string } {
  const paths = { more: "", less: "", neither: "" };
  points.side.forEach((side, row) => {
    const dot = `M${x(points.x[row]!).toFixed(1)} ${y(points.y[row]!).toFixed(1)}h.01`;
    paths[side > 0 ? "more" : side < 0 ? "less" : "neither"] += dot;
  });
  return paths;
}

/** Round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, about `count` of them. */
function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const found: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}

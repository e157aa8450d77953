import type { StudyComparison } from "@stipple/contract/routes/studies";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";

type Points = StudyComparison["expression"][number]["points"];

const [WIDTH, HEIGHT, MARGIN] = [440, 260, 32];
const NAMED = 8;

/** How much each gene of a type differs, and how certainly; the most certain ones that differ are named. */
export function VolcanoPlot({ type, points }: { type: string; points: Points }) {
  const reach = Math.max(1, ...points.map(([, x]) => Math.abs(x)));
  const top = Math.max(2, ...points.map(([, , y]) => y));
  const xOf = (x: number): number => WIDTH / 2 + (x / reach) * (WIDTH / 2 - MARGIN);
  const yOf = (y: number): number => HEIGHT - MARGIN - (y / top) * (HEIGHT - 1.5 * MARGIN);
  const named = points.filter(([, , , isDifferent]) => isDifferent).slice(0, NAMED);
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
      {named.map(([gene, x, y]) => (
        <text
          key={gene}
          x={xOf(x)}
          y={yOf(y)}
          dx={x > 0.7 * reach ? -4 : 4}
          dy={-4}
          textAnchor={x > 0.7 * reach ? "end" : "start"}
          className="fill-current text-[11px]"
        >
          {gene}
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

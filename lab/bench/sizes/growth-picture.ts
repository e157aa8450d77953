import { STEPS } from "@stipple/contract";
import { svgText } from "@stipple/pipeline/internal/figures/svg";
import { toReference } from "./reference-speed.ts";
import type { Measured } from "./report.ts";

const [WIDTH, HEIGHT] = [840, 420];
const BOX = { left: 70, right: 560, top: 24, bottom: 364 };
/** Eight colorblind-safe colors (Okabe and Ito), one per step. */
const COLORS = [
  "#000000",
  "#e69f00",
  "#56b4e9",
  "#009e73",
  "#8a7f00",
  "#0072b2",
  "#d55e00",
  "#cc79a7",
] as const;

/** Growth of each step's CPU seconds at the reference speed with slide size, on log-log axes, as an SVG document. */
export function growthPicture(runs: readonly Measured[], places: string): string {
  const sorted = runs.toSorted((a, b) => a.sample.places - b.sample.places);
  const x = axis(
    sorted.map(({ sample }) => sample.places),
    BOX.left,
    BOX.right,
  );
  const y = axis(
    sorted.flatMap((run) => run.steps.map((cost) => cost.cpuSeconds * toReference(cost))),
    BOX.bottom,
    BOX.top,
  );
  const lines = STEPS.map(({ number, name }) => {
    const points = sorted.map((run) => {
      const cost = run.steps.find(({ step }) => step === number)!;
      const seconds = cost.cpuSeconds * toReference(cost);
      return [x.at(run.sample.places), y.at(seconds)] as const;
    });
    return { name: `${number} ${name}`, color: COLORS[number], points, end: points.at(-1)![1] };
  });
  const labels = apart(lines.map(({ end }) => end));
  const drawn = lines.map(({ name, color, points, end }, i) => {
    const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
    const dots = points
      .map(([px, py]) => `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3.5"/>`)
      .join("");
    const leader = `<line x1="${BOX.right + 5}" y1="${end.toFixed(1)}" x2="${BOX.right + 16}" y2="${labels[i].toFixed(1)}" stroke="${color}"/>`;
    const label = svgText(BOX.right + 20, labels[i] + 4, name, { size: 12, color });
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/><g fill="${color}">${dots}</g>${leader}${label}`;
  });
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `<line x1="${x.at(tick)}" y1="${BOX.top}" x2="${x.at(tick)}" y2="${BOX.bottom}" stroke="#e3e8ee"/>${svgText(x.at(tick), BOX.bottom + 18, tick.toLocaleString("en"), { size: 12, anchor: "middle" })}`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<line x1="${BOX.left}" y1="${y.at(tick)}" x2="${BOX.right}" y2="${y.at(tick)}" stroke="#e3e8ee"/>${svgText(BOX.left - 8, y.at(tick) + 4, String(tick), { size: 12, anchor: "end" })}`,
    ),
  ];
  const titles =
    svgText((BOX.left + BOX.right) / 2, BOX.bottom + 42, places, { size: 13, anchor: "middle" }) +
    svgText(BOX.left, BOX.top - 8, "CPU seconds", { size: 13 });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>${grid.join("")}${drawn.join("")}${titles}</svg>\n`;
}

/** A logarithmic axis from one end of the box to the other, with ticks at 1, 2, and 5 times powers of ten. */
function axis(
  values: readonly number[],
  from: number,
  to: number,
): { at(value: number): number; ticks: number[] } {
  const [low, high] = [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
  const at = (value: number): number =>
    Math.round((from + ((to - from) * Math.log(value / low)) / Math.log(high / low)) * 10) / 10;
  const powers = Array.from({ length: 16 }, (_, i) => 10 ** (i - 4));
  const all = powers.flatMap((power) =>
    [1, 2, 5].map((digit) => Number((digit * power).toPrecision(1))),
  );
  const ticks = all.filter((tick) => tick >= low && tick <= high);
  // Limit labels: only powers of ten if there are many decades.
  return { at, ticks: ticks.length > 9 ? ticks.filter((tick) => powers.includes(tick)) : ticks };
}

/** Label positions at least 16 px apart, each close to its target. */
function apart(places: readonly number[]): number[] {
  const order = [...places.keys()].sort((a, b) => places[a] - places[b]);
  const result = [...places];
  for (let i = 1; i < order.length; i++) {
    result[order[i]] = Math.max(result[order[i]], result[order[i - 1]] + 16);
  }
  const over = Math.max(0, result[order.at(-1)!] - BOX.bottom);
  return result.map((place) => place - over);
}

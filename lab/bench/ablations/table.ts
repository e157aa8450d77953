import type { Figures } from "./judge.ts";
import { GONE, RULES, type Rule } from "./rules.ts";
import { TISSUES, type AblationTissue } from "./tissues.ts";

type Run = Figures | { error: string };

/** By rule that is taken out (empty: none), seed, and tissue. */
export type Measured = Record<string, Record<string, Record<string, Run>>>;

const FIGURES = ["rate", "types", "counts"] as const;
type Figure = (typeof FIGURES)[number];

/** A document: the figures with all rules, and by how much each changes without a rule. */
export function ablationTable(measured: Measured): string {
  const head = (first: string): string =>
    `| ${[first, ...TISSUES.map(({ name }) => name)].join(" | ")} |\n|${"---|".repeat(TISSUES.length + 1)}`;
  const base = FIGURES.flatMap((figure) => [
    `| ${[TITLES[figure], ...TISSUES.map(({ name }) => shown(mean(valuesOf(measured, "", name, figure))))].join(" | ")} |`,
    `| ${["spread between seeds", ...TISSUES.map(({ name }) => shown(spread(valuesOf(measured, "", name, figure))))].join(" | ")} |`,
  ]);
  const rules = [...GONE, ...RULES]
    .filter(({ name }) => measured[name])
    .map(
      (rule) =>
        `| ${[`${rule.name} → ${rule.without}${GONE.includes(rule) ? " (gone)" : ""}`, ...TISSUES.map((tissue) => cell(measured, rule, tissue))].join(" | ")} |`,
    );
  return [
    INTRODUCTION,
    head("with all rules"),
    ...base,
    "",
    head("without the rule: rate, types (thousandths)"),
    ...rules,
    "",
  ].join("\n");
}

const INTRODUCTION = `# What each rule of steps 4 and 5 is worth

\`npm run bench:ablations -- --write\` takes every rule out in turn, by editing the source as it is loaded
(\`lab/bench/ablations/rules.ts\`), and judges rates and names by the tissue's true cells: parts of the measured pancreas
section (left half), a piece of mouse brain without known types, and rendered tissues with seeds that no rule was chosen on.
The spread is the standard deviation between four seeds with all rules; rules are taken out with the first seed. Changes
beyond twice the spread of a difference are bold, = means that no figure changed, and an empty cell that it was not measured.
Rules that are gone were measured before they went.

`;

const TITLES: Record<Figure, string> = {
  rate: "rates, median correlation",
  types: "types, macro-F1",
  counts: "counts, median correlation",
};

/** Changes in thousandths; bold beyond two spreads of a difference, empty if nothing at all changes. */
function cell(
  measured: Measured,
  { name, on }: Omit<Rule, "edits">,
  tissue: AblationTissue,
): string {
  if (on !== "both" && on !== tissue.on) return "";
  const changes = FIGURES.map((figure) => change(measured, name, tissue.name, figure));
  if (changes.every((text) => text === "")) return "";
  if (changes.every((text) => text === "0" || text === "")) return "=";
  const [rate, types, counts] = changes;
  return `${rate}, ${types || "–"}${name.startsWith("counts") ? `, counts ${counts}` : ""}`;
}

function change(measured: Measured, rule: string, tissue: string, figure: Figure): string {
  const [all, without] = ["", rule].map((name) => bySeed(measured, name, tissue, figure));
  const seeds = [...without.keys()].filter((seed) => all.has(seed));
  if (seeds.length === 0) return "";
  const moved = mean(seeds.map((seed) => without.get(seed)! - all.get(seed)!));
  const noise = (Math.SQRT2 * spread([...all.values()])) / Math.sqrt(seeds.length);
  const text = Math.round(1000 * moved).toLocaleString("en", { signDisplay: "exceptZero" });
  return Math.abs(moved) > 2 * noise && Math.abs(moved) > 0.0005 ? `**${text}**` : text;
}

function bySeed(
  measured: Measured,
  rule: string,
  tissue: string,
  figure: Figure,
): Map<string, number> {
  const found = Object.entries(measured[rule] ?? {}).flatMap(([seed, runs]): [string, number][] => {
    const run = runs[tissue];
    const value = run && !("error" in run) ? run[figure] : null;
    return value === null ? [] : [[seed, value]];
  });
  return new Map(found);
}

function valuesOf(measured: Measured, rule: string, tissue: string, figure: Figure): number[] {
  return [...bySeed(measured, rule, tissue, figure).values()];
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function spread(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(
    values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1),
  );
}

function shown(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "–";
}

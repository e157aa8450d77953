import { Random } from "@stipple/numerics/random";
import { HOUSEKEEPING, mouseSymbol, VARIABLE_GENES } from "../catalog/gene-families.ts";
import type { TissuePlan } from "../catalog/tissue-plan.ts";

export type GeneRole =
  | "marker"
  | "program"
  | "mitochondrial"
  | "variable"
  | "housekeeping"
  // Only in a whole transcriptome:
  | "ribosomal"
  | "lineage"
  | "regional"
  | "weak"
  | "flat"
  | "silent";

export interface Gene {
  /** An identifier in Ensembl format that Ensembl does not assign, the same in all tissues of a species. */
  id: string;
  symbol: string;
  role: GeneRole;
  /** The kinds for which the gene is a marker, or that a lineage gene follows. */
  markerOf: number[];
  /** Index of the program that modulates it, or −1. */
  program: number;
}

/** The simulated panel: markers first, then variable and housekeeping genes (Infinity: all); sorted by symbol. */
export function genePanel(plan: TissuePlan, nGenes: number, seed: number): Gene[] {
  const random = new Random(seed + 7 * 2 ** 32);
  const spell = (symbol: string): string =>
    plan.species === "mouse" ? mouseSymbol(symbol) : symbol;
  const roles = new Map<string, GeneRole>();
  const add = (symbols: readonly string[], role: GeneRole): void => {
    for (const symbol of symbols) {
      if (!roles.has(symbol)) roles.set(symbol, role);
    }
  };
  const markers = plan.kinds.map((kind) => kind.markers.split(" "));
  const programs = plan.programs.map((program) => program.genes.split(" "));
  add(markers.flat(), "marker");
  add(programs.flat(), "program");
  add(plan.mitochondrial, "mitochondrial");
  add(VARIABLE_GENES.map(spell), "variable");
  const rest = HOUSEKEEPING.map(spell);
  const order = Uint32Array.from(rest, (_symbol, index) => index);
  random.shuffle(order);
  add(
    Array.from(order, (index) => rest[index]),
    "housekeeping",
  );
  const known = [...roles.keys()];
  const panel = new Set(known.slice(0, nGenes));
  const genes = known.sort().map((symbol, index) => ({
    id: geneId(plan, index),
    symbol,
    role: roles.get(symbol)!,
    markerOf: markers.flatMap((symbols, k) => (symbols.includes(symbol) ? [k] : [])),
    program: programs.findIndex((symbols) => symbols.includes(symbol)),
  }));
  return genes.filter(({ symbol }) => panel.has(symbol));
}

/** The identifier of the gene at this place among all that a species may have. */
export function geneId({ species }: Pick<TissuePlan, "species">, index: number): string {
  return `${species === "mouse" ? "ENSMUSG99" : "ENSG99"}${String(index + 1).padStart(9, "0")}`;
}

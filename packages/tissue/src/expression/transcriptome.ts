import { MARKER_SETS, mouseSymbols } from "@stipple/pipeline/cell-types";
import { Random } from "@stipple/numerics/random";
import type { TissuePlan } from "../catalog/tissue-plan.ts";
import { alignTypeNames } from "../metrics/type-names.ts";
import { MAX_PANEL_GENES } from "../options.ts";
import { geneId, genePanel, type Gene, type GeneRole } from "./genes.ts";

/** Roles of the genes that are neither in the panel nor known markers, and their proportions. */
const SHARES: readonly (readonly [GeneRole, number])[] = [
  ["silent", 0.25],
  ["flat", 0.15],
  ["weak", 0.4],
  ["lineage", 0.1],
  ["regional", 0.1],
];
/**
 * Fraction of the genes that the catalog lists for a kind, beyond those of the panel, that actually follow it. Measured, for
 * genes raised 1.5 times and more in their type: .86 to .93 in a pancreas tumor, .88 to .98 in blood, .54 to .83 in cortex
 * (lab/bench/listed-markers.ts); places in the list hardly matter.
 */
const LISTED_FOLLOW = 0.85;

/**
 * A whole transcriptome: the panel, all marker genes of any type (in the tissue or not), and genes with
 * numbered symbols; sorted by symbol.
 */
export function transcriptome(plan: TissuePlan, nGenes: number, seed: number): Gene[] {
  const random = new Random(seed + 60 * 2 ** 32);
  const genes = new Map<string, Omit<Gene, "id">>();
  for (const gene of genePanel(plan, MAX_PANEL_GENES, seed)) {
    const ribosomal = /^RP[LS]\d/i.test(gene.symbol);
    genes.set(gene.symbol, { ...gene, role: ribosomal ? "ribosomal" : gene.role });
  }
  const add = (symbol: string, role: GeneRole, markerOf: number[] = []): void => {
    if (genes.size >= nGenes || genes.has(symbol)) return;
    genes.set(symbol, { symbol, role, markerOf, program: -1 });
  };
  const drawn = (): GeneRole => {
    let rest = random.uniform();
    return SHARES.find(([, share]) => (rest -= share) < 0)?.[0] ?? "flat";
  };
  const follow = (group: number[]): number[] => (group.length > 0 ? group : lineage(plan, random));
  for (const [symbol, kind] of listed(plan)) {
    const role = kind >= 0 ? (random.uniform() < LISTED_FOLLOW ? "lineage" : drawn()) : drawn();
    add(symbol, role, role === "lineage" ? follow(kind >= 0 ? [kind] : []) : []);
  }
  for (let number = 1; genes.size < nGenes; number++) {
    const name = `${plan.species === "mouse" ? "Gene" : "GENE"}${String(number).padStart(5, "0")}`;
    const role = drawn();
    add(name, role, role === "lineage" ? lineage(plan, random) : []);
  }
  const ids = idsBySymbol(plan, [...genes.keys()]);
  return [...genes.values()]
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .map((gene) => ({ ...gene, id: ids.get(gene.symbol)! }));
}

/** Those of the panel as in a panel, then listed markers, then genes with numbered symbols, which `symbols` has in order. */
function idsBySymbol(plan: TissuePlan, symbols: readonly string[]): Map<string, string> {
  const panel = genePanel(plan, Infinity, 0).map(({ symbol }) => symbol);
  const known = new Set([...panel, ...listed(plan).keys(), ...symbols]);
  return new Map([...known].map((symbol, index) => [symbol, geneId(plan, index)]));
}

/** A randomly chosen lineage of related kinds, or one of its kinds. */
function lineage({ kinds, lineages }: TissuePlan, random: Random): number[] {
  const group = lineages[random.below(lineages.length)];
  const names = random.uniform() < 0.5 ? group : [group[random.below(group.length)]];
  return names.map((name) => kinds.findIndex((kind) => kind.name === name));
}

/** Every listed marker in the species' spelling, with the kind in this tissue for which it is listed, or −1. */
function listed({ species, kinds }: TissuePlan): Map<string, number> {
  const { predicted } = alignTypeNames(
    kinds.map(({ name }) => name),
    MARKER_SETS.map(({ name }) => name),
  );
  const found = new Map<string, number>();
  for (const { name, markers } of MARKER_SETS) {
    const kind = kinds.findIndex((one) => one.name === predicted.get(name));
    for (const symbol of markers.flatMap((human) =>
      species === "mouse" ? mouseSymbols(human) : [human],
    )) {
      if ((found.get(symbol) ?? -1) < 0) found.set(symbol, kind);
    }
  }
  return found;
}

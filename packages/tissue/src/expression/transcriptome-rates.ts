import { Random } from "@stipple/numerics/random";
import type { Matrix } from "@stipple/numerics/matrices";
import { Noise } from "../anatomy/noise.ts";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissuePlan } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import type { Gene, GeneRole } from "./genes.ts";
import { LIBRARY_SHAPE, PROGRAM_UM } from "./rates.ts";

/**
 * Squared coefficient of variation of a spot's counts beyond Poisson noise that all genes have, from reverse
 * transcription to sequencing: in two real sections, nine out of ten genes have at least this much.
 */
export const SPOT_NOISE = 0.06;

/**
 * Expression parameters of the genes with a given role. Levels are UMIs per 10,000; spreads are standard
 * deviations of logarithms.
 */
interface Manner {
  level: number;
  levelSpread: number;
  /** Spread between kinds, between lineages, and between domains. */
  kind: number;
  lineage: number;
  domain: number;
  /** Approximate fraction of its level that a gene has outside the kinds for which it is a marker. */
  elsewhere?: number;
  elsewhereSpread?: number;
  /** Strength of the spatial field that it follows. */
  field?: number;
}

/** Level and spread of unnamed genes: their abundance is log-normal over seven decades. */
const ANY = { level: 0.032, levelSpread: 2.58 };

const MANNERS: Record<GeneRole, Manner> = {
  marker: {
    level: 6,
    levelSpread: 1.1,
    kind: 0.35,
    lineage: 0,
    domain: 0.2,
    elsewhere: 0.03,
    elsewhereSpread: 1,
  },
  program: { level: 1.5, levelSpread: 1.2, kind: 0.4, lineage: 0, domain: 0.1 },
  mitochondrial: { level: 100, levelSpread: 0.5, kind: 0.2, lineage: 0.1, domain: 0.22 },
  variable: { level: 3, levelSpread: 1.2, kind: 0.6, lineage: 0.45, domain: 0.4 },
  housekeeping: { level: 1, levelSpread: 1.1, kind: 0.25, lineage: 0.15, domain: 0.26, field: 0.2 },
  ribosomal: { level: 13, levelSpread: 0.6, kind: 0.15, lineage: 0.15, domain: 0.22 },
  lineage: { ...ANY, kind: 0.4, lineage: 0, domain: 0.25, elsewhere: 0.15, elsewhereSpread: 1 },
  regional: { ...ANY, kind: 0.3, lineage: 0.2, domain: 0.5, field: 0.5 },
  weak: { ...ANY, kind: 0.35, lineage: 0.3, domain: 0.42, field: 0.3 },
  flat: { ...ANY, kind: 0.12, lineage: 0.08, domain: 0.12 },
  silent: { level: 1e-4, levelSpread: 1.5, kind: 0.5, lineage: 0.3, domain: 0.2 },
};

/** Number of fields that regional genes follow, and their length scale, µm. */
const FIELDS = 6;
const FIELD_UM = 400;

/** Like expressionRates, for a whole transcriptome: cells × genes, not yet scaled to a depth. */
export function transcriptomeRates(
  plan: TissuePlan,
  genes: readonly Gene[],
  cells: Cells,
  options: TissueOptions,
): Matrix<Float32Array> {
  const random = new Random(options.seed + 61 * 2 ** 32);
  const profiles = kindProfiles(plan, genes, random);
  const domains = plan.domains.map(() =>
    Float64Array.from(genes, ({ role }) => Math.exp(MANNERS[role].domain * random.normal())),
  );
  const moved = movedGenes(plan, genes, options.seed, random);
  const nGenes = genes.length;
  const places = new Map<number, Float64Array>();
  const data = new Float32Array(cells.count * nGenes);
  for (let cell = 0; cell < cells.count; cell++) {
    const [kind, domain] = [cells.kind[cell], cells.domain[cell]];
    const library = (plan.kinds[kind].rna * random.gamma(LIBRARY_SHAPE)) / LIBRARY_SHAPE;
    const at = kind * plan.domains.length + domain;
    let here = places.get(at);
    if (!here) {
      here = profiles[kind].map((share, gene) => share * domains[domain][gene]);
      places.set(at, here);
    }
    const row = data.subarray(cell * nGenes, (cell + 1) * nGenes);
    for (let gene = 0; gene < nGenes; gene++) row[gene] = library * here[gene];
    for (const { of, strength, along } of moved) {
      const value = along(cells.x[cell], cells.y[cell]);
      of.forEach((gene, i) => (row[gene] *= Math.exp(strength[i] * value)));
    }
  }
  return { nRows: cells.count, nCols: nGenes, data };
}

/** Genes that vary together from cell to cell, in addition to the effects of kind and domain. */
interface Moved {
  of: number[];
  /** Standard deviation of each gene's log rate. */
  strength: number[];
  /** Standard deviation over the cells is roughly 1. */
  along: (x: number, y: number) => number;
}

function movedGenes(
  plan: TissuePlan,
  genes: readonly Gene[],
  seed: number,
  random: Random,
): Moved[] {
  const which = (chosen: (gene: Gene) => boolean): number[] =>
    genes.flatMap((gene, index) => (chosen(gene) ? [index] : []));
  const field = (stream: number, um: number) => {
    const noise = new Noise(seed, stream);
    return (x: number, y: number): number => 2 * noise.fractal(x / um, y / um, 2);
  };
  const fieldOf = genes.map(() => random.below(FIELDS));
  return [
    ...plan.programs.map(({ amplitude }, index): Moved => {
      const of = which(({ program }) => program === index);
      return { of, strength: of.map(() => amplitude), along: field(40 + index, PROGRAM_UM) };
    }),
    ...Array.from({ length: FIELDS }, (_, index): Moved => {
      const of = which(({ role }) => MANNERS[role].field !== undefined).filter(
        (gene) => fieldOf[gene] === index,
      );
      const strength = of.map((gene) => MANNERS[genes[gene].role].field! * random.normal());
      return { of, strength, along: field(70 + index, FIELD_UM) };
    }),
    // Random from cell to cell, independent of position.
    ...(
      [
        ["mitochondrial", 0.3],
        ["ribosomal", 0.15],
      ] as const
    ).map(([role, spread]): Moved => {
      const of = which((gene) => gene.role === role);
      return { of, strength: of.map(() => spread), along: () => random.normal() };
    }),
  ];
}

/** Each gene's share of a cell's RNA, for each kind; sums to 1 per kind. */
function kindProfiles(plan: TissuePlan, genes: readonly Gene[], random: Random): Float64Array[] {
  const lineageOf = plan.kinds.map(({ name }) =>
    plan.lineages.findIndex((group) => group.includes(name)),
  );
  const profiles = plan.kinds.map(() => new Float64Array(genes.length));
  genes.forEach(({ role, markerOf }, gene) => {
    const manner = MANNERS[role];
    const level = manner.level * Math.exp(manner.levelSpread * random.normal());
    const shared = plan.lineages.map(() => manner.lineage * random.normal());
    profiles.forEach((profile, kind) => {
      const own = manner.kind * random.normal() + shared[lineageOf[kind]];
      const rest =
        markerOf.length === 0 || markerOf.includes(kind)
          ? 1
          : (manner.elsewhere ?? 1) * Math.exp((manner.elsewhereSpread ?? 0) * random.normal());
      profile[gene] = level * rest * Math.exp(own);
    });
  });
  return profiles.map((profile) => {
    const total = profile.reduce((sum, value) => sum + value, 0);
    return profile.map((value) => value / total);
  });
}

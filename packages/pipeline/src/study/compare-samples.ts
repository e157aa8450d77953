import { InputError } from "../errors.ts";
import { compareComposition, type ShareDifference } from "./compare-composition.ts";
import { compareExpression, type GeneDifference } from "./compare-expression.ts";
import { compareInSpace, type SpatialComparison } from "./compare-in-space.ts";
import { type ComparisonDesign, designOf, type Unit } from "./design.ts";
import { type NamedSums, sharedGenes, type SharedGenes } from "./shared-genes.ts";
import { createHash } from "node:crypto";

/** A sample of a study and what the comparison asks of its design; empty where it is not given. */
export interface StudiedSample extends NamedSums {
  condition: string;
  patient: string;
  batch: string;
}

/** The comparison of two conditions, with patients as units. */
export interface Comparison {
  groups: [string, string];
  /** Name of the region whose cells are compared; null for all cells. */
  region: string | null;
  units: Unit[];
  design: ComparisonDesign;
  genes: { id: string[]; name: string[] };
  /** Numbers of cells, by unit and type. */
  cells: { types: string[]; numbers: number[][] };
  composition: ShareDifference[];
  expression: TypeComparison[];
  space: SpatialComparison[];
  notes: string[];
}

export type TypeComparison = { type: string } & (
  | { refusal: string }
  | {
      /** Indices of the units with enough cells. */
      units: number[];
      design: ComparisonDesign;
      /** Summed counts of these units, nGenes each. */
      counts: Float64Array[];
      genes: GeneDifference[];
    }
);

/** A type's counts in a unit are compared if they come from at least as many cells. */
export const MIN_CELLS = 10;

/**
 * Compares two conditions: shares of types, and expression of each type and of all cells together. `groups` are needed
 * where there are more than two conditions; otherwise the first sample's condition is the baseline. Throws {@link InputError}
 * with the reason where the samples or the design allow no comparison.
 * @param region the region of each sample whose cells were summed; null for whole samples
 */
export function compareSamples(
  samples: readonly StudiedSample[],
  groups: readonly [string, string] | null,
  region: string | null = null,
): Comparison {
  const empty = samples.find(({ sums }) => sums.types.length === 0);
  if (empty) {
    throw new InputError(
      region === null
        ? `${empty.name} has no cells: leave it out.`
        : `${empty.name} has no cells in its region "${region}": draw it around cells, or leave the sample out.`,
    );
  }
  const genes = sharedGenes(samples);
  const alike = writtenAlike(samples);
  const chosen = groupsOf(samples, groups, alike);
  const { units, left } = unitsOf(samples, chosen);
  const design = designOf(units, chosen);
  if ("refusal" in design) throw new InputError([design.refusal, ...alike].join(" "));
  const types = [
    ...new Set(samples.flatMap(({ sums }) => sums.types.map(({ name }) => name))),
  ].sort();
  const byName = new Map(samples.map((sample, i) => [sample.name, i] as const));
  const samplesOf = (unit: (typeof units)[number]) =>
    unit.samples.map((name) => samples[byName.get(name)!]);
  const compared = design.units.flatMap((i) => samplesOf(units[i]));
  const numbers = units.map((unit) => types.map((type) => totalCells(samplesOf(unit), type)));
  const present = types.filter((_, at) => design.units.some((i) => numbers[i][at] > 0));
  const taking = design.units.map((i) => present.map((type) => numbers[i][types.indexOf(type)]));
  let together = "All cells";
  // Someone may have called a type so.
  while (types.includes(together)) together += " together";
  const expression = [...types, null].map((only): TypeComparison => {
    const type = only ?? together;
    const ofType = (name: string): boolean => only === null || name === only;
    const enough = design.units.filter((i) => {
      const cells = numbers[i].filter((_, at) => ofType(types[at]));
      return cells.reduce((sum, number) => sum + number, 0) >= MIN_CELLS;
    });
    const own = designOf(
      enough.map((i) => units[i]),
      chosen,
    );
    if ("refusal" in own) {
      return { type, refusal: `Only units with at least ${MIN_CELLS} cells count. ${own.refusal}` };
    }
    const kept = own.units.map((i) => enough[i]);
    const counts = kept.map((i) => {
      const sum = new Float64Array(genes.id.length);
      for (const name of units[i].samples) {
        const sample = byName.get(name)!;
        for (const { counts } of samples[sample].sums.types.filter(({ name }) => ofType(name))) {
          genes.at[sample].forEach((from, gene) => (sum[gene] += counts[from]));
        }
      }
      return sum;
    });
    return { type, units: kept, design: own, counts, genes: compareExpression(counts, own) };
  });
  return {
    ...{ groups: chosen, region, units, design, genes: { id: genes.id, name: genes.name } },
    ...{ cells: { types, numbers }, composition: compareComposition(present, taking, design) },
    // Spatial statistics are those of whole samples.
    ...{ expression, space: region === null ? compareInSpace(samples, units, design) : [] },
    notes: [
      ...genesLeftOut(samples, genes),
      ...correctedAmong(compared),
      ...left,
      ...alike,
      ...design.notes,
      ...copiesAmong(compared),
    ],
  };
}

function genesLeftOut(samples: readonly NamedSums[], { id }: SharedGenes): string[] {
  const all = new Set(samples.flatMap(({ sums }) => sums.genes.id));
  return id.length === all.size
    ? []
    : [
        `${(all.size - id.length).toLocaleString("en-US")} of ${all.size.toLocaleString("en-US")} genes are not in all samples and are left out.`,
      ];
}

/** Whose types were corrected, and whose corrections do not apply any more, in a sentence each, if any. */
function correctedAmong(samples: readonly NamedSums[]): string[] {
  const namesOf = (holds: (sums: NamedSums["sums"]) => boolean): string =>
    samples
      .filter(({ sums }) => holds(sums))
      .map(({ name }) => name)
      .join(", ");
  const corrected = namesOf((sums) => sums.corrected);
  const outdated = namesOf((sums) => sums.outdated);
  return [
    corrected &&
      `Types are as the annotations of ${corrected} name and assign them; spatial statistics are of the computed types.`,
    outdated &&
      `Types that were assigned in earlier analyses of ${outdated} are left out, because the cells are others now.`,
  ].filter((sentence) => sentence !== "");
}

function totalCells(samples: readonly StudiedSample[], type: string): number {
  return samples.reduce(
    (sum, { sums }) => sum + (sums.types.find(({ name }) => name === type)?.nCells ?? 0),
    0,
  );
}

function groupsOf(
  samples: readonly StudiedSample[],
  groups: readonly [string, string] | null,
  alike: readonly string[],
): [string, string] {
  const found = [...new Set(samples.map(({ condition }) => condition).filter((one) => one !== ""))];
  const shown = found.map((one) => `"${one}"`).join(", ");
  if (groups) {
    const missing = groups.find((group) => !found.includes(group));
    if (missing !== undefined || groups[0] === groups[1]) {
      throw new InputError(
        `The groups ${groups.map((one) => `"${one}"`).join(" and ")} are not two of the conditions (${shown}): choose two of them.`,
      );
    }
    return [...groups];
  }
  if (found.length !== 2) {
    throw new InputError(
      found.length < 2
        ? `A comparison needs two conditions, but the samples have ${found.length === 0 ? "none" : `only ${shown}`}: fill in the column.`
        : [
            `The samples have ${found.length} conditions (${shown}): choose the two to compare.`,
            ...alike,
          ].join(" "),
    );
  }
  return [found[0], found[1]];
}

/** Samples of the same patient and condition are one unit; a sample without a patient is its own. */
function unitsOf(
  samples: readonly StudiedSample[],
  groups: readonly [string, string],
): { units: Unit[]; left: string[] } {
  const units = new Map<string, Unit>();
  const compared = samples.filter(({ condition }) => groups.includes(condition));
  const patients = new Set(compared.map(({ patient }) => patient));
  for (const { name, condition, patient, batch } of compared) {
    if (patient === "" && patients.has(name)) {
      throw new InputError(
        `The sample ${name} has no patient, but ${name} is the patient of another sample: fill in its patient, or rename the sample.`,
      );
    }
    const key = JSON.stringify([condition, patient === "" ? { name } : patient]);
    const unit = units.get(key);
    if (!unit) {
      units.set(key, { condition, patient: patient || name, batch, samples: [name] });
      continue;
    }
    if (unit.batch !== batch) {
      throw new InputError(
        `The "${condition}" samples ${unit.samples[0]} and ${name} of patient ${patient} are in two batches, but are summed as one: leave the batch out, or one of them.`,
      );
    }
    unit.samples.push(name);
  }
  const out = samples.filter((sample) => !compared.includes(sample)).map(({ name }) => name);
  const left =
    out.length > 0 ? [`Left out, as they have neither condition: ${out.join(", ")}.`] : [];
  return { units: [...units.values()], left };
}

/** A sentence for each set of samples with the same counts of the same cells. */
function copiesAmong(samples: readonly NamedSums[]): string[] {
  const alike = Map.groupBy(samples, ({ sums }) => {
    const digest = createHash("sha256");
    for (const { name, nCells, counts } of sums.types) {
      digest.update(JSON.stringify([name, nCells])).update(counts);
    }
    return digest.digest("hex");
  });
  return [...alike.values()].flatMap((own) =>
    own.length < 2
      ? []
      : [
          `${own.map(({ name }) => name).join(", ")} have the same cells with the same counts: copies of a sample do not show how much patients differ, so leave all but one out.`,
        ],
  );
}

const COLUMNS = [
  ["condition", "conditions"],
  ["patient", "patients"],
  ["batch", "batches"],
] as const;

/** A sentence for each pair of values of a design that differ only in case or spaces: they may be meant as one. */
function writtenAlike(
  samples: readonly Readonly<Record<(typeof COLUMNS)[number][0], string>>[],
): string[] {
  return COLUMNS.flatMap(([column, words]) => {
    const values = [...new Set(samples.map((sample) => sample[column]))];
    const alike = Map.groupBy(values, (value) =>
      value.normalize("NFKC").replaceAll(/\s/g, "").toLowerCase(),
    );
    return [...alike.values()].flatMap((own) =>
      own.length < 2
        ? []
        : [
            `The ${words} ${own.map((value) => `"${value}"`).join(" and ")} differ only in case or spaces and count as ${own.length}: if they are one, write them alike.`,
          ],
    );
  });
}

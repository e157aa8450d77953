import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { keysOf } from "../../exports/anndata/target.ts";
import { numbered } from "../../exports/column-names.ts";
import { geneMap, type GeneMap } from "./map-genes.ts";
import { readJointSpace, type JointSpace } from "./joint-space.ts";
import { SampleTable } from "./sample-table.ts";

/** A sample to combine. */
export interface SampleToCombine {
  /** Its name in the study. */
  name: string;
  /** The folder of its exports. */
  exports: string;
  /** Its row of the design, by column. */
  design: Readonly<Record<string, string>>;
}

/** Samples that fit together, and what is shared by all. */
export interface CombinedStudy {
  samples: readonly CombinedSample[];
  nCells: number;
  genes: {
    ids: string[];
    names: string[];
    symbols: string[];
    /** Summed over the samples. */
    totals: Float64Array;
    /** In how many samples. */
    reliableIn: Int32Array;
  };
  /** Columns of the design. */
  design: readonly string[];
  /** What was left out, a sentence each. */
  notes: string[];
  /** Where all cells are in one space, if they were placed. */
  space: JointSpace | null;
}

export interface CombinedSample extends SampleToCombine {
  /** The name without characters that file names, or names of elements, cannot have. */
  key: string;
  /** What `obs` and `uns["spatial"]` of the h5ad call it: the name without "/", which HDF5 takes for a path. */
  library: string;
  nCells: number;
  /** Index of its first cell among all. */
  firstCell: number;
  map: GeneMap;
}

/** Of a sample's exports, what all parts are written from. */
export const CELL_FILE = "cell_expression_processed.h5ad";

export function cellFile({ exports }: SampleToCombine): string {
  return join(exports, CELL_FILE);
}

/**
 * Checks that samples can be combined; `space` has the table of their cells in one space. Throws {@link InputError} with the
 * reason if not.
 */
export async function combinedStudy(
  samples: readonly SampleToCombine[],
  design: readonly string[],
  space?: { path: string; signal: AbortSignal },
): Promise<CombinedStudy> {
  if (samples.length < 2) {
    throw new InputError("A study combines at least two samples: add samples to it.");
  }
  const facts: Facts[] = [];
  for (const sample of samples) facts.push(await factsOf(sample));
  const [first] = facts;
  for (const [i, { organism }] of facts.entries()) {
    if (!organism || !first.organism || organism === first.organism) continue;
    throw new InputError(
      `${samples[0].name} is ${first.organism} and ${samples[i].name} is ${organism}: combine samples of one species.`,
    );
  }
  const owned = facts.map(({ ids }) => new Set(ids));
  const kept = Array.from(first.ids.keys()).filter((gene) =>
    owned.every((own) => own.has(first.ids[gene])),
  );
  if (kept.length === 0) {
    throw new InputError(
      "The samples have no gene in common: combine samples measured with the same genes.",
    );
  }
  const ids = kept.map((gene) => first.ids[gene]);
  const totals = new Float64Array(ids.length);
  const reliableIn = new Int32Array(ids.length);
  let nCells = 0;
  const keys = numbered(samples.map(({ name }) => plain(name)));
  const libraries = keysOf(samples.map(({ name }) => name));
  const combined = samples.map((sample, i): CombinedSample => {
    const own = facts[i];
    const map = geneMap(own.ids, ids);
    own.ids.forEach((_, gene) => {
      const place = map === null ? gene : map[gene];
      if (place < 0) return;
      totals[place] += own.totals[gene];
      reliableIn[place] += own.reliable[gene];
    });
    const firstCell = nCells;
    nCells += own.nCells;
    const named = { key: keys[i], library: libraries[i] };
    return { ...sample, ...named, nCells: own.nCells, firstCell, map };
  });
  return {
    ...{ samples: combined, nCells, design },
    genes: {
      ...{ ids, totals, reliableIn },
      names: kept.map((gene) => first.names[gene]),
      symbols: kept.map((gene) => first.symbols[gene]),
    },
    notes: leftOut(samples, facts, ids.length),
    space: space ? await readJointSpace(space.path, combined, space.signal) : null,
  };
}

interface Facts {
  ids: string[];
  names: string[];
  symbols: string[];
  totals: Float64Array;
  reliable: Float64Array;
  nCells: number;
  organism: string | null;
}

async function factsOf(sample: SampleToCombine): Promise<Facts> {
  using table = await SampleTable.open(cellFile(sample));
  return {
    ids: table.texts("var/gene_ids"),
    names: table.texts("var/_index"),
    symbols: table.texts("var/symbol"),
    totals: table.numbers("var/total_counts"),
    reliable: table.numbers("var/reliable"),
    nCells: table.texts("obs/_index").length,
    organism: table.scalar("uns/organism") as string | null,
  };
}

function leftOut(
  samples: readonly SampleToCombine[],
  facts: readonly { ids: readonly string[] }[],
  shared: number,
): string[] {
  const most = Math.max(...facts.map(({ ids }) => ids.length));
  if (facts.every(({ ids }) => ids.length === shared)) return [];
  const number = (value: number): string => value.toLocaleString("en-US");
  const least = facts.findIndex(({ ids }) => ids.length < most);
  const why = least >= 0 ? `; ${samples[least].name} has ${number(facts[least].ids.length)}` : "";
  return [
    `The samples have different genes: only the ${number(shared)} that all of them have are kept, of up to ${number(most)}${why}.`,
  ];
}

/** Names as parts of file names. */
function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_").replaceAll(/^_+|_+$/g, "") || "sample";
}

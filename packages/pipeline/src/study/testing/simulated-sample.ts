import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { FIELDS, type Field, type StoredKey } from "../../fields.ts";
import { writeField } from "../../store/field-store.ts";

export interface SimulatedSample {
  cells: number;
  genes: number;
  /** Share of each type. */
  shares: readonly number[];
  /** Mean UMIs of a cell. */
  umis: number;
  /** Standard deviation of the log of each gene's factor in this sample; 0: no batch effect. */
  batch: number;
  /** Share of a cell's counts that are from the sample as a whole. */
  bleed: number;
  /** Log factor of genes that the condition raises in all types. */
  condition?: number;
  seed: number;
}

const TABLE_BITS = 20;
/** Share of the genes that mark a type, and their log factor. */
const [MARKED, RAISED] = [0.04, 2];
/** Share of the genes that a condition raises. */
const OF_CONDITION = 0.05;

/**
 * Fields of a sample whose cells have known types, as far as a joint space reads them: counts are multinomial from the
 * profile of the type, which is the same in all samples but for the batch's factor of each gene.
 */
export async function writeSimulatedSample(folder: string, sample: SimulatedSample): Promise<void> {
  const { cells, genes, shares, umis, seed } = sample;
  const tables = tablesOf(sample);
  const random = new Random(1000 + seed);
  const typeOf = Int32Array.from({ length: cells }, () => draw(shares, random));
  const indptr = new Uint32Array(cells + 1);
  let indices = new Uint32Array(cells * Math.ceil(umis / 2));
  let data = new Float32Array(indices.length);
  let size = 0;
  for (let cell = 0; cell < cells; cell++) {
    const total = Math.max(1, Math.round((umis * random.gamma(4)) / 4));
    if (size + total > indices.length) {
      const room = Math.ceil(1.5 * (size + total));
      const [moreIndices, moreData] = [new Uint32Array(room), new Float32Array(room)];
      moreIndices.set(indices);
      moreData.set(data);
      [indices, data] = [moreIndices, moreData];
    }
    size = addCell(tables[typeOf[cell]], total, random, { indices, data, size });
    indptr[cell + 1] = size;
  }
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const target = join(folder, stepFolder(FIELDS[key].step));
    await mkdir(target, { recursive: true });
    await writeField(target, key, value);
  };
  const names = Array.from({ length: genes }, (_, gene) => `G${gene}`);
  await put("genes/id", names);
  await put("genes/name", names);
  await put(
    "types/name",
    Array.from(shares, (_, type) => `Type ${type}`),
  );
  await put("cells/cell_type", typeOf);
  await put("cells/xy", {
    ...{ nRows: cells, nCols: 2 },
    // Rows of twenty, 10 px apart.
    data: Float32Array.from({ length: 2 * cells }, (_, at) =>
      at % 2 === 0 ? 10 * ((at / 2) % 20) : 10 * Math.floor(at / 40),
    ),
  });
  await put("cells/counts", {
    ...{ nRows: cells, nCols: genes, indptr },
    indices: indices.subarray(0, size),
    data: data.subarray(0, size),
  });
}

/** For each type, genes by their shares of its counts: a draw is a look into the table. */
function tablesOf(sample: SimulatedSample): Uint16Array[] {
  const { genes, shares, batch, bleed, condition = 0, seed } = sample;
  const [common, own] = [new Random(7), new Random(seed)];
  const level = Float64Array.from({ length: genes }, () => Math.exp(1.5 * common.normal()));
  const isRaised = Array.from({ length: genes }, () => common.uniform() < OF_CONDITION);
  const factor = level.map(
    (value, gene) => value * Math.exp(batch * own.normal() + (isRaised[gene] ? condition : 0)),
  );
  const profiles = Array.from(shares, () =>
    normalized(factor.map((value) => value * Math.exp(common.uniform() < MARKED ? RAISED : 0))),
  );
  const mean = new Float64Array(genes);
  profiles.forEach((profile, type) =>
    profile.forEach((value, gene) => (mean[gene] += shares[type] * value)),
  );
  const whole = normalized(mean);
  return profiles.map((profile) => {
    const table = new Uint16Array(1 << TABLE_BITS);
    let [at, sum] = [0, 0];
    profile.forEach((value, gene) => {
      sum += (1 - bleed) * value + bleed * whole[gene];
      const to = gene === genes - 1 ? table.length : Math.round(sum * table.length);
      table.fill(gene, at, to);
      at = Math.max(at, to);
    });
    return table;
  });
}

function addCell(
  table: Uint16Array,
  total: number,
  random: Random,
  { indices, data, size }: { indices: Uint32Array; data: Float32Array; size: number },
): number {
  const drawn = new Uint16Array(total);
  for (let i = 0; i < total; i++) drawn[i] = table[random.uint32() >>> (32 - TABLE_BITS)];
  drawn.sort();
  let last = -1;
  for (const gene of drawn) {
    if (gene !== last) {
      indices[size] = last = gene;
      data[size++] = 0;
    }
    data[size - 1]++;
  }
  return size;
}

function normalized(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

function draw(shares: readonly number[], random: Random): number {
  let left = random.uniform() * shares.reduce((sum, share) => sum + share, 0);
  for (const [type, share] of shares.entries()) if ((left -= share) < 0) return type;
  return shares.length - 1;
}

import { open, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { pause } from "../../engine/pause.ts";
import { InputError } from "../../errors.ts";
import { faultOfContent, HEAD_BYTES } from "../content-kind.ts";
import { announcedBytes } from "@stipple/formats/hdf5/announced-bytes";
import { faultOfDataset, itemAt, openH5 } from "@stipple/formats/hdf5/open-h5";
import { unknownCompression } from "@stipple/formats/hdf5/filters";
import { Dataset, type H5File } from "@stipple/formats/hdf5/library";
import { WholeNumbers } from "@stipple/formats/hdf5/numbers";
import { holdsTexts, numbersOf, textsOf, type Numbers } from "@stipple/formats/hdf5/values";
import {
  type CountMatrix,
  type Entries,
  type FeatureType,
  type Genes,
  type ReadCountsOptions,
  rowsOfKept,
  selectGenes,
  SparseBuilder,
  TOO_MANY_UMIS,
} from "../counts/count-matrix.ts";
import { faultOfFeatures } from "../counts/feature-faults.ts";
import { type GenomeCounts, joinGenomes, keepAlike } from "../counts/join-genomes.ts";
import { FROM_SPACE_RANGER, type MatrixGroup, matrixGroups } from "./h5-matrix-groups.ts";

/**
 * Approximate number of counts read at a time: 8 bytes of index and 4 of value each. More would not stay in the
 * CPU cache.
 */
const SLICE = 1 << 19;

/**
 * Reads counts from a 10x HDF5 file: /matrix of Cell Ranger 3 and later, or one group for each genome before.
 * Half a million counts are read at a time. Throws {@link InputError}.
 */
export async function readH5Matrix(path: string, options: ReadCountsOptions): Promise<CountMatrix> {
  return withH5File(path, async (h5, facts) => {
    const groups = matrixGroups(h5, facts.file);
    const genomes = groups.map(({ name }) => name);
    const keep =
      groups.length > 1 ? keepAlike(options.keep, { file: facts.file, genomes }) : options.keep;
    const genomeCounts: GenomeCounts[] = [];
    for (const [i, group] of groups.entries()) {
      const progress = (fraction: number): void =>
        options.progress?.((i + fraction) / groups.length);
      const parts = new H5Parts(group, facts, options.features);
      const counts = await readGroup(parts, { ...options, keep, progress });
      genomeCounts.push({ genome: group.name, counts });
    }
    return joinGenomes(genomeCounts, facts.file, options.warn);
  });
}

async function readGroup(parts: H5Parts, options: ReadCountsOptions): Promise<CountMatrix> {
  const { genes, nBarcodes } = parts;
  const barcodes = parts.barcodesOf(0, nBarcodes);
  const indptr = parts.startsOf(0, nBarcodes);
  const keep = options.keep(barcodes);
  const { rowOf, nKept } = rowsOfKept(keep);
  let capacity = 0;
  for (let i = 0; i < keep.length; i++) if (keep[i]) capacity += indptr[i + 1] - indptr[i];
  const builder = new SparseBuilder(nKept, genes.id.length, capacity);
  /** Adds the entries of barcode `i` among those from `start` on. */
  const addBarcode = (i: number, entries: Entries, start: number, end: number): void => {
    const [from, to] = [Math.max(start, indptr[i]), Math.min(end, indptr[i + 1])];
    if (rowOf[i] < 0 || from >= to) return;
    const k = builder.addRun(rowOf[i], entries, from - start, to - start, genes.geneOf);
    if (k === to - start) return;
    const { features, featureStride, values, valueStride } = entries;
    parts.refuse(features[k * featureStride], values[k * valueStride], barcodes[i]);
  };
  const total = indptr[nBarcodes];
  let barcode = 0;
  for (let start = 0; start < total; start += parts.window) {
    const end = Math.min(total, start + parts.window);
    const entries = await parts.entries(start, end);
    while (indptr[barcode + 1] < end) addBarcode(barcode++, entries, start, end);
    // Its entries may go on in the next window.
    addBarcode(barcode, entries, start, end);
    options.progress?.(end / total);
    await pause(options.signal);
  }
  const { counts, duplicate, isDisturbed } = builder.finish();
  if (duplicate)
    parts.fail(`has two counts for the gene ${genes.symbol[duplicate.col]} in one spot`);
  if (isDisturbed) parts.fail("is damaged (a few of its counts are out of order)");
  return { barcode: barcodes.filter((_, i) => keep[i] === 1), genes, counts };
}

/** Barcodes, number of features, and number of counts other than 0 of an H5 matrix, without its counts. */
export async function readH5Outline(
  path: string,
): Promise<{ barcodes: string[]; nFeatures: number; nCounts: number }> {
  return withH5File(path, (h5, facts) => {
    const all = matrixGroups(h5, facts.file).map((group) => new H5Parts(group, facts));
    return Promise.resolve({
      barcodes: all[0].barcodesOf(0, all[0].nBarcodes),
      nFeatures: all.reduce((sum, { genes }) => sum + genes.geneOf.length, 0),
      nCounts: all.reduce((sum, parts) => sum + parts.startsOf(0, parts.nBarcodes).at(-1)!, 0),
    });
  });
}

/**
 * Opens a 10x HDF5 file, passes it to `use`, and closes it. Throws {@link InputError} if it is truncated or
 * damaged.
 */
export async function withH5File<T>(
  path: string,
  use: (h5: H5File, facts: H5Facts) => Promise<T>,
): Promise<T> {
  const file = basename(path);
  const size = await requireWhole(path);
  const handle = await open(path, "r");
  let opened: Awaited<ReturnType<typeof openH5>> | null = null;
  try {
    opened = await openH5(path);
    return await use(opened.h5, { file, size, handle });
  } catch (cause) {
    if (cause instanceof Error && ["InputError", "CancelledError"].includes(cause.name))
      throw cause;
    throw new InputError(`${file} is damaged: copy or upload it again.`, { cause });
  } finally {
    opened?.close();
    await handle.close();
  }
}

/** The file's size. Rejects anything but HDF5, and a file shorter than its own superblock says. */
async function requireWhole(path: string): Promise<number> {
  const file = basename(path);
  await using handle = await open(path, "r");
  const { size } = await handle.stat();
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  const fault = faultOfContent(file, head, {
    kinds: ["hdf5"],
    what: "the matrix",
    remedy: FROM_SPACE_RANGER,
  });
  if (fault !== null) throw new InputError(fault);
  if (head.toString("latin1", 1, 4) !== "HDF") {
    throw new InputError(
      `${file} has a header of another program (such as MATLAB) before its HDF5 content: ${FROM_SPACE_RANGER}.`,
    );
  }
  if (head.length < 64) throw new InputError(`${file} is damaged: copy or upload it again.`);
  const announced = announcedBytes(head);
  if (announced > size) {
    throw new InputError(
      `${file} is incomplete: it has ${size} of ${announced} bytes; copy or upload it again.`,
    );
  }
  return size;
}

/** Name and size of an open file, and its raw handle. */
export interface H5Facts {
  file: string;
  size: number;
  handle: FileHandle;
}

/** The parts of a 10x HDF5 file, located and validated; no counts have been read yet. */
export class H5Parts {
  readonly genes: Genes;
  readonly nBarcodes: number;
  readonly nEntries: number;
  readonly barcodes: Dataset;
  readonly indptr: Dataset;
  readonly indices: Dataset;
  readonly data: Dataset;
  readonly #file: string;
  readonly #announced: string;
  readonly #features: WholeNumbers;
  readonly #counts: WholeNumbers;

  constructor(
    { name, group }: MatrixGroup,
    { file, size, handle }: H5Facts,
    wanted: FeatureType = "Gene Expression",
  ) {
    this.#file = file;
    const found = (part: string): Dataset | null => {
      const item = itemAt(group, part);
      if (!(item instanceof Dataset)) return null;
      this.#refuseCompression(item);
      const fault = faultOfDataset(item, size);
      return fault === null ? item : this.fail(`cannot be read: its ${part} ${fault}`);
    };
    const strings = (name: string): string[] | null => {
      const item = found(name);
      return item && holdsTexts(item) ? textsOf(item) : null;
    };
    const dataset = (name: string): Dataset =>
      found(name) ?? this.fail(`lacks ${name} in its matrix`);
    this.barcodes = found("barcodes") ?? this.fail("lacks its barcodes");
    if (!holdsTexts(this.barcodes)) this.fail("lacks its barcodes");
    const ids = strings("features/id") ?? strings("genes") ?? this.fail("lacks its genes");
    const symbols = strings("features/name") ?? strings("gene_names") ?? ids;
    const types = strings("features/feature_type") ?? [];
    const genomes = strings("features/genome") ?? (name === "matrix" ? [] : ids.map(() => name));
    if (symbols.length !== ids.length || ![0, ids.length].includes(types.length)) {
      this.fail(
        `names ${ids.length} features, but ${symbols.length} symbols and ${types.length} types`,
      );
    }
    const odd = faultOfFeatures(ids, symbols, types, genomes);
    if (odd !== null) this.fail(odd);
    this.genes =
      selectGenes(ids, symbols, types, genomes, wanted) ??
      this.fail(`has no feature of the type ${wanted}`);
    const shape = exact(numbersOf(dataset("shape")));
    this.#announced = `${shape[0]} × ${shape[1]}`;
    this.indptr = dataset("indptr");
    this.indices = dataset("indices");
    this.data = dataset("data");
    this.nBarcodes = this.barcodes.shape?.[0] ?? 0;
    this.nEntries = this.data.shape?.[0] ?? 0;
    // Rows of barcodes are the same numbers as columns of them; programs differ in which of the two sizes is first.
    const sizes = [ids.length, this.nBarcodes];
    const consistent =
      [sizes.join(), sizes.toReversed().join()].includes(shape.join()) &&
      this.indptr.shape?.[0] === this.nBarcodes + 1 &&
      this.indices.shape?.[0] === this.nEntries;
    if (!consistent && this.indptr.shape?.[0] === ids.length + 1) {
      this.fail(
        "lists its counts gene by gene (CSR) instead of barcode by barcode",
        "save the matrix of genes × barcodes as compressed columns (scipy's tocsc())",
      );
    }
    if (!consistent) this.contradicts();
    this.#features = new WholeNumbers(this.indices, handle);
    this.#counts = new WholeNumbers(this.data, handle);
  }

  /** Barcodes `from` ≤ i < `to`. */
  barcodesOf(from: number, to: number): string[] {
    const whole = from === 0 && to === this.nBarcodes;
    return textsOf(this.barcodes, whole ? undefined : [from, to]);
  }

  /** Start offsets of the counts of barcodes `from` ≤ i < `to`, and the end of the last; exact below 2⁵³. */
  startsOf(from: number, to: number): Float64Array {
    const starts = exact(numbersOf(this.indptr, [[from, to + 1]]));
    const ascend = starts.every((at, i) => i === 0 || at >= starts[i - 1]);
    const whole =
      (from > 0 || starts[0] === 0) && (to < this.nBarcodes || starts.at(-1) === this.nEntries);
    return ascend && whole ? starts : this.contradicts();
  }

  /** Number of entries to read at a time: whole chunks of the file, so that none is unpacked twice. */
  get window(): number {
    const chunk = this.indices.metadata.chunks?.[0] ?? SLICE;
    return chunk * Math.max(1, Math.floor(SLICE / chunk));
  }

  contradicts(): never {
    return this.fail(
      `contradicts itself (${this.#announced} counts declared, ${this.genes.geneOf.length} features, ${this.nBarcodes} barcodes, ${this.nEntries} counts found)`,
    );
  }

  /** Feature rows and counts of entries `start` ≤ k < `end`. Valid until the next call. */
  async entries(start: number, end: number): Promise<Entries> {
    const [features, values] = await Promise.all([
      this.#features.read(start, end),
      this.#counts.read(start, end),
    ]);
    return {
      features: features.numbers,
      featureStride: features.stride,
      values: values.numbers,
      valueStride: values.stride,
    };
  }

  /** Whether an entry is a valid count. */
  isCount(feature: number, value: number): boolean {
    return (
      feature >= 0 &&
      feature < this.genes.geneOf.length &&
      value >= 0 &&
      value < TOO_MANY_UMIS &&
      Number.isInteger(value)
    );
  }

  /** Throws the {@link InputError} for an invalid entry. */
  refuse(feature: number, value: number, barcode: string): never {
    if (!(feature >= 0 && feature < this.genes.geneOf.length)) {
      this.fail(`has a count for feature ${feature}, which it does not list`);
    }
    if (value >= TOO_MANY_UMIS) {
      this.fail(`has ${value} UMIs of one gene for barcode ${barcode}, which is impossible`);
    }
    this.fail(
      `has the value ${value} for barcode ${barcode}`,
      "raw counts (whole numbers) are needed, not normalized values; export the counts before normalization",
    );
  }

  fail(what: string, remedy: string = FROM_SPACE_RANGER): never {
    throw new InputError(`${this.#file} ${what}: ${remedy}.`);
  }

  #refuseCompression(dataset: Dataset): void {
    const unknown = unknownCompression(dataset);
    if (unknown === null) return;
    throw new InputError(
      `${this.#file} is stored with ${unknown} compression, which cannot be read here: save it with gzip (h5repack -f GZIP=4 in.h5 out.h5).`,
    );
  }
}

function exact(value: Numbers): Float64Array {
  return Float64Array.from(value as ArrayLike<number | bigint>, Number);
}

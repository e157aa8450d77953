import { RowPointers } from "../anndata/row-pointers.ts";
import type { RowAppender } from "../anndata/target.ts";
import { CHUNK, type ChunkSpool, type SpooledChunk } from "@stipple/formats/hdf5/write/chunk-spool";

/** Appends to a growing one-dimensional dataset whose chunks are compressed separately. */
export class ValueAppender {
  readonly #spool: ChunkSpool;
  readonly #chunk: Int32Array | Float32Array;
  readonly chunks: SpooledChunk[] = [];
  length = 0;
  /** Indices contain repetitions; in the byte planes of counts and floats, only runs are worth searching for. */
  readonly #areIndices: boolean;

  constructor(spool: ChunkSpool, values: "<i" | "<f", areIndices: boolean) {
    this.#spool = spool;
    this.#areIndices = areIndices;
    this.#chunk = values === "<i" ? new Int32Array(CHUNK) : new Float32Array(CHUNK);
  }

  async append(values: Int32Array | Float32Array): Promise<void> {
    for (let taken = 0; taken < values.length;) {
      const at = this.length % CHUNK;
      const piece = values.subarray(taken, taken + CHUNK - at);
      taken += piece.length;
      this.length += piece.length;
      if (piece.length === CHUNK && piece.constructor === this.#chunk.constructor) {
        await this.#spool.add(piece, this.chunks, this.#areIndices);
        continue;
      }
      this.#chunk.set(piece, at);
      if (this.length % CHUNK === 0)
        await this.#spool.add(this.#chunk, this.chunks, this.#areIndices);
    }
  }

  /** Writes the rest of the last chunk, padded with zeros. */
  async finish(): Promise<void> {
    const rest = this.length % CHUNK;
    if (rest > 0) await this.#spool.add(this.#chunk.fill(0, rest), this.chunks, this.#areIndices);
  }
}

/** Appends rows to a CSR matrix on disk; only the row pointers are kept in memory. */
export class CsrAppender implements RowAppender {
  readonly #indices: ValueAppender;
  readonly #values: ValueAppender;
  readonly #indptr: RowPointers;
  readonly #writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown;

  constructor(
    indices: ValueAppender,
    values: ValueAppender,
    nRows: number,
    writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown,
  ) {
    this.#indices = indices;
    this.#values = values;
    this.#indptr = new RowPointers(nRows);
    this.#writeIndptr = writeIndptr;
  }

  get entries(): number {
    return this.#indptr.entries;
  }

  async append(
    lengths: ArrayLike<number>,
    indices: Int32Array,
    values: Int32Array | Float32Array,
  ): Promise<void> {
    this.#indptr.append(lengths);
    await this.#indices.append(indices);
    await this.#values.append(values);
  }

  async finish(): Promise<void> {
    await this.#indices.finish();
    await this.#values.finish();
    this.#writeIndptr(this.#indptr.finish());
  }
}

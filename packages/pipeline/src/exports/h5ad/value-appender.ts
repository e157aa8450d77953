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

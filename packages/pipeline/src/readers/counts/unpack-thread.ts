import { createReadStream } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createGunzip } from "node:zlib";

/** Input of the thread: a compressed file, and a ring buffer for some pieces of its content. */
export interface UnpackOrder {
  path: string;
  shared: SharedArrayBuffer;
  pieceBytes: number;
  /** A single shared number: how many pieces have been consumed. */
  used: Int32Array;
}

/** Messages from the thread: the bytes of a piece, 0 at the end, or an error. */
export type Unpacked = { bytes: number } | { code: string; message: string };

/**
 * Decompresses a file in parallel with the thread that reads it. Every buffer from zlib is new memory outside
 * the heap, and for every 64 MB of it V8 scans the whole heap; this thread's heap is nearly empty.
 */
const { path, shared, pieceBytes, used } = workerData as UnpackOrder;
const pieces = shared.byteLength / pieceBytes;
let told = 0;
const tell = (what: Unpacked): void => parentPort!.postMessage(what);
const fail = ({ code = "", message }: NodeJS.ErrnoException): void => tell({ code, message });

const gunzip = createGunzip({ chunkSize: pieceBytes });
createReadStream(path, { highWaterMark: pieceBytes }).once("error", fail).pipe(gunzip);
gunzip.once("error", fail);
gunzip.once("end", () => tell({ bytes: 0 }));
gunzip.on("data", (piece: Buffer) => {
  for (let before; told - (before = Atomics.load(used, 0)) >= pieces;) {
    Atomics.wait(used, 0, before);
  }
  new Uint8Array(shared, (told++ % pieces) * pieceBytes, piece.length).set(piece);
  tell({ bytes: piece.length });
});

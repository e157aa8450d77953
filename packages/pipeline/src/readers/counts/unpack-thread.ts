import { createReadStream } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createGunzip } from "node:zlib";

/** What the thread is given: a packed file, and room for some pieces of its content, used in turns. */
export interface UnpackOrder {
  path: string;
  room: SharedArrayBuffer;
  pieceBytes: number;
  /** One number, shared: how many pieces are no longer needed. */
  used: Int32Array;
}

/** What the thread tells: the bytes of a piece, 0 at the end, or what is wrong. */
export type Unpacked = { bytes: number } | { code: string; message: string };

/**
 * Unpacks a file beside the thread that reads it. All that zlib hands out is new memory outside of the heap, and every 64 MB of it V8 looks
 * through the whole heap: this thread's is nearly empty.
 */
const { path, room, pieceBytes, used } = workerData as UnpackOrder;
const pieces = room.byteLength / pieceBytes;
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
  new Uint8Array(room, (told++ % pieces) * pieceBytes, piece.length).set(piece);
  tell({ bytes: piece.length });
});

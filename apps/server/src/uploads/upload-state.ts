import type { Selectable } from "kysely";
import type { Schema } from "../db/schema.ts";
import { chunksDigest } from "../outputs/content.ts";

/*
 * How a file gets into a slot. The slot's row and its chunks' rows hold the state; `decide` says what follows from a
 * chunk, and nothing else does.
 *
 *            first chunk                  last chunk stored               passes the check
 *   empty ───────────────────► arriving ────────────────────► checking ────────────────────► complete
 *     ▲                        │  ▲   ▲                        │ │  │
 *     │                        └──┘   └── contradicts: start ──┘ │  └─ its process dies: another takes over
 *     │             contradicts: start                           │
 *     └── the storage has dropped the upload, or removed ────────┴─ fails the check: dropped, with the reason
 *
 * A complete file stays in place, and in use, until another is complete: `complete` then leads to `arriving` as `empty`
 * does. Its first chunk, sent again without a digest, may be that of another file that begins alike: a file arrives anew,
 * and counts as the complete one until it differs. `accept-chunk.ts` carries out what is decided, `check-incoming.ts`
 * checks whole files.
 *
 * A chunk's bytes go from memory to their place in the storage, once, and outside any transaction. So a chunk takes two
 * short ones: the first records its hash, so that no other bytes are written to its place, the second that it is stored.
 */

export type SlotRow = Selectable<Schema["uploads"]>;
export type ChunkRow = Pick<
  Selectable<Schema["upload_chunks"]>,
  "chunk" | "size" | "sha256" | "tag"
>;

/** An upload in parts that was begun at the storage. */
export interface PartUpload {
  key: string;
  uploadId: string;
}

/** A file that is in place and in use. */
export interface Complete {
  at: "complete";
  fileName: string | null;
  hashes: readonly string[];
  chunks: number | null;
  size: number | null;
}

export interface UnderWay {
  /** Also while it is checked. */
  at: "arriving";
  fileName: string;
  chunks: number;
  upload: PartUpload;
  /** Chunks that were announced; those without a tag are not stored yet. */
  parts: readonly ChunkRow[];
  /** The file that it will replace. */
  before: Complete | null;
}

export type Slot = { at: "empty" } | UnderWay | Complete;

/** What a chunk says about itself and its file. */
export interface SentChunk {
  fileName: string;
  /** 0 … chunks − 1. */
  chunk: number;
  chunks: number;
  size: number;
  /** Hex SHA-256 of its bytes. */
  sha256: string;
  /** What the sender expects of the whole file (see `chunksDigest`); empty while it has more to send. */
  fileSha256?: string;
}

/** How sending a chunk's bytes to the upload with this key ended; without a tag, the storage did not know the upload. */
export interface Sent {
  key: string;
  tag: string | null;
}

export type Next =
  /** The chunk begins a file; one under way is dropped. */
  | { to: "start" }
  /** Its bytes belong into this upload. */
  | { to: "store"; upload: PartUpload }
  /** The file with this key is whole, or no longer under way: its verdict is the answer. */
  | { to: "check"; key: string }
  /** The file under way must be sent again. */
  | { to: "drop" }
  | { to: "answer" };

/** What follows from a chunk; `sent` = its bytes were sent to the storage. */
export function decide(slot: Slot, chunk: SentChunk, sent: Sent | null): Next {
  if (sent && (!isUnderWay(slot) || slot.upload.key !== sent.key)) {
    return { to: "check", key: sent.key };
  }
  if (slot.at === "empty") return { to: "start" };
  if (slot.at === "complete") {
    const mayDifferLater = chunk.chunk === 0 && chunk.chunks > 1 && chunk.fileSha256 === undefined;
    return { to: isRepeat(slot, chunk) && !mayDifferLater ? "answer" : "start" };
  }
  const { upload, parts } = slot;
  const isStored = stored(parts).length === slot.chunks;
  // A completed upload takes no more chunks.
  if (sent?.tag === null) return isStored ? { to: "check", key: upload.key } : { to: "drop" };
  if (slot.fileName !== chunk.fileName || slot.chunks !== chunk.chunks) return { to: "start" };
  const known = parts.find((part) => part.chunk === chunk.chunk);
  const others = parts.filter((part) => part !== known);
  if (known && known.sha256 !== chunk.sha256) return { to: "start" };
  if (!mayBe(hashesOf([...others, chunk]), chunk)) return { to: "start" };
  if (!known || known.tag === null) return { to: "store", upload };
  return isStored && chunk.fileSha256 !== "" ? { to: "check", key: upload.key } : { to: "answer" };
}

export function isUnderWay(slot: Slot): slot is UnderWay {
  return slot.at === "arriving";
}

function isRepeat(file: Complete, chunk: SentChunk): boolean {
  return (
    file.fileName === chunk.fileName &&
    file.chunks === chunk.chunks &&
    file.hashes[chunk.chunk] === chunk.sha256 &&
    mayBe(file.hashes, chunk)
  );
}

/** Whether all chunks so far are those of the complete file. */
function isRepeated({ before, fileName, chunks, parts }: UnderWay): boolean {
  return (
    before !== null &&
    before.fileName === fileName &&
    before.chunks === chunks &&
    parts.every(({ chunk, sha256 }) => before.hashes[chunk] === sha256)
  );
}

/** Whether chunks with these hashes may be those of the file that the sender means; an incomplete set always may. */
function mayBe(hashes: readonly string[], { fileSha256, chunks }: SentChunk): boolean {
  return !fileSha256 || hashes.length < chunks || chunksDigest(hashes) === fileSha256;
}

export function stored(parts: readonly ChunkRow[]): ChunkRow[] {
  return parts.filter(({ tag }) => tag !== null);
}

export function hashesOf(chunks: readonly { chunk: number; sha256: string }[]): string[] {
  return chunks.toSorted((a, b) => a.chunk - b.chunk).map(({ sha256 }) => sha256);
}

/** A slot as its owner sees it. `chunks` is null until something has been sent. */
export interface SlotState {
  fileName: string | null;
  received: number[];
  chunks: number | null;
  complete: boolean;
  size: number | null;
  /** Hex SHA-256 of each received chunk; empty where they are not known. */
  sha256: string[];
}

/** A sender with a digest knows whether it means the complete file. */
export function slotState(slot: Slot, sender?: SentChunk): SlotState {
  if (slot.at === "empty") {
    return { fileName: null, received: [], chunks: null, complete: false, size: null, sha256: [] };
  }
  if (isUnderWay(slot) && slot.before && sender?.fileSha256 === undefined && isRepeated(slot)) {
    return slotState(slot.before);
  }
  const { fileName, chunks } = slot;
  if (slot.at === "complete") {
    const received = Array.from({ length: chunks ?? 0 }, (_, index) => index);
    return {
      fileName,
      received,
      chunks,
      complete: true,
      size: slot.size,
      sha256: [...slot.hashes],
    };
  }
  const arrived = stored(slot.parts);
  return {
    fileName,
    received: arrived.map(({ chunk }) => chunk),
    chunks,
    complete: false,
    size: null,
    sha256: arrived.map(({ sha256 }) => sha256),
  };
}

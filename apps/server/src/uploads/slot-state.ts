import type { Selectable } from "kysely";
import type { UploadChunksTable, UploadsTable } from "../db/schema.ts";

/** Progress of a slot's upload. `chunks` is null until something has been sent. */
export interface SlotState {
  fileName: string | null;
  received: number[];
  chunks: number | null;
  complete: boolean;
  size: number | null;
  /** Hex SHA-256 of each received chunk; empty where they are not known. */
  sha256: string[];
}

export type SlotRow = Selectable<UploadsTable>;
export type ChunkRow = Pick<Selectable<UploadChunksTable>, "chunk" | "size" | "sha256" | "tag">;

export const EMPTY_SLOT: SlotState = {
  fileName: null,
  received: [],
  chunks: null,
  complete: false,
  size: null,
  sha256: [],
};

export function incomingState(row: SlotRow, arrived: readonly ChunkRow[]): SlotState {
  return {
    fileName: row.incoming_name,
    received: arrived.map((each) => each.chunk),
    chunks: row.incoming_chunks,
    complete: false,
    size: null,
    sha256: arrived.map((each) => each.sha256),
  };
}

export function completeState(
  row: Pick<SlotRow, "file_name" | "chunks" | "size" | "chunk_hashes">,
): SlotState {
  return {
    fileName: row.file_name,
    received: Array.from({ length: row.chunks ?? 0 }, (_, index) => index),
    chunks: row.chunks,
    complete: true,
    size: row.size === null ? null : Number(row.size),
    sha256: row.chunk_hashes ?? [],
  };
}

export function hashesOf(chunks: readonly { chunk: number; sha256: string }[]): string[] {
  return chunks.toSorted((a, b) => a.chunk - b.chunk).map((each) => each.sha256);
}

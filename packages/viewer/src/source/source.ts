import type {
  ProteinColumn,
  ViewerColumn,
  ViewerManifest,
} from "@stipple/contract/viewer-manifest";
import type { ColumnArray } from "./columns.ts";

/**
 * Where a view's data come from: a server, a folder, or memory. The view knows nothing else about them. Failures that
 * asking again would not mend carry the status of an HTTP refusal (`isFinal`).
 */
export interface ViewSource {
  /** What there is: sizes, groups, columns, tiles. */
  readonly manifest: ViewerManifest;
  /** One value per cell, spot, or gene, in an array of the caller's own. Throws if the manifest has no such column. */
  column(name: ViewerColumn | ProteinColumn, signal?: AbortSignal): Promise<ColumnArray>;
  /** A tile of the tissue's DeepZoom pyramid. */
  tile(path: string, signal?: AbortSignal): Promise<ImageBitmap>;
  /** Bytes `from` ≤ b < `to` of a file of outlines. */
  range(path: string, from: number, to: number, signal?: AbortSignal): Promise<ArrayBuffer>;
  /** A whole file of the channels' OME-Zarr pyramid; undefined if there is none. */
  file(path: string, signal?: AbortSignal | null): Promise<Uint8Array | undefined>;
}

/** Whether asking again would fail the same way: the request was refused, or given up. */
export function isFinal(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === "number" ? status < 500 : isAbort(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

import type { Exchange } from "./reverse-proxy.ts";

/** Traffic to and from a bucket. */
export interface MovedBytes {
  /** Objects created, by a single request or by completing a multipart upload. */
  written: number;
  writtenBytes: number;
  /** Requests for an object or a range of one. */
  reads: number;
  readBytes: number;
  /** Everything else: HEAD, list, delete, starting uploads, and parts. */
  otherRequests: number;
}

export const nothingMoved = (): MovedBytes => ({
  written: 0,
  writtenBytes: 0,
  reads: 0,
  readBytes: 0,
  otherRequests: 0,
});

/** Adds a request for a bucket at a path-style address. */
export function addExchange(moved: MovedBytes, { method, path, sent, received }: Exchange): void {
  const { pathname, searchParams } = new URL(path, "http://bucket");
  const isOfObject = pathname.split("/").filter(Boolean).length > 1;
  const isPart = searchParams.has("partNumber");
  if (method === "GET" && isOfObject) {
    moved.reads++;
    moved.readBytes += received;
  } else if (method === "PUT" && isOfObject) {
    moved.writtenBytes += sent;
    if (isPart) moved.otherRequests++;
    else moved.written++;
  } else if (method === "POST" && searchParams.has("uploadId")) {
    moved.written++;
  } else {
    moved.otherRequests++;
  }
}

import type { FastifyRequest } from "fastify";
import type { FileAnswer } from "../http/route-adapter.ts";
import type { ObjectInfo, Storage } from "./storage.ts";

/**
 * Answers with a stored object: ETag and Last-Modified, 304 when the caller has it, 206 for one byte range.
 * `null` when there is no such object.
 */
export async function fileAnswer(
  storage: Storage,
  key: string,
  contentType: string,
  request: FastifyRequest,
): Promise<FileAnswer | null> {
  const info = await storage.stat(key);
  if (!info) return null;
  const etag = `"${stampOf(info)}"`;
  const headers: Record<string, string | number> = {
    etag,
    "last-modified": info.modified.toUTCString(),
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-type": contentType,
  };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: null };
  // A part of what the caller has of an earlier state is of no use to it.
  const condition = request.headers["if-range"];
  const range =
    condition === undefined || condition === etag
      ? byteRange(request.headers.range, info.size)
      : undefined;
  if (range) {
    return {
      status: 206,
      headers: {
        ...headers,
        "content-range": `bytes ${range.start}-${range.end}/${info.size}`,
        "content-length": range.end - range.start + 1,
      },
      body: await storage.get(key, range),
    };
  }
  return {
    status: 200,
    headers: { ...headers, "content-length": info.size },
    body: await storage.get(key),
  };
}

/** Changes whenever the object does. */
export function stampOf({ size, modified }: ObjectInfo): string {
  return `${size.toString(36)}-${modified.getTime().toString(36)}`;
}

/** A single satisfiable range of RFC 9110; anything else is ignored, as the standard allows, and the whole is sent. */
function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(size - 1, Number(match[2]));
  return start <= end && start < size ? { start, end } : undefined;
}

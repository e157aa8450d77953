import { reducedImage } from "@stipple/pipeline/readers/images/reduced-image";
import type { FastifyRequest } from "fastify";
import type { FileAnswer } from "../http/route-adapter.ts";
import { stampOf } from "../storage/file-answer.ts";
import type { Storage } from "../storage/storage.ts";

/** Answers with a stored image as WebP, at most `widthPx` wide; 304 when the caller has it. `null` when there is none. */
export async function reducedAnswer(
  storage: Storage,
  key: string,
  widthPx: number,
  request: FastifyRequest,
): Promise<FileAnswer | null> {
  const info = await storage.stat(key);
  if (!info) return null;
  const headers = {
    etag: `"${stampOf(info)}-${widthPx}"`,
    "last-modified": info.modified.toUTCString(),
    "cache-control": "private, no-cache",
    "content-type": "image/webp",
  };
  if (request.headers["if-none-match"] === headers.etag)
    return { status: 304, headers, body: null };
  const bytes = await reducedImage(await storage.get(key), widthPx);
  return { status: 200, headers: { ...headers, "content-length": bytes.length }, body: bytes };
}

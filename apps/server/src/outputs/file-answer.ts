import type { FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { matchesEtag } from "../http/matches-etag.ts";
import type { FileAnswer } from "../http/route-adapter.ts";
import type { Outputs, StoredFile } from "./read.ts";
import { FIGURE_PARTS_HEADER, figurePartText } from "@stipple/contract/figure-parts";

/** Responds with a published file: ETag and Last-Modified, 304 when the caller has it, 206 for one byte range. */
export async function fileAnswer(
  outputs: Outputs,
  file: StoredFile,
  contentType: string,
  request: FastifyRequest,
): Promise<FileAnswer> {
  const etag = `"${file.sha256}"`;
  const headers: Record<string, string | number> = {
    ...cacheHeaders(file, etag),
    "accept-ranges": "bytes",
    "content-type": contentType,
  };
  if (matchesEtag(request, etag)) return { status: 304, headers, body: null };
  const range = askedRange(request, etag, file.size);
  return rangedAnswer({ ...file, etag }, headers, range, await outputs.open(file, range));
}

/** All of a body, or the part of it that was asked for. */
export function rangedAnswer(
  { size, etag }: { size: number; etag: string },
  headers: FileAnswer["headers"],
  range: { start: number; end: number } | undefined,
  body: FileAnswer["body"],
): FileAnswer {
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${size}` }),
      "content-length": range ? range.end - range.start + 1 : size,
      "accept-ranges": "bytes",
      etag,
    },
    body,
  };
}

/** The part that a request asks for; undefined if all is to be sent. Throws range_beyond_end, or file_changed. */
export function askedRange(
  { headers }: FastifyRequest,
  etag: string,
  size: number,
): { start: number; end: number } | undefined {
  const wanted = headers["if-match"]?.split(",").map((tag) => tag.trim());
  // Browsers that load a large file in several parts at once would join parts of two versions.
  if (wanted && !wanted.includes(etag) && !wanted.includes("*")) throw new ApiError("file_changed");
  const condition = headers["if-range"];
  // A caller with part of an earlier version cannot use part of this one.
  return condition === undefined || condition === etag ? byteRange(headers.range, size) : undefined;
}

/** Headers that let a browser cache a file and revalidate it. */
export function cacheHeaders(file: StoredFile, etag: string): Record<string, string> {
  return {
    etag,
    "last-modified": file.publishedAt.toUTCString(),
    "cache-control": "private, no-cache",
  };
}

/** A single range of RFC 9110; anything else is ignored, as the standard allows, and the whole is sent. */
function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(size - 1, Number(match[2]));
  if (match[1] !== "" && match[2] !== "" && Number(match[2]) < start) return undefined;
  // A client that resumes a complete file must not get all of it again.
  if (size > 0 && start >= size)
    throw new ApiError("range_beyond_end", undefined, { fileSize: size });
  return start <= end ? { start, end } : undefined;
}

/** Responds with a published image as WebP, at most `widthPx` wide; 304 when the caller has it. */
export async function reducedAnswer(
  outputs: Outputs,
  file: StoredFile,
  widthPx: number,
  request: FastifyRequest,
): Promise<FileAnswer> {
  const etag = `"${file.sha256}-${widthPx}"`;
  const headers = { ...cacheHeaders(file, etag), "content-type": "image/webp" };
  if (matchesEtag(request, etag)) return { status: 304, headers, body: null };
  // libvips is loaded by the first who needs it.
  const { reducedImage } = await import("@stipple/pipeline/reduced-image");
  const { bytes, parts } = await reducedImage(await outputs.open(file), widthPx);
  return {
    status: 200,
    headers: {
      ...headers,
      ...(parts && {
        [FIGURE_PARTS_HEADER]: `${figurePartText(parts.tissue)} ${figurePartText(parts.key)}`,
      }),
      "content-length": bytes.length,
    },
    body: bytes,
  };
}

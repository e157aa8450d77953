import { FIGURE_PARTS_HEADER, figurePartText } from "@stipple/contract/figure-parts";
import type { FastifyRequest } from "fastify";
import type { FileAnswer } from "../http/route-adapter.ts";
import { cacheHeaders } from "./file-answer.ts";
import type { Outputs, StoredFile } from "./read.ts";

/** Responds with a published image as WebP, at most `widthPx` wide; 304 when the caller has it. */
export async function reducedAnswer(
  outputs: Outputs,
  file: StoredFile,
  widthPx: number,
  request: FastifyRequest,
): Promise<FileAnswer> {
  const etag = `"${file.sha256}-${widthPx}"`;
  const headers = { ...cacheHeaders(file, etag), "content-type": "image/webp" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: null };
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

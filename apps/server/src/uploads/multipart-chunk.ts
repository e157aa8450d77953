import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished, pipeline } from "node:stream/promises";
import type { MultipartFile } from "@fastify/multipart";
import { CHUNK_BYTES } from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { isBlank, isOneLine } from "../http/one-line.ts";
import type { PartSource } from "../storage/storage.ts";
import { takeChunkMemory, type ChunkMemory } from "./chunk-memory.ts";
import type { SentChunk } from "./upload-state.ts";
import { freeYoungGarbage } from "./young-garbage.ts";

/** A received chunk; its bytes are available until it is disposed of. */
export interface ReceivedChunk extends SentChunk, AsyncDisposable {
  source: PartSource;
}

/** The largest number that {@link wholeNumber} takes. */
const MAX_CHUNKS = 9_999_999;

interface ReceivedFile {
  name: string;
  size: number;
  sha256: string;
}

/**
 * Receives one multipart chunk and checks everything that can be checked in isolation. The chunk is held in memory, so
 * that its bytes are written only once, to their place in the storage, when its fields and hash are known; a bucket
 * needs them again if a part must be resent. If more than a few chunks arrive at a time, the others go through a file.
 */
export async function receiveChunk(
  request: FastifyRequest,
  folder: string,
): Promise<ReceivedChunk> {
  if (!request.isMultipart()) {
    throw new ApiError(
      "upload_chunk_invalid",
      "Send a chunk as multipart form data with the fields file, chunk, and chunks.",
    );
  }
  const memory = takeChunkMemory();
  const path = join(folder, `${randomUUID()}.chunk`);
  const dispose = async (): Promise<void> => {
    if (memory) memory[Symbol.dispose]();
    else await rm(path, { force: true });
  };
  try {
    const fields = new Map<string, string>();
    let file: ReceivedFile | undefined;
    for await (const part of request.parts()) {
      if (part.type === "field") fields.set(part.fieldname, String(part.value));
      else file = await receiveFile(part, memory, path);
    }
    const chunk = checkChunk(fields, file);
    const source = memory ? memory.bytes() : { path, size: chunk.size };
    return { ...chunk, source, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    // Read and discard the rest of the body: a caller that is still sending would never receive our response.
    request.raw.unpipe();
    request.raw.resume();
    await dispose();
    if (!isBrokenForm(error)) throw error;
    throw new ApiError(
      "upload_chunk_invalid",
      "The multipart form is damaged or incomplete. Send the chunk again.",
      { cause: error },
    );
  }
}

/** The form's parser throws plain errors; those of the disk and the line have a code, ours a class. */
function isBrokenForm(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !("code" in error);
}

async function receiveFile(
  { file, filename }: MultipartFile,
  memory: ChunkMemory | null,
  path: string,
): Promise<ReceivedFile> {
  if (!memory) await mkdir(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  let size = 0;
  // From here on bytes flow: nothing may be awaited before they have somewhere to go.
  file.on("data", (bytes: Buffer) => {
    size += bytes.length;
    hash.update(bytes);
    memory?.add(bytes);
  });
  await (memory ? finished(file) : pipeline(file, createWriteStream(path)));
  freeYoungGarbage();
  if (file.truncated || size > CHUNK_BYTES) {
    throw new ApiError("upload_too_large", `A chunk can have at most ${CHUNK_BYTES} bytes.`);
  }
  return { name: filename, size, sha256: hash.digest("hex") };
}

function checkChunk(
  fields: ReadonlyMap<string, string>,
  file: ReceivedFile | undefined,
): SentChunk {
  const invalid = (message: string): ApiError => new ApiError("upload_chunk_invalid", message);
  if (!file) throw invalid("The field file is missing: it must contain the chunk's bytes.");
  if (isBlank(file.name) || file.name.length > 255 || !isOneLine(file.name)) {
    throw invalid("The file's name must have 1 to 255 characters and no control characters.");
  }
  const chunk = wholeNumber(fields.get("chunk"));
  const chunks = wholeNumber(fields.get("chunks"));
  if (chunks === undefined || chunks < 1) {
    throw invalid(
      `The field chunks must be the number of chunks of the file, a whole number from 1 to ${MAX_CHUNKS}.`,
    );
  }
  if (chunk === undefined || chunk >= chunks) {
    throw invalid(
      `The field chunk must be a whole number from 0 to ${chunks - 1}, the index of this chunk.`,
    );
  }
  if (file.size === 0) {
    throw invalid(
      `The chunk ${chunk} of ${file.name} is empty. Nothing was lost: check that the file is not empty and send the chunk again.`,
    );
  }
  if (chunk < chunks - 1 && file.size !== CHUNK_BYTES) {
    throw invalid(
      `The chunk ${chunk} of ${file.name} has ${file.size} bytes; every chunk except the last must have ${CHUNK_BYTES}. Send it again.`,
    );
  }
  const expected = fields.get("sha256")?.toLowerCase();
  if (expected !== undefined && expected !== file.sha256) {
    throw new ApiError(
      "upload_chunk_damaged",
      `The chunk ${chunk} of ${file.name} was damaged in transit (its SHA-256 differs). Send it again.`,
    );
  }
  const fileSha256 = fields.get("file_sha256")?.toLowerCase();
  return {
    fileName: file.name,
    chunk,
    chunks,
    size: file.size,
    sha256: file.sha256,
    ...(fileSha256 === undefined ? {} : { fileSha256 }),
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

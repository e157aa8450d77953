import type { Problem } from "@stipple/contract/errors/problem";
import { uploadChunk, uploadedChunks } from "@stipple/contract/routes/uploads";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { api, ApiError, apiUrl, bearerHeader, NetworkError, type Answer } from "../../app/api.ts";
import { announceSessionExpired } from "../../app/session-events.ts";
import type { ChunkToSend, UploadTransport } from "./send-file.ts";

/** Where a slot's file is found in the API. */
export function address(projectId: string, slot: UploadSlot) {
  return {
    params: { group: slot.group },
    query: { project_id: projectId, ...(slot.part ? { type: slot.part } : {}) },
  };
}

/** Silence after which a connection counts as lost: while bytes are being sent, and while the server processes them. */
const LOST_AFTER_MS = 60_000;
const LOST_ANSWER_AFTER_MS = 300_000;

/** Sends one chunk as multipart form data. XMLHttpRequest, because fetch does not report upload progress. */
function sendChunk(chunk: ChunkToSend): Promise<Answer<typeof uploadChunk>> {
  const { projectId, slot, fileName, bytes, index, chunks, onBytes, signal } = chunk;
  const form = new FormData();
  form.set("chunk", String(index));
  form.set("chunks", String(chunks));
  form.set("sha256", chunk.sha256);
  form.set("file_sha256", chunk.fileSha256);
  // Last, so that the server knows the other fields before the bytes stream in.
  form.set("file", bytes, fileName);

  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(uploadChunk.method, apiUrl(uploadChunk, address(projectId, slot)));
    const sentWith = bearerHeader();
    for (const [name, value] of Object.entries(sentWith)) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    let watchdog = setTimeout(abort, LOST_AFTER_MS);
    const hear = (timeoutMs: number) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(abort, timeoutMs);
    };
    signal.addEventListener("abort", abort, { once: true });
    request.upload.onprogress = ({ loaded, total }) => {
      hear(LOST_AFTER_MS);
      onBytes(total > 0 ? Math.round((loaded / total) * bytes.size) : 0);
    };
    request.upload.onload = () => hear(LOST_ANSWER_AFTER_MS);
    request.onloadend = () => {
      clearTimeout(watchdog);
      signal.removeEventListener("abort", abort);
    };
    request.onload = () => {
      const answer = parse(request.responseText);
      if (request.status >= 200 && request.status < 300)
        return resolve({ complete: false, ...answer } as Answer<typeof uploadChunk>);
      if (request.status === 401 && isOutdated(sentWith)) return reject(signedInAgain());
      if (request.status === 401 && sentWith["Authorization"] === bearerHeader()["Authorization"])
        announceSessionExpired();
      const problem = answer as Partial<Problem> | null;
      reject(new ApiError(request.status, problem?.code ?? "", problem?.error ?? ""));
    };
    request.onerror = () => reject(new NetworkError("No connection to the server."));
    request.onabort = () =>
      reject(
        signal.aborted ? (signal.reason as Error) : new NetworkError("The upload was interrupted."),
      );
    request.send(form);
  });
}

/** Whether another session has begun since a call was made: its 401 then says nothing about that one. */
function isOutdated(sentWith: Record<string, string>): boolean {
  const now = bearerHeader()["Authorization"];
  return now !== undefined && now !== sentWith["Authorization"];
}

/** Makes the call retry with the current token. */
function signedInAgain(): NetworkError {
  return new NetworkError("The session changed during the upload.");
}

async function received(
  projectId: string,
  slot: UploadSlot,
  signal: AbortSignal,
): Promise<Answer<typeof uploadedChunks> | null> {
  const sentWith = bearerHeader();
  try {
    return await api(uploadedChunks, { ...address(projectId, slot), signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401 && isOutdated(sentWith)) throw signedInAgain();
    // A server that accepts chunks need not report which it has.
    if (error.status === 404 && error.code !== "project_not_found") return null;
    throw error;
  }
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

export const httpTransport: UploadTransport = { received, send: sendChunk };

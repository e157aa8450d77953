import type { Problem } from "@stipple/contract/errors/problem";
import { uploadChunk, uploadedChunks } from "@stipple/contract/routes/uploads";
import type { UploadSlot } from "@stipple/contract/upload-slots";
import { api, ApiError, apiUrl, bearerHeader, NetworkError, type Answer } from "../../app/api.ts";
import { announceSessionExpired } from "../../app/session-events.ts";
import { chunkHash } from "./chunk-hash.ts";
import type { ChunkToSend, UploadTransport } from "./upload-engine.ts";

function address(projectId: string, slot: UploadSlot) {
  return {
    params: { group: slot.group },
    query: { project_id: projectId, ...(slot.part ? { type: slot.part } : {}) },
  };
}

/** Sends one chunk as multipart form data. XMLHttpRequest, because fetch does not tell how much has left. */
async function sendChunk(chunk: ChunkToSend): Promise<Answer<typeof uploadChunk>> {
  const { projectId, slot, fileName, bytes, index, chunks, onBytes, signal } = chunk;
  const form = new FormData();
  form.set("chunk", String(index));
  form.set("chunks", String(chunks));
  const sha256 = await chunkHash(bytes);
  if (sha256) form.set("sha256", sha256);
  // Last, so that the server knows the other fields before the bytes stream in.
  form.set("file", bytes, fileName);
  signal.throwIfAborted();

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadChunk.method, apiUrl(uploadChunk, address(projectId, slot)));
    for (const [name, value] of Object.entries(bearerHeader()))
      request.setRequestHeader(name, value);
    const abort = () => request.abort();
    const end = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    request.upload.onprogress = ({ loaded, total }) =>
      onBytes(total > 0 ? Math.round((loaded / total) * bytes.size) : 0);
    request.onload = () => {
      end();
      const answer = parse(request.responseText);
      if (request.status >= 200 && request.status < 300 && answer)
        resolve(answer as Answer<typeof uploadChunk>);
      else {
        if (request.status === 401) announceSessionExpired();
        const problem = answer as Partial<Problem> | null;
        reject(new ApiError(request.status, problem?.code ?? "", problem?.error ?? ""));
      }
    };
    request.onerror = () => {
      end();
      reject(new NetworkError("No connection to the server."));
    };
    request.onabort = () => {
      end();
      reject(signal.aborted ? (signal.reason as Error) : new NetworkError("The upload was cut."));
    };
    request.send(form);
  });
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

export const httpTransport: UploadTransport = {
  received: (projectId, slot, signal) =>
    api(uploadedChunks, { ...address(projectId, slot), signal }),
  send: sendChunk,
};

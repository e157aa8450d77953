import type { DownloadPartId } from "@stipple/contract/downloads";
import { createDownloadLink, downloadOutput } from "@stipple/contract/routes/results";
import { api, ApiError, apiResponse } from "../../app/api.ts";
import { saveFile, saveFrom } from "../../components/save-drawing.ts";
import { resultsTexts } from "./texts.ts";

/** A download below this size is kept in memory until it is complete. */
const LARGE_BYTES = 500 * 1024 * 1024;
const DEFAULT_NAME = "analysis_results.zip";

/** The file name in a Content-Disposition header, without any folders; the default name when there is none. */
export function dispositionName(header: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? "")?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(header ?? "")?.[1];
  let name = plain?.trim();
  try {
    if (encoded) name = decodeURIComponent(encoded.trim());
  } catch {
    // A badly encoded name: the plain one will do.
  }
  return name?.split(/[\\/]/).at(-1) || DEFAULT_NAME;
}

/** 'Downloading: percent (MB / MB)', or only the megabytes while the total is not known. */
export function progressText(loaded: number, total: number | null): string {
  const mb = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  if (!total) return resultsTexts.progressUnknown(mb(loaded));
  return resultsTexts.progress(mb(loaded), mb(total), Math.floor((100 * loaded) / total));
}

/** "handed over": the browser's own download goes on without the page. */
export type DownloadOutcome = "saved" | "handed over" | "cancelled";

/** A project's results, or one part of them. */
export interface Downloaded {
  project_id: string;
  part?: DownloadPartId;
}

/**
 * Fetches results and saves them as a file, reporting progress after each chunk. Large downloads are written to disk as
 * they arrive, or handed over to the browser's own download. Throws an Error whose message is meant for the user.
 */
export async function downloadResults(
  what: Downloaded,
  onProgress: (loaded: number, total: number | null) => void,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  try {
    return await fetchAndSave(what, onProgress, signal);
  } catch (error) {
    if (signal.aborted) return "cancelled";
    throw error;
  }
}

async function fetchAndSave(
  what: Downloaded,
  onProgress: (loaded: number, total: number | null) => void,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const call = { query: what, signal };
  const response = await apiResponse(downloadOutput, call).catch(refused);
  const length = Number(response.headers.get("Content-Length"));
  const total = length > 0 ? length : null;
  const name = dispositionName(response.headers.get("Content-Disposition"));
  onProgress(0, total);

  async function handOver(): Promise<DownloadOutcome> {
    const { url } = await api(createDownloadLink, call).catch(refused);
    saveFrom(url, name);
    return "handed over";
  }

  const reader = response.body!.getReader();
  let sink: FileSystemWritableFileStream | undefined;
  try {
    if (total !== null && total >= LARGE_BYTES) {
      const file = await pickFile(name);
      if (file === "cancelled") return "cancelled";
      if (!file) return await handOver();
      sink = await file.createWritable().catch(notWritten);
    }
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let loaded = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(cut);
      if (done) break;
      if (sink) await sink.write(value).catch(notWritten);
      else pieces.push(value);
      loaded += value.length;
      onProgress(loaded, total);
      // Of unknown size, and large.
      if (!sink && loaded >= LARGE_BYTES) return await handOver();
    }
    if (total !== null && loaded < total) cut();
    if (sink) await sink.close().catch(notWritten);
    else {
      const type = response.headers.get("Content-Type") ?? "application/zip";
      saveFile(new Blob(pieces, { type }), name);
    }
    return "saved";
  } catch (error) {
    await sink?.abort().catch(() => undefined);
    throw error;
  } finally {
    // Stop the transfer if the response is not read to its end.
    void reader.cancel().catch(() => undefined);
  }
}

function refused(error: unknown): never {
  if (!(error instanceof ApiError)) cut(error);
  const text = error.error
    ? resultsTexts.downloadError(error.error)
    : resultsTexts.downloadStatus(error.status);
  throw new Error(text, { cause: error });
}

function cut(cause?: unknown): never {
  throw new Error(resultsTexts.downloadError(resultsTexts.downloadCut), { cause });
}

function notWritten(cause: unknown): never {
  throw new Error(resultsTexts.downloadError(resultsTexts.notWritten), { cause });
}

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Asks where to save; undefined if the browser cannot write files, or no longer counts this as part of the user's
 * click.
 */
async function pickFile(
  suggestedName: string,
): Promise<FileSystemFileHandle | "cancelled" | undefined> {
  const picker = (window as { showSaveFilePicker?: SaveFilePicker }).showSaveFilePicker;
  try {
    return await picker?.({ suggestedName });
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError" ? "cancelled" : undefined;
  }
}

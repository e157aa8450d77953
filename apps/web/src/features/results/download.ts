import { downloadOutput } from "@stipple/contract/routes/results";
import { ApiError, apiResponse } from "../../app/api.ts";
import { resultsTexts } from "../../texts/analysis.ts";

/** Beyond this size a download is written to disk as it arrives where the browser can; below, it is kept until complete. */
const STREAM_FROM_BYTES = 500 * 1024 * 1024;
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

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Fetches a project's results and saves them as a file, telling after each piece how far it is.
 * Throws an Error whose message is the sentence to show, or the signal's reason when cancelled.
 */
export async function downloadResults(
  projectId: string,
  onProgress: (loaded: number, total: number | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await begin(projectId, signal);
  const length = Number(response.headers.get("Content-Length"));
  const total = length > 0 ? length : null;
  const name = dispositionName(response.headers.get("Content-Disposition"));
  onProgress(0, total);
  const target = total !== null && total >= STREAM_FROM_BYTES ? await pickFile(name) : undefined;
  const sink = await target?.createWritable();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let loaded = 0;
  try {
    const reader = response.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (sink) await sink.write(value);
      else pieces.push(value);
      loaded += value.length;
      onProgress(loaded, total);
    }
    if (total !== null && loaded < total) throw new Error(resultsTexts.downloadCut);
    await sink?.close();
  } catch (cause) {
    await sink?.abort().catch(() => undefined);
    signal.throwIfAborted();
    throw new Error(resultsTexts.downloadError(resultsTexts.downloadCut), { cause });
  }
  if (!sink) saveBlob(new Blob(pieces, { type: "application/zip" }), name);
}

async function begin(projectId: string, signal: AbortSignal): Promise<Response> {
  try {
    return await apiResponse(downloadOutput, { query: { project_id: projectId }, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError))
      throw new Error(resultsTexts.downloadError(resultsTexts.downloadCut), { cause: error });
    const text = error.error
      ? resultsTexts.downloadError(error.error)
      : resultsTexts.downloadStatus(error.status);
    throw new Error(text, { cause: error });
  }
}

/** Asks where to save; undefined where the browser cannot write files (or no longer counts the click that began this). */
async function pickFile(suggestedName: string): Promise<FileSystemFileHandle | undefined> {
  const picker = (window as { showSaveFilePicker?: SaveFilePicker }).showSaveFilePicker;
  try {
    return await picker?.({ suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError")
      throw new Error(resultsTexts.downloadCancelled, { cause: error });
    return undefined;
  }
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the file by then; at once would be too early in some.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

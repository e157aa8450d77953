import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Outputs, StoredFile } from "../outputs/read.ts";

/** What a download holds: the exports and figures, and the pictures and tables of the steps; not the intermediate arrays. */
const WHOLE_FOLDERS = ["analysis_results", "figures"];
const STEP_FILES = /\.(png|svg|csv|geojson)$/;

/** What is in the download of a project's results. */
export async function downloadedFiles(outputs: Outputs, projectId: string): Promise<StoredFile[]> {
  const ofSteps = (await outputs.steps(projectId)).flatMap((step) => step.entries);
  return [
    ...(await outputs.below(projectId, WHOLE_FOLDERS)),
    ...(await outputs.findAll(
      projectId,
      ofSteps.filter((path) => STEP_FILES.test(path)),
    )),
  ];
}

/**
 * A zip of published files, made while it is sent; nothing is held in memory or written to disk. Entries are
 * stored uncompressed (images and h5ad are compressed already), so that the size is known before the first byte.
 */
export async function zipOf(
  entries: readonly StoredFile[],
  openFile: (file: StoredFile) => Promise<Readable>,
): Promise<{ stream: Readable; size: number | null }> {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // Whoever ends a download early would otherwise leave the file that is being sent open.
  let sent: Readable | undefined;
  stream.once("close", () => sent?.destroy());
  const open = async (file: StoredFile): Promise<Readable> => {
    sent = await openFile(file);
    if (stream.destroyed) sent.destroy();
    return sent;
  };
  for (const file of entries) addEntry(zip, open, file);
  const size = await new Promise<number>((resolve) => {
    // The type declarations lag behind: the callback is given the size of the whole, or -1.
    zip.end({ forceZip64Format: largeDirectory(entries), comment: "" }, ((bytes: number) =>
      resolve(bytes)) as () => void);
  });
  zip.on("error", (error: Error) => stream.destroy(error));
  return { stream, size: size >= 0 ? size : null };
}

/**
 * Whether the zip's directory may reach 64 KiB. From there on yazl 3.3.1 counts the records of the large format into the
 * size that it tells, but writes them only when asked to: the browser would wait for 76 bytes that never come.
 */
function largeDirectory(entries: readonly { path: string }[]): boolean {
  const bytes = entries.reduce((sum, { path }) => sum + 64 + Buffer.byteLength(path), 0);
  return bytes >= 0xffff;
}

function addEntry(
  zip: ZipFile,
  open: (file: StoredFile) => Promise<Readable>,
  file: StoredFile,
): void {
  zip.addReadStreamLazy(
    file.path,
    { mtime: file.publishedAt, mode: 0o100644, compress: false, size: file.size },
    (give) => {
      open(file).then(
        (source) => give(null, source),
        (error: unknown) => give(error, Readable.from([])),
      );
    },
  );
}

import {
  belongsToPart,
  DOWNLOAD_PARTS,
  EXPORTS_FOLDER,
  WITH_EVERY_ZIP,
  type DownloadPart,
  type DownloadPartId,
} from "@stipple/contract";
import type { Outputs, StoredFile } from "../outputs/read.ts";
import { downloadName } from "./attachment.ts";
import { zipOf, type Zip } from "../outputs/zip.ts";

/** What one download sends: a file as it is, or a zip of several. */
export interface Download {
  /** The end of its file name, after the project's name. */
  suffix: string;
  content: { file: StoredFile } | { zip: Zip };
}

const WHOLE = "analysis_results.zip";
const FIGURES = "figures";
/** The whole download: the exports and figures, and the pictures and tables of the steps, without the arrays. */
const WHOLE_FOLDERS = ["analysis_results", FIGURES];
const STEP_FILES = /^step\d+_output\/[^/]+\.(png|svg|csv|geojson)$/;
const STEP_FIGURES = /^step\d+_output\/[^/]+\.(png|svg|pdf)$/;

/** Bytes that are checked before a download begins; about four seconds of work. */
const CHECKED_AHEAD_BYTES = 4 * 1024 ** 3;

/**
 * The files to check before the first byte is sent, so that damage can be answered in words. Larger downloads would
 * begin too late: their last files are checked when it is their turn, and damage ends the connection.
 */
export function checkedAhead(files: readonly StoredFile[]): StoredFile[] {
  let bytes = 0;
  return files.filter(({ size }) => (bytes += size) <= CHECKED_AHEAD_BYTES);
}

async function downloadedFiles(outputs: Outputs, projectId: string): Promise<StoredFile[]> {
  const ofSteps = (await outputs.steps(projectId)).flatMap((step) => step.entries);
  return [
    ...(await outputs.below(projectId, WHOLE_FOLDERS)),
    ...(await outputs.findAll(
      projectId,
      ofSteps.filter((path) => STEP_FILES.test(path)),
    )),
  ];
}

/** All results of a project, or one part of them; null if they do not have this part. */
export async function downloadOf(
  outputs: Outputs,
  projectId: string,
  part?: DownloadPartId,
): Promise<Download | null> {
  const files = await downloadedFiles(outputs, projectId);
  if (part === undefined) return { suffix: WHOLE, content: { zip: zipOf(files, outputs.open) } };
  return partOf(
    outputs,
    files,
    DOWNLOAD_PARTS.find(({ id }) => id === part)!,
  );
}

/** Everything that can be downloaded of a project, with names and sizes in bytes. One query for the files. */
export async function offeredDownloads(
  outputs: Outputs,
  project: { id: string; name: string },
): Promise<{
  whole: { file_name: string; size: number };
  parts: { part: DownloadPartId; title: string; text: string; file_name: string; size: number }[];
}> {
  const files = await downloadedFiles(outputs, project.id);
  const offered = ({ suffix, content }: Download) => ({
    file_name: downloadName(project.name, suffix),
    size: "file" in content ? content.file.size : content.zip.size,
  });
  return {
    whole: offered({ suffix: WHOLE, content: { zip: zipOf(files, outputs.open) } }),
    parts: DOWNLOAD_PARTS.flatMap((part) => {
      const download = partOf(outputs, files, part);
      const { id, title, text } = part;
      return download ? [{ part: id, title, text, ...offered(download) }] : [];
    }),
  };
}

/** Its paths begin at the exports, so that a folder can be opened where it was unpacked. */
function partOf(
  outputs: Outputs,
  files: readonly StoredFile[],
  part: DownloadPart,
): Download | null {
  const exported = files.filter(({ path }) => path.startsWith(`${EXPORTS_FOLDER}/`));
  const below = exported.map((file) => ({
    ...file,
    path: file.path.slice(EXPORTS_FOLDER.length + 1),
  }));
  const figures = files.filter(
    ({ path }) => path.startsWith(`${FIGURES}/`) || STEP_FIGURES.test(path),
  );
  const own = [
    ...below.filter(({ path }) => belongsToPart(part, path)),
    ...(part.figures ? figures : []),
  ];
  const [first] = own;
  if (!first) return null;
  if (part.exports.length === 1 && first.path === part.exports[0]) {
    return { suffix: first.path, content: { file: first } };
  }
  const about = below.filter(({ path }) => WITH_EVERY_ZIP.includes(path));
  return {
    suffix: `${part.id}.zip`,
    content: { zip: zipOf([...about, ...own], outputs.open) },
  };
}

import { prepareStudyDownload, type StudyDownload } from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import type { OwnedStudy } from "../access/opened-results.ts";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import { askedRange, rangedAnswer } from "../outputs/file-answer.ts";
import { COMBINED } from "../studies/messages.ts";
import type { Studies } from "../studies/studies.ts";
import type { StudyComputing } from "../studies/study-computing.ts";
import { attachment, downloadName } from "./attachment.ts";
import type { DownloadLinks } from "./download-links.ts";

export interface StudyDownloadParts {
  database: Database;
  studies: Studies;
  studyComputing: StudyComputing;
  downloadLinks: DownloadLinks;
}

export function studyDownloadRoutes(mount: Mount, parts: StudyDownloadParts): void {
  const { studies, studyComputing, downloadLinks } = parts;
  mount(prepareStudyDownload, async ({ results: study, query: { part } }) => {
    const read = await studies.read(study);
    const found = await studyComputing.find(read, { part });
    const file =
      found && "combined" in found ? await studyComputing.file(read, { part }, COMBINED) : null;
    if (found && "refusal" in found) {
      return { status: 200, body: { refusal: found.refusal, download: null } };
    }
    if (!found || !("combined" in found) || !file) {
      return { status: 202, body: { computing: true as const } };
    }
    const token = await downloadLinks.issue(study.userId, { kind: "study", id: study.id, part });
    const download = {
      ...{ url: `/api/linked_download/${token}`, size: file.size },
      file_name: downloadName(study.name, found.combined.suffix),
    };
    return { status: 200, body: { refusal: null, download } };
  });
}

/** Sends all samples as one file, or a range of it. A link never has it made. */
export async function studyDownload(
  { database, studies, studyComputing }: StudyDownloadParts,
  { study, part }: { study: OwnedStudy; part: StudyDownload },
  request: FastifyRequest,
): Promise<FileAnswer> {
  const read = await studies.read(study);
  const file = await studyComputing.file(read, { part }, COMBINED);
  const found = file && (await studyComputing.find(read, { part }));
  if (!file || !found || !("combined" in found)) {
    throw new ApiError("not_found", "A sample has changed since: download the file again.");
  }
  const range = askedRange(request, file.tag, file.size);
  const body = await file.open(range);
  // Resuming is not another download.
  if (!range || range.start === 0) {
    const about = { study: study.name, part };
    await audit(database.db, { userId: study.userId, what: "study_downloaded", about });
  }
  const { suffix } = found.combined;
  const headers = {
    "content-type": suffix.endsWith(".zip") ? "application/zip" : "application/octet-stream",
    "content-disposition": attachment(study.name, suffix),
    "cache-control": "private, no-store",
  };
  return rangedAnswer({ size: file.size, etag: file.tag }, headers, range, body);
}

import { Readable } from "node:stream";
import {
  createDownloadLink,
  DOWNLOAD_PARTS,
  downloadOutput,
  downloadParts,
  LAST_STEP,
  linkedDownload,
  prepareStudyDownload,
  type DownloadPartId,
  type StudyDownload,
} from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import type { OwnedProject, OwnedStudy } from "../access/opened-results.ts";
import { audit } from "../audit/audit.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import { askedRange, fileAnswer, rangedAnswer } from "../outputs/file-answer.ts";
import type { Outputs } from "../outputs/read.ts";
import { holdForDownload } from "../projects/download-holds.ts";
import type { Projects } from "../projects/projects.ts";
import { attachment, downloadName } from "./attachment.ts";
import { checkedAhead, downloadOf, offeredDownloads } from "./downloads.ts";
import type { Zip } from "../outputs/zip.ts";
import type { Database } from "../db/database.ts";
import { COMBINED } from "../studies/messages.ts";
import type { Studies } from "../studies/studies.ts";
import type { StudyComputing } from "../studies/study-computing.ts";
import type { DownloadLinks } from "./download-links.ts";

export interface DownloadParts {
  database: Database;
  projects: Projects;
  studies: Studies;
  outputs: Outputs;
  studyComputing: StudyComputing;
  downloadLinks: DownloadLinks;
}

/** Refuses until the last step is done. */
export async function assertResults(outputs: Outputs, projectId: string): Promise<void> {
  const steps = await outputs.steps(projectId);
  if (!steps.some(({ step }) => step === LAST_STEP)) throw new ApiError("results_not_ready");
}

export function downloadRoutes(mount: Mount, parts: DownloadParts): void {
  const { projects, outputs, downloadLinks } = parts;
  mount(downloadOutput, ({ results: project, query, request }) =>
    download(parts, { project, part: query.part }, request),
  );

  mount(downloadParts, async ({ session, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    await assertResults(outputs, project.id);
    return { status: 200, body: await offeredDownloads(outputs, project) };
  });

  mount(createDownloadLink, async ({ results: project, query }) => {
    await assertResults(outputs, project.id);
    const linked = { kind: "project" as const, id: project.id, part: query.part };
    const token = await downloadLinks.issue(project.userId, linked);
    return { status: 200, body: { url: `/api/linked_download/${token}` } };
  });

  studyDownloadRoutes(mount, parts);

  mount(linkedDownload, ({ results, request }) =>
    "study" in results ? studyDownload(parts, results, request) : download(parts, results, request),
  );
}

interface Wanted {
  project: OwnedProject;
  part: DownloadPartId | undefined;
}

async function download(
  parts: DownloadParts,
  wanted: Wanted,
  request: FastifyRequest,
): Promise<FileAnswer> {
  const release = await holdForDownload(parts.database.db, wanted.project.id);
  try {
    const answer = await downloadAnswer(parts, wanted, request);
    if (answer.body instanceof Readable) answer.body.once("close", release);
    else release();
    return answer;
  } catch (error) {
    release();
    throw error;
  }
}

async function downloadAnswer(
  { database, outputs }: DownloadParts,
  { project, part }: Wanted,
  request: FastifyRequest,
): Promise<FileAnswer> {
  const found = await downloadOf(outputs, project.id, part);
  // Only now: a run that begins takes results away, and what is left of them is no download.
  await assertResults(outputs, project.id);
  if (!found) throw new ApiError("not_found", "These results do not have this part.");
  const { content, suffix } = found;
  const answer =
    "file" in content
      ? await fileAnswer(outputs, content.file, "application/octet-stream", request)
      : await zipAnswer(outputs, content.zip, request);
  const begins =
    answer.status === 200 || `${answer.headers["content-range"]}`.startsWith("bytes 0-");
  // Resuming is not another download, and asking how large it is (HEAD) is none.
  if (begins && request.method === "GET") {
    const title = DOWNLOAD_PARTS.find(({ id }) => id === part)?.title;
    await audit(database.db, {
      userId: project.userId,
      what: "results_downloaded",
      about: { project: project.name, ...(title ? { part: title } : {}) },
    });
  }
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "content-disposition": attachment(project.name, suffix),
      "cache-control": "private, no-store",
    },
  };
}

async function zipAnswer(outputs: Outputs, zip: Zip, request: FastifyRequest): Promise<FileAnswer> {
  const range = askedRange(request, zip.tag, zip.size);
  if (!range || range.start === 0) await outputs.assertSound(checkedAhead(zip.files));
  const headers = { "content-type": "application/zip" };
  return rangedAnswer({ size: zip.size, etag: zip.tag }, headers, range, zip.stream(range));
}

function studyDownloadRoutes(mount: Mount, parts: DownloadParts): void {
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
async function studyDownload(
  { database, studies, studyComputing }: DownloadParts,
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
  // Resuming is not another download, and asking how large it is (HEAD) is none.
  if ((!range || range.start === 0) && request.method === "GET") {
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

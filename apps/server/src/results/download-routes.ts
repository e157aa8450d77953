import { Readable } from "node:stream";
import {
  createDownloadLink,
  DOWNLOAD_PARTS,
  downloadOutput,
  downloadParts,
  LAST_STEP,
  linkedDownload,
  type DownloadPartId,
} from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import type { OwnedProject } from "../access/opened-results.ts";
import { audit } from "../audit/audit.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import { askedRange, fileAnswer, rangedAnswer } from "../outputs/file-answer.ts";
import type { Outputs } from "../outputs/read.ts";
import { holdForDownload } from "../projects/download-holds.ts";
import type { Projects } from "../projects/projects.ts";
import { attachment } from "./attachment.ts";
import { checkedAhead, downloadOf, offeredDownloads } from "./downloads.ts";
import { studyDownload, studyDownloadRoutes, type StudyDownloadParts } from "./study-download.ts";
import type { Zip } from "../outputs/zip.ts";

export interface DownloadParts extends StudyDownloadParts {
  projects: Projects;
  outputs: Outputs;
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
  const { project } = wanted;
  await assertResults(parts.outputs, project.id);
  const release = await holdForDownload(parts.database.db, project.id);
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
  if (!found) throw new ApiError("not_found", "These results do not have this part.");
  const { content, suffix } = found;
  const answer =
    "file" in content
      ? await fileAnswer(outputs, content.file, "application/octet-stream", request)
      : await zipAnswer(outputs, content.zip, request);
  // Resuming is not another download.
  if (answer.status === 200 || `${answer.headers["content-range"]}`.startsWith("bytes 0-")) {
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

import { extname } from "node:path";
import { Readable } from "node:stream";
import {
  createDownloadLink,
  downloadOutput,
  downloadParts,
  getImage,
  getReport,
  getStatistics,
  LAST_STEP,
  linkedDownload,
  startVisualization,
  DOWNLOAD_PARTS,
  EXPORTS_FOLDER,
  type DownloadPartId,
} from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import type { DownloadLinks } from "./download-links.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import { holdForDownload } from "../projects/download-holds.ts";
import { askedRange, fileAnswer } from "../outputs/file-answer.ts";
import { reducedAnswer } from "../outputs/reduced-answer.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import { storedStatistics } from "../outputs/stored-statistics.ts";
import { TABLE_SCRIPT_HASH } from "@stipple/pipeline/report-script";
import { checkedAhead, downloadOf, offeredDownloads } from "./downloads.ts";
import { attachment } from "./attachment.ts";
import type { Zip } from "./zip.ts";

const REPORT = `${EXPORTS_FOLDER}/report.html`;
/**
 * We write the report, but it contains names from outside, so it may load nothing, run nothing but the script that
 * sorts its tables, and has no origin.
 */
const REPORT_POLICY = `sandbox allow-scripts allow-modals; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${TABLE_SCRIPT_HASH}; frame-ancestors 'none'`;
const IMAGE_TYPES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
};

interface ResultParts {
  database: Database;
  projects: Projects;
  outputs: Outputs;
  visualizationLinks: VisualizationLinks;
  downloadLinks: DownloadLinks;
}

export function resultRoutes(mount: Mount, parts: ResultParts): void {
  const { projects, outputs, visualizationLinks, downloadLinks } = parts;

  /** Refuses until the last step is done. */
  async function assertDone(projectId: string): Promise<void> {
    const steps = await outputs.steps(projectId);
    if (!steps.some(({ step }) => step === LAST_STEP)) throw new ApiError("results_not_ready");
  }

  mount(getStatistics, async ({ results: project }) => {
    await assertDone(project.id);
    const stored = await storedStatistics(outputs, project.id);
    if (!stored) throw new ApiError("results_not_ready");
    return {
      status: 200,
      body: {
        "Total Spots": stored.total_spots,
        "Total Cells": stored.total_cells,
        "Total Genes": stored.total_genes,
        "Average Cells per Spot": stored.average_cells_per_spot,
        ...(stored.verdict && { verdict: stored.verdict }),
      },
    };
  });

  mount(getImage, async ({ results: project, query, request }) => {
    const path = (request.params as { "*": string })["*"];
    const type = IMAGE_TYPES[extname(path).toLowerCase()];
    const image = type ? await outputs.find(project.id, path) : null;
    if (!type || !image) {
      throw new ApiError("not_found", "The results have no such image.");
    }
    return query.width
      ? reducedAnswer(outputs, image, Number(query.width), request)
      : fileAnswer(outputs, image, type, request);
  });

  mount(getReport, async ({ results: project, request }) => {
    await assertDone(project.id);
    const report = await outputs.find(project.id, REPORT);
    if (!report) throw new ApiError("results_not_ready");
    const answer = await fileAnswer(outputs, report, "text/html; charset=utf-8", request);
    return { ...answer, headers: { ...answer.headers, "content-security-policy": REPORT_POLICY } };
  });

  async function download(wanted: Wanted, request: FastifyRequest): Promise<FileAnswer> {
    const { project } = wanted;
    await assertDone(project.id);
    const release = await holdForDownload(parts.database.db, project.id);
    try {
      const answer = await downloadAnswer(wanted, request);
      if (answer.body instanceof Readable) answer.body.once("close", release);
      else release();
      return answer;
    } catch (error) {
      release();
      throw error;
    }
  }

  async function downloadAnswer(
    { project, part }: Wanted,
    request: FastifyRequest,
  ): Promise<FileAnswer> {
    const found = await downloadOf(outputs, project.id, part);
    if (!found) throw new ApiError("not_found", "These results do not have this part.");
    const { content, suffix } = found;
    const answer =
      "file" in content
        ? await fileAnswer(outputs, content.file, "application/octet-stream", request)
        : await zipAnswer(content.zip, request);
    // Resuming is not another download.
    if (answer.status === 200 || `${answer.headers["content-range"]}`.startsWith("bytes 0-")) {
      const title = DOWNLOAD_PARTS.find(({ id }) => id === part)?.title;
      await audit(parts.database.db, {
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

  async function zipAnswer(zip: Zip, request: FastifyRequest): Promise<FileAnswer> {
    const range = askedRange(request, zip.tag, zip.size);
    if (!range || range.start === 0) await outputs.assertSound(checkedAhead(zip.files));
    return {
      status: range ? 206 : 200,
      headers: {
        "content-type": "application/zip",
        ...(range ? { "content-range": `bytes ${range.start}-${range.end}/${zip.size}` } : {}),
        "content-length": range ? range.end - range.start + 1 : zip.size,
        "accept-ranges": "bytes",
        etag: zip.tag,
      },
      body: zip.stream(range),
    };
  }

  mount(downloadOutput, ({ results: project, query, request }) =>
    download({ project, part: query.part }, request),
  );

  mount(downloadParts, async ({ session, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    await assertDone(project.id);
    return { status: 200, body: await offeredDownloads(outputs, project) };
  });

  mount(createDownloadLink, async ({ results: project, query }) => {
    await assertDone(project.id);
    const token = await downloadLinks.issue(project, query.part);
    return { status: 200, body: { url: `/api/linked_download/${token}` } };
  });

  mount(linkedDownload, ({ results, request }) => download(results, request));

  mount(startVisualization, async ({ results: project }) => {
    await assertDone(project.id);
    return { status: 200, body: { url: await visualizationLinks.issue(project) } };
  });
}

interface Wanted {
  project: OwnedProject;
  part: DownloadPartId | undefined;
}

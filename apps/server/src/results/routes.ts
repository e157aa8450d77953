import { extname } from "node:path";
import {
  getImage,
  getReport,
  getStatistics,
  startVisualization,
  EXPORTS_FOLDER,
} from "@stipple/contract";
import type { VisualizationLinks } from "../visualization/links.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import { fileAnswer, reducedAnswer } from "../outputs/file-answer.ts";
import { storedStatistics } from "../outputs/stored-statistics.ts";
import { TABLE_SCRIPT_HASH } from "@stipple/pipeline/report-script";
import { assertResults, downloadRoutes, type DownloadParts } from "./download-routes.ts";

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

interface ResultParts extends DownloadParts {
  visualizationLinks: VisualizationLinks;
}

export function resultRoutes(mount: Mount, parts: ResultParts): void {
  const { outputs, visualizationLinks } = parts;

  const assertDone = (projectId: string): Promise<void> => assertResults(outputs, projectId);
  mount(getStatistics, async ({ results: project }) => {
    await assertDone(project.id);
    const stored = await storedStatistics(outputs, project.id);
    if (!stored) throw new ApiError("results_not_ready");
    return ok({
      "Total Spots": stored.total_spots,
      "Total Cells": stored.total_cells,
      "Total Genes": stored.total_genes,
      "Average Cells per Spot": stored.average_cells_per_spot,
      ...(stored.verdict && { verdict: stored.verdict }),
    });
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

  mount(startVisualization, async ({ results: project }) => {
    await assertDone(project.id);
    return ok({ url: await visualizationLinks.issue(project) });
  });
  downloadRoutes(mount, parts);
}

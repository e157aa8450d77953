import * as z from "zod/mini";
import { DOWNLOAD_PART_IDS } from "../downloads.ts";
import { verdict } from "../verdict.ts";
import { defineRoute } from "./define.ts";

export const statistics = z.object({
  "Total Spots": z.int(),
  "Total Cells": z.int(),
  "Total Genes": z.int(),
  "Average Cells per Spot": z.number(),
  /** Additive: how reliable the results are; missing in results from versions without verdicts. */
  verdict: z.optional(verdict),
});
export type Statistics = z.infer<typeof statistics>;

export const getStatistics = defineRoute("GET", "/get_statistics", "session", {
  summary: "The four statistics of a finished project and its verdict.",
  query: z.object({ project_id: z.string() }),
  answers: { 200: statistics },
});

export const INPUT_IMAGE = "step0_output/spatial_clusters.png";
export const OUTPUT_IMAGE = "figures/showspatial_celltypes.png";

/** Each of these images for dark mode; results from earlier versions have none. */
export const DARK_IMAGES: Readonly<Record<string, string>> = {
  [INPUT_IMAGE]: "step0_output/dark/spatial_clusters.png",
  [OUTPUT_IMAGE]: "step6_output/dark/showspatial_celltypes.png",
};

/**
 * Widths in px of smaller versions of a figure. Pages show 1600, because the full figure can be 20 times as many bytes;
 * the project list shows 200.
 */
export const IMAGE_WIDTHS = ["1600", "200"] as const;

export const getImage = defineRoute("GET", "/get_image/*", "session", {
  summary:
    "An image from a project's results, by its path; with a width, as WebP at most that wide.",
  query: z.object({
    project_id: z.string(),
    t: z.optional(z.string()),
    width: z.optional(z.enum(IMAGE_WIDTHS)),
  }),
  answers: { 200: null },
});

export const getReport = defineRoute("GET", "/get_report", "session", {
  summary:
    "The report of a finished project: one HTML file, whose only script sorts, filters, and prints its tables.",
  query: z.object({ project_id: z.string() }),
  answers: { 200: null },
});

/** One part of the results; without it, all of them. */
const downloaded = z.object({
  project_id: z.string(),
  part: z.optional(z.enum(DOWNLOAD_PART_IDS)),
});

export const downloadOutput = defineRoute("GET", "/download_output", "session", {
  summary:
    "All results as one zip, or one part of them (a zip, or the file itself if the part is one file), streamed. Not for trial accounts.",
  accept: "application/zip",
  query: downloaded,
  answers: { 200: null },
});

/** What a download will be. */
const offeredFile = z.object({ file_name: z.string(), size: z.int() });

/** Additive: what can be downloaded of a finished project. */
export const downloadParts = defineRoute("GET", "/download_parts", "session", {
  summary:
    "The parts of a finished project's results that can be downloaded alone, and the whole zip, with file names and sizes in bytes.",
  query: z.object({ project_id: z.string() }),
  answers: {
    200: z.object({
      whole: offeredFile,
      /** In display order; parts that these results do not have are left out. */
      parts: z.array(
        z.extend(offeredFile, {
          part: z.enum(DOWNLOAD_PART_IDS),
          title: z.string(),
          text: z.string(),
        }),
      ),
    }),
  },
});

/** Additive: for browsers that cannot stream to a file and would hold gigabytes in memory. */
export const createDownloadLink = defineRoute("POST", "/create_download_link", "session", {
  summary:
    "A signed URL, relative to this server's root, that lets a browser make the same download on its own. Valid for one minute.",
  query: downloaded,
  answers: { 200: z.object({ url: z.string() }) },
});

export const linkedDownload = defineRoute("GET", "/linked_download/:token", "download", {
  summary: "The download behind a signed URL.",
  answers: { 200: null },
});

export const startVisualization = defineRoute("POST", "/start_visualization", "session", {
  summary: "A signed, expiring URL of the interactive view.",
  query: z.object({ project_id: z.string() }),
  answers: { 200: z.object({ url: z.string() }) },
});

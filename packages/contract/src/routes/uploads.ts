import * as z from "zod/mini";
import { defineRoute } from "./define.ts";
import { tracedPolygons } from "./pieces.ts";

/**
 * The chunk itself travels as multipart form data: `file` (bytes, with the file's name), `chunk` (index from 0),
 * `chunks` (total), optional `sha256` (hex of this chunk) and optional `file_sha256`: the SHA-256 of the hex SHA-256s
 * of all chunks, joined in order. A sender that uses it leaves it empty until the last chunk; the file is then
 * assembled only from chunks that match it.
 */
export const uploadChunk = defineRoute("POST", "/upload/:group", "session", {
  summary: "Send one chunk of an input file; the file is assembled when all chunks have arrived.",
  query: z.object({ project_id: z.string(), type: z.optional(z.string()) }),
  answers: {
    200: z.object({
      message: z.string(),
      received: z.array(z.int()),
      chunks: z.int(),
      complete: z.boolean(),
      /** Additive: a warning about the assembled file that does not stop the workflow. */
      warning: z.optional(z.string()),
    }),
  },
});

export const uploadedChunks = defineRoute("GET", "/upload/:group/chunks", "session", {
  summary: "Which chunks of a file the server has, so an upload can resume.",
  query: z.object({ project_id: z.string(), type: z.optional(z.string()) }),
  answers: {
    200: z.object({
      file_name: z.nullable(z.string()),
      received: z.array(z.int()),
      chunks: z.nullable(z.int()),
      complete: z.boolean(),
      size: z.nullable(z.int()),
      /** Additive: hex SHA-256 of each chunk of `received`, in the same order; empty if unknown. */
      sha256: z.array(z.string()),
    }),
  },
});

/** Additive. */
export const ownFileFindings = defineRoute("GET", "/projects/:id/own_files", "session", {
  summary:
    "One sentence on each file that the user added to the sample (alignment, outlines, regions): what it holds, or why it cannot be used. Empty until the sample's files are complete.",
  answers: {
    200: z.array(z.object({ slot: z.string(), is_fault: z.boolean(), sentence: z.string() })),
  },
});

/** Additive. */
export const ownFile = defineRoute("GET", "/projects/:id/own_files/:slot", "session", {
  summary: "A file that the user added to the sample, as it was uploaded.",
  answers: { 200: null },
});

/** Additive. */
export const removeUpload = defineRoute("DELETE", "/upload/:group", "session", {
  summary: "Remove an uploaded file, or the parts of it that have arrived.",
  query: z.object({ project_id: z.string(), type: z.optional(z.string()) }),
  answers: { 200: z.object({ message: z.string() }) },
});

/** Additive. The file travels as in /upload/:group, as a single chunk. */
export const readLabelImage = defineRoute("POST", "/projects/:id/label_image", "session", {
  summary:
    "Read a label image (TIFF), in which every value above 0 is a region of a project's image. Nothing is kept.",
  /** Size of the full-resolution image. */
  query: z.object({ width: z.string(), height: z.string() }),
  answers: {
    200: z.object({ regions: z.array(z.object({ name: z.string(), polygons: tracedPolygons })) }),
  },
});

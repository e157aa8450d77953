import * as z from "zod";
import { defineRoute } from "./define.ts";

/** The chunk itself travels as multipart form data: `file` (bytes, with the file's name), `chunk` (index from 0), `chunks` (total), optional `sha256` (hex of this chunk). */
export const uploadChunk = defineRoute({
  method: "POST",
  path: "/upload/:group",
  access: "session",
  summary: "Send one chunk of an input file; the file is assembled when all chunks are there.",
  params: z.object({ group: z.string() }),
  query: z.object({ project_id: z.string(), type: z.string().optional() }),
  answers: {
    200: z.object({
      message: z.string(),
      received: z.array(z.int()),
      chunks: z.int(),
      complete: z.boolean(),
      /** Additive: a remark about the assembled file that does not stop the workflow. */
      warning: z.string().optional(),
    }),
  },
});

export const uploadedChunks = defineRoute({
  method: "GET",
  path: "/upload/:group/chunks",
  access: "session",
  summary: "Which chunks of a file the server has, so that an upload can resume.",
  params: z.object({ group: z.string() }),
  query: z.object({ project_id: z.string(), type: z.string().optional() }),
  answers: {
    200: z.object({
      file_name: z.string().nullable(),
      received: z.array(z.int()),
      chunks: z.int().nullable(),
      complete: z.boolean(),
      size: z.int().nullable(),
    }),
  },
});

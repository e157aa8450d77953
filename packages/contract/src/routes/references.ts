import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** A condensed reference: part of this version, the operator's, for everyone, or the caller's own. */
export const listedReference = z.object({
  id: z.string(),
  name: z.string(),
  tissue: z.string(),
  species: z.string(),
  labels: z.array(z.string()),
  cells: z.int(),
  genes: z.int(),
  source: z.string(),
  citation: z.nullable(z.string()),
  license: z.nullable(z.string()),
  /** Whether it is the caller's own. */
  is_own: z.boolean(),
  /** Whether it is part of this version. */
  is_built_in: z.boolean(),
});
export type ListedReference = z.infer<typeof listedReference>;

const someText = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));

/** Additive. */
export const listReferences = defineRoute("GET", "/references", "session", {
  summary: "References of labeled cells that the caller may use, by tissue and name.",
  answers: { 200: z.array(listedReference) },
});

/** Additive. */
export const takeReference = defineRoute("POST", "/projects/:id/reference", "session", {
  summary: "Use a kept reference in a project, in place of one that was uploaded.",
  body: z.object({ reference_id: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});

/** Additive. */
export const keepReference = defineRoute("POST", "/references", "session", {
  summary: "Condense the reference that was uploaded to a project, and keep it for other projects.",
  body: z.object({
    project_id: z.string(),
    name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/)),
    tissue: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
    /** The obs column of the labels; may be omitted if only one is recognized. */
    labels: z.optional(someText),
    source: z.optional(someText),
    citation: z.optional(someText),
    license: z.optional(someText),
  }),
  answers: { 201: listedReference },
});

/** Additive. */
export const removeReference = defineRoute("DELETE", "/references/:id", "session", {
  summary: "Remove a reference of the caller's own; projects that use it keep their copy.",
  answers: { 200: z.object({ message: z.string() }) },
});

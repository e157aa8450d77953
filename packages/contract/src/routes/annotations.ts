import * as z from "zod/mini";
import {
  ANNOTATION_KINDS,
  annotationId,
  LONGEST_ANNOTATION_NAME,
  type AnnotationKind,
} from "../annotations.ts";
import { defineRoute } from "./define.ts";

const kinds = Object.keys(ANNOTATION_KINDS) as [AnnotationKind, ...AnnotationKind[]];
const revision = z.int().check(z.minimum(0));

/** `value` as `ANNOTATION_KINDS` says for its kind. */
const annotation = z.object({
  id: annotationId,
  kind: z.enum(kinds),
  value: z.record(z.string(), z.unknown()),
  /** The project's revision that wrote it. */
  revision,
  /** Null for those who only hold a share link. */
  author: z.nullable(z.string()),
  at: z.string(),
});

/** Where a project's annotations stand. */
const standing = z.object({
  /** Increases with every change; 0 before the first. */
  revision,
  can_undo: z.boolean(),
  can_redo: z.boolean(),
});
export type AnnotationStanding = z.infer<typeof standing>;

/** Items that now are so; null = gone. */
const changed = z.extend(standing, {
  changed: z.array(z.object({ id: annotationId, item: z.nullable(annotation) })),
});

export const visualizationAnnotations = defineRoute(
  "GET",
  "/visualization/:token/annotations",
  "visualization",
  {
    summary:
      "What people added to a project's results: names, groups, regions, notes … With `kind`: only items of one kind.",
    query: z.object({ kind: z.optional(z.enum(kinds)) }),
    answers: {
      200: z.extend(standing, {
        /** Identifies the cells that indices refer to now (`cellsKey` of items); null before there are results. */
        cells: z.nullable(z.string()),
        items: z.array(annotation),
      }),
    },
  },
);

export const changeAnnotations = defineRoute("POST", "/projects/:id/annotations", "session", {
  summary:
    "Change annotations: all of them or, if one was changed since (409), none. A request with a known id is answered again without a change.",
  body: z.object({
    /** Made by the client, so that it can repeat a request whose answer was lost. */
    id: z.uuid(),
    changes: z
      .array(
        z.object({
          id: annotationId,
          kind: z.enum(kinds),
          /** As `ANNOTATION_KINDS` says for its kind; null deletes the item. */
          value: z.nullable(z.record(z.string(), z.unknown())),
          /** The revision of the item that this is based on; 0 = there was none. */
          revision,
        }),
      )
      .check(z.minLength(1)),
  }),
  /** The changed items now have this revision. */
  answers: { 200: standing },
});

/** The revision that the caller knows; if it is another by now, nothing is done (409). */
const known = z.object({ revision });

export const undoAnnotations = defineRoute("POST", "/projects/:id/annotations/undo", "session", {
  summary: "Undo the latest change of annotations.",
  body: known,
  answers: { 200: changed },
});

export const redoAnnotations = defineRoute("POST", "/projects/:id/annotations/redo", "session", {
  summary: "Redo the change of annotations that was undone last.",
  body: known,
  answers: { 200: changed },
});

const historyEntry = z.object({
  revision,
  at: z.string(),
  author: z.string(),
  undone: z.boolean(),
  /** Name of the version that was restored, if that was the change. */
  restored: z.nullable(z.string()),
  /** Number of changed items, and the first of them. */
  count: z.int(),
  items: z.array(
    z.object({
      kind: z.enum(kinds),
      label: z.string(),
      what: z.enum(["added", "changed", "removed"]),
    }),
  ),
});
export type AnnotationHistoryEntry = z.infer<typeof historyEntry>;

export const annotationHistory = defineRoute(
  "GET",
  "/projects/:id/annotations/history",
  "session",
  {
    summary: "The latest changes of annotations, newest first.",
    answers: { 200: z.array(historyEntry) },
  },
);

const version = z.object({
  id: z.string(),
  name: z.string(),
  author: z.string(),
  at: z.string(),
  /** The project's revision that it holds. */
  revision,
  /** Number of items. */
  count: z.int(),
});
export type AnnotationVersion = z.infer<typeof version>;

export const annotationVersions = defineRoute(
  "GET",
  "/projects/:id/annotations/versions",
  "session",
  {
    summary: "Named versions of a project's annotations, newest first.",
    answers: { 200: z.array(version) },
  },
);

export const saveAnnotationVersion = defineRoute(
  "POST",
  "/projects/:id/annotations/versions",
  "session",
  {
    summary: "Keep the annotations as they are now under a name.",
    body: z.object({
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_ANNOTATION_NAME)),
    }),
    answers: { 201: version },
  },
);

export const restoreAnnotationVersion = defineRoute(
  "POST",
  "/projects/:id/annotations/versions/:version/restore",
  "session",
  {
    summary: "Make the annotations what they were in a named version; this can be undone.",
    body: known,
    answers: { 200: changed },
  },
);

export const deleteAnnotationVersion = defineRoute(
  "DELETE",
  "/projects/:id/annotations/versions/:version",
  "session",
  {
    summary: "Delete a named version; the annotations stay as they are.",
    answers: { 200: z.object({ message: z.string() }) },
  },
);

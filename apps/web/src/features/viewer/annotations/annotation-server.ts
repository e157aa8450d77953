import type { Annotation } from "@stipple/contract/annotations";
import {
  changeAnnotations,
  redoAnnotations,
  undoAnnotations,
  visualizationAnnotations,
  type AnnotationStanding,
} from "@stipple/contract/routes/annotations";
import { api } from "../../../app/api.ts";
import type { Batch } from "./annotation-store.ts";

/** All items, and `cellsKey` of those whose cells are those of the view. */
export type LoadedAnnotations = AnnotationStanding & {
  cells: string | null;
  items: Annotation[];
};
export type ChangedAnnotations = AnnotationStanding & {
  changed: { id: string; item: Annotation | null }[];
};

export type AnnotationServer = ReturnType<typeof annotationServer>;

/** The server's calls for one project's annotations. They throw the errors of `api`. */
export function annotationServer(token: string, projectId: string) {
  const params = { id: projectId };
  return {
    load: async () =>
      (await api(visualizationAnnotations, { params: { token }, query: {} })) as LoadedAnnotations,
    /** `revisionOf`: the revision that each change is based on. */
    change: ({ id, changes }: Batch, revisionOf: (id: string) => number) =>
      api(changeAnnotations, {
        params,
        body: {
          id,
          changes: changes.map((change) => ({
            id: change.id,
            kind: change.kind,
            value: change.value,
            revision: change.based ?? revisionOf(change.id),
          })),
        },
      }),
    step: async (which: "undo" | "redo", revision: number) =>
      (await api(which === "undo" ? undoAnnotations : redoAnnotations, {
        params,
        body: { revision },
      })) as ChangedAnnotations,
  };
}

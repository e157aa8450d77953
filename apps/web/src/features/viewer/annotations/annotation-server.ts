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

/** The server's calls for one project's annotations. They throw the errors of `api`. */
export interface AnnotationServer {
  load(): Promise<LoadedAnnotations>;
  /** `revisionOf`: the revision that each change is based on. */
  change(batch: Batch, revisionOf: (id: string) => number): Promise<AnnotationStanding>;
  step(which: "undo" | "redo", revision: number): Promise<ChangedAnnotations>;
}

export function annotationServer(token: string, projectId: string): AnnotationServer {
  const params = { id: projectId };
  return {
    load: async () =>
      (await api(visualizationAnnotations, { params: { token } })) as LoadedAnnotations,
    change: ({ id, changes }, revisionOf) =>
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
    step: async (which, revision) =>
      (await api(which === "undo" ? undoAnnotations : redoAnnotations, {
        params,
        body: { revision },
      })) as ChangedAnnotations,
  };
}

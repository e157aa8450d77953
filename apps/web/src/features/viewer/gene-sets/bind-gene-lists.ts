import { bindItems } from "../annotations/bind-items.ts";
import type { AnnotationStore } from "../annotations/annotation-store.ts";
import type { GeneList, ViewerStore } from "../state/viewer-store.ts";

/** Keeps a page's gene lists in the project. */
export function bindGeneLists(store: ViewerStore, annotations: AnnotationStore): () => void {
  return bindItems<"genes", GeneList>(store, annotations, {
    kind: "genes",
    part: "geneLists",
    listed: ({ geneLists }) => geneLists,
    taken: (geneLists) => ({ geneLists }),
    valueOf: ({ name, genes }) => Promise.resolve({ name, genes: [...genes] }),
    itemOf: ({ id, value: { name, genes } }) => Promise.resolve({ id, name, genes }),
  });
}
